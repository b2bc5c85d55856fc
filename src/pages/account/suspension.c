/*
 * /account/suspension: until when and why somebody is suspended, and the form for their one appeal.
 */
#include "base/arena.h"
#include "model/people/suspension.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/suspended.h"

struct answer_form {
	struct str text;
};
static const struct field answer_fields[] = {
    {FIELD_TEXT(struct answer_form, text), .label = "Your answer", .required = true,
	.max = APPEAL_TEXT_MAX, .missing = "Write something first.", .rows = 6,
	.hint = "To the staff; nobody else sees it. You can send one."},
};
static const struct form answer_form = FORM("answer", struct answer_form, answer_fields,
    .action = "/account/suspension", .button = "Send the answer");

static enum http_status
load(struct request *rq, struct read *answered)
{
	const struct user *user = &rq->viewer->user;

	if (!rq->viewer->suspended)
		return HTTP_NOT_FOUND;
	*answered =
	    appeal_read(rq->arena, user->username, appeal_about_suspension(rq->arena, user));
	return page_read(rq, answered, 1);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct link_view *way = ARENA_NEW(rq->arena, struct link_view);
	struct read answered;
	enum http_status status = load(rq, &answered);

	if (status != HTTP_OK)
		return status;
	*way = (struct link_view){STR("/account"), STR("Your account")};
	view->title = STR("You are suspended");
	view->intro = suspended_text(rq);
	view->notice = str_of(done_says(rq));
	view->ways.items = way;
	view->ways.count = 1;
	if (answered.item == NULL) {
		form_view_fill(rq, rs, form_shown(rq, &answer_form), form);
		view->form = form;
	} else if (view->notice.len == 0) {
		view->notice = STR("You have answered. The staff read it.");
	}
	return sign_in_respond(rq, rs, view);
}

static enum http_status
answer(struct request *rq, struct response *rs)
{
	const struct answer_form *in = rq->form->values;
	struct plan plan = plan_of(rq);
	struct read answered;
	enum http_status status = load(rq, &answered);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = appeal_make(
	    &plan, appeal_about_suspension(rq->arena, &rq->viewer->user), STR(""), in->text);
	/* Sent twice, it is there once; another text is not, and is shown to whoever typed it. */
	if (rc == PLAN_TAKEN && answered.item != NULL &&
	    !str_eq(item_string(answered.item, STR("Text")), in->text)) {
		rs->error_text = "You have answered already, perhaps in another window. The staff "
				 "read that.";
		return HTTP_CONFLICT;
	}
	return plan_answer(rq, rs, &plan, rc == PLAN_TAKEN ? PLAN_DONE : rc, rq->path, "answered");
}

PAGE(suspension, .get = show, .post = answer, .refused = show, .form = &answer_form,
    .query = QUERY("done"))
