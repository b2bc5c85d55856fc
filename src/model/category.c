#include "model/category.h"

#include "base/arena.h"

static const struct binding bindings[] = {
    BIND_STRING("Description", struct category, description),
    BIND_STRING("Name", struct category, name),
    BIND_NUMBER("Order", struct category, order),
    BIND_STRING("Parent", struct category, parent_slug),
    BIND_NUMBER("Posts", struct category, posts),
    BIND_STRING("Slug", struct category, slug),
};
static const struct binding_table table = BINDINGS(bindings);

/* A tree being built: where each category of the query's order went. */
struct planting {
	struct category *from; /* in the query's order */
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

	p->placed[i] = true;
	*category = p->from[i];
	category->parent = parent;
	category->depth = depth;
	for (size_t j = 0; j < p->count; j++)
		if (!p->placed[j] && str_eq(p->from[j].parent_slug, category->slug))
			place(p, j, category, depth + 1);
	category->below = p->filled - first;
}

static bool
has_parent(const struct planting *p, size_t i)
{
	for (size_t j = 0; j < p->count; j++)
		if (j != i && str_eq(p->from[j].slug, p->from[i].parent_slug))
			return true;
	return false;
}

struct category_tree
category_tree(struct arena *arena, const struct item *items, size_t count)
{
	struct planting p = {
	    .from = ARENA_ARRAY(arena, count, struct category),
	    .placed = ARENA_ARRAY(arena, count, bool),
	    .count = count,
	    .to = ARENA_ARRAY(arena, count, struct category),
	};

	for (size_t i = 0; i < count; i++)
		bind_read(arena, &table, &items[i], &p.from[i]);
	for (size_t i = 0; i < count; i++)
		if (!p.placed[i] && !has_parent(&p, i))
			place(&p, i, NULL, 0);
	/* What is left goes round in circles. */
	for (size_t i = 0; i < count; i++)
		if (!p.placed[i])
			place(&p, i, NULL, 0);
	return (struct category_tree){p.to, count};
}

size_t
category_shelves(const struct category *category, struct str slugs[CATEGORY_SHELVES])
{
	size_t count = 0;

	for (; count <= category->below && count < CATEGORY_SHELVES; count++)
		slugs[count] = category[count].slug;
	return count;
}

const struct category *
category_find(const struct category_tree *tree, struct str slug)
{
	for (size_t i = 0; i < tree->count; i++)
		if (str_eq(tree->categories[i].slug, slug))
			return &tree->categories[i];
	return NULL;
}
