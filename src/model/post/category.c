#include "model/post/category.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post/writing.h"

#include <assert.h>
#include <stdlib.h>

static const struct binding bindings[] = {
    BIND_TEXT(WRITTEN, "Colour", struct category, colour, TEXT_COLOUR),
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

/* A tree being built from the categories in the query's order. */
struct planting {
	struct category *from; /* in the query's order */
	struct str *under;     /* the current parent of each */
	bool *placed;
	size_t count;
	struct category *to;
	size_t filled;
};

/* Places a category and its descendants. */
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

/* The slug that replaces this one after all merges. */
static struct str
slug_now(const struct merged_category *merged, size_t count, struct str slug)
{
	/* At most as many steps as merged categories: more would be a cycle. */
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

/* Their numbers of posts, sorted by slug. */
struct numbers {
	const struct item *items;
	size_t count;
};

static int64_t
number_of(const struct numbers *numbers, struct str slug)
{
	size_t low = 0, high = numbers->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(item_key(&numbers->items[middle]).sk, slug);

		if (order == 0)
			return item_number(&numbers->items[middle], STR("Posts"));
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/* Separates the items: merged categories go to *tree, the others to the planting. */
static void
sort_out(struct arena *arena, const struct item *items, size_t count, struct planting *p,
    struct category_tree *tree, const struct numbers *numbers)
{
	struct merged_category *merged = ARENA_ARRAY(arena, count, struct merged_category);

	for (size_t i = 0; i < count; i++)
		if (item_get(&items[i], STR("MergedInto")) != NULL) {
			struct merged_category *m = &merged[tree->merged_count++];

			bind_read(arena, &category_merged_bindings, &items[i], m);
			m->posts += number_of(numbers, m->slug);
		} else {
			struct category *c = &p->from[p->count++];

			bind_read(arena, &category_bindings, &items[i], c);
			c->posts += number_of(numbers, c->slug);
		}
	tree->merged = merged;
	for (size_t i = 0; i < p->count; i++)
		p->under[i] = slug_now(merged, tree->merged_count, p->from[i].parent_slug);
}

/* Adds the categories that were merged into it and still have posts. */
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
 * Each category comes after its parent and before anything outside that parent; so there is no
 * cycle, and all are reachable from the top.
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
category_tree(struct arena *arena, const struct item *items, size_t count,
    const struct item *counts, size_t counted)
{
	struct category_tree tree = {.count = 0};
	struct planting p = {
	    .from = ARENA_ARRAY(arena, count, struct category),
	    .under = ARENA_ARRAY(arena, count, struct str),
	    .placed = ARENA_ARRAY(arena, count, bool),
	    .to = ARENA_ARRAY(arena, count, struct category),
	};

	sort_out(arena, items, count, &p, &tree, &(struct numbers){counts, counted});
	for (size_t i = 0; i < p.count; i++)
		if (!p.placed[i] && !has_parent(&p, i))
			place(&p, i, NULL, 0);
	/* The rest are cycles. */
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

/* Adds a partition if there is space for it. */
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
category_top(const struct category *category)
{
	while (category != NULL && category->parent != NULL)
		category = category->parent;
	return category;
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

enum { ORDER_STEP = 10, MOVED_AT_ONCE = 20 };

/* --- Conditions on what was read -------------------------------------------------------------- */

/* The attribute still has this value; empty: it is missing. */
static struct condition
still(struct str name, struct str text)
{
	return (struct condition){.op = text.len != 0 ? COND_EQ : COND_MISSING,
	    .name = name,
	    .value = value_string(text)};
}

/* It exists, has the same parent, and was not merged. */
static const struct condition *
in_place(struct arena *arena, const struct category *category)
{
	struct condition *c = ARENA_ARRAY(arena, 4, struct condition);

	c[0] = plan_present;
	c[1] = still(STR("Parent"), category->parent_slug);
	c[2] = (struct condition){.op = COND_MISSING, .name = STR("MergedInto")};
	c[3] = (struct condition){.op = COND_ALL, .children = c, .count = 3};
	return &c[3];
}

static struct change
touched(struct plan *plan)
{
	return (struct change){
	    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(plan->call->arena, plan->now))};
}

/*
 * Updates the category under which something is put, and checks that all its ancestors are still in
 * place.
 */
static void
hold_line(struct plan *plan, const struct category *parent)
{
	struct arena *arena = plan->call->arena;
	struct change *touch;

	if (parent == NULL)
		return;
	assert(parent->depth <= CATEGORY_DEPTH_MAX);
	touch = ARENA_NEW(arena, struct change);
	*touch = touched(plan);
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_category(arena, parent->slug),
		.changes = touch,
		.change_count = 1,
		.condition = in_place(arena, parent)},
	    PLAN_CHANGED);
	for (const struct category *c = parent->parent; c != NULL; c = c->parent)
		plan_add(plan,
		    (struct write){.kind = WRITE_CHECK,
			.key = key_category(arena, c->slug),
			.condition = in_place(arena, c)},
		    PLAN_CHANGED);
}

/* --- Making and changing ---------------------------------------------------------------------------- */

/* The requested parent; false when there is no such category. */
static bool
parent_of(const struct category_tree *tree, struct str slug, const struct category **parent)
{
	*parent = slug.len != 0 ? category_find(tree, slug) : NULL;
	return slug.len == 0 || *parent != NULL;
}

/* The number of levels under it. */
static unsigned
height(const struct category *category)
{
	unsigned deepest = category->depth;

	for (size_t i = 1; i <= category->below; i++)
		if (category[i].depth > deepest)
			deepest = category[i].depth;
	return deepest - category->depth;
}

static bool
lies_in(const struct category *category, const struct category *in)
{
	while (category != NULL && category != in)
		category = category->parent;
	return category != NULL;
}

static int64_t
last_order(const struct category_tree *tree)
{
	int64_t last = 0;

	for (size_t i = 0; i < tree->count; i++)
		if (tree->categories[i].order > last)
			last = tree->categories[i].order;
	return last;
}

enum plan_rc
category_create(struct plan *plan, const struct category_tree *tree, struct str slug,
    const struct category_text *text)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0}, number = {.count = 0};
	const struct category *parent;
	int64_t order = last_order(tree) + ORDER_STEP;

	if (!parent_of(tree, text->parent, &parent))
		return PLAN_NOT_THERE;
	if (order > CATEGORY_ORDER_MAX || (parent != NULL && parent->depth >= CATEGORY_DEPTH_MAX))
		return PLAN_FULL;
	key_set(arena, &item, key_category(arena, slug), ITEM_CATEGORY);
	key_index_category(arena, &item, order, slug);
	item_set(arena, &item, STR("Slug"), value_string(slug));
	item_set(arena, &item, STR("Name"), value_string(text->name));
	if (text->description.len != 0)
		item_set(arena, &item, STR("Description"), value_string(text->description));
	if (text->colour.len != 0)
		item_set(arena, &item, STR("Colour"), value_string(text->colour));
	if (parent != NULL)
		item_set(arena, &item, STR("Parent"), value_string(parent->slug));
	item_set(arena, &item, STR("Order"), value_number(order));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("UpdatedAt"), value_string(time_format(arena, plan->now)));
	plan_create(plan, item, PLAN_TAKEN);
	key_set(arena, &number, key_category_count(slug), ITEM_CATEGORY_COUNT);
	item_set(arena, &number, STR("Posts"), value_number(0));
	plan_put(plan, number);
	hold_line(plan, parent);
	audit_log(plan, AUDIT_CATEGORY_CREATE, slug, text->name);
	return plan_commit(plan);
}

static struct str
slug_or_none(const struct category *category)
{
	return category != NULL ? category->slug : STR("");
}

enum plan_rc
category_edit(struct plan *plan, const struct category_tree *tree, const struct category *category,
    const struct category_text *text)
{
	struct arena *arena = plan->call->arena;
	const struct category *parent;
	struct change changes[] = {plan_text(STR("Name"), text->name),
	    plan_text(STR("Description"), text->description), touched(plan),
	    plan_text(STR("Colour"), text->colour), {0}};
	size_t count = sizeof(changes) / sizeof(changes[0]);
	struct str said = audit_change(arena, STR(""), "name", category->name, text->name);

	if (!parent_of(tree, text->parent, &parent))
		return PLAN_NOT_THERE;
	if (lies_in(parent, category))
		return PLAN_CIRCLE;
	if (parent != NULL && parent->depth + 1 + height(category) > CATEGORY_DEPTH_MAX)
		return PLAN_FULL;
	changes[count - 1] = plan_text(STR("Parent"), slug_or_none(parent));
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_category(arena, category->slug),
		.changes = changes,
		.change_count = count,
		.condition = in_place(arena, category)},
	    PLAN_CHANGED);
	if (parent != category->parent)
		hold_line(plan, parent);
	said = audit_change(arena, said, "description", category->description, text->description);
	said = audit_change(arena, said, "colour", category->colour, text->colour);
	said = audit_change(
	    arena, said, "under", slug_or_none(category->parent), slug_or_none(parent));
	audit_log(plan, AUDIT_CATEGORY_EDIT, category->slug, said);
	return plan_commit(plan);
}

/* --- Order ------------------------------------------------------------------------------------------ */

/* The categories of its level, in order; *own is its index. */
static size_t
siblings_of(const struct category_tree *tree, const struct category *category,
    const struct category **siblings, size_t *own)
{
	size_t count = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];

		if (c->parent != category->parent)
			continue;
		if (c == category)
			*own = count;
		siblings[count++] = c;
	}
	return count;
}

static void
set_order(struct plan *plan, const struct category *category, int64_t order)
{
	struct arena *arena = plan->call->arena;
	struct condition *as_read = ARENA_NEW(arena, struct condition);
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);

	changes[0] = (struct change){CHANGE_SET, STR("Order"), value_number(order)};
	changes[1] = (struct change){CHANGE_SET, STR("GSI3SK"),
	    value_string(key_category_place(arena, order, category->slug))};
	*as_read = (struct condition){
	    .op = COND_EQ, .name = STR("Order"), .value = value_number(category->order)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_category(arena, category->slug),
		.changes = changes,
		.change_count = 2,
		.condition = as_read},
	    PLAN_CHANGED);
}

enum plan_rc
category_step(
    struct plan *plan, const struct category_tree *tree, const struct category *category, bool up)
{
	struct arena *arena = plan->call->arena;
	const struct category **row = ARENA_ARRAY(arena, tree->count, const struct category *);
	int64_t *orders = ARENA_ARRAY(arena, tree->count, int64_t);
	size_t own = 0, other, siblings = siblings_of(tree, category, row, &own);

	if (up ? own == 0 : own + 1 == siblings)
		return PLAN_DONE;
	if (siblings > CATEGORY_SIBLINGS_MAX)
		return PLAN_FULL;
	/* The level keeps its numbers, sorted so that each is greater than the one before. */
	for (size_t i = 0; i < siblings; i++) {
		orders[i] = row[i]->order;
		if (i != 0 && orders[i] <= orders[i - 1])
			orders[i] = orders[i - 1] + 1;
	}
	if (orders[siblings - 1] > CATEGORY_ORDER_MAX)
		return PLAN_FULL;
	other = up ? own - 1 : own + 1;
	row[own] = row[other];
	row[other] = category;
	for (size_t i = 0; i < siblings; i++)
		if (row[i]->order != orders[i])
			set_order(plan, row[i], orders[i]);
	audit_log(plan, AUDIT_CATEGORY_ORDER, category->slug, up ? STR("up") : STR("down"));
	return plan_commit(plan);
}

/* --- Deleting --------------------------------------------------------------------------------------- */

enum plan_rc
category_delete(
    struct plan *plan, const struct category_tree *tree, const struct category *category)
{
	const struct condition untouched = still(STR("UpdatedAt"), category->touched);
	const struct condition some = {
	    .op = COND_GT, .name = STR("Posts"), .value = value_number(0)};
	const struct condition empty = {.op = COND_NOT, .children = &some, .count = 1};
	bool led_here = false;

	/* The addresses of categories merged into it would lead nowhere. */
	for (size_t i = 0; i < tree->merged_count; i++)
		led_here |= category_find(tree, tree->merged[i].slug) == category;
	if (category->below != 0 || category->posts > 0 || led_here)
		return PLAN_NOT_EMPTY;
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_category(plan->call->arena, category->slug),
		.condition = &untouched},
	    PLAN_NOT_EMPTY);
	/* Whatever is published there needs this item. */
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_category_count(category->slug),
		.condition = &empty},
	    PLAN_NOT_EMPTY);
	audit_log(plan, AUDIT_CATEGORY_DELETE, category->slug, category->name);
	return plan_commit(plan);
}

/* --- Merging ---------------------------------------------------------------------------------------- */

enum plan_rc
category_merge(struct plan *plan, const struct category *from, const struct category *into)
{
	struct arena *arena = plan->call->arena;
	const struct change changes[] = {
	    {CHANGE_SET, STR("MergedInto"), value_string(into->slug)},
	    {CHANGE_SET, STR("GSI3SK"), value_string(key_merged_place(arena, from->slug))},
	    touched(plan),
	};

	if (lies_in(into, from))
		return PLAN_CIRCLE;
	if (into->depth + height(from) > CATEGORY_DEPTH_MAX)
		return PLAN_FULL;
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_category(arena, from->slug),
		.changes = changes,
		.change_count = 3,
		.condition = in_place(arena, from)},
	    PLAN_CHANGED);
	hold_line(plan, into);
	audit_log(
	    plan, AUDIT_CATEGORY_MERGE, from->slug, STR_CONCAT(arena, STR("into "), into->slug));
	return plan_commit(plan);
}

/* --- Moving the posts of a merged category ---------------------------------------------------- */

/* Moves some posts of the partition that are still in it; *moved counts them. */
static enum plan_rc
move_some(struct plan *plan, const struct item *heads, size_t count, struct str from,
    struct str into, unsigned *moved)
{
	struct arena *arena = plan->call->arena;
	struct read *reads = ARENA_ARRAY(arena, count * POST_READS, struct read);
	enum table_rc rc;

	if (count == 0)
		return PLAN_DONE;
	for (size_t i = 0; i < count; i++)
		post_reads(arena, item_string(&heads[i], STR("Id")), true, &reads[i * POST_READS]);
	rc = table_read(plan->table, plan->call, reads, count * POST_READS);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	for (size_t i = 0; i < count; i++) {
		struct read *own = &reads[i * POST_READS];
		struct written post;

		rc = post_mend(plan->table, plan->call, own);
		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		/* The index may lag: the post was moved or deleted. */
		if (!written_take(arena, own, &post) || !str_eq(post.post.category, from))
			continue;
		switch (writing_move(plan, &post, into)) {
		case PLAN_DONE: (*moved)++; break;
		case PLAN_TABLE: return PLAN_TABLE;
		case PLAN_NO_CATEGORY: return PLAN_NOT_THERE;
		default: break; /* a concurrent change: the next call finds it */
		}
	}
	return PLAN_DONE;
}

enum plan_rc
category_merge_on(struct plan *plan, struct str from, struct str into, unsigned most)
{
	struct arena *arena = plan->call->arena;
	struct query query = query_category_partition(arena, from);
	struct plan quiet = *plan;
	enum plan_rc done = PLAN_DONE;
	struct str next = STR("");

	/* The merge is in the log; its posts need no entries of their own. */
	quiet.audited = false;
	for (unsigned moved = 0; moved < most && done == PLAN_DONE;) {
		struct item *heads;
		unsigned before = moved;
		size_t count;
		enum table_rc rc;

		query.limit = most - moved < MOVED_AT_ONCE ? most - moved : MOVED_AT_ONCE;
		rc = table_query(plan->table, plan->call, &query, &heads, &count, &next);
		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		if (count == 0)
			return PLAN_DONE;
		done = move_some(&quiet, heads, count, from, into, &moved);
		if (moved == before)
			break;
	}
	plan->failed = quiet.failed;
	return done == PLAN_DONE ? PLAN_MORE : done;
}
