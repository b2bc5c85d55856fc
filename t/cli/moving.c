/*
 * A table that is moved to another store and back by `broadsheet copy --follow`, while others write: whatever was
 * acknowledged is there once, in the store that the site has moved to, also where the copy is killed again and again.
 */
#include "lib/paths.h"
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_work.h"
#include "model/site/move.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	WRITERS = 3,
	BEFORE = 150,
	AFTER = 10,
	DURING = 60, /* that each writes at most while a copy runs: the slower the machine, the more it would be */
	KILLS = 8,
	PAUSE_MS = 20
};

struct place {
	struct test_store store;
	struct clock clock;
	struct table *tables[2];
	const char *names[2];
	atomic_bool stop;
	atomic_uint refused;
	atomic_uint allowed; /* steps of each writer, in all */
};

/* Puts an item of its own at each step, counts it, and takes away an older one now and then. */
struct writer {
	struct place *place;
	pthread_t thread;
	int number, at; /* at: which table it writes to */
	atomic_uint done;
};

static void
pause_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* --- What is written ---------------------------------------------------------------------------------- */

static bool
takes_away(unsigned step)
{
	return step % 4 == 3;
}

/* Is the item of a step there when so many are done? */
static bool
is_there(unsigned step, unsigned done)
{
	return step % 4 != 1 || step + 2 >= done;
}

static struct key
key_of(struct arena *arena, int writer, unsigned step)
{
	return (struct key){str_fmt(arena, "W#%d", writer), str_fmt(arena, "S#%06u", step)};
}

static enum table_rc
write_step(struct writer *w, struct table_call *call, unsigned step)
{
	static const struct condition absent = {COND_MISSING, .name = STR_INIT("PK")},
				      there = {COND_EXISTS, .name = STR_INIT("PK")};
	const struct change add = {CHANGE_ADD, STR("N"), value_number(1)};
	const struct key key = key_of(call->arena, w->number, step);
	struct write writes[3] = {
	    {.kind = WRITE_PUT, .condition = &absent},
	    {.kind = WRITE_UPDATE,
		.key = {str_fmt(call->arena, "N#%d", w->number), STR("N")},
		.changes = &add,
		.change_count = 1},
	    {.kind = WRITE_DELETE, .condition = &there},
	};

	item_set(call->arena, &writes[0].item, STR("PK"), value_string(key.pk));
	item_set(call->arena, &writes[0].item, STR("SK"), value_string(key.sk));
	item_set(call->arena, &writes[0].item, STR("GSI1PK"), value_string(STR("ALL")));
	item_set(call->arena, &writes[0].item, STR("GSI1SK"), value_string(STR_CONCAT(call->arena, key.pk, key.sk)));
	if (takes_away(step))
		writes[2].key = key_of(call->arena, w->number, step - 2);
	return table_transact(w->place->tables[w->at], call, writes, takes_away(step) ? 3 : 2, STR(""));
}

static void *
write_on(void *context)
{
	struct writer *w = context;
	struct arena *arena = arena_new();

	while (!w->place->stop) {
		struct table_call call = {.arena = arena};
		enum table_rc rc = TABLE_OK;
		bool waits = w->done >= w->place->allowed;

		if (!waits)
			rc = write_step(w, &call, w->done);
		if (rc == TABLE_OK && !waits) {
			w->done++;
		} else if (rc == TABLE_THROTTLED) {
			w->place->refused++;
			w->at = !w->at;
		} else if (rc != TABLE_OK) {
			bail_out("writer %d, step %u: %s", w->number, w->done, call.why);
		}
		pause_ms(PAUSE_MS);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

/* Until each has written so much more. */
static void
await_writes(const struct writer writers[WRITERS], unsigned more)
{
	for (int i = 0; i < WRITERS; i++) {
		unsigned until = writers[i].done + more;

		for (writers[i].place->allowed += more; writers[i].done < until;)
			pause_ms(PAUSE_MS);
	}
}

static struct item *
get(struct table *table, struct table_call *call, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(table, call, &read, 1) != TABLE_OK)
		bail_out("no read: %s", call->why);
	return read.item;
}

/* What one has written is there once, and nothing else. */
static void
check_writer(const struct writer *w, struct table *table)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct item *count = get(table, &call, (struct key){str_fmt(arena, "N#%d", w->number), STR("N")});
	unsigned wrong = 0, done = w->done;

	is_int(count != NULL ? item_number(count, STR("N")) : -1, done, "writer %d: each write counts once", w->number);
	for (unsigned step = 0; step < done; step++)
		wrong += (get(table, &call, key_of(arena, w->number, step)) != NULL) != is_there(step, done);
	wrong += get(table, &call, key_of(arena, w->number, done)) != NULL;
	is_int(wrong, 0, "... of %u items each is there, or was taken away", done);
	arena_free(arena);
}

/* --- The command -------------------------------------------------------------------------------------- */

/* `word`: what is typed; NULL: nothing. */
static pid_t
start_copy(struct place *p, int from, const char *option, const char *word)
{
	const char *words[] = {TOP_BUILDDIR "/broadsheet", "copy", p->names[from], p->names[!from],
	    "--follow", option, option != NULL ? "--replace" : NULL, NULL};
	int input[2], silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid_t pid;

	if (silent < 0 || pipe(input) != 0)
		bail_out("no pipe");
	p->allowed += DURING;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(input[0], STDIN_FILENO);
		dup2(silent, STDOUT_FILENO);
		if (getenv("TEST_VERBOSE") == NULL)
			dup2(silent, STDERR_FILENO);
		close(input[1]);
		execv(words[0], (char *const *)(uintptr_t)words);
		_exit(127);
	}
	if (word != NULL && write(input[1], word, strlen(word)) != (ssize_t)strlen(word))
		bail_out("no word");
	close(input[0]);
	close(input[1]);
	close(silent);
	return pid;
}

static int
await_copy(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		bail_out("no copy to wait for");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct str
state_of(struct place *p, int which, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct move move;

	if (move_get(p->tables[which], &call, &move) != TABLE_OK)
		bail_out("no state: %s", call.why);
	return move.state;
}

static void
check_moved(struct place *p, int from)
{
	struct arena *arena = arena_new();

	is_str(state_of(p, from, arena), STR("moved"), "The one says that it has moved,");
	is_str(state_of(p, !from, arena), STR(""), "... and the other is a table as any other.");
	arena_free(arena);
}

/* --- The tests ---------------------------------------------------------------------------------------- */

/* How long it took, in milliseconds. */
static int64_t
move_at_once(struct place *p, struct writer writers[WRITERS])
{
	int64_t began;

	await_writes(writers, BEFORE / WRITERS);
	began = clock_monotonic(&p->clock);
	is_int(await_copy(start_copy(p, 0, NULL, "what?\nhand over\n")), 0, "On a word, a table is handed over,");
	began = clock_monotonic(&p->clock) - began;
	check_moved(p, 0);
	await_writes(writers, AFTER);
	ok(true, "... and writers go on there.");
	is_int(await_copy(start_copy(p, 0, NULL, NULL)), 1, "What has moved is not moved once more.");
	return began;
}

/* Where the site is: the copy that was killed may have handed it over already, but not have opened it. */
static int
home_after(struct place *p, int home)
{
	struct arena *arena = arena_new();
	bool moved = str_eq(state_of(p, home, arena), MOVE_MOVED) &&
		     !str_eq(state_of(p, !home, arena), MOVE_COPY);

	arena_free(arena);
	return moved ? !home : home;
}

/* At any moment of a move that takes about so long. */
static int
move_and_kill(struct place *p, struct writer writers[WRITERS], int64_t took)
{
	unsigned chance, killed = 0, moves = 0;
	int home = 1;

	while (killed < KILLS) {
		pid_t pid = start_copy(p, home, "--hand-over", NULL);
		int next;

		p->clock.random(&p->clock, &chance, sizeof(chance));
		pause_ms((int)(chance % (unsigned)(2 * took + 1)));
		kill(pid, SIGKILL);
		killed += await_copy(pid) == 128 + SIGKILL;
		next = home_after(p, home);
		moves += next != home;
		home = next;
	}
	is_int(await_copy(start_copy(p, home, "--hand-over", NULL)), 0, "What was killed goes on to its end,");
	printf("# killed %u times, moved %u times meanwhile\n", killed, moves);
	check_moved(p, home);
	await_writes(writers, AFTER);
	ok(true, "... and writers go on there.");
	return !home;
}

int
main(void)
{
	struct place p = {.clock = clock_system()};
	struct arena *arena = arena_new();
	struct writer writers[WRITERS];
	struct str why;
	int home;

	p.tables[0] = test_store_open(&p.store, &p.clock);
	p.names[0] = p.store.name[0] != '\0' ? str_fmt(arena, "dynamodb:%s", p.store.name).base
					     : str_fmt(arena, "sqlite:%s/table.db", p.store.folder).base;
	p.names[1] = str_fmt(arena, "sqlite:%s/other.db", p.store.folder).base;
	if (table_sqlite_open(p.names[1] + strlen("sqlite:"), TABLE_OPEN_CREATE, &p.clock, arena, &p.tables[1],
		&why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	p.tables[1]->deadline_ms = p.tables[0]->deadline_ms;
	p.tables[0]->fence = p.tables[1]->fence = key_move();
	for (int i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){.place = &p, .number = i};
		if (pthread_create(&writers[i].thread, NULL, write_on, &writers[i]) != 0)
			bail_out("no thread");
	}
	home = move_and_kill(&p, writers, move_at_once(&p, writers));
	p.stop = true;
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i].thread, NULL);
		check_writer(&writers[i], p.tables[home]);
	}
	printf("# writers were refused %u times\n", p.refused);
	table_close(p.tables[1]);
	test_store_close(&p.store);
	arena_free(arena);
	return tap_done();
}
