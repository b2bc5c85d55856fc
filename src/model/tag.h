#ifndef MODEL_TAG_H
#define MODEL_TAG_H

#include "model/bind.h"

/* A tag, and how many public posts have it. */
struct tag {
	struct str name;
	int64_t posts;
};

void tag_from_item(struct arena *arena, const struct item *item, struct tag *out);

#endif
