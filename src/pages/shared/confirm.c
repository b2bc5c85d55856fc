#include "pages/shared/confirm.h"

#include "base/arena.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "text/template.h"
#include "web/session/csrf.h"

#define SURE STR("sure")

struct confirm_view {
	struct layout_view layout;
	struct str title, message, action_url, button_text, cancel_url;
	bool destroys;
	LIST_OF(struct hidden_field_view) fields;
};

VIEW_FIELDS(confirm_view, VIEW(layout, layout_view), STRING(title), STRING(message),
    STRING(action_url), STRING(button_text), STRING(cancel_url), FLAG(destroys),
    LIST(fields, hidden_field_view))
TEMPLATE(confirm_template, "confirm", confirm_view)

enum http_status
confirm(struct request *rq, struct response *rs, const struct confirmation *confirmation)
{
	struct confirm_view *view = ARENA_NEW(rq->arena, struct confirm_view);
	struct hidden_field_view *fields = ARENA_ARRAY(rq->arena, 3, struct hidden_field_view);
	struct page_frame frame = {.title = confirmation->title, .noindex = true};
	enum http_status status = page_read(rq, NULL, 0);
	size_t count = 0;

	if (status != HTTP_OK)
		return status;
	*view = (struct confirm_view){.title = confirmation->title,
	    .message = confirmation->message,
	    .action_url = confirmation->action_url,
	    .button_text = str_of(confirmation->button),
	    .cancel_url = confirmation->cancel_url,
	    .destroys = confirmation->destroys};
	fields[count++] = (struct hidden_field_view){CSRF_INPUT, csrf_token(rq, rs)};
	if (confirmation->name.len != 0)
		fields[count++] =
		    (struct hidden_field_view){confirmation->name, confirmation->value};
	if (confirmation->sure)
		fields[count++] = (struct hidden_field_view){SURE, STR("1")};
	view->fields.items = fields;
	view->fields.count = count;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(confirm_template, view));
}

bool
confirmed(const struct request *rq)
{
	return input_of(rq, "sure").len != 0;
}
