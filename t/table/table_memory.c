/*
 * The items lie in one array sorted by key, the changes in one array in the order in which they
 * happened, the tokens in a third. A read looks at every item. A query's cursor is the query as text
 * and behind it the place of the last item; the stream's and the walk's are counts.
 */
#include "table_memory.h"

#include "base/arena.h"
#include "base/clock.h"
#include "memory_rules.h"
#include "spell.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct used_token {
	struct str token;
	struct str actions; /* as text */
	int64_t time;
};

struct memory {
	struct table table;
	pthread_mutex_t lock;
	struct arena *arena;
	struct item **items;
	size_t count;
	struct change_record *records;
	size_t record_count;
	struct used_token *tokens;
	size_t token_count;
};

/* An item's place in an index. Equal sort keys are told apart by the item's own key. */
struct place {
	struct str sort;
	struct key key;
	struct item *item;
};

static struct memory *
lock(struct table *table)
{
	struct memory *memory = (struct memory *)table;

	pthread_mutex_lock(&memory->lock);
	return memory;
}

static enum table_rc
unlock(struct memory *memory, enum table_rc rc)
{
	pthread_mutex_unlock(&memory->lock);
	return rc;
}

static bool
late(struct memory *memory, struct table_call *call)
{
	return call->deadline != 0 && clock_monotonic(memory->table.clock) >= call->deadline;
}

static int64_t
now(struct memory *memory)
{
	return clock_now(memory->table.clock);
}

/* --- Items ---------------------------------------------------------------------------------- */

static int
key_cmp(struct key a, struct key b)
{
	int order = str_cmp(a.pk, b.pk);

	return order != 0 ? order : str_cmp(a.sk, b.sk);
}

/* Where the item is or would be. */
static size_t
find(struct memory *memory, struct key key, bool *there)
{
	size_t low = 0, high = memory->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (key_cmp(item_key(memory->items[middle]), key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*there = low < memory->count && key_cmp(item_key(memory->items[low]), key) == 0;
	return low;
}

static struct item *
stored(struct memory *memory, struct key key)
{
	bool there;
	size_t at = find(memory, key, &there);

	return there ? memory->items[at] : NULL;
}

static struct item *
copy(struct arena *arena, const struct item *item)
{
	struct item *out;

	if (item == NULL)
		return NULL;
	out = ARENA_NEW(arena, struct item);
	*out = item_copy(arena, item);
	return out;
}

/* A larger array, in steps of powers of two. */
static void *
room(struct arena *arena, void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return array;
	return arena_grow(arena, array, count * size, (count == 0 ? 1 : count * 2) * size);
}

/* Makes `new` (in the memory's arena; NULL: nothing) what the table has under the key. */
static void
store(struct memory *memory, struct key key, struct item *new, bool expired)
{
	bool there;
	size_t at = find(memory, key, &there);
	struct item *old = there ? memory->items[at] : NULL;
	struct change_record record = {
	    .old = old, .new = new, .time = now(memory), .expired = expired};

	if (old == NULL && new == NULL)
		return;
	if (old != NULL && new != NULL && item_eq(old, new))
		return;
	record.kind = old == NULL ? CHANGE_INSERT : new == NULL ? CHANGE_DELETED : CHANGE_MODIFY;
	record.key = item_key(new != NULL ? new : old);
	memory->records =
	    room(memory->arena, memory->records, memory->record_count, sizeof(memory->records[0]));
	memory->records[memory->record_count++] = record;
	if (new == NULL) {
		memory->count--;
		memmove(&memory->items[at], &memory->items[at + 1],
		    (memory->count - at) * sizeof(memory->items[0]));
		return;
	}
	if (old == NULL) {
		memory->items =
		    room(memory->arena, memory->items, memory->count, sizeof(memory->items[0]));
		memmove(&memory->items[at + 1], &memory->items[at],
		    (memory->count - at) * sizeof(memory->items[0]));
		memory->count++;
	}
	memory->items[at] = new;
}

/* --- Reads ---------------------------------------------------------------------------------- */

static struct item *
seen(struct memory *memory, struct table_call *call, struct key key)
{
	struct item *item = stored(memory, key);

	if (item == NULL || rule_expired(item, now(memory)))
		return NULL;
	return copy(call->arena, item);
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

static void
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

static bool
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

/* The place that the cursor names; false when it is none, or another query's. */
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
		    rule_expired(item, now(memory)))
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

static enum table_rc
memory_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct memory *memory = lock(table);
	enum table_rc rc = late(memory, call) ? TABLE_DEADLINE : TABLE_OK;

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
	return unlock(memory, rc);
}

/* --- Writes --------------------------------------------------------------------------------- */

/* What a write would make of the table. */
struct plan {
	struct key key;
	struct item *old, *new; /* in the memory's arena */
	bool writes;
};

/* Decides on one write without changing anything; its rc and `failed` are filled. */
static enum table_rc
plan(struct memory *memory, struct table_call *call, struct write *write, struct plan *plan)
{
	struct item updated;

	*plan = (struct plan){.key = write->key, .writes = write->kind != WRITE_CHECK};
	if (write->kind == WRITE_PUT)
		plan->key = item_key(&write->item);
	plan->old = stored(memory, plan->key);
	write->rc = TABLE_OK;
	write->returned = write->failed = NULL;
	if (!rule_holds(write->condition, plan->old)) {
		write->failed = copy(call->arena, plan->old);
		return write->rc = TABLE_CONDITION;
	}
	if (write->kind == WRITE_PUT)
		plan->new = copy(memory->arena, &write->item);
	if (write->kind == WRITE_UPDATE) {
		write->rc = rule_update(call->arena, plan->old, write, &updated, &call->why);
		if (write->rc == TABLE_OK)
			plan->new = copy(memory->arena, &updated);
	}
	return write->rc;
}

static enum table_rc
memory_write(struct table *table, struct table_call *call, struct write *write)
{
	struct memory *memory = lock(table);
	struct plan change;
	enum table_rc rc;

	if (late(memory, call))
		return unlock(memory, TABLE_DEADLINE);
	rc = plan(memory, call, write, &change);
	if (rc != TABLE_OK)
		return unlock(memory, rc);
	store(memory, change.key, change.new, false);
	if (write->returns == RETURN_OLD)
		write->returned = copy(call->arena, change.old);
	if (write->returns == RETURN_NEW)
		write->returned = copy(call->arena, change.new);
	return unlock(memory, TABLE_OK);
}

static struct used_token *
token_of(struct memory *memory, struct str token)
{
	for (size_t i = memory->token_count; i-- > 0;)
		if (str_eq(memory->tokens[i].token, token) &&
		    now(memory) - memory->tokens[i].time < TABLE_TOKEN_SECONDS * INT64_C(1000))
			return &memory->tokens[i];
	return NULL;
}

static void
remember_token(struct memory *memory, struct str token, struct str actions)
{
	memory->tokens =
	    room(memory->arena, memory->tokens, memory->token_count, sizeof(memory->tokens[0]));
	memory->tokens[memory->token_count++] = (struct used_token){
	    str_dup(memory->arena, token), str_dup(memory->arena, actions), now(memory)};
}

static enum table_rc
transact(struct memory *memory, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct plan *plans = ARENA_ARRAY(call->arena, count, struct plan);
	struct used_token *used = token.len != 0 ? token_of(memory, token) : NULL;
	struct buf actions = {.arena = call->arena};
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; token.len != 0 && i < count; i++) {
		spell_write(&actions, &writes[i]);
		buf_putc(&actions, '\n');
	}
	for (size_t i = 0; i < count; i++)
		writes[i].rc = TABLE_OK;
	if (used != NULL)
		return str_eq(used->actions, buf_str(&actions)) ? TABLE_OK : TABLE_TOKEN_USED;
	for (size_t i = 0; i < count; i++)
		if (plan(memory, call, &writes[i], &plans[i]) != TABLE_OK)
			rc = TABLE_CANCELLED;
	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < count; i++)
		if (plans[i].writes)
			store(memory, plans[i].key, plans[i].new, false);
	if (token.len != 0)
		remember_token(memory, token, buf_str(&actions));
	return TABLE_OK;
}

static enum table_rc
memory_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct memory *memory = lock(table);

	if (late(memory, call))
		return unlock(memory, TABLE_DEADLINE);
	return unlock(memory, transact(memory, call, writes, count, token));
}

/* --- The stream, the walk, the sweep ---------------------------------------------------------- */

/* A place in a list of `end`; false for what is none. */
static bool
read_place(struct str cursor, size_t end, size_t *at)
{
	int64_t n;

	if (!str_starts(cursor, STR("m")) || !str_int(str_sub(cursor, 1, cursor.len), &n) ||
	    n < 0 || (uint64_t)n > end)
		return false;
	*at = (size_t)n;
	return true;
}

static enum table_rc
memory_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct memory *memory = lock(table);
	size_t at = 0;

	if (late(memory, call))
		return unlock(memory, TABLE_DEADLINE);
	if (str_eq(position, STREAM_NOW))
		at = memory->record_count;
	else if (!str_eq(position, STREAM_OLDEST) &&
		 !read_place(position, memory->record_count, &at))
		return unlock(memory, TABLE_BAD_CURSOR);
	page->count = memory->record_count - at < limit ? memory->record_count - at : limit;
	page->records = ARENA_ARRAY(call->arena, page->count, struct change_record);
	for (size_t i = 0; i < page->count; i++) {
		struct change_record *record = &page->records[i];

		*record = memory->records[at + i];
		record->old = copy(call->arena, record->old);
		record->new = copy(call->arena, record->new);
		record->key = item_key(record->new != NULL ? record->new : record->old);
	}
	page->next = str_fmt(call->arena, "m%zu", at + page->count);
	return unlock(memory, TABLE_OK);
}

static bool
read_walk_cursor(struct str cursor, struct key *key)
{
	return get_counted(&cursor, &key->pk) && get_counted(&cursor, &key->sk) && cursor.len == 0;
}

static enum table_rc
memory_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct memory *memory = lock(table);
	struct buf next = {.arena = call->arena};
	struct key key;
	size_t at = 0;
	bool there;

	if (late(memory, call))
		return unlock(memory, TABLE_DEADLINE);
	if (cursor.len != 0) {
		if (!read_walk_cursor(cursor, &key))
			return unlock(memory, TABLE_BAD_CURSOR);
		at = find(memory, key, &there);
		at += there ? 1 : 0;
	}
	page->count = memory->count - at < limit ? memory->count - at : limit;
	page->items = ARENA_ARRAY(call->arena, page->count, struct item);
	for (size_t i = 0; i < page->count; i++)
		page->items[i] = item_copy(call->arena, memory->items[at + i]);
	if (at + page->count < memory->count) {
		key = item_key(&page->items[page->count - 1]);
		put_counted(&next, key.pk);
		put_counted(&next, key.sk);
	}
	page->next = buf_str(&next);
	return unlock(memory, TABLE_OK);
}

static enum table_rc
memory_sweep(struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed)
{
	struct memory *memory = lock(table);

	*removed = 0;
	if (late(memory, call))
		return unlock(memory, TABLE_DEADLINE);
	for (size_t i = 0; i < memory->count && *removed < limit;) {
		if (rule_expired(memory->items[i], now(memory))) {
			store(memory, item_key(memory->items[i]), NULL, true);
			++*removed;
		} else {
			i++;
		}
	}
	return unlock(memory, TABLE_OK);
}

static uint64_t
memory_version(struct table *table)
{
	struct memory *memory = lock(table);
	uint64_t version = memory->record_count + 1;

	unlock(memory, TABLE_OK);
	return version;
}

static void
memory_close(struct table *table)
{
	struct memory *memory = (struct memory *)table;

	pthread_mutex_destroy(&memory->lock);
	arena_free(memory->arena);
	free(memory);
}

static const struct table_engine memory_engine = {
    .name = "memory",
    .deadline_ms = 1000,
    .read = memory_read,
    .write = memory_write,
    .transact = memory_transact,
    .changes = memory_changes,
    .walk = memory_walk,
    .sweep = memory_sweep,
    .version = memory_version,
    .close = memory_close,
};

struct table *
table_memory_open(struct clock *clock)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	if (memory == NULL)
		out_of_memory();
	memory->table = (struct table){&memory_engine, clock};
	memory->arena = arena_new();
	pthread_mutex_init(&memory->lock, NULL);
	return &memory->table;
}
