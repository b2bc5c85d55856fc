#include "model/post/category.h"

#include "base/arena.h"
#include "base/check.h"

static const struct binding bindings[] = {
    BIND_TEXT(WRITTEN, "Description", struct category, description, TEXT_LINES),
    BIND_TEXT(WRITTEN, "Name", struct category, name, TEXT_LINE),
    BIND_NUMBER(WRITTEN, "Order", struct category, order),
    BIND_STRING(WRITTEN, "Parent", struct category, parent_slug),
    BIND_NUMBER(COUNTED, "Posts", struct category, posts),
    BIND_STRING(RECORDED, "Slug", struct category, slug),
    BIND_STRING(RECORDED, "UpdatedAt", struct category, touched),
};
const struct binding_table category_bindings = BINDINGS(bindings);

static const struct binding merged_rows[] = {
    BIND_STRING(RECORDED, "MergedInto", struct merged_category, into),
    BIND_NUMBER(COUNTED, "Posts", struct merged_category, posts),
    BIND_STRING(RECORDED, "Slug", struct merged_category, slug),
};
const struct binding_table category_merged_bindings = BINDINGS(merged_rows);

/* A tree being built: where each category of the query's order went. */
struct planting {
	struct category *from; /* in the query's order */
	struct str *under;     /* the parent of each, as it is now */
	bool *placed;
	size_t count;
	struct category *to;
	size_t filled;
};

/* Puts down a category and all that is under it. */
static void
place(struct planting *p, size_t i, const struct category *parent, unsigned depth)
{
	struct category *category = &p->to[p->filled];
	size_t first = ++p->filled;

	assert(!p->placed[i] && first <= p->count);
	p->placed[i] = true;
	*category = p->from[i];
	category->parent = parent;
	category->depth = depth;
	for (size_t j = 0; j < p->count; j++)
		if (!p->placed[j] && str_eq(p->under[j], category->slug))
			place(p, j, category, depth + 1);
	category->below = p->filled - first;
}

static bool
has_parent(const struct planting *p, size_t i)
{
	for (size_t j = 0; j < p->count; j++)
		if (j != i && str_eq(p->from[j].slug, p->under[i]))
			return true;
	return false;
}

/* The slug that stands in for this one now: where it was merged to, however often. */
static struct str
slug_now(const struct merged_category *merged, size_t count, struct str slug)
{
	/* As many steps as there are signposts: more would be a circle. */
	for (size_t step = 0; step < count; step++) {
		size_t i = 0;

		while (i < count && !str_eq(merged[i].slug, slug))
			i++;
		if (i == count)
			break;
		slug = merged[i].into;
	}
	return slug;
}

/* Parts the items: those that are merged into *tree, the others into the planting. */
static void
sort_out(struct arena *arena, const struct item *items, size_t count, struct planting *p,
    struct category_tree *tree)
{
	struct merged_category *merged = ARENA_ARRAY(arena, count, struct merged_category);

	for (size_t i = 0; i < count; i++)
		if (item_get(&items[i], STR("MergedInto")) != NULL)
			bind_read(arena, &category_merged_bindings, &items[i],
			    &merged[tree->merged_count++]);
		else
			bind_read(arena, &category_bindings, &items[i], &p->from[p->count++]);
	tree->merged = merged;
	for (size_t i = 0; i < p->count; i++)
		p->under[i] = slug_now(merged, tree->merged_count, p->from[i].parent_slug);
}

/* Gives a category those that were merged into it and still have posts. */
static void
add_partitions(struct arena *arena, struct category *category, const struct category_tree *tree)
{
	struct str *also = NULL;

	for (size_t i = 0; i < tree->merged_count; i++) {
		const struct merged_category *m = &tree->merged[i];

		if (m->posts <= 0 ||
		    !str_eq(slug_now(tree->merged, tree->merged_count, m->slug), category->slug))
			continue;
		if (also == NULL)
			also = ARENA_ARRAY(arena, tree->merged_count, struct str);
		also[category->also_count++] = m->slug;
		category->posts += m->posts;
	}
	category->also = also;
}

/*
 * Each stands behind its parent and before what is not under that; so there is no circle, and all of them can be reached
 * from the top.
 */
__attribute__((unused)) static bool
category_tree_ok(const struct category_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i], *parent = c->parent;

		if (c->below >= tree->count - i || (c->also_count != 0) != (c->also != NULL))
			return false;
		if (parent == NULL) {
			if (c->depth != 0)
				return false;
			continue;
		}
		if (parent < tree->categories || parent >= c || c->depth != parent->depth + 1 ||
		    c + c->below > parent + parent->below)
			return false;
	}
	return true;
}

struct category_tree
category_tree(struct arena *arena, const struct item *items, size_t count)
{
	struct category_tree tree = {.count = 0};
	struct planting p = {
	    .from = ARENA_ARRAY(arena, count, struct category),
	    .under = ARENA_ARRAY(arena, count, struct str),
	    .placed = ARENA_ARRAY(arena, count, bool),
	    .to = ARENA_ARRAY(arena, count, struct category),
	};

	sort_out(arena, items, count, &p, &tree);
	for (size_t i = 0; i < p.count; i++)
		if (!p.placed[i] && !has_parent(&p, i))
			place(&p, i, NULL, 0);
	/* What is left goes round in circles. */
	for (size_t i = 0; i < p.count; i++)
		if (!p.placed[i])
			place(&p, i, NULL, 0);
	for (size_t i = 0; i < p.count; i++)
		add_partitions(arena, &p.to[i], &tree);
	assert(p.filled == p.count);
	tree.categories = p.to;
	tree.count = p.count;
	assert(category_tree_ok(&tree));
	return tree;
}

/* One more shelf, while there is room. */
static void
add_partition(struct str slugs[CATEGORY_PARTITIONS], size_t *count, struct str slug)
{
	if (*count < CATEGORY_PARTITIONS)
		slugs[(*count)++] = slug;
}

size_t
category_partitions(const struct category *category, struct str slugs[CATEGORY_PARTITIONS])
{
	size_t count = 0;

	for (size_t i = 0; i <= category->below; i++) {
		add_partition(slugs, &count, category[i].slug);
		for (size_t m = 0; m < category[i].also_count; m++)
			add_partition(slugs, &count, category[i].also[m]);
	}
	return count;
}

const struct category *
category_find(const struct category_tree *tree, struct str slug)
{
	slug = slug_now(tree->merged, tree->merged_count, slug);
	for (size_t i = 0; i < tree->count; i++)
		if (str_eq(tree->categories[i].slug, slug))
			return &tree->categories[i];
	return NULL;
}
