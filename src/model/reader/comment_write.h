#ifndef MODEL_READER_COMMENT_WRITE_H
#define MODEL_READER_COMMENT_WRITE_H

#include "model/plan.h"
#include "model/reader/comment.h"
#include "model/reader/trust.h"

struct post;
struct viewer;

/* What readers write under a post, and what the staff decide of it. */

/* A reply to what stands at this level stands beside it. */
enum { COMMENT_LEVELS = 18 };

/* --- Who writes -------------------------------------------------------------------------------------- */

/* The limits for a person's comments, by their trust level. */
struct comment_limits {
	enum trust trust;
	bool waits;                   /* all that they write is held */
	bool full;                    /* as much of theirs waits as may */
	uint32_t pause;               /* seconds before the next; 0: now */
	int64_t most;                 /* in a window of model/site/rate.h */
	int64_t network_most;         /* the same of all in their network; 0: it does not matter */
	int64_t first_day_most;       /* on the day of their registration; 0: that was earlier */
	int64_t links_max, mentions_max; /* of a comment; with more it is held */
	const struct comment *lately; /* what they wrote last, published and waiting */
	size_t lately_count;
};

/* `reads` are those of trust_reads(). */
void comment_limits_take(struct arena *arena, const struct moderation *m,
    const struct viewer *viewer, const struct read reads[TRUST_READS], int64_t now,
    struct comment_limits *out);

/* Have they written just this in the last minutes? */
bool comment_repeats(const struct comment_limits *limits, struct str markdown, int64_t now);

/* --- Writing ----------------------------------------------------------------------------------------- */

struct new_comment {
	const struct post *post;
	const struct comment *to; /* what it answers; NULL: the post */
	struct str markdown, html;
	int64_t renderer;
	struct strings_value mentions; /* whom the HTML links to */
	bool moderates;           /* who writes: a closed thread takes it, too */
	bool staff;               /* they write it for the staff */
	bool held;
	struct str held_for;      /* for the staff only */
	struct str once;          /* of the form; empty: none */
	const struct rate *rates; /* what it counts against, in the transaction that makes it */
	size_t rate_count;
	struct str path; /* where it stands, after PLAN_DONE and PLAN_ALREADY */
};

/*
 * PLAN_ALREADY: the same form has made one. PLAN_NOT_THERE: the post is not published any more, or takes no comments
 * there (model/reader/discussion.h; plan->found is its head). PLAN_GONE: what it
 * answers is not there any more. PLAN_BLOCKED: by an author of the post, or whom it answers. PLAN_TOO_MANY: a limit is
 * reached.
 */
enum plan_rc comment_create(struct plan *plan, struct new_comment *comment);

/* The item that says that a form of somebody's has made a comment; the path of that, empty of anything else. */
struct read comment_once_read(struct arena *arena, struct str username, struct str once);
struct str comment_once_path(const struct read *read, struct str post);

/* Is this a path such as comments have? */
bool comment_path_valid(struct str path);
bool comment_id_valid(struct str id);

/* How deep it is: 1 at the root. */
unsigned comment_level(struct str path);

/* --- Changing ---------------------------------------------------------------------------------------- */

/* For so long it can be edited; before the first of them is over, it is not said of it that it was. */
bool comment_editable(const struct comment *comment, int64_t now);

/*
 * It says this from now on: the text, its HTML, whom it names, and why it waits, if it does. What it said is kept for a
 * month, for whoever moderates. PLAN_CHANGED: somebody edited or deleted it meanwhile.
 */
enum plan_rc comment_edit(
    struct plan *plan, const struct item *stored, const struct new_comment *now);

/*
 * Its text, its author and what counts it go; its place stays, for what answers it. One that waits goes as a whole.
 * PLAN_TAKEN: it is deleted already.
 */
enum plan_rc comment_delete(struct plan *plan, const struct item *stored);

/* --- Decisions of the staff ------------------------------------------------------------------- */

/*
 * Each of these is PLAN_TAKEN when the comment has changed since it was read: somebody else has
 * decided, or its author has edited or deleted it.
 *
 * Makes a held comment visible, and counts it.
 */
enum plan_rc comment_approve(struct plan *plan, const struct item *held);

/*
 * Makes a held or visible one visible to its author only, who is told why and can answer once; and
 * restores one. Where the plan is not audited, an author of its post acts, whom the staff can overrule for good.
 */
enum plan_rc comment_hide(struct plan *plan, const struct item *stored, struct str why);
enum plan_rc comment_restore(struct plan *plan, const struct item *hidden);
bool comment_restorable(const struct comment *comment, int64_t now);

/* An author of the post holds back a visible one until an editor approves it, and tells why: as if hidden otherwise. */
enum plan_rc comment_hold(struct plan *plan, const struct item *visible, struct str why);

/* It speaks for the staff from now on, or no more. */
enum plan_rc comment_mark(struct plan *plan, const struct item *visible, bool staff);
/*
 * Erases a hidden one after 30 days: its text and author go, its place stays. PLAN_TAKEN: it is not hidden any more.
 */
enum plan_rc comment_erase(struct plan *plan, const struct item *hidden);

/* The author's answer, which is added to the queue; and that somebody has read it. */
enum plan_rc comment_answer(struct plan *plan, const struct item *hidden, struct str text);
enum plan_rc comment_keep_hidden(struct plan *plan, const struct item *hidden);

/* Adds to a plan that a visible comment is held from now on; PLAN_GONE if it is not visible. */
void comment_add_hold(struct plan *plan, const struct item *visible, struct str why);
void comment_add_visible(struct plan *plan, const struct item *visible);

#endif
