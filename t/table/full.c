/*
 * The embedded table without space. A full disk, or a file that may not grow, ends writes with
 * TABLE_FULL or TABLE_UNAVAILABLE and leaves reads as they are; with space again, writes continue.
 * Without memory the process ends, at whatever allocation, and leaves the file valid.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "fault_calls.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { TEXT = 40 * 1024, DISK = 4 * 1024 * 1024, WRITES_MAX = 1000, MEMORY_TRIES_MAX = 400 };

/* What a child ends with: 0 is good, the others say what was not. */
enum verdict {
	GOOD,
	NO_TABLE,
	NEVER_FULL,
	WRONG_ANSWER,
	LOST,
	NO_READS,
	NOT_AGAIN,
	UNSOUND,
	NO_MOUNT,
};

static const char *const verdicts[] = {[GOOD] = "good",
    [NO_TABLE] = "no table",
    [NEVER_FULL] = "it never got full",
    [WRONG_ANSWER] = "a wrong answer",
    [LOST] = "an acknowledged write is lost",
    [NO_READS] = "reads fail",
    [NOT_AGAIN] = "writes do not go on",
    [UNSOUND] = "the file is not sound",
    [NO_MOUNT] = "no leave to mount"};

struct bench {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
};

static enum table_rc
put(struct bench *bench, int n, size_t bytes)
{
	struct table_call call = {.arena = bench->arena};
	struct item item = {0};
	enum table_rc rc;

	item_set(bench->arena, &item, STR("PK"), value_string(STR("full")));
	item_set(bench->arena, &item, STR("SK"), value_string(str_fmt(bench->arena, "%06d", n)));
	item_set(bench->arena, &item, STR("Data"),
	    value_binary((struct str){arena_alloc(bench->arena, bytes), bytes}));
	rc = table_put(bench->table, &call, item);
	/* The message for a full disk names the file. */
	if (rc == TABLE_FULL && strstr(call.why, bench->place.path) == NULL)
		rc = TABLE_INVALID;
	return rc;
}

/* The number of items, by a query; -1 when it fails. */
static int
there(struct bench *bench)
{
	struct table_call call = {.arena = bench->arena};
	struct query query = {.partition = STR("full"), .limit = TABLE_QUERY_MAX};
	struct item *items;
	struct str next;
	size_t count;

	if (table_query(bench->table, &call, &query, &items, &count, &next) != TABLE_OK)
		return -1;
	return (int)count;
}

/* Writes until it does not go on; then what was acknowledged must be there, no more and no less. */
static enum verdict
fill_up(struct bench *bench, int *acked)
{
	enum table_rc rc = TABLE_OK;

	for (*acked = 0; *acked < WRITES_MAX; ++*acked) {
		arena_reset(bench->arena);
		rc = put(bench, *acked, TEXT);
		if (rc != TABLE_OK)
			break;
	}
	if (rc == TABLE_OK)
		return NEVER_FULL;
	if (rc != TABLE_FULL && rc != TABLE_UNAVAILABLE)
		return WRONG_ANSWER;
	if (there(bench) < 0)
		return NO_READS;
	return there(bench) == *acked ? GOOD : LOST;
}

static enum verdict
go_on(struct bench *bench, int acked)
{
	struct str why;

	if (put(bench, acked, 100) != TABLE_OK || there(bench) != acked + 1)
		return NOT_AGAIN;
	table_close(bench->table);
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL || there(bench) != acked + 1)
		return LOST;
	return table_sqlite_check(bench->table, bench->arena, &why) == TABLE_OK ? GOOD : UNSOUND;
}

/* A file of this size, whose removal frees space. */
static bool
make_ballast(const char *path, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool made = fd >= 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0;

	if (fd >= 0)
		close(fd);
	return made;
}

static enum verdict
full_disk(struct bench *bench)
{
	char ballast[128];
	enum verdict verdict;
	int acked;

	snprintf(ballast, sizeof(ballast), "%s/ballast", bench->place.folder);
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", bench->place.folder, "tmpfs", 0, "size=4m") != 0)
		return NO_MOUNT;
	if (!make_ballast(ballast, DISK / 4))
		return NO_MOUNT;
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL)
		return NO_TABLE;
	verdict = fill_up(bench, &acked);
	if (verdict != GOOD)
		return verdict;
	unlink(ballast);
	verdict = go_on(bench, acked);
	table_close(bench->table);
	return verdict;
}

static enum verdict
short_file(struct bench *bench)
{
	struct rlimit limit;
	enum verdict verdict;
	int acked;

	signal(SIGXFSZ, SIG_IGN);
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL || getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return NO_TABLE;
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){DISK, limit.rlim_max});
	verdict = fill_up(bench, &acked);
	setrlimit(RLIMIT_FSIZE, &limit);
	if (verdict == GOOD)
		verdict = go_on(bench, acked);
	table_close(bench->table);
	return verdict;
}

/* Does the deed in a child, with a place of its own. */
static enum verdict in_child(enum verdict (*deed)(struct bench *))
{
	struct bench bench = {.clock = clock_system()};
	int status;
	pid_t pid;

	sqlite_place_make(&bench.place);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bench.arena = arena_new();
		_exit((int)deed(&bench));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		status = WRONG_ANSWER << 8;
	sqlite_place_remove(&bench.place);
	return (enum verdict)WEXITSTATUS(status);
}

/* --- Memory ----------------------------------------------------------------------------------------- */

/* The abort is expected: no core, and no word of it on the test's output. */
static void
be_quiet(void)
{
	int null = open("/dev/null", O_WRONLY);

	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (null >= 0)
		dup2(null, STDERR_FILENO);
}

/*
 * Puts an item while the n-th of SQLite's allocations fails, and all after it; exits with the
 * answer.
 */
_Noreturn static void
starve(struct bench *bench, unsigned n)
{
	enum table_rc rc;

	be_quiet();
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL)
		_exit(255);
	faults_arm_memory(n);
	rc = put(bench, (int)n, TEXT);
	faults_arm_memory(0);
	_exit((int)rc);
}

/* Is what the child left in order, and the item there if it said so? */
static bool
left_sound(struct bench *bench, unsigned n, int status, bool *struck)
{
	struct table_call call = {.arena = bench->arena};
	struct key key = {STR("full"), str_fmt(bench->arena, "%06d", (int)n)};
	struct item *item = NULL;
	struct str why;
	bool sound;

	*struck = WIFSIGNALED(status);
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	sound = bench->table != NULL && table_get(bench->table, &call, key, &item) == TABLE_OK &&
		table_sqlite_check(bench->table, bench->arena, &why) == TABLE_OK;
	if (WIFSIGNALED(status))
		sound = sound && WTERMSIG(status) == SIGABRT;
	else
		sound = sound && WEXITSTATUS(status) == TABLE_OK && item != NULL;
	if (!sound)
		fprintf(stderr, "# allocation %u: status %d, the item is %s\n", n, status,
		    item != NULL ? "there" : "not there");
	table_close(bench->table);
	return sound;
}

/* Each allocation of a put fails in its turn, until a put needs no more than it gets. */
static void
starving(void)
{
	struct bench bench = {.clock = clock_system(), .arena = arena_new()};
	bool sound = true, struck = true;
	unsigned tries = 0, aborts = 0;
	int status;

	sqlite_place_make(&bench.place);
	for (unsigned n = 1; sound && struck && tries < MEMORY_TRIES_MAX; n += 1 + n / 8) {
		pid_t pid;

		arena_reset(bench.arena);
		fflush(stdout);
		pid = fork();
		if (pid == 0)
			starve(&bench, n);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			bail_out("no child");
		sound = left_sound(&bench, n, status, &struck);
		aborts += struck;
		tries++;
	}
	ok(sound && aborts != 0,
	    "out of memory at any of SQLite's allocations: %u aborts in %u tries,"
	    " and the file is sound",
	    aborts, tries);
	ok(!struck, "and with memory enough the put is made");
	sqlite_place_remove(&bench.place);
	arena_free(bench.arena);
}

/* The same for the whole process, by the system's own limit; sanitizers need all memory. */
_Noreturn static void
outgrow(struct bench *bench)
{
	be_quiet();
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL)
		_exit(255);
	setrlimit(RLIMIT_AS, &(struct rlimit){256 << 20, 256 << 20});
	/* The arena is never reset, so it grows until there is no more. */
	for (int n = 0; n < 100000; n++)
		if (put(bench, n, 300 * 1024) != TABLE_OK)
			_exit(254);
	_exit(253);
}

static void
outgrowing(void)
{
	struct bench bench = {.clock = clock_system(), .arena = arena_new()};
	struct str why;
	int status = 0;
	pid_t pid;

	sqlite_place_make(&bench.place);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		outgrow(&bench);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		bail_out("no child");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
	    "a process without memory aborts (status %d)", status);
	bench.table = sqlite_place_open(&bench.place, &bench.clock);
	ok(bench.table != NULL && table_sqlite_check(bench.table, bench.arena, &why) == TABLE_OK,
	    "and leaves a sound file");
	table_close(bench.table);
	sqlite_place_remove(&bench.place);
	arena_free(bench.arena);
}

int
main(void)
{
	enum verdict verdict;

	faults_install();
	verdict = in_child(full_disk);
	if (verdict == NO_MOUNT)
		ok(true, "a full disk # SKIP no leave to mount one");
	else
		ok(verdict == GOOD, "a full disk ends writes, not reads, and goes on with room: %s",
		    verdicts[verdict]);
	verdict = in_child(short_file);
	ok(verdict == GOOD, "and so does a file that may not grow: %s", verdicts[verdict]);
	starving();
	if (!SANITIZED)
		outgrowing();
	return tap_done();
}
