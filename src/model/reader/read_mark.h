#ifndef MODEL_READER_READ_MARK_H
#define MODEL_READER_READ_MARK_H

#include "model/plan.h"

/*
 * When somebody has seen the thread of a post, so that its page can say what is new since their last visit: Seen, and
 * Before, which was Seen at the visit before. What follows within half an hour is the same visit, and is compared with
 * Before; so a reload does not take the marks away. Among the items of query_reactions(). Kept for 90 days.
 */

/* What is newer is new to them now; 0: nothing is, as they are here for the first time. */
int64_t read_mark_since(const struct read *reactions, int64_t now);

/*
 * Notes the visit, if that says anything: something was said after Seen, and the visit is another one. `newest` is when
 * the newest comment was written; 0: there is none.
 */
enum plan_rc read_mark_note(
    struct plan *plan, const struct read *reactions, struct str post, int64_t newest);

#endif
