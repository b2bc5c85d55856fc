/*
 * No source of the size that is rendered takes long. A test can't say how many milliseconds: a
 * machine may be busy, or the build have sanitizers. So sources that were made to take long are
 * compared with an ordinary post of the same size. What costs a few dozen times as much is
 * accepted; what is quadratic costs thousands of times as much. bench/markdown measures the time.
 */
#include "base/arena.h"
#include "lib/tap.h"
#include "markdown_hostile.h"
#include "text/markdown.h"

#include <time.h>

enum { TIMES_MAX = 100, TRIES = 3 };

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
measure(const struct hostile *kind)
{
	static const struct str names[] = {STR_INIT("aaa")};
	const struct markdown_options author = {.trust = MARKDOWN_AUTHOR,
	    .language = STR("fr"),
	    .hashtags = {names, 1},
	    .mentions = {names, 1},
	    .gallery = true};
	struct arena *arena = arena_new();
	struct str source = hostile_make(arena, kind, MARKDOWN_SOURCE_MAX);
	struct markdown out;
	double begun = seconds(), took;

	markdown_render(arena, source, &author, &out);
	(void)markdown_mentions(arena, source);
	took = seconds() - begun;
	if (out.plain || source.len < MARKDOWN_SOURCE_MAX * 9 / 10)
		bail_out("%s: not as long as it may be", kind->name);
	arena_free(arena);
	return took;
}

int
main(void)
{
	double usual = 1e9;

	for (int i = 0; i < TRIES; i++) {
		double took = measure(&harmless);

		usual = took < usual ? took : usual;
	}
	for (size_t i = 0; i < HOSTILE_COUNT; i++) {
		double times = measure(&hostile[i]) / usual;

		ok(times < TIMES_MAX, "%s: %.1f times as long as an ordinary post", hostile[i].name,
		    times);
	}
	return tap_done();
}
