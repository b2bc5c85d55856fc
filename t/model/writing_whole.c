#include "writing_whole.h"

#include "base/arena.h"
#include "base/buf.h"
#include "model/people/user.h"
#include "model/post/ranking.h"

#include <inttypes.h>
#include <string.h>

/* All items of a table, by type. */
struct all {
	struct arena *arena;
	struct item items[2000];
	size_t count;
	struct buf errors;
};

static struct str
text(const struct item *item, const char *name)
{
	return item_string(item, str_of(name));
}

static void
error(struct all *all, const struct item *item, const char *says, struct str got, struct str wanted)
{
	buf_fmt(&all->errors, "%.*s / %.*s: %s: \"%.*s\" rather than \"%.*s\"; ",
	    STR_ARGS(text(item, "PK")), STR_ARGS(text(item, "SK")), says, STR_ARGS(got),
	    STR_ARGS(wanted));
}

static void
same(struct all *all, const struct item *item, const char *name, struct str wanted)
{
	if (!str_eq(text(item, name), wanted))
		error(all, item, name, text(item, name), wanted);
}

static const struct item *
at(const struct all *all, struct str pk, struct str sk)
{
	for (size_t i = 0; i < all->count; i++)
		if (str_eq(text(&all->items[i], "PK"), pk) &&
		    str_eq(text(&all->items[i], "SK"), sk))
			return &all->items[i];
	return NULL;
}

static bool
is_type(const struct item *item, const char *type)
{
	return str_eq(text(item, "Type"), str_of(type));
}

static bool
in_lists(const struct item *head)
{
	return str_eq(text(head, "Status"), STR("published")) &&
	       str_eq(text(head, "Visibility"), STR("public")) &&
	       !str_eq(text(head, "Kind"), STR("page"));
}

static bool
names(const struct all *all, const struct item *head, const char *list, struct str name)
{
	const struct value *values = item_get(head, str_of(list));

	(void)all;
	for (size_t i = 0; values != NULL && i < values->list.count; i++) {
		const struct value *v = &values->list.values[i];

		if (str_eq(v->kind == VALUE_MAP ? item_string(&v->map, STR("Username")) : v->string,
			name))
			return true;
	}
	return false;
}

/* Where one of its authors finds it. */
static struct str
doing(struct all *all, const struct item *head)
{
	struct str status = text(head, "Status");
	const char *prefix = "POST";
	struct str time = text(head, "PublishedAt");

	if (str_eq(status, STR("draft"))) {
		prefix = "DRAFT";
		time = text(head, "UpdatedAt");
	} else if (str_eq(status, STR("unpublished"))) {
		prefix = "UNPUBLISHED";
		time = text(head, "UpdatedAt");
	} else if (str_eq(status, STR("deleted"))) {
		prefix = "GONE";
		time = text(head, "DeletedAt");
	} else if (!str_eq(text(head, "Visibility"), STR("public"))) {
		prefix = "CLOSED";
	} else if (str_eq(text(head, "Kind"), STR("page"))) {
		prefix = "PAGE";
	}
	return str_fmt(
	    all->arena, "%s#%.*s#%.*s", prefix, STR_ARGS(time), STR_ARGS(text(head, "Id")));
}

static void
check_head(struct all *all, const struct item *head)
{
	bool listed = in_lists(head), page = str_eq(text(head, "Kind"), STR("page"));
	bool shown_page = page && str_eq(text(head, "Status"), STR("published")) &&
			  str_eq(text(head, "Visibility"), STR("public"));
	struct str id = text(head, "Id"), category = text(head, "Category");
	struct str place = STR_CONCAT(all->arena, text(head, "PublishedAt"), STR("#"), id);
	struct str pk = STR_CONCAT(all->arena, STR("POST#"), id);
	struct str slug = STR_CONCAT(all->arena, STR("SLUG#"), text(head, "Slug"));
	const struct item *stats = at(all, pk, STR("STATS"));
	const struct item *claim = at(all, slug, slug);
	bool shelf = listed && category.len != 0;

	same(all, head, "GSI1PK", STR_CONCAT(all->arena, STR("USER#"), text(head, "Author")));
	same(all, head, "GSI1SK", doing(all, head));
	same(all, head, "GSI2PK",
	    shelf ? STR_CONCAT(all->arena, STR("CATEGORY#"), category) : STR(""));
	same(all, head, "GSI2SK", shelf ? place : STR(""));
	same(all, head, "GSI3PK", listed ? STR("POST") : shown_page ? STR("PAGE") : STR(""));
	same(all, head, "GSI3SK", listed ? place : shown_page ? text(head, "Slug") : STR(""));
	same(all, head, "GSI4PK", listed ? STR("HOT") : STR(""));
	if (at(all, pk, STR("BODY")) == NULL)
		error(all, head, "no body", STR(""), STR(""));
	if (claim == NULL || !str_eq(text(claim, "Post"), id))
		error(all, head, "no claim", text(head, "Slug"), id);
	if (stats == NULL)
		error(all, head, "no stats", STR(""), STR(""));
	else
		same(all, stats, "GSI4SK",
		    listed ? STR_CONCAT(all->arena, STR("5000000000#"), place) : STR(""));
}

/* A copy, or an item of a partition, that no head needs, or that is outdated. */
static void
check_follower(struct all *all, const struct item *item)
{
	struct str pk = text(item, "PK"), name, head_name;
	const struct item *head = at(all, pk, STR("METADATA"));

	head_name = str_cut(text(item, "SK"), '#', &name);
	if (head == NULL) {
		error(all, item, "no head", STR(""), STR(""));
		return;
	}
	if (is_type(item, "PostTag")) {
		if (!in_lists(head) || !names(all, head, "Tags", name))
			error(all, item, "not wanted", name, head_name);
		same(all, item, "GSI2SK",
		    STR_CONCAT(all->arena, text(head, "PublishedAt"), STR("#"), text(head, "Id")));
		return;
	}
	same(all, item, "GSI1PK", STR_CONCAT(all->arena, STR("USER#"), name));
	if (is_type(item, "PostRequest")) {
		if (!names(all, head, "Asked", name) || names(all, head, "Coauthors", name) ||
		    str_eq(text(head, "Status"), STR("deleted")))
			error(all, item, "not wanted", name, head_name);
		same(all, item, "GSI1SK",
		    STR_CONCAT(all->arena, STR("ASKED#"), text(head, "CreatedAt"), STR("#"),
			text(head, "Id")));
		same(all, item, "GSI2PK", STR(""));
		same(all, item, "GSI4PK", STR(""));
	} else {
		if (!names(all, head, "Coauthors", name))
			error(all, item, "not wanted", name, head_name);
		same(all, item, "GSI1SK", doing(all, head));
	}
	same(all, item, "Title", text(head, "Title"));
	same(all, item, "GSI3PK", STR(""));
}

/* What a head wants must be there. */
static void
check_followed(struct all *all, const struct item *head)
{
	const struct value *tags = item_get(head, STR("Tags"));
	const struct value *others = item_get(head, STR("Coauthors"));
	const struct value *asked = item_get(head, STR("Asked"));
	bool there = !str_eq(text(head, "Status"), STR("deleted"));

	for (size_t i = 0; in_lists(head) && tags != NULL && i < tags->list.count; i++)
		if (at(all, text(head, "PK"),
			STR_CONCAT(all->arena, STR("TAG#"), tags->list.values[i].string)) == NULL)
			error(all, head, "no PostTag", tags->list.values[i].string, STR(""));
	for (size_t i = 0; others != NULL && i < others->list.count; i++) {
		struct str who = item_string(&others->list.values[i].map, STR("Username"));

		if (at(all, text(head, "PK"), STR_CONCAT(all->arena, STR("AUTHOR#"), who)) == NULL)
			error(all, head, "no copy", who, STR(""));
	}
	for (size_t i = 0; there && asked != NULL && i < asked->list.count; i++) {
		struct str who = item_string(&asked->list.values[i].map, STR("Username"));

		if (at(all, text(head, "PK"), STR_CONCAT(all->arena, STR("AUTHOR#"), who)) == NULL)
			error(all, head, "no request", who, STR(""));
	}
}

static void
check_counter(struct all *all, const struct item *item, const char *kind, struct str name)
{
	int64_t wanted = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct item *head = &all->items[i];

		if (!is_type(head, "Post") || !in_lists(head))
			continue;
		if (str_eq(str_of(kind), STR("User")))
			wanted += str_eq(text(head, "Author"), name) ||
				  names(all, head, "Coauthors", name);
		else if (str_eq(str_of(kind), STR("Category")))
			wanted += str_eq(text(head, "Category"), name);
		else
			wanted += names(all, head, "Tags", name);
	}
	if (item_number(item, STR("Posts")) != wanted)
		error(all, item, "Posts",
		    str_fmt(all->arena, "%" PRId64, item_number(item, STR("Posts"))),
		    str_fmt(all->arena, "%" PRId64, wanted));
}

/* A person with something public is among the authors, under their own name; a pseudonym is not. */
static void
check_author(struct all *all, const struct item *user)
{
	struct str name = text(user, "Username"), place = text(user, "GSI4SK");
	int64_t posts = 0;

	for (size_t i = 0; i < all->count; i++)
		if (is_type(&all->items[i], "PersonCounts") &&
		    str_eq(text(&all->items[i], "PK"), text(user, "PK")))
			posts = item_number(&all->items[i], STR("Posts"));
	if (place.len == 0 ? posts > 0 && username_valid(name)
			   : !str_eq(text(user, "GSI4PK"), STR("AUTHOR")) || !str_eq(place, name) ||
				 !username_valid(name))
		error(all, user, "among the authors", place, name);
}

static void
check_item(struct all *all, const struct item *item)
{
	if (is_type(item, "Post")) {
		check_head(all, item);
		check_followed(all, item);
	} else if (is_type(item, "PostTag") || is_type(item, "PostCopy") ||
		   is_type(item, "PostRequest")) {
		check_follower(all, item);
	} else if (is_type(item, "User")) {
		check_author(all, item);
	} else if (is_type(item, "PersonCounts")) {
		check_counter(all, item, "User",
		    str_sub(text(item, "PK"), strlen("USER#"), text(item, "PK").len));
	} else if (is_type(item, "CategoryCount")) {
		check_counter(all, item, "Category", text(item, "SK"));
	} else if (is_type(item, "Tag")) {
		check_counter(all, item, "Tag", text(item, "Tag"));
	} else if (text(item, "Type").len == 0) {
		error(all, item, "a stub", STR(""), STR(""));
	}
}

const char *
table_error(struct arena *arena, struct table *table)
{
	struct all *all = ARENA_NEW(arena, struct all);
	struct table_call call = {.arena = arena};
	struct walk_page page = {.count = 0};

	*all = (struct all){.arena = arena, .errors = {.arena = arena}};
	do {
		if (table_walk(table, &call, page.next, 500, &page) != TABLE_OK)
			return "the table can't be walked";
		for (size_t i = 0; i < page.count && all->count < 2000; i++)
			all->items[all->count++] = page.items[i];
	} while (page.next.len != 0);
	for (size_t i = 0; i < all->count; i++)
		check_item(all, &all->items[i]);
	return all->errors.len != 0 ? str_cstring(arena, buf_str(&all->errors)) : NULL;
}
