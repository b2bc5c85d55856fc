#ifndef MODEL_READER_RATING_MOVE_H
#define MODEL_READER_RATING_MOVE_H

#include "model/plan.h"

/*
 * Ratings stand among all with as many stars while their post is public. There may be thousands, so when a post stops being
 * public, or is again, its transaction leaves a mark, and the sweeper moves them, a page at a time:
 *
 *	RATINGMOVE / <post>        At, Cursor, Looked
 *
 * Until then the head, which every list reads, decides what is shown. A rating that was on its way then may have seen the
 * post as it was: so all are looked at once more, a minute later, and only then the mark goes.
 */
enum { RATING_MOVE_LAST_LOOK_MS = 60 * 1000 };

/* Adds the mark to the plan by which that changes. */
void rating_move_begin(struct plan *plan, struct str post);

/*
 * A page of ratings of each of some marked posts; *worked is of how many, 0: nothing is left to do by now. Several may do it
 * at once, and stop anywhere.
 */
enum table_rc rating_move_step(
    struct table *table, struct table_call *call, int64_t now, size_t *worked);

#endif
