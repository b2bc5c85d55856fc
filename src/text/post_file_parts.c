/*
 * How each field of a post is written into a file and read from it: by its key, or else by its
 * binding.
 */
#include "text/post_file_parts.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/unicode.h"
#include "model/language.h"
#include "model/people/leaving.h"
#include "model/people/user.h"
#include "model/post/media.h"
#include "model/post/tag.h"
#include "model/post/writing.h"
#include "model/slug.h"

#include <inttypes.h>

#define WANTS_TEXT "expected a text"
#define WANTS_LIST "expected a list"
#define WANTS_TEXTS "expected a list of texts"
#define WANTS_MAP "expected a map"
#define WANTS_MAPS "expected a list of maps"

static const void *
value_of(const struct post_field *field, const struct post_file *file)
{
	return post_field_value(field, &file->post, &file->body);
}

static void *
member_of(const struct post_field *field, struct post_file *file)
{
	return post_field_member(field, &file->post, &file->body);
}

/* --- Texts --------------------------------------------------------------------------------------- */

static void
write_text(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	const struct str *text = value_of(field, file);

	if (text->len != 0)
		front_put_text(out, 0, str_of(field->key), *text);
}

/* What a text that violates its rule should be. */
static const char *
rule_wants(struct arena *arena, enum text_rule rule)
{
	return str_cstring(arena, str_fmt(arena, "expected %s", text_wants(rule)));
}

static const char *
read_text(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	enum text_rule rule = post_field_binding(field)->rule;

	*(struct str *)member_of(field, file) = value->text;
	if (value->kind != FRONT_TEXT)
		return WANTS_TEXT;
	return text_keeps(rule, value->text) ? NULL : rule_wants(arena, rule);
}

static const char *
read_username(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	const char *why = read_text(arena, field, value, file);

	return why == NULL && !username_valid(value->text) && !pseudonym_valid(value->text)
		   ? "expected a username: 3 to 30 of a-z, 0-9 and _"
		   : why;
}

static const char *
read_language(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	const char *why = read_text(arena, field, value, file);

	return why == NULL && value->text.len != 0 && !language_valid(value->text)
		   ? "expected a language tag, such as en or pt-BR"
		   : why;
}

static const char *
read_slug(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct str *slug = member_of(field, file);

	if (value->kind != FRONT_TEXT)
		return WANTS_TEXT;
	*slug = unicode_fold(arena, value->text);
	return slug_valid(*slug) ? NULL : rule_wants(arena, TEXT_SLUG);
}

/* The name of a category or a group; optional. */
static const char *
read_name(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	return value->kind == FRONT_TEXT && value->text.len == 0
		   ? read_text(arena, field, value, file)
		   : read_slug(arena, field, value, file);
}

/* The first slug, if the present one is another. */
static void
write_id(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (!str_eq(file->post.id, file->post.slug))
		write_text(field, file, out);
}

/* A text that can follow the front matter does. */
static void
write_markdown(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (!front_text_fits(file->body.markdown))
		front_put_text(out, 0, str_of(field->key), file->body.markdown);
}

static const char *
read_markdown(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	(void)arena;
	(void)field;
	file->body.markdown = value->text;
	return value->kind == FRONT_TEXT ? NULL : WANTS_TEXT;
}

/* --- Numbers and times ------------------------------------------------------------------------------ */

static void
write_number(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	const int64_t *number = value_of(field, file);

	if (*number != 0)
		buf_fmt(out, "%s: %" PRId64 "\n", field->key, *number);
}

static const char *
read_number(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	int64_t *number = member_of(field, file);

	(void)arena;
	return value->kind == FRONT_TEXT && str_int(value->text, number) && *number >= 0
		   ? NULL
		   : "expected a whole number";
}

static void
write_time(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	const int64_t *ms = value_of(field, file);

	if (*ms != 0)
		buf_fmt(out, "%s: %.*s\n", field->key, STR_ARGS(time_format(out->arena, *ms)));
}

/* Two digits at an offset of a text that is long enough, or -1. */
static int
two_digits(struct str text, size_t at)
{
	char a = text.base[at], b = text.base[at + 1];

	return a >= '0' && a <= '9' && b >= '0' && b <= '9' ? (a - '0') * 10 + b - '0' : -1;
}

/* "+01:30" at the end of a time: minutes east of Greenwich; cuts it off. */
static bool
take_zone(struct str *text, int64_t *minutes)
{
	size_t at = text->len < 6 ? 0 : text->len - 6;
	int hours, rest;

	*minutes = 0;
	if (text->len < 16 || text->base[at + 3] != ':' ||
	    (text->base[at] != '+' && text->base[at] != '-'))
		return true;
	hours = two_digits(*text, at + 1);
	rest = two_digits(*text, at + 4);
	*minutes = (text->base[at] == '-' ? -1 : 1) * (hours * 60 + rest);
	*text = str_sub(*text, 0, at);
	return hours >= 0 && hours <= 15 && rest >= 0 && rest < 60;
}

/*
 * A time as people and other programs write it: 2026-11-18, 2026-11-18 09:30, 2026-11-18T09:30:00+01:00,
 * and our own form. Without a zone it is UTC.
 */
static bool
read_moment(struct arena *arena, struct str text, int64_t *out)
{
	int64_t minutes;
	char *copy;

	if (time_parse(text, out))
		return true;
	if (!take_zone(&text, &minutes))
		return false;
	if (text.len == 10)
		text = STR_CONCAT(arena, text, STR("T00:00:00Z"));
	else if (text.len == 16)
		text = STR_CONCAT(arena, text, STR(":00Z"));
	else if (text.len != 0 && text.base[text.len - 1] != 'Z')
		text = STR_CONCAT(arena, text, STR("Z"));
	copy = str_cstring(arena, text);
	if (text.len > 10 && copy[10] == ' ')
		copy[10] = 'T';
	if (!time_parse((struct str){copy, text.len}, out))
		return false;
	*out -= minutes * 60000;
	return true;
}

static const char *
read_time(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	if (value->kind == FRONT_TEXT && value->text.len == 0)
		return NULL;
	return value->kind == FRONT_TEXT && read_moment(arena, value->text, member_of(field, file))
		   ? NULL
		   : "expected a time: 2026-11-18, or 2026-11-18T09:30:00Z";
}

/* --- Choices ---------------------------------------------------------------------------------------- */

static void
put_word(const struct post_field *field, const char *word, struct buf *out)
{
	buf_fmt(out, "%s: %s\n", field->key, word);
}

/* A value without a name is not written. */
static void
write_choice(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	const char *word = post_field_binding(field)->names[*(const int *)value_of(field, file)];

	if (word[0] != '\0')
		put_word(field, word, out);
}

/* "expected easy, medium or hard" */
static const char *
choice_wants(struct arena *arena, const char *const *names)
{
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "expected ");
	for (names += names[0][0] == '\0'; *names != NULL; names++) {
		buf_put(&out, str_of(names[0]));
		if (names[1] != NULL)
			buf_put(&out, names[2] != NULL ? STR(", ") : STR(" or "));
	}
	return str_cstring(arena, buf_str(&out));
}

static const char *
read_choice(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	const char *const *names = post_field_binding(field)->names;
	int choice = choice_of(names, value->text);

	if (choice < 0)
		return choice_wants(arena, names);
	*(int *)member_of(field, file) = choice;
	return NULL;
}

/* Deleted posts are in no file. */
static const char *
read_status(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	const char *why = read_choice(arena, field, value, file);

	return why != NULL || file->post.status == STATUS_DELETED
		   ? "expected draft, published or unpublished"
		   : NULL;
}

/* --- Fields of other programs ----------------------------------------------------------------- */

/* `hidden` and `shown` are the two values. */
static const char *
take_word(struct str text, struct str hidden, struct str shown, struct post_file *file)
{
	enum post_file_word word = str_eq(text, hidden)  ? WORD_HIDDEN
				   : str_eq(text, shown) ? WORD_SHOWN
							 : WORD_NONE;

	if (word == WORD_NONE)
		return "expected true or false";
	if (file->word != WORD_NONE && file->word != word)
		return "draft and published say different things";
	file->word = word;
	return NULL;
}

/* Hugo, Zola, Eleventy and others leave out a post with "draft". */
static void
write_draft(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (!post_is_public(&file->post))
		put_word(field, "true", out);
}

static const char *
read_draft(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	(void)arena;
	(void)field;
	return take_word(value->text, STR("true"), STR("false"), file);
}

/* Jekyll leaves out a post with "published: false"; elsewhere, as here, it may also be the time. */
static void
write_published(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (!post_is_public(&file->post))
		put_word(field, "false", out);
}

static const char *
read_published(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	(void)field;
	if (str_eq(value->text, STR("true")) || str_eq(value->text, STR("false")))
		return take_word(value->text, STR("false"), STR("true"), file);
	return read_time(arena, post_field(STR("date")), value, file);
}

/* --- Lists ------------------------------------------------------------------------------------------ */

/* The texts of a list, at most so many. */
static const char *
take_texts(
    struct arena *arena, const struct front_value *value, size_t most, struct strings_value *out)
{
	struct str *texts = ARENA_ARRAY(arena, value->count, struct str);

	if (value->kind != FRONT_LIST && value->text.len != 0)
		return WANTS_LIST;
	if (value->count > most)
		return "these are too many";
	for (size_t i = 0; i < value->count; i++) {
		texts[i] = value->entries[i].value.text;
		if (value->entries[i].value.kind != FRONT_TEXT)
			return WANTS_TEXTS;
	}
	*out = (struct strings_value){texts, value->count};
	return NULL;
}

static void
put_texts(const struct post_field *field, const struct strings_value *texts, struct buf *out)
{
	if (texts->count != 0)
		front_put_texts(out, str_of(field->key), texts->strings, texts->count);
}

static void
write_old_slugs(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	put_texts(field, &file->old_slugs, out);
}

static const char *
read_old_slugs(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	/* Its id and its slug are claimed as well. */
	const char *why = take_texts(arena, value, DRAFT_SLUGS_MAX - 2, &file->old_slugs);
	struct str *slugs = ARENA_ARRAY(arena, file->old_slugs.count, struct str);

	(void)field;
	for (size_t i = 0; i < file->old_slugs.count; i++) {
		slugs[i] = unicode_fold(arena, file->old_slugs.strings[i]);
		if (!slug_valid(slugs[i]))
			return rule_wants(arena, TEXT_SLUG);
	}
	file->old_slugs.strings = slugs;
	return why;
}

static void
write_tags(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	put_texts(field, &file->post.tags, out);
}

/* As typed into the form; also all in one text. */
static const char *
read_tags(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct strings_value texts = {&value->text, 1};
	const char *why = NULL;
	struct str strange;

	(void)field;
	if (value->kind != FRONT_TEXT)
		why = take_texts(arena, value, SIZE_MAX, &texts);
	if (why != NULL)
		return why;
	file->post.tags = tags_of(arena, texts.strings, texts.count, &strange);
	if (strange.len != 0)
		return str_cstring(
		    arena, str_fmt(arena, "\"%.*s\" has no letter and no digit to make a tag of",
			       STR_ARGS(strange)));
	return file->post.tags.count > WRITING_TAGS_MAX ? "these are too many" : NULL;
}

static void
write_tools(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (file->body.tools.count != 0)
		front_put_key(out, str_of(field->key));
	for (size_t i = 0; i < file->body.tools.count; i++)
		front_put_item(out, 2, file->body.tools.strings[i]);
}

static const char *
read_tools(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	const char *why = take_texts(arena, value, SIZE_MAX, &file->body.tools);

	(void)field;
	for (size_t i = 0; i < file->body.tools.count; i++)
		if (!text_keeps(TEXT_LINE, file->body.tools.strings[i]))
			return rule_wants(arena, TEXT_LINE);
	return why;
}

static void
write_steps(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (file->body.step_count != 0)
		front_put_key(out, str_of(field->key));
	for (size_t i = 0; i < file->body.step_count; i++)
		front_put_item(out, 2, file->body.steps[i].markdown);
}

static const char *
read_steps(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct strings_value texts = {NULL, 0};
	const char *why = take_texts(arena, value, SIZE_MAX, &texts);
	struct step *steps = ARENA_ARRAY(arena, texts.count, struct step);

	(void)field;
	for (size_t i = 0; i < texts.count; i++)
		steps[i].markdown = texts.strings[i];
	file->body.steps = steps;
	file->body.step_count = texts.count;
	return why;
}

/* --- Maps ------------------------------------------------------------------------------------------- */

/* The two texts of a map, of which the first is required; others are refused. */
static const char *
take_pair(const struct front_value *map, struct str first, struct str second, struct str *a,
    struct str *b)
{
	bool has = false;

	if (map->kind != FRONT_MAP)
		return WANTS_MAPS;
	for (size_t i = 0; i < map->count; i++) {
		const struct front_entry *entry = &map->entries[i];

		if (entry->value.kind != FRONT_TEXT)
			return WANTS_TEXT;
		if (str_eq(entry->key, first)) {
			*a = entry->value.text;
			has = true;
		} else if (str_eq(entry->key, second)) {
			*b = entry->value.text;
		} else {
			return "there is a key in it that none of its kind has";
		}
	}
	return has ? NULL : "the first of its keys is missing";
}

static void
put_pair(struct buf *out, struct str first, struct str second, struct str a, struct str b)
{
	front_put_first(out, 2, first, a);
	if (b.len != 0)
		front_put_text(out, 4, second, b);
}

static void
write_coauthors(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (file->post.other_count != 0)
		front_put_key(out, str_of(field->key));
	for (size_t i = 0; i < file->post.other_count; i++)
		put_pair(out, STR("username"), STR("name"), file->post.others[i].username,
		    file->post.others[i].name);
}

static const char *
read_coauthors(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct coauthor *others = ARENA_ARRAY(arena, value->count, struct coauthor);

	(void)field;
	if (value->kind != FRONT_LIST && value->text.len != 0)
		return WANTS_MAPS;
	if (value->count > WRITING_OTHERS_MAX)
		return "these are too many";
	for (size_t i = 0; i < value->count; i++) {
		const char *why = take_pair(&value->entries[i].value, STR("username"), STR("name"),
		    &others[i].username, &others[i].name);

		if (why != NULL)
			return why;
		if (!text_keeps(TEXT_LINE, others[i].name))
			return rule_wants(arena, TEXT_LINE);
		if (!username_valid(others[i].username) && !pseudonym_valid(others[i].username))
			return "expected usernames: 3 to 30 of a-z, 0-9 and _";
		if (others[i].name.len == 0)
			others[i].name = others[i].username;
	}
	file->post.others = others;
	file->post.other_count = value->count;
	return NULL;
}

static void
write_materials(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	if (file->body.material_count != 0)
		front_put_key(out, str_of(field->key));
	for (size_t i = 0; i < file->body.material_count; i++)
		put_pair(out, STR("name"), STR("amount"), file->body.materials[i].name,
		    file->body.materials[i].amount);
}

static const char *
read_materials(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct material *materials = ARENA_ARRAY(arena, value->count, struct material);

	(void)field;
	if (value->kind != FRONT_LIST && value->text.len != 0)
		return WANTS_MAPS;
	for (size_t i = 0; i < value->count; i++) {
		const char *why = take_pair(&value->entries[i].value, STR("name"), STR("amount"),
		    &materials[i].name, &materials[i].amount);

		if (why != NULL)
			return why;
		if (!text_keeps(TEXT_LINE, materials[i].name) ||
		    !text_keeps(TEXT_LINE, materials[i].amount))
			return rule_wants(arena, TEXT_LINE);
	}
	file->body.materials = materials;
	file->body.material_count = value->count;
	return NULL;
}

static void
write_thumbnail(const struct post_field *field, const struct post_file *file, struct buf *out)
{
	const struct image *image = &file->post.thumbnail;

	if (image->url.len == 0)
		return;
	front_put_key(out, str_of(field->key));
	front_put_text(out, 2, STR("url"), image->url);
	if (image->alt.len != 0)
		front_put_text(out, 2, STR("alt"), image->alt);
	if (image->focus.len != 0)
		front_put_text(out, 2, STR("focus"), image->focus);
	if (image->width != 0)
		buf_fmt(out, "  width: %" PRId64 "\n", image->width);
	if (image->height != 0)
		buf_fmt(out, "  height: %" PRId64 "\n", image->height);
}

static const char *
read_thumbnail(struct arena *arena, const struct post_field *field, const struct front_value *value,
    struct post_file *file)
{
	struct image *image = &file->post.thumbnail;

	(void)field;
	if (value->kind != FRONT_MAP)
		return WANTS_MAP;
	for (size_t i = 0; i < value->count; i++) {
		struct str key = value->entries[i].key, text = value->entries[i].value.text;

		if (str_eq(key, STR("url")))
			image->url = text;
		else if (str_eq(key, STR("alt")))
			image->alt = text;
		else if (str_eq(key, STR("focus")) && choice_of(image_focuses, text) > 0)
			image->focus = text;
		else if (!(str_eq(key, STR("width")) && str_int(text, &image->width)) &&
			 !(str_eq(key, STR("height")) && str_int(text, &image->height)))
			return "expected url, alt, focus as a side or corner, and width and height "
			       "as numbers";
	}
	if (image->url.len == 0 || !text_keeps(TEXT_PICTURE, image->url))
		return str_cstring(
		    arena, str_fmt(arena, "its url: expected %s", text_wants(TEXT_PICTURE)));
	if (media_is_no_picture(image->url))
		return "its url: " MEDIA_NO_PICTURE;
	return text_keeps(TEXT_LINE, image->alt)
		   ? NULL
		   : str_cstring(
			 arena, str_fmt(arena, "its alt: expected %s", text_wants(TEXT_LINE)));
}

/* --- Which reader and writer a field has ------------------------------------------------------ */

static const struct {
	const char *key;
	struct part_type type;
} by_key[] = {
    {"id", {write_id, read_slug}},
    {"slug", {write_text, read_slug}},
    {"old_slugs", {write_old_slugs, read_old_slugs}},
    {"author", {write_text, read_username}},
    {"coauthors", {write_coauthors, read_coauthors}},
    {"category", {write_text, read_name}},
    {"tags", {write_tags, read_tags}},
    {"status", {write_choice, read_status}},
    {"group", {write_text, read_name}},
    {"draft", {write_draft, read_draft}},
    {"published", {write_published, read_published}},
    {"language", {write_text, read_language}},
    {"thumbnail", {write_thumbnail, read_thumbnail}},
    {"materials", {write_materials, read_materials}},
    {"tools", {write_tools, read_tools}},
    {"steps", {write_steps, read_steps}},
    {"markdown", {write_markdown, read_markdown}},
};

static const struct part_type by_kind[] = {
    [BINDING_STRING] = {write_text, read_text},
    [BINDING_NUMBER] = {write_number, read_number},
    [BINDING_TIME] = {write_time, read_time},
    [BINDING_CHOICE] = {write_choice, read_choice},
};

const struct part_type *
part_type(const struct post_field *field)
{
	const struct binding *binding = post_field_binding(field);
	const struct part_type *type = NULL;

	for (size_t i = 0; i < sizeof(by_key) / sizeof(by_key[0]); i++)
		if (post_field_is(field, by_key[i].key))
			return &by_key[i].type;
	if (binding != NULL && binding->kind < sizeof(by_kind) / sizeof(by_kind[0]))
		type = &by_kind[binding->kind];
	return type != NULL && type->write != NULL ? type : NULL;
}
