#include "web/form/form.h"

#include "base/arena.h"
#include "text/markdown.h"
#include "web/form/form_field.h"

#include <string.h>

/* What a form takes is rendered, if its letters are of one byte; more do not fit into an item. */
_Static_assert((int)FORM_TEXT_MAX <= (int)MARKDOWN_SOURCE_MAX,
    "a form's text is longer than what is rendered");

/* Each field is named once, and its value lies in the form's struct, where no other's does. */
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

	/* In steps of powers of two; a field has one text as a rule. */
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

/* May what was sent go back into the page? A password never does, a file can't. */
static bool
shown_again(const struct field *field, const struct part *input)
{
	return field->kind != FIELD_KIND_PASSWORD && field->kind != FIELD_KIND_FILE &&
	       !input->file && str_utf8(input->content) &&
	       str_find(input->content, '\0') == input->content.len;
}

/* All inputs of the field's name, one behind another, into `mine`. */
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
form_read_parts(struct arena *arena, const struct form *form, const struct parts *parts,
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

void
form_read(struct arena *arena, const struct form *form, const struct pairs *inputs,
    struct form_result *out)
{
	struct parts parts = {ARENA_ARRAY(arena, inputs->count, struct part), inputs->count};

	for (size_t i = 0; i < inputs->count; i++) {
		parts.parts[i].name = inputs->pairs[i].name;
		parts.parts[i].content = inputs->pairs[i].value;
	}
	form_read_parts(arena, form, &parts, out);
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
