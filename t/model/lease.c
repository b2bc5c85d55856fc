/*
 * A lease: taken, renewed, lost by the clock, given up; and a single holder among many who want it
 * at once.
 */
#include "model/site/lease.h"

#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"

#include <pthread.h>

enum { LASTS = 60 * 1000, CROWD = 16, TRIES = 50, TIMEOUT_MS = 120 * 1000 };
static const int64_t NOW = 1795000000000, DAY = 24 * 60 * 60 * 1000;

static struct lease
lease_of(const char *holder)
{
	return (struct lease){.work = STR("sweep"), .holder = str_of(holder), .lasts = LASTS};
}

struct place {
	struct table *table;
	struct table_call call;
};

static bool
holds_it(struct place *p, struct lease *lease, int64_t now)
{
	bool held = false;

	is_int(lease_keep(p->table, &p->call, lease, now, &held), TABLE_OK, "the table answers");
	return held;
}

static void
by_the_clock(struct place *p)
{
	struct lease a = lease_of("a"), b = lease_of("b"), other = lease_of("b");
	uint32_t asked;

	ok(holds_it(p, &a, NOW), "who comes first has it,");
	ok(!holds_it(p, &b, NOW + 1), "who comes second has not,");
	other.work = STR("mail");
	ok(holds_it(p, &other, NOW + 1), "... but has another work's");
	asked = p->call.cost.requests;
	ok(holds_it(p, &a, NOW + LASTS / 2 - 1), "in the first half of it one has it");
	is_int(p->call.cost.requests, asked, "... without asking");
	ok(holds_it(p, &a, NOW + LASTS / 2), "in the second half it is renewed:");
	ok(!holds_it(p, &b, NOW + LASTS + 1), "others wait for longer");
	ok(holds_it(p, &b, NOW + LASTS / 2 + LASTS), "when it is over, somebody else has it,");
	ok(!holds_it(p, &a, NOW + LASTS / 2 + LASTS), "... and who was late has lost it,");
	is_int(a.until, 0, "... and knows");
	is_int(lease_give(p->table, &p->call, &a), TABLE_OK, "who has lost it has nothing to give");
	ok(!holds_it(p, &a, NOW + 2 * LASTS), "... and takes nothing away by that");
	is_int(lease_give(p->table, &p->call, &b), TABLE_OK, "who gives it up");
	ok(holds_it(p, &a, NOW + 2 * LASTS), "... lets others have it at once");
	ok(holds_it(p, &a, NOW + 365 * DAY), "who renews it by a clock that is a year ahead");
	ok(holds_it(p, &a, NOW + 2 * LASTS), "... renews it when the clock is right again,");
	is_int(a.until, NOW + 3 * LASTS, "... and has it no longer than others would,");
	ok(holds_it(p, &b, NOW + 4 * LASTS), "... who can have it after that");
	lease_give(p->table, &p->call, &b);
	ok(holds_it(p, &b, NOW + 365 * DAY), "when its holder has died by that clock");
	a.until = 0;
	ok(holds_it(p, &a, NOW + 2 * LASTS), "... others have it at once");
	/* A holder that does not know yet that it has lost it. */
	b.until = NOW + 3 * LASTS;
	is_int(
	    lease_give(p->table, &p->call, &b), TABLE_OK, "who thinks wrongly that it is theirs");
	ok(!holds_it(p, &b, NOW + 2 * LASTS), "... can't give away what is another's");
}

struct racer {
	struct place *place;
	pthread_barrier_t *start;
	unsigned number;
	bool held;
};

static void *
race(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	struct place p = {.table = racer->place->table, .call = {.arena = arena}};
	struct lease lease = lease_of(str_fmt(arena, "racer %u", racer->number).base);
	struct clock clock = clock_system();
	enum table_rc rc = TABLE_CONFLICT;

	lease.work = STR("race");
	pthread_barrier_wait(racer->start);
	for (int i = 0; i < TRIES && rc != TABLE_OK; i++) {
		p.call.deadline = clock_monotonic(&clock) + TIMEOUT_MS;
		rc = lease_keep(p.table, &p.call, &lease, NOW, &racer->held);
	}
	arena_free(arena);
	return NULL;
}

static void
many(struct place *p)
{
	struct racer racers[CROWD];
	pthread_t threads[CROWD];
	pthread_barrier_t start;
	unsigned held = 0;

	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, i, false};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		held += racers[i].held;
	}
	pthread_barrier_destroy(&start);
	is_int(held, 1, "of %d who want it at once one has it", CROWD);
}

int
main(void)
{
	struct clock clock = clock_system();
	struct place p = {.call = {.arena = arena_new()}};
	struct test_store store;

	p.table = test_store_open(&store, &clock);
	by_the_clock(&p);
	many(&p);
	test_store_close(&store);
	arena_free(p.call.arena);
	return tap_done();
}
