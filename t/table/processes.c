/*
 * Several processes on one file: their writers take turns by the lock between them, some are killed
 * in the middle, and still counters equal what they count, and each notices the writes of others.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/slots.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, THREADS = 3, TURNS = 40, VICTIMS = 12 };

struct worker {
	struct table *table;
	int process, thread;
	unsigned turns, failures;
};

/* An item and the counter, together. */
static enum table_rc
count_one(struct table *table, struct arena *arena, struct str name)
{
	struct table_call call = {.arena = arena};
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct change one = {.op = CHANGE_ADD, .name = STR("Count"), .value = value_number(1)};
	struct write writes[] = {
	    {.kind = WRITE_PUT, .condition = &missing},
	    {.kind = WRITE_UPDATE,
		.key = {STR("counter"), STR("METADATA")},
		.changes = &one,
		.change_count = 1},
	};
	enum table_rc rc;

	item_set(arena, &writes[0].item, STR("PK"), value_string(STR("counted")));
	item_set(arena, &writes[0].item, STR("SK"), value_string(name));
	do
		rc = table_transact(table, &call, writes, 2, STR(""));
	while (rc == TABLE_DEADLINE && !call.unsure);
	return rc;
}

static void *
write_on(void *context)
{
	struct worker *worker = context;
	struct arena *arena = arena_new();

	for (unsigned turn = 0; turn < worker->turns; turn++) {
		arena_reset(arena);
		if (count_one(worker->table, arena,
			str_fmt(arena, "%d#%d#%u", worker->process, worker->thread, turn)) !=
		    TABLE_OK)
			worker->failures++;
	}
	arena_free(arena);
	return NULL;
}

/* A process with several writing threads; it exits with the number of its failures. */
_Noreturn static void
child(struct sqlite_place *place, int number, unsigned turns)
{
	struct clock clock = clock_system();
	struct table *table = sqlite_place_open(place, &clock);
	struct worker workers[THREADS];
	pthread_t ids[THREADS];
	unsigned failures = 0;

	if (table == NULL)
		_exit(200);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){table, number, i, turns, 0};
		if (pthread_create(&ids[i], NULL, write_on, &workers[i]) != 0)
			_exit(201);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(ids[i], NULL);
		failures += workers[i].failures;
	}
	table_close(table);
	_exit((int)(failures < 100 ? failures : 100));
}

/* With a gate, a pipe's two ends, the process begins only when its one end is closed here. */
static pid_t
start(struct sqlite_place *place, int number, unsigned turns, const int *gate)
{
	char byte;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (gate != NULL) {
			close(gate[1]);
			if (read(gate[0], &byte, 1) != 0)
				_exit(202);
		}
		child(place, number, turns);
	}
	if (pid < 0)
		bail_out("no process");
	return pid;
}

/* The items by the index's order of pages, and the counter; true when they are equal. */
static bool
even(struct sqlite_place *place, int64_t *items)
{
	struct clock clock = clock_system();
	struct table *table = sqlite_place_open(place, &clock);
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct query query = {.partition = STR("counted"), .limit = TABLE_QUERY_MAX};
	struct item *counter = NULL, *found;
	struct str next = STR(""), why;
	size_t count;
	bool good = table != NULL;

	*items = 0;
	do {
		query.cursor = next;
		good = good && table_query(table, &call, &query, &found, &count, &next) == TABLE_OK;
		*items += good ? (int64_t)count : 0;
	} while (good && next.len != 0);
	good = good &&
	       table_get(table, &call, (struct key){STR("counter"), STR("METADATA")}, &counter) ==
		   TABLE_OK &&
	       counter != NULL && item_number(counter, STR("Count")) == *items &&
	       table_sqlite_check(table, arena, &why) == TABLE_OK;
	table_close(table);
	arena_free(arena);
	return good;
}

static void
in_peace(struct sqlite_place *place)
{
	pid_t pids[PROCESSES];
	int64_t items;
	int status, failed = 0;

	for (int i = 0; i < PROCESSES; i++)
		pids[i] = start(place, i, TURNS, NULL);
	for (int i = 0; i < PROCESSES; i++)
		failed += waitpid(pids[i], &status, 0) != pids[i] || status != 0;
	is_int(failed, 0, "%d processes of %d threads write at once", PROCESSES, THREADS);
	ok(even(place, &items), "the counter equals what was counted");
	is_int(items, PROCESSES * THREADS * TURNS, "and nothing is missing");
}

/* While others die in the middle of a write, one continues to its end. */
static void
among_the_dead(struct sqlite_place *place)
{
	pid_t survivor = start(place, PROCESSES, TURNS * 4, NULL);
	struct timespec life = {.tv_nsec = 3000000};
	int64_t items;
	int status, failed = 0;

	for (int i = 0; i < VICTIMS; i++) {
		pid_t victim = start(place, PROCESSES + 1 + i, 1000000, NULL);

		life.tv_nsec = (life.tv_nsec + 7000000) % 40000000;
		nanosleep(&life, NULL);
		kill(victim, SIGKILL);
		failed += waitpid(victim, &status, 0) != victim || !WIFSIGNALED(status);
	}
	is_int(failed, 0, "%d processes are killed while they write", VICTIMS);
	ok(waitpid(survivor, &status, 0) == survivor && status == 0,
	    "another writes to its end among them");
	ok(even(place, &items), "and the counter still equals what was counted");
}

static bool
ended_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

static int64_t
counter_of(struct table *table, struct table_call *call)
{
	struct item *counter = NULL;

	table_get(table, call, (struct key){STR("counter"), STR("METADATA")}, &counter);
	return counter != NULL ? item_number(counter, STR("Count")) : -1;
}

static void
versions(struct sqlite_place *place)
{
	struct clock clock = clock_system();
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct table *table;
	struct read_set counter = {.count = 0}, other = {.count = 0};
	int gates[2][2];
	uint64_t version;
	int64_t before;
	pid_t pids[2];

	/*
	 * An open table does not go through a fork, so the others are there before it. The one whose gate
	 * opens last is made first: the other inherits this gate, but has ended by then.
	 */
	for (int i = 1; i >= 0; i--) {
		if (pipe2(gates[i], O_CLOEXEC) != 0)
			bail_out("no pipe");
		pids[i] = start(place, 98 + i, 1, gates[i]);
		close(gates[i][0]);
	}
	table = sqlite_place_open(place, &clock);
	if (table == NULL)
		bail_out("no table");
	version = table_version(table);
	read_set_note(&counter, &(struct read){.key = {STR("counter"), STR("METADATA")}});
	read_set_note(&other, &(struct read){.key = {STR("nothing"), STR("METADATA")}});
	close(gates[0][1]);
	ok(ended_well(pids[0]), "another process writes");
	ok(table_version(table) != version, "and the version has changed here");
	ok(!slots_unchanged(table->slots, &counter, version, table_version(table)) &&
		slots_unchanged(table->slots, &other, version, table_version(table)),
	    "the slots tell what it has written");
	version = table_version(table);
	table_hold(table, &call);
	before = counter_of(table, &call);
	close(gates[1][1]);
	ok(ended_well(pids[1]), "a third one writes");
	is_int(counter_of(table, &call), before, "who holds a moment does not see it");
	ok(table_version(table) != version, "but is told by the version");
	table_release(table, &call);
	is_int(counter_of(table, &call), before + THREADS, "and sees it after that");
	table_close(table);
	arena_free(arena);
}

int
main(void)
{
	struct sqlite_place place;

	sqlite_place_make(&place);
	in_peace(&place);
	among_the_dead(&place);
	versions(&place);
	sqlite_place_remove(&place);
	return tap_done();
}
