#ifndef MODEL_READER_READ_MARK_H
#define MODEL_READER_READ_MARK_H

#include "model/plan.h"

/*
 * When a person has read the thread of a post, so that its page can mark what is new since their
 * last visit: Seen, and Before, which was Seen at the visit before that. Page views within half an
 * hour are one visit, and are compared with Before, so that a reload keeps the marks. Among the
 * items of query_reactions(). Expires after 90 days.
 */

/*
 * What is newer than this is new to them; 0: nothing is, because it is their first visit, of which there is no item
 * (NULL).
 */
int64_t read_mark_since(const struct item *read_mark, int64_t now);

/*
 * Notes the visit, if it is a new one and something was written after Seen. `newest` is the time of
 * the newest comment; 0: there is none.
 */
enum plan_rc read_mark_note(
    struct plan *plan, const struct item *read_mark, struct str post, int64_t newest);

#endif
