#ifndef MODEL_READER_COMMENT_VOTE_H
#define MODEL_READER_COMMENT_VOTE_H

#include "model/reader/comment.h"
#include "model/reader/reaction.h"

/*
 * A vote on a comment: one item of the person, whatever the race, counted beside the comment in the same transaction, which
 * marks the comment to be folded (tally_fold()). A vote from before that was so is counted by the comment itself; it
 * moves when it is changed, and what a comment has is the sum of both.
 */

/* The read of somebody's vote on one, consistent. */
struct read comment_vote_read(
    struct arena *arena, struct str username, struct str post, struct str comment);

/*
 * PLAN_DONE: it is as is wished (OPINION_UP, OPINION_DOWN or OPINION_OFF), also if it was so already; `answer` is that of
 * comment_vote_read(). PLAN_TOO_MANY: *wait seconds more; `limit` is that of all reactions.
 */
enum plan_rc comment_vote(struct plan *plan, const struct comment *comment, enum opinion wish,
    const struct read *answer, const struct rate *limit, uint32_t *wait);

#endif
