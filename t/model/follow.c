/*
 * Follows: what each action writes and what counts it, permissions, and what remains when many do
 * opposite things at once.
 */
#include "person.h"

#include "lib/failing_table.h"
#include "model/people/person_counts.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/people/leaving.h"
#include "model/reader/follow.h"
#include "model/site/rate.h"

#include <pthread.h>

enum { CLIENTS = 64, TURNS = 4, CROWD = 4 };

static struct user
person(struct place *p, const char *name)
{
	return found(p, name).user;
}

static void
act_as(struct place *p, const char *name)
{
	p->plan.by = str_of(name);
}

static const struct item *
stored(struct place *p, struct key key)
{
	struct item *item = NULL;

	if (table_get(p->table, &p->call, key, &item) != TABLE_OK)
		bail_out("the table failed");
	return item;
}

static enum follow_status
between(struct place *p, const char *a, const char *b)
{
	return follow_status(stored(p, key_follow(p->arena, str_of(a), str_of(b))));
}

/* "<followers> <following>", as a page counts them. */
static struct str
counts(struct place *p, const char *name)
{
	struct read read = person_counts_read(p->arena, str_of(name));
	struct user user = person(p, name);

	if (table_read(p->table, &p->call, &read, 1) != TABLE_OK)
		bail_out("the table failed");
	person_counts_add(read.item, &user);
	return str_fmt(p->arena, "%lld %lld", (long long)user.followers, (long long)user.following);
}

static enum plan_rc
begin(struct plan *plan, const struct user *person)
{
	const struct rate limit = {.what = STR("follow"),
	    .who = plan->by,
	    .most = 100,
	    .window = RATE_DAY_SECONDS};

	return follow_begin(plan, person, &limit);
}

/* Somebody as a page has read them, a while ago. */
static enum plan_rc
follow_as_seen(struct place *p, const char *a, const struct user *b)
{
	act_as(p, a);
	return begin(&p->plan, b);
}

static enum plan_rc
follow(struct place *p, const char *a, const char *b)
{
	struct user user = person(p, b);

	return follow_as_seen(p, a, &user);
}

static enum plan_rc
block(struct place *p, const char *a, const char *b)
{
	struct user user = person(p, b);
	struct read both[2];

	act_as(p, a);
	follow_both(p->arena, p->plan.by, user.username, both);
	if (table_read(p->table, &p->call, both, 2) != TABLE_OK)
		bail_out("the table failed");
	return follow_block(&p->plan, &user, both);
}

static void
set(struct place *p, const char *name, struct change change)
{
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_user(p->arena, str_of(name)),
	    .changes = &change,
	    .change_count = 1};

	if (table_write(p->table, &p->call, &write) != TABLE_OK)
		bail_out("the table failed");
}

static void
follows(struct place *p)
{
	is_int(follow(p, "ann", "bob"), PLAN_DONE, "ann follows bob");
	is_int(between(p, "ann", "bob"), FOLLOW_ACTIVE, "... which holds");
	is_str(counts(p, "bob"), STR("1 0"), "... and counts for him");
	is_str(counts(p, "ann"), STR("0 1"), "... and for her");
	is_int(follow(p, "ann", "bob"), PLAN_DONE, "twice is once");
	is_str(counts(p, "bob"), STR("1 0"), "... also for the counters");
	is_int(follow_end(&p->plan, STR("ann"), STR("bob")), PLAN_DONE, "she ends it");
	is_int(follow_end(&p->plan, STR("ann"), STR("bob")), PLAN_DONE, "... twice");
	is_int(between(p, "ann", "bob"), FOLLOW_NONE, "... and nothing is left");
	is_str(counts(p, "bob"), STR("0 0"), "... to count");
	is_str(counts(p, "ann"), STR("0 0"), "... for either");
}

/* What was counted in the person's own item stays and counts. */
static void
older_table(struct place *p)
{
	set(p, "bob", (struct change){CHANGE_SET, STR("Followers"), value_number(7)});
	is_str(counts(p, "bob"), STR("7 0"), "an older table counts in the person");
	follow(p, "ann", "bob");
	is_str(counts(p, "bob"), STR("8 0"), "... to which a follow is added");
	follow_end(&p->plan, STR("ann"), STR("bob"));
	is_str(counts(p, "bob"), STR("7 0"), "... and taken from");
	set(p, "bob", (struct change){CHANGE_REMOVE, STR("Followers"), value_null()});
}

static void
requests(struct place *p)
{
	struct user bob = person(p, "bob");
	const struct item *asked;

	set(p, "bob", (struct change){CHANGE_SET, STR("Private"), value_boolean(true)});
	act_as(p, "ann");
	is_int(begin(&p->plan, &bob), PLAN_CHANGED,
	    "who has just become private is not followed unasked");
	is_int(follow(p, "ann", "bob"), PLAN_DONE, "a private person is asked");
	is_int(between(p, "ann", "bob"), FOLLOW_ASKED, "... which is no follow yet");
	is_str(counts(p, "bob"), STR("0 0"), "... and counts nowhere");
	asked = stored(p, key_follow(p->arena, STR("ann"), STR("bob")));
	act_as(p, "bob");
	is_int(follow_approve(&p->plan, STR("eve")), PLAN_CHANGED, "who has not asked is not let");
	is_int(follow_approve(&p->plan, STR("ann")), PLAN_DONE, "who has is");
	is_int(follow_approve(&p->plan, STR("ann")), PLAN_DONE, "... once");
	is_int(between(p, "ann", "bob"), FOLLOW_ACTIVE, "... and follows");
	is_str(counts(p, "bob"), STR("1 0"), "... which counts");
	plan_drop(&p->plan, asked);
	is_int(plan_commit(&p->plan), PLAN_CHANGED, "what was read before is not what goes");
	is_str(counts(p, "bob"), STR("1 0"), "... uncounted");
	is_int(follow_end(&p->plan, STR("ann"), STR("bob")), PLAN_DONE, "he removes her");
	is_str(counts(p, "bob"), STR("0 0"), "... which counts down");
	follow(p, "ann", "bob");
	is_int(follow_end(&p->plan, STR("ann"), STR("bob")), PLAN_DONE, "he refuses her");
	is_str(counts(p, "bob"), STR("0 0"), "... which counts nothing down");
	is_str(counts(p, "ann"), STR("0 0"), "... for neither");
	set(p, "bob", (struct change){CHANGE_REMOVE, STR("Private"), value_null()});
}

static void
blocks(struct place *p)
{
	follow(p, "ann", "bob");
	follow(p, "bob", "ann");
	is_str(counts(p, "ann"), STR("1 1"), "two follow each other");
	is_int(block(p, "bob", "ann"), PLAN_DONE, "one blocks the other");
	is_int(between(p, "bob", "ann"), FOLLOW_BLOCKED, "... who is blocked");
	is_int(between(p, "ann", "bob"), FOLLOW_NONE, "... and follows no more");
	is_str(counts(p, "ann"), STR("0 0"), "... and neither counts");
	is_str(counts(p, "bob"), STR("0 0"), "... for either");
	is_int(block(p, "bob", "ann"), PLAN_DONE, "twice is once");
	is_int(follow(p, "ann", "bob"), PLAN_NOBODY, "who is blocked finds nobody to follow");
	is_int(follow(p, "bob", "ann"), PLAN_TAKEN, "who blocks can't follow");
	is_int(follow_end(&p->plan, STR("bob"), STR("ann")), PLAN_DONE, "... and to unfollow");
	is_int(between(p, "bob", "ann"), FOLLOW_BLOCKED, "... does not unblock");
	is_int(block(p, "ann", "bob"), PLAN_DONE, "who is blocked can block");
	is_int(follow_unblock(&p->plan, STR("bob")), PLAN_DONE, "... and undo it");
	is_int(between(p, "bob", "ann"), FOLLOW_BLOCKED, "... which undoes no more");
	act_as(p, "bob");
	is_int(follow_unblock(&p->plan, STR("ann")), PLAN_DONE, "she is unblocked");
	is_int(follow_unblock(&p->plan, STR("ann")), PLAN_DONE, "... twice");
	is_int(follow(p, "ann", "bob"), PLAN_DONE, "... and may follow");
	act_as(p, "ann");
	is_int(follow_unblock(&p->plan, STR("bob")), PLAN_DONE, "to unblock whom one follows");
	is_int(between(p, "ann", "bob"), FOLLOW_ACTIVE, "... ends nothing");
	follow_end(&p->plan, STR("ann"), STR("bob"));
}

static void
limits(struct place *p)
{
	enum plan_rc rc = PLAN_DONE;
	int done = 0;

	while (rc == PLAN_DONE && done < 200) {
		rc = follow(p, "eve", "bob");
		done += rc == PLAN_DONE;
		follow_end(&p->plan, STR("eve"), STR("bob"));
	}
	is_int(done, 100, "a hundred follows a day");
	is_int(rc, PLAN_TOO_MANY, "... and no more");
	is_str(counts(p, "bob"), STR("0 0"), "... which counts nothing");
	p->plan.now += INT64_C(86400000);
	is_int(follow(p, "eve", "bob"), PLAN_DONE, "... until the next day");
	follow_end(&p->plan, STR("eve"), STR("bob"));
}

/* --- At once ---------------------------------------------------------------------------------------- */

static const char *const crowd[CROWD] = {"ann", "bob", "eve", "joe"};

struct client {
	struct place *place;
	pthread_barrier_t *start;
	const struct user *people;
	unsigned number;
};

/* Follows, unfollows, blocks, unblocks, asks, approves, removes: whatever comes to mind. */
static void *
storm(void *data)
{
	struct client *client = data;
	struct arena *arena = arena_new();
	uint64_t state = client->number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	pthread_barrier_wait(client->start);
	for (int i = 0; i < TURNS; i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = client->place->plan;
		struct read both[2];
		struct user a, b;

		plan.call = &call;
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		a = client->people[state >> 8 & 1];
		b = client->people[2 + (state >> 9 & 1)];
		plan.by = a.username;
		switch (state >> 10 & 7) {
		case 0:
		case 1:
		case 2: begin(&plan, &b); break;
		case 3:
		case 4: follow_end(&plan, a.username, b.username); break;
		case 5:
			plan.by = b.username;
			follow_approve(&plan, a.username);
			break;
		case 6:
			plan.by = b.username;
			follow_both(arena, plan.by, a.username, both);
			if (table_read(plan.table, &call, both, 2) == TABLE_OK)
				follow_block(&plan, &a, both);
			break;
		case 7: plan.by = b.username; follow_unblock(&plan, a.username);
		}
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

/* What the items say, beside what the counters do. */
static void
compare(struct place *p)
{
	for (int i = 0; i < CROWD; i++) {
		int followers = 0, following = 0, both = 0;

		for (int n = 0; n < CROWD; n++) {
			followers += follow_counts(between(p, crowd[n], crowd[i]));
			following += follow_counts(between(p, crowd[i], crowd[n]));
			both += between(p, crowd[n], crowd[i]) != FOLLOW_NONE &&
				between(p, crowd[i], crowd[n]) == FOLLOW_BLOCKED &&
				between(p, crowd[n], crowd[i]) != FOLLOW_BLOCKED;
		}
		is_str(counts(p, crowd[i]), str_fmt(p->arena, "%d %d", followers, following),
		    "the counters of %s equal the items", crowd[i]);
		is_int(both, 0, "... and nobody follows whom %s has blocked", crowd[i]);
	}
}

static void
storms(struct place *p)
{
	struct client clients[CLIENTS];
	pthread_t threads[CLIENTS];
	pthread_barrier_t start;
	struct user people[CROWD];

	set(p, "joe", (struct change){CHANGE_SET, STR("Private"), value_boolean(true)});
	for (int i = 0; i < CROWD; i++)
		people[i] = person(p, crowd[i]);
	p->plan.now += INT64_C(86400000);
	pthread_barrier_init(&start, NULL, CLIENTS);
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){p, &start, people, i + 1};
		pthread_create(&threads[i], NULL, storm, &clients[i]);
	}
	for (unsigned i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	compare(p);
}

/* --- Leaving ---------------------------------------------------------------------------------------- */

/* A person who has left is in nobody's list, also not among those they have blocked. */
static void
leaving(struct place *p)
{
	struct account ann;
	bool done = false;

	for (int i = 1; i < CROWD; i++) {
		act_as(p, crowd[i]);
		follow_unblock(&p->plan, STR("ann"));
		follow_end(&p->plan, str_of(crowd[i]), STR("ann"));
	}
	block(p, "bob", "ann");
	block(p, "ann", "eve");
	follow(p, "joe", "ann");
	ann = found(p, "ann");
	is_int(account_leave(&p->plan, &p->clock, &ann.user, false), PLAN_DONE, "ann leaves");
	is_int(follow_as_seen(p, "kim", &ann.user), PLAN_CHANGED, "nobody follows her on her way");
	for (int i = 0; i < 20 && !done; i++)
		leaving_round(&p->plan, STR("ann"), &done);
	ok(done, "... and has left");
	for (int i = 1; i < CROWD; i++) {
		is_int(between(p, crowd[i], "ann"), FOLLOW_NONE, "%s knows her no more", crowd[i]);
		is_int(between(p, "ann", crowd[i]), FOLLOW_NONE, "... nor she them");
	}
	ok(stored(p, key_person_counts(p->arena, STR("ann"))) == NULL, "nothing counts hers");
	is_str(counts(p, "joe"), STR("0 0"), "... and those of others are right");
}

/* Each call fails in turn: all of an act or nothing of it. */
static void
failures(struct place *p)
{
	struct failing_table failing;
	struct table *table = p->table;
	struct user bob = person(p, "bob");
	struct read both[2];

	failing_table_begin(&failing, table);
	p->plan.table = &failing.table;
	act_as(p, "kim");
	failing_table_arm(&failing, 1, TABLE_UNAVAILABLE);
	is_int(begin(&p->plan, &bob), PLAN_TABLE, "a follow that fails");
	is_int(p->plan.failed, TABLE_UNAVAILABLE, "... says how");
	follow_both(p->arena, p->plan.by, bob.username, both);
	if (table_read(table, &p->call, both, 2) != TABLE_OK)
		bail_out("the table failed");
	failing_table_arm(&failing, 1, TABLE_UNAVAILABLE);
	is_int(follow_block(&p->plan, &bob, both), PLAN_TABLE, "a block that fails");
	p->plan.table = table;
	is_int(between(p, "kim", "bob"), FOLLOW_NONE, "nothing of either is there");
}

int
main(void)
{
	struct place p = {.clock = clock_fixed(NOW, 1)};
	struct test_store store;

	p.arena = arena_new();
	p.table = test_store_open(&store, &p.clock);
	p.call.arena = p.arena;
	p.plan = (struct plan){
	    .table = p.table, .call = &p.call, .clock = &p.clock, .now = NOW, .by = STR("ann")};
	for (int i = 0; i < CROWD; i++)
		create(&p.plan, crowd[i],
		    str_cstring(p.arena, str_fmt(p.arena, "%s@example.org", crowd[i])),
		    ROLE_READER);
	create(&p.plan, "kim", "kim@example.org", ROLE_READER);
	follows(&p);
	older_table(&p);
	requests(&p);
	blocks(&p);
	limits(&p);
	storms(&p);
	leaving(&p);
	failures(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
