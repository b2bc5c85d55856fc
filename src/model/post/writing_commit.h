#ifndef MODEL_POST_WRITING_COMMIT_H
#define MODEL_POST_WRITING_COMMIT_H

#include "model/post/writing.h"

/*
 * The transaction from a post as it was to the post as it is to be. Only for model/post/writing*.c: they say
 * what the post is to be, this room makes everything follow.
 */
struct commit {
	struct plan *plan;
	struct arena *arena;
	const struct written *old; /* NULL: there was none */
	const struct post *post;   /* as it is to be, with its figures */

	/* The head is the first write. */
	struct write writes[TABLE_BATCH_MAX];
	size_t count;
	size_t once, claim, category, authors,
	    authors_end; /* which writes; SIZE_MAX, or none: not in it */
	size_t spare;    /* from here to the end: counters of what may be gone meanwhile */
	bool too_long;
	struct str already; /* the post that the form has made before */
};

/* Plans the head and what follows it around; commit_add() adds what the caller has besides. */
void commit_begin(
    struct commit *c, struct plan *plan, const struct written *old, const struct post *post);
void commit_add(struct commit *c, struct write write);
/* One more address that leads to the post: free, or its own. */
void commit_claim(struct commit *c, struct str slug);

/* In writing_follow.c: the shelves and copies that follow this head, and the counters, which come last. */
void commit_followers(struct commit *c, const struct item *head);
void commit_counters(struct commit *c);

/* In writing_state.c: the times that follow from the post's status. Before commit_begin(). */
void commit_times(struct post *post, int64_t now);

/* In writing_hand_over.c: who is asked and is none of its authors: whom an operator's import names is not asked any more. */
const struct coauthor *commit_asked(struct arena *arena, const struct post *post, size_t *count);

/* Adds which uploaded pictures it shows with this text, for the pages of these. In writing_uses.c. */
void commit_uses(struct commit *c, const struct post_body *body);

/* Adds the counters and does it, once. Tries again when others are in the way. */
enum plan_rc commit_do(struct commit *c);

#endif
