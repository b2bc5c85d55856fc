/*
 * Reads: each read of a round trip is a conversation of its own, and all run concurrently.
 *
 * DynamoDB ends a page after 1 MB or earlier, returns expired items, returns the items of a
 * batch in any order and omits some when it is busy. The loops here turn that into the contract:
 * exactly as many as asked for, in order, nothing expired. A query requests one item more than it returns,
 * to know whether there is a next page.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/request.h"
#include "table/rules.h"

#include <stdlib.h>
#include <string.h>

/* A read under way. */
struct reading {
	struct read *read;
	int64_t now;                  /* for expiry: one moment for all reads of the call */
	bool wanted[TABLE_BATCH_MAX]; /* BATCH: not answered yet */
	const struct key **sorted;    /* BATCH: the keys in order, to find an answer's place */
	struct dynamo_items found;    /* QUERY */
	struct cursor_key start;      /* QUERY: where to continue */
};

static enum turn
corrupt(struct talk *talk, const char *why)
{
	talk->rc = TABLE_CORRUPT;
	talk->why = why;
	return TURN_END;
}

static bool
understand(struct talk *talk, struct str answer, struct dynamo_response *response)
{
	const char *why;

	if (!dynamo_response_read(talk->call->arena, answer, response, &why)) {
		corrupt(talk, why);
		return false;
	}
	talk->call->cost.read_half_units += response->half_units;
	return true;
}

/* --- One item ---------------------------------------------------------------------------------- */

static enum turn
hear_get(struct talk *talk, struct str answer)
{
	struct reading *reading = talk->about;
	struct dynamo_response response;

	if (!understand(talk, answer, &response))
		return TURN_END;
	if (response.item != NULL && !item_expired(response.item, reading->now))
		reading->read->item = response.item;
	return TURN_END;
}

/* --- A batch ----------------------------------------------------------------------------------- */

static int
compare_keys(const void *a, const void *b)
{
	const struct key *x = *(const struct key *const *)a, *y = *(const struct key *const *)b;
	int order = str_cmp(x->pk, y->pk);

	return order != 0 ? order : str_cmp(x->sk, y->sk);
}

static void
begin_batch(struct arena *arena, struct reading *reading)
{
	struct read *read = reading->read;

	reading->sorted = ARENA_ARRAY(arena, read->batch.count, const struct key *);
	read->items = ARENA_ARRAY(arena, read->batch.count, struct item *);
	for (size_t i = 0; i < read->batch.count; i++) {
		reading->sorted[i] = &read->batch.keys[i];
		reading->wanted[i] = true;
	}
	qsort(reading->sorted, read->batch.count, sizeof(*reading->sorted), compare_keys);
}

/* The index of an item, or of a key as an item, among the requested keys. */
static bool
place_of(const struct reading *reading, const struct item *item, size_t *place)
{
	struct key key = item_key(item);
	const struct key *wanted = &key;
	const struct key **found = bsearch(&wanted, reading->sorted, reading->read->batch.count,
	    sizeof(*reading->sorted), compare_keys);

	if (found == NULL)
		return false;
	*place = (size_t)(*found - reading->read->batch.keys);
	return true;
}

static enum turn
hear_batch(struct talk *talk, struct str answer)
{
	struct reading *reading = talk->about;
	struct dynamo_response response;
	size_t place;

	if (!understand(talk, answer, &response))
		return TURN_END;
	for (size_t i = 0; i < response.items.count; i++) {
		struct item *item = &response.items.base[i];

		if (!place_of(reading, item, &place))
			return corrupt(
			    talk, "DynamoDB answers with an item that was not asked for");
		if (!item_expired(item, reading->now))
			reading->read->items[place] = item;
	}
	memset(reading->wanted, 0, sizeof(reading->wanted));
	for (size_t i = 0; i < response.unprocessed.count; i++) {
		if (!place_of(reading, &response.unprocessed.base[i], &place))
			return corrupt(talk, "DynamoDB leaves a key that was not asked for");
		reading->wanted[place] = true;
	}
	if (response.unprocessed.count == 0)
		return TURN_END;
	talk->body = dynamo_request_batch(
	    talk->call->arena, talk->db->config.table, reading->read, reading->wanted);
	return response.items.count > 0 ? TURN_NEXT : TURN_LATER;
}

/* --- A query ------------------------------------------------------------------------------------ */

/* Requests what is missing, and one more. */
static struct str
query_rest(struct dynamo *db, struct arena *arena, const struct reading *reading, bool from_start)
{
	const struct query *query = &reading->read->query;
	uint32_t missing = query->limit + 1 - (uint32_t)reading->found.count;

	return dynamo_request_query(
	    arena, db->config.table, query, missing, from_start ? NULL : &reading->start);
}

static void
keep(struct arena *arena, struct dynamo_items *found, const struct item *item, size_t most)
{
	if (found->base == NULL)
		found->base = ARENA_ARRAY(arena, most, struct item);
	found->base[found->count++] = *item;
}

static void
finish_query(struct talk *talk, struct reading *reading)
{
	struct read *read = reading->read;

	read->found = reading->found.base;
	read->found_count = reading->found.count;
	if (read->found_count > read->query.limit) {
		read->found_count = read->query.limit;
		read->next = cursor_key_write(
		    talk->call->arena, &read->query, &read->found[read->found_count - 1]);
	}
}

static enum turn
hear_query(struct talk *talk, struct str answer)
{
	struct reading *reading = talk->about;
	const struct query *query = &reading->read->query;
	struct dynamo_response response;

	if (!understand(talk, answer, &response))
		return TURN_END;
	for (size_t i = 0; i < response.items.count && reading->found.count <= query->limit; i++) {
		const struct item *item = &response.items.base[i];

		if (!item_expired(item, reading->now))
			keep(talk->call->arena, &reading->found, item, query->limit + 1);
	}
	if (response.last == NULL || reading->found.count > query->limit) {
		finish_query(talk, reading);
		return TURN_END;
	}
	reading->start = (struct cursor_key){
	    .key = item_key(response.last),
	    .place = item_string(response.last, table_sk_name(query->index)),
	};
	talk->body = query_rest(talk->db, talk->call->arena, reading, false);
	return TURN_NEXT;
}

/* --- All together --------------------------------------------------------------------------------- */

static enum table_rc
begin(struct dynamo *db, struct table_call *call, struct read *read, int64_t now, struct talk *talk)
{
	struct reading *reading = ARENA_NEW(call->arena, struct reading);
	struct str table = db->config.table;

	*reading = (struct reading){.read = read, .now = now};
	*talk = (struct talk){.service = DYNAMO_ITEMS, .about = reading};
	switch (read->kind) {
	case READ_GET:
		talk->operation = "GetItem";
		talk->hear = hear_get;
		talk->body = dynamo_request_get(call->arena, table, read);
		return TABLE_OK;
	case READ_BATCH:
		begin_batch(call->arena, reading);
		talk->operation = "BatchGetItem";
		talk->hear = hear_batch;
		talk->body = dynamo_request_batch(call->arena, table, read, reading->wanted);
		return TABLE_OK;
	case READ_QUERY:
		if (read->query.cursor.len > 0 && !cursor_key_read(&read->query, &reading->start))
			return TABLE_BAD_CURSOR;
		talk->operation = "Query";
		talk->hear = hear_query;
		talk->body = query_rest(db, call->arena, reading, read->query.cursor.len == 0);
		return TABLE_OK;
	}
	return TABLE_INVALID;
}

enum table_rc
dynamo_read_at(
    struct dynamo *db, struct table_call *call, struct read *reads, size_t count, int64_t now)
{
	struct talk *talks = ARENA_ARRAY(call->arena, count, struct talk);

	for (size_t i = 0; i < count; i++) {
		enum table_rc rc = begin(db, call, &reads[i], now, &talks[i]);

		if (rc != TABLE_OK)
			return rc;
	}
	return dynamo_talk(db, call, talks, count);
}

enum table_rc
dynamo_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct dynamo *db = (struct dynamo *)table;
	int64_t now = clock_now(table->clock);

	return dynamo_gather_takes(call, reads, count) ? dynamo_gather_read(db, call, reads, count, now)
						       : dynamo_read_at(db, call, reads, count, now);
}

/* --- The walk --------------------------------------------------------------------------------------- */

/* The walk's cursor is that of a query of the table whose partition is the item's own. */
static const struct query walk_query = {.index = TABLE_PRIMARY};

static bool
walk_cursor_read(struct str cursor, struct key *key)
{
	struct query query = walk_query;
	struct cursor_key at;
	size_t pk_len;

	if (cursor.len < 3)
		return false;
	pk_len = (size_t)(unsigned char)cursor.base[1] << 8 | (unsigned char)cursor.base[2];
	query.partition = str_sub(cursor, 3, pk_len);
	query.cursor = cursor;
	if (!cursor_key_read(&query, &at))
		return false;
	*key = at.key;
	return true;
}

static enum turn
hear_walk(struct talk *talk, struct str answer)
{
	struct walk_page *page = talk->about;
	struct dynamo_response response;

	if (!understand(talk, answer, &response))
		return TURN_END;
	page->items = response.items.base;
	page->count = response.items.count;
	if (response.last != NULL)
		page->next = cursor_key_write(talk->call->arena, &walk_query, response.last);
	return TURN_END;
}

enum table_rc
dynamo_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct dynamo *db = (struct dynamo *)table;
	struct key start;
	struct talk talk = {.operation = "Scan", .hear = hear_walk, .about = page};

	if (cursor.len > 0 && !walk_cursor_read(cursor, &start))
		return TABLE_BAD_CURSOR;
	talk.body = dynamo_request_scan(
	    call->arena, db->config.table, limit, cursor.len > 0 ? &start : NULL);
	return dynamo_talk(db, call, &talk, 1);
}
