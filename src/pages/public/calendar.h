#ifndef PAGES_PUBLIC_CALENDAR_H
#define PAGES_PUBLIC_CALENDAR_H

#include "model/post/posts.h"
#include "web/http/request.h"

struct zone;

/* A day, a month or a year: `month` is 0 in a whole year, `day` in a whole month. */
struct period {
	int year, month, day;
};

/* Reads one from its digits; without a day or a month, these are empty. False when there is no such. */
bool period_parse(struct str year, struct str month, struct str day, struct period *out);

/* The posts of a period, in a zone (NULL: UTC). */
struct posts_query period_query(struct arena *arena, const struct zone *zone, struct period period);

/* The day, month or year, whichever `like` is, that a time lies in. */
struct period period_of(const struct zone *zone, struct period like, int64_t time);

/* What is behind /archive/ and /sitemap/: "2026", "2026/11", "2026/11/18" with '/' between the parts. */
struct str period_text(struct arena *arena, struct period period, char between);

/* The nearest post outside of a period, earlier or later than it. */
struct posts_query period_beside(
    struct arena *arena, const struct zone *zone, struct period period, bool later);

/*
 * The periods that have posts, newest first, for the files of a sitemap: the months of the last three years of them,
 * and the years before, two hundred in all, so that what is derived need not be there. The first trip asks for the ends
 * of the timeline, the newest with as many posts as wanted; the second, of calendar_read(), for one post of each period
 * between the two.
 */
enum { NEWEST, OLDEST, ENDS };
bool calendar_prepare(struct request *rq, uint32_t limit, struct read ends[ENDS]);
enum http_status calendar_read(struct request *rq, const struct zone *zone,
    const struct read ends[ENDS], struct period **periods, size_t *count);

#endif
