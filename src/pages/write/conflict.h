#ifndef PAGES_WRITE_CONFLICT_H
#define PAGES_WRITE_CONFLICT_H

#include "pages/shared/form_view.h"
#include "pages/write/diff_view.h"
#include "pages/write/form.h"

/*
 * Edit conflicts: somebody has saved a post while somebody else had its form open. From then on,
 * until it is saved, the form shows each field in which the two differ: both versions, the
 * difference, and a button that takes the other's. One's own version, if replaced, stays in the
 * form, as "mine-title" and the like: it can be restored, and autosaves keep it, too.
 */

/* One field of the post: one's own version, and the stored one. */
struct aside_view {
	struct str anchor, label, yours, theirs;
	struct str take_yours, take_theirs; /* the buttons' values; empty: that is in the form */
	LIST_OF(struct diff_view) diffs;    /* one */
};

struct conflict_view {
	struct str when_text;
	bool taken; /* something of theirs is in the form in place of one's own */
	LIST_OF(struct aside_view) asides;
};

extern const struct view_type conflict_view_type;

/* The view of the conflict for the form. In the request's arena. */
const struct conflict_view *conflict_view(
    struct request *rq, const struct typed *typed, const struct written *stored);

/*
 * The inputs that carry the conflict on: that there is one, and the replaced texts. Returns how
 * many; none without a conflict.
 */
size_t conflict_inputs(
    struct request *rq, const struct typed *typed, const struct hidden_field_view **out);

/*
 * Does what a button of it says: "take-theirs", "take-yours" of all, or of one part with its name behind it. False: it
 * is no such button.
 */
bool conflict_do(
    struct request *rq, struct typed *typed, const struct written *stored, struct str button);

#endif
