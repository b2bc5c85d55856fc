#ifndef MODEL_READER_ERASURE_H
#define MODEL_READER_ERASURE_H

#include "model/plan.h"

/*
 * What moderators have hidden is erased after 30 days: the text of a comment, whose place stays for its replies, and what a
 * restriction hides. One step, of about forty things: *done when there is nothing left to do now. Does no harm when it stops
 * anywhere, or runs twice at once. The sweeper of serve calls it; what its author has answered last is erased 30 days after
 * the answer.
 */
enum plan_rc erasure_round(struct plan *plan, bool *done);

#endif
