#ifndef PAGES_SHARED_FORM_VIEW_H
#define PAGES_SHARED_FORM_VIEW_H

#include "text/view.h"
#include "web/form/form.h"
#include "web/http/dispatch.h"

/* A form as templates/form.mustache shows it: any declared form, with what was typed and what is wrong. */

struct hidden_field_view {
	struct str name, value;
};

struct option_view {
	struct str value, label;
	bool chosen;
};

struct field_view {
	struct str id, name, label, hint, value, error, type, autocomplete;
	bool lines, flag, checked, required, focus;
	LIST_OF(struct option_view) options; /* to choose one from; or several, of a list */
	bool several;
	int64_t rows; /* of a text */
};

/* What the summary says: a sentence, and the field to which it leads. */
struct form_error_view {
	struct str id, label, error; /* the label may be empty */
	struct str url, url_text;    /* what it is about, elsewhere; or empty */
};

/* Fields that stand in a table, before the others: a row has a cell for each column. */
struct form_column_view {
	struct str label, hint;
};

struct form_row_view {
	struct str label;
	LIST_OF(struct field_view) cells; /* the label of each says row and column */
};

struct form_table_view {
	struct str caption;
	LIST_OF(struct form_column_view) columns;
	LIST_OF(struct form_row_view) rows;
};

struct form_view {
	struct str form_id, heading, intro, action_url, button_text;
	bool destroys;
	LIST_OF(struct form_error_view) errors;
	LIST_OF(struct hidden_field_view) hidden;
	const struct form_table_view *table; /* NULL: none */
	LIST_OF(struct field_view) fields;
};

extern const struct view_type hidden_field_view_type, option_view_type, field_view_type,
    form_error_view_type, form_column_view_type, form_row_view_type, form_table_view_type,
    form_view_type;

/* Was it this form that was sent? */
bool form_was_sent(const struct request *rq, const struct form *form);

/* What a page shows of a form: what was sent when it was this one, else an empty one, which may be filled. */
struct form_result *form_shown(struct request *rq, const struct form *form);

/* Fills the view, with the token of the request's session or visit among the hidden fields. */
void form_view_fill(struct request *rq, struct response *rs, const struct form_result *result,
    struct form_view *out);

/*
 * Gives a field something to choose from that no declaration knows, such as the groups that there are: one
 * of a select, or several check boxes where the field is a list. What was typed is chosen. A FIELD_KIND_CHOICE
 * has its own choices already. The options' texts are not copied.
 */
void form_view_offer(struct request *rq, struct form_view *view, const struct form_result *result,
    const char *name, const struct option_view *options, size_t count);

/*
 * A field by itself, for a page that arranges its form in its own way. The form must have it. What there is
 * to choose from, as above.
 */
struct field_view form_field(
    struct request *rq, const struct form_result *result, const char *name);
void form_field_offer(
    struct request *rq, struct field_view *view, const struct option_view *options, size_t count);

/* One more hidden field; nothing when the value is empty. */
void form_view_hide(struct request *rq, struct form_view *view, struct str name, struct str value);

/* The first of the request's inputs of that name; empty when there is none. */
struct str input_of(const struct request *rq, const char *name);

#endif
