/*
 * bench/views [plain|counted PAGES]: what it costs to count a view.
 *
 * The page of a post is answered from the page cache PAGES times, by turns without counting and as a browser's view that came
 * from another site, and the CPU time of the thread is compared, without FastCGI and nginx; shown are the medians of the rounds.
 * With a word, only that is done, so many times, for a profiler:
 *
 *	script/build opt bench/views && build/opt/bench/views
 *	valgrind --tool=callgrind build/opt/bench/views counted 10000
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "web/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POST "/post/reading-an-echo"

enum { PAGES = 20000, ROUNDS = 15, CACHE = 8 * 1024 * 1024 };

struct bench {
	struct seeded s;
	struct views *views;
	struct arena *arena;
};

static int64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
answer(struct bench *b, int pages)
{
	const struct request_input in = {.method = STR("GET"),
	    .uri = STR(POST),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .referer = STR("https://news.example/item?id=4"),
	    .user_agent =
		STR("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like "
		    "Gecko) Chrome/142.0.0.0 Safari/537.36"),
	    .content_length = -1};

	for (int i = 0; i < pages; i++) {
		struct response rs;

		site_respond(&b->s.site, &in, b->arena, &rs);
		if (rs.status != HTTP_OK)
			bail_out("status %d", (int)rs.status);
		response_release(&rs);
		arena_reset(b->arena);
	}
}

/* Nanoseconds of CPU time for a page. */
static double
measure(struct bench *b, bool counted, int pages)
{
	int64_t begun;

	b->s.site.views = counted ? b->views : NULL;
	answer(b, 1);
	begun = cpu_ns();
	answer(b, pages);
	return (double)(cpu_ns() - begun) / pages;
}

static int
by_number(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

static void
compare(struct bench *b)
{
	double ns[2][ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		for (int c = 0; c < 2; c++)
			ns[c][i] = measure(b, c == 1, PAGES);
	for (int c = 0; c < 2; c++)
		qsort(ns[c], ROUNDS, sizeof(ns[c][0]), by_number);
	printf("a page from the page cache: %.0f ns, and counted: %.0f ns, %.0f ns more\n",
	    ns[0][ROUNDS / 2], ns[1][ROUNDS / 2], ns[1][ROUNDS / 2] - ns[0][ROUNDS / 2]);
}

int
main(int argc, char **argv)
{
	struct bench b = {.arena = arena_new()};

	seeded_open(&b.s);
	seeded_restart(&b.s, CACHE);
	b.views = views_new(b.s.table, SEEDED_ORIGIN, NULL);
	if (argc > 2)
		measure(&b, strcmp(argv[1], "counted") == 0, atoi(argv[2]));
	else
		compare(&b);
	b.s.site.views = NULL;
	views_stop(b.views);
	arena_free(b.arena);
	seeded_close(&b.s);
	return 0;
}
