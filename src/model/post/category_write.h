#ifndef MODEL_POST_CATEGORY_WRITE_H
#define MODEL_POST_CATEGORY_WRITE_H

#include "model/plan.h"
#include "model/post/category.h"
#include "model/site/audit.h"

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
	struct str name, description;
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
