/*
 * Whether a follow is counted depends on its Status. So each change has the Status that was read as
 * its condition, and is retried from reading on when that has changed. A follow and a block in the
 * other direction are two items: each transaction that makes one checks the other, so of two at the
 * same time one is refused.
 */
#include "model/reader/follow.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/people/notification.h"
#include "model/people/user.h"
#include "model/reader/hidden.h"

/* How many are approved in one transaction: each is three actions, and their number is one more. */
enum { TRIES = 8, BLOCKS_A_DAY = 100, PART = 30 };

static const char *const statuses[] = {"", "active", "asked", "blocked", NULL};
/* In older tables: a follow of somebody who is muted, which model/reader/hidden.h says now. */
#define WAS_MUTED STR("muted")

enum follow_status
follow_status(const struct item *item)
{
	struct str word = item != NULL ? item_string(item, STR("Status")) : STR("");
	int status = str_eq(word, WAS_MUTED) ? FOLLOW_ACTIVE : choice_of(statuses, word);

	return status < 0 ? FOLLOW_NONE : (enum follow_status)status;
}

bool
follow_counts(enum follow_status status)
{
	return status == FOLLOW_ACTIVE;
}

struct read
follow_read(struct arena *arena, struct str username, struct str followed)
{
	return (struct read){
	    .kind = READ_GET, .key = key_follow(arena, username, followed), .consistent = true};
}

bool
follow_holds(const struct read *answer)
{
	return follow_counts(follow_status(answer->item));
}

struct rate
block_limit(struct str username)
{
	return (struct rate){.what = STR("block"),
	    .who = username,
	    .most = BLOCKS_A_DAY,
	    .window = RATE_DAY_SECONDS};
}

/* --- What is written -------------------------------------------------------------------------------- */

static struct condition *
status_is(struct arena *arena, enum condition_op op, enum follow_status status)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){
	    .op = op, .name = STR("Status"), .value = value_string(str_of(statuses[status]))};
	return condition;
}

/* The item still has that Status, or is still missing. */
static const struct condition *
still(struct arena *arena, const struct item *item)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = plan_absent;
	if (item != NULL)
		*condition = (struct condition){.op = COND_EQ,
		    .name = STR("Status"),
		    .value = value_string(item_string(item, STR("Status")))};
	return condition;
}

static struct item
make(struct plan *plan, struct str to, enum follow_status status)
{
	struct arena *arena = plan->call->arena;
	struct str created = time_format(arena, plan->now);
	struct item item = {.count = 0};

	key_set(arena, &item, key_follow(arena, plan->by, to), ITEM_FOLLOW);
	item_set(arena, &item, STR("Follower"), value_string(plan->by));
	item_set(arena, &item, STR("Followed"), value_string(to));
	item_set(arena, &item, STR("Status"), value_string(str_of(statuses[status])));
	item_set(arena, &item, STR("CreatedAt"), value_string(created));
	if (status == FOLLOW_BLOCKED)
		key_index_block(arena, &item, plan->by, to, created);
	else if (status == FOLLOW_ASKED)
		key_index_follow_request(arena, &item, plan->by, to, created);
	else
		key_index_follower(arena, &item, plan->by, to, created);
	return item;
}

static void
check(struct plan *plan, struct key key, const struct condition *condition, enum plan_rc refusal)
{
	plan_add(
	    plan, (struct write){.kind = WRITE_CHECK, .key = key, .condition = condition}, refusal);
}

/* They still exist, and are as private as they were. */
static void
check_person(struct plan *plan, const struct user *person)
{
	struct arena *arena = plan->call->arena;
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *as_read = ARENA_NEW(arena, struct condition);

	both[0] = (struct condition){.op = COND_EQ,
	    .name = STR("Status"),
	    .value = value_string(str_of(user_status_name(USER_ACTIVE)))};
	both[1] = (struct condition){.op = person->is_private ? COND_EQ : COND_NE,
	    .name = STR("Private"),
	    .value = value_boolean(true)};
	*as_read = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	check(plan, key_user(arena, person->username), as_read, PLAN_CHANGED);
}

/* --- Actions ---------------------------------------------------------------------------------- */

/* A request becomes a follow, with the time of the request. */
static void
add_approval(struct plan *plan, const struct item *asked)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);
	struct item item = item_shallow(arena, asked);

	item_set(arena, &item, STR("Status"), value_string(str_of(statuses[FOLLOW_ACTIVE])));
	key_index_follower(arena, &item, item_string(asked, STR("Follower")),
	    item_string(asked, STR("Followed")), item_string(asked, STR("CreatedAt")));
	changes[0] = (struct change){CHANGE_SET, STR("Status"), *item_get(&item, STR("Status"))};
	changes[1] = (struct change){
	    CHANGE_SET, table_sk_name(TABLE_GSI1), *item_get(&item, table_sk_name(TABLE_GSI1))};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(asked),
		.changes = changes,
		.change_count = 2,
		.condition = still(arena, asked)},
	    PLAN_CHANGED);
	plan_recount(plan, NULL, &item);
	note_add_approved(plan, item_string(asked, STR("Follower")));
}

/* They have asked before; who is public now is followed without being asked. */
static enum plan_rc
begin_at_last(struct plan *plan, const struct user *person, const struct item *asked)
{
	if (person->is_private)
		return plan->rc = PLAN_DONE;
	add_approval(plan, asked);
	check_person(plan, person);
	return plan_commit(plan);
}

enum plan_rc
follow_begin(struct plan *plan, const struct user *person, const struct rate *limit)
{
	struct arena *arena = plan->call->arena;
	const struct item item =
	    make(plan, person->username, person->is_private ? FOLLOW_ASKED : FOLLOW_ACTIVE);
	enum plan_rc rc;

	plan_create(plan, item, PLAN_TAKEN);
	check(plan, key_follow(arena, person->username, plan->by),
	    status_is(arena, COND_NE, FOLLOW_BLOCKED), PLAN_NOBODY);
	check_person(plan, person);
	rate_add(plan, limit, 1, false);
	plan_recount(plan, NULL, &item);
	rc = plan_commit(plan);
	if (rc != PLAN_TAKEN || follow_status(plan->found) == FOLLOW_BLOCKED)
		return rc;
	if (follow_status(plan->found) == FOLLOW_ASKED)
		return begin_at_last(plan, person, plan->found);
	return plan->rc = PLAN_DONE;
}

enum plan_rc
follow_end(struct plan *plan, struct str follower, struct str followed)
{
	struct arena *arena = plan->call->arena;

	for (int i = 0; i < TRIES; i++) {
		struct read read = follow_read(arena, follower, followed);
		enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		if (read.item == NULL || follow_status(read.item) == FOLLOW_BLOCKED)
			return PLAN_DONE;
		plan_drop(plan, read.item);
		if (plan_commit(plan) != PLAN_CHANGED)
			break;
	}
	return plan->rc;
}

bool
follow_tells(const struct item *item)
{
	return follow_counts(follow_status(item)) && item_boolean(item, STR("Notify"));
}

enum plan_rc
follow_tell(struct plan *plan, struct str followed, bool told)
{
	struct arena *arena = plan->call->arena;
	const struct change change = {
	    told ? CHANGE_SET : CHANGE_REMOVE, STR("Notify"), value_boolean(true)};

	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_follow(arena, plan->by, followed),
		.changes = &change,
		.change_count = 1,
		.condition = status_is(arena, COND_EQ, FOLLOW_ACTIVE)},
	    PLAN_NOT_THERE);
	return plan_commit(plan);
}

enum plan_rc
follow_approve(struct plan *plan, struct str follower)
{
	struct read read = follow_read(plan->call->arena, follower, plan->by);
	enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (follow_holds(&read))
		return PLAN_DONE;
	if (follow_status(read.item) != FOLLOW_ASKED)
		return PLAN_CHANGED;
	add_approval(plan, read.item);
	return plan_commit(plan);
}

/* Those of a part of the requests that are still open when they are read. */
static enum plan_rc
approve_part(struct plan *plan, const struct item *found, size_t count)
{
	struct arena *arena = plan->call->arena;
	struct key *keys = ARENA_ARRAY(arena, count, struct key);
	struct read read = {.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};

	for (size_t i = 0; i < count; i++)
		keys[i] = item_key(&found[i]);
	for (int tries = 0; tries < TRIES; tries++) {
		enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		for (size_t i = 0; i < count; i++)
			if (follow_status(read.items[i]) == FOLLOW_ASKED)
				add_approval(plan, read.items[i]);
		if (plan_commit(plan) != PLAN_CHANGED)
			break;
	}
	return plan->rc;
}

enum plan_rc
follow_approve_all(struct plan *plan)
{
	struct query query = query_follow_requests(plan->call->arena, plan->by);

	query.limit = PART;
	for (size_t done = 0; done < FOLLOW_APPROVED_AT_ONCE; done += PART) {
		struct item *found;
		size_t count;
		enum plan_rc approved;
		enum table_rc rc = table_query(
		    plan->table, plan->call, &query, &found, &count, &query.cursor);

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		approved = count != 0 ? approve_part(plan, found, count) : PLAN_DONE;
		if (approved != PLAN_DONE || query.cursor.len == 0)
			return approved;
	}
	return PLAN_DONE;
}

static void
add_block(struct plan *plan, const struct user *person, const struct item *mine,
    const struct item *theirs)
{
	struct arena *arena = plan->call->arena;
	struct rate limit = block_limit(plan->by);

	plan_add(plan,
	    (struct write){.kind = WRITE_PUT,
		.item = make(plan, person->username, FOLLOW_BLOCKED),
		.condition = still(arena, mine)},
	    PLAN_CHANGED);
	if (mine != NULL)
		plan_recount(plan, mine, NULL);
	/* Either may have blocked the other. */
	if (theirs == NULL || follow_status(theirs) == FOLLOW_BLOCKED)
		check(plan, key_follow(arena, person->username, plan->by), still(arena, theirs),
		    PLAN_CHANGED);
	else
		plan_drop(plan, theirs);
	hidden_add_block(plan, plan->by, person->username);
	check_person(plan, person);
	rate_add(plan, &limit, 1, false);
}

void
follow_both(struct arena *arena, struct str by, struct str other, struct read both[2])
{
	both[0] = follow_read(arena, by, other);
	both[1] = follow_read(arena, other, by);
}

enum plan_rc
follow_block(struct plan *plan, const struct user *person, const struct read both[2])
{
	struct read reads[2] = {both[0], both[1]};

	for (int i = 0; i < TRIES; i++) {
		enum table_rc rc = i > 0 ? table_read(plan->table, plan->call, reads, 2) : TABLE_OK;

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		if (follow_status(reads[0].item) == FOLLOW_BLOCKED)
			return PLAN_DONE;
		add_block(plan, person, reads[0].item, reads[1].item);
		if (plan_commit(plan) != PLAN_CHANGED)
			break;
	}
	return plan->rc;
}

enum plan_rc
follow_unblock(struct plan *plan, struct str person)
{
	struct arena *arena = plan->call->arena;

	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_follow(arena, plan->by, person),
		.condition = status_is(arena, COND_EQ, FOLLOW_BLOCKED)},
	    PLAN_DONE);
	hidden_drop_block(plan, plan->by, person);
	return plan_commit(plan);
}

/* --- What a block keeps others from ----------------------------------------------------------------- */

struct read
follow_blockers_read(struct arena *arena, struct str username)
{
	struct read read = {.kind = READ_QUERY, .query = query_blocks_against(arena, username)};

	read.query.limit = TABLE_QUERY_MAX;
	return read;
}

bool
follow_blocked_by(const struct read *blockers, struct str username)
{
	for (size_t i = 0; i < blockers->found_count; i++)
		if (str_eq(item_string(&blockers->found[i], STR("Follower")), username))
			return true;
	return false;
}

void
follow_add_unblocked(struct plan *plan, const struct str *people, size_t count)
{
	struct arena *arena = plan->call->arena;

	for (size_t i = 0; i < count; i++)
		if (people[i].len != 0 && !str_eq(people[i], plan->by))
			check(plan, key_follow(arena, people[i], plan->by),
			    status_is(arena, COND_NE, FOLLOW_BLOCKED), PLAN_BLOCKED);
}
