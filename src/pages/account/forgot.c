/*
 * /forgot and /reset/<code>: a new password for somebody who has forgotten theirs. /forgot gives
 * the same answer after the same work, whether or not there is such an account: the rest is done by
 * the mailer.
 */
#include "model/people/reset.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/password.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/notice.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "web/mail/mail.h"

enum { LETTERS_FROM_ADDRESS = 10, LETTERS_TO_ACCOUNT = 3, TRIES_OF_ADDRESS = 30 };

struct forgetting {
	struct str name;
};
static const struct field forgot_fields[] = {
    {FIELD_LINE(struct forgetting, name), .label = "User name or e-mail address", .required = true,
	.max = 254, .missing = "Who are you?", .autocomplete = "username", .focus = true},
};
static const struct form forgot_form = FORM(
    "forgot", struct forgetting, forgot_fields, .action = "/forgot", .button = "Send me a link");

struct resetting {
	struct str new_password;
};
static const struct field reset_fields[] = {
    {FIELD_PASSWORD(struct resetting, new_password), .label = "Your new password", .required = true,
	.missing = "Choose a password.",
	.hint = "10 characters at least. Four words in a row make a good one.",
	.autocomplete = "new-password", .focus = true},
};
static const struct form reset_form =
    FORM("reset", struct resetting, reset_fields, .button = "Change the password");

/* --- The page --------------------------------------------------------------------------------------- */

/* A sentence, with a form and a link where there are some. */
static enum http_status
show(struct request *rq, struct response *rs, const char *title, const char *intro,
    const struct form_view *form, struct link_view way)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = str_of(title);
	view->intro = str_of(intro);
	view->form = form;
	view->ways.items = arena_copy(rq->arena, &way, sizeof(way));
	view->ways.count = way.url.len != 0;
	return sign_in_respond(rq, rs, view);
}

static const struct link_view to_sign_in = {STR_INIT("/login"), STR_INIT("Sign in")};
static const struct link_view nowhere;

/* The same as an error page. */
static enum http_status
refuse(struct request *rq, struct response *rs, const char *title, const char *intro,
    struct link_view way, enum http_status why)
{
	return response_form_again(rs, show(rq, rs, title, intro, NULL, way), why);
}

/* The form again, with a message at its only field and another status. */
static enum http_status
not_now(struct request *rq, struct response *rs,
    enum http_status (*again)(struct request *, struct response *, const struct form_result *),
    const char *sentence, enum http_status why)
{
	form_refuse(rq->form, str_cstring(rq->arena, rq->form->fields[0].field->name), sentence);
	return response_form_again(rs, again(rq, rs, rq->form), why);
}

/* Counts an attempt. HTTP_OK: continue. */
static enum http_status
take_try(struct request *rq, struct response *rs,
    enum http_status (*again)(struct request *, struct response *, const struct form_result *),
    const struct rate *rates, size_t count)
{
	uint32_t wait = 0;
	enum table_rc rc = rate_take(rq->table, &rq->call, rates, count, rq->now, &wait);

	if (rc == TABLE_CONDITION)
		return not_now(rq, rs, again, sign_in_wait(rq, rs, wait), HTTP_TOO_MANY);
	return rc == TABLE_OK ? HTTP_OK : status_of(rc);
}

/* --- Asking for a link ------------------------------------------------------------------------------- */

static enum http_status
show_forgot(struct request *rq, struct response *rs, const struct form_result *result)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (rq->site->mailer == NULL)
		return show(rq, rs, "Forgot your password?",
		    "This site sends no letters. Whoever runs it can give you a link by which you "
		    "choose a new one.",
		    NULL, to_sign_in);
	form_view_fill(rq, rs, result, form);
	return show(rq, rs, "Forgot your password?",
	    "We send you a link by which you choose a new one.", form, to_sign_in);
}

static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct form_result empty;

	form_empty(rq->arena, &forgot_form, &empty);
	return show_forgot(rq, rs, &empty);
}

static enum http_status
ask_again(struct request *rq, struct response *rs)
{
	return show_forgot(rq, rs, rq->form);
}

/* Limits letters to one person, whether they are named by name or by address. */
static bool
one_more_letter(struct plan *plan, const struct user *user)
{
	const struct rate rate = {STR("letters-for"), user->username, LETTERS_TO_ACCOUNT};
	uint32_t wait;

	return rate_take(plan->table, plan->call, &rate, 1, plan->now, &wait) == TABLE_OK;
}

/* On the mailer's thread: the letter to the person who was named, if there is one. */
static bool
write_letter(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = site->table, .call = &call, .now = clock_now(site->clock)};
	struct item *item = NULL;
	struct settings settings;
	struct account account;
	struct str code;
	bool there = table_get(site->table, &call, key_site_settings(), &item) == TABLE_OK &&
		     account_find(&plan, about, &account) == PLAN_DONE &&
		     account.user.status != USER_DISABLED && account.user.email.len != 0 &&
		     one_more_letter(&plan, &account.user) &&
		     account_reset_begin(&plan, site->clock, &account.user, &code) == PLAN_DONE;

	table_release(site->table, &call);
	if (!there)
		return false;
	settings_from_item(arena, item, &settings);
	out->to = account.user.email;
	out->subject = STR_CONCAT(arena, STR("A new password for "), settings.name);
	out->text = str_fmt(arena,
	    "Hello %.*s,\n\n"
	    "by this link you choose a new password for %.*s. It is good once, for half an "
	    "hour:\n\n"
	    "%.*s/reset/%.*s\n\n"
	    "If it was not you who asked for it, there is nothing to do: your password is as it "
	    "was.\n",
	    STR_ARGS(account.user.display_name), STR_ARGS(settings.name), STR_ARGS(site->origin),
	    STR_ARGS(code));
	return true;
}

static enum http_status
try_to_ask(struct request *rq, struct response *rs)
{
	const struct forgetting *in = rq->form->values;
	const struct rate rates[] = {
	    {STR("letters-from"), rate_address(rq->arena, rq->in->remote_addr),
		LETTERS_FROM_ADDRESS},
	    {STR("letters-to"), str_lower(rq->arena, in->name), LETTERS_TO_ACCOUNT},
	};
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (rq->site->mailer == NULL)
		return ask(rq, rs);
	status = take_try(rq, rs, show_forgot, rates, 2);
	if (status != HTTP_OK)
		return status;
	if (!mailer_ask(rq->site->mailer, write_letter, in->name))
		return not_now(rq, rs, show_forgot,
		    "Many letters are being written just now. Please try once more.",
		    HTTP_UNAVAILABLE);
	return show(rq, rs, "Look into your mail",
	    "If there is an account of that name or address, a letter is on its way to it. The "
	    "link "
	    "in it is good for half an hour.",
	    NULL, nowhere);
}

static enum http_status
send_link(struct request *rq, struct response *rs)
{
	enum http_status status = try_to_ask(rq, rs);

	if (status != HTTP_UNAVAILABLE || rs->own_error || publication_any(rq) == NULL)
		return status;
	return not_now(rq, rs, show_forgot, sign_in_unreachable, status);
}

/* --- Using it ---------------------------------------------------------------------------------------- */

static enum http_status
show_reset(struct request *rq, struct response *rs, const struct form_result *result)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);

	form_view_fill(rq, rs, result, form);
	form->action_url = rq->address;
	return show(rq, rs, "A new password", "It signs you out wherever you are signed in.", form,
	    nowhere);
}

/* The account of the link; HTTP_OK, or the answer: it has expired, was used, or never existed. */
static enum http_status
find(struct request *rq, struct response *rs, struct account *account)
{
	static const struct link_view again = {STR_INIT("/forgot"), STR_INIT("Ask for another")};
	struct plan plan = plan_of(rq);
	enum http_status status = page_read(rq, NULL, 0);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = account_reset_find(&plan, request_param(rq, "code"), account);
	if (rc == PLAN_TABLE)
		return status_of(plan.failed);
	if (rc != PLAN_DONE)
		return refuse(rq, rs, "This link is over", "A link is good once, for half an hour.",
		    again, HTTP_NOT_FOUND);
	return HTTP_OK;
}

static enum http_status
show_link(struct request *rq, struct response *rs)
{
	struct form_result empty;
	struct account account;
	enum http_status status = find(rq, rs, &account);

	form_empty(rq->arena, &reset_form, &empty);
	return status == HTTP_OK ? show_reset(rq, rs, &empty) : status;
}

static enum http_status
choose_again(struct request *rq, struct response *rs)
{
	struct account account;
	enum http_status status = find(rq, rs, &account);

	return status == HTTP_OK ? show_reset(rq, rs, rq->form) : status;
}

static enum http_status
try_to_reset(struct request *rq, struct response *rs)
{
	const struct resetting *in = rq->form->values;
	const struct rate rate = {
	    STR("reset-from"), rate_address(rq->arena, rq->in->remote_addr), TRIES_OF_ADDRESS};
	struct plan plan = plan_of(rq);
	struct account account;
	struct str password;
	const char *error;
	enum http_status status = find(rq, rs, &account);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	error = account_password_error(rq, in->new_password, &account.user);
	if (error != NULL) {
		form_refuse(rq->form, "new_password", error);
		return show_reset(rq, rs, rq->form);
	}
	status = take_try(rq, rs, show_reset, &rate, 1);
	if (status != HTTP_OK)
		return status;
	if (password_hash(rq->site->passwords, rq->arena, in->new_password, &password) !=
	    PASSWORD_RIGHT)
		return not_now(rq, rs, show_reset, sign_in_busy(rq, rs), HTTP_UNAVAILABLE);
	notice_add(rq, &plan, account.user.username, NOTICE_PASSWORD);
	rc = account_reset_finish(&plan, request_param(rq, "code"), &account.user, password);
	if (rc == PLAN_CHANGED)
		return show_link(rq, rs);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	notice_letter(rq, &account.user, NOTICE_PASSWORD);
	return show(rq, rs, "Your password is changed",
	    "You are signed out everywhere, and sign in with the new one from now on.", NULL,
	    to_sign_in);
}

/* Whoever has the link can send the form again when the table has failed. */
static enum http_status
choose(struct request *rq, struct response *rs)
{
	enum http_status status = try_to_reset(rq, rs);

	if (status != HTTP_UNAVAILABLE || rs->own_error || publication_any(rq) == NULL)
		return status;
	return not_now(rq, rs, show_reset, sign_in_unreachable, status);
}

PAGE(forgot, .get = ask, .post = send_link, .refused = ask_again, .form = &forgot_form)
PAGE(reset, .get = show_link, .post = choose, .refused = choose_again, .form = &reset_form)
