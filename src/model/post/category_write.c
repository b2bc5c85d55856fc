#include "model/post/category_write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

#include <assert.h>
#include <stdlib.h>

enum { ORDER_STEP = 10 };

/* --- Holding on to what was read -------------------------------------------------------------------- */

/* Of an attribute: it is as it was, were it nothing. */
static struct condition
still(struct str name, struct str text)
{
	return (struct condition){.op = text.len != 0 ? COND_EQ : COND_MISSING,
	    .name = name,
	    .value = value_string(text)};
}

/* It is there, lies where it lay, and was not merged. */
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

/* Touches a category under which something is put, and makes sure of all above it. */
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

/* The parent that is wanted; false when there is no such category. */
static bool
parent_of(const struct category_tree *tree, struct str slug, const struct category **parent)
{
	*parent = slug.len != 0 ? category_find(tree, slug) : NULL;
	return slug.len == 0 || *parent != NULL;
}

/* How many levels lie under it. */
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
	struct item item = {.count = 0};
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
	if (parent != NULL)
		item_set(arena, &item, STR("Parent"), value_string(parent->slug));
	item_set(arena, &item, STR("Order"), value_number(order));
	item_set(arena, &item, STR("Posts"), value_number(0));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("UpdatedAt"), value_string(time_format(arena, plan->now)));
	plan_create(plan, item, PLAN_TAKEN);
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
	struct change changes[4] = {plan_text(STR("Name"), text->name),
	    plan_text(STR("Description"), text->description), touched(plan)};
	struct str said = audit_change(arena, STR(""), "name", category->name, text->name);

	if (!parent_of(tree, text->parent, &parent))
		return PLAN_NOT_THERE;
	if (lies_in(parent, category))
		return PLAN_CIRCLE;
	if (parent != NULL && parent->depth + 1 + height(category) > CATEGORY_DEPTH_MAX)
		return PLAN_FULL;
	changes[3] = plan_text(STR("Parent"), slug_or_none(parent));
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_category(arena, category->slug),
		.changes = changes,
		.change_count = 4,
		.condition = in_place(arena, category)},
	    PLAN_CHANGED);
	if (parent != category->parent)
		hold_line(plan, parent);
	said = audit_change(arena, said, "description", category->description, text->description);
	said = audit_change(
	    arena, said, "under", slug_or_none(category->parent), slug_or_none(parent));
	audit_log(plan, AUDIT_CATEGORY_EDIT, category->slug, said);
	return plan_commit(plan);
}

/* --- Order ------------------------------------------------------------------------------------------ */

/* Those of its level, in their order, itself at *own. */
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
	/* The level keeps its numbers, made to grow from one to the next. */
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
	struct condition parts[3] = {
	    {.op = COND_NOT, .children = &parts[2], .count = 1},
	    still(STR("UpdatedAt"), category->touched),
	    {.op = COND_GT, .name = STR("Posts"), .value = value_number(0)},
	};
	const struct condition empty = {.op = COND_ALL, .children = parts, .count = 2};
	bool led_here = false;

	/* An address that leads here would lead nowhere. */
	for (size_t i = 0; i < tree->merged_count; i++)
		led_here |= category_find(tree, tree->merged[i].slug) == category;
	if (category->below != 0 || category->posts > 0 || led_here)
		return PLAN_NOT_EMPTY;
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_category(plan->call->arena, category->slug),
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
