/* The embedded engine's full reads: the walk over the table, and the stream of changes. */
#include "base/arena.h"
#include "table/sqlite/sqlite_private.h"

/* --- The walk ------------------------------------------------------------------------------------- */

enum table_rc
sqlite_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct connection *c;
	struct key key;
	sqlite3_stmt *st;
	size_t bytes = 0;
	enum table_rc rc;
	int code = SQLITE_DONE;

	/* The cursor is the last item's place. */
	if (cursor.len != 0 && !place_key(cursor, &key))
		return TABLE_BAD_CURSOR;
	rc = reader_take(t, call, &c);
	if (rc != TABLE_OK)
		return rc;
	st = statement(c, SQL_WALK);
	if (st == NULL) {
		rc = storage_failed(c, call, sqlite3_extended_errcode(c->db));
		goto out;
	}
	bind_place(st, 1, cursor.len != 0 ? cursor : STR(""));
	sqlite3_bind_int64(st, 2, limit);
	page->items = ARENA_ARRAY(call->arena, limit, struct item);
	while (page->count < limit && bytes < TABLE_WALK_BYTES &&
	       (code = sqlite3_step(st)) == SQLITE_ROW) {
		rc = column_item(c, call, st, 0, &page->items[page->count], NULL);
		if (rc != TABLE_OK)
			break;
		bytes += item_size(&page->items[page->count++]);
	}
	if (rc == TABLE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
		rc = storage_failed(c, call, code);
	sqlite3_reset(st);
	if (rc == TABLE_OK && code == SQLITE_ROW) {
		key = item_key(&page->items[page->count - 1]);
		page->next = place_of(call->arena, key.pk, key.sk);
	}
out:
	c->deadline = 0;
	reader_give_back(t, call, c);
	return rc;
}

/* --- The stream ------------------------------------------------------------------------------------- */

/* A position is the number of the last record read, in decimal. */
static enum table_rc
stream_start(struct connection *c, struct table_call *call, struct str position, int64_t *after)
{
	sqlite3_stmt *st = statement(c, SQL_CHANGES_ENDS);
	int code = st != NULL ? sqlite3_step(st) : SQLITE_ERROR;
	enum table_rc rc = TABLE_OK;
	int64_t last, forgotten;

	if (code != SQLITE_ROW) {
		rc = storage_failed(c, call, code);
	} else {
		last = sqlite3_column_int64(st, 1);
		/* Everything before the first record; everything, when there is none. */
		forgotten = sqlite3_column_type(st, 0) == SQLITE_NULL
				? last
				: sqlite3_column_int64(st, 0) - 1;
		if (str_eq(position, STREAM_OLDEST))
			*after = forgotten;
		else if (str_eq(position, STREAM_NOW))
			*after = last;
		else if (!str_int(position, after) || *after < 0 || *after > last)
			rc = TABLE_BAD_CURSOR;
		else if (*after < forgotten)
			rc = TABLE_TRIMMED;
	}
	if (st != NULL)
		sqlite3_reset(st);
	return rc;
}

static enum table_rc
column_record(
    struct connection *c, struct table_call *call, sqlite3_stmt *st, struct change_record *record)
{
	int kind = sqlite3_column_int(st, 2);
	struct item item;
	enum table_rc rc;

	record->time = sqlite3_column_int64(st, 1);
	record->kind = kind > CHANGE_DELETED ? CHANGE_DELETED : (enum change_kind)kind;
	record->expired = kind > CHANGE_DELETED;
	/* The key alone, or the whole item in records of an earlier version of this program. */
	rc = column_item(c, call, st, 3, &item, NULL);
	if (rc == TABLE_OK)
		record->key = item_key(&item);
	return rc;
}

static enum table_rc
stream_read(struct connection *c, struct table_call *call, int64_t after, uint32_t limit,
    struct change_page *page)
{
	sqlite3_stmt *st = statement(c, SQL_CHANGES);
	enum table_rc rc = TABLE_OK;
	size_t bytes = 0;
	int code = SQLITE_DONE;

	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	sqlite3_bind_int64(st, 1, after);
	sqlite3_bind_int64(st, 2, limit);
	page->records = ARENA_ARRAY(call->arena, limit, struct change_record);
	while (page->count < limit && bytes < TABLE_CHANGES_BYTES &&
	       (code = sqlite3_step(st)) == SQLITE_ROW) {
		rc = column_record(c, call, st, &page->records[page->count]);
		if (rc != TABLE_OK)
			break;
		after = sqlite3_column_int64(st, 0);
		bytes += (size_t)sqlite3_column_bytes(st, 3);
		page->count++;
	}
	if (rc == TABLE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
		rc = storage_failed(c, call, code);
	sqlite3_reset(st);
	page->next = str_fmt(call->arena, "%lld", (long long)after);
	return rc;
}

enum table_rc
sqlite_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct connection *c;
	enum table_rc rc = reader_take(t, call, &c);
	bool begun = false;
	int64_t after = 0;

	if (rc != TABLE_OK)
		return rc;
	/* In one snapshot, or a concurrent trim would be missed. */
	if (call->hold == NULL)
		begun = statement_run(statement(c, SQL_BEGIN)) == SQLITE_DONE;
	rc = stream_start(c, call, position, &after);
	if (rc == TABLE_OK)
		rc = stream_read(c, call, after, limit, page);
	if (rc == TABLE_OK)
		rc = log_reach_disk(t, c, call);
	c->deadline = 0;
	if (begun)
		statement_run(statement(c, SQL_COMMIT));
	reader_give_back(t, call, c);
	return rc;
}
