#include "model/plan.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/post/count.h"

#include <string.h>

enum { TRIES = 6, AT_FIRST = 8 };

struct planned {
	struct write write;
	enum plan_rc refusal;
	const struct write *otherwise; /* in its place if its condition is false; NULL: nothing */
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
	plan->planned[plan->count++] = (struct planned){.write = write, .refusal = refusal};
}

void
plan_add_either(
    struct plan *plan, struct write write, struct write otherwise, enum plan_rc refusal)
{
	struct write *second = ARENA_NEW(plan->call->arena, struct write);
	size_t at = plan->count;

	*second = otherwise;
	plan_add(plan, write, refusal);
	if (plan->count > at)
		plan->planned[at].otherwise = second;
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

/* An item with counters, and how they change. */
struct recount {
	const struct item_counter *counter;
	struct change *changes;
	size_t count;
};

struct recounts {
	struct recount *items;
	size_t count;
};

static struct item_counters
counters_of(struct arena *arena, const struct item *item)
{
	const struct kind *kind = item != NULL ? kind_of(item) : NULL;

	return kind != NULL ? kind->counted(arena, item) : (struct item_counters){.count = 0};
}

static void
add_number(struct recount *in, struct str name, int64_t by)
{
	for (size_t i = 0; i < in->count; i++)
		if (str_eq(in->changes[i].name, name)) {
			in->changes[i].value.number += by;
			return;
		}
	in->changes[in->count++] = (struct change){CHANGE_ADD, name, value_number(by)};
}

static bool
is_same_counter(const struct item_counter *a, const struct item_counter *b)
{
	return str_eq(a->key.pk, b->key.pk) && str_eq(a->key.sk, b->key.sk);
}

static void
add_counters(struct arena *arena, struct recounts *all, const struct item_counters *counters,
    size_t most, int64_t sign)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct item_counter *c = &counters->counters[i];
		size_t at = 0;

		while (at < all->count && !is_same_counter(all->items[at].counter, c))
			at++;
		if (at == all->count)
			all->items[all->count++] = (struct recount){
			    .counter = c, .changes = ARENA_ARRAY(arena, most, struct change)};
		add_number(&all->items[at], c->name, sign * c->by);
	}
}

void
plan_count_post(struct plan *plan, struct str post, struct str who, struct str counter, int64_t by)
{
	unsigned shard = count_shard(who);

	tally(plan, key_count(plan->call->arena, post, shard), counter, by);
	tally(plan, key_fold(plan->call->arena, post, shard), STR("Changes"), 1);
}

static void
recount_one(struct plan *plan, struct recount *in)
{
	size_t kept = 0;

	for (size_t i = 0; i < in->count; i++)
		if (in->changes[i].value.number != 0)
			in->changes[kept++] = in->changes[i];
	in->count = kept;
	if (kept == 0)
		return;
	/*
	 * An older vote on a comment: whoever changes it updates its counter
	 * (model/reader/comment_vote.c).
	 */
	if (in->counter->index != TABLE_PRIMARY)
		return;
	for (size_t i = 0; i < in->count && in->counter->post.len != 0; i++)
		plan_count_post(plan, in->counter->post, in->counter->who, in->changes[i].name,
		    in->changes[i].value.number);
	if (in->counter->post.len != 0)
		return;
	if (in->counter->marks.len != 0)
		tally(plan,
		    key_fold(plan->call->arena, in->counter->marks, count_shard(in->counter->who)),
		    STR("Changes"), 1);
	if (in->counter->makes) {
		for (size_t i = 0; i < in->count; i++)
			tally(plan, in->counter->key, in->changes[i].name,
			    in->changes[i].value.number);
		return;
	}
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = in->counter->key,
		.changes = in->changes,
		.change_count = in->count,
		.condition = &plan_present},
	    PLAN_DONE);
}

void
plan_recount(struct plan *plan, const struct item *was, const struct item *is)
{
	struct arena *arena = plan->call->arena;
	const struct item_counters before = counters_of(arena, was), after = counters_of(arena, is);
	size_t most = before.count + after.count;
	struct recounts all = {ARENA_ARRAY(arena, most, struct recount), 0};

	add_counters(arena, &all, &before, most, -1);
	add_counters(arena, &all, &after, most, 1);
	for (size_t i = 0; i < all.count; i++)
		recount_one(plan, &all.items[i]);
}

/* What counts an item depends on these of its attributes: they are as they were read. */
static const struct condition *
counts_as_read(struct arena *arena, const struct item *item)
{
	static const struct str names[] = {
	    STR_INIT("Feeling"), STR_INIT("Stars"), STR_INIT("Status"), STR_INIT("Value")};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	struct condition *each = ARENA_ARRAY(arena, NAMES + 1, struct condition);
	struct condition *all = ARENA_NEW(arena, struct condition);
	size_t count = 0;

	each[count++] = plan_present;
	for (size_t i = 0; i < NAMES; i++) {
		const struct value *value = item_get(item, names[i]);

		if (value != NULL)
			each[count++] = (struct condition){
			    .op = COND_EQ, .name = names[i], .value = *value};
	}
	*all = (struct condition){.op = COND_ALL, .children = each, .count = count};
	return all;
}

void
plan_drop(struct plan *plan, const struct item *item)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = item_key(item),
		.condition = counts_as_read(plan->call->arena, item)},
	    PLAN_CHANGED);
	plan_recount(plan, item, NULL);
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
 * ones, or with those in their place, a retry is worthwhile.
 */
static enum plan_rc
blame(struct plan *plan)
{
	size_t kept = 0;
	bool again = false;

	for (size_t i = 0; i < plan->count; i++) {
		const struct planned *p = &plan->planned[i];

		if (p->write.rc == TABLE_CONDITION && p->refusal != PLAN_DONE &&
		    p->otherwise == NULL) {
			plan->found = p->write.failed;
			return p->refusal;
		}
	}
	for (size_t i = 0; i < plan->count; i++) {
		enum table_rc rc = plan->planned[i].write.rc;

		again = again || rc == TABLE_CONDITION || rc == TABLE_CONFLICT;
		if (rc != TABLE_CONDITION)
			plan->planned[kept++] = plan->planned[i];
		else if (plan->planned[i].otherwise != NULL)
			plan->planned[kept++] = (struct planned){
			    .write = *plan->planned[i].otherwise,
			    .refusal = plan->planned[i].refusal};
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

/* Tells what was counted of posts. */
static void
tell_counted(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct write *write = &plan->planned[i].write;

		if (write->kind != WRITE_UPDATE ||
		    kind_of_key(write->key) != &item_kinds[ITEM_COUNT])
			continue;
		for (size_t n = 0; n < write->change_count; n++)
			if (write->changes[n].op == CHANGE_ADD)
				plan->counted(plan->counted_for, write->changes[n].name,
				    write->changes[n].value.number);
	}
}

enum plan_rc
plan_commit(struct plan *plan)
{
	plan->rc = commit(plan);
	if (plan->rc == PLAN_DONE && plan->counted != NULL)
		tell_counted(plan);
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

struct write
plan_difference(struct arena *arena, struct key key, const struct item *from, const struct item *to)
{
	struct change *changes = ARENA_ARRAY(arena, from->count + to->count, struct change);
	struct write update = {.kind = WRITE_UPDATE, .key = key, .changes = changes};
	size_t f = 0, t = 0, count = 0;

	/* Both are sorted by name. */
	while (f < from->count || t < to->count) {
		const struct attribute *a = f < from->count ? &from->attributes[f] : NULL;
		const struct attribute *b = t < to->count ? &to->attributes[t] : NULL;
		int order = a == NULL ? 1 : b == NULL ? -1 : str_cmp(a->name, b->name);

		if (order < 0)
			changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = a->name};
		else if (order > 0 || !value_eq(&a->value, &b->value))
			changes[count++] = (struct change){CHANGE_SET, b->name, b->value};
		f += order <= 0;
		t += order >= 0;
	}
	update.change_count = count;
	return update;
}
