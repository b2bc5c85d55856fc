/*
 * Killed at any moment, the embedded table loses nothing that it acknowledged and shows no partial
 * transaction. A child writes with many threads and acknowledges through a pipe what was answered with
 * TABLE_OK; it is killed with SIGKILL after a random time; another child opens the file and checks it.
 *
 * A thread's n-th write is a transaction of three items and a counter when n divides by 3, else a
 * single put. So what a thread has acknowledged is a number, from which follows what must be there.
 *
 * This tests the program's order of writes, not the disk's: a killed process loses nothing of what it
 * has written, synced or not.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	THREADS = 6,
	NEW_ROUNDS = 40, /* that begin with no file at all */
	ROUNDS = 260,    /* that go on with what the last one left */
	MICROS = 15000,  /* the longest life, or the longest after the first write */
	TIDY_EVERY = 25, /* rounds after which the table is closed as it should be */
	TIMEOUT_MS = 10000,
	WRITES_MAX = 500, /* of a thread, should it live much longer than it was to */
	TEXT = 400,
};

struct ack {
	uint8_t thread;
	uint8_t rc;
};

struct rounds {
	struct sqlite_place place;
	unsigned acked[NEW_ROUNDS + ROUNDS][THREADS];
	int round;
};

struct worker {
	struct table *table;
	int round, thread, pipe;
};

/* --- The writing child ------------------------------------------------------------------------------ */

static struct str
partition_of(struct arena *arena, int round, int thread)
{
	return str_fmt(arena, "round %03d thread %d", round, thread);
}

static struct write
put_of(struct arena *arena, const struct worker *worker, unsigned n, char part)
{
	static const char text[TEXT];
	struct write write = {.kind = WRITE_PUT};

	item_set(arena, &write.item, STR("PK"),
	    value_string(partition_of(arena, worker->round, worker->thread)));
	item_set(arena, &write.item, STR("SK"), value_string(str_fmt(arena, "%06u#%c", n, part)));
	item_set(arena, &write.item, STR("GSI1PK"), value_string(STR("all")));
	item_set(arena, &write.item, STR("GSI1SK"),
	    value_string(str_fmt(arena, "%d#%d#%u#%c", worker->round, worker->thread, n, part)));
	item_set(arena, &write.item, STR("Text"), value_string((struct str){text, TEXT}));
	return write;
}

static enum table_rc
write_one(struct arena *arena, const struct worker *worker, unsigned n)
{
	struct table_call call = {.arena = arena};
	struct change one = {.op = CHANGE_ADD, .name = STR("Count"), .value = value_number(1)};
	struct write writes[] = {
	    put_of(arena, worker, n, 'a'),
	    put_of(arena, worker, n, 'b'),
	    put_of(arena, worker, n, 'c'),
	    {.kind = WRITE_UPDATE,
		.key = {STR("counter"), str_fmt(arena, "%03d", worker->round)},
		.changes = &one,
		.change_count = 1},
	};

	if (n % 3 == 0)
		return table_transact(worker->table, &call, writes, 4, STR(""));
	return table_write(worker->table, &call, &writes[0]);
}

static void *
write_on(void *context)
{
	const struct worker *worker = context;
	struct arena *arena = arena_new();
	enum table_rc rc = TABLE_OK;

	for (unsigned n = 0; rc == TABLE_OK; n++) {
		if (n == WRITES_MAX)
			for (;;)
				pause();
		struct ack ack = {.thread = (uint8_t)worker->thread};

		rc = write_one(arena, worker, n);
		ack.rc = (uint8_t)rc;
		if (write(worker->pipe, &ack, sizeof(ack)) != sizeof(ack))
			break;
		arena_reset(arena);
	}
	return NULL;
}

_Noreturn static void
child(struct rounds *rounds, int pipe)
{
	struct clock clock = clock_system();
	struct table *table = sqlite_place_open(&rounds->place, &clock);
	struct worker workers[THREADS];
	pthread_t ids[THREADS];

	if (table == NULL) {
		struct ack ack = {.rc = TABLE_UNAVAILABLE};

		_exit(write(pipe, &ack, sizeof(ack)) == sizeof(ack) ? 1 : 2);
	}
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){table, rounds->round, i, pipe};
		if (pthread_create(&ids[i], NULL, write_on, &workers[i]) != 0)
			_exit(3);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	/* Only a failed write gets here; its acknowledgement says so. */
	_exit(4);
}

/* --- What is left --------------------------------------------------------------------------------------- */

/* How many of one write's items are there, walking on in the partition's items. */
static unsigned
parts_of(struct arena *arena, const struct item *items, size_t count, size_t *at, unsigned n)
{
	struct str prefix = str_fmt(arena, "%06u#", n);
	unsigned parts = 0;

	while (*at < count && str_starts(item_key(&items[*at]).sk, prefix)) {
		parts++;
		++*at;
	}
	return parts;
}

/* Everything that one thread of one round should have left; the transactions are counted. */
static bool
thread_sound(struct rounds *rounds, struct table *table, int round, int thread, int64_t *counted)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct query query = {.partition = partition_of(arena, round, thread), .limit = 1000};
	struct item *items;
	struct str next;
	size_t count, at = 0;
	unsigned n, parts = 1, acked = rounds->acked[round][thread];
	bool sound =
	    table_query(table, &call, &query, &items, &count, &next) == TABLE_OK && next.len == 0;

	/* The write after the last acknowledged one may be there or not, but not partially. */
	for (n = 0; sound && (n <= acked || at < count) && parts != 0; n++) {
		parts = parts_of(arena, items, count, &at, n);
		sound = parts == (n % 3 == 0 ? 3 : 1) || (parts == 0 && n == acked);
		*counted += n % 3 == 0 && parts == 3;
	}
	if (!sound || at != count) {
		fprintf(stderr,
		    "# round %d thread %d: %u acknowledged, broken at %u with %u parts,"
		    " %zu items in all\n",
		    round, thread, acked, n - 1, parts, count);
		sound = false;
	}
	arena_free(arena);
	return sound;
}

static bool
round_sound(struct rounds *rounds, struct table *table, int round)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct key key = {STR("counter"), str_fmt(arena, "%03d", round)};
	struct item *counter;
	int64_t counted = 0;
	bool sound = table_get(table, &call, key, &counter) == TABLE_OK;

	for (int thread = 0; thread < THREADS; thread++)
		sound = thread_sound(rounds, table, round, thread, &counted) && sound;
	if (sound && counted != (counter != NULL ? item_number(counter, STR("Count")) : 0)) {
		fprintf(stderr, "# round %d: the counter does not count its transactions\n", round);
		sound = false;
	}
	table_release(table, &call);
	arena_free(arena);
	return sound;
}

/* Looks in a child, which mostly leaves the log for the next to recover. */
static bool
look(struct rounds *rounds, bool tidy)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct clock clock = clock_system();
		struct table *table = sqlite_place_open(&rounds->place, &clock);
		bool sound = table != NULL && round_sound(rounds, table, rounds->round);

		if (tidy)
			table_close(table);
		fflush(stdout);
		_exit(sound ? 0 : 1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* --- The rounds ------------------------------------------------------------------------------------------ */

/*
 * Lets a child run for a while, from its start or from when it is `writing`, kills it and notes
 * what it had acknowledged.
 */
static bool
kill_one(struct rounds *rounds, long micros, bool writing)
{
	struct timespec life = {.tv_nsec = micros * 1000};
	bool failed = false;
	struct ack ack;
	int ends[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) != 0 || (pid = fork()) < 0)
		bail_out("no child");
	if (pid == 0) {
		close(ends[0]);
		child(rounds, ends[1]);
	}
	close(ends[1]);
	if (writing)
		poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, TIMEOUT_MS);
	nanosleep(&life, NULL);
	kill(pid, SIGKILL);
	while (read(ends[0], &ack, sizeof(ack)) == sizeof(ack)) {
		if (ack.rc == TABLE_OK)
			rounds->acked[rounds->round][ack.thread]++;
		else
			failed = true;
	}
	close(ends[0]);
	waitpid(pid, &status, 0);
	if (failed || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
		fprintf(stderr, "# round %d: a write failed, or the child ended by itself (%d)\n",
		    rounds->round, status);
		return false;
	}
	return true;
}

static void
all_rounds(struct rounds *rounds, int from, int to, bool new, const char *sentence)
{
	struct clock clock = clock_fixed(0, (uint64_t)time(NULL));
	int killed = 0, sound = 0, empty = 0;

	for (int round = from; round < to; round++) {
		unsigned acked = 0;
		uint32_t draw;

		clock.random(&clock, &draw, sizeof(draw));
		if (new) {
			sqlite_place_remove(&rounds->place);
			sqlite_place_make(&rounds->place);
		}
		rounds->round = round;
		killed += kill_one(rounds, draw % MICROS, round % 3 != 0);
		sound += look(rounds, round % TIDY_EVERY == 0);
		for (int thread = 0; thread < THREADS; thread++)
			acked += rounds->acked[round][thread];
		empty += acked == 0;
	}
	is_int(killed, to - from, "%s: killed while writing, %d times", sentence, to - from);
	is_int(sound, to - from, "and all that was acknowledged is there each time");
	ok(empty < to - from, "(%d times it was killed before it had written)", empty);
}

/* Everything that any round left is still there, and the file is sound. */
static void
the_end(struct rounds *rounds)
{
	struct clock clock = clock_system();
	struct table *table = sqlite_place_open(&rounds->place, &clock);
	struct arena *arena = arena_new();
	unsigned acked = 0;
	struct str why = STR("");
	bool sound = true;

	if (table == NULL)
		bail_out("the table can't be opened");
	for (int round = NEW_ROUNDS; round < NEW_ROUNDS + ROUNDS; round++) {
		sound = round_sound(rounds, table, round) && sound;
		for (int thread = 0; thread < THREADS; thread++)
			acked += rounds->acked[round][thread];
	}
	ok(sound, "after all of it every one of %u acknowledged writes is there", acked);
	ok(table_sqlite_check(table, arena, &why) == TABLE_OK, "and SQLite finds the file sound");
	if (why.len != 0)
		tap_show("why", why);
	table_close(table);
	arena_free(arena);
}

int
main(void)
{
	static struct rounds rounds;

	sqlite_place_make(&rounds.place);
	all_rounds(&rounds, 0, NEW_ROUNDS, true, "a table being made");
	sqlite_place_remove(&rounds.place);
	sqlite_place_make(&rounds.place);
	all_rounds(&rounds, NEW_ROUNDS, NEW_ROUNDS + ROUNDS, false, "a table in use");
	the_end(&rounds);
	sqlite_place_remove(&rounds.place);
	return tap_done();
}
