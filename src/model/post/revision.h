#ifndef MODEL_POST_REVISION_H
#define MODEL_POST_REVISION_H

#include "model/post/writing.h"

/*
 * A revision: the content of a post when it was saved, as it was entered. The first is number 1;
 * there are as many as the head's Revisions says. The content before the first save with this
 * program (from a seed, an older table) becomes a revision with that save, so that nothing is ever
 * lost.
 */
struct revision {
	struct str post_id;
	int64_t number;
	struct str by, by_name; /* who saved */
	struct str what;        /* "restored 3", "published"; empty: saved */
	int64_t saved;
	struct post post; /* title, excerpt, slug, category, tags, picture, and its kind's own */
	struct post_body body; /* without any HTML */
};

void revision_from_item(struct arena *arena, const struct item *item, struct revision *out);

/* The draft says what the revision said; all else of it stays. Then it is to be rendered and saved. */
void revision_apply(const struct revision *revision, struct draft *draft);

/* The item of one. For model/post/writing*.c. */
struct item revision_item(struct arena *arena, const struct revision *revision);

extern const struct binding_table revision_bindings;

#endif
