/*
 * GET and POST /post/<id>/comment/answer?at=<path>: the author of a hidden comment answers, once.
 * The staff read it in their queue.
 */
#include "base/arena.h"
#include "model/reader/comment_write.h"
#include "pages/public/comment.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/form_page.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"

struct answer_form {
	struct str answer;
};

static const struct field answer_fields[] = {
    {FIELD_TEXT(struct answer_form, answer), .label = "Your answer", .required = true, .max = 2000,
	.missing = "Write something first.", .focus = true,
	.hint = "The editors read it. You can answer once."},
};
static const struct form answer_form =
    FORM("answer", struct answer_form, answer_fields, .button = "Send");

struct str
comment_answer_url(struct request *rq, const struct post *post, struct str path)
{
	return STR_CONCAT(
	    rq->arena, comment_write_url(rq, post, STR("")), STR("/answer?at="), path);
}

static enum http_status
load(struct request *rq, struct post *post, struct comment *comment, const struct item **item)
{
	enum http_status status = comment_load(rq, post, comment, item);

	if (status != HTTP_OK)
		return status;
	return may(rq->viewer, MAY_ANSWER, thing_comment(comment)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
show(struct request *rq, struct response *rs, struct str intro, struct str back, struct str notice)
{
	return form_page(rq, rs,
	    &(struct form_page){.title = STR("Answer the editors"),
		.intro = intro,
		.notice = notice,
		.back = back,
		.form = &answer_form});
}

static struct str
back_to(struct request *rq, const struct post *post, const struct comment *comment)
{
	if (!may(rq->viewer, MAY_READ, thing_post(post, rq->now)))
		return STR("/account");
	return STR_CONCAT(rq->arena, post_path(rq->arena, post), STR("#c-"), comment->id);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	struct comment comment;
	const struct item *item;
	struct post post;
	enum http_status status = load(rq, &post, &comment, &item);

	if (status != HTTP_OK)
		return status;
	return show(rq, rs,
	    STR_CONCAT(rq->arena, comment_hidden_text(&comment), STR(" “"), comment.hidden_why,
		STR("” It is what you wrote under “"), comment.post_title, STR("”.")),
	    back_to(rq, &post, &comment), STR(""));
}

/* It can't be stored: shows what was typed. */
static enum http_status
again(struct request *rq, struct response *rs, enum http_status why)
{
	if (why != HTTP_UNAVAILABLE && why != HTTP_NOT_FOUND && why != HTTP_CONFLICT)
		return why;
	return response_form_again(rs,
	    show(rq, rs, STR(""), STR("/account"),
		why == HTTP_UNAVAILABLE
		    ? STR("The site can’t reach its archive just now. Nothing is lost: try again in "
			  "a moment.")
		    : STR("It is not hidden any more, or you have answered already. What you wrote "
			  "is here, to be copied.")),
	    why);
}

static enum http_status
send(struct request *rq, struct response *rs)
{
	const struct answer_form *in = rq->form->values;
	struct plan plan = plan_of(rq);
	struct comment comment;
	const struct item *item;
	struct post post;
	enum http_status status = load(rq, &post, &comment, &item);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return again(rq, rs, status);
	rc = comment_answer(&plan, item, in->answer);
	if (rc != PLAN_DONE)
		return again(rq, rs, plan_refused(rs, &plan, rc));
	return redirect(rs, HTTP_SEE_OTHER, back_to(rq, &post, &comment));
}

PAGE(comment_answer, .get = open_form, .post = send, .refused = open_form, .form = &answer_form,
    .query = QUERY("at"))
