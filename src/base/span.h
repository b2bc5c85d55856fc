#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include "base/clock.h"

struct zone;

/*
 * A span of the calendar: a day, a week (that of ISO 8601, from Monday on), a month or a year. It has no zone of its own: its
 * midnights are those of whatever clock shows them.
 */
enum span_length { SPAN_DAY, SPAN_WEEK, SPAN_MONTH, SPAN_YEAR, SPAN_LENGTHS };

struct span {
	enum span_length length;
	int64_t first; /* midnight of its first day, in milliseconds as if it were UTC */
};

/* The span of that length in which a zone (NULL: UTC) has this time. */
struct span span_of(enum span_length length, const struct zone *zone, int64_t utc);

/* When it begins there, and when the next one does. */
int64_t span_begin(const struct zone *zone, struct span span);
int64_t span_end(const struct zone *zone, struct span span);

/* "2026-11-19", "2026-w47", "2026-11", "2026"; and back: false when it is none, or of another calendar than ours. */
struct str span_text(struct arena *arena, struct span span);
bool span_parse(struct str text, struct span *out);

#endif
