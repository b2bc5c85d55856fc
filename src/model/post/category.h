#ifndef MODEL_POST_CATEGORY_H
#define MODEL_POST_CATEGORY_H

#include "model/bind.h"
#include "model/plan.h"
#include "model/site/audit.h"

/*
 * The categories: a tree of any depth, read with one query (query_categories()) and held as one array
 * in reading order: each category stands right before its children.
 */
struct category {
	struct str slug, name, description;
	struct str colour; /* of its section (model/site/colour.h); or empty */
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
 * The tree from the items of the query, and the numbers of posts from those of query_category_counts() (which may be left
 * out). One whose parent is missing stands at the top, and so does one
 * of a circle; none is lost. Strings point into the items.
 */
struct category_tree category_tree(struct arena *arena, const struct item *items, size_t count,
    const struct item *counts, size_t counted);

/*
 * The slugs of a category and of all that lie under it, or were merged and have posts left, whose posts a list
 * of it merges; those behind the first CATEGORY_PARTITIONS are left out.
 */
enum { CATEGORY_PARTITIONS = 48 };
size_t category_partitions(const struct category *category, struct str slugs[CATEGORY_PARTITIONS]);

/* The one at the top under which it lies; NULL for NULL. */
const struct category *category_top(const struct category *category);

/* The category of that slug, or the one into which it was merged; or NULL. */
const struct category *category_find(const struct category_tree *tree, struct str slug);

extern const struct binding_table category_bindings, category_merged_bindings;

/* --- Changing -------------------------------------------------------------------------------------------- */

/*
 * What the staff do to the tree of categories. Each builds on the tree as it was read; its transaction makes
 * sure that what it builds on still is so, and says PLAN_CHANGED when it is not:
 *
 *   - A category that comes to lie under another names all above that one in its transaction: none of them
 *     may have been moved or merged. Of two moves that together would make a circle, one fails.
 *   - What comes to lie under a category touches it, and one that is deleted must not have been touched: so
 *     nothing is left behind without its parent.
 *
 * A category's slug never changes, as it stands in addresses and in posts. To give it another is to make
 * another category and merge this one into it: the old address then leads there for ever.
 */
enum {
	CATEGORY_DEPTH_MAX = 6, /* levels below the top */
	CATEGORY_ORDER_MAX = 9999,
	CATEGORY_SIBLINGS_MAX = 90,
};

/* What is said of a category. */
struct category_text {
	struct str name, description, colour;
	struct str parent; /* a slug; empty: at the top */
};

/*
 * A new one, behind all others. PLAN_TAKEN: the slug is, or was, another's. PLAN_NOT_THERE: there is no such
 * parent. PLAN_FULL: too deep.
 */
enum plan_rc category_create(struct plan *plan, const struct category_tree *tree, struct str slug,
    const struct category_text *text);

/* Another name, description, place. PLAN_CIRCLE: it would lie under itself. Else as above. */
enum plan_rc category_edit(struct plan *plan, const struct category_tree *tree,
    const struct category *category, const struct category_text *text);

/* Before or behind its neighbour on the same level. PLAN_DONE, too, where there is none. */
enum plan_rc category_step(
    struct plan *plan, const struct category_tree *tree, const struct category *category, bool up);

/*
 * Merges one into another, with all that lies under it. From the first moment its posts are listed there and
 * its address leads there; then they move over, at most `most` of them in this call, each in a transaction of
 * its own that keeps every counter right. PLAN_MORE: there may be more of them. category_merge_on() goes on
 * with one that was begun, whoever began it. PLAN_CIRCLE: into itself, or what lies under it.
 */
enum plan_rc category_merge(
    struct plan *plan, const struct category *from, const struct category *into);
enum plan_rc category_merge_on(struct plan *plan, struct str from, struct str into, unsigned most);

/* PLAN_NOT_EMPTY while it has posts, or something lies under it. What nobody has published keeps its name. */
enum plan_rc category_delete(
    struct plan *plan, const struct category_tree *tree, const struct category *category);

#endif
