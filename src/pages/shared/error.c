/*
 * Error pages in the site's layout, with links. They do not use the table, which may be what
 * failed.
 */
#include "base/arena.h"
#include "model/text_rule.h"
#include "pages/account/pending_form.h"
#include "pages/routes.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/suspended.h"
#include "text/url.h"
#include "web/http/body.h"
#include "web/session/csrf.h"

#include <string.h>

/* Shorter values were chosen, not typed. */
enum { TYPED_MIN = 12 };

struct error_view {
	struct layout_view layout;
	int64_t status;
	struct str title, message, request_id, retry_url;
	struct str again_url; /* where a lost form can be sent again; empty: there is none */
	LIST_OF(struct hidden_field_view) fields;
	struct str answer_url;                   /* where a suspended person can appeal */
	LIST_OF(struct hidden_field_view) typed; /* what they sent, to be copied */
};

VIEW_FIELDS(error_view, VIEW(layout, layout_view), NUMBER(status), STRING(title), STRING(message),
    STRING(request_id), STRING(retry_url), STRING(again_url), LIST(fields, hidden_field_view),
    STRING(answer_url), LIST(typed, hidden_field_view))
TEMPLATE(error_template, "error", error_view)

static const struct {
	enum http_status status;
	struct str title, message;
} texts[] = {
    {HTTP_BAD_REQUEST, STR_INIT("That address is not quite right"),
	STR_INIT(
	    "Something in it, or in what was sent, can’t be read. If you followed a link, it may "
	    "have been cut off.")},
    {HTTP_FORBIDDEN, STR_INIT("That is not for you"),
	STR_INIT("You may not do this, or the form came from another site. Go back, load the page "
		 "again, and try once more.")},
    {HTTP_NOT_FOUND, STR_INIT("There is no such page"),
	STR_INIT("It may have been moved, or the address may have a slip in it.")},
    {HTTP_METHOD_NOT_ALLOWED, STR_INIT("That can’t be done here"),
	STR_INIT("This page does not take what was sent to it.")},
    {HTTP_CONFLICT, STR_INIT("Somebody was faster"),
	STR_INIT("What you were changing has been changed meanwhile. Go back and look again.")},
    {HTTP_GONE, STR_INIT("This page is gone"),
	STR_INIT("What stood here has been taken down by its author or an editor.")},
    {HTTP_LENGTH_REQUIRED, STR_INIT("That can’t be read"),
	STR_INIT("What was sent did not say how long it is.")},
    {HTTP_TOO_LARGE, STR_INIT("That is too much at once"),
	STR_INIT("What was sent is larger than this page takes. Go back and make it shorter.")},
    {HTTP_URI_TOO_LONG, STR_INIT("That address is too long"),
	STR_INIT("No page of this site has an address like that.")},
    {HTTP_UNSUPPORTED_TYPE, STR_INIT("That can’t be read"),
	STR_INIT("What was sent is not what a form of this site sends.")},
    {HTTP_TOO_MANY, STR_INIT("A little slower, please"),
	STR_INIT("That was a lot in a short time. Wait a moment and try again.")},
    {HTTP_NOT_IMPLEMENTED, STR_INIT("That can’t be done here"),
	STR_INIT("This site does not do what was asked of it.")},
    {HTTP_UNAVAILABLE, STR_INIT("Back in a moment"),
	STR_INIT("The site can’t reach its archive just now. Nothing is lost; try again in a few "
		 "seconds.")},
    {HTTP_FAILED, STR_INIT("Something went wrong here"),
	STR_INIT("It is our fault, not yours, and it has been written down.")},
};

/* Passwords and codes are never shown, and files can't be. */
static bool
may_be_shown(const struct parts *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		struct str name = inputs->parts[i].name;

		if (inputs->parts[i].file || memmem(name.base, name.len, "password", 8) != NULL ||
		    memmem(name.base, name.len, "code", 4) != NULL ||
		    !str_utf8(inputs->parts[i].content))
			return false;
	}
	return inputs->count != 0;
}

/*
 * The pending form inside a sign-in form, if its writer has signed in in another window: then that
 * is the form that was refused. False: there is none. Its address and inputs replace those that
 * were sent.
 */
static bool
take_pending(struct request *rq, struct str *address)
{
	struct pending_form waiting = pending_form_carried(rq);
	const struct request_input *sent = rq->in;
	struct request_input *in = arena_copy(rq->arena, sent, sizeof(*in));
	enum http_status status;

	if (waiting.address.len == 0 || !url_is_local(waiting.address))
		return false;
	*address = waiting.address;
	in->content_type = STR("application/x-www-form-urlencoded");
	in->body = pending_form_texts(rq, &waiting);
	in->content_length = (int64_t)in->body.len;
	rq->inputs = (struct parts){NULL, 0};
	rq->in = in;
	status = body_read(rq, REQUEST_BODY_MAX);
	rq->in = sent;
	return status == HTTP_OK;
}

/*
 * Somebody who is signed in has sent a form that was not taken, since the table was out of reach or
 * because it was made for a session that has ended: the page contains it, to be sent again. Only a
 * form of this site; what another site made somebody send is not offered.
 */
static void
offer_again(
    struct request *rq, struct response *rs, enum http_status status, struct error_view *view)
{
	struct hidden_field_view *fields;
	bool stale = status == HTTP_FORBIDDEN;
	struct str address = rq->address;

	if (rq->method != METHOD_POST || rq->route == NULL ||
	    (stale && (rq->viewer == NULL || csrf_check(rq) ||
			  !may(rq->viewer, rq->route->needs, NO_THING))) ||
	    (!stale && status != HTTP_UNAVAILABLE) || !csrf_is_from_here(rq))
		return;
	if (rq->route->needs == MAY_VISIT && (!stale || !take_pending(rq, &address)))
		return;
	if (rq->inputs.count == 0 && body_read(rq, REQUEST_BODY_MAX) != HTTP_OK)
		return;
	if (!may_be_shown(&rq->inputs))
		return;
	fields = ARENA_ARRAY(rq->arena, rq->inputs.count, struct hidden_field_view);
	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *input = &rq->inputs.parts[i];
		bool token = stale && str_eq(input->name, CSRF_INPUT);

		fields[i] = (struct hidden_field_view){
		    input->name, token ? csrf_token(rq, rs) : input->content};
	}
	view->again_url = address;
	view->fields.items = fields;
	view->fields.count = rq->inputs.count;
	if (!stale)
		return;
	view->title = STR("Was that you?");
	view->message =
	    STR("You have signed in anew since this form was opened. Nothing of it is lost: "
		"send it once more.");
}

/*
 * Tells a suspended person why and until when, or somebody that nobody writes from their network, and shows what they typed.
 */
static void
tell_refused(struct request *rq, struct error_view *view)
{
	const struct parts *inputs = &rq->inputs;
	struct hidden_field_view *typed =
	    ARENA_ARRAY(rq->arena, inputs->count, struct hidden_field_view);

	if (rq->viewer->suspended) {
		view->title = STR("You are suspended");
		view->message = suspended_text(rq);
		view->answer_url = STR("/account/suspension");
	} else {
		view->title = STR("Not from here, just now");
		view->message = str_of(shut_out_text);
	}
	view->typed.items = typed;
	if (rq->method != METHOD_POST || !may_be_shown(inputs))
		return;
	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->parts[i].content.len >= TYPED_MIN &&
		    !str_eq(inputs->parts[i].name, CSRF_INPUT) &&
		    !str_eq(inputs->parts[i].name, STR("once")))
			typed[view->typed.count++] = (struct hidden_field_view){
			    inputs->parts[i].name, inputs->parts[i].content};
}

/* An id or a username, in a hidden input, is one word. */
static bool
is_writing(const struct field *field, struct str raw)
{
	return (field->kind == FIELD_KIND_TEXT && raw.len != 0) ||
	       (field->kind == FIELD_KIND_LINE && memchr(raw.base, ' ', raw.len) != NULL);
}

/* A form whose thing has gone or changed meanwhile, or of which there were too many today: shows its texts. */
static void
show_texts(struct request *rq, struct error_view *view)
{
	const struct form_result *form = rq->form;
	struct hidden_field_view *typed;

	if (rq->method != METHOD_POST || form == NULL)
		return;
	typed = ARENA_ARRAY(rq->arena, form->form->count, struct hidden_field_view);
	view->typed.items = typed;
	for (size_t i = 0; i < form->form->count; i++) {
		const struct field_result *field = &form->fields[i];

		if (field->raw.count != 0 && is_writing(field->field, field->raw.strings[0]))
			typed[view->typed.count++] = (struct hidden_field_view){
			    field->field->name, field->raw.strings[0]};
	}
}

bool
page_error(struct request *rq, struct response *rs, enum http_status status)
{
	struct error_view *view = ARENA_NEW(rq->arena, struct error_view);
	struct page_frame frame = {.noindex = true};
	size_t i = 0;

	if (rq->site->templates == NULL)
		return false;
	/* The last one is for all that are not listed. */
	while (i + 1 < sizeof(texts) / sizeof(texts[0]) && texts[i].status != status)
		i++;
	view->status = status;
	view->title = texts[i].title;
	view->message = rs->error_text != NULL ? str_of(rs->error_text) : texts[i].message;
	if (status == HTTP_FORBIDDEN && rq->viewer != NULL && rq->route != NULL &&
	    rq->route->page == &page_login && rq->method == METHOD_POST) {
		view->title = STR("You are signed in");
		view->message =
		    STR("In another window, it seems: there is nothing left to do here.");
	}
	view->request_id = status >= HTTP_FAILED ? rq->in->request_id : STR("");
	if (status == HTTP_UNAVAILABLE && rq->method == METHOD_GET)
		view->retry_url = rq->address;
	if (status == HTTP_FORBIDDEN && !may(rq->viewer, MAY_SEND, NO_THING))
		tell_refused(rq, view);
	else
		offer_again(rq, rs, status, view);
	if (view->again_url.len == 0 && view->typed.count == 0)
		show_texts(rq, view);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	respond(rq, rs, TEMPLATE_WITH(error_template, view));
	return true;
}
