/*
 * Two sweepers with one table, as of two processes: one works at a time, and the other continues
 * when it has ended.
 */
#include "lib/failing_table.h"
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key.h"
#include "model/people/leaving.h"
#include "model/site/lease.h"
#include "server/sweeper.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* The sweeper's lease is shorter than what this test moves the clock by. */
enum { PEOPLE = 5, TRIES = 6000, HOUR_MS = 60 * 60 * 1000, THEFT_MS = 15 * 60 * 1000 };
static const struct log quiet = {.fd = STDERR_FILENO, .level = LOG_ERROR};

/* Both see it, and the test moves it. */
static _Atomic int64_t now;

static int64_t
tell_now(struct clock *clock)
{
	(void)clock;
	return now;
}

/* A process: its table, whose calls are counted, and its sweeper. */
struct process {
	struct failing_table front;
	struct table_engine engine;
	struct sweeper *sweeper;
	bool robbed; /* after its next look at who leaves the lease is another's */
	atomic_uint calls, asked;
};

struct place {
	struct table *table;
	struct clock clock;
	struct arena *arena;
	struct process a, b;
};

/* As when this process stood still for longer than the lease lasts. */
static void
steal_lease(struct process *process, struct arena *arena)
{
	struct lease lease = {.work = STR("sweep"), .holder = STR("another"), .lasts = THEFT_MS};
	struct table_call call = {.arena = arena};
	bool held = false;

	now += HOUR_MS;
	if (lease_keep(process->front.inner, &call, &lease, now, &held) != TABLE_OK || !held)
		bail_out("the lease can't be stolen");
}

static enum table_rc
count_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct process *process = (struct process *)table;
	struct table *inner = process->front.inner;
	enum table_rc rc = inner->engine->read(inner, call, reads, count);

	process->calls++;
	/* After it has asked who leaves, whatever else it does before that. */
	if (process->robbed && reads[0].kind == READ_QUERY &&
	    str_eq(reads[0].query.partition, query_leaving().partition)) {
		steal_lease(process, call->arena);
		process->robbed = false;
	}
	return rc;
}

static enum table_rc
count_write(struct table *table, struct table_call *call, struct write *write)
{
	struct process *process = (struct process *)table;
	struct table *inner = process->front.inner;

	if (write->kind == WRITE_PUT &&
	    str_eq(item_string(&write->item, STR("Type")), STR("Lease")))
		process->asked++;
	else
		process->calls++;
	return inner->engine->write(inner, call, write);
}

static void
start(struct place *p, struct process *process, bool robbed)
{
	process->robbed = robbed;
	failing_table_begin(&process->front, p->table);
	process->engine = *process->front.table.engine;
	process->engine.read = count_read;
	process->engine.write = count_write;
	process->engine.deadline_ms = p->table->engine->deadline_ms;
	process->front.table.engine = &process->engine;
	process->sweeper = sweeper_start(&process->front.table, NULL, &quiet, 1, 1);
}

static void
stop(struct process *process)
{
	sweeper_stop(process->sweeper);
	process->sweeper = NULL;
}

static void
doze(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Until the process has asked for the lease a few times more. */
static void
let_it_ask(struct process *process)
{
	unsigned until = process->asked + 3;

	for (int i = 0; i < TRIES && process->asked < until; i++)
		doze();
	if (process->asked < until)
		bail_out("nobody asks for the lease");
}

/* How many are on their way. */
static size_t
count_leaving(struct place *p)
{
	struct table_call call = {.arena = p->arena};
	struct query query = query_leaving();
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 2 * PEOPLE;
	if (table_query(p->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("%s", call.why);
	return count;
}

static void
people_leave(struct place *p)
{
	static unsigned number;

	for (unsigned i = 0; i < PEOPLE; i++) {
		struct str name = str_fmt(p->arena, "noor%u", number++);
		const struct new_account new = {.username = name,
		    .email = STR_CONCAT(p->arena, name, STR("@example.org")),
		    .password = STR("hash"),
		    .status = USER_ACTIVE};
		struct table_call call = {.arena = p->arena};
		struct plan plan = {.table = p->table, .call = &call, .now = now};
		struct account account;

		if (account_create(&plan, &new) != PLAN_DONE ||
		    account_find(&plan, name, &account) != PLAN_DONE ||
		    account_leave(&plan, &p->clock, &account.user, true) != PLAN_DONE)
			bail_out("%.*s can't leave", STR_ARGS(name));
	}
}

static void
all_are_gone(struct place *p, const char *sentence)
{
	size_t left = PEOPLE;

	for (int i = 0; i < TRIES && (left = count_leaving(p)) != 0; i++)
		doze();
	is_int((int64_t)left, 0, "%s", sentence);
}

static void
one_after_the_other(struct place *p)
{
	people_leave(p);
	start(p, &p->a, true);
	let_it_ask(&p->a);
	is_int((int64_t)count_leaving(p), PEOPLE - 1,
	    "who loses the lease in the middle ends what it is at, and begins nothing more");
	now += THEFT_MS;
	all_are_gone(p, "... until the lease is over, and it has it again");
	start(p, &p->b, false);
	let_it_ask(&p->b);
	people_leave(p);
	all_are_gone(p, "of two one works");
	let_it_ask(&p->b);
	is_int(p->b.calls, 0, "... and the other one asks for the lease and does nothing");
	stop(&p->a);
	people_leave(p);
	all_are_gone(p, "when the first has ended, the other one works");
	stop(&p->b);
}

int
main(void)
{
	struct place p = {.clock = clock_system(), .arena = arena_new()};
	struct test_store store;

	now = clock_now(&p.clock);
	p.clock.now = tell_now;
	p.table = test_store_open(&store, &p.clock);
	one_after_the_other(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
