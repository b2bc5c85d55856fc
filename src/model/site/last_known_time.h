#ifndef MODEL_SITE_LAST_KNOWN_TIME_H
#define MODEL_SITE_LAST_KNOWN_TIME_H

#include "table/table.h"

/*
 * The last time recorded in the table, so that a clock that has jumped forward does no lasting
 * harm. Expired items are removed by the clock; a clock that is a year ahead for a minute would
 * remove all sessions, autosaves and deleted texts. So the sweeper stores the time in an item, once
 * an hour, and removes nothing while the clock is more than a day ahead of it: either the clock is
 * wrong, or nobody used the site for that long. An operator decides which, or somebody who saves a
 * post in the meantime.
 *
 * A clock that went back removes less than it could, which does no harm: the item follows it.
 */
enum {
	LAST_KNOWN_TIME_KEPT_MS = 60 * 60 * 1000,
	LAST_KNOWN_TIME_AHEAD_MS = 24 * 60 * 60 * 1000,
};

struct last_known_time {
	struct arena *arena; /* for itself; the caller's */
	int64_t ms;          /* as far as this process knows; 0: not yet */
	struct str
	    position; /* in the stream, after which a save would be; empty while the clock is trusted */
};

/*
 * May items that have expired by `now` be removed? Reads the item only when an hour has passed, and
 * then writes it. *trusted is the answer; if false, known->ms is the time in the table.
 */
enum table_rc last_known_time_check(struct table *table, struct table_call *call,
    struct last_known_time *known, int64_t now, bool *trusted);

/* It is so late: an operator says it. */
enum table_rc last_known_time_set(struct table *table, struct table_call *call, int64_t now);

#endif
