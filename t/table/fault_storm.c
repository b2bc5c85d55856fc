/*
 * Many threads write to a disk that fails now and then, so that writes which share a commit share
 * its failures as well. Each notes its results; afterwards acknowledged writes are there,
 * definitely refused ones are not, and counters equal what they count.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "fault_calls.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <errno.h>
#include <pthread.h>

enum { THREADS = 12, TURNS = 60 };

struct answer {
	enum table_rc rc;
	bool unsure;
};

struct worker {
	struct table *table;
	pthread_barrier_t *start;
	int number;
	struct answer answers[TURNS];
};

static struct key
key_of(struct arena *arena, const struct worker *worker, int turn)
{
	return (struct key){STR("counted"), str_fmt(arena, "%02d#%03d", worker->number, turn)};
}

static void *
write_on(void *context)
{
	struct worker *worker = context;
	struct arena *arena = arena_new();

	pthread_barrier_wait(worker->start);
	for (int turn = 0; turn < TURNS; turn++) {
		struct table_call call = {.arena = arena};
		struct key key = key_of(arena, worker, turn);
		struct change one = {
		    .op = CHANGE_ADD, .name = STR("Count"), .value = value_number(1)};
		struct write writes[] = {
		    {.kind = WRITE_PUT},
		    {.kind = WRITE_UPDATE,
			.key = {STR("counter"), STR("METADATA")},
			.changes = &one,
			.change_count = 1},
		};

		item_set(arena, &writes[0].item, STR("PK"), value_string(key.pk));
		item_set(arena, &writes[0].item, STR("SK"), value_string(key.sk));
		worker->answers[turn].rc = table_transact(worker->table, &call, writes, 2, STR(""));
		worker->answers[turn].unsure = call.unsure;
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

/* Does the table agree with what the thread was told? Counts the items. */
static bool
agrees(struct worker *worker, struct table *table, int64_t *items)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	bool good = true;

	for (int turn = 0; turn < TURNS; turn++) {
		struct answer answer = worker->answers[turn];
		struct item *item = NULL;
		enum table_rc rc = table_get(table, &call, key_of(arena, worker, turn), &item);
		bool fits = rc == TABLE_OK &&
			    (answer.rc == TABLE_OK ? item != NULL : item == NULL || answer.unsure);

		*items += item != NULL;
		if (!fits)
			fprintf(stderr, "# thread %d turn %d: told %s%s, and the item is %s\n",
			    worker->number, turn, spell_rc(answer.rc),
			    answer.unsure ? ", unsure" : "", item != NULL ? "there" : "not there");
		good = good && fits;
	}
	table_release(table, &call);
	arena_free(arena);
	return good;
}

static void
look(struct worker *workers, struct table *table, const char *when)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct item *counter = NULL;
	int64_t items = 0;
	bool good = true;

	for (int i = 0; i < THREADS; i++)
		good = agrees(&workers[i], table, &items) && good;
	ok(good, "%s, what is there is what was answered", when);
	table_get(table, &call, (struct key){STR("counter"), STR("METADATA")}, &counter);
	is_int(counter != NULL ? item_number(counter, STR("Count")) : 0, items,
	    "and the counter equals what it counts");
	table_release(table, &call);
	arena_free(arena);
}

static void
storm(enum fault_calls which, int error, unsigned every, const char *name)
{
	static struct worker workers[THREADS];
	struct clock clock = clock_system();
	struct arena *arena = arena_new();
	struct sqlite_place place;
	struct table *table;
	pthread_barrier_t begin;
	pthread_t ids[THREADS];
	unsigned struck, fine = 0;
	struct str why = STR("");

	sqlite_place_make(&place);
	table = sqlite_place_open(&place, &clock);
	if (table == NULL)
		bail_out("no table");
	pthread_barrier_init(&begin, NULL, THREADS);
	faults_arm_every(which, error, every);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){table, &begin, i, {{TABLE_OK, false}}};
		if (pthread_create(&ids[i], NULL, write_on, &workers[i]) != 0)
			bail_out("no thread");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	struck = faults_disarm();
	pthread_barrier_destroy(&begin);
	for (int i = 0; i < THREADS; i++)
		for (int turn = 0; turn < TURNS; turn++)
			fine += workers[i].answers[turn].rc == TABLE_OK;
	ok(struck != 0 && fine != 0, "%s: %u failures, and %u of %d writes acknowledged", name,
	    struck, fine, THREADS * TURNS);
	look(workers, table, "at once");
	table_close(table);
	table = sqlite_place_open(&place, &clock);
	if (table == NULL)
		bail_out("the table can't be opened again");
	look(workers, table, "opened again");
	ok(table_sqlite_check(table, arena, &why) == TABLE_OK, "and the file is sound");
	table_close(table);
	sqlite_place_remove(&place);
	arena_free(arena);
}

int
main(void)
{
	faults_install();
	storm(FAULT_ANY, EIO, 41, "every 41st call fails");
	storm(FAULT_ANY, EIO, 17, "every 17th call fails");
	storm(FAULT_WRITE, ENOSPC, 23, "every 23rd write finds the disk full");
	storm(FAULT_SYNC, EIO, 5, "every 5th sync fails");
	return tap_done();
}
