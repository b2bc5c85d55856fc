#ifndef T_PAGES_PAST_H
#define T_PAGES_PAST_H

#include "seeded.h"

#include "lib/tap.h"

/* The table without the program: all of its items, to count them; and drafts, to have many. */
struct all {
	struct item *items;
	size_t count;
};

static inline struct all
all_of(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {.next = STR("")};
	struct all all = {ARENA_ARRAY(s->arena, 20000, struct item), 0};

	do {
		struct str cursor = page.next;

		if (table_walk(s->table, &call, cursor, 500, &page) != TABLE_OK)
			bail_out("the walk failed");
		for (size_t i = 0; i < page.count && all.count < 20000; i++)
			all.items[all.count++] = page.items[i];
	} while (page.next.len != 0);
	table_release(s->table, &call);
	return all;
}

/* How many items of the table fit. */
static inline size_t
stored(struct seeded *s, bool (*fits)(const struct item *item, const char *name), const char *name)
{
	struct all all = all_of(s);
	size_t count = 0;

	for (size_t i = 0; i < all.count; i++)
		count += fits(&all.items[i], name);
	return count;
}

static inline bool
is_type(const struct item *item, const char *type)
{
	return str_eq(item_string(item, STR("Type")), str_of(type));
}

static inline bool
commented_by(const struct item *item, const char *name)
{
	return is_type(item, "Comment") && str_eq(item_string(item, STR("Author")), str_of(name)) &&
	       item_get(item, STR("GSI1PK")) != NULL;
}

static inline bool
written_by(const struct item *item, const char *name)
{
	return is_type(item, "Post") && str_eq(item_string(item, STR("Author")), str_of(name)) &&
	       item_get(item, STR("GSI1PK")) != NULL;
}

static inline bool
rated_by(const struct item *item, const char *name)
{
	return is_type(item, "Rating") && str_eq(item_string(item, STR("Author")), str_of(name));
}

/* Creates that many drafts of somebody. */
static inline void
put_drafts(struct seeded *s, const char *author, int count, struct str markdown)
{
	for (int i = 0; i < count; i++) {
		struct item head = {.count = 0}, body = {.count = 0};
		struct str id = str_fmt(s->arena, "draft-%02d", i);
		struct str pk = STR_CONCAT(s->arena, STR("POST#"), id);

		item_set(s->arena, &head, STR("PK"), value_string(pk));
		item_set(s->arena, &head, STR("SK"), value_string(STR("METADATA")));
		item_set(s->arena, &head, STR("GSI1PK"),
		    value_string(STR_CONCAT(s->arena, STR("USER#"), str_of(author))));
		item_set(s->arena, &head, STR("GSI1SK"),
		    value_string(STR_CONCAT(s->arena, STR("DRAFT#2026-11-01T00:00:00.000Z#"), id)));
		item_set(s->arena, &head, STR("Type"), value_string(STR("Post")));
		item_set(s->arena, &head, STR("Id"), value_string(id));
		item_set(s->arena, &head, STR("Slug"), value_string(id));
		item_set(s->arena, &head, STR("Kind"), value_string(STR("note")));
		item_set(s->arena, &head, STR("Status"), value_string(STR("draft")));
		item_set(s->arena, &head, STR("Author"), value_string(str_of(author)));
		item_set(s->arena, &body, STR("PK"), value_string(pk));
		item_set(s->arena, &body, STR("SK"), value_string(STR("BODY")));
		item_set(s->arena, &body, STR("Type"), value_string(STR("Body")));
		item_set(s->arena, &body, STR("Markdown"), value_string(markdown));
		seeded_put(s, &head, 1);
		seeded_put(s, &body, 1);
	}
}

#endif
