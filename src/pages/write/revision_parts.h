#ifndef PAGES_WRITE_REVISION_PARTS_H
#define PAGES_WRITE_REVISION_PARTS_H

#include "model/post/post_fields.h"

/* The fields of a post as readable texts: to compare two revisions, or a form with what is stored. */
struct revision_part {
	struct str label; /* "Title": that of its input */
	struct str text;
};

struct revision_parts {
	struct revision_part *parts;
	size_t count;
};

/* One field; its text is empty if the post has none. In the arena. */
struct revision_part revision_part(struct arena *arena, const struct post_field *field,
    const struct post *post, const struct post_body *body);

/* Which field has no readable form, as a sentence in the arena; NULL: none. */
const char *revision_parts_error(struct arena *arena);

/* All that are compared, in the order in which a post shows them; the same number for every post. In the arena. */
struct revision_parts revision_parts(
    struct arena *arena, const struct post *post, const struct post_body *body);

/* Do they say the same? */
bool revision_parts_same(const struct revision_parts *a, const struct revision_parts *b);

/* Which of them differ, in words: "Title, text (+12 words)"; empty when none does. In the arena. */
struct str revision_changes(
    struct arena *arena, const struct revision_parts *old, const struct revision_parts *new);

#endif
