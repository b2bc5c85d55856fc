#include "model/plan.h"

#include "base/arena.h"
#include "model/kinds.h"

#include <assert.h>
#include <string.h>

enum { TRIES = 6, AT_FIRST = 8 };

struct planned {
	struct write write;
	enum plan_rc refusal;
};

const struct condition plan_present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
const struct condition plan_absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

/* --- Collecting --------------------------------------------------------------------------------------- */

static void
make_room(struct plan *plan)
{
	struct planned *more;

	if (plan->count < plan->capacity)
		return;
	plan->capacity = 2 * plan->capacity + AT_FIRST;
	more = ARENA_ARRAY(plan->call->arena, plan->capacity, struct planned);
	if (plan->count != 0)
		memcpy(more, plan->planned, plan->count * sizeof(*more));
	plan->planned = more;
}

void
plan_add(struct plan *plan, struct write write, enum plan_rc refusal)
{
	if (plan->count == TABLE_BATCH_MAX ||
	    (write.kind == WRITE_PUT && item_size(&write.item) > ITEM_SIZE_MAX)) {
		plan->too_long = true;
		return;
	}
	make_room(plan);
	plan->planned[plan->count++] = (struct planned){write, refusal};
}

void
plan_put(struct plan *plan, struct item item)
{
	plan_add(plan, (struct write){.kind = WRITE_PUT, .item = item}, PLAN_CHANGED);
}

void
plan_create(struct plan *plan, struct item item, enum plan_rc refusal)
{
	plan_add(plan, (struct write){.kind = WRITE_PUT, .item = item, .condition = &plan_absent},
	    refusal);
}

void
plan_count(struct plan *plan, struct key key, struct str counter, int64_t by, enum plan_rc refusal)
{
	struct change *change = ARENA_NEW(plan->call->arena, struct change);

	*change = (struct change){CHANGE_ADD, counter, value_number(by)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key,
		.changes = change,
		.change_count = 1,
		.condition = &plan_present},
	    refusal);
}

/* The write that adds to this item already, or NULL. */
static struct write *
tally_of(struct plan *plan, struct key key)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct write *write = &plan->planned[i].write;

		if (write->kind == WRITE_UPDATE && str_eq(write->key.pk, key.pk) &&
		    str_eq(write->key.sk, key.sk))
			return write;
	}
	return NULL;
}

/*
 * Adds to a counter of an item that is created by its first count. Several counters of one item are
 * one write.
 */
static void
tally(struct plan *plan, struct key key, struct str counter, int64_t by)
{
	struct write *before = tally_of(plan, key);
	size_t count = before != NULL ? before->change_count : 0;
	struct change *changes = ARENA_ARRAY(plan->call->arena, count + 2, struct change);

	for (size_t i = 0; i < count; i++)
		changes[i] = before->changes[i];
	for (size_t i = 0; i < count; i++)
		if (str_eq(changes[i].name, counter)) {
			changes[i].value.number += by;
			before->changes = changes;
			return;
		}
	if (before == NULL)
		changes[count++] =
		    (struct change){CHANGE_SET, STR("Type"), value_string(kind_of_key(key)->type)};
	changes[count++] = (struct change){CHANGE_ADD, counter, value_number(by)};
	if (before == NULL) {
		plan_add(plan,
		    (struct write){.kind = WRITE_UPDATE,
			.key = key,
			.changes = changes,
			.change_count = count},
		    PLAN_CHANGED);
		return;
	}
	before->changes = changes;
	before->change_count = count;
}

void
plan_count_item(struct plan *plan, const struct item *item, int64_t times, enum plan_rc refusal)
{
	const struct kind *kind = kind_of(item);
	struct item_counters all = {.count = 0};

	if (kind != NULL)
		all = kind->counted(plan->call->arena, item);
	for (size_t i = 0; i < all.count; i++) {
		const struct item_counter *counter = &all.counters[i];

		assert(counter->index == TABLE_PRIMARY);
		if (counter->makes)
			tally(plan, counter->key, counter->name, times * counter->by);
		else
			plan_count(plan, counter->key, counter->name, times * counter->by, refusal);
	}
}

void
plan_drop(struct plan *plan, const struct item *item)
{
	const struct value *status = item_get(item, STR("Status"));
	struct condition *as_read = ARENA_NEW(plan->call->arena, struct condition);

	*as_read = plan_present;
	if (status != NULL)
		*as_read =
		    (struct condition){.op = COND_EQ, .name = STR("Status"), .value = *status};
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE, .key = item_key(item), .condition = as_read},
	    PLAN_CHANGED);
	plan_count_item(plan, item, -1, PLAN_DONE);
}

/* --- Doing it ----------------------------------------------------------------------------------------- */

enum plan_rc
plan_failed(struct plan *plan, enum table_rc rc)
{
	plan->failed = rc;
	return rc == TABLE_OK ? PLAN_DONE : PLAN_TABLE;
}

static enum table_rc
try(struct plan *plan)
{
	struct write *writes = ARENA_ARRAY(plan->call->arena, plan->count, struct write);
	enum table_rc rc;

	for (size_t i = 0; i < plan->count; i++)
		writes[i] = plan->planned[i].write;
	/* A single write needs no transaction. */
	if (plan->count == 1 && writes[0].kind != WRITE_CHECK) {
		rc = table_write(plan->table, plan->call, &writes[0]);
		writes[0].rc = rc;
		rc = rc == TABLE_CONDITION ? TABLE_CANCELLED : rc;
	} else {
		rc = table_transact(plan->table, plan->call, writes, plan->count, STR(""));
	}
	for (size_t i = 0; i < plan->count; i++)
		plan->planned[i].write = writes[i];
	return rc;
}

/*
 * Which write was refused, as its plan_rc. PLAN_DONE: none that matters, so without the optional
 * ones a retry is worthwhile.
 */
static enum plan_rc
blame(struct plan *plan)
{
	size_t kept = 0;
	bool again = false;

	for (size_t i = 0; i < plan->count; i++) {
		const struct planned *p = &plan->planned[i];

		if (p->write.rc == TABLE_CONDITION && p->refusal != PLAN_DONE) {
			plan->found = p->write.failed;
			return p->refusal;
		}
	}
	for (size_t i = 0; i < plan->count; i++) {
		enum table_rc rc = plan->planned[i].write.rc;

		again = again || rc == TABLE_CONDITION || rc == TABLE_CONFLICT;
		if (rc != TABLE_CONDITION)
			plan->planned[kept++] = plan->planned[i];
	}
	plan->count = kept;
	return again ? PLAN_DONE : PLAN_CHANGED;
}

static enum plan_rc
commit(struct plan *plan)
{
	enum table_rc rc = TABLE_CONFLICT;

	if (plan->too_long)
		return PLAN_TOO_LONG;
	for (int i = 0; i < TRIES && rc == TABLE_CONFLICT && plan->count != 0; i++) {
		rc = try(plan);
		if (rc == TABLE_CANCELLED) {
			enum plan_rc whose = blame(plan);

			if (whose != PLAN_DONE)
				return whose;
			rc = TABLE_CONFLICT;
		}
	}
	return plan_failed(plan, plan->count != 0 ? rc : TABLE_OK);
}

enum plan_rc
plan_commit(struct plan *plan)
{
	plan->rc = commit(plan);
	/* The plan may be copied or live on after the arena of its writes. */
	plan->planned = NULL;
	plan->count = plan->capacity = 0;
	plan->too_long = false;
	return plan->rc;
}

struct change
plan_text(struct str name, struct str text)
{
	return (struct change){
	    text.len != 0 ? CHANGE_SET : CHANGE_REMOVE, name, value_string(text)};
}
