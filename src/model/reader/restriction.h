#ifndef MODEL_READER_RESTRICTION_H
#define MODEL_READER_RESTRICTION_H

#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/people/user.h"
#include "model/plan.h"
#include "model/reader/flag.h"
#include "model/reader/rating.h"
#include "model/restricted.h"

/*
 * What others do not see of things that are not comments: a post, the note of a review, a profile, a collection that the
 * staff have hidden or that waits for an editor. The thing itself says that, for whoever shows it; this item says why, since
 * when and by whom, and what its owner answers, once. It lies beside the flags of the thing, is written in the transaction that
 * changes the thing, and goes when the thing is there for everybody again. After 30 days what is hidden is erased
 * (model/reader/erasure.h).
 */
struct restriction {
	struct str name; /* of the target: key_flag_target() */
	struct flag_target target;
	struct str owner, title; /* whose it is; what it is called */
	enum restricted state;
	struct str why;      /* hidden, or held back by somebody: as its owner is told */
	struct str held_for; /* by nobody: for the staff alone */
	struct str by;       /* who has hidden it or holds it back; for the staff alone */
	struct str answer;
	int64_t created, answered; /* since when it is in this state */
};

enum { RESTRICTION_KEPT_DAYS = 30, RESTRICTION_ANSWER_MAX = 2000 };

void restriction_from_item(struct arena *arena, const struct item *item, struct restriction *out);

/* Can it be restored still? */
bool restriction_restorable(const struct restriction *restriction, int64_t now);

/* One thing as it was read, to be decided on. Of those that it is not, the members are not set. */
struct restrictable {
	struct flag_target target;
	const struct item *item;        /* of the thing */
	const struct item *restriction; /* NULL: it is not restricted */
	const struct post *post;        /* the post, or what is reviewed */
	const struct collection *collection;
	const struct user *user;
};

/*
 * Decisions of the staff. PLAN_CHANGED, PLAN_TAKEN: somebody was faster, or its owner has changed it. PLAN_NOT_THERE: it is
 * gone. `flagged` is settled with it if its flags are open; NULL: it has none.
 */
enum plan_rc restriction_hide(struct plan *plan, const struct restrictable *thing, struct str why,
    const struct item *flagged);
/* The note of a review, by the staff or an author of the post: it waits for an editor, and its owner is told why. */
enum plan_rc restriction_hold_note(
    struct plan *plan, const struct restrictable *thing, struct str why);
/* There for everybody: what was held is approved, what was hidden restored. */
enum plan_rc restriction_lift(
    struct plan *plan, const struct restrictable *thing, const struct item *flagged);
/* Its owner's answer is read, and it stays as it is. */
enum plan_rc restriction_keep(struct plan *plan, const struct item *restriction);

/* The answer of its owner, once: PLAN_TAKEN. */
enum plan_rc restriction_answer(struct plan *plan, const struct item *restriction, struct str text);

/*
 * Adds to a plan of its owner that the thing waits for an editor from now on; the caller changes the thing. Whatever was
 * said of it before is replaced.
 */
void restriction_add_hold(
    struct plan *plan, const struct flag_target *target, struct str owner, struct str title, struct str held_for);
/* Adds that there is no restriction of it any more. */
void restriction_add_end(struct plan *plan, const struct flag_target *target);

/* Erases what was hidden, for good, and the restriction with it; PLAN_DONE also if it is gone already. */
enum plan_rc restriction_erase(struct plan *plan, const struct item *restriction);

extern const struct binding_table restriction_bindings;

#endif
