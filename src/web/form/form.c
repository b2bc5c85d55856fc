#include "web/form/form.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/language.h"
#include "model/people/user.h"
#include "model/post/media.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "text/markdown.h"
#include "text/url.h"
#include "web/form/form_text.h"

#include <inttypes.h>
#include <string.h>

/* --- One field ----------------------------------------------------------------------------------- */

enum { FILE_MAX = 5 * 1024 * 1024, URL_MAX = 2000 };

/*
 * An input being converted to a value. `text` is well-formed, without control characters, trimmed.
 */
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
	if (media_is_no_picture(r->text))
		return wrong(r->field, MEDIA_NO_PICTURE " Choose another picture.");
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
	/* A browser omits the seconds if they are 0. */
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

/* The kinds of fields. `max` is the default maximum; 0: it has no length. */
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

/* The size of the kind's type. */
static size_t
field_size(enum field_kind kind)
{
	return kinds[kind].size;
}

/*
 * The maximal number of characters of one value; for kinds without a length, as many as anybody
 * needs.
 */
static size_t
length_max(const struct field *field)
{
	enum { SHORT = 60 };
	const struct kind *kind = &kinds[field->kind];

	if (kind->max == 0)
		return SHORT;
	return (size_t)(field->max != 0 ? field->max : kind->max);
}

/* The maximal number of bytes that a browser sends for it, with name and separators. */
static size_t
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

/* Is the length within the field's limits? Counted in characters. */
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

/* Whatever was typed, as valid text; empty when there is nothing visible on a line. */
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

/* Reads one text that is present. */
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

	/* A browser sends an empty file without a name if none was chosen. */
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

/*
 * From the inputs that were sent under the field's name to a typed value.
 *
 * Writes the value to `out`, which is zeroed and of the kind's type. NULL, or an error message; then `out` is
 * undefined.
 */
static const char *
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

/* --- A form -------------------------------------------------------------------------------------- */

/*
 * What a form accepts can be rendered, if its characters are of one byte; others do not fit into an
 * item.
 */
_Static_assert((int)FORM_TEXT_MAX <= (int)MARKDOWN_SOURCE_MAX,
    "a form's text is longer than what is rendered");

/* Names are unique, and values in the form's struct do not overlap. */
static bool
form_ok(const struct form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct field *field = &form->fields[i];
		size_t end = field->offset + field_size(field->kind);

		if (field->name.len == 0 || end > form->size ||
		    (field->kind == FIELD_KIND_CHOICE) != (field->choices != NULL) ||
		    (field->kind == FIELD_KIND_FILE && !form->files) ||
		    (field->max != 0 && field->min > field->max))
			return false;
		for (const struct field *other = form->fields; other != field; other++)
			if (str_eq(other->name, field->name) ||
			    (other->offset < end &&
				field->offset < other->offset + field_size(other->kind)))
				return false;
	}
	return true;
}

void
form_empty(struct arena *arena, const struct form *form, struct form_result *out)
{
	assert_whole(form_ok(form));
	*out = (struct form_result){.form = form, .arena = arena, .valid = true};
	out->values = arena_alloc(arena, form->size);
	out->fields = ARENA_ARRAY(arena, form->count, struct field_result);
	for (size_t i = 0; i < form->count; i++)
		out->fields[i].field = &form->fields[i];
}

static struct field_result *
find(const struct form_result *result, const char *name)
{
	for (size_t i = 0; i < result->form->count; i++)
		if (str_eq(result->fields[i].field->name, str_of(name)))
			return &result->fields[i];
	return NULL;
}

static void
add_raw(struct arena *arena, struct field_result *field, struct str text)
{
	size_t count = field->raw.count;

	/* Capacities are powers of two; most fields have one text. */
	if ((count & (count - 1)) == 0) {
		size_t room = count != 0 ? count * 2 : 1;

		field->raw.strings = arena_grow(arena, field->raw.strings,
		    count * sizeof(struct str), room * sizeof(struct str));
	}
	field->raw.strings[count] = text;
	field->raw.count++;
}

static void
set_error(struct form_result *result, struct field_result *field, const char *sentence)
{
	void *value = (char *)result->values + field->field->offset;

	memset(value, 0, field_size(field->field->kind));
	if (field->error == NULL)
		result->error_count++;
	field->error = sentence;
	result->valid = false;
}

/* May the input be shown again? A password never is, a file can't be. */
static bool
shown_again(const struct field *field, const struct part *input)
{
	return field->kind != FIELD_KIND_PASSWORD && field->kind != FIELD_KIND_FILE &&
	       !input->file && str_utf8(input->content) &&
	       str_find(input->content, '\0') == input->content.len;
}

/* Collects all inputs of the field's name into `mine`. */
static size_t
collect(const struct parts *parts, const struct field *field, struct part *mine)
{
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		if (str_eq(parts->parts[i].name, field->name))
			mine[count++] = parts->parts[i];
	return count;
}

void
form_read(struct arena *arena, const struct form *form, const struct parts *parts,
    struct form_result *out)
{
	struct part *mine = ARENA_ARRAY(arena, parts->count, struct part);

	form_empty(arena, form, out);
	for (size_t i = 0; i < form->count; i++) {
		struct field_result *field = &out->fields[i];
		size_t count = collect(parts, field->field, mine);
		const char *error;

		for (size_t n = 0; n < count; n++)
			if (shown_again(field->field, &mine[n]))
				add_raw(arena, field, mine[n].content);
		error = field_read(
		    arena, field->field, mine, count, (char *)out->values + field->field->offset);
		if (error != NULL)
			set_error(out, field, error);
	}
}

size_t
form_bytes_max(const struct form *form)
{
	size_t bytes = 0;

	for (size_t i = 0; i < form->count; i++)
		bytes += field_bytes_max(&form->fields[i]);
	return bytes;
}

void
form_fill(struct form_result *result, const char *name, struct str text)
{
	struct field_result *field = find(result, name);

	assert(field != NULL);
	field->raw = (struct strings){NULL, 0};
	add_raw(result->arena, field, text);
}

void
form_fill_more(struct form_result *result, const char *name, struct str text)
{
	struct field_result *field = find(result, name);

	assert(field != NULL);
	add_raw(result->arena, field, text);
}

void
form_refuse(struct form_result *result, const char *name, const char *sentence)
{
	struct field_result *field = find(result, name);

	assert(field != NULL);
	set_error(result, field, sentence);
}

struct str
form_raw(const struct form_result *result, const char *name)
{
	const struct field_result *field = find(result, name);

	return field != NULL && field->raw.count != 0 ? field->raw.strings[0] : STR("");
}

const char *
form_error(const struct form_result *result, const char *name)
{
	const struct field_result *field = find(result, name);

	return field != NULL ? field->error : NULL;
}
