#ifndef MODEL_POST_COLLECTION_H
#define MODEL_POST_COLLECTION_H

#include "model/bind.h"
#include "model/restricted.h"

struct viewer;

/* A person's collection of posts, in an order of their own. */
struct collection {
	struct str id, owner, owner_name, name, description;
	bool is_public;
	bool series; /* its owner's posts in it are parts, which lead to each other */
	enum restricted restricted; /* it would be public, and is not: its owner alone sees it, and who decides */
	struct str held_for; /* of one that is to be saved and held: why */
	struct str html; /* of the description, by this renderer */
	int64_t renderer;
	int64_t posts;
	struct str front_post; /* the front page may show the collection while strangers may see this post of it; empty: never */
	int64_t created, updated;
};

/* One post in it. */
struct collected {
	struct str post, note;
	struct str
	    author; /* of a post for followers, when it was added: so it is known whom to follow; else empty */
	struct str held_for; /* of one that is to be added: why the collection waits then, if it is public; or empty */
	bool for_front; /* when it was added, strangers could see it, and its collection's owner's contributions did not wait */
	int64_t position;
	int64_t added;
};

/*
 * A post in a series, as derive/series.c makes it of the collection and of the posts: what is not public, or another's, is no
 * part, and is not counted.
 */
struct series_part {
	struct str collection, post;
	int64_t part, parts;      /* "part 2 of 5"; 0: it is none */
	struct str before, after; /* the ids of the posts beside it; or empty */
};

void series_part_from_item(struct arena *arena, const struct item *item, struct series_part *out);

void collection_from_item(struct arena *arena, const struct item *item, struct collection *out);
void collected_from_item(struct arena *arena, const struct item *item, struct collected *out);

/* A private collection is its owner's alone; to others it is not there. */
bool collection_visible_to(const struct collection *collection, const struct viewer *viewer);

extern const struct binding_table collection_bindings, collected_bindings, series_part_bindings;

#endif
