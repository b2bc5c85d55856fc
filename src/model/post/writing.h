#ifndef MODEL_POST_WRITING_H
#define MODEL_POST_WRITING_H

#include "model/plan.h"
#include "model/post/post.h"
#include "model/post/post_read.h"
#include "table/table.h"

/*
 * What is written of posts. Whatever changes one goes through here, in one transaction: its head, which
 * counts its Version up, its text, the claim of a new slug, the revision, the copies that stand among the
 * activity of more authors, its tags' shelves, its place in the rankings, and the counters of its authors,
 * category and tags. They follow from the post as it was and as it is to be, by one rule for each
 * (model/key_post.h), so no change of state has code of its own and none can forget a counter.
 *
 * Everybody names the version that they began with. Of two who save on the same one, one is told that
 * the post has changed meanwhile; nothing of theirs is written.
 *
 * Who creates or saves one may not be suspended or shut out meanwhile, except by an import: PLAN_NOT_ACTIVE, and nothing is
 * written. Whether somebody may is not asked here otherwise, but by may(). The HTML is rendered by the caller, into the
 * body, before it is saved.
 */
enum {
	WRITING_TAGS_MAX = 10,  /* of a post, so that all fits into one transaction */
	WRITING_OTHERS_MAX = 5, /* who wrote it with its author */
	DRAFT_SLUGS_MAX = 20,
};

/* --- A post as the table has it ------------------------------------------------------------------- */

struct written {
	struct post post;
	struct post_body body;
	struct post_stats stats;
	const struct item *head_item, *body_item, *stats_item; /* the last two may be NULL */
};

/* From what post_reads() read, consistently, and post_mend() mended. False when there is no such post. */
bool written_take(struct arena *arena, const struct read reads[POST_READS], struct written *out);

/* All of it at once. TABLE_OK and *there, or how the table failed. */
enum table_rc written_get(struct plan *plan, struct str id, struct written *out, bool *there);

/* --- Writing --------------------------------------------------------------------------------------- */

/*
 * What is to be saved. Of `post`, the table's own figures (counts, times but `published` and `planned`,
 * version, revisions) are not taken over but filled in, as after the save. `version` is an exception: it
 * says with which one the writer began.
 */
struct draft {
	struct post post;
	struct post_body body; /* rendered */
	bool any_slug;         /* when post.slug is taken, "-2", "-3" … is put behind it */
	bool keeps_times;      /* created and updated are as the draft says: for those who import */
	/* More addresses that lead to it, free or its own: for those who import. DRAFT_SLUGS_MAX at most. */
	struct strings_value slugs;
	struct str held_for; /* a published one waits for an editor: why; empty: it does not */
	struct str what; /* for the revision: "restored 3", "published"; empty: saved */
	struct str
	    once; /* of a new post: the name of its form, which makes one post only; or empty */
};

/*
 * A new post, whose id is its slug; draft->post is filled in. Its kind, author and slug are set. Who
 * imports may say another id, which must be among the draft's slugs.
 */
enum plan_rc writing_create(struct plan *plan, struct draft *draft);

/*
 * Saves text and everything else, makes a revision and drops what the writer's autosave held. Whether
 * that makes it public, takes it back or moves it follows from draft->post: status, published,
 * visibility, slug, category, tags, others. One that is published without a time is published now; a
 * draft has none.
 */
enum plan_rc writing_save(struct plan *plan, const struct written *old, struct draft *draft);

/*
 * Changes of state alone: the text stays, and no revision is made. *post is the post afterwards.
 * `version` is the one that the writer saw.
 */
enum plan_rc writing_unpublish(
    struct plan *plan, const struct written *old, int64_t version, struct post *post);
/*
 * By moderators: unpublished, and not to be published by its authors; or published again, under the time that it had. The
 * writes that the plan has already are part of it.
 */
enum plan_rc writing_restrict(
    struct plan *plan, const struct written *old, enum restricted is, struct post *post);
/* Onto another shelf, as when its category is merged into one; nobody's sight of the post changes. */
enum plan_rc writing_move(struct plan *plan, const struct written *old, struct str category);
/* Its text expires after DELETED_KEPT_MS; head and claims stay for ever, and tell that it is gone. */
enum plan_rc writing_delete(
    struct plan *plan, const struct written *old, int64_t version, struct post *post);
/* As it was before. */
enum plan_rc writing_undelete(struct plan *plan, const struct written *old, struct post *post);

/*
 * For somebody who leaves for good, as author or one of them: another name, of somebody who is there, takes the
 * place of theirs, in the revisions too.
 */
enum plan_rc writing_hand_over(struct plan *plan, const struct written *old, struct str from,
    const struct coauthor *to, struct post *post);
/* The same of a deleted post, which is gone for ever, text and title and all; its address still says so. */
enum plan_rc writing_erase(struct plan *plan, const struct written *old, struct str from,
    const struct coauthor *to, struct post *post);

/*
 * Somebody who was asked to be named as an author says yes, under the name that they have now: from then on they are one
 * of them, in its lists and in their number.
 */
enum plan_rc writing_accept(
    struct plan *plan, const struct written *old, const struct coauthor *who, struct post *post);

/*
 * Somebody who was asked says no, or who is one of its authors steps back: they are none, and for a year nobody asks them
 * again for this post. The text stays, and no revision is made.
 */
enum plan_rc writing_step_back(
    struct plan *plan, const struct written *old, struct str from, struct post *post);

/* Did they, within that year? Of an item at key_declined(). */
bool writing_declined(const struct item *item, int64_t now);

/* Can it be had back? */
bool written_kept(const struct written *deleted, int64_t now);

#endif
