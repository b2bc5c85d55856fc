#ifndef PAGES_SHARED_SCHEDULED_H
#define PAGES_SHARED_SCHEDULED_H

#include "web/http/request.h"

struct category;

/*
 * Scheduled posts. The table's counters include them (docs/table.md, rule 6); numbers for readers
 * exclude them, so that neither a number nor the name of a tag is early. They are cached with the
 * publication, so this reads nothing; requires publication_of(rq).
 */

/*
 * How many have this tag, were written by this person, lie in this category, in it or under it, and stand on the shelf
 * of a slug itself, be it one that was merged.
 */
int64_t scheduled_with(const struct request *rq, struct str tag);
int64_t scheduled_by(const struct request *rq, struct str username);
int64_t scheduled_in(const struct request *rq, const struct category *category);
int64_t scheduled_under(const struct request *rq, const struct category *category);
int64_t scheduled_on(const struct request *rq, struct str slug);

/* What those have together that this person has written: one may have been rated before its time was put off. */
struct scheduled_figures {
	int64_t words, ratings, stars;
};
struct scheduled_figures scheduled_figures_by(const struct request *rq, struct str username);

/* How many are to come from one time on, and before another. */
int64_t scheduled_between(const struct request *rq, int64_t from, int64_t to);

#endif
