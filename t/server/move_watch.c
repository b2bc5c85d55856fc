/* What a table says of itself while it moves to another store, and the thread that sees that it has moved. */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key_work.h"
#include "model/site/move.h"
#include "server/move_watch.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static const struct log quiet = {.fd = STDERR_FILENO, .level = LOG_ERROR};
static atomic_bool seen;

static void
moved(const struct log *log, struct str other)
{
	(void)log;
	seen = str_eq(other, STR("sqlite:b"));
}

static struct str
state_of(struct table *table, struct table_call *call)
{
	struct move move;

	if (move_get(table, call, &move) != TABLE_OK)
		bail_out("no state: %s", call->why);
	return move.state;
}

/* The source: a clock that stands still, and is set forward. */
static void
test_source(struct table *table, struct table_call *call, struct clock *clock)
{
	const struct str to = STR("sqlite:b"), a = STR("process a"), b = STR("process b");

	is_int(move_close(table, call, to, a), TABLE_OK, "A table is closed,");
	is_int(move_close(table, call, STR("sqlite:c"), b), TABLE_CONDITION, "... and not for another one.");
	clock->fixed_now += MOVE_CLOSED_MS - MOVE_MARGIN_MS;
	is_int(move_finish(table, call, to, a), TABLE_CONDITION, "It has not moved when it may soon be open again.");
	is_int(move_close(table, call, to, b), TABLE_OK, "Another process closes it for the same one,");
	is_int(move_finish(table, call, to, a), TABLE_CONDITION, "... so that the first can't go on,");
	is_int(move_open(table, call, a), TABLE_OK, "... nor open it:");
	is_str(state_of(table, call), STR("closing"), "it stays closed.");
	clock->fixed_now += MOVE_CLOSED_MS + 2000;
	is_str(state_of(table, call), STR(""), "By itself it opens.");
	is_int(move_finish(table, call, to, b), TABLE_CONDITION, "Then nothing was handed over.");
	is_int(move_close(table, call, STR("sqlite:c"), b), TABLE_OK, "Now it can be closed for another one.");
	is_int(move_open(table, call, b), TABLE_OK, "Who has closed it opens it.");
	is_str(state_of(table, call), STR(""), "It is a table as any other.");
}

static void
test_copy(struct table *table, struct table_call *call)
{
	struct move move = {.other = STR("sqlite:a"), .holder = STR("process a"), .cursor = STR("\x01")};
	struct write guard = move_guard(call->arena, STR("process a"));
	struct write check = guard;

	is_int(move_keep(table, call, &move, false), TABLE_CONDITION, "What is no copy does not become one by and by.");
	is_int(move_keep(table, call, &move, true), TABLE_OK, "A copy begins,");
	is_int(move_keep(table, call, &move, false), TABLE_OK, "... and goes on.");
	call->past_fence = true;
	is_int(table_transact(table, call, &check, 1, STR("")), TABLE_OK, "Who copies may write.");
	move.holder = STR("process b");
	is_int(move_keep(table, call, &move, true), TABLE_OK, "Another process goes on with it:");
	check = guard;
	call->past_fence = true;
	is_int(table_transact(table, call, &check, 1, STR("")), TABLE_CANCELLED, "the first may not write any more,");
	call->past_fence = false;
	is_int(move_release(table, call, STR("process a")), TABLE_CONDITION, "... nor say that it is no copy;");
	is_int(move_release(table, call, STR("process b")), TABLE_OK, "the other may.");
}

static void
test_watch(struct table *table, struct table_call *call)
{
	const struct str holder = STR("process c");
	struct move_watch *watch = move_watch_start(table, &quiet, moved);
	unsigned number = 0;

	ok(watch != NULL, "A watch is there.");
	if (move_close(table, call, STR("sqlite:b"), holder) != TABLE_OK ||
	    move_finish(table, call, STR("sqlite:b"), holder) != TABLE_OK)
		bail_out("no move: %s", call->why);
	while (!seen)
		nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
	ok(true, "It sees that the table has moved, and where.");
	move_watch_stop(watch);
	is_int(move_mark(table, call, holder), TABLE_OK, "Marks are put,");
	ok(key_is_move_mark(key_move_mark(call->arena, 255, holder), holder, &number) && number == 255 &&
		!key_is_move_mark(key_move_mark(call->arena, 255, holder), STR("process d"), &number),
	    "... which are known by who has put them.");
	ok(move_skips(key_move()) && move_skips(key_move_mark(call->arena, 1, holder)) &&
		!move_skips((struct key){STR("SITE"), STR("SETTINGS")}),
	    "No copy has them.");
}

int
main(void)
{
	struct test_store store;
	struct clock clock = clock_fixed(INT64_C(1793000000000), 1);
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct table *table = test_store_open(&store, &clock);

	table->fence = key_move();
	test_source(table, &call, &clock);
	test_copy(table, &call);
	test_watch(table, &call);
	test_store_close(&store);
	arena_free(arena);
	return tap_done();
}
