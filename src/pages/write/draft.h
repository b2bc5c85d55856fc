#ifndef PAGES_WRITE_DRAFT_H
#define PAGES_WRITE_DRAFT_H

#include "pages/write/form.h"

/*
 * From inputs to a draft to be saved. Errors are attached to their fields; valid values are in the
 * draft in any case, so that a preview can be made.
 */

/* What is to become of the post. */
enum wish {
	WISH_SAVE, /* its state stays */
	WISH_PUBLISH,
	WISH_UNPUBLISH,
};

/*
 * Fills the draft, its text rendered. `old` is NULL for a new post. `people` is the answered read of those
 * whom typed_others() names, or NULL when it names nobody. After page_read().
 */
void draft_fill(struct request *rq, struct typed *typed, const struct written *old,
    const struct read *people, enum wish wish, struct draft *out);

#endif
