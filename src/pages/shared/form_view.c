#include "pages/shared/form_view.h"

#include "base/arena.h"
#include "web/session/csrf.h"

#include <assert.h>

VIEW_FIELDS(hidden_field_view, STRING(name), STRING(value))
VIEW_FIELDS(option_view, STRING(value), STRING(label), FLAG(chosen))
VIEW_FIELDS(field_view, STRING(id), STRING(name), STRING(label), STRING(hint), STRING(value),
    STRING(error), STRING(type), STRING(autocomplete), FLAG(lines), FLAG(flag), FLAG(checked),
    FLAG(required), FLAG(focus), LIST(options, option_view), FLAG(several),
    NUMBER(rows))
VIEW_FIELDS(form_error_view, STRING(id), STRING(label), STRING(error), STRING(url), STRING(url_text))
VIEW_FIELDS(form_column_view, STRING(label), STRING(hint))
VIEW_FIELDS(form_row_view, STRING(label), LIST(cells, field_view))
VIEW_FIELDS(form_table_view, STRING(caption), LIST(columns, form_column_view),
    LIST(rows, form_row_view))
VIEW_FIELDS(form_view, STRING(form_id), STRING(heading), STRING(intro), STRING(action_url),
    STRING(button_text), FLAG(destroys), LIST(errors, form_error_view), LIST(hidden, hidden_field_view),
    OPTION(table, form_table_view), LIST(fields, field_view))

static const char *
type_of(enum field_kind kind)
{
	switch (kind) {
	case FIELD_KIND_PASSWORD: return "password";
	case FIELD_KIND_EMAIL: return "email";
	case FIELD_KIND_URL: return "url";
	case FIELD_KIND_NUMBER: return "number";
	default: return "text";
	}
}

/* The options, with the typed ones selected. */
static void
offer(struct request *rq, struct field_view *view, const struct strings *typed,
    const struct option_view *options, size_t count)
{
	struct option_view *own = ARENA_ARRAY(rq->arena, count, struct option_view);

	for (size_t i = 0; i < count; i++) {
		own[i] = options[i];
		own[i].chosen = false;
		for (size_t t = 0; t < typed->count; t++)
			own[i].chosen |= str_eq(typed->strings[t], options[i].value);
	}
	view->options.items = own;
	view->options.count = count;
}

/* The options of the field's declaration; before them nothing, if that is asked about. */
static void
offer_choices(struct request *rq, struct field_view *view, const struct field_result *result)
{
	const struct choice *choices = result->field->choices;
	bool asks = result->field->required && result->field->missing != NULL;
	struct option_view *options;
	size_t given = 0, count = 0;

	while (choices[given].name.len != 0)
		given++;
	options = ARENA_ARRAY(rq->arena, given + 1, struct option_view);
	if (asks)
		options[count++] = (struct option_view){.label = STR("Choose one")};
	for (size_t i = 0; i < given; i++)
		options[count++] =
		    (struct option_view){choices[i].name, str_of(choices[i].label), false};
	offer(rq, view, &result->raw, options, count);
}

void
form_view_offer(struct request *rq, struct form_view *view, const struct form_result *result,
    const char *name, const struct option_view *options, size_t count)
{
	struct field_view *fields = arena_copy(
	    rq->arena, view->fields.items, view->fields.count * sizeof(*view->fields.items));

	for (size_t i = 0; i < view->fields.count; i++) {
		if (!str_eq(fields[i].name, str_of(name)))
			continue;
		fields[i].several = result->fields[i].field->kind == FIELD_KIND_LIST;
		offer(rq, &fields[i], &result->fields[i].raw, options, count);
	}
	view->fields.items = fields;
}

static struct field_view
view_of(struct request *rq, const struct form_result *result, size_t i)
{
	const struct field *field = result->fields[i].field;
	struct str value = form_raw(result, str_cstring(rq->arena, field->name));

	struct field_view view = {
	    .id = STR_CONCAT(rq->arena, str_of(result->form->name), STR("-"), field->name),
	    .name = field->name,
	    .label = str_of(field->label),
	    .hint = str_of(field->hint),
	    .value = value,
	    .error = str_of(result->fields[i].error),
	    .type = str_of(field->type != NULL ? field->type : type_of(field->kind)),
	    .autocomplete = str_of(field->autocomplete),
	    .lines = field->kind == FIELD_KIND_TEXT,
	    .flag = field->kind == FIELD_KIND_FLAG,
	    .checked = value.len != 0 && !str_eq(value, STR("0")),
	    .required = field->required,
	    .focus = field->focus,
	    .rows = field->rows != 0 ? field->rows : 5,
	};

	if (field->kind == FIELD_KIND_CHOICE)
		offer_choices(rq, &view, &result->fields[i]);
	return view;
}

struct field_view
form_field(struct request *rq, const struct form_result *result, const char *name)
{
	size_t i = 0;

	while (!str_eq(result->form->fields[i].name, str_of(name)))
		i++;
	assert(i < result->form->count);
	return view_of(rq, result, i);
}

void
form_field_offer(
    struct request *rq, struct field_view *view, const struct option_view *options, size_t count)
{
	const struct strings typed = {&view->value, 1};

	offer(rq, view, &typed, options, count);
}

void
form_view_hide(struct request *rq, struct form_view *view, struct str name, struct str value)
{
	struct hidden_field_view *hidden;

	if (value.len == 0)
		return;
	hidden = ARENA_ARRAY(rq->arena, view->hidden.count + 1, struct hidden_field_view);
	for (size_t i = 0; i < view->hidden.count; i++)
		hidden[i] = view->hidden.items[i];
	hidden[view->hidden.count++] = (struct hidden_field_view){name, value};
	view->hidden.items = hidden;
}

bool
form_was_sent(const struct request *rq, const struct form *form)
{
	return rq->form != NULL && rq->form->form == form;
}

struct form_result *
form_shown(struct request *rq, const struct form *form)
{
	struct form_result *result;

	if (form_was_sent(rq, form))
		return rq->form;
	result = ARENA_NEW(rq->arena, struct form_result);
	form_empty(rq->arena, form, result);
	return result;
}

void
form_view_fill(struct request *rq, struct response *rs, const struct form_result *result,
    struct form_view *out)
{
	const struct form *form = result->form;
	size_t count = form->count;
	struct field_view *fields = ARENA_ARRAY(rq->arena, count, struct field_view);
	struct form_error_view *errors = ARENA_ARRAY(rq->arena, count, struct form_error_view);
	/*
	 * With one or two fields, as in signing in, the message alone is enough; it may be about
	 * both.
	 */
	bool named = count > 2;

	*out = (struct form_view){.form_id = str_of(form->name),
	    .heading = str_of(form->heading),
	    .intro = str_of(form->intro),
	    .action_url = str_of(form->action),
	    .button_text = str_of(form->button),
	    .destroys = form->destroys};
	for (size_t i = 0; i < count; i++) {
		fields[i] = view_of(rq, result, i);
		if (fields[i].error.len == 0)
			continue;
		errors[out->errors.count++] = (struct form_error_view){
		    fields[i].id, named ? fields[i].label : STR(""), fields[i].error};
	}
	out->errors.items = errors;
	/* The first field with an error gets the focus. */
	for (size_t i = 0; out->errors.count != 0 && i < count; i++)
		fields[i].focus = str_eq(fields[i].id, out->errors.items[0].id);
	out->fields.items = fields;
	out->fields.count = count;
	form_view_hide(rq, out, CSRF_INPUT, csrf_token(rq, rs));
}

struct str
input_of(const struct request *rq, const char *name)
{
	return parts_get(&rq->inputs, str_of(name));
}
