#include "pages/form_view.h"

#include "base/arena.h"
#include "web/csrf.h"

VIEW_FIELDS(hidden_field_view, STRING(name), STRING(value))
VIEW_FIELDS(field_view, STRING(id), STRING(name), STRING(label), STRING(hint), STRING(value),
    STRING(error), STRING(type), STRING(autocomplete), FLAG(lines), FLAG(flag), FLAG(checked),
    FLAG(required), FLAG(focus))
VIEW_FIELDS(form_error_view, STRING(id), STRING(error))
VIEW_FIELDS(form_view, STRING(form_id), STRING(heading), STRING(intro), STRING(action_url),
    STRING(button_text), LIST(errors, form_error_view), LIST(hidden, hidden_field_view),
    LIST(fields, field_view))

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

static struct field_view
view_of(
    struct request *rq, const struct form_result *result, const struct form_look *look, size_t i)
{
	const struct field *field = result->fields[i].field;
	const struct field_look *own = &look->fields[i];
	struct str value = form_raw(result, str_cstring(rq->arena, field->name));

	return (struct field_view){
	    .id = STR_CONCAT(rq->arena, str_of(look->id), STR("-"), field->name),
	    .name = field->name,
	    .label = str_of(field->label),
	    .hint = str_of(own->hint),
	    .value = value,
	    .error = str_of(result->fields[i].error),
	    .type = str_of(own->type != NULL ? own->type : type_of(field->kind)),
	    .autocomplete = str_of(own->autocomplete),
	    .lines = field->kind == FIELD_KIND_TEXT,
	    .flag = field->kind == FIELD_KIND_FLAG,
	    .checked = value.len != 0 && !str_eq(value, STR("0")),
	    .required = field->required,
	    .focus = own->focus,
	};
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

void
form_view_fill(struct request *rq, struct response *rs, const struct form_result *result,
    const struct form_look *look, struct form_view *out)
{
	size_t count = result->form->count;
	struct field_view *fields = ARENA_ARRAY(rq->arena, count, struct field_view);
	struct form_error_view *errors = ARENA_ARRAY(rq->arena, count, struct form_error_view);

	*out = (struct form_view){.form_id = str_of(look->id),
	    .heading = str_of(look->heading),
	    .intro = str_of(look->intro),
	    .action_url = str_of(look->action),
	    .button_text = str_of(look->button)};
	for (size_t i = 0; i < count; i++) {
		fields[i] = view_of(rq, result, look, i);
		if (fields[i].error.len != 0)
			errors[out->errors.count++] =
			    (struct form_error_view){fields[i].id, fields[i].error};
	}
	out->errors.items = errors;
	out->fields.items = fields;
	out->fields.count = count;
	form_view_hide(rq, out, CSRF_INPUT, csrf_token(rq, rs));
}

struct str
input_of(const struct request *rq, const char *name)
{
	for (size_t i = 0; i < rq->inputs.count; i++)
		if (str_eq(rq->inputs.parts[i].name, str_of(name)))
			return rq->inputs.parts[i].content;
	return STR("");
}
