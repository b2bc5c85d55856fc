#include "model/post.h"

#include "base/arena.h"
#include "model/permission.h"

static const char *const kinds[] = {"article", "link", "howto", "note", "page", NULL};
static const char *const statuses[] = {"draft", "published", "unpublished", "deleted", NULL};
/* An unknown word is the first: what is not understood is shown to nobody. */
static const char *const visibilities[] = {"private", "public", "followers", "group", NULL};
static const char *const difficulties[] = {"", "easy", "medium", "hard", NULL};

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

static const struct binding head_bindings[] = {
    BIND_MAPS(RECORDED, "Asked", struct post, asked, asked_count, &coauthor_table),
    BIND_STRING(RECORDED, "Author", struct post, author),
    BIND_TEXT(COPIED, "AuthorName", struct post, author_name, TEXT_LINE),
    BIND_STRING(RECORDED, "Before", struct post, before),
    BIND_NUMBER(COUNTED, "Bookmarks", struct post, bookmarks),
    BIND_TEXT(WRITTEN, "Canonical", struct post, canonical, TEXT_LINK),
    BIND_STRING(WRITTEN, "Category", struct post, category),
    BIND_MAPS(RECORDED, "Coauthors", struct post, others, other_count, &coauthor_table),
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
    BIND_MAP(WRITTEN, "Thumbnail", struct post, thumbnail, &image_table),
    BIND_TEXT(WRITTEN, "Title", struct post, title, TEXT_LINE),
    BIND_TEXT(WRITTEN, "URL", struct post, url, TEXT_LINK),
    BIND_TIME(RECORDED, "UpdatedAt", struct post, updated),
    BIND_NUMBER(COUNTED, "Ups", struct post, ups),
    BIND_NUMBER(RECORDED, "Version", struct post, version),
    BIND_CHOICE(RECORDED, "Visibility", struct post, visibility, visibilities),
    BIND_NUMBER(COUNTED, "Words", struct post, words),
};
static const struct binding_table head_table = BINDINGS(head_bindings);

static const struct binding body_bindings[] = {
    BIND_MAPS(DERIVED, "Contents", struct post_body, contents, contents_count, &heading_table),
    BIND_STRING(DERIVED, "HTML", struct post_body, html),
    BIND_MAPS(WRITTEN, "Instructions", struct post_body, steps, step_count, &step_table),
    BIND_STRING(WRITTEN, "Markdown", struct post_body, markdown),
    BIND_MAPS(WRITTEN, "Materials", struct post_body, materials, material_count, &material_table),
    BIND_NUMBER(DERIVED, "Renderer", struct post_body, renderer),
    BIND_NUMBER(RECORDED, "Revision", struct post_body, revision),
    BIND_STRING(WRITTEN, "Source", struct post_body, source),
    BIND_TEXTS(WRITTEN, "Tools", struct post_body, tools, TEXT_LINE),
};
static const struct binding_table body_table = BINDINGS(body_bindings);

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

void
post_from_item(struct arena *arena, const struct item *item, struct post *out)
{
	*out = (struct post){.kind = KIND_ARTICLE};
	bind_read(arena, &head_table, item, out);
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
}

const char *
post_breach(const struct item *item, struct str *name)
{
	const char *wants = bind_breach(&head_table, item, name);

	return wants != NULL ? wants : bind_breach(&body_table, item, name);
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
remove_all(struct item *item, const char *const *names)
{
	for (; *names != NULL; names++)
		item_remove(item, str_of(*names));
}

void
post_to_item(struct arena *arena, const struct post *post, struct item *item)
{
	static const char *const of_howtos[] = {"Difficulty", "Minutes", "Cost", "Currency", NULL};

	bind_rewrite(arena, &head_table, post, item);
	if (post->kind != KIND_HOWTO)
		remove_all(item, of_howtos);
	if (post->difficulty == DIFFICULTY_NONE)
		item_remove(item, STR("Difficulty"));
	if (post->kind != KIND_LINK)
		item_remove(item, STR("URL"));
	if (post->thumbnail.url.len == 0)
		item_remove(item, STR("Thumbnail"));
}

void
post_body_to_item(struct arena *arena, const struct post_body *body, struct item *item)
{
	bind_rewrite(arena, &body_table, body, item);
}

void
post_stats_to_item(struct arena *arena, const struct post_stats *stats, struct item *item)
{
	bind_rewrite(arena, &stats_table, stats, item);
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
