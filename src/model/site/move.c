#include "model/site/move.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_work.h"
#include "model/kinds.h"

static const struct binding bindings[] = {
    BIND_BOOLEAN(RECORDED, "Complete", struct move, complete),
    BIND_STRING(RECORDED, "Holder", struct move, holder),
    BIND_STRING(RECORDED, "Other", struct move, other),
    BIND_STRING(RECORDED, "Position", struct move, position),
    BIND_STRING(RECORDED, "State", struct move, state),
    BIND_TIME(RECORDED, "UpdatedAt", struct move, updated),
};
const struct binding_table move_bindings = BINDINGS(bindings);

enum table_rc
move_get(struct table *table, struct table_call *call, struct move *out)
{
	struct read read = {.kind = READ_GET, .key = key_move(), .consistent = true};
	enum table_rc rc = table_read(table, call, &read, 1);
	const struct value *cursor;

	*out = (struct move){0};
	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	bind_read(call->arena, &move_bindings, read.item, out);
	cursor = item_get(read.item, STR("Cursor"));
	if (cursor != NULL && cursor->kind == VALUE_BINARY)
		out->cursor = cursor->string;
	return TABLE_OK;
}

static enum table_rc
past_fence(struct table *table, struct table_call *call, struct write *write)
{
	enum table_rc rc;

	call->past_fence = true;
	rc = table_write(table, call, write);
	call->past_fence = false;
	return rc;
}

/* `until` is 0 for good, else in milliseconds. */
static enum table_rc
put(struct table *table, struct table_call *call, const struct move *move, int64_t until,
    const struct condition *condition)
{
	struct write write = {.kind = WRITE_PUT, .condition = condition};

	key_set(call->arena, &write.item, key_move(), ITEM_TABLE_MOVE);
	bind_write(call->arena, &move_bindings, move, &write.item);
	if (move->cursor.len != 0)
		item_set(call->arena, &write.item, STR("Cursor"), value_binary(move->cursor));
	if (until != 0)
		item_set(call->arena, &write.item, TABLE_EXPIRES, value_number(until / 1000));
	return past_fence(table, call, &write);
}

static struct condition
state_is(struct str state)
{
	return (struct condition){COND_EQ, .name = STR("State"), .value = value_string(state)};
}

static struct condition
holder_is(struct str holder)
{
	return (struct condition){COND_EQ, .name = STR("Holder"), .value = value_string(holder)};
}

/* --- The copy ----------------------------------------------------------------------------------------- */

static const struct condition *
is_ours(struct arena *arena, struct str state, struct str holder)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	all[0] = (struct condition){COND_ALL, .children = all + 1, .count = 2};
	all[1] = state_is(state);
	all[2] = holder_is(holder);
	return all;
}

struct write
move_guard(struct arena *arena, struct str holder)
{
	return (struct write){.kind = WRITE_CHECK,
	    .key = key_move(),
	    .condition = is_ours(arena, MOVE_COPY, holder)};
}

enum table_rc
move_keep(struct table *copy, struct table_call *call, const struct move *move, bool first)
{
	struct move now = *move;

	now.state = MOVE_COPY;
	now.updated = clock_now(copy->clock);
	return put(copy, call, &now, 0, first ? NULL : is_ours(call->arena, MOVE_COPY, move->holder));
}

enum table_rc
move_release(struct table *table, struct table_call *call, struct str holder)
{
	struct write write = {.kind = WRITE_DELETE, .key = key_move()};

	if (holder.len != 0)
		write.condition = is_ours(call->arena, MOVE_COPY, holder);
	return past_fence(table, call, &write);
}

/* --- The source --------------------------------------------------------------------------------------- */

enum table_rc
move_close(struct table *from, struct table_call *call, struct str other, struct str holder)
{
	int64_t now = clock_now(from->clock);
	const struct condition same[] = {
	    state_is(MOVE_CLOSING),
	    {COND_EQ, .name = STR("Other"), .value = value_string(other)},
	};
	/* A process that hands over to the same copy has died, or finds that it is not the one any more. */
	const struct condition any[] = {
	    {COND_MISSING, .name = STR("PK")},
	    {COND_ALL, .children = same, .count = 2},
	    {COND_LT, .name = TABLE_EXPIRES, .value = value_number(now / 1000)},
	};
	const struct condition free = {COND_ANY, .children = any, .count = 3};
	const struct move move = {
	    .state = MOVE_CLOSING, .other = other, .holder = holder, .updated = now};

	return put(from, call, &move, now + MOVE_CLOSED_MS, &free);
}

enum table_rc
move_open(struct table *from, struct table_call *call, struct str holder)
{
	struct write write = {.kind = WRITE_DELETE,
	    .key = key_move(),
	    .condition = is_ours(call->arena, MOVE_CLOSING, holder)};
	enum table_rc rc = past_fence(from, call, &write);

	return rc == TABLE_CONDITION ? TABLE_OK : rc;
}

enum table_rc
move_finish(struct table *from, struct table_call *call, struct str other, struct str holder)
{
	int64_t now = clock_now(from->clock);
	const struct condition all[] = {
	    state_is(MOVE_CLOSING),
	    holder_is(holder),
	    {COND_GT, .name = TABLE_EXPIRES, .value = value_number((now + MOVE_MARGIN_MS) / 1000)},
	};
	const struct condition closed = {COND_ALL, .children = all, .count = 3};
	const struct move move = {.state = MOVE_MOVED, .other = other, .holder = holder, .updated = now};

	return put(from, call, &move, 0, &closed);
}

enum table_rc
move_mark(struct table *from, struct table_call *call, struct str holder)
{
	struct write writes[TABLE_BATCH_MAX];
	int64_t until = clock_now(from->clock) / 1000 + 24 * 60 * 60;
	enum table_rc rc = TABLE_OK;
	size_t count = 0;

	call->past_fence = true;
	for (unsigned n = 0; rc == TABLE_OK && n < MOVE_MARKS; n++) {
		struct write *write = &writes[count++];

		*write = (struct write){.kind = WRITE_PUT};
		key_set(call->arena, &write->item, key_move_mark(call->arena, n, holder), ITEM_MOVE_MARK);
		item_set(call->arena, &write->item, TABLE_EXPIRES, value_number(until));
		if (count == TABLE_BATCH_MAX || n + 1 == MOVE_MARKS) {
			rc = table_transact(from, call, writes, count, STR(""));
			count = 0;
		}
	}
	call->past_fence = false;
	return rc;
}

/* The mark of a load that was interrupted is copied: items are missing in the copy as well. */
bool
move_skips(struct key key)
{
	return key_is_work(key) && kind_of_key(key) != &item_kinds[ITEM_LOADING];
}
