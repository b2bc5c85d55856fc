/*
 * /account/letters: whether one wants a letter each week.
 *
 * /letters/:token: ends letters of a kind, by the link in one of them, without signing in. Mail programs send the POST by
 * themselves (RFC 8058), from anywhere and without our token against forgery: what is in the address is what allows it.
 * A GET ends nothing, as software follows links in letters.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/people/digest.h"
#include "model/people/notification.h"
#include "model/people/user.h"
#include "model/site/unsubscribe.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/form_page.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"

#include <sodium.h>

/* --- One's own --------------------------------------------------------------------------------------- */

struct letters_form {
	bool week;
};

static const struct field letters_fields[] = {
    {FIELD_FLAG(struct letters_form, week), .label = "The letter of the week",
	.hint = "Each Monday: what those have published whom you follow, and what else was new."},
};
static const struct form letters_form =
    FORM("letters", struct letters_form, letters_fields, .action = "/account/letters", .button = "Save");

static enum http_status
show_own(struct request *rq, struct response *rs)
{
	const struct user *user = &rq->viewer->user;
	struct read digest = digest_read(rq->arena, user->username);
	enum http_status status = page_read(rq, &digest, 1);
	struct form_result *result = form_shown(rq, &letters_form);
	struct form_page page = {.title = STR("Letters"),
	    .notice = str_of(done_says(rq)),
	    .back = STR("/account"),
	    .form = &letters_form,
	    .filled = result};

	if (status != HTTP_OK)
		return status;
	if (!form_was_sent(rq, &letters_form))
		form_fill(result, "week", digest_wanted(&digest) ? STR("1") : STR("0"));
	if (rq->site->mailer == NULL)
		page.intro = STR("This site sends no letters, for now.");
	else if (user->email.len == 0)
		page.intro = STR("Letters need an address, and your account has none yet.");
	else
		page.intro = STR_CONCAT(
		    rq->arena, STR("What "), user->email, STR(" gets."));
	return form_page(rq, rs, &page);
}

static enum http_status
save_own(struct request *rq, struct response *rs)
{
	const struct letters_form *in = rq->form->values;
	struct plan plan = plan_of(rq);
	enum http_status status = page_read(rq, NULL, 0);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = digest_set(&plan, rq->viewer->user.username, in->week,
	    digest_after(zone_load(rq->arena, rq->settings->time_zone), rq->now));
	return plan_answer(rq, rs, &plan, rc, STR("/account/letters"), "letters");
}

PAGE(own_letters, .get = show_own, .post = save_own, .refused = show_own, .form = &letters_form,
    .query = QUERY("done"))

/* --- By a link in one -------------------------------------------------------------------------------- */

struct ending {
	struct user user;
	enum unsubscribe what;
};

static const char *const names[UNSUBSCRIBES] = {
    [UNSUBSCRIBE_ANSWERS] = "letters that say who has answered or named you",
    [UNSUBSCRIBE_WEEK] = "the letter of the week",
};

static const struct link_view to_settings = {
    STR_INIT("/account/letters"), STR_INIT("Which letters I get")};

static enum http_status
show(struct request *rq, struct response *rs, const char *title, struct str intro,
    const struct form_view *form, struct link_view way)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = str_of(title);
	view->intro = intro;
	view->form = form;
	view->ways.items = arena_copy(rq->arena, &way, sizeof(way));
	view->ways.count = 1;
	return sign_in_respond(rq, rs, view);
}

/* Whose letters, and which, the address says; HTTP_OK, or the answer. */
static enum http_status
find(struct request *rq, struct response *rs, struct ending *out)
{
	struct secret_keys keys;
	struct str username;
	struct read read = {.kind = READ_GET};
	enum http_status status;
	bool opens;

	site_keys(rq->site, UNSUBSCRIBE_PURPOSE, &keys);
	opens = unsubscribe_open(
	    rq->arena, &keys, request_param(rq, "token"), &username, &out->what);
	sodium_memzero(&keys, sizeof(keys));
	if (opens)
		read.key = key_user(rq->arena, username);
	status = page_read(rq, &read, opens ? 1 : 0);
	if (status != HTTP_OK)
		return status;
	if (opens && read.item != NULL) {
		user_from_item(rq->arena, read.item, &out->user);
		return HTTP_OK;
	}
	return response_form_again(rs,
	    show(rq, rs, "This link leads nowhere",
		STR("It is not whole, or the account is gone. Which letters you get is said in your "
		    "account."),
		NULL, to_settings),
	    HTTP_NOT_FOUND);
}

static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct ending ending = {0};
	enum http_status status = find(rq, rs, &ending);

	if (status != HTTP_OK)
		return status;
	*form = (struct form_view){.form_id = STR("end"),
	    .action_url = rq->address,
	    .button_text = STR("Send no more of them")};
	return show(rq, rs, "No more of these letters?",
	    str_fmt(rq->arena, "It is about %s to the account %.*s.", names[ending.what],
		STR_ARGS(ending.user.username)),
	    form, to_settings);
}

static enum http_status
end(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct ending ending = {0};
	enum http_status status = find(rq, rs, &ending);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = ending.what == UNSUBSCRIBE_WEEK
		 ? digest_set(&plan, ending.user.username, false, 0)
		 : note_settings_end_mail(&plan, ending.user.username,
		       1U << NOTE_REPLY | 1U << NOTE_MENTION);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	return show(rq, rs, "No more of these letters",
	    str_fmt(rq->arena, "The account %.*s gets no more of them: %s. You can have them again at any time.",
		STR_ARGS(ending.user.username), names[ending.what]),
	    NULL, to_settings);
}

PAGE(letters, .get = ask, .post = end)
