#include "memory_private.h"

#include "base/arena.h"
#include "base/clock.h"
#include "memory_rules.h"
#include "spell.h"

#include <stdlib.h>
#include <string.h>

struct memory *
memory_lock(struct table *table)
{
	struct memory *memory = (struct memory *)table;

	pthread_mutex_lock(&memory->lock);
	return memory;
}

enum table_rc
memory_unlock(struct memory *memory, enum table_rc rc)
{
	pthread_mutex_unlock(&memory->lock);
	return rc;
}

bool
memory_late(struct memory *memory, struct table_call *call)
{
	return call->deadline != 0 && clock_monotonic(memory->table.clock) >= call->deadline;
}

int64_t
memory_now(struct memory *memory)
{
	return clock_now(memory->table.clock);
}

/* --- Items ---------------------------------------------------------------------------------- */

int
key_cmp(struct key a, struct key b)
{
	int order = str_cmp(a.pk, b.pk);

	return order != 0 ? order : str_cmp(a.sk, b.sk);
}

/* Where the item is or would be. */
size_t
memory_find(struct memory *memory, struct key key, bool *there)
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

struct item *
memory_stored(struct memory *memory, struct key key)
{
	bool there;
	size_t at = memory_find(memory, key, &there);

	return there ? memory->items[at] : NULL;
}

struct item *
memory_copy(struct arena *arena, const struct item *item)
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
void
memory_store(struct memory *memory, struct key key, struct item *new, bool expired)
{
	bool there;
	size_t at = memory_find(memory, key, &there);
	struct item *old = there ? memory->items[at] : NULL;
	struct change_record record = {.time = memory_now(memory), .expired = expired};

	if (old == NULL && new == NULL)
		return;
	if (old != NULL && new != NULL && item_eq(old, new))
		return;
	record.kind = old == NULL ? CHANGE_INSERT : new == NULL ? CHANGE_DELETED : CHANGE_MODIFY;
	record.key = item_key(new != NULL ? new : old);
	memory->records =
	    room(memory->arena, memory->records, memory->record_count, sizeof(memory->records[0]));
	memory->records[memory->record_count++] = record;
	memory->seen_count += table_is_seen(&memory->table, record.key);
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
	plan->old = memory_stored(memory, plan->key);
	write->rc = TABLE_OK;
	write->returned = write->failed = NULL;
	if (!rule_holds(write->condition, plan->old)) {
		write->failed = memory_copy(call->arena, plan->old);
		return write->rc = TABLE_CONDITION;
	}
	if (write->kind == WRITE_PUT)
		plan->new = memory_copy(memory->arena, &write->item);
	if (write->kind == WRITE_UPDATE) {
		write->rc = rule_update(call->arena, plan->old, write, &updated, &call->why);
		if (write->rc == TABLE_OK)
			plan->new = memory_copy(memory->arena, &updated);
	}
	return write->rc;
}

static enum table_rc
memory_write(struct table *table, struct table_call *call, struct write *write)
{
	struct memory *memory = memory_lock(table);
	struct plan change;
	enum table_rc rc;

	if (memory_late(memory, call))
		return memory_unlock(memory, TABLE_DEADLINE);
	rc = plan(memory, call, write, &change);
	if (rc != TABLE_OK)
		return memory_unlock(memory, rc);
	memory_store(memory, change.key, change.new, false);
	if (write->returns == RETURN_OLD)
		write->returned = memory_copy(call->arena, change.old);
	if (write->returns == RETURN_NEW)
		write->returned = memory_copy(call->arena, change.new);
	return memory_unlock(memory, TABLE_OK);
}

static struct used_token *
token_of(struct memory *memory, struct str token)
{
	for (size_t i = memory->token_count; i-- > 0;)
		if (str_eq(memory->tokens[i].token, token) &&
		    memory_now(memory) - memory->tokens[i].time <
			TABLE_TOKEN_SECONDS * INT64_C(1000))
			return &memory->tokens[i];
	return NULL;
}

static void
remember_token(struct memory *memory, struct str token, struct str actions)
{
	memory->tokens =
	    room(memory->arena, memory->tokens, memory->token_count, sizeof(memory->tokens[0]));
	memory->tokens[memory->token_count++] = (struct used_token){
	    str_dup(memory->arena, token), str_dup(memory->arena, actions), memory_now(memory)};
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
			memory_store(memory, plans[i].key, plans[i].new, false);
	if (token.len != 0)
		remember_token(memory, token, buf_str(&actions));
	return TABLE_OK;
}

static enum table_rc
memory_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct memory *memory = memory_lock(table);

	if (memory_late(memory, call))
		return memory_unlock(memory, TABLE_DEADLINE);
	return memory_unlock(memory, transact(memory, call, writes, count, token));
}

static uint64_t
memory_version(struct table *table)
{
	struct memory *memory = memory_lock(table);
	uint64_t version = memory->seen_count + 1;

	memory_unlock(memory, TABLE_OK);
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
