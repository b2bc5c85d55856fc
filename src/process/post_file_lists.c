/* The parts of a post's file that are lists and maps. */
#include "process/post_file_parts.h"

#include "base/arena.h"
#include "base/unicode.h"
#include "model/leaving.h"
#include "model/slug.h"
#include "model/tag.h"
#include "model/text_rule.h"
#include "model/user.h"
#include "model/writing.h"

#include <inttypes.h>

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
put_texts(const struct post_part *part, const struct strings_value *texts, struct buf *out)
{
	if (texts->count != 0)
		front_put_texts(out, str_of(part->key), texts->strings, texts->count);
}

static void
write_old_slugs(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	put_texts(part, &file->old_slugs, out);
}

static const char *
read_old_slugs(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	/* Its id and its slug are claimed, too. */
	const char *why = take_texts(arena, value, DRAFT_SLUGS_MAX - 2, &file->old_slugs);
	struct str *slugs = ARENA_ARRAY(arena, file->old_slugs.count, struct str);

	(void)part;
	for (size_t i = 0; i < file->old_slugs.count; i++) {
		slugs[i] = unicode_fold(arena, file->old_slugs.strings[i]);
		if (!slug_valid(slugs[i]))
			return part_wants(arena, TEXT_SLUG);
	}
	file->old_slugs.strings = slugs;
	return why;
}

static void
write_tags(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	put_texts(part, &file->post.tags, out);
}

/* As they are typed into the form; also all in one text. */
static const char *
read_tags(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct strings_value texts = {&value->text, 1};
	const char *why = NULL;
	struct str strange;

	(void)part;
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
write_tools(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (file->body.tools.count != 0)
		front_put_key(out, str_of(part->key));
	for (size_t i = 0; i < file->body.tools.count; i++)
		front_put_item(out, 2, file->body.tools.strings[i]);
}

static const char *
read_tools(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	const char *why = take_texts(arena, value, SIZE_MAX, &file->body.tools);

	(void)part;
	for (size_t i = 0; i < file->body.tools.count; i++)
		if (!text_keeps(TEXT_LINE, file->body.tools.strings[i]))
			return part_wants(arena, TEXT_LINE);
	return why;
}

static void
write_steps(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (file->body.step_count != 0)
		front_put_key(out, str_of(part->key));
	for (size_t i = 0; i < file->body.step_count; i++)
		front_put_item(out, 2, file->body.steps[i].markdown);
}

static const char *
read_steps(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct strings_value texts = {NULL, 0};
	const char *why = take_texts(arena, value, SIZE_MAX, &texts);
	struct step *steps = ARENA_ARRAY(arena, texts.count, struct step);

	(void)part;
	for (size_t i = 0; i < texts.count; i++)
		steps[i].markdown = texts.strings[i];
	file->body.steps = steps;
	file->body.step_count = texts.count;
	return why;
}

/* --- Maps ------------------------------------------------------------------------------------------- */

/* The two texts of a map, of which the first must be there; nothing else may be. */
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
write_coauthors(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (file->post.other_count != 0)
		front_put_key(out, str_of(part->key));
	for (size_t i = 0; i < file->post.other_count; i++)
		put_pair(out, STR("username"), STR("name"), file->post.others[i].username,
		    file->post.others[i].name);
}

static const char *
read_coauthors(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct coauthor *others = ARENA_ARRAY(arena, value->count, struct coauthor);

	(void)part;
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
			return part_wants(arena, TEXT_LINE);
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
write_materials(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (file->body.material_count != 0)
		front_put_key(out, str_of(part->key));
	for (size_t i = 0; i < file->body.material_count; i++)
		put_pair(out, STR("name"), STR("amount"), file->body.materials[i].name,
		    file->body.materials[i].amount);
}

static const char *
read_materials(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct material *materials = ARENA_ARRAY(arena, value->count, struct material);

	(void)part;
	if (value->kind != FRONT_LIST && value->text.len != 0)
		return WANTS_MAPS;
	for (size_t i = 0; i < value->count; i++) {
		const char *why = take_pair(&value->entries[i].value, STR("name"), STR("amount"),
		    &materials[i].name, &materials[i].amount);

		if (why != NULL)
			return why;
		if (!text_keeps(TEXT_LINE, materials[i].name) ||
		    !text_keeps(TEXT_LINE, materials[i].amount))
			return part_wants(arena, TEXT_LINE);
	}
	file->body.materials = materials;
	file->body.material_count = value->count;
	return NULL;
}

static void
write_thumbnail(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	const struct image *image = &file->post.thumbnail;

	if (image->url.len == 0)
		return;
	front_put_key(out, str_of(part->key));
	front_put_text(out, 2, STR("url"), image->url);
	if (image->alt.len != 0)
		front_put_text(out, 2, STR("alt"), image->alt);
	if (image->width != 0)
		buf_fmt(out, "  width: %" PRId64 "\n", image->width);
	if (image->height != 0)
		buf_fmt(out, "  height: %" PRId64 "\n", image->height);
}

static const char *
read_thumbnail(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct image *image = &file->post.thumbnail;

	(void)part;
	if (value->kind != FRONT_MAP)
		return WANTS_MAP;
	for (size_t i = 0; i < value->count; i++) {
		struct str key = value->entries[i].key, text = value->entries[i].value.text;

		if (str_eq(key, STR("url")))
			image->url = text;
		else if (str_eq(key, STR("alt")))
			image->alt = text;
		else if (!(str_eq(key, STR("width")) && str_int(text, &image->width)) &&
			 !(str_eq(key, STR("height")) && str_int(text, &image->height)))
			return "expected url, alt, and width and height as numbers";
	}
	if (image->url.len == 0 || !text_keeps(TEXT_PICTURE, image->url))
		return str_cstring(
		    arena, str_fmt(arena, "its url: expected %s", text_wants(TEXT_PICTURE)));
	return text_keeps(TEXT_LINE, image->alt)
		   ? NULL
		   : str_cstring(
			 arena, str_fmt(arena, "its alt: expected %s", text_wants(TEXT_LINE)));
}

/* --- The types ----------------------------------------------------------------------------------------- */

const struct part_type part_old_slugs = {write_old_slugs, read_old_slugs};
const struct part_type part_tags = {write_tags, read_tags};
const struct part_type part_tools = {write_tools, read_tools};
const struct part_type part_coauthors = {write_coauthors, read_coauthors};
const struct part_type part_thumbnail = {write_thumbnail, read_thumbnail};
const struct part_type part_materials = {write_materials, read_materials};
const struct part_type part_steps = {write_steps, read_steps};
