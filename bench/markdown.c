/*
 * How long Markdown takes: an ordinary post, and whatever is made to take long, of the size that a post
 * may have at most. The worst must stay under 200 ms of CPU; it says so with its exit status.
 *
 *	make bench/markdown && bench/markdown          (or a number of bytes)
 */
#include "base/arena.h"
#include "text/markdown.h"
#include "text/markdown_hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 3 };
static const double LIMIT_MS = 200;

static double
milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The least of some times, which is the one that the machine's other work disturbed least. */
static double
measure(struct str source, size_t *html)
{
	const struct markdown_options options = {.trust = MARKDOWN_AUTHOR};
	double least = 1e9;

	for (int i = 0; i < TIMES; i++) {
		struct arena *arena = arena_new();
		struct markdown out;
		double start = milliseconds(), took;

		markdown_render(arena, source, &options, &out);
		took = milliseconds() - start;
		least = took < least ? took : least;
		*html = out.html.text.len;
		arena_free(arena);
	}
	return least;
}

static double
report(const char *name, struct str source)
{
	size_t html;
	double ms = measure(source, &html);

	printf("%9.3f ms  %7zu -> %7zu bytes  %s\n", ms, source.len, html, name);
	return ms;
}

int
main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : MARKDOWN_SOURCE_MAX;
	struct arena *arena = arena_new();
	double worst = 0;

	report("an ordinary post", hostile_make(arena, &harmless, 5000));
	report("one as long as the others", hostile_make(arena, &harmless, size));
	for (size_t i = 0; i < HOSTILE_COUNT; i++) {
		double ms = report(hostile[i].name, hostile_make(arena, &hostile[i], size));

		worst = ms > worst ? ms : worst;
	}
	printf("the worst: %.1f ms of CPU\n", worst);
	arena_free(arena);
	return worst <= LIMIT_MS ? 0 : 1;
}
