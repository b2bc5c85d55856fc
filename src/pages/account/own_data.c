/*
 * /account/data: downloading one's data, and closing one's account. POST /account/export is the
 * download, POST /account/delete closes the account.
 */
#include "model/people/own_data.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/leaving.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/cursor.h"
#include "web/session/csrf.h"
#include "web/session/session.h"

/* WORK_MS: how long a request removes what somebody leaves; the sweeper does the rest. */
enum { EXPORTS = 20, FORMS = 2, WORK_MS = 1500, ROUNDS = 100 };

struct own_data_view {
	struct layout_view layout;
	struct str title, intro;
	LIST_OF(struct form_view) forms;
};

VIEW_FIELDS(
    own_data_view, VIEW(layout, layout_view), STRING(title), STRING(intro), LIST(forms, form_view))
TEMPLATE(own_data_template, "own_data", own_data_view)

enum { KEEP = 1, REMOVE };
struct leaving_form {
	int64_t posts;
	struct str delete_password;
};
static const struct choice fates[] = {
    {STR_INIT("keep"), "Keep what is published, without my name", KEEP},
    {STR_INIT("remove"), "Remove it all", REMOVE},
    {.name = {NULL, 0}},
};
static const struct field fields[] = {
    {FIELD_CHOICE(struct leaving_form, posts), .label = "What I wrote", .required = true,
	.choices = fates,
	.hint = "Drafts, what is yet to appear, and what only you or your followers see go in any "
		"case. Comments, votes and likes stay, without your name; ratings go."},
    {FIELD_PASSWORD(struct leaving_form, delete_password), .label = "Your password",
	.required = true, .missing = "Your password is missing.",
	.autocomplete = "current-password"},
};
static const struct form leaving_form =
    FORM("leaving", struct leaving_form, fields, .heading = "Leave for good",
	.intro = "Your account is closed, your address is free again, and nobody comes under your "
		 "name. It can’t be undone.",
	.action = "/account/delete", .button = "Delete my account", .destroys = true);

/* --- The page --------------------------------------------------------------------------------------- */

/*
 * Where the download continues; empty: at its beginning. False: it is not a valid position for this
 * person.
 */
static bool
position_of(struct request *rq, struct str sealed, struct str *position)
{
	struct secret_keys keys;

	site_keys(rq->site, "own data", &keys);
	return cursor_open_any(rq->arena, &keys, rq->viewer->user.username, sealed, position);
}

static struct str
address_of(struct request *rq, struct str position)
{
	unsigned char key[CURSOR_KEY_BYTES];

	site_key(rq->site, "own data", key);
	return absolute(rq, STR_CONCAT(rq->arena, STR("/account/data?after="),
				cursor_seal(rq->arena, key, rq->viewer->user.username, position)));
}

static void
fill_export(struct request *rq, struct response *rs, struct form_view *form)
{
	struct str after = request_query(rq, "after");

	*form = (struct form_view){.form_id = STR("export"),
	    .heading = STR("Take it along"),
	    .intro =
		STR("All that is yours, as lines of JSON: who you are, what you wrote with its "
		    "text, comments, ratings, likes, bookmarks, collections, whom you follow."),
	    .action_url = STR("/account/export"),
	    .button_text = after.len != 0 ? STR("Download the next part") : STR("Download")};
	form_view_hide(rq, form, CSRF_INPUT, csrf_token(rq, rs));
	form_view_hide(rq, form, STR("after"), after);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct own_data_view *view = ARENA_NEW(rq->arena, struct own_data_view);
	struct form_view *forms = ARENA_ARRAY(rq->arena, FORMS, struct form_view);
	struct page_frame frame = {.title = STR("Your data"), .noindex = true};
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	fill_export(rq, rs, &forms[0]);
	form_view_fill(rq, rs, form_shown(rq, &leaving_form), &forms[1]);
	view->title = frame.title;
	view->intro = STR("It is yours: take it with you, or take it away.");
	view->forms.items = forms;
	view->forms.count = FORMS;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(own_data_template, view));
}

/* --- The download ------------------------------------------------------------------------------------ */

static enum http_status
download(struct request *rq, struct response *rs)
{
	const struct user *user = &rq->viewer->user;
	const struct rate rate = {STR("export"), user->username, EXPORTS};
	struct str position;
	uint32_t wait = 0;
	enum table_rc rc;

	if (!position_of(rq, input_of(rq, "after"), &position))
		return HTTP_BAD_REQUEST;
	rc = rate_take(rq->table, &rq->call, &rate, 1, rq->now, &wait);
	if (rc == TABLE_CONDITION) {
		rs->retry_after = wait;
		return HTTP_TOO_MANY;
	}
	if (rc == TABLE_OK)
		rc = own_data(rq->table, &rq->call, user->username, &position, &rs->body);
	if (rc != TABLE_OK)
		return status_of(rc);
	if (position.len != 0)
		buf_fmt(&rs->body, "{\"Type\":\"More\",\"Address\":\"%.*s\"}\n",
		    STR_ARGS(address_of(rq, position)));
	else
		BUF_PUT(&rs->body, "{\"Type\":\"End\"}\n");
	rs->content_type = STR("application/jsonl; charset=utf-8");
	response_header(rs, STR("Content-Disposition"),
	    str_fmt(rq->arena, "attachment; filename=\"%.*s.jsonl\"", STR_ARGS(user->username)));
	return HTTP_OK;
}

/* --- The end ----------------------------------------------------------------------------------------- */

/* As much as there is time for. What fails here is done later by the sweeper. */
static void
work_off(struct request *rq, struct plan *plan, struct str username)
{
	int64_t until = clock_monotonic(rq->clock) + WORK_MS;
	bool done = false;

	for (int i = 0; !done && i < ROUNDS && clock_monotonic(rq->clock) < until; i++)
		if (leaving_round(plan, username, &done) != PLAN_DONE)
			return;
}

static enum http_status
say_goodbye(struct request *rq, struct response *rs)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = STR("Goodbye");
	view->intro = STR("Your account is closed. What is left of it goes within minutes.");
	return sign_in_respond(rq, rs, view);
}

static enum http_status
leave(struct request *rq, struct response *rs)
{
	const struct leaving_form *in = rq->form->values;
	const struct user *user = &rq->viewer->user;
	struct plan plan = plan_of(rq);
	enum http_status status =
	    account_prove(rq, rs, &plan, "delete_password", in->delete_password, show);
	enum plan_rc rc;

	if (status == HTTP_OK)
		status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	rc = account_leave(&plan, rq->clock, user, in->posts == KEEP);
	if (rc == PLAN_LAST_ADMIN) {
		form_refuse(rq->form, "delete_password",
		    "You are the only admin. Make somebody else one first.");
		return show(rq, rs);
	}
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	work_off(rq, &plan, user->username);
	/* The session has ended with its era; this removes the cookie. */
	(void)session_end(rq, rs);
	return say_goodbye(rq, rs);
}

PAGE(own_data, .get = show, .query = QUERY("after"))
PAGE(export, .post = download)
PAGE(account_delete, .post = leave, .refused = show, .form = &leaving_form, .proves = true)
