#include "pages/write/conflict.h"

#include "base/arena.h"
#include "model/post/tag.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "web/form/form_text.h"

VIEW_FIELDS(aside_view, STRING(anchor), STRING(label), STRING(yours), STRING(theirs),
    STRING(take_yours), STRING(take_theirs), LIST(diffs, diff_view))
VIEW_FIELDS(conflict_view, STRING(when_text), FLAG(taken), LIST(asides, aside_view))

/*
 * The parts of a form are numbered: its fields, then its kinds of rows. A part that was not sent is
 * not part of what was typed; in `mine`, a part that was never set aside is missing.
 */
static size_t
part_count(const struct typed *typed)
{
	return typed->form.form->count + ROWS_KINDS;
}

static bool
is_rows(const struct typed *typed, size_t part)
{
	return part >= typed->form.form->count;
}

static enum rows_of
rows_of(const struct typed *typed, size_t part)
{
	return (enum rows_of)(part - typed->form.form->count);
}

static struct str
name_of(const struct typed *typed, size_t part)
{
	return is_rows(typed, part) ? str_of(rows_kinds[rows_of(typed, part)].name)
				    : typed->form.form->fields[part].name;
}

static bool
is_there(const struct typed *typed, size_t part)
{
	if (is_rows(typed, part))
		return typed->rows[rows_of(typed, part)].count != 0;
	return typed->form.fields[part].raw.count != 0;
}

/* --- The text of a part ----------------------------------------------------------------------- */

static struct str
tags_text(struct request *rq, const struct strings *raw)
{
	struct str strange;
	struct strings_value tags = tags_of(rq->arena, raw->strings, raw->count, &strange);

	return str_join(rq->arena, tags.strings, tags.count, STR(", "));
}

static struct str
others_text(struct request *rq, const struct typed *typed)
{
	struct str names[WRITING_OTHERS_MAX + 1];
	size_t count = typed_others(rq, typed, STR(""), names);

	return str_join(rq->arena, names, count, STR(", "));
}

static struct str
choice_text(const struct field *field, struct str raw)
{
	for (const struct choice *c = field->choices; c->name.len != 0; c++)
		if (str_eq(c->name, raw))
			return str_of(c->label);
	return raw;
}

static struct str
category_text(struct request *rq, struct str slug)
{
	const struct publication *p = publication_any(rq);
	const struct category *category = p != NULL ? category_find(&p->categories, slug) : NULL;

	return category != NULL ? category->name : slug;
}

static struct str
rows_text(struct request *rq, const struct rows *rows, bool steps)
{
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->rows[i];

		if (row->first.len == 0 && row->second.len == 0)
			continue;
		if (steps)
			buf_fmt(&out, "%s%zu. ", out.len != 0 ? "\n" : "", i + 1);
		buf_put(&out, row->first);
		if (row->second.len != 0)
			buf_fmt(&out, ": %.*s", STR_ARGS(row->second));
		buf_putc(&out, '\n');
	}
	return str_trim(buf_str(&out));
}

/* In readable form; parts with the same meaning have the same text. */
static struct str
part_text(struct request *rq, const struct typed *typed, size_t part)
{
	const struct field *field = &typed->form.form->fields[part];
	struct str raw, date, time;

	if (is_rows(typed, part))
		return rows_text(
		    rq, &typed->rows[rows_of(typed, part)], rows_of(typed, part) == ROWS_STEPS);
	if (field->kind == FIELD_KIND_LIST)
		return tags_text(rq, &typed->form.fields[part].raw);
	if (str_eq(field->name, STR("others")))
		return others_text(rq, typed);
	if (!is_there(typed, part))
		return STR("");
	raw = str_trim(text_lines(rq->arena, typed->form.fields[part].raw.strings[0]));
	if (field->kind == FIELD_KIND_CHOICE)
		return choice_text(field, raw);
	if (str_eq(field->name, STR("category")))
		return category_text(rq, raw);
	if (field->kind == FIELD_KIND_TIME && raw.len != 0) {
		date = str_cut(raw, 'T', &time);
		return STR_CONCAT(rq->arena, date, STR(" "), time);
	}
	return raw;
}

/* --- Side by side ----------------------------------------------------------------------------------- */

/* Neither the counter of saves nor a slug yet to be generated is compared. */
static bool
is_compared(const struct typed *typed, size_t part, struct str text)
{
	struct str name = name_of(typed, part);

	if (str_eq(name, STR("version")))
		return false;
	return is_there(typed, part) && !(str_eq(name, STR("slug")) && text.len == 0);
}

/* False: there is nothing to choose from. */
static bool
fill_aside(struct request *rq, const struct typed *typed, const struct typed *stored, size_t part,
    struct aside_view *out)
{
	struct str in_form = part_text(rq, typed, part), name = name_of(typed, part);
	struct diff_view *diff = ARENA_NEW(rq->arena, struct diff_view);
	bool set_aside = typed->mine != NULL && is_there(typed->mine, part);
	bool rows = is_rows(typed, part);

	*out = (struct aside_view){.yours = in_form, .theirs = part_text(rq, stored, part)};
	/* If the form never had that field, it has no text of theirs. */
	if (!rows && !is_compared(typed, part, in_form))
		return false;
	if (set_aside)
		out->yours = part_text(rq, typed->mine, part);
	if (!diff_view_fill(rq->arena, STR(""), out->theirs, out->yours, diff))
		return false;
	out->anchor = STR_CONCAT(rq->arena, STR("meanwhile-"), name);
	out->label = str_of(
	    rows ? rows_kinds[rows_of(typed, part)].legend : typed->form.form->fields[part].label);
	if (!str_eq(in_form, out->theirs))
		out->take_theirs = STR_CONCAT(rq->arena, STR("take-theirs-"), name);
	if (!str_eq(in_form, out->yours))
		out->take_yours = STR_CONCAT(rq->arena, STR("take-yours-"), name);
	out->diffs.items = diff;
	out->diffs.count = 1;
	return true;
}

const struct conflict_view *
conflict_view(struct request *rq, const struct typed *typed, const struct written *stored)
{
	struct conflict_view *view = ARENA_NEW(rq->arena, struct conflict_view);
	struct aside_view *asides = ARENA_ARRAY(rq->arena, part_count(typed), struct aside_view);
	struct typed theirs;

	typed_fill(rq, stored, &theirs);
	view->when_text = words_moment(rq, stored->post.updated);
	for (size_t part = 0; part < part_count(typed); part++)
		if (fill_aside(rq, typed, &theirs, part, &asides[view->asides.count]))
			view->taken |= asides[view->asides.count++].take_yours.len != 0;
	view->asides.items = asides;
	return view;
}

/* --- Carrying both versions through the form -------------------------------------------------- */

struct carried {
	struct arena *arena;
	struct hidden_field_view *fields;
	size_t count;
};

static void
carry(struct carried *c, const char *name, struct str value)
{
	c->fields[c->count++] = (struct hidden_field_view){
	    STR_CONCAT(c->arena, str_of(MEANWHILE_MINE), str_of(name)), value};
}

size_t
conflict_inputs(struct request *rq, const struct typed *typed, const struct hidden_field_view **out)
{
	struct carried c = {rq->arena, NULL, 0};
	const struct typed *mine = typed->mine;

	if (mine == NULL)
		return 0;
	c.fields = ARENA_ARRAY(rq->arena, FORM_INPUTS_MAX + 1, struct hidden_field_view);
	c.fields[c.count++] = (struct hidden_field_view){str_of(CONFLICT_INPUT), STR("1")};
	for (size_t i = 0; i < mine->form.form->count; i++)
		for (size_t n = 0; n < mine->form.fields[i].raw.count; n++)
			carry(&c, mine->form.form->fields[i].name.base,
			    mine->form.fields[i].raw.strings[n]);
	for (int of = 0; of < ROWS_KINDS; of++)
		for (size_t n = 0; n < mine->rows[of].count; n++) {
			carry(&c, rows_kinds[of].name, mine->rows[of].rows[n].first);
			if (rows_kinds[of].second != NULL)
				carry(&c, rows_kinds[of].second, mine->rows[of].rows[n].second);
		}
	*out = c.fields;
	return c.count;
}

/* --- Taking one or the other version ---------------------------------------------------------- */

/* Copies a part of one form into another, even if it is empty. */
static void
put_part(struct arena *arena, const struct typed *from, size_t part, struct typed *to)
{
	const struct rows *rows;

	if (is_rows(from, part)) {
		rows = &from->rows[rows_of(from, part)];
		to->rows[rows_of(from, part)].count = rows->count;
		for (size_t i = 0; i < rows->count; i++)
			to->rows[rows_of(from, part)].rows[i] = rows->rows[i];
		return;
	}
	to->form.fields[part].raw = from->form.fields[part].raw;
	if (!is_there(to, part)) {
		to->form.fields[part].raw.strings = ARENA_NEW(arena, struct str);
		to->form.fields[part].raw.count = 1;
	}
}

static void
take_theirs(struct request *rq, struct typed *typed, const struct typed *stored, size_t part)
{
	struct rows *rows;

	/* Their own version remains the first that they wrote. */
	if (!is_there(typed->mine, part)) {
		put_part(rq->arena, typed, part, typed->mine);
		rows = is_rows(typed, part) ? &typed->mine->rows[rows_of(typed, part)] : NULL;
		if (rows != NULL && rows->count == 0)
			rows->rows[rows->count++] = (struct row){STR(""), STR("")};
	}
	put_part(rq->arena, stored, part, typed);
}

static void
take_yours(struct request *rq, struct typed *typed, size_t part)
{
	if (!is_there(typed->mine, part))
		return;
	put_part(rq->arena, typed->mine, part, typed);
	if (is_rows(typed, part))
		typed->mine->rows[rows_of(typed, part)].count = 0;
	else
		typed->mine->form.fields[part].raw.count = 0;
}

bool
conflict_do(
    struct request *rq, struct typed *typed, const struct written *stored, struct str button)
{
	struct str what, name = STR(""), rest;
	struct typed theirs;
	struct aside_view aside;
	bool mine;

	str_cut(button, '-', &rest);
	what = str_cut(rest, '-', &name);
	mine = str_eq(what, STR("yours"));
	if (!str_starts(button, STR("take-")) || (!mine && !str_eq(what, STR("theirs"))) ||
	    typed->mine == NULL)
		return false;
	typed_fill(rq, stored, &theirs);
	for (size_t part = 0; part < part_count(typed); part++) {
		if (name.len != 0 && !str_eq(name, name_of(typed, part)))
			continue;
		if (!fill_aside(rq, typed, &theirs, part, &aside))
			continue;
		if (mine)
			take_yours(rq, typed, part);
		else if (aside.take_theirs.len != 0)
			take_theirs(rq, typed, &theirs, part);
	}
	return true;
}
