#ifndef MODEL_POST_TAG_H
#define MODEL_POST_TAG_H

#include "model/bind.h"

/* A tag, and how many public posts have it. */
struct tag {
	struct str name;
	int64_t posts;
};

void tag_from_item(struct arena *arena, const struct item *item, struct tag *out);

/*
 * Tags as people write them, each a text or several with commas between them, as they are stored: slugs (model/slug.h),
 * each once, in their order. *strange is the first that has no letter and no digit, such as "!?"; empty: none. In the
 * arena.
 */
struct strings_value tags_of(
    struct arena *arena, const struct str *texts, size_t count, struct str *strange);

extern const struct binding_table tag_bindings;

#endif
