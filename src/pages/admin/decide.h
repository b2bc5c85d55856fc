#ifndef PAGES_ADMIN_DECIDE_H
#define PAGES_ADMIN_DECIDE_H

#include "model/post/post.h"
#include "model/reader/comment_write.h"
#include "model/reader/flag.h"
#include "model/reader/restriction.h"
#include "model/permission.h"
#include "pages/shared/plan.h"

/*
 * What moderators decide, of one thing or of several at once: each is named by a text that its buttons send, which also says
 * what was shown: of what time it was, and how many flags it had. So nothing is decided on that somebody has not read.
 */
enum decision {
	DECIDE_APPROVE,
	DECIDE_HIDE,
	DECIDE_DISMISS, /* the flags */
	DECIDE_UPHOLD,  /* the flags, without changing the thing */
	DECIDE_RESTORE,
	DECIDE_KEEP, /* hidden, whatever was answered */
	DECISIONS
};

/* "approve": as buttons are named. */
const char *decision_name(enum decision decision);
/* What was done, as in pages/shared/done.c. */
const char *decision_done(enum decision decision);

/* The reasons for hiding, ended by a NULL word, with the label of the button and what the author is told. */
struct hiding_reason {
	const char *word, *label, *says;
};
extern const struct hiding_reason hiding_reasons[];
/* What the author is told; NULL: there is no such word. */
const char *hiding_reason_says(struct str word);

/* A thing on which somebody decides. */
struct decided {
	struct str value; /* as a button sent it */
	struct flag_target target;
	struct str shown; /* its time when it was shown */
	int64_t flags;    /* how many it had then */

	/* After decided_read(). */
	const struct item *item, *flagged; /* NULL: none */
	bool there;
	bool
	    barred; /* it is under a post that is not the viewer's to read: to them it is not there */
	struct post post;
	struct comment comment;
	struct restrictable thing; /* if it is no comment */
	struct restriction restriction;
	struct str title, text; /* of what it is, and by whom; a few of its words, or empty */
};

/* The text that names it. `flags`: as shown, or 0. */
struct str decided_value(
    struct request *rq, const struct flag_target *target, struct str shown, int64_t flags);
/* False: it names nothing. */
bool decided_parse(struct request *rq, struct str value, struct decided *out);

/*
 * When a thing that is no comment was changed, or restricted, as its buttons name it; empty: it does not say.
 */
struct str decided_shown(const struct item *thing, const struct item *restriction);

/* What a profile says, for who decides on it: "A bio · https://… · Their cover shows: The quay". */
struct str profile_words(struct arena *arena, const struct user *user);

/* May the viewer do this to such a thing, as it was read? */
bool decided_may(struct request *rq, enum action action, const struct restrictable *thing);

/* May they settle the flags of a comment, or with NULL of another thing? What is gone is nobody's. */
bool decided_may_settle(
    struct request *rq, const struct comment *comment, const struct restrictable *thing);

/* Reads so many, in one trip. */
enum { DECIDED_MAX = 50 };
enum http_status decided_read(struct request *rq, struct decided *all, size_t count);

/*
 * Why that can't be done to it: it is done already, it was changed since it was shown, the viewer may not. NULL: it can.
 */
const char *decided_refusal(struct request *rq, const struct decided *d, enum decision decision);

/* Does it; `why` is what its author is told. PLAN_TAKEN, PLAN_CHANGED: somebody was faster. */
enum plan_rc decided_carry_out(struct request *rq, struct plan *plan, const struct decided *d,
    enum decision decision, struct str why);

/* --- Several at once ----------------------------------------------------------------------------------- */

struct admin_bulk_view;

/* What stands above a list of the queue: what to do to those that are chosen, and the way to the page that tries it. */
const struct admin_bulk_view *bulk_controls(struct request *rq, bool flagged);

#endif
