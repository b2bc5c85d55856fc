/*
 * bench/stream [COMMENTS]: what the stream worker takes (docs/worker.md).
 *
 * First the comments of a busy day are put past it, and it catches up with them, alone in its process: changes
 * a second, by the clock and by the CPU time, and how much memory the process took. Wanted: 5,000 on SQLite, 500 on DynamoDB. Then 50
 * changes a second come for some seconds while it works beside them on a thread of its own, and it is looked up how old the
 * oldest change is that was not handled. Wanted: 99 of 100 times at most 2 seconds.
 *
 *	script/build opt bench/stream && build/opt/bench/stream
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "base/log.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_work.h"
#include "model/site/work.h"
#include "text/markdown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define POST "the-tide-in-forty-lines-of-c"
enum { COMMENTS = 20000, A_SECOND = 50, SECONDS = 10, NS = 1000000000, LOOK_MS = 20 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / NS;
}

static void
put_comment(struct table *table, int64_t now, int number, const char *name)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct item item = {0};
	struct str id = id_make(arena, now + number, (uint32_t)number);

	key_set(arena, &item, key_comment(arena, STR(POST), id), ITEM_COMMENT);
	item_set(arena, &item, STR("Id"), value_string(id));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, now)));
	item_set(arena, &item, STR("Author"), value_string(STR("kofi")));
	item_set(arena, &item, STR("AuthorName"), value_string(str_of(name)));
	item_set(arena, &item, STR("Post"), value_string(STR(POST)));
	item_set(arena, &item, STR("Markdown"), value_string(STR("The tide turns when it turns.")));
	item_set(arena, &item, STR("HTML"), value_string(STR("<p>The tide turns when it turns.</p>\n")));
	item_set(arena, &item, STR("Renderer"), value_number(MARKDOWN_RENDERER));
	item_set(arena, &item, STR("Status"), value_string(STR("visible")));
	if (table_put(table, &call, item) != TABLE_OK)
		bail_out("a comment is not written");
	arena_free(arena);
}

static struct work_state
state_of(struct table *table, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct work work;

	if (work_load(table, &call, &work) != TABLE_OK)
		bail_out("no state");
	return work.state;
}

static void
catch_up(struct table *table, int comments, const char *name)
{
	struct stream_worker *w = stream_worker_open(&(struct stream_worker_options){
	    .table = table, .log = &quiet, .site = SEEDED_ORIGIN});
	struct arena *arena = arena_new();
	struct rusage usage;
	int64_t before, micros;
	double begun;

	while (stream_worker_turn(w) != STREAM_IDLE)
		;
	before = state_of(table, arena).written;
	for (int i = 0; i < comments; i++)
		put_comment(table, clock_now(table->clock), i, name);
	micros = clock_micros();
	begun = cpu();
	while (stream_worker_turn(w) != STREAM_IDLE)
		;
	begun = cpu() - begun;
	micros = clock_micros() - micros;
	getrusage(RUSAGE_SELF, &usage);
	printf("catching up: %d changes, %" PRId64 " items written: %.0f changes a second, %.0f a second "
	       "of CPU; %ld MB\n",
	    comments, state_of(table, arena).written - before, comments * 1e6 / (double)micros,
	    comments / begun, usage.ru_maxrss / 1024);
	stream_worker_close(w);
	arena_free(arena);
}

/* The age of the oldest change that was not handled, in milliseconds. */
static int64_t
lag_of(struct table *table)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct change_page page;
	int64_t since = 0, now = clock_now(table->clock);

	if (table_changes(table, &call, state_of(table, arena).position, TABLE_CHANGES_MAX, &page) !=
	    TABLE_OK)
		bail_out("the stream can't be read");
	for (size_t i = 0; since == 0 && i < page.count; i++)
		if (!key_is_work(page.records[i].key))
			since = page.records[i].time;
	arena_free(arena);
	return since != 0 && since < now ? now - since : 0;
}

static int
by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
lag_behind(struct table *table)
{
	enum { LOOKS = SECONDS * 1000 / LOOK_MS };
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
	struct stream_worker *w = stream_worker_start(&(struct stream_worker_options){
	    .table = table, .log = &quiet, .site = SEEDED_ORIGIN});
	static int64_t lags[LOOKS];
	int64_t begun = clock_now(table->clock), written = 0;

	for (int i = 0; i < LOOKS; i++) {
		for (; written < (clock_now(table->clock) - begun) * A_SECOND / 1000; written++)
			put_comment(table, begun + 1000000, (int)written, "Somebody");
		nanosleep(&pause, NULL);
		lags[i] = lag_of(table);
	}
	stream_worker_stop(w);
	qsort(lags, LOOKS, sizeof(lags[0]), by_size);
	printf("%d changes a second: the oldest that waits is %" PRId64 " ms old half of the time, "
	       "%" PRId64 " ms 99 of 100 times, %" PRId64 " ms at most\n",
	    A_SECOND, lags[LOOKS / 2], lags[LOOKS * 99 / 100], lags[LOOKS - 1]);
}

int
main(int argc, char **argv)
{
	struct clock clock = clock_system();
	struct table *table;
	struct seeded s;

	seeded_open(&s);
	table = test_store_again(&s.store, &clock);
	table->unseen = s.table->unseen;
	catch_up(table, argc > 1 ? atoi(argv[1]) : COMMENTS, "Kofi Mensah-Boyd");
	catch_up(table, argc > 1 ? atoi(argv[1]) : COMMENTS, "Somebody else");
	lag_behind(table);
	table_close(table);
	return 0;
}
