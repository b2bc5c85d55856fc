/* The letter that confirms an e-mail address, and /confirm/<code>, the page of its link. */
#include "pages/account/confirm_email.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/notice.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "web/mail/mail.h"
#include "web/session/csrf.h"

enum { LETTERS_TO_ADDRESS = 3, LETTERS_OF_ACCOUNT = 10, LIMITS = 2 };

/* --- The letter ------------------------------------------------------------------------------------- */

/*
 * Limits letters to an address, whoever names it, and letters of one person, whatever addresses
 * they name.
 */
static bool
one_more_letter(struct site *site, struct table_call *call, struct str username, struct str email)
{
	const struct rate rates[LIMITS] = {{STR("letters-to"), email, LETTERS_TO_ADDRESS},
	    {STR("letters-of"), username, LETTERS_OF_ACCOUNT}};
	uint32_t wait;

	return rate_take(site->table, call, rates, LIMITS, clock_now(site->clock), &wait) ==
	       TABLE_OK;
}

static void
write_link(struct site *site, struct arena *arena, const struct settings *settings,
    struct str username, struct str code, struct mail *out)
{
	out->subject = STR_CONCAT(arena, STR("Is this your address? "), settings->name);
	out->text = str_fmt(arena,
	    "Hello,\n\nsomebody gave this address for the account %.*s at %.*s. If it was you, "
	    "confirm it by "
	    "this link. It is good once, for three days:\n\n%.*s/confirm/%.*s\n\n"
	    "If it was not you, there is nothing to do: without you the address counts for nothing "
	    "there.\n",
	    STR_ARGS(username), STR_ARGS(settings->name), STR_ARGS(site->origin), STR_ARGS(code));
}

static void
write_warning(struct site *site, struct arena *arena, const struct settings *settings,
    struct str owner, struct mail *out)
{
	out->subject = STR_CONCAT(arena, settings->name, STR(": somebody gave your address"));
	out->text = str_fmt(arena,
	    "Hello %.*s,\n\nsomebody gave this address for another account at %.*s. It is yours, "
	    "so nothing "
	    "has changed, and they were not told that you have an account.\n\n"
	    "If it was you: you have one already. Sign in, or choose a new password:\n\n"
	    "%.*s/login\n%.*s/forgot\n\nIf it was not you, there is nothing to do.\n",
	    STR_ARGS(owner), STR_ARGS(settings->name), STR_ARGS(site->origin),
	    STR_ARGS(site->origin));
}

/* On the mailer's thread; `about` has the account, the address and the code, a line each. */
static bool
write_letter(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	struct str username = str_cut(about, '\n', &about), email = str_cut(about, '\n', &about);
	struct table_call call = {.arena = arena};
	struct read reads[] = {{.kind = READ_GET, .key = key_site_settings()},
	    {.kind = READ_GET, .key = key_email(arena, email)}};
	struct settings settings;
	bool there = table_read(site->table, &call, reads, 2) == TABLE_OK &&
		     one_more_letter(site, &call, username, email);

	table_release(site->table, &call);
	if (!there)
		return false;
	settings_from_item(arena, reads[0].item, &settings);
	out->to = email;
	if (reads[1].item == NULL)
		write_link(site, arena, &settings, username, about, out);
	else
		write_warning(
		    site, arena, &settings, item_string(reads[1].item, STR("Username")), out);
	return true;
}

void
confirm_email_letter(struct request *rq, struct str username, struct str email, struct str code)
{
	struct str about = str_fmt(
	    rq->arena, "%.*s\n%.*s\n%.*s", STR_ARGS(username), STR_ARGS(email), STR_ARGS(code));

	if (!mailer_ask(rq->site->mailer, write_letter, about) && rq->site->log != NULL)
		log_line(rq->site->log, LOG_WARNING,
		    "%.*s gets no letter to confirm an address: too many letters wait.",
		    STR_ARGS(username));
}

/* --- The page --------------------------------------------------------------------------------------- */

static enum http_status
show(struct request *rq, struct response *rs, const char *title, struct str intro,
    const struct form_view *form, struct link_view way)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = str_of(title);
	view->intro = intro;
	view->form = form;
	view->ways.items = arena_copy(rq->arena, &way, sizeof(way));
	view->ways.count = way.url.len != 0;
	return sign_in_respond(rq, rs, view);
}

static const struct link_view to_account = {STR_INIT("/account"), STR_INIT("Your account")};

/* The account of the link; HTTP_OK, or the answer. */
static enum http_status
find(struct request *rq, struct response *rs, struct plan *plan, struct account *account)
{
	enum http_status status = page_read(rq, NULL, 0);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = new_email_find(plan, request_param(rq, "code"), account);
	if (rc == PLAN_TABLE)
		return status_of(plan->failed);
	if (rc == PLAN_DONE)
		return HTTP_OK;
	return response_form_again(rs,
	    show(rq, rs, "This link is over",
		STR("A link is good once, for three days, and only until another is asked for or "
		    "all your sessions are ended, as by a new password. Your account says which "
		    "address counts, and sends another link."),
		NULL, to_account),
	    HTTP_NOT_FOUND);
}

/*
 * A button, not the link alone: software that follows links, such as a mail server, confirms
 * nothing.
 */
static enum http_status
ask(struct request *rq, struct response *rs)
{
	static const struct link_view nowhere;
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct plan plan = plan_of(rq);
	struct account account;
	enum http_status status = find(rq, rs, &plan, &account);

	if (status != HTTP_OK)
		return status;
	*form = (struct form_view){.form_id = STR("confirm"),
	    .action_url = rq->address,
	    .button_text = STR("Confirm this address")};
	form_view_hide(rq, form, CSRF_INPUT, csrf_token(rq, rs));
	return show(rq, rs, "Is this your address?",
	    str_fmt(rq->arena, "%.*s is to be the e-mail address of the account %.*s.",
		STR_ARGS(account.user.new_email), STR_ARGS(account.user.username)),
	    form, nowhere);
}

static enum http_status
confirm_it(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct account account;
	enum http_status status = find(rq, rs, &plan, &account);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	/* A first address needs no notice. */
	if (account.user.email.len != 0)
		notice_add(rq, &plan, account.user.username, NOTICE_EMAIL);
	rc = new_email_confirm(&plan, request_param(rq, "code"), &account.user);
	if (rc == PLAN_EMAIL_TAKEN)
		return response_form_again(rs,
		    show(rq, rs, "This address is taken",
			STR("It has become the address of another account, which is yours if the "
			    "address "
			    "is: sign in with it."),
			NULL, (struct link_view){STR("/login"), STR("Sign in")}),
		    HTTP_CONFLICT);
	if (rc == PLAN_CHANGED)
		return ask(rq, rs);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	/* To the old address: its owner is the one to warn. */
	notice_letter(rq, &account.user, NOTICE_EMAIL);
	return show(rq, rs, "Your address is confirmed",
	    STR_CONCAT(rq->arena, account.user.new_email, STR(" counts from now on.")), NULL,
	    to_account);
}

PAGE(confirm_email, .get = ask, .post = confirm_it)
