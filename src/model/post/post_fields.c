#include "model/post/post_fields.h"

#include "base/arena.h"

#include <assert.h>
#include <string.h>

/* --- Declarations ---------------------------------------------------------------------------------- */

static const char *const kinds[] = {"article", "link", "howto", "note", "page", NULL};
static const char *const statuses[] = {"draft", "published", "unpublished", "deleted", NULL};
/* An unknown word is the first one, so that it is shown to nobody. */
static const char *const visibilities[] = {"private", "public", "followers", "group", NULL};
const char *const image_focuses[] = {"", "top-left", "top", "top-right", "left", "right",
    "bottom-left", "bottom", "bottom-right", NULL};
const char *const post_difficulties[] = {"", "easy", "medium", "hard", NULL};

static const struct binding coauthor_bindings[] = {
    BIND_TEXT(COPIED, "Name", struct coauthor, name, TEXT_LINE),
    BIND_STRING(RECORDED, "Username", struct coauthor, username),
};
static const struct binding_table coauthor_table = BINDINGS(coauthor_bindings);

static const struct binding image_bindings[] = {
    BIND_TEXT(WRITTEN, "Alt", struct image, alt, TEXT_LINE),
    BIND_TEXT(WRITTEN, "Focus", struct image, focus, TEXT_SLUG),
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
    BIND_TEXT(DERIVED, "Beginning", struct post, beginning, TEXT_LINES),
    BIND_NUMBER(COUNTED, "Bookmarks", struct post, bookmarks),
    BIND_TEXT(WRITTEN, "Canonical", struct post, canonical, TEXT_LINK),
    BIND_STRING(WRITTEN, "Category", struct post, category),
    BIND_STRINGS(RECORDED, "ClosedThreads", struct post, closed_threads),
    BIND_MAPS(RECORDED, "Coauthors", struct post, others, other_count, &coauthor_table),
    BIND_NUMBER(COUNTED, "Comments", struct post, comments),
    BIND_BOOLEAN(RECORDED, "CommentsClosed", struct post, comments_closed),
    BIND_BOOLEAN(RECORDED, "CommentsOff", struct post, comments_off),
    BIND_TEXT(WRITTEN, "Cost", struct post, cost, TEXT_AMOUNT),
    BIND_TIME(RECORDED, "CreatedAt", struct post, created),
    BIND_TEXT(WRITTEN, "Currency", struct post, currency, TEXT_CURRENCY),
    BIND_TIME(RECORDED, "DeletedAt", struct post, deleted),
    BIND_CHOICE(WRITTEN, "Difficulty", struct post, difficulty, post_difficulties),
    BIND_NUMBER(COUNTED, "Downs", struct post, downs),
    BIND_TEXT(WRITTEN, "Excerpt", struct post, excerpt, TEXT_LINES),
    BIND_TEXT(DERIVED, "FirstPicture", struct post, first_picture, TEXT_PICTURE),
    BIND_STRING(RECORDED, "Group", struct post, group),
    BIND_TEXT(RECORDED, "Id", struct post, id, TEXT_SLUG),
    BIND_BOOLEAN(RECORDED, "Imported", struct post, imported),
    BIND_CHOICE(WRITTEN, "Kind", struct post, kind, kinds),
    BIND_STRING(WRITTEN, "Language", struct post, language),
    BIND_NUMBER(COUNTED, "Likes", struct post, likes),
    BIND_NUMBER(WRITTEN, "Minutes", struct post, minutes),
    BIND_STRINGS(RECORDED, "Pinned", struct post, pinned),
    BIND_TIME(RECORDED, "PlannedAt", struct post, planned),
    BIND_TIME(RECORDED, "PublishedAt", struct post, published),
    BIND_TEXT(WRITTEN, "Quotes", struct post, quotes, TEXT_SLUG),
    BIND_NUMBER(COUNTED, "Ratings", struct post, ratings),
    BIND_CHOICE(RECORDED, "Restricted", struct post, restricted, restricted_words),
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
const struct binding_table post_head_bindings = BINDINGS(head_bindings);

static const struct binding body_bindings[] = {
    BIND_MAPS(DERIVED, "Contents", struct post_body, contents, contents_count, &heading_table),
    BIND_BOOLEAN(DERIVED, "Gallery", struct post_body, gallery),
    BIND_STRING(DERIVED, "HTML", struct post_body, html),
    BIND_STRING(DERIVED, "HTMLLanguage", struct post_body, language),
    BIND_TEXTS(DERIVED, "Hashtags", struct post_body, hashtags, TEXT_SLUG),
    BIND_MAPS(WRITTEN, "Instructions", struct post_body, steps, step_count, &step_table),
    BIND_STRING(WRITTEN, "Markdown", struct post_body, markdown),
    BIND_MAPS(WRITTEN, "Materials", struct post_body, materials, material_count, &material_table),
    BIND_STRINGS(DERIVED, "Mentions", struct post_body, mentions),
    BIND_NUMBER(DERIVED, "Renderer", struct post_body, renderer),
    BIND_NUMBER(RECORDED, "Revision", struct post_body, revision),
    BIND_STRING(WRITTEN, "Source", struct post_body, source),
    BIND_TEXTS(WRITTEN, "Tools", struct post_body, tools, TEXT_LINE),
};
const struct binding_table post_body_bindings = BINDINGS(body_bindings);

#define KIND(kind) (1U << (kind))
enum {
	LINKS = KIND(KIND_LINK),
	HOWTOS = KIND(KIND_HOWTO),
	NOTES = KIND(KIND_NOTE),
	/* Pages are in no category. */
	SHELVED = KIND(KIND_ARTICLE) | KIND(KIND_LINK) | KIND(KIND_HOWTO) | KIND(KIND_NOTE),
};

#define FIELD(stored, in_files, ...)                                  \
	{                                                             \
		.attribute = (stored), .key = (in_files), __VA_ARGS__ \
	}
const struct post_field post_fields[] = {
    FIELD("Title", "title"),
    FIELD("Kind", "kind", .once = true),
    FIELD("Id", "id"),
    FIELD("Slug", "slug"),
    FIELD(NULL, "old_slugs"),
    FIELD("Author", "author"),
    FIELD("AuthorName", "author_name"),
    FIELD("Coauthors", "coauthors", .input = "others"),
    FIELD("Category", "category", .kinds = SHELVED),
    FIELD("Tags", "tags", .input = "tag", .kinds = SHELVED),
    FIELD("Status", "status"),
    FIELD("Visibility", "visibility", .input = "visibility"),
    FIELD("Group", "group", .input = "group"),
    FIELD(NULL, "draft"),
    FIELD(NULL, "published"),
    FIELD("PublishedAt", "date", .input = "when"),
    FIELD("PlannedAt", "planned", .input = "when"),
    FIELD("CreatedAt", "created"),
    FIELD("UpdatedAt", "updated"),
    FIELD("Canonical", "canonical"),
    FIELD("Language", "language"),
    FIELD("Excerpt", "excerpt", .before = "category"),
    FIELD("Thumbnail", "thumbnail", .input = "thumbnail_url", .before = "canonical"),
    FIELD("URL", "url", .kinds = LINKS),
    FIELD("Source", "source", .kinds = LINKS, .with = "url"),
    FIELD("Quotes", "quotes", .kinds = NOTES),
    FIELD("Difficulty", "difficulty", .kinds = HOWTOS),
    FIELD("Minutes", "minutes", .kinds = HOWTOS),
    FIELD("Cost", "cost", .kinds = HOWTOS),
    FIELD("Currency", "currency", .kinds = HOWTOS, .with = "cost"),
    FIELD("Materials", "materials", .input = "material", .kinds = HOWTOS),
    FIELD("Tools", "tools", .input = "tool", .kinds = HOWTOS),
    FIELD("Instructions", "steps", .input = "step", .kinds = HOWTOS),
    FIELD("Markdown", "markdown", .before = "steps"),
};
const size_t post_field_count = sizeof(post_fields) / sizeof(post_fields[0]);

/* --- Looking at them ------------------------------------------------------------------------------- */

const struct post_field *
post_field(struct str key)
{
	for (size_t i = 0; i < post_field_count; i++)
		if (str_eq(str_of(post_fields[i].key), key))
			return &post_fields[i];
	return NULL;
}

bool
post_field_is(const struct post_field *field, const char *key)
{
	return strcmp(field->key, key) == 0;
}

bool
post_field_of(const struct post_field *field, enum post_kind kind)
{
	return field->kinds == 0 || (field->kinds & KIND(kind)) != 0;
}

bool
post_field_only_of(const struct post_field *field, enum post_kind kind)
{
	return field->kinds == KIND(kind);
}

/* --- The binding of a field ------------------------------------------------------------------- */

static const struct binding *
bound(const struct binding_table *table, const struct post_field *field)
{
	for (size_t i = 0; field->attribute != NULL && i < table->count; i++)
		if (str_eq(table->bindings[i].name, str_of(field->attribute)))
			return &table->bindings[i];
	return NULL;
}

const struct binding *
post_field_binding(const struct post_field *field)
{
	const struct binding *binding = bound(&post_head_bindings, field);

	return binding != NULL ? binding : bound(&post_body_bindings, field);
}

bool
post_field_in_body(const struct post_field *field)
{
	return bound(&post_body_bindings, field) != NULL;
}

bool
post_field_written(const struct post_field *field)
{
	const struct binding *binding = post_field_binding(field);

	return binding != NULL && binding->mark == MARK_WRITTEN;
}

const char *
post_field_input(const struct post_field *field)
{
	if (field->input != NULL || field->once || !post_field_written(field))
		return field->input;
	return field->key;
}

const void *
post_field_value(
    const struct post_field *field, const struct post *post, const struct post_body *body)
{
	size_t offset = post_field_binding(field)->offset;

	return post_field_in_body(field) ? (const char *)body + offset
					 : (const char *)post + offset;
}

void *
post_field_member(const struct post_field *field, struct post *post, struct post_body *body)
{
	size_t offset = post_field_binding(field)->offset;

	return post_field_in_body(field) ? (char *)body + offset : (char *)post + offset;
}

void
post_take_written(const struct post *from, struct post *to)
{
	for (size_t i = 0; i < post_field_count; i++)
		if (post_field_written(&post_fields[i]) && !post_field_in_body(&post_fields[i]) &&
		    !post_fields[i].once && !post_field_is(&post_fields[i], "slug"))
			bind_copy(post_field_binding(&post_fields[i]), from, to);
}

/* --- Missing declarations --------------------------------------------------------------------- */

static const char *
written_without_field(struct arena *arena, const struct binding_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		struct str name = table->bindings[i].name;
		size_t f = 0;

		while (f < post_field_count && (post_fields[f].attribute == NULL ||
						   !str_eq(str_of(post_fields[f].attribute), name)))
			f++;
		if (table->bindings[i].mark == MARK_WRITTEN && f == post_field_count)
			return str_cstring(
			    arena, str_fmt(arena,
				       "people write the attribute %.*s of a post, and no row of "
				       "post_fields[] names it",
				       STR_ARGS(name)));
	}
	return NULL;
}

/* Is it compared by itself? Other fields are compared with the field next to which they appear. */
static bool
stands_alone(const char *key)
{
	const struct post_field *field = post_field(str_of(key));

	return field != NULL && field->with == NULL && field->before == NULL;
}

static const char *
field_error(const struct post_field *field)
{
	if (field->attribute != NULL && post_field_binding(field) == NULL)
		return "has no binding of its attribute in a head or a body";
	if (bound(&post_head_bindings, field) != NULL && bound(&post_body_bindings, field) != NULL)
		return "has a binding of its attribute in a head and another one in a body";
	if (post_field(str_of(field->key)) != field)
		return "has the key of another";
	if (field->with != NULL && !stands_alone(field->with))
		return "is compared with a field that does not stand for itself";
	if (field->before != NULL && !stands_alone(field->before))
		return "is compared before a field that does not stand for itself";
	return NULL;
}

const char *
post_fields_error(struct arena *arena)
{
	const char *error = written_without_field(arena, &post_head_bindings);

	if (error == NULL)
		error = written_without_field(arena, &post_body_bindings);
	for (size_t i = 0; error == NULL && i < post_field_count; i++)
		if ((error = field_error(&post_fields[i])) != NULL)
			error = str_cstring(arena,
			    str_fmt(arena, "the field %s of a post %s", post_fields[i].key, error));
	return error;
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

const char *
post_status_name(enum post_status status)
{
	return statuses[status];
}
