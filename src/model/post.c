#include "model/post.h"

#include "base/arena.h"
#include "model/permission.h"

static const char *const kinds[] = {"article", "link", "howto", "note", "page", NULL};
static const char *const statuses[] = {"draft", "published", "unpublished", "deleted", NULL};
/* An unknown word is the first: what is not understood is shown to nobody. */
static const char *const visibilities[] = {"private", "public", "followers", "group", NULL};
static const char *const difficulties[] = {"", "easy", "medium", "hard", NULL};

static const struct binding head_bindings[] = {
    BIND_STRING("Author", struct post, author),
    BIND_STRING("AuthorName", struct post, author_name),
    BIND_NUMBER("Bookmarks", struct post, bookmarks),
    BIND_STRING("Category", struct post, category),
    BIND_NUMBER("Comments", struct post, comments),
    BIND_STRING("Cost", struct post, cost),
    BIND_TIME("CreatedAt", struct post, created),
    BIND_STRING("Currency", struct post, currency),
    BIND_CHOICE("Difficulty", struct post, difficulty, difficulties),
    BIND_NUMBER("Downs", struct post, downs),
    BIND_STRING("Excerpt", struct post, excerpt),
    BIND_STRING("Group", struct post, group),
    BIND_STRING("Id", struct post, id),
    BIND_CHOICE("Kind", struct post, kind, kinds),
    BIND_NUMBER("Likes", struct post, likes),
    BIND_NUMBER("Minutes", struct post, minutes),
    BIND_TIME("PublishedAt", struct post, published),
    BIND_NUMBER("Ratings", struct post, ratings),
    BIND_STRING("Slug", struct post, slug),
    BIND_NUMBER("Stars", struct post, stars),
    BIND_CHOICE("Status", struct post, status, statuses),
    BIND_STRINGS("Tags", struct post, tags),
    BIND_STRING("Title", struct post, title),
    BIND_STRING("URL", struct post, url),
    BIND_TIME("UpdatedAt", struct post, updated),
    BIND_NUMBER("Ups", struct post, ups),
    BIND_CHOICE("Visibility", struct post, visibility, visibilities),
    BIND_NUMBER("Words", struct post, words),
};
static const struct binding_table head_table = BINDINGS(head_bindings);

static const struct binding image_bindings[] = {
    BIND_STRING("Alt", struct image, alt),
    BIND_NUMBER("Height", struct image, height),
    BIND_STRING("URL", struct image, url),
    BIND_NUMBER("Width", struct image, width),
};
static const struct binding_table image_table = BINDINGS(image_bindings);

static const struct binding body_bindings[] = {
    BIND_STRING("HTML", struct post_body, html),
    BIND_STRING("Markdown", struct post_body, markdown),
    BIND_NUMBER("Renderer", struct post_body, renderer),
    BIND_STRING("Source", struct post_body, source),
    BIND_STRINGS("Tools", struct post_body, tools),
};
static const struct binding_table body_table = BINDINGS(body_bindings);

static const struct binding heading_bindings[] = {
    BIND_STRING("Id", struct heading, id),
    BIND_NUMBER("Level", struct heading, level),
    BIND_STRING("Title", struct heading, title),
};
static const struct binding_table heading_table = BINDINGS(heading_bindings);

static const struct binding step_bindings[] = {
    BIND_STRING("HTML", struct step, html),
    BIND_STRING("Markdown", struct step, markdown),
};
static const struct binding_table step_table = BINDINGS(step_bindings);

static const struct binding material_bindings[] = {
    BIND_STRING("Amount", struct material, amount),
    BIND_STRING("Name", struct material, name),
};
static const struct binding_table material_table = BINDINGS(material_bindings);

static const struct binding stats_bindings[] = {
    BIND_NUMBER("Bookmarks", struct post_stats, bookmarks),
    BIND_NUMBER("Comments", struct post_stats, comments),
    BIND_NUMBER("Downs", struct post_stats, downs),
    BIND_NUMBER("Laughs", struct post_stats, laughs),
    BIND_NUMBER("Likes", struct post_stats, likes),
    BIND_NUMBER("Loves", struct post_stats, loves),
    BIND_NUMBER("Stars1", struct post_stats, stars[0]),
    BIND_NUMBER("Stars2", struct post_stats, stars[1]),
    BIND_NUMBER("Stars3", struct post_stats, stars[2]),
    BIND_NUMBER("Stars4", struct post_stats, stars[3]),
    BIND_NUMBER("Stars5", struct post_stats, stars[4]),
    BIND_NUMBER("Ups", struct post_stats, ups),
};
static const struct binding_table stats_table = BINDINGS(stats_bindings);

void
post_from_item(struct arena *arena, const struct item *item, struct post *out)
{
	struct item thumbnail = item_map(item, STR("Thumbnail"));

	*out = (struct post){.kind = KIND_ARTICLE};
	bind_read(arena, &head_table, item, out);
	bind_read(arena, &image_table, &thumbnail, &out->thumbnail);
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

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

void
post_stats_from_item(struct arena *arena, const struct item *item, struct post_stats *out)
{
	*out = (struct post_stats){.likes = 0};
	if (item != NULL)
		bind_read(arena, &stats_table, item, out);
}

const char *
post_kind_name(enum post_kind kind)
{
	return kinds[kind];
}

bool
post_visible_to(const struct post *post, const struct viewer *viewer, int64_t now)
{
	return may(viewer, MAY_READ, thing_post(post, now));
}

bool
post_gone(const struct post *post, int64_t now)
{
	return post->status == STATUS_DELETED && post->published != 0 && post->published <= now &&
	       post->visibility == VISIBILITY_PUBLIC;
}

bool
slug_valid(struct str slug)
{
	if (slug.len < 1 || slug.len > 100)
		return false;
	for (size_t i = 0; i < slug.len; i++) {
		char c = slug.base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
			return false;
	}
	return true;
}
