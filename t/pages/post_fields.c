/*
 * Every field of a post, in every kind of post that has it: what is typed into the form is in the table, in a revision
 * and in what restoring it gives back, in comparisons, in a file and in what is read from that, in the form again, on the
 * post's page and in the documentation of files. Which fields there are says post_fields[]: a new one is tried here by
 * itself.
 */
#include "writer.h"

#include "lib/tap.h"

#include "lib/paths.h"
#include "model/key_post.h"
#include "model/post/post_fields.h"
#include "model/post/revision.h"
#include "pages/write/form.h"
#include "pages/write/revision_parts.h"
#include "text/post_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = KIND_PAGE + 1, PAIRS_MAX = 100 };

/* A post with every field that its kind has, in all its shapes. */
struct sample {
	struct seeded *s;
	enum post_kind kind;
	const char *id;
	const char *pairs[PAIRS_MAX]; /* what was typed: names and values, to NULL */
	size_t count;
	struct post post; /* as it is stored */
	struct post_body body;
};

/* --- What is typed --------------------------------------------------------------------------------- */

/*
 * What not every text can be. Who is named is asked first, and a group is of a post for its members: neither is anything
 * that the post says.
 */
static const struct {
	const char *key, *value; /* NULL: nothing */
} values[] = {
    {"coauthors", NULL},
    {"group", NULL},
    {"visibility", "public"},
    {"date", "2026-11-01T09:00"},
    {"planned", NULL},
    {"category", "tides"},
    {"tags", "alpha"},
    {"language", "de"},
    {"quotes", "whip-a-ropes-end"},
    {"thumbnail", "https://pictures.example/harbour.jpg"},
};

static const char *
value_for(struct sample *p, const struct post_field *field)
{
	const struct binding *binding = post_field_binding(field);
	size_t last = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (post_field_is(field, values[i].key))
			return values[i].value;
	if (binding->kind == BINDING_NUMBER)
		return "45";
	while (binding->kind == BINDING_CHOICE && binding->names[last + 1] != NULL)
		last++;
	if (binding->kind == BINDING_CHOICE)
		return binding->names[last];
	switch (binding->rule) {
	case TEXT_SLUG: return p->id;
	case TEXT_LINK: return text_in(p->s, "https://example.org/%s?a&b", field->key);
	case TEXT_AMOUNT: return "12.50";
	case TEXT_CURRENCY: return "CHF";
	case TEXT_COLOUR: return "#1f4e79";
	default: return text_in(p->s, "What it has as its %s, in <words> & signs.", field->key);
	}
}

static void
type(struct sample *p, const char *name, const char *value)
{
	if (p->count + 3 > PAIRS_MAX)
		abort();
	p->pairs[p->count++] = name;
	p->pairs[p->count++] = value;
	p->pairs[p->count] = NULL;
}

/* Has this post been given something for it? */
static bool
is_set(struct sample *p, const struct post_field *field)
{
	return post_field_input(field) != NULL && post_field_of(field, p->kind) &&
	       value_for(p, field) != NULL;
}

static void
write_it(struct sample *p)
{
	struct browser b = browser_of(p->s, "marta");
	const char *name = post_kind_name(p->kind), *action = text_in(p->s, "/write/%s", name);
	struct item head, body;
	struct key key;

	p->id = text_in(p->s, "every-field-of-a-%s", name);
	for (size_t i = 0; i < post_field_count; i++)
		if (is_set(p, &post_fields[i]))
			type(p, post_field_input(&post_fields[i]), value_for(p, &post_fields[i]));
	type(p, "thumbnail_alt", "A harbour");
	type(p, "thumbnail_focus", "top-left");
	if (p->kind == KIND_HOWTO)
		type(p, "amount", "2 m");
	get(&b, action);
	type(p, "do", "publish-anyway");
	is_int(submit(&b, action, p->pairs), HTTP_SEE_OTHER, "%s: all of it is published", name);
	p->count -= 2;
	p->pairs[p->count] = NULL;
	key = key_post(p->s->arena, str_of(p->id));
	head = seeded_item(p->s, key.pk.base, key.sk.base);
	body = seeded_item(p->s, key.pk.base, "BODY");
	post_from_item(p->s->arena, &head, &p->post);
	post_body_from_item(p->s->arena, &body, &p->body);
}

/* --- What became of it ----------------------------------------------------------------------------- */

static struct str
text_of_field(struct sample *p, const struct post_field *field, const struct post *post,
    const struct post_body *body)
{
	return revision_part(p->s->arena, field, post, body).text;
}

/* Does a post and its text say of a field what is stored? */
static void
says_the_same(struct sample *p, const struct post_field *field, const struct post *post,
    const struct post_body *body, const char *where)
{
	is_str(text_of_field(p, field, post, body), text_of_field(p, field, &p->post, &p->body),
	    "%s: %s %s", post_kind_name(p->kind), where, field->key);
}

static void
stored(struct sample *p, const struct post_field *field)
{
	struct str text = text_of_field(p, field, &p->post, &p->body);
	const char *name = post_kind_name(p->kind);

	if (post_field_binding(field)->kind == BINDING_STRING)
		is_int(holds(text, str_of(value_for(p, field))), true, "%s: the table has its %s",
		    name, field->key);
	else
		ok(text.len != 0, "%s: the table has its %s", name, field->key);
	ok(write_label(field).len != 0, "... which has a name");
}

static void
compared(struct sample *p, const struct post_field *field)
{
	struct post post = p->post, no_post = {.kind = p->kind};
	struct post_body body = p->body, no_body = {.renderer = 0};
	struct revision_parts all = revision_parts(p->s->arena, &p->post, &p->body), without;

	if (post_field_in_body(field))
		bind_copy(post_field_binding(field), &no_body, &body);
	else
		bind_copy(post_field_binding(field), &no_post, &post);
	without = revision_parts(p->s->arena, &post, &body);
	ok(!revision_parts_same(&all, &without), "%s: a comparison sees its %s",
	    post_kind_name(p->kind), field->key);
}

static void
revised(struct sample *p)
{
	struct key key = key_revision(p->s->arena, str_of(p->id), 1);
	struct item item = seeded_item(p->s, key.pk.base, key.sk.base);
	struct draft draft = {.post = {.kind = p->kind}};
	struct revision revision;

	revision_from_item(p->s->arena, &item, &revision);
	revision_apply(&revision, &draft);
	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];

		if (!is_set(p, field) || !post_field_written(field))
			continue;
		stored(p, field);
		compared(p, field);
		says_the_same(p, field, &revision.post, &revision.body, "its revision has its");
		/* Where it stands is not what it says. */
		if (!post_field_is(field, "slug"))
			says_the_same(
			    p, field, &draft.post, &draft.body, "restoring gives back its");
	}
}

static void
filed(struct sample *p)
{
	struct post_file file = {.post = p->post, .body = p->body}, back;
	struct buf text = {.arena = p->s->arena};
	struct item was = {.count = 0}, is = {.count = 0};
	struct front_fault fault;

	post_file_write(&file, &text);
	ok(post_file_read(p->s->arena, STR("name"), buf_str(&text), &back, &fault),
	    "%s: its file can be read", post_kind_name(p->kind));
	post_to_item(p->s->arena, &p->post, &was);
	post_to_item(p->s->arena, &back.post, &is);
	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];
		struct str name = str_of(field->attribute);

		if (is_set(p, field) && post_field_written(field))
			says_the_same(p, field, &back.post, &back.body, "its file says its");
		else if (name.len != 0 && item_get(&was, name) != NULL)
			ok(item_get(&is, name) != NULL &&
				value_eq(item_get(&is, name), item_get(&was, name)),
			    "%s: its file gives back its %s", post_kind_name(p->kind), field->key);
	}
}

/* Does the page have an input of that name with this value, typed or chosen? */
static bool
has_input(const struct browser *b, const char *name, const char *value)
{
	struct str begin = str_of(text_in(b->s, "name=\"%s\"", name)), rest = b->last.body, input;

	while (between(&rest, begin, STR(" name=\""), &input)) {
		input = unescaped(b->s->arena, input);
		if (count_of(input, STR("<option")) == 0
			? holds(input, str_of(value))
			: holds(input, str_of(text_in(b->s, "value=\"%s\" selected", value))))
			return true;
	}
	return false;
}

static void
shown(struct sample *p)
{
	struct browser b = browser_of(p->s, "marta");
	const char *name = post_kind_name(p->kind);

	get(&b, text_in(p->s, "/edit/%s", p->id));
	for (size_t i = 0; i < p->count; i += 2)
		ok(has_input(&b, p->pairs[i], p->pairs[i + 1]), "%s: the form has %s again", name,
		    p->pairs[i]);
	get(&b, text_in(p->s, p->kind == KIND_PAGE ? "/page/%s" : "/post/%s", p->id));
	for (size_t i = 0; i < post_field_count; i++)
		if (is_set(p, &post_fields[i]) && post_field_written(&post_fields[i]) &&
		    !post_field_in_body(&post_fields[i]) &&
		    post_field_binding(&post_fields[i])->kind == BINDING_STRING)
			ok(says(&b, value_for(p, &post_fields[i])), "%s: readers get its %s", name,
			    post_fields[i].key);
}

/* What is erased says nothing any more. */
static void
erased(struct sample *p)
{
	struct seeded *s = p->s;
	static const struct post_body no_body;
	static const struct coauthor nobody = {STR_INIT("left-1"), STR_INIT("Somebody")};
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table,
	    .call = &call,
	    .now = s->clock.fixed_now,
	    .by = STR("marta"),
	    .by_name = STR("Marta")};
	struct written old;
	struct post post;
	bool there;

	if (written_get(&plan, str_of(p->id), &old, &there) != TABLE_OK ||
	    writing_delete(&plan, &old, old.post.version, &post) != PLAN_DONE ||
	    written_get(&plan, str_of(p->id), &old, &there) != TABLE_OK ||
	    writing_erase(&plan, &old, STR("marta"), &nobody, &post) != PLAN_DONE)
		abort();
	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];

		if (is_set(p, field) && post_field_written(field) && !post_field_in_body(field) &&
		    !post_field_is(field, "slug"))
			is_str(text_of_field(p, field, &post, &no_body), STR(""),
			    "%s: erased, it has no %s", post_kind_name(p->kind), field->key);
	}
	table_release(s->table, &call);
}

/* --- All of them ----------------------------------------------------------------------------------- */

/* Before there is a site, which would not start. */
static void
declared(void)
{
	struct arena *arena = arena_new();
	const char *errors[] = {post_fields_error(arena), write_form_error(arena),
	    revision_parts_error(arena), post_file_error(arena)};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		is_str(str_of(errors[i]), STR(""), "no field is without its place");
	arena_free(arena);
}

static void
documented(struct seeded *s)
{
	FILE *in = fopen(TOP_SRCDIR "/docs/posts.md", "r");
	struct buf text = {.arena = s->arena};
	int c;

	if (in == NULL)
		abort();
	while ((c = fgetc(in)) != EOF)
		buf_putc(&text, (char)c);
	fclose(in);
	for (size_t i = 0; i < post_field_count; i++)
		ok(holds(buf_str(&text), str_of(text_in(s, "`%s`", post_fields[i].key))),
		    "docs/posts.md tells of %s", post_fields[i].key);
}

int
main(void)
{
	struct seeded s;

	declared();
	browsers_open(&s);
	documented(&s);
	for (int kind = 0; kind < KINDS; kind++) {
		struct sample *p = ARENA_NEW(s.arena, struct sample);

		p->s = &s;
		p->kind = (enum post_kind)kind;
		write_it(p);
		revised(p);
		filed(p);
		shown(p);
		erased(p);
	}
	browsers_close(&s);
	return tap_done();
}
