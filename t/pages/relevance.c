/*
 * How well the search finds, on a small collection of our own: the sample publication, in English and Portuguese, with what a reader
 * would want to find by some words, judged by hand. bench/search does the same on larger collections of others. nDCG@10,
 * where the first of `wanted` counts twice as much as the others.
 */
#include "t/derive/worker.h"

#include "text/url.h"

#include <math.h>

enum { WANTED_MAX = 5, LOOKED_AT = 10 };

static const struct {
	const char *query, *wanted[WANTED_MAX];
} judged[] = {
    {"predict the tide", {"the-tide-in-forty-lines-of-c", "noaa-tides-and-currents", "a-clock-for-the-tide"}},
    {"baking bread with rye", {"ferrymans-rye", "bread-for-a-wet-week", "the-town-at-three"}},
    {"knots", {"notes-towards-a-theory-of-knots", "the-ashley-book-of-knots", "whip-a-ropes-end"}},
    {"sharpening tools", {"sharpen-a-plane-iron"}},
    {"weather forecast", {"how-to-be-wrong-about-the-weather", "log-the-weather"}},
    {"measure the wind", {"the-beaufort-scale"}},
    {"recording temperature", {"log-the-weather"}},
    {"eels", {"eel-elver-glass"}},
    {"geese", {"first-brent-geese"}},
    {"samphire", {"samphire-drinks-the-sea", "pickle-samphire"}},
    {"nautical charts", {"iho-charts"}},
    {"joining planks", {"in-praise-of-the-scarf"}},
    {"date format", {"dates-that-sort"}},
    {"ferry committee goat", {"minutes-of-the-ferry-committee"}},
    {"fog", {"the-fog-had-edges"}},
    {"sailing round the world alone", {"slocum-alone"}},
    {"frost beans allotment", {"seven-winters-of-frost"}},
    {"repairing nets", {"mending-is-slow-reading"}},
    {"printing press", {"how-we-print", "colophon"}},
    {"marinhas de sal", {"o-sal-que-fica"}},
    {"avô vento língua", {"o-sal-que-fica"}},
    {"avo lingua paciencia", {"o-sal-que-fica"}},
    {"a marinha do meu avo", {"o-sal-que-fica"}},
};
enum { QUERIES = sizeof(judged) / sizeof(judged[0]) };

static double
gain(size_t query, struct str id)
{
	for (size_t i = 0; i < WANTED_MAX && judged[query].wanted[i] != NULL; i++)
		if (str_eq(id, str_of(judged[query].wanted[i])))
			return i == 0 ? 2 : 1;
	return 0;
}

static double
ndcg(struct seeded *s, size_t query)
{
	struct buf address = {.arena = s->arena};
	double got = 0, best = 0;
	struct str hits, found;

	BUF_PUT(&address, "/search?q=");
	url_put_query(&address, str_of(judged[query].query));
	hits = part(visit(s, buf_str(&address)).body, "<ol class=\"hits\">", "</ol>");
	for (size_t i = 0; i < LOOKED_AT && between(&hits, STR("<h2"), STR("</h2>"), &found); i++)
		got += gain(query, part(found, "href=\"/post/", "\"")) / log2((double)i + 2);
	for (size_t i = 0; i < WANTED_MAX && judged[query].wanted[i] != NULL; i++)
		best += (i == 0 ? 2 : 1) / log2((double)i + 2);
	return got / best;
}

int
main(void)
{
	struct seeded s;
	double sum = 0;

	seeded_open(&s);
	work(&s);
	for (size_t i = 0; i < QUERIES; i++) {
		double one = ndcg(&s, i);

		printf("# %.3f %s\n", one, judged[i].query);
		sum += one;
		ok(one > 0, "“%s” finds something of what is wanted", judged[i].query);
	}
	printf("# nDCG@10: %.3f\n", sum / QUERIES);
	ok(sum / QUERIES > 0.85, "what is wanted comes first, mostly");
	seeded_close(&s);
	return tap_done();
}
