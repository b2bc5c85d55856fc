#include "pages/write/revision_parts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "pages/shared/words.h"
#include "pages/write/form.h"
#include "text/text.h"

#include <inttypes.h>

/* Two texts with a separator, if both are present. */
static struct str
both(struct arena *arena, struct str a, struct str between, struct str b)
{
	return a.len != 0 && b.len != 0 ? STR_CONCAT(arena, a, between, b)
					: STR_CONCAT(arena, a, b);
}

/* --- Fields that are shown otherwise than stored ---------------------------------------------- */

static struct str
tags(struct arena *arena, const struct post *post, const struct post_body *body)
{
	(void)body;
	return str_join(arena, post->tags.strings, post->tags.count, STR(", "));
}

static struct str
picture(struct arena *arena, const struct post *post, const struct post_body *body)
{
	(void)body;
	return both(arena, both(arena, post->thumbnail.url, STR("\n"), post->thumbnail.alt),
	    STR("\n"), post->thumbnail.focus);
}

static struct str
link_and_source(struct arena *arena, const struct post *post, const struct post_body *body)
{
	return both(arena, post->url, STR("\n"), body->source);
}

static struct str
difficulty(struct arena *arena, const struct post *post, const struct post_body *body)
{
	(void)arena;
	(void)body;
	return words_difficulty(post->difficulty);
}

static struct str
duration(struct arena *arena, const struct post *post, const struct post_body *body)
{
	(void)body;
	return words_duration(arena, post->minutes);
}

static struct str
money(struct arena *arena, const struct post *post, const struct post_body *body)
{
	(void)body;
	return words_money(arena, post->cost, post->currency);
}

static struct str
materials(struct arena *arena, const struct post *post, const struct post_body *body)
{
	struct str *texts = ARENA_ARRAY(arena, body->material_count, struct str);

	(void)post;
	for (size_t i = 0; i < body->material_count; i++)
		texts[i] =
		    both(arena, body->materials[i].name, STR(": "), body->materials[i].amount);
	return str_join(arena, texts, body->material_count, STR("\n"));
}

static struct str
steps(struct arena *arena, const struct post *post, const struct post_body *body)
{
	struct buf out = {.arena = arena};

	(void)post;
	for (size_t i = 0; i < body->step_count; i++) {
		buf_fmt(&out, "%sStep %zu\n", i != 0 ? "\n" : "", i + 1);
		buf_put(&out, body->steps[i].markdown);
		buf_putc(&out, '\n');
	}
	return buf_str(&out);
}

static const struct {
	const char *key;
	struct str (*text)(
	    struct arena *arena, const struct post *post, const struct post_body *body);
} by_key[] = {
    {"tags", tags},
    {"thumbnail", picture},
    {"url", link_and_source},
    {"difficulty", difficulty},
    {"minutes", duration},
    {"cost", money},
    {"materials", materials},
    {"steps", steps},
};
enum { KEYS = sizeof(by_key) / sizeof(by_key[0]) };

/* --- Of one field ---------------------------------------------------------------------------------- */

static size_t
own(const struct post_field *field)
{
	size_t i = 0;

	while (i < KEYS && !post_field_is(field, by_key[i].key))
		i++;
	return i;
}

const char *
revision_parts_error(struct arena *arena)
{
	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];
		const struct binding *binding = post_field_binding(field);

		if (post_field_written(field) && !field->once && own(field) == KEYS &&
		    binding->kind != BINDING_STRING && binding->kind != BINDING_STRINGS &&
		    binding->kind != BINDING_NUMBER)
			return str_cstring(
			    arena, str_fmt(arena, "no comparison can show the field %s of a post",
				       field->key));
	}
	return NULL;
}

static struct str
text_of(struct arena *arena, const struct post_field *field, const struct post *post,
    const struct post_body *body)
{
	const void *value = post_field_value(field, post, body);
	const struct strings_value *strings = value;
	size_t i = own(field);

	if (i != KEYS)
		return by_key[i].text(arena, post, body);
	switch (post_field_binding(field)->kind) {
	case BINDING_STRING: return *(const struct str *)value;
	case BINDING_STRINGS: return str_join(arena, strings->strings, strings->count, STR("\n"));
	case BINDING_NUMBER:
		return *(const int64_t *)value != 0
			   ? str_fmt(arena, "%" PRId64, *(const int64_t *)value)
			   : STR("");
	default: return STR("");
	}
}

struct revision_part
revision_part(struct arena *arena, const struct post_field *field, const struct post *post,
    const struct post_body *body)
{
	return (struct revision_part){write_label(field), text_of(arena, field, post, body)};
}

/* --- Of all ---------------------------------------------------------------------------------------- */

static void
add(struct revision_parts *all, struct arena *arena, const struct post_field *field,
    const struct post *post, const struct post_body *body)
{
	if (post_field_written(field) && !field->once && field->with == NULL)
		all->parts[all->count++] = revision_part(arena, field, post, body);
}

struct revision_parts
revision_parts(struct arena *arena, const struct post *post, const struct post_body *body)
{
	struct revision_parts all = {ARENA_ARRAY(arena, post_field_count, struct revision_part), 0};

	for (const struct post_field *f = post_fields; f < post_fields + post_field_count; f++) {
		if (f->before != NULL)
			continue;
		for (size_t i = 0; i < post_field_count; i++)
			if (post_fields[i].before != NULL &&
			    post_field_is(f, post_fields[i].before))
				add(&all, arena, &post_fields[i], post, body);
		add(&all, arena, f, post, body);
	}
	return all;
}

bool
revision_parts_same(const struct revision_parts *a, const struct revision_parts *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!str_eq(a->parts[i].text, b->parts[i].text))
			return false;
	return true;
}

static void
put_change(struct buf *out, const struct revision_part *old, const struct revision_part *new)
{
	char first = new->label.base[0];
	int64_t words;

	if (out->len != 0)
		BUF_PUT(out, ", ");
	/* Within a sentence all begin with a small letter. */
	buf_putc(out, out->len != 0 ? (char)(first | 0x20) : first);
	buf_put(out, str_sub(new->label, 1, new->label.len));
	words = text_words(new->text) - text_words(old->text);
	if (words != 0 && (new->text.len > 200 || old->text.len > 200))
		buf_fmt(out, " (%s%" PRId64 " %s)", words > 0 ? "+" : "−",
		    words > 0 ? words : -words, words == 1 || words == -1 ? "word" : "words");
}

struct str
revision_changes(
    struct arena *arena, const struct revision_parts *old, const struct revision_parts *new)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < new->count; i++)
		if (!str_eq(old->parts[i].text, new->parts[i].text))
			put_change(&out, &old->parts[i], &new->parts[i]);
	return buf_str(&out);
}
