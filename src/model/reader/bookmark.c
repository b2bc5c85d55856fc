#include "model/reader/bookmark.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/kinds.h"

#define TAGS STR("Tags")

static const struct binding rows[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct bookmark, created),
    BIND_STRING(RECORDED, "Post", struct bookmark, post),
    BIND_STRINGS(WRITTEN, "Tags", struct bookmark, tags),
};
const struct binding_table bookmark_bindings = BINDINGS(rows);

void
bookmark_from_item(struct arena *arena, const struct item *item, struct bookmark *out)
{
	*out = (struct bookmark){.created = 0};
	bind_read(arena, &bookmark_bindings, item, out);
}

void
own_tag_from_item(const struct item *item, struct own_tag *out)
{
	struct str tag;

	str_cut(item_key(item).sk, '#', &tag);
	*out = (struct own_tag){tag, item_number(item, STR("Bookmarks"))};
}

/* What lies beside a bookmark of its tag: all of it follows from the two. */
static struct item
tag_item(struct arena *arena, const struct item *bookmark, struct str tag)
{
	struct str author = item_string(bookmark, STR("Author"));
	struct item item = {.count = 0};
	struct bookmark b;

	bookmark_from_item(arena, bookmark, &b);
	key_set(arena, &item, key_bookmark_tag(arena, author, tag, b.created, b.post),
	    ITEM_BOOKMARK_TAG);
	item_set(arena, &item, STR("Author"), value_string(author));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, b.created)));
	item_set(arena, &item, STR("Post"), value_string(b.post));
	item_set(arena, &item, STR("Tag"), value_string(tag));
	return item;
}

static bool
has(const struct strings_value *tags, struct str tag)
{
	for (size_t i = 0; i < tags->count; i++)
		if (str_eq(tags->strings[i], tag))
			return true;
	return false;
}

struct condition
bookmark_unchanged(struct arena *arena, const struct item *bookmark)
{
	const struct value *tags = item_get(bookmark, TAGS);
	struct condition *each = ARENA_ARRAY(arena, 2, struct condition);

	each[0] = plan_present;
	each[1] = tags != NULL ? (struct condition){.op = COND_EQ, .name = TAGS, .value = *tags}
			       : (struct condition){.op = COND_MISSING, .name = TAGS};
	return (struct condition){.op = COND_ALL, .children = each, .count = 2};
}

static void
drop_tag(struct plan *plan, const struct item *bookmark, struct str tag)
{
	struct item *item = ARENA_NEW(plan->call->arena, struct item);

	*item = tag_item(plan->call->arena, bookmark, tag);
	plan_drop(plan, item);
}

void
bookmark_untag(struct plan *plan, const struct item *bookmark)
{
	struct bookmark b;

	bookmark_from_item(plan->call->arena, bookmark, &b);
	for (size_t i = 0; i < b.tags.count; i++)
		drop_tag(plan, bookmark, b.tags.strings[i]);
}

static struct change
change_of(struct arena *arena, const struct strings_value *tags)
{
	struct item item = {.count = 0};
	const struct bookmark b = {.tags = *tags};
	const struct value *value;

	bind_write(arena, &bookmark_bindings, &b, &item);
	value = item_get(&item, TAGS);
	return value != NULL ? (struct change){CHANGE_SET, TAGS, *value}
			     : (struct change){.op = CHANGE_REMOVE, .name = TAGS};
}

enum plan_rc
bookmark_tag(struct plan *plan, const struct item *bookmark, const struct strings_value *tags)
{
	struct arena *arena = plan->call->arena;
	const struct condition same = bookmark_unchanged(arena, bookmark);
	struct change change = change_of(arena, tags);
	struct bookmark b;

	bookmark_from_item(arena, bookmark, &b);
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(bookmark),
		.changes = &change,
		.change_count = 1,
		.condition = &same},
	    PLAN_CHANGED);
	for (size_t i = 0; i < b.tags.count; i++)
		if (!has(tags, b.tags.strings[i]))
			drop_tag(plan, bookmark, b.tags.strings[i]);
	for (size_t i = 0; i < tags->count; i++) {
		struct item item;

		if (has(&b.tags, tags->strings[i]))
			continue;
		item = tag_item(arena, bookmark, tags->strings[i]);
		plan_create(plan, item, PLAN_CHANGED);
		plan_recount(plan, NULL, &item);
	}
	return plan_commit(plan);
}
