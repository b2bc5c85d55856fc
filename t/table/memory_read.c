/* Gets and queries of the table in memory. */
#include "memory_private.h"

#include "base/arena.h"
#include "base/clock.h"
#include "memory_rules.h"
#include "spell.h"

#include <stdlib.h>

/* An item's place in an index. Equal sort keys are told apart by the item's own key. */
struct place {
	struct str sort;
	struct key key;
	struct item *item;
};

static struct item *
seen(struct memory *memory, struct table_call *call, struct key key)
{
	struct item *item = memory_stored(memory, key);

	if (item == NULL || rule_expired(item, memory_now(memory)))
		return NULL;
	return memory_copy(call->arena, item);
}

static int
place_cmp(const struct place *a, const struct place *b)
{
	int order = str_cmp(a->sort, b->sort);

	return order != 0 ? order : key_cmp(a->key, b->key);
}

static int
by_place(const void *a, const void *b)
{
	return place_cmp(a, b);
}

void
put_counted(struct buf *out, struct str s)
{
	buf_fmt(out, "%zu:", s.len);
	buf_put(out, s);
}

static struct str
make_cursor(struct arena *arena, const struct query *query, const struct place *last)
{
	struct buf out = {.arena = arena};

	spell_query(&out, query);
	BUF_PUT(&out, " behind ");
	put_counted(&out, last->sort);
	put_counted(&out, last->key.pk);
	put_counted(&out, last->key.sk);
	return buf_str(&out);
}

bool
get_counted(struct str *from, struct str *out)
{
	struct str rest, digits = str_cut(*from, ':', &rest);
	int64_t len;

	if (!str_int(digits, &len) || len < 0 || (size_t)len > rest.len)
		return false;
	*out = str_sub(rest, 0, (size_t)len);
	*from = str_sub(rest, (size_t)len, rest.len);
	return true;
}

/* The place that the cursor names; false for an invalid cursor, or another query's. */
static bool
read_cursor(struct arena *arena, const struct query *query, struct place *last)
{
	struct buf prefix = {.arena = arena};
	struct str rest;

	spell_query(&prefix, query);
	BUF_PUT(&prefix, " behind ");
	if (!str_starts(query->cursor, buf_str(&prefix)))
		return false;
	rest = str_sub(query->cursor, prefix.len, query->cursor.len);
	return get_counted(&rest, &last->sort) && get_counted(&rest, &last->key.pk) &&
	       get_counted(&rest, &last->key.sk) && rest.len == 0;
}

/* All that the query means, in its order, without regard to limit and cursor. */
static struct place *
matches(struct memory *memory, struct arena *arena, const struct query *query, size_t *count)
{
	struct place *places = ARENA_ARRAY(arena, memory->count, struct place);

	*count = 0;
	for (size_t i = 0; i < memory->count; i++) {
		struct item *item = memory->items[i];
		struct str partition, sort;

		if (!rule_in_index(item, query->index, &partition, &sort) ||
		    !str_eq(partition, query->partition) || !rule_matches(query, sort) ||
		    rule_expired(item, memory_now(memory)))
			continue;
		places[(*count)++] = (struct place){sort, item_key(item), item};
	}
	if (*count != 0)
		qsort(places, *count, sizeof(places[0]), by_place);
	for (size_t i = 0; query->descending && i < *count / 2; i++) {
		struct place other = places[i];

		places[i] = places[*count - 1 - i];
		places[*count - 1 - i] = other;
	}
	return places;
}

static enum table_rc
query(struct memory *memory, struct table_call *call, struct read *read)
{
	const struct query *query = &read->query;
	size_t count, from = 0;
	struct place *places = matches(memory, call->arena, query, &count), last;

	if (query->cursor.len != 0) {
		if (!read_cursor(call->arena, query, &last))
			return TABLE_BAD_CURSOR;
		while (from < count && (query->descending ? place_cmp(&places[from], &last) >= 0
							  : place_cmp(&places[from], &last) <= 0))
			from++;
	}
	read->found_count = count - from < query->limit ? count - from : query->limit;
	read->found = ARENA_ARRAY(call->arena, read->found_count, struct item);
	for (size_t i = 0; i < read->found_count; i++)
		read->found[i] = item_copy(call->arena, places[from + i].item);
	read->next = STR("");
	if (from + read->found_count < count)
		read->next = make_cursor(call->arena, query, &places[from + read->found_count - 1]);
	return TABLE_OK;
}

enum table_rc
memory_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct memory *memory = memory_lock(table);
	enum table_rc rc = memory_late(memory, call) ? TABLE_DEADLINE : TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct read *read = &reads[i];

		switch (read->kind) {
		case READ_GET: read->item = seen(memory, call, read->key); break;
		case READ_BATCH:
			read->items = ARENA_ARRAY(call->arena, read->batch.count, struct item *);
			for (size_t k = 0; k < read->batch.count; k++)
				read->items[k] = seen(memory, call, read->batch.keys[k]);
			break;
		case READ_QUERY: rc = query(memory, call, read); break;
		}
	}
	return memory_unlock(memory, rc);
}
