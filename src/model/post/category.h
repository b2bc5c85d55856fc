#ifndef MODEL_POST_CATEGORY_H
#define MODEL_POST_CATEGORY_H

#include "model/bind.h"

/*
 * The categories: a tree of any depth, read with one query (query_categories()) and held as one array
 * in reading order: each category stands right before its children.
 */
struct category {
	struct str slug, name, description;
	struct str parent_slug; /* as it is written down: it may have been merged since */
	struct str touched;     /* when it, or what lies right under it, was changed */
	int64_t order, posts;
	const struct str
	    *also; /* the slugs of those merged into it that have posts left on their shelves */
	size_t also_count;
	const struct category *parent; /* NULL at the top */
	unsigned depth;                /* 0 at the top */
	size_t below;                  /* how many categories behind this one lie under it */
};

/*
 * One that was merged into another: a redirect, permanently, for its address and everything that
 * refers to it. Its posts are moved, a few at a time; the remaining ones are listed under the other
 * all the same.
 */
struct merged_category {
	struct str slug, into; /* as it is written down */
	int64_t posts;         /* left */
};

struct category_tree {
	const struct category *categories;
	size_t count;
	const struct merged_category *merged;
	size_t merged_count;
};

/*
 * The tree from the items of the query. One whose parent is missing stands at the top, and so does one
 * of a circle; none is lost. Strings point into the items.
 */
struct category_tree category_tree(struct arena *arena, const struct item *items, size_t count);

/*
 * The slugs of a category and of all that lie under it, or were merged and have posts left, whose posts a list
 * of it merges; those behind the first CATEGORY_PARTITIONS are left out.
 */
enum { CATEGORY_PARTITIONS = 48 };
size_t category_partitions(const struct category *category, struct str slugs[CATEGORY_PARTITIONS]);

/* The category of that slug, or the one into which it was merged; or NULL. */
const struct category *category_find(const struct category_tree *tree, struct str slug);

extern const struct binding_table category_bindings, category_merged_bindings;

#endif
