/* The parts of a post's file that are one text, number, time or word. */
#include "process/post_file_parts.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/unicode.h"
#include "model/language.h"
#include "model/leaving.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "model/user.h"

#include <inttypes.h>

static struct str *
text_at(const struct post_part *part, const struct post_file *file)
{
	return (struct str *)((uintptr_t)file + part->offset);
}

static int64_t *
number_at(const struct post_part *part, const struct post_file *file)
{
	return (int64_t *)((uintptr_t)file + part->offset);
}

/* --- Texts --------------------------------------------------------------------------------------- */

static void
write_text(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (text_at(part, file)->len != 0)
		front_put_text(out, 0, str_of(part->key), *text_at(part, file));
}

const char *
part_wants(struct arena *arena, enum text_rule rule)
{
	return str_cstring(arena, str_fmt(arena, "expected %s", text_wants(rule)));
}

static const char *
read_text(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	*text_at(part, file) = value->text;
	if (value->kind != FRONT_TEXT)
		return WANTS_TEXT;
	return text_keeps(part->rule, value->text) ? NULL : part_wants(arena, part->rule);
}

static const char *
read_username(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	const char *why = read_text(arena, part, value, file);

	return why == NULL && !username_valid(value->text) && !pseudonym_valid(value->text)
		   ? "expected a username: 3 to 30 of a-z, 0-9 and _"
		   : why;
}

static const char *
read_language(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	const char *why = read_text(arena, part, value, file);

	return why == NULL && value->text.len != 0 && !language_valid(value->text)
		   ? "expected a language tag, such as en or pt-BR"
		   : why;
}

static const char *
read_slug(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	struct str *slug = text_at(part, file);

	if (value->kind != FRONT_TEXT)
		return WANTS_TEXT;
	*slug = unicode_fold(arena, value->text);
	return slug_valid(*slug) ? NULL : part_wants(arena, part->rule);
}

/* That of a category or a group, of which there need not be one. */
static const char *
read_name(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	return value->kind == FRONT_TEXT && value->text.len == 0
		   ? read_text(arena, part, value, file)
		   : read_slug(arena, part, value, file);
}

/* The first slug that it had, where that is another. */
static void
write_id(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (!str_eq(file->post.id, file->post.slug))
		write_text(part, file, out);
}

/* A text that can stand below does. */
static void
write_markdown(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (!front_text_fits(file->body.markdown))
		front_put_text(out, 0, str_of(part->key), file->body.markdown);
}

static const char *
read_markdown(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	(void)arena;
	(void)part;
	file->body.markdown = value->text;
	return value->kind == FRONT_TEXT ? NULL : WANTS_TEXT;
}

/* --- Numbers and times ------------------------------------------------------------------------------ */

static void
write_number(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (*number_at(part, file) != 0)
		buf_fmt(out, "%s: %" PRId64 "\n", part->key, *number_at(part, file));
}

static const char *
read_number(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	(void)arena;
	return value->kind == FRONT_TEXT && str_int(value->text, number_at(part, file)) &&
		       *number_at(part, file) >= 0
		   ? NULL
		   : "expected a whole number";
}

static void
write_time(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (*number_at(part, file) != 0)
		buf_fmt(out, "%s: %.*s\n", part->key,
		    STR_ARGS(time_format(out->arena, *number_at(part, file))));
}

/* Two digits at an offset of a text that is long enough; -1 when they are none. */
static int
two_digits(struct str text, size_t at)
{
	char a = text.base[at], b = text.base[at + 1];

	return a >= '0' && a <= '9' && b >= '0' && b <= '9' ? (a - '0') * 10 + b - '0' : -1;
}

/* "+01:30" at the end of a time: minutes east of Greenwich, and the time without it. */
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
read_time(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	if (value->kind == FRONT_TEXT && value->text.len == 0)
		return NULL;
	return value->kind == FRONT_TEXT && read_moment(arena, value->text, number_at(part, file))
		   ? NULL
		   : "expected a time: 2026-11-18, or 2026-11-18T09:30:00Z";
}

/* --- Choices ---------------------------------------------------------------------------------------- */

static void
put_word(const struct post_part *part, const char *word, struct buf *out)
{
	buf_fmt(out, "%s: %s\n", part->key, word);
}

static void
write_kind(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	put_word(part, post_kind_name(file->post.kind), out);
}

static void
write_status(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	put_word(part, post_status_name(file->post.status), out);
}

static void
write_visibility(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	put_word(part, post_visibility_name(file->post.visibility), out);
}

static void
write_difficulty(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (file->post.difficulty != DIFFICULTY_NONE)
		put_word(part, post_difficulty_name(file->post.difficulty), out);
}

static const char *
read_kind(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	int kind = post_kind_of(value->text);

	(void)arena;
	(void)part;
	if (kind < 0)
		return "expected article, link, howto, note or page";
	file->post.kind = (enum post_kind)kind;
	return NULL;
}

static const char *
read_status(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	int status = post_status_of(value->text);

	(void)arena;
	(void)part;
	if (status < 0 || status == STATUS_DELETED)
		return "expected draft, published or unpublished";
	file->post.status = (enum post_status)status;
	return NULL;
}

static const char *
read_visibility(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	int visibility = post_visibility_of(value->text);

	(void)arena;
	(void)part;
	if (visibility < 0)
		return "expected public, followers, group or private";
	file->post.visibility = (enum visibility)visibility;
	return NULL;
}

static const char *
read_difficulty(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	int difficulty = post_difficulty_of(value->text);

	(void)arena;
	(void)part;
	if (difficulty < 0)
		return "expected easy, medium or hard";
	file->post.difficulty = (enum difficulty)difficulty;
	return NULL;
}

/* --- Words of other programs ------------------------------------------------------------------------- */

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

/* By this Hugo, Zola, Eleventy and others leave a post out. */
static void
write_draft(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (!post_is_public(&file->post))
		put_word(part, "true", out);
}

static const char *
read_draft(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	(void)arena;
	(void)part;
	return take_word(value->text, STR("true"), STR("false"), file);
}

/* By this Jekyll does; with other programs, and with us, it may also be the time. */
static void
write_published(const struct post_part *part, const struct post_file *file, struct buf *out)
{
	if (!post_is_public(&file->post))
		put_word(part, "false", out);
}

static const char *
read_published(struct arena *arena, const struct post_part *part, const struct front_value *value,
    struct post_file *file)
{
	if (str_eq(value->text, STR("true")) || str_eq(value->text, STR("false")))
		return take_word(value->text, STR("false"), STR("true"), file);
	return read_time(arena, part, value, file);
}

/* --- The types ----------------------------------------------------------------------------------------- */

const struct part_type part_text = {write_text, read_text};
const struct part_type part_username = {write_text, read_username};
const struct part_type part_language = {write_text, read_language};
const struct part_type part_category = {write_text, read_name};
const struct part_type part_slug = {write_text, read_slug};
const struct part_type part_id = {write_id, read_slug};
const struct part_type part_number = {write_number, read_number};
const struct part_type part_time = {write_time, read_time};
const struct part_type part_published = {write_published, read_published};
const struct part_type part_draft = {write_draft, read_draft};
const struct part_type part_kind = {write_kind, read_kind};
const struct part_type part_status = {write_status, read_status};
const struct part_type part_visibility = {write_visibility, read_visibility};
const struct part_type part_difficulty = {write_difficulty, read_difficulty};
const struct part_type part_markdown = {write_markdown, read_markdown};
