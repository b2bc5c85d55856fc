#ifndef MODEL_POST_COLLECTION_H
#define MODEL_POST_COLLECTION_H

#include "model/bind.h"

struct viewer;

/* A person's collection of posts, in an order of their own. */
struct collection {
	struct str id, owner, owner_name, name, description;
	bool is_public;
	struct str html; /* of the description, by this renderer */
	int64_t renderer;
	int64_t posts;
	int64_t created, updated;
};

/* One post in it. */
struct collected {
	struct str post, note;
	int64_t position;
	int64_t added;
};

void collection_from_item(struct arena *arena, const struct item *item, struct collection *out);
void collected_from_item(struct arena *arena, const struct item *item, struct collected *out);

/* A private collection is its owner's alone; to others it is not there. */
bool collection_visible_to(const struct collection *collection, const struct viewer *viewer);

extern const struct binding_table collection_bindings, collected_bindings;

#endif
