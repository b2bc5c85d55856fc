#ifndef MODEL_POST_WRITING_COMMIT_H
#define MODEL_POST_WRITING_COMMIT_H

#include "model/post/writing.h"

/*
 * Commits the change from a post before to the post after. Only for model/writing*.c: they
 * determine the post after, and everything else is derived here.
 */
struct commit {
	struct plan *plan;
	struct arena *arena;
	const struct written *old; /* NULL: there was none */
	const struct post *post;   /* as it is to be, with its figures */
};

/* Plans the head and what follows it around; the caller adds what there is besides. */
void commit_begin(
    struct commit *c, struct plan *plan, const struct written *old, const struct post *post);
/* One more address that leads to the post: free, or its own. */
void commit_claim(struct commit *c, struct str slug);

/* In writing_follow.c: the shelves and copies that follow this head, and the counters. */
void commit_followers(struct commit *c, const struct item *head);
void commit_counters(struct commit *c);

/* In writing_state.c: the times that follow from the post's status. Before commit_begin(). */
void commit_times(struct post *post, int64_t now);

/* In writing_hand_over.c: who is asked and is none of its authors: whom an operator's import names is not asked any more. */
const struct coauthor *commit_asked(struct arena *arena, const struct post *post, size_t *count);

/* Adds which uploaded pictures it shows with this text, for the pages of these. In writing_uses.c. */
void commit_uses(struct commit *c, const struct post_body *body);

/* Adds the counters and does it. */
enum plan_rc commit_do(struct commit *c);

#endif
