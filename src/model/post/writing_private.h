#ifndef MODEL_POST_WRITING_PRIVATE_H
#define MODEL_POST_WRITING_PRIVATE_H

#include "model/post/writing.h"

/*
 * Commits the change from a post before to the post after. model/post/writing.c determines the
 * post after, and everything else is derived in writing_commit.c.
 */
struct commit {
	struct plan *plan;
	struct arena *arena;
	const struct written *old; /* NULL: there was none */
	const struct post *post;   /* as it is to be, with its figures */
	bool written;              /* somebody writes it just now, who may not be suspended meanwhile */
};

/* Plans the head and what follows it around; the caller adds what there is besides. */
void commit_begin(
    struct commit *c, struct plan *plan, const struct written *old, const struct post *post);
/* One more address that leads to the post: free, or its own. */
void commit_claim(struct commit *c, struct str slug);

/* Adds which uploaded pictures it shows with this text, for the pages of these. */
void commit_uses(struct commit *c, const struct post_body *body);

/* Adds the counters and does it. */
enum plan_rc commit_do(struct commit *c);

#endif
