/* The sweeper: expired items are removed from the table and reported in the stream, others stay. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/people/leaving.h"
#include "model/site/lease.h"
#include "server/sweeper.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 450, NOW_S = 1794994200, TRIES = 3000 };

static size_t
count_items(struct table *table, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct walk_page page;

	if (table_walk(table, &call, STR(""), TABLE_QUERY_MAX, &page) != TABLE_OK)
		bail_out("the walk failed: %s", call.why);
	return page.count;
}

static void
fill(struct table *table, struct arena *arena)
{
	for (int i = 0; i <= ITEMS; i++) {
		struct table_call call = {.arena = arena};
		struct item item = {0};

		item_set(arena, &item, STR("PK"), value_string(STR("P")));
		item_set(arena, &item, STR("SK"), value_string(str_fmt(arena, "s%03d", i)));
		/* The last one has a minute left. */
		item_set(
		    arena, &item, TABLE_EXPIRES, value_number(i < ITEMS ? NOW_S - 1 : NOW_S + 60));
		if (table_put(table, &call, item) != TABLE_OK)
			bail_out("a put failed: %s", call.why);
	}
}

/* While one holds the lease, another does not sweep; when that has ended, it does. */
static void
one_of_two(struct table *table, const struct log *log, struct arena *arena)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	struct lease other = {.work = STR("sweep"), .holder = STR("another"), .lasts = 1000000};
	struct table_call call = {.arena = arena};
	struct sweeper *sweeper;
	size_t left = 0;
	bool held = false;

	/* Nothing of the sweepers before is in the way: they gave it up. */
	is_int(lease_keep(table, &call, &other, NOW_S * 1000LL, &held), TABLE_OK, "the lease");
	ok(held, "... was given up by those who have ended");
	fill(table, arena);
	sweeper = sweeper_start(table, NULL, log, 1, 1);
	for (int i = 0; i < 30; i++)
		nanosleep(&pause, NULL);
	is_int((int64_t)count_items(table, arena), ITEMS + 3,
	    "while another has it, nothing is swept");
	lease_give(table, &call, &other);
	for (int i = 0; i < TRIES && (left = count_items(table, arena)) != 3; i++)
		nanosleep(&pause, NULL);
	is_int((int64_t)left, 3,
	    "... and when that has ended, all is; the lease and the time are there");
	sweeper_stop(sweeper);
}

/* A person who has left for good: what remains of them is removed after the sweep. */
static void
sees_off(struct table *table, struct clock *clock, const struct log *log, struct arena *arena)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	const struct new_account noor = {.username = STR("noor"),
	    .email = STR("noor@example.org"),
	    .password = STR("hash"),
	    .status = USER_ACTIVE};
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = table, .call = &call, .now = NOW_S * 1000LL};
	struct sweeper *sweeper;
	struct account account;
	struct str next = STR("");

	if (account_create(&plan, &noor) != PLAN_DONE ||
	    account_find(&plan, STR("noor"), &account) != PLAN_DONE ||
	    account_leave(&plan, clock, &account.user, true) != PLAN_DONE ||
	    leaving_next(&plan, &next) != PLAN_DONE)
		bail_out("noor can't leave");
	is_str(next, STR("noor"), "somebody leaves");
	sweeper = sweeper_start(table, NULL, log, 1, 1);
	for (int i = 0; i < TRIES && next.len != 0; i++) {
		nanosleep(&pause, NULL);
		if (leaving_next(&plan, &next) != PLAN_DONE)
			bail_out("%s", call.why);
	}
	is_str(next, STR(""), "... and the sweeper works off what they left");
	sweeper_stop(sweeper);
}

/* The text of a comment that was hidden 31 days ago; of one of 29 days, nothing. */
static void
erases(struct table *table, const struct log *log, struct arena *arena)
{
	static const char *const hidden[] = {"2026-10-18T09:30:00.000Z", "2026-10-20T09:30:00.000Z"};
	const struct timespec pause = {.tv_nsec = 10000000};
	struct table_call call = {.arena = arena};
	struct read reads[2];
	struct sweeper *sweeper;
	bool done = false;

	for (int i = 0; i < 2; i++) {
		struct str id = str_fmt(arena, "0123456789abc%d", i);
		struct item item = {0};

		reads[i] = (struct read){
		    .kind = READ_GET, .key = key_comment(arena, STR("post"), id), .consistent = true};
		key_set(arena, &item, reads[i].key, ITEM_COMMENT);
		item_set(arena, &item, STR("Status"), value_string(STR("hidden")));
		item_set(arena, &item, STR("HiddenAt"), value_string(str_of(hidden[i])));
		item_set(arena, &item, STR("Markdown"), value_string(STR("Buy this.")));
		item_set(arena, &item, STR("GSI3PK"), value_string(STR("HIDDEN")));
		item_set(arena, &item, STR("GSI3SK"),
		    value_string(STR_CONCAT(arena, str_of(hidden[i]), STR("#"), id)));
		if (table_put(table, &call, item) != TABLE_OK)
			bail_out("a put failed: %s", call.why);
	}
	sweeper = sweeper_start(table, NULL, log, 1, 1);
	for (int i = 0; i < TRIES && !done; i++) {
		nanosleep(&pause, NULL);
		if (table_read(table, &call, reads, 2) != TABLE_OK)
			bail_out("%s", call.why);
		done = item_get(reads[0].item, STR("Markdown")) == NULL;
	}
	sweeper_stop(sweeper);
	ok(done, "what was hidden 31 days ago is erased");
	ok(item_get(reads[1].item, STR("Markdown")) != NULL, "... and what was 29 days ago is not");
	for (int i = 0; i < 2; i++) {
		struct write write = {.kind = WRITE_DELETE, .key = reads[i].key};

		table_write(table, &call, &write);
	}
}

/* --- A clock that jumps ------------------------------------------------------------------------------- */

/* What a sweeper has said. */
static size_t
told(int fd, const char *what)
{
	static char text[1 << 16];
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);
	size_t times = 0;

	text[len > 0 ? len : 0] = '\0';
	for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
		times++;
	return times;
}

/* How many of those that had expired from the start are left. */
static size_t
count_expired(struct table *table, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct walk_page page;
	size_t count = 0;

	if (table_walk(table, &call, STR(""), TABLE_QUERY_MAX, &page) != TABLE_OK)
		bail_out("the walk failed: %s", call.why);
	for (size_t i = 0; i < page.count; i++)
		count += item_number(&page.items[i], TABLE_EXPIRES) == NOW_S - 1;
	return count;
}

static bool
sweeps_all(struct table *table, struct arena *arena)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < TRIES && count_expired(table, arena) != 0; i++)
		nanosleep(&pause, NULL);
	return count_expired(table, arena) == 0;
}

/* A year ahead, with many rounds of a sweeper: nothing is removed. */
static void
jumps(struct table *table, struct clock *clock, struct arena *arena)
{
	const int64_t year = 365LL * 24 * 60 * 60 * 1000, right = clock->fixed_now;
	const struct timespec moment = {.tv_nsec = 300000000};
	struct log log = {.fd = open("said", O_RDWR | O_CREAT, 0600), .level = LOG_WARNING};
	struct table_call call = {.arena = arena};
	struct item revision = {0};
	struct sweeper *sweeper;

	fill(table, arena);
	clock->fixed_now += year;
	sweeper = sweeper_start(table, NULL, &log, 1, 1);
	nanosleep(&moment, NULL);
	is_int((int64_t)count_expired(table, arena), ITEMS,
	    "a clock that is a year ahead removes nothing");
	is_int((int64_t)told(log.fd, "The clock says"), 1, "... which is said once");
	item_set(arena, &revision, STR("PK"), value_string(STR("POST#p")));
	item_set(arena, &revision, STR("SK"), value_string(STR("REVISION#00000001")));
	item_set(arena, &revision, STR("Type"), value_string(STR("Revision")));
	if (table_put(table, &call, revision) != TABLE_OK)
		bail_out("%s", call.why);
	ok(sweeps_all(table, arena), "... until somebody saves");
	sweeper_stop(sweeper);
	clock->fixed_now = right;
	fill(table, arena);
	sweeper = sweeper_start(table, NULL, &log, 1, 1);
	ok(sweeps_all(table, arena), "when it goes back, what has expired goes on being removed,");
	sweeper_stop(sweeper);
	close(log.fd);
	unlink("said");
}

/* --- A table that is away ----------------------------------------------------------------------------- */

static enum table_rc
away(struct table *table, struct table_call *call, struct write *write)
{
	(void)table, (void)call, (void)write;
	return TABLE_UNAVAILABLE;
}

static void
is_away(struct table *table)
{
	const struct timespec moment = {.tv_nsec = 300000000};
	struct log log = {.fd = open("said", O_RDWR | O_CREAT, 0600), .level = LOG_WARNING};
	struct table_engine engine = *table->engine;
	struct table front = *table;
	struct sweeper *sweeper;

	engine.write = away;
	front.engine = &engine;
	sweeper = sweeper_start(&front, NULL, &log, 1, 1);
	nanosleep(&moment, NULL);
	sweeper_stop(sweeper);
	is_int((int64_t)told(log.fd, "failed"), 1,
	    "however often the table is found to be away, that is said once");
	close(log.fd);
	unlink("said");
}

int
main(void)
{
	const struct log log = {.fd = STDERR_FILENO, .level = LOG_WARNING};
	const struct timespec pause = {.tv_nsec = 10000000};
	struct clock clock = clock_fixed(NOW_S * 1000LL, 1);
	struct arena *arena = arena_new();
	char directory[] = "/tmp/broadsheet-sweeper-XXXXXX";
	struct table_call call = {.arena = arena};
	struct sweeper *sweeper;
	struct table *table;
	struct change_page page;
	struct str why;
	size_t left = 0, expired = 0;

	if (mkdtemp(directory) == NULL || chdir(directory) != 0)
		bail_out("no temporary folder");
	if (table_sqlite_open("b.db", TABLE_OPEN_CREATE, &clock, arena, &table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	fill(table, arena);
	is_int((int64_t)count_items(table, arena), ITEMS + 1,
	    "expired items lie in the table at first");
	sweeper = sweeper_start(table, NULL, &log, 1, 1);
	ok(sweeper != NULL, "the sweeper starts");
	for (int i = 0; i < TRIES && (left = count_items(table, arena)) != 3; i++)
		nanosleep(&pause, NULL);
	is_int((int64_t)left, 3,
	    "it removes all that have expired, over several rounds, and no other; it has the "
	    "lease, and keeps the time");
	sweeper_stop(sweeper);
	if (table_changes(table, &call, STREAM_OLDEST, TABLE_CHANGES_MAX, &page) != TABLE_OK)
		bail_out("%s", call.why);
	for (size_t i = 0; i < page.count; i++)
		expired += page.records[i].expired;
	is_int((int64_t)expired, ITEMS, "each of them is in the stream as expired");
	sweeper = sweeper_start(table, NULL, &log, 60000, 60000);
	sweeper_stop(sweeper);
	ok(true, "one that rests ends at once");
	sweeper_stop(NULL);
	one_of_two(table, &log, arena);
	sees_off(table, &clock, &log, arena);
	erases(table, &log, arena);
	jumps(table, &clock, arena);
	is_away(table);
	table_close(table);
	arena_free(arena);
	unlink("b.db");
	unlink("b.db-lock");
	unlink("b.db-wal");
	unlink("b.db-shm");
	rmdir(directory);
	return tap_done();
}
