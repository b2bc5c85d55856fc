#include "web/form/form_field.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/language.h"
#include "model/people/user.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "text/url.h"
#include "web/form/form_text.h"

#include <inttypes.h>
#include <string.h>

enum { FILE_MAX = 5 * 1024 * 1024, URL_MAX = 2000 };

/* One input on its way to a value. `text` is well-formed, without control characters, trimmed. */
struct reading {
	struct arena *arena;
	const struct field *field;
	struct str text;
	void *out;
};

static const char *
sentence(struct arena *arena, struct str text)
{
	return str_cstring(arena, text);
}

static const char *
wrong(const struct field *field, const char *usual)
{
	return field->wrong != NULL ? field->wrong : usual;
}

static const char *
read_line(const struct reading *r)
{
	if (str_find(r->text, '\n') != r->text.len || str_find(r->text, '\t') != r->text.len)
		return sentence(
		    r->arena, str_fmt(r->arena, "%s must be one line.", r->field->label));
	*(struct str *)r->out = r->text;
	return NULL;
}

static const char *
read_text(const struct reading *r)
{
	*(struct str *)r->out = r->text;
	return NULL;
}

static const char *
read_number(const struct reading *r)
{
	const struct field *field = r->field;
	bool bounded = field->min != 0 || field->max != 0;
	int64_t number;

	if (str_int(r->text, &number) &&
	    (!bounded || (number >= field->min && number <= field->max))) {
		*(int64_t *)r->out = number;
		return NULL;
	}
	if (field->wrong != NULL)
		return field->wrong;
	if (!bounded)
		return sentence(
		    r->arena, str_fmt(r->arena, "%s must be a whole number.", field->label));
	return sentence(r->arena,
	    str_fmt(r->arena, "%s must be a whole number from %" PRId64 " to %" PRId64 ".",
		field->label, field->min, field->max));
}

static const char *
read_choice(const struct reading *r)
{
	for (const struct choice *c = r->field->choices; c->name.len != 0; c++) {
		if (str_eq(c->name, r->text)) {
			*(int64_t *)r->out = c->value;
			return NULL;
		}
	}
	return wrong(r->field, "Choose one of these.");
}

static const char *
read_slug(const struct reading *r)
{
	if (!slug_typed(r->arena, r->text, r->out))
		return wrong(r->field, "Use letters, digits, and single hyphens between them.");
	return NULL;
}

static const char *
read_name(const struct reading *r)
{
	struct str name = str_lower(r->arena, r->text);

	if (!text_is_name(name))
		return wrong(r->field, "Use letters from a to z, digits and underscores.");
	*(struct str *)r->out = name;
	return NULL;
}

static const char *
read_email(const struct reading *r)
{
	if (!email_normal(r->arena, r->text, r->out))
		return wrong(r->field, "This is not an e-mail address.");
	return NULL;
}

static const char *
read_url(const struct reading *r)
{
	if (!text_keeps(TEXT_LINK, r->text))
		return wrong(
		    r->field, "Write a whole address that begins with https:// or http://.");
	*(struct str *)r->out = r->text;
	return NULL;
}

static const char *
read_picture(const struct reading *r)
{
	if (!text_keeps(TEXT_PICTURE, r->text))
		return wrong(r->field,
		    "Write an address that begins with https://, or that of one of your pictures.");
	*(struct str *)r->out = r->text;
	return NULL;
}

static const char *
read_language(const struct reading *r)
{
	if (!language_valid(r->text))
		return wrong(r->field, "Write a language tag, such as en or pt-BR.");
	*(struct str *)r->out = r->text;
	return NULL;
}

static const char *
read_time(const struct reading *r)
{
	/* A browser leaves the seconds out where they are 0. */
	bool seconds = r->text.len > 16;
	struct str text = STR_CONCAT(r->arena, r->text, seconds ? STR("Z") : STR(":00Z"));

	if (time_parse(text, r->out))
		return NULL;
	return wrong(r->field, "Write a date and a time, such as 2026-11-18T09:30.");
}

static const char *
read_flag(const struct reading *r)
{
	*(bool *)r->out = !str_eq(r->text, STR("0"));
	return NULL;
}

/* What a kind is. `max` is where a field that names none ends; 0 has no length at all. */
static const struct kind {
	const char *(*read)(const struct reading *r);
	size_t size;
	int64_t min, max;
	const char *missing;
} kinds[] = {
    [FIELD_KIND_LINE] = {read_line, sizeof(struct str), 0, FORM_LINE_MAX, NULL},
    [FIELD_KIND_TEXT] = {read_text, sizeof(struct str), 0, FORM_TEXT_MAX, NULL},
    [FIELD_KIND_PASSWORD] = {read_text, sizeof(struct str), 0, FORM_LINE_MAX, NULL},
    [FIELD_KIND_NUMBER] = {read_number, sizeof(int64_t), 0, 0, NULL},
    [FIELD_KIND_CHOICE] = {read_choice, sizeof(int64_t), 0, 0, "Choose one of these."},
    [FIELD_KIND_SLUG] = {read_slug, sizeof(struct str), 1, SLUG_MAX, NULL},
    [FIELD_KIND_NAME] = {read_name, sizeof(struct str), 3, 30, NULL},
    [FIELD_KIND_EMAIL] = {read_email, sizeof(struct str), 0, 254, NULL},
    [FIELD_KIND_URL] = {read_url, sizeof(struct str), 0, URL_MAX, NULL},
    [FIELD_KIND_PICTURE] = {read_picture, sizeof(struct str), 0, FORM_LINE_MAX, NULL},
    [FIELD_KIND_LANGUAGE] = {read_language, sizeof(struct str), 0, LANGUAGE_MAX, NULL},
    [FIELD_KIND_TIME] = {read_time, sizeof(int64_t), 0, 0, NULL},
    [FIELD_KIND_FLAG] = {read_flag, sizeof(bool), 0, 0, "Tick this to go on."},
    [FIELD_KIND_LIST] = {read_line, sizeof(struct strings), 0, FORM_LINE_MAX, NULL},
    [FIELD_KIND_FILE] = {NULL, sizeof(struct part), 0, FILE_MAX, "Choose a file."},
};

size_t
field_size(enum field_kind kind)
{
	return kinds[kind].size;
}

/* Characters that it may have, each time that it comes; of what has no length, as many as anybody needs. */
static size_t
length_max(const struct field *field)
{
	enum { SHORT = 60 };
	const struct kind *kind = &kinds[field->kind];

	if (kind->max == 0)
		return SHORT;
	return (size_t)(field->max != 0 ? field->max : kind->max);
}

size_t
field_bytes_max(const struct field *field)
{
	enum { PARTED_BY = 2 /* = and & */ };
	size_t name = field->name.len + PARTED_BY, times = 1;

	if (field->kind == FIELD_KIND_FILE)
		return name + length_max(field);
	if (field->kind == FIELD_KIND_LIST)
		times = field->count_max != 0 ? field->count_max : FORM_LIST_MAX;
	return times * (name + length_max(field) * FORM_LETTER_BYTES);
}

static const char *
missing(struct arena *arena, const struct field *field)
{
	if (field->missing != NULL)
		return field->missing;
	if (kinds[field->kind].missing != NULL)
		return kinds[field->kind].missing;
	return sentence(arena, str_fmt(arena, "%s must not be empty.", field->label));
}

/* Does the text keep its length? Counted in characters. */
static const char *
check_length(struct arena *arena, const struct field *field, struct str text)
{
	const struct kind *kind = &kinds[field->kind];
	int64_t min = field->min != 0 ? field->min : kind->min;
	int64_t max = field->max != 0 ? field->max : kind->max, length;

	if (kind->max == 0)
		return NULL;
	length = text_length(text);
	if (length > max)
		return sentence(
		    arena, str_fmt(arena,
			       "%s may have %" PRId64 " characters at most; this has %" PRId64 ".",
			       field->label, max, length));
	if (length < min)
		return sentence(
		    arena, str_fmt(arena,
			       "%s needs %" PRId64 " characters at least; this has %" PRId64 ".",
			       field->label, min, length));
	return NULL;
}

/* Whatever was typed into text; empty when there was nothing, or nothing to see in a line. */
static const char *
clean(struct arena *arena, const struct field *field, struct str raw, struct str *out)
{
	bool lines = field->kind == FIELD_KIND_TEXT || field->kind == FIELD_KIND_PASSWORD;

	if (!str_utf8(raw) || text_has_control(raw = text_lines(arena, raw)) ||
	    (!lines && text_turns(raw)))
		return sentence(
		    arena, str_fmt(arena, "%s has a character that is not text.", field->label));
	if (field->kind == FIELD_KIND_TEXT)
		*out = text_trim_lines(raw);
	else if (field->kind == FIELD_KIND_PASSWORD)
		*out = raw;
	else
		*out = text_is_seen(raw) ? str_trim(raw) : STR("");
	return NULL;
}

/* One text that is there. */
static const char *
read_one(struct arena *arena, const struct field *field, struct str text, void *out)
{
	struct reading r = {arena, field, text, out};
	const char *error = check_length(arena, field, text);

	return error != NULL ? error : kinds[field->kind].read(&r);
}

static const char *
field_read_list(struct arena *arena, const struct field *field, const struct part *inputs,
    size_t count, struct strings *out)
{
	uint32_t max = field->count_max != 0 ? field->count_max : FORM_LIST_MAX;
	const char *error;
	struct str text;

	*out = (struct strings){ARENA_ARRAY(arena, max, struct str), 0};
	for (size_t i = 0; i < count; i++) {
		error = clean(arena, field, inputs[i].content, &text);
		if (error != NULL)
			return error;
		if (text.len == 0)
			continue;
		if (out->count == max)
			return sentence(
			    arena, str_fmt(arena, "%s: %" PRIu32 " at most.", field->label, max));
		error = read_one(arena, field, text, &out->strings[out->count]);
		if (error != NULL)
			return error;
		out->count++;
	}
	return out->count == 0 && field->required ? missing(arena, field) : NULL;
}

static const char *
field_read_file(
    struct arena *arena, const struct field *field, const struct part *input, struct part *out)
{
	size_t max = field->max != 0 ? (size_t)field->max : FILE_MAX;

	/* A browser sends an empty file without a name where none was chosen. */
	if (!input->file || (input->filename.len == 0 && input->content.len == 0))
		return field->required ? missing(arena, field) : NULL;
	if (input->content.len > max)
		return sentence(arena,
		    max >= 1024 * 1024
			? str_fmt(arena, "This file is larger than %zu MB.", max / 1024 / 1024)
			: str_fmt(arena, "This file is larger than %zu KB.", max / 1024));
	*out = *input;
	return NULL;
}

const char *
field_read(struct arena *arena, const struct field *field, const struct part *inputs, size_t count,
    void *out)
{
	const char *error;
	struct str text = STR("");

	if (field->kind == FIELD_KIND_LIST)
		return field_read_list(arena, field, inputs, count, out);
	if (count > 1)
		return sentence(arena, str_fmt(arena, "%s was sent more than once.", field->label));
	if (field->kind == FIELD_KIND_FILE && count == 1)
		return field_read_file(arena, field, inputs, out);
	if (count == 1) {
		error = clean(arena, field, inputs->content, &text);
		if (error != NULL)
			return error;
	}
	if (text.len != 0)
		return read_one(arena, field, text, out);
	if (field->required)
		return missing(arena, field);
	if (field->kind == FIELD_KIND_CHOICE)
		*(int64_t *)out = field->choices->value;
	return NULL;
}
