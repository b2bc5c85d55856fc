/*
 * GET /account/restricted: what others do not see of somebody's own, because the editors have hidden it or have not read it
 * yet: posts, notes of reviews, collections, the profile. Of what a person has hidden or holds back they are told why, and
 * answer once, at /account/restricted/answer?of=<target>.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/reader/restriction.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/form_page.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/template.h"
#include "text/url.h"

enum { SHOWN = 20, TARGET_MAX = 300 };

static const char here[] = "/account/restricted";

struct restricted_thing_view {
	struct str name, url, state, why, answer, answer_url;
};

struct restricted_view {
	struct layout_view layout;
	struct str title, intro, notice;
	LIST_OF(struct restricted_thing_view) things;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(restricted_thing_view, STRING(name), STRING(url), STRING(state), STRING(why),
    STRING(answer), STRING(answer_url))
VIEW_FIELDS(restricted_view, VIEW(layout, layout_view), STRING(title), STRING(intro),
    STRING(notice), LIST(things, restricted_thing_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
TEMPLATE(restricted_template, "restricted", restricted_view)

/* "Your note on “The tide”", and where it is changed. */
static struct str
name_of(struct request *rq, const struct restriction *r, struct str *url)
{
	static const char *const begins[FLAG_WHATS] = {[FLAG_POST] = "Your post “",
	    [FLAG_COMMENT] = "Your comment “",
	    [FLAG_REVIEW] = "Your note on “",
	    [FLAG_PROFILE] = "What you say of yourself",
	    [FLAG_COLLECTION] = "Your collection “"};

	switch (r->target.what) {
	case FLAG_POST: *url = url_join(rq->arena, STR("/edit/"), r->target.post); break;
	case FLAG_REVIEW:
		*url = STR_CONCAT(
		    rq->arena, url_join(rq->arena, STR("/post/"), r->target.post), STR("/rating"));
		break;
	case FLAG_COLLECTION:
		*url = url_join(rq->arena, STR("/collection/"), r->target.collection);
		break;
	case FLAG_PROFILE: *url = STR("/account"); return str_of(begins[FLAG_PROFILE]);
	case FLAG_COMMENT:
	case FLAG_WHATS: *url = STR(""); break;
	}
	return STR_CONCAT(rq->arena, str_of(begins[r->target.what]), r->title, STR("”"));
}

static struct str
answer_url(struct request *rq, struct str target)
{
	struct buf out = {.arena = rq->arena};

	BUF_PUT(&out, "/account/restricted/answer?of=");
	url_put_query(&out, target);
	return buf_str(&out);
}

static void
fill_thing(struct request *rq, const struct item *item, struct restricted_thing_view *out)
{
	struct restriction r;

	restriction_from_item(rq->arena, item, &r);
	out->name = name_of(rq, &r, &out->url);
	out->state = STR_CONCAT(rq->arena,
	    r.state == RESTRICTED_HIDDEN ? STR("Hidden by the editors, ")
	    : r.why.len != 0		 ? STR("Held back until an editor decides, ")
					 : STR("Waiting for an editor since "),
	    words_moment(rq, r.created));
	out->why = r.why;
	out->answer = r.answer;
	if (may(rq->viewer, MAY_ANSWER, thing_restriction(&r)))
		out->answer_url = answer_url(rq, r.name);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct restricted_view *view = ARENA_NEW(rq->arena, struct restricted_view);
	struct page_frame frame = {.title = STR("Held or hidden"), .noindex = true};
	struct read read = {.kind = READ_QUERY,
	    .query = query_restrictions_of(rq->arena, rq->viewer->user.username)};
	struct restricted_thing_view *things;
	enum http_status status;

	read.query.limit = SHOWN;
	if (!list_cursor_of(rq, "after", &read.query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	things = ARENA_ARRAY(rq->arena, read.found_count, struct restricted_thing_view);
	for (size_t i = 0; i < read.found_count; i++)
		fill_thing(rq, &read.found[i], &things[i]);
	view->title = frame.title;
	view->intro = STR("What others do not see of yours. Comments say it where they stand.");
	view->notice = str_of(done_says(rq));
	view->things.items = things;
	view->things.count = read.found_count;
	view->empty_text = STR("Nothing is held or hidden.");
	view->pagination = pagination_onward(rq, read.next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(restricted_template, view));
}

PAGE(restricted, .get = show, .query = QUERY("after", "done"))

/* --- The answer ---------------------------------------------------------------------------------------- */

struct answer_form {
	struct str answer;
};

static const struct field answer_fields[] = {
    {FIELD_TEXT(struct answer_form, answer), .label = "Your answer", .required = true,
	.max = RESTRICTION_ANSWER_MAX, .missing = "Write something first.", .focus = true,
	.hint = "The editors read it. You can answer once."},
};
static const struct form answer_form =
    FORM("answer", struct answer_form, answer_fields, .button = "Send");

static enum http_status
load(struct request *rq, struct read *read, struct restriction *out)
{
	struct str of = request_query(rq, "of");
	enum http_status status;

	if (of.len == 0 || of.len > TARGET_MAX)
		return HTTP_NOT_FOUND;
	*read = (struct read){.kind = READ_GET, .key = key_restriction(rq->arena, of)};
	status = page_read(rq, read, 1);
	if (status != HTTP_OK)
		return status;
	restriction_from_item(rq->arena, read->item, out);
	return may(rq->viewer, MAY_ANSWER, thing_restriction(out)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
show_form(struct request *rq, struct response *rs, struct str intro, struct str notice)
{
	return form_page(rq, rs,
	    &(struct form_page){.title = STR("Answer the editors"),
		.intro = intro,
		.notice = notice,
		.back = str_of(here),
		.form = &answer_form});
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	struct restriction r;
	struct read read;
	enum http_status status = load(rq, &read, &r);
	struct str url;

	if (status != HTTP_OK)
		return status;
	return show_form(rq, rs,
	    STR_CONCAT(
		rq->arena,
		r.state == RESTRICTED_HELD
		    ? STR("It is held back until they decide. ")
		    : STR("They have hidden it. "),
		name_of(rq, &r, &url), STR(": "), r.why),
	    STR(""));
}

/* What was typed is shown again. */
static enum http_status
again(struct request *rq, struct response *rs, enum http_status why)
{
	if (why != HTTP_UNAVAILABLE && why != HTTP_NOT_FOUND && why != HTTP_CONFLICT)
		return why;
	return response_form_again(rs,
	    show_form(rq, rs, STR(""),
		why == HTTP_UNAVAILABLE
		    ? STR("The site can’t reach its archive just now. Nothing is lost: try again "
			  "in "
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
	struct restriction r;
	struct read read;
	enum http_status status = load(rq, &read, &r);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return again(rq, rs, status);
	rc = restriction_answer(&plan, read.item, in->answer);
	return rc == PLAN_DONE ? redirect_done(rq, rs, str_of(here), "answered")
			       : again(rq, rs, plan_refused(rs, &plan, rc));
}

PAGE(restricted_answer, .get = open_form, .post = send, .refused = open_form, .form = &answer_form,
    .query = QUERY("of"))
