#ifndef PAGES_WRITE_REVISION_PARTS_H
#define PAGES_WRITE_REVISION_PARTS_H

#include "model/post/post_fields.h"

/*
 * What somebody wrote of a post, part by part, as texts: for comparing two of its revisions, or what is
 * stored with what is typed.
 */
struct revision_part {
	struct str label; /* "Title", as its field in the form has it */
	struct str text;
};

struct revision_parts {
	struct revision_part *parts;
	size_t count;
};

/* One of the fields that people write; the text is empty where there is none. In the arena. */
struct revision_part revision_part(struct arena *arena, const struct post_field *field,
    const struct post *post, const struct post_body *body);

/* Which field that people write nobody can compare, in the arena; NULL: none. */
const char *revision_parts_flaw(struct arena *arena);

/* All that are compared, in the order in which a post shows them; as many of every post. In the arena. */
struct revision_parts revision_parts(
    struct arena *arena, const struct post *post, const struct post_body *body);

/* Do they say the same? */
bool revision_parts_same(const struct revision_parts *a, const struct revision_parts *b);

/* Which of them differ, in words: "Title, text (+12 words)"; empty when none does. In the arena. */
struct str revision_changes(
    struct arena *arena, const struct revision_parts *old, const struct revision_parts *new);

#endif
