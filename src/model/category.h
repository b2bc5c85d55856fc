#ifndef MODEL_CATEGORY_H
#define MODEL_CATEGORY_H

#include "model/bind.h"

/*
 * The categories: a tree of any depth, read with one query (query_categories()) and held as one array
 * in reading order: each category stands right before its children.
 */
struct category {
	struct str slug, name, description, parent_slug;
	int64_t order, posts;
	const struct category *parent; /* NULL at the top */
	unsigned depth;                /* 0 at the top */
	size_t below;                  /* how many categories behind this one lie under it */
};

struct category_tree {
	const struct category *categories;
	size_t count;
};

/*
 * The tree from the items of the query. One whose parent is missing stands at the top, and so does one
 * of a circle; none is lost. Strings point into the items.
 */
struct category_tree category_tree(struct arena *arena, const struct item *items, size_t count);

/*
 * The slugs of a category and of all that lie under it, whose posts a list of it merges; those behind the
 * first CATEGORY_SHELVES are left out.
 */
enum { CATEGORY_SHELVES = 48 };
size_t category_shelves(const struct category *category, struct str slugs[CATEGORY_SHELVES]);

/* The category of that slug, or NULL. */
const struct category *category_find(const struct category_tree *tree, struct str slug);

#endif
