/*
 * Many threads at once: counters stay equal to what they count, readers see both or neither, and of
 * many who create one key exactly one succeeds.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "sqlite_harness.h"
#include "table_memory.h"

#include <pthread.h>

enum { WRITERS = 16, READERS = 4, TURNS = 40, CONTENDERS = 64, ROUNDS = 8 };

struct storm {
	struct table *table;
	bool holds;
	pthread_barrier_t start;
	pthread_mutex_t lock; /* of what follows */
	unsigned failures, wins, losses, uneven, looks;
	int writing;
};

struct worker {
	struct storm *storm;
	int number, round;
};

static struct table *
open_memory(void *context, struct clock *clock)
{
	(void)context;
	return table_memory_open(clock);
}

static void
count(struct storm *storm, unsigned *counter)
{
	pthread_mutex_lock(&storm->lock);
	++*counter;
	pthread_mutex_unlock(&storm->lock);
}

static int
still_writing(struct storm *storm)
{
	int writing;

	pthread_mutex_lock(&storm->lock);
	writing = storm->writing;
	pthread_mutex_unlock(&storm->lock);
	return writing;
}

/* What surely changed nothing may be tried again. */
static bool
worth_another_try(enum table_rc rc, const struct table_call *call)
{
	return (rc == TABLE_CONFLICT || rc == TABLE_THROTTLED || rc == TABLE_DEADLINE ||
		   rc == TABLE_CANCELLED) &&
	       !call->unsure;
}

/* --- Counters and what they count ----------------------------------------------------------------- */

static struct key
counted_key(struct arena *arena, const struct worker *worker, int turn)
{
	return (struct key){STR("counted"), str_fmt(arena, "%02d#%03d", worker->number, turn)};
}

/* Makes an item, or takes one away, and counts it in the same transaction. */
static enum table_rc
make_or_take(struct worker *worker, struct table_call *call, int turn, bool take)
{
	struct condition there = {.op = take ? COND_EXISTS : COND_MISSING, .name = STR("PK")};
	struct change add = {
	    .op = CHANGE_ADD, .name = STR("Count"), .value = value_number(take ? -1 : 1)};
	struct key key = counted_key(call->arena, worker, turn);
	struct write writes[2] = {
	    {.kind = take ? WRITE_DELETE : WRITE_PUT, .key = key, .condition = &there},
	    {.kind = WRITE_UPDATE,
		.key = {STR("counter"), STR("METADATA")},
		.changes = &add,
		.change_count = 1},
	};
	enum table_rc rc;

	item_set(call->arena, &writes[0].item, STR("PK"), value_string(key.pk));
	item_set(call->arena, &writes[0].item, STR("SK"), value_string(key.sk));
	do {
		rc = table_transact(worker->storm->table, call, writes, 2, STR(""));
		/* A condition is no quarrel between threads: each has items of its own. */
		if (rc == TABLE_CANCELLED && writes[0].rc == TABLE_CONDITION)
			break;
	} while (worth_another_try(rc, call));
	return rc;
}

static void *
writer(void *context)
{
	struct worker *worker = context;
	struct arena *arena = arena_new();

	pthread_barrier_wait(&worker->storm->start);
	for (int turn = 0; turn < TURNS; turn++) {
		struct table_call call = {.arena = arena};
		struct change add = {
		    .op = CHANGE_ADD, .name = STR("Count"), .value = value_number(1)};
		struct write bare = {.kind = WRITE_UPDATE,
		    .key = {STR("bare"), STR("METADATA")},
		    .changes = &add,
		    .change_count = 1};
		enum table_rc rc = make_or_take(worker, &call, turn, false);

		if (rc == TABLE_OK && turn % 3 == 1)
			rc = make_or_take(worker, &call, turn - 1, true);
		while (rc == TABLE_OK) {
			rc = table_write(worker->storm->table, &call, &bare);
			if (!worth_another_try(rc, &call))
				break;
			rc = TABLE_OK;
		}
		if (rc != TABLE_OK)
			count(worker->storm, &worker->storm->failures);
		arena_reset(arena);
	}
	arena_free(arena);
	pthread_mutex_lock(&worker->storm->lock);
	worker->storm->writing--;
	pthread_mutex_unlock(&worker->storm->lock);
	return NULL;
}

/* The counter, and how many there are; false when a read failed. */
static bool
look(struct table *table, struct table_call *call, int64_t *counter, int64_t *items)
{
	struct read reads[2] = {
	    {.kind = READ_GET, .key = {STR("counter"), STR("METADATA")}, .consistent = true},
	    {.kind = READ_QUERY,
		.query = {.partition = STR("counted"), .limit = 1000, .consistent = true}},
	};

	if (table_read(table, call, reads, 2) != TABLE_OK)
		return false;
	*counter = reads[0].item != NULL ? item_number(reads[0].item, STR("Count")) : 0;
	*items = (int64_t)reads[1].found_count;
	return true;
}

static void *
reader(void *context)
{
	struct worker *worker = context;
	struct storm *storm = worker->storm;
	struct arena *arena = arena_new();

	pthread_barrier_wait(&storm->start);
	while (still_writing(storm) != 0) {
		struct table_call call = {.arena = arena};
		int64_t counter, items;

		if (table_hold(storm->table, &call) != TABLE_OK ||
		    !look(storm->table, &call, &counter, &items))
			count(storm, &storm->failures);
		else if (storm->holds && counter != items)
			count(storm, &storm->uneven);
		count(storm, &storm->looks);
		table_release(storm->table, &call);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

/* --- One key for many ------------------------------------------------------------------------------ */

static void *
contender(void *context)
{
	struct worker *worker = context;
	struct storm *storm = worker->storm;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct write write = {.kind = WRITE_PUT, .condition = &missing};
	enum table_rc rc;

	item_set(arena, &write.item, STR("PK"), value_string(STR("prize")));
	item_set(arena, &write.item, STR("SK"), value_string(str_fmt(arena, "%d", worker->round)));
	item_set(arena, &write.item, STR("By"), value_number(worker->number));
	pthread_barrier_wait(&storm->start);
	do
		rc = table_write(storm->table, &call, &write);
	while (worth_another_try(rc, &call));
	count(storm, rc == TABLE_OK                                  ? &storm->wins
		     : rc == TABLE_CONDITION && write.failed != NULL ? &storm->losses
								     : &storm->failures);
	arena_free(arena);
	return NULL;
}

/* --- The weather ------------------------------------------------------------------------------------ */

/* Starts that many threads at one moment and waits for all. */
static void
run(struct storm *storm, void *(*const *bodies)(void *), int threads, int round)
{
	pthread_t *ids = calloc((size_t)threads, sizeof(*ids));
	struct worker *workers = calloc((size_t)threads, sizeof(*workers));

	if (ids == NULL || workers == NULL)
		out_of_memory();
	pthread_barrier_init(&storm->start, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		workers[i] = (struct worker){storm, i, round};
		if (pthread_create(&ids[i], NULL, bodies[i], &workers[i]) != 0)
			bail_out("no thread");
	}
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	pthread_barrier_destroy(&storm->start);
	free(workers);
	free(ids);
}

static void
counters(struct storm *storm, const char *name)
{
	void *(*bodies[WRITERS + READERS])(void *);
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	int64_t counter = -1, items = -1;
	struct item *bare = NULL;

	for (int i = 0; i < WRITERS + READERS; i++)
		bodies[i] = i < WRITERS ? writer : reader;
	storm->writing = WRITERS;
	run(storm, bodies, WRITERS + READERS, 0);
	is_int(storm->failures, 0, "%s: %d writers and %d readers at once", name, WRITERS, READERS);
	ok(look(storm->table, &call, &counter, &items), "and the table can be read");
	is_int(items, WRITERS * (TURNS - TURNS / 3), "it has what they made and did not take away");
	is_int(counter, items, "and the counter says so");
	if (storm->holds)
		is_int(storm->uneven, 0, "no reader of one moment saw it otherwise (%s)",
		    storm->looks != 0 ? "they looked" : "none looked");
	ok(table_get(storm->table, &call, (struct key){STR("bare"), STR("METADATA")}, &bare) ==
		    TABLE_OK &&
		bare != NULL && item_number(bare, STR("Count")) == WRITERS * TURNS,
	    "a counter written alone has every one of its %d additions", WRITERS * TURNS);
	table_release(storm->table, &call);
	arena_free(arena);
}

static void
contest(struct storm *storm)
{
	void *(*bodies[CONTENDERS])(void *);
	bool one = true;

	for (int i = 0; i < CONTENDERS; i++)
		bodies[i] = contender;
	for (int round = 0; round < ROUNDS; round++) {
		storm->wins = storm->losses = 0;
		run(storm, bodies, CONTENDERS, round);
		one = one && storm->wins == 1 && storm->losses == CONTENDERS - 1;
	}
	ok(one, "of %d who put one key at one moment exactly one gets it, %d times", CONTENDERS,
	    ROUNDS);
	is_int(storm->failures, 0, "and nobody fails otherwise");
}

static void
storm(const struct harness *harness)
{
	struct clock clock = clock_system();
	struct storm storm = {.holds = harness->holds};

	storm.table = harness->open(harness->context, &clock);
	if (storm.table == NULL)
		bail_out("no table of %s", harness->name);
	pthread_mutex_init(&storm.lock, NULL);
	counters(&storm, harness->name);
	contest(&storm);
	pthread_mutex_destroy(&storm.lock);
	table_close(storm.table);
	if (harness->closed != NULL)
		harness->closed(harness->context);
}

int
main(void)
{
	struct sqlite_place place;
	const struct harness memory = {.name = "memory", .open = open_memory};
	const struct harness sqlite = sqlite_harness(&place);

	storm(&memory);
	storm(&sqlite);
	return tap_done();
}
