#ifndef PAGES_WRITE_REVISION_PARTS_H
#define PAGES_WRITE_REVISION_PARTS_H

#include "model/post/post.h"

/*
 * What somebody wrote of a post, part by part, as texts: for comparing two of its revisions, or what is
 * stored with what is typed.
 */
struct revision_part {
	const char *label; /* "Title" */
	struct str text;
};

/* The parts in the order in which a post shows them; those of other kinds of posts are empty. */
enum { REVISION_PARTS = 16 };
void revision_parts(struct arena *arena, const struct post *post, const struct post_body *body,
    struct revision_part parts[REVISION_PARTS]);

/* Which of them differ, in words: "Title, text (+12 words)"; empty when none does. In the arena. */
struct str revision_changes(struct arena *arena, const struct revision_part old[REVISION_PARTS],
    const struct revision_part new[REVISION_PARTS]);

#endif
