#include "model/post.h"

#include "base/arena.h"
#include "model/permission.h"

static const char *const kinds[] = {"article", "link", "howto", "note", "page", NULL};
static const char *const statuses[] = {"draft", "published", "unpublished", "deleted", NULL};
/* An unknown word is the first: what is not understood is shown to nobody. */
static const char *const visibilities[] = {"private", "public", "followers", "group", NULL};
static const char *const difficulties[] = {"", "easy", "medium", "hard", NULL};

static const struct binding head_bindings[] = {
    BIND_STRING(RECORDED, "Author", struct post, author),
    BIND_TEXT(COPIED, "AuthorName", struct post, author_name, TEXT_LINE),
    BIND_STRING(RECORDED, "Before", struct post, before),
    BIND_NUMBER(COUNTED, "Bookmarks", struct post, bookmarks),
    BIND_TEXT(WRITTEN, "Canonical", struct post, canonical, TEXT_LINK),
    BIND_STRING(WRITTEN, "Category", struct post, category),
    BIND_NUMBER(COUNTED, "Comments", struct post, comments),
    BIND_TEXT(WRITTEN, "Cost", struct post, cost, TEXT_AMOUNT),
    BIND_TIME(RECORDED, "CreatedAt", struct post, created),
    BIND_TEXT(WRITTEN, "Currency", struct post, currency, TEXT_CURRENCY),
    BIND_TIME(RECORDED, "DeletedAt", struct post, deleted),
    BIND_CHOICE(WRITTEN, "Difficulty", struct post, difficulty, difficulties),
    BIND_NUMBER(COUNTED, "Downs", struct post, downs),
    BIND_TEXT(WRITTEN, "Excerpt", struct post, excerpt, TEXT_LINES),
    BIND_STRING(RECORDED, "Group", struct post, group),
    BIND_TEXT(RECORDED, "Id", struct post, id, TEXT_SLUG),
    BIND_CHOICE(WRITTEN, "Kind", struct post, kind, kinds),
    BIND_STRING(WRITTEN, "Language", struct post, language),
    BIND_NUMBER(COUNTED, "Likes", struct post, likes),
    BIND_NUMBER(WRITTEN, "Minutes", struct post, minutes),
    BIND_TIME(RECORDED, "PlannedAt", struct post, planned),
    BIND_TIME(RECORDED, "PublishedAt", struct post, published),
    BIND_NUMBER(COUNTED, "Ratings", struct post, ratings),
    BIND_NUMBER(COUNTED, "Revisions", struct post, revisions),
    BIND_TEXT(WRITTEN, "Slug", struct post, slug, TEXT_SLUG),
    BIND_NUMBER(COUNTED, "Stars", struct post, stars),
    BIND_CHOICE(RECORDED, "Status", struct post, status, statuses),
    BIND_TEXTS(WRITTEN, "Tags", struct post, tags, TEXT_SLUG),
    BIND_TEXT(WRITTEN, "Title", struct post, title, TEXT_LINE),
    BIND_TEXT(WRITTEN, "URL", struct post, url, TEXT_LINK),
    BIND_TIME(RECORDED, "UpdatedAt", struct post, updated),
    BIND_NUMBER(COUNTED, "Ups", struct post, ups),
    BIND_NUMBER(RECORDED, "Version", struct post, version),
    BIND_CHOICE(RECORDED, "Visibility", struct post, visibility, visibilities),
    BIND_NUMBER(COUNTED, "Words", struct post, words),
};
static const struct binding_table head_table = BINDINGS(head_bindings);

static const struct binding coauthor_bindings[] = {
    BIND_TEXT(COPIED, "Name", struct coauthor, name, TEXT_LINE),
    BIND_STRING(RECORDED, "Username", struct coauthor, username),
};
static const struct binding_table coauthor_table = BINDINGS(coauthor_bindings);

static const struct binding image_bindings[] = {
    BIND_TEXT(WRITTEN, "Alt", struct image, alt, TEXT_LINE),
    BIND_NUMBER(RECORDED, "Height", struct image, height),
    BIND_TEXT(WRITTEN, "URL", struct image, url, TEXT_PICTURE),
    BIND_NUMBER(RECORDED, "Width", struct image, width),
};
static const struct binding_table image_table = BINDINGS(image_bindings);

static const struct binding body_bindings[] = {
    BIND_STRING(DERIVED, "HTML", struct post_body, html),
    BIND_STRING(WRITTEN, "Markdown", struct post_body, markdown),
    BIND_NUMBER(DERIVED, "Renderer", struct post_body, renderer),
    BIND_NUMBER(RECORDED, "Revision", struct post_body, revision),
    BIND_STRING(WRITTEN, "Source", struct post_body, source),
    BIND_TEXTS(WRITTEN, "Tools", struct post_body, tools, TEXT_LINE),
};
static const struct binding_table body_table = BINDINGS(body_bindings);

static const struct binding heading_bindings[] = {
    BIND_STRING(DERIVED, "Id", struct heading, id),
    BIND_NUMBER(DERIVED, "Level", struct heading, level),
    BIND_TEXT(DERIVED, "Title", struct heading, title, TEXT_LINE),
};
static const struct binding_table heading_table = BINDINGS(heading_bindings);

static const struct binding step_bindings[] = {
    BIND_STRING(DERIVED, "HTML", struct step, html),
    BIND_STRING(WRITTEN, "Markdown", struct step, markdown),
};
static const struct binding_table step_table = BINDINGS(step_bindings);

static const struct binding material_bindings[] = {
    BIND_TEXT(WRITTEN, "Amount", struct material, amount, TEXT_LINE),
    BIND_TEXT(WRITTEN, "Name", struct material, name, TEXT_LINE),
};
static const struct binding_table material_table = BINDINGS(material_bindings);

static const struct binding stats_bindings[] = {
    BIND_NUMBER(COUNTED, "Bookmarks", struct post_stats, bookmarks),
    BIND_NUMBER(COUNTED, "Comments", struct post_stats, comments),
    BIND_NUMBER(COUNTED, "Downs", struct post_stats, downs),
    BIND_NUMBER(COUNTED, "Laughs", struct post_stats, laughs),
    BIND_NUMBER(COUNTED, "Likes", struct post_stats, likes),
    BIND_NUMBER(COUNTED, "Loves", struct post_stats, loves),
    BIND_NUMBER(COUNTED, "Stars1", struct post_stats, stars[0]),
    BIND_NUMBER(COUNTED, "Stars2", struct post_stats, stars[1]),
    BIND_NUMBER(COUNTED, "Stars3", struct post_stats, stars[2]),
    BIND_NUMBER(COUNTED, "Stars4", struct post_stats, stars[3]),
    BIND_NUMBER(COUNTED, "Stars5", struct post_stats, stars[4]),
    BIND_NUMBER(COUNTED, "Ups", struct post_stats, ups),
};
static const struct binding_table stats_table = BINDINGS(stats_bindings);

/* The maps of a list, each read into a struct of `size` bytes; what is no map is left out. */
static void *
read_maps(struct arena *arena, const struct item *item, struct str name,
    const struct binding_table *table, size_t size, size_t *count)
{
	const struct value *list = item_get(item, name);
	char *structs;

	*count = 0;
	if (list == NULL || list->kind != VALUE_LIST)
		return NULL;
	structs = arena_array(arena, list->list.count, size);
	for (size_t i = 0; i < list->list.count; i++)
		if (list->list.values[i].kind == VALUE_MAP)
			bind_read(
			    arena, table, &list->list.values[i].map, structs + size * (*count)++);
	return structs;
}

void
post_from_item(struct arena *arena, const struct item *item, struct post *out)
{
	struct item thumbnail = item_map(item, STR("Thumbnail"));

	*out = (struct post){.kind = KIND_ARTICLE};
	bind_read(arena, &head_table, item, out);
	bind_read(arena, &image_table, &thumbnail, &out->thumbnail);
	out->others = read_maps(arena, item, STR("Coauthors"), &coauthor_table,
	    sizeof(struct coauthor), &out->other_count);
	out->asked = read_maps(
	    arena, item, STR("Asked"), &coauthor_table, sizeof(struct coauthor), &out->asked_count);
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

size_t
post_body_bytes(const struct post_body *body)
{
	size_t bytes = body->markdown.len + body->source.len;

	for (size_t i = 0; i < body->step_count; i++)
		bytes += body->steps[i].markdown.len;
	return bytes;
}

void
post_body_from_item(struct arena *arena, const struct item *item, struct post_body *out)
{
	*out = (struct post_body){.renderer = 0};
	bind_read(arena, &body_table, item, out);
	out->contents = read_maps(arena, item, STR("Contents"), &heading_table,
	    sizeof(struct heading), &out->contents_count);
	out->steps = read_maps(
	    arena, item, STR("Instructions"), &step_table, sizeof(struct step), &out->step_count);
	out->materials = read_maps(arena, item, STR("Materials"), &material_table,
	    sizeof(struct material), &out->material_count);
}

/* The same of the maps of a list. */
static const char *
maps_breach(
    const struct item *item, struct str of, const struct binding_table *table, struct str *name)
{
	const struct value *list = item_get(item, of);
	const char *wants = NULL;

	for (size_t i = 0;
	     list != NULL && list->kind == VALUE_LIST && i < list->list.count && wants == NULL; i++)
		if (list->list.values[i].kind == VALUE_MAP)
			wants = bind_breach(table, &list->list.values[i].map, name);
	return wants;
}

const char *
post_breach(const struct item *item, struct str *name)
{
	struct item thumbnail = item_map(item, STR("Thumbnail"));
	const char *wants = bind_breach(&head_table, item, name);

	if (wants == NULL)
		wants = bind_breach(&image_table, &thumbnail, name);
	if (wants == NULL)
		wants = bind_breach(&body_table, item, name);
	if (wants == NULL)
		wants = maps_breach(item, STR("Coauthors"), &coauthor_table, name);
	if (wants == NULL)
		wants = maps_breach(item, STR("Asked"), &coauthor_table, name);
	if (wants == NULL)
		wants = maps_breach(item, STR("Materials"), &material_table, name);
	return wants;
}

void
post_stats_from_item(struct arena *arena, const struct item *item, struct post_stats *out)
{
	*out = (struct post_stats){.likes = 0};
	if (item != NULL)
		bind_read(arena, &stats_table, item, out);
}

/* --- Into items ----------------------------------------------------------------------------------- */

static void
write_bound(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item)
{
	for (size_t i = 0; i < table->count; i++)
		item_remove(item, table->bindings[i].name);
	bind_write(arena, table, in, item);
}

/* The other way round of read_maps(); an empty list is not there. */
static void
write_maps(struct arena *arena, struct item *item, struct str name,
    const struct binding_table *table, const void *structs, size_t size, size_t count)
{
	struct value list = {.kind = VALUE_LIST};

	item_remove(item, name);
	if (count == 0)
		return;
	list.list.values = ARENA_ARRAY(arena, count, struct value);
	list.list.count = count;
	for (size_t i = 0; i < count; i++) {
		struct item map = {.count = 0};

		bind_write(arena, table, (const char *)structs + size * i, &map);
		list.list.values[i] = value_map(map);
	}
	item_set(arena, item, name, list);
}

static void
remove_all(struct item *item, const char *const *names)
{
	for (; *names != NULL; names++)
		item_remove(item, str_of(*names));
}

void
post_to_item(struct arena *arena, const struct post *post, struct item *item)
{
	static const char *const of_howtos[] = {"Difficulty", "Minutes", "Cost", "Currency", NULL};
	struct item thumbnail = {.count = 0};

	write_bound(arena, &head_table, post, item);
	if (post->kind != KIND_HOWTO)
		remove_all(item, of_howtos);
	if (post->difficulty == DIFFICULTY_NONE)
		item_remove(item, STR("Difficulty"));
	if (post->kind != KIND_LINK)
		item_remove(item, STR("URL"));
	write_maps(arena, item, STR("Coauthors"), &coauthor_table, post->others,
	    sizeof(struct coauthor), post->other_count);
	write_maps(arena, item, STR("Asked"), &coauthor_table, post->asked, sizeof(struct coauthor),
	    post->asked_count);
	item_remove(item, STR("Thumbnail"));
	if (post->thumbnail.url.len == 0)
		return;
	bind_write(arena, &image_table, &post->thumbnail, &thumbnail);
	item_set(arena, item, STR("Thumbnail"), value_map(thumbnail));
}

void
post_body_to_item(struct arena *arena, const struct post_body *body, struct item *item)
{
	write_bound(arena, &body_table, body, item);
	write_maps(arena, item, STR("Contents"), &heading_table, body->contents,
	    sizeof(struct heading), body->contents_count);
	write_maps(arena, item, STR("Instructions"), &step_table, body->steps, sizeof(struct step),
	    body->step_count);
	write_maps(arena, item, STR("Materials"), &material_table, body->materials,
	    sizeof(struct material), body->material_count);
}

void
post_stats_to_item(struct arena *arena, const struct post_stats *stats, struct item *item)
{
	write_bound(arena, &stats_table, stats, item);
}

/* --- Words ----------------------------------------------------------------------------------------- */

const char *
post_kind_name(enum post_kind kind)
{
	return kinds[kind];
}

int
post_kind_of(struct str name)
{
	return choice_of(kinds, name);
}

int
post_status_of(struct str name)
{
	return choice_of(statuses, name);
}

int
post_visibility_of(struct str name)
{
	return choice_of(visibilities, name);
}

int
post_difficulty_of(struct str name)
{
	return choice_of(difficulties, name);
}

const char *
post_difficulty_name(enum difficulty difficulty)
{
	return difficulties[difficulty];
}

const char *
post_status_name(enum post_status status)
{
	return statuses[status];
}

const char *
post_visibility_name(enum visibility visibility)
{
	return visibilities[visibility];
}

bool
post_is_public(const struct post *post)
{
	return post->status == STATUS_PUBLISHED && post->visibility == VISIBILITY_PUBLIC;
}

bool
post_is_private(const struct post *post)
{
	bool draft = post->status == STATUS_DRAFT ||
		     (post->status == STATUS_DELETED &&
			 str_eq(post->before, str_of(post_status_name(STATUS_DRAFT))));

	return post->visibility == VISIBILITY_PRIVATE && !draft;
}

bool
post_written_by(const struct post *post, struct str username)
{
	if (username.len == 0)
		return false;
	for (size_t i = 0; i < post->other_count; i++)
		if (str_eq(post->others[i].username, username))
			return true;
	return str_eq(post->author, username);
}

bool
post_asks(const struct post *post, struct str username)
{
	for (size_t i = 0; username.len != 0 && i < post->asked_count; i++)
		if (str_eq(post->asked[i].username, username))
			return true;
	return false;
}

bool
post_visible_to(const struct post *post, const struct viewer *viewer, int64_t now)
{
	return may(viewer, MAY_READ, thing_post(post, now));
}

bool
post_visible_to_followers(const struct post *post, const struct viewer *viewer, int64_t now)
{
	return may(viewer, MAY_READ, thing_followed(thing_post(post, now), true));
}

bool
post_gone(const struct post *post, int64_t now)
{
	/* One that was deleted before its time has never been there. */
	return post->status == STATUS_DELETED && post->published != 0 && post->published <= now &&
	       (post->deleted == 0 || post->published <= post->deleted) &&
	       post->visibility == VISIBILITY_PUBLIC;
}
