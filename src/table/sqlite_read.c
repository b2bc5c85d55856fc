/* The embedded engine's readers: connections that take turns, gets, queries, the stream, the walk. */
#include "base/arena.h"
#include "base/clock.h"
#include "table/cursor_key.h"
#include "table/rules.h"
#include "table/sqlite_engine.h"

#include <stdio.h>
#include <string.h>

/* --- Whose connection -------------------------------------------------------------------------- */

/* Mapped read-only, so that a page outside the cache is not copied; SQLite caps the size. */
static const char reader_setup[] = "PRAGMA mmap_size = 1099511627776; PRAGMA query_only = 1";

static enum table_rc
take_reader(struct sqlite_table *t, struct table_call *call, struct connection **out)
{
	enum table_rc rc = TABLE_OK;
	struct connection *c = call->hold;
	struct str why;

	if (c == NULL) {
		pthread_mutex_lock(&t->readers_mutex);
		c = t->idle;
		if (c != NULL)
			t->idle = c->next;
		pthread_mutex_unlock(&t->readers_mutex);
	}
	if (c == NULL) {
		c = connection_open(t, SQLITE_OPEN_READWRITE, call->arena, &rc, &why);
		if (c == NULL)
			call->why = why.base;
		else
			sqlite3_exec(c->db, reader_setup, NULL, NULL, NULL);
	}
	if (c != NULL)
		c->deadline = call->deadline;
	*out = c;
	return rc;
}

static void
give_back(struct sqlite_table *t, struct table_call *call, struct connection *c)
{
	if (c == call->hold)
		return;
	c->deadline = 0;
	pthread_mutex_lock(&t->readers_mutex);
	c->next = t->idle;
	t->idle = c;
	pthread_mutex_unlock(&t->readers_mutex);
}

enum table_rc
sqlite_hold(struct table *table, struct table_call *call)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct connection *c;
	enum table_rc rc = take_reader(t, call, &c);
	int code;

	if (rc != TABLE_OK)
		return rc;
	code = statement_run(statement(c, SQL_BEGIN));
	if (code != SQLITE_DONE) {
		rc = storage_failed(c, call, code);
		give_back(t, call, c);
		return rc;
	}
	call->hold = c;
	return TABLE_OK;
}

void
sqlite_release(struct table *table, struct table_call *call)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct connection *c = call->hold;

	call->hold = NULL;
	c->deadline = 0;
	statement_run(statement(c, SQL_COMMIT));
	give_back(t, call, c);
}

/* --- Reading ------------------------------------------------------------------------------------ */

/* The item in a column, copied out of SQLite once and decoded in place. */
static bool
column_item(sqlite3_stmt *st, int at, struct arena *arena, struct item *out)
{
	struct str bytes = column_bytes(st, at);

	bytes.base = arena_copy(arena, bytes.base, bytes.len);
	return item_decode(arena, bytes, out);
}

static enum table_rc
unreadable(struct table_call *call)
{
	call->why = "a stored item is damaged";
	return TABLE_CORRUPT;
}

static enum table_rc
get(struct connection *c, struct table_call *call, struct key key, int64_t now, struct item **out)
{
	sqlite3_stmt *st = statement(c, SQL_GET);
	enum table_rc rc = TABLE_OK;
	struct item item;
	int code;

	*out = NULL;
	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	bind_bytes(st, 1, key.pk);
	bind_bytes(st, 2, key.sk);
	code = sqlite3_step(st);
	if (code == SQLITE_ROW && !column_item(st, 0, call->arena, &item)) {
		rc = unreadable(call);
	} else if (code == SQLITE_ROW) {
		if (!item_expired(&item, now)) {
			*out = ARENA_NEW(call->arena, struct item);
			**out = item;
		}
	} else if (code != SQLITE_DONE) {
		rc = storage_failed(c, call, code);
	}
	sqlite3_reset(st);
	return rc;
}

/*
 * The statement for a query. Every range is brought to `low <= sk < high`; a cursor of an index adds the
 * table's key, because sort keys of an index need not differ.
 */
static sqlite3_stmt *
query_statement(struct connection *c, const struct query *query, bool behind)
{
	sqlite3_stmt **st = &c->queries[query->index][query->descending][behind];
	char p[16] = "pk", s[16] = "sk", more[64] = "", sql[320];
	const char *direction = query->descending ? "DESC" : "ASC";

	if (*st != NULL)
		return *st;
	if (query->index != TABLE_PRIMARY) {
		snprintf(p, sizeof(p), "gsi%dpk", (int)query->index);
		snprintf(s, sizeof(s), "gsi%dsk", (int)query->index);
		if (behind)
			snprintf(more, sizeof(more), " AND (%s, pk, sk) %s (?4, ?5, ?6)", s,
			    query->descending ? "<" : ">");
	}
	snprintf(sql, sizeof(sql),
	    "SELECT data FROM item WHERE %s = ?1 AND %s >= ?2 AND %s < ?3%s"
	    " ORDER BY %s %s%s%s%s%s",
	    p, s, s, more, s, direction, query->index != TABLE_PRIMARY ? ", pk " : "",
	    query->index != TABLE_PRIMARY ? direction : "",
	    query->index != TABLE_PRIMARY ? ", sk " : "",
	    query->index != TABLE_PRIMARY ? direction : "");
	sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, st, NULL);
	return *st;
}

/* The first key behind `s` in byte order: `s` and a NUL. */
static struct str
just_behind(struct arena *arena, struct str s)
{
	return (struct str){str_cstring(arena, s), s.len + 1};
}

/* The range of a query as `low <= sk < high`; keys are UTF-8, so 0xff lies behind all of them. */
static void
query_range(struct arena *arena, const struct query *query, struct str *low, struct str *high)
{
	static const struct str end = STR_INIT("\xff");

	*low = STR("");
	*high = end;
	switch (query->op) {
	case SORT_ANY: break;
	case SORT_EQ:
		*low = query->low;
		*high = just_behind(arena, query->low);
		break;
	case SORT_LT: *high = query->low; break;
	case SORT_LE: *high = just_behind(arena, query->low); break;
	case SORT_GT: *low = just_behind(arena, query->low); break;
	case SORT_GE: *low = query->low; break;
	case SORT_BETWEEN:
		*low = query->low;
		*high = just_behind(arena, query->high);
		break;
	case SORT_BEGINS:
		*low = query->low;
		*high = STR_CONCAT(arena, query->low, end);
		break;
	}
}

/* Binds the query's range, brought up to its cursor. */
static sqlite3_stmt *
query_bound(struct connection *c, struct arena *arena, const struct query *query,
    const struct cursor_key *cursor)
{
	bool index = query->index != TABLE_PRIMARY;
	sqlite3_stmt *st = query_statement(c, query, cursor != NULL && index);
	struct str low, high;

	if (st == NULL)
		return NULL;
	query_range(arena, query, &low, &high);
	if (cursor != NULL) {
		if (query->descending)
			high = index ? just_behind(arena, cursor->place) : cursor->place;
		else
			low = index ? cursor->place : just_behind(arena, cursor->place);
	}
	bind_bytes(st, 1, query->partition);
	bind_bytes(st, 2, low);
	bind_bytes(st, 3, high);
	if (cursor != NULL && index) {
		bind_bytes(st, 4, cursor->place);
		bind_bytes(st, 5, cursor->key.pk);
		bind_bytes(st, 6, cursor->key.sk);
	}
	return st;
}

/* Steps to the next item that has not expired; SQLITE_ROW, SQLITE_DONE or a failure. */
static int
next_living(sqlite3_stmt *st, struct arena *arena, int64_t now, struct item *out, bool *damaged)
{
	int code;

	while ((code = sqlite3_step(st)) == SQLITE_ROW) {
		*damaged = !column_item(st, 0, arena, out);
		if (*damaged || !item_expired(out, now))
			return code;
	}
	return code;
}

static enum table_rc
query(struct connection *c, struct table_call *call, struct read *read, int64_t now)
{
	const struct query *q = &read->query;
	struct cursor_key cursor;
	enum table_rc rc = TABLE_OK;
	struct item item;
	bool damaged = false;
	sqlite3_stmt *st;
	int code;

	if (q->cursor.len != 0 && !cursor_key_read(q, &cursor))
		return TABLE_BAD_CURSOR;
	st = query_bound(c, call->arena, q, q->cursor.len != 0 ? &cursor : NULL);
	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	read->found = ARENA_ARRAY(call->arena, q->limit, struct item);
	while (
	    (code = next_living(st, call->arena, now, &item, &damaged)) == SQLITE_ROW && !damaged) {
		if (read->found_count == q->limit) {
			/* There is more, so there is a next page. */
			read->next = cursor_key_write(call->arena, q, &read->found[q->limit - 1]);
			break;
		}
		read->found[read->found_count++] = item;
	}
	if (damaged)
		rc = unreadable(call);
	else if (code != SQLITE_DONE && code != SQLITE_ROW)
		rc = storage_failed(c, call, code);
	sqlite3_reset(st);
	return rc;
}

static enum table_rc
read_one(struct connection *c, struct table_call *call, struct read *read, int64_t now)
{
	enum table_rc rc = TABLE_OK;

	switch (read->kind) {
	case READ_GET: return get(c, call, read->key, now, &read->item);
	case READ_QUERY: return query(c, call, read, now);
	case READ_BATCH:
		read->items = ARENA_ARRAY(call->arena, read->batch.count, struct item *);
		for (size_t i = 0; i < read->batch.count && rc == TABLE_OK; i++)
			rc = get(c, call, read->batch.keys[i], now, &read->items[i]);
		return rc;
	}
	return TABLE_INVALID;
}

enum table_rc
sqlite_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	int64_t now = clock_now(table->clock);
	/* Several statements show one moment only inside a transaction; a single one needs none. */
	bool many = count > 1 || reads[0].kind == READ_BATCH;
	bool begun = false;
	struct connection *c;
	enum table_rc rc = take_reader(t, call, &c);
	int code;

	if (rc != TABLE_OK)
		return rc;
	if (many && call->hold == NULL) {
		code = statement_run(statement(c, SQL_BEGIN));
		begun = code == SQLITE_DONE;
		if (!begun)
			rc = storage_failed(c, call, code);
	}
	for (size_t i = 0; i < count && rc == TABLE_OK; i++)
		rc = read_one(c, call, &reads[i], now);
	c->deadline = 0;
	if (begun)
		statement_run(statement(c, SQL_COMMIT));
	give_back(t, call, c);
	return rc;
}

/* --- The walk ------------------------------------------------------------------------------------- */

enum table_rc
sqlite_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct str pk = STR(""), sk = STR("");
	struct connection *c;
	sqlite3_stmt *st;
	enum table_rc rc;
	int code = SQLITE_DONE;

	/* The cursor is the last key: the length of PK in two bytes, PK, SK. */
	if (cursor.len != 0) {
		size_t len = cursor.len < 2 ? cursor.len
					    : (size_t)(unsigned char)cursor.base[0] << 8 |
						  (unsigned char)cursor.base[1];

		if (cursor.len < 2 || cursor.len - 2 <= len)
			return TABLE_BAD_CURSOR;
		pk = str_sub(cursor, 2, len);
		sk = str_sub(cursor, 2 + len, cursor.len);
	}
	rc = take_reader(t, call, &c);
	if (rc != TABLE_OK)
		return rc;
	st = statement(c, SQL_WALK);
	if (st == NULL) {
		rc = storage_failed(c, call, sqlite3_extended_errcode(c->db));
		goto out;
	}
	bind_bytes(st, 1, pk);
	bind_bytes(st, 2, sk);
	sqlite3_bind_int64(st, 3, limit);
	page->items = ARENA_ARRAY(call->arena, limit, struct item);
	while (page->count < limit && (code = sqlite3_step(st)) == SQLITE_ROW) {
		if (!column_item(st, 0, call->arena, &page->items[page->count])) {
			rc = unreadable(call);
			break;
		}
		page->count++;
	}
	if (rc == TABLE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
		rc = storage_failed(c, call, code);
	sqlite3_reset(st);
	if (rc == TABLE_OK && page->count == limit) {
		struct key last = item_key(&page->items[limit - 1]);
		char len[2] = {(char)(last.pk.len >> 8), (char)(last.pk.len & 0xff)};

		page->next = STR_CONCAT(call->arena, ((struct str){len, 2}), last.pk, last.sk);
	}
out:
	c->deadline = 0;
	give_back(t, call, c);
	return rc;
}

/* --- The stream ------------------------------------------------------------------------------------- */

/* A position is the number of the last record seen, in decimal. */
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
		/* Everything before the first that is left; all, when nothing is left. */
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

/* An image of the item in a record; NULL where there is none. */
static bool
column_image(sqlite3_stmt *st, int at, struct arena *arena, struct item **out)
{
	*out = NULL;
	if (sqlite3_column_type(st, at) == SQLITE_NULL)
		return true;
	*out = ARENA_NEW(arena, struct item);
	return column_item(st, at, arena, *out);
}

static bool
column_record(sqlite3_stmt *st, struct arena *arena, struct change_record *record)
{
	int kind = sqlite3_column_int(st, 2);

	record->time = sqlite3_column_int64(st, 1);
	record->kind = kind > CHANGE_DELETED ? CHANGE_DELETED : (enum change_kind)kind;
	record->expired = kind > CHANGE_DELETED;
	record->key.pk = str_dup(arena, column_bytes(st, 3));
	record->key.sk = str_dup(arena, column_bytes(st, 4));
	return column_image(st, 5, arena, &record->old) && column_image(st, 6, arena, &record->new);
}

static enum table_rc
stream_read(struct connection *c, struct table_call *call, int64_t after, uint32_t limit,
    struct change_page *page)
{
	sqlite3_stmt *st = statement(c, SQL_CHANGES);
	enum table_rc rc = TABLE_OK;
	int code = SQLITE_DONE;

	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	sqlite3_bind_int64(st, 1, after);
	sqlite3_bind_int64(st, 2, limit);
	page->records = ARENA_ARRAY(call->arena, limit, struct change_record);
	while (page->count < limit && (code = sqlite3_step(st)) == SQLITE_ROW) {
		if (!column_record(st, call->arena, &page->records[page->count])) {
			rc = unreadable(call);
			break;
		}
		after = sqlite3_column_int64(st, 0);
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
	enum table_rc rc = take_reader(t, call, &c);
	bool begun = false;
	int64_t after;

	if (rc != TABLE_OK)
		return rc;
	/* The ends and the records belong to one moment, or a trim between them would go unseen. */
	if (call->hold == NULL)
		begun = statement_run(statement(c, SQL_BEGIN)) == SQLITE_DONE;
	rc = stream_start(c, call, position, &after);
	if (rc == TABLE_OK)
		rc = stream_read(c, call, after, limit, page);
	c->deadline = 0;
	if (begun)
		statement_run(statement(c, SQL_COMMIT));
	give_back(t, call, c);
	return rc;
}
