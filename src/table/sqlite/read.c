/* The embedded engine's readers: connections in turn, gets, queries. */
#include "base/arena.h"
#include "base/clock.h"
#include "table/cursor_key.h"
#include "table/rules.h"
#include "table/sqlite/sqlite_private.h"

#include <stdio.h>
#include <string.h>

/* --- Connections ------------------------------------------------------------------------------ */

/*
 * A mapped page is examined anew by each read: checking all its cells would cost more than the
 * read.
 */
static const char reader_setup[] = "PRAGMA query_only = 1; PRAGMA cell_size_check = 0";

static struct connection *
reader_open(struct sqlite_table *t, struct arena *arena, enum table_rc *rc, struct str *why)
{
	struct connection *c = connection_open(t, SQLITE_OPEN_READWRITE, arena, rc, why);
	const char *lost;

	if (c == NULL)
		return NULL;
	/* There may be another file at the path, which the mapping does not show. */
	lost = place_lost(t);
	if (lost != NULL) {
		*rc = explain(
		    arena, TABLE_UNAVAILABLE, why, lost, "removed or replaced while it was in use");
		connection_close(c);
		return NULL;
	}
	sqlite3_exec(c->db, reader_setup, NULL, NULL, NULL);
	map_reads(t, c);
	return c;
}

enum table_rc
reader_take(struct sqlite_table *t, struct table_call *call, struct connection **out)
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
		c = reader_open(t, call->arena, &rc, &why);
		if (c == NULL)
			call->why = why.base;
	}
	if (c != NULL)
		c->deadline = call->deadline;
	*out = c;
	return rc;
}

void
reader_give_back(struct sqlite_table *t, struct table_call *call, struct connection *c)
{
	if (c == call->hold)
		return;
	if (c->unwell) {
		connection_close(c);
		return;
	}
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
	enum table_rc rc = reader_take(t, call, &c);
	int code;

	if (rc != TABLE_OK)
		return rc;
	code = statement_run(statement(c, SQL_BEGIN));
	if (code != SQLITE_DONE) {
		rc = storage_failed(c, call, code);
		reader_give_back(t, call, c);
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
	reader_give_back(t, call, c);
}

/* --- Reading ------------------------------------------------------------------------------------ */

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
	bind_place(st, 1, place_of(call->arena, key.pk, key.sk));
	code = sqlite3_step(st);
	if (code == SQLITE_ROW) {
		rc = column_item(c, call, st, 0, &item, NULL);
		if (rc == TABLE_OK && !item_expired(&item, now)) {
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
 * The statement for a query. Every range becomes `low <= place < high`; a cursor of an index adds
 * the item's place in the table, because places in an index need not be unique.
 */
static sqlite3_stmt *
query_statement(struct connection *c, const struct query *query, bool behind)
{
	sqlite3_stmt **st = &c->queries[query->index][query->descending][behind];
	static const char *const tables[] = {"item", "gsi1", "gsi2", "gsi3", "gsi4"};
	const char *column = query->index == TABLE_PRIMARY ? "place" : "gsi";
	const char *direction = query->descending ? "DESC" : "ASC";
	char more[64] = "", then[16] = "", sql[320];

	if (*st != NULL)
		return *st;
	if (behind)
		snprintf(more, sizeof(more), " AND (%s, place) %s (?3, ?4)", column,
		    query->descending ? "<" : ">");
	if (query->index != TABLE_PRIMARY)
		snprintf(then, sizeof(then), ", place %s", direction);
	snprintf(sql, sizeof(sql),
	    "SELECT data FROM %s WHERE %s >= ?1 AND %s < ?2%s ORDER BY %s %s%s",
	    tables[query->index], column, column, more, column, direction, then);
	sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, st, NULL);
	return *st;
}

/* The first key after `s` in byte order: `s` and a NUL. */
static struct str
just_behind(struct arena *arena, struct str s)
{
	return (struct str){str_cstring(arena, s), s.len + 1};
}

/* The range of a query as `low <= sk < high`; keys are UTF-8, so 0xff sorts after all of them. */
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

/* Binds the query's range, narrowed by its cursor. */
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
	bind_place(st, 1, place_of(arena, query->partition, low));
	bind_place(st, 2, place_of(arena, query->partition, high));
	if (cursor != NULL && index) {
		bind_place(st, 3, place_of(arena, query->partition, cursor->place));
		bind_place(st, 4, place_of(arena, cursor->key.pk, cursor->key.sk));
	}
	return st;
}

/* Steps to the next item that has not expired; *found says whether there is one. */
static enum table_rc
next_living(struct connection *c, struct table_call *call, sqlite3_stmt *st, int64_t now,
    struct item *out, bool *found)
{
	enum table_rc rc;
	int code;

	*found = false;
	while ((code = sqlite3_step(st)) == SQLITE_ROW) {
		rc = column_item(c, call, st, 0, out, NULL);
		*found = rc == TABLE_OK && !item_expired(out, now);
		if (*found || rc != TABLE_OK)
			return rc;
	}
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, call, code);
}

/* How much room a query begins with: most find much less than their limit. */
enum { FOUND_FIRST = 16 };

static void
add_found(struct arena *arena, struct read *read, const struct item *item)
{
	size_t count = read->found_count;

	/* Full: nothing yet, or a power of two. */
	if (count == 0 || (count >= FOUND_FIRST && (count & (count - 1)) == 0)) {
		size_t room = count == 0 ? FOUND_FIRST : 2 * count;
		struct item *more = arena_room(arena, room * sizeof(*more));

		if (count != 0)
			memcpy(more, read->found, count * sizeof(*more));
		read->found = more;
	}
	read->found[read->found_count++] = *item;
}

static enum table_rc
query(struct connection *c, struct table_call *call, struct read *read, int64_t now)
{
	const struct query *q = &read->query;
	struct cursor_key cursor;
	enum table_rc rc;
	struct item item;
	bool found;
	sqlite3_stmt *st;

	if (q->cursor.len != 0 && !cursor_key_read(q, &cursor))
		return TABLE_BAD_CURSOR;
	st = query_bound(c, call->arena, q, q->cursor.len != 0 ? &cursor : NULL);
	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	while ((rc = next_living(c, call, st, now, &item, &found)) == TABLE_OK && found) {
		if (read->found_count == q->limit) {
			/* There is at least one more, so there is a next page. */
			read->next = cursor_key_write(call->arena, q, &read->found[q->limit - 1]);
			break;
		}
		add_found(call->arena, read, &item);
	}
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
	/* Several statements are consistent only inside a transaction; a single one needs none. */
	bool many = count > 1 || reads[0].kind == READ_BATCH;
	bool begun = false;
	struct connection *c;
	enum table_rc rc = reader_take(t, call, &c);
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
	reader_give_back(t, call, c);
	return rc;
}
