#ifndef MODEL_READER_FOLLOW_H
#define MODEL_READER_FOLLOW_H

#include "model/plan.h"
#include "model/site/rate.h"

struct user;

/*
 * Who follows whom, asks to, or has blocked whom: one item for each two, in the partition of who does it. A follower is one
 * whose follow is active. Of a private profile a follow is asked for, until it is approved. Blocked is the opposite:
 * whom one has blocked can't follow one, answer one nor write under what one has published, and is never told.
 */
enum follow_status { FOLLOW_NONE, FOLLOW_ACTIVE, FOLLOW_ASKED, FOLLOW_BLOCKED };

/* Of an item, or NULL. One that is not understood is none. */
enum follow_status follow_status(const struct item *item);

/* Is it counted, with those who follow and those who are followed? */
bool follow_counts(enum follow_status status);

/* The read of what this person has to do with that one. Sees every write at once. */
struct read follow_read(struct arena *arena, struct str username, struct str followed);

/* Does the answer say that they follow them? */
bool follow_holds(const struct read *answer);

/* How many one may block in a day. */
struct rate block_limit(struct str username);

/*
 * Each of these says how it is to be, and is PLAN_DONE when it was so already. All that they change is one transaction.
 *
 * Who acts follows somebody whom they may (MAY_FOLLOW), or asks to; who has asked somebody who is public since,
 * follows. PLAN_NOBODY: they are blocked by them, which is not to be told apart from that there is nobody. PLAN_TAKEN:
 * they have blocked them themselves. PLAN_TOO_MANY: the limit (TRUST_FOLLOW) is reached.
 */
enum plan_rc follow_begin(
    struct plan *plan, const struct user *person, const struct rate *limit);

/* That one does not follow the other any more, nor asks to: of whichever side. */
enum plan_rc follow_end(struct plan *plan, struct str follower, struct str followed);

/* Is who follows to be told of new posts? */
bool follow_tells(const struct item *item);

/* Who acts is to be told of new posts of somebody whom they follow, or is not. PLAN_NOT_THERE: they do not follow them. */
enum plan_rc follow_tell(struct plan *plan, struct str followed, bool told);

/* Who acts lets somebody follow them who has asked. PLAN_CHANGED: they ask no more. */
enum plan_rc follow_approve(struct plan *plan, struct str follower);

/*
 * The same of all who have asked, the first FOLLOW_APPROVED_AT_ONCE of them: each part of them is one transaction. When a
 * private profile becomes public, there is nothing left to ask for.
 */
enum { FOLLOW_APPROVED_AT_ONCE = 400 };
enum plan_rc follow_approve_all(struct plan *plan);

/*
 * Neither follows the other from then on. `both` is the answer to what follow_both() has made: what the two have to do
 * with each other. PLAN_TOO_MANY.
 */
void follow_both(struct arena *arena, struct str by, struct str other, struct read both[2]);
enum plan_rc follow_block(struct plan *plan, const struct user *person, const struct read both[2]);
enum plan_rc follow_unblock(struct plan *plan, struct str person);

/* --- What a block keeps others from ----------------------------------------------------------------- */

/*
 * Who has blocked somebody, to be read in the trip of what they want to write about; and is this person one of them? Of
 * more than a thousand it is not known here, but to the transaction.
 */
struct read follow_blockers_read(struct arena *arena, struct str username);
bool follow_blocked_by(const struct read *blockers, struct str username);

/*
 * Adds to a plan by which somebody writes: none of these people has blocked them, PLAN_BLOCKED. No two of them may be
 * the same; the one who writes, and who is nobody any more, is left out.
 */
void follow_add_unblocked(struct plan *plan, const struct str *people, size_t count);

#endif
