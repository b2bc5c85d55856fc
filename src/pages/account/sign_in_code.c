/*
 * POST /login/code: the second step of signing in. Between the steps there is no session, only a
 * ticket in the form, valid for five minutes and for this visitor, which says who knew the
 * password. It gives access to no other page.
 */
#include "base/arena.h"
#include "base/log.h"
#include "model/people/two_step.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/notice.h"
#include "pages/account/sign_in.h"
#include "pages/account/pending_form.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "web/form/ticket.h"
#include "web/http/refusal.h"
#include "web/session/session.h"

#define PURPOSE "second step"
#define TICKET "ticket"

enum {
	TRIES_OF_RECOVERY = 20, /* each is expensive to check, and none can be guessed */
	TRIES_OF_ADDRESS = 30,
	TRIES_OF_NETWORK = 120,
	TELL_EACH = 5, /* a notice after so many wrong codes */
	GOOD_FOR_MS = 5 * 60 * 1000,
};

/*
 * Limits, in the order in which they are read. The first three apply to a recovery code. To a code of the app apply those
 * that follow except the last; the third of them lasts, since whoever tries codes knows the password. On a known device
 * only the last one applies, which lasts as well, so that strangers can't lock the owner out.
 */
enum { OF_RECOVERY, OF_ADDRESS, OF_NETWORK, OF_ACCOUNT, OF_DEVICE, LIMITS };
enum { HELD_MAX = 3 };

struct second_step {
	struct str code;
};

static const struct field fields[] = {
    {FIELD_LINE(struct second_step, code), .label = "Code", .required = true,
	.max = RECOVERY_CODE_MAX, .missing = "Type the code that your app shows.",
	.hint = "Six digits that your app shows now, or one of your recovery codes.",
	.autocomplete = "one-time-code", .focus = true},
};
static const struct form login_code_form =
    FORM("code", struct second_step, fields, .action = "/login/code", .button = "Sign in");

/* Whom a ticket is for: an existing session, or a visitor. */
static struct str
holder(const struct request *rq)
{
	return rq->session_token.len != 0 ? rq->session_token : session_visit(rq);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct form_result *result, struct str ticket,
    const char *notice)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	enum http_status status = sign_in_read(rq);

	if (status != HTTP_OK)
		return status;
	form_view_fill(rq, rs, result, form);
	form_view_hide(rq, form, STR(TICKET), ticket);
	sign_in_carry(rq, form);
	view->title = STR("The second step");
	view->notice = str_of(notice);
	view->form = form;
	return sign_in_respond(rq, rs, view);
}

enum http_status
sign_in_second_step(struct request *rq, struct response *rs, const struct user *user)
{
	struct str who =
	    str_fmt(rq->arena, "%.*s %lld", STR_ARGS(user->username), (long long)user->era);
	struct form_result empty;

	form_empty(rq->arena, &login_code_form, &empty);
	return show(rq, rs, &empty, ticket_make(rq, PURPOSE, holder(rq), who, GOOD_FOR_MS), NULL);
}

static enum http_status
ask_again(struct request *rq, struct response *rs)
{
	return show(rq, rs, rq->form, input_of(rq, TICKET), NULL);
}

/* Somebody between the steps, and their limits. */
struct half_in {
	struct account account;
	struct rate limits[LIMITS];
	const struct rate *held; /* those that apply to what was typed */
	size_t held_count;
	int64_t tries; /* number of codes so far, by the limit that lasts */
	uint32_t wait; /* seconds until the next attempt; 0: none */
};

static void
limits_of(struct request *rq, struct str name, const struct device *device, struct half_in *who)
{
	struct str from = rate_address(rq->arena, rq->in->remote_addr);
	struct str near = rate_network(rq->arena, rq->in->remote_addr);

	who->limits[OF_RECOVERY] =
	    (struct rate){.what = STR("recovery-as"), .who = name, .most = TRIES_OF_RECOVERY};
	who->limits[OF_ADDRESS] =
	    (struct rate){.what = STR("code-from"), .who = from, .most = TRIES_OF_ADDRESS};
	who->limits[OF_NETWORK] =
	    (struct rate){.what = STR("code-near"), .who = near, .most = TRIES_OF_NETWORK};
	who->limits[OF_ACCOUNT] = (struct rate){.what = STR("code-as"), .who = name, .lasts = true};
	who->limits[OF_DEVICE] = (struct rate){.what = STR("code-on"),
	    .who = STR_CONCAT(rq->arena, device->id, STR(" "), name),
	    .lasts = true};
}

/* Finds the limits that apply, and the wait. */
static void
hold(struct request *rq, const struct read *counts, bool known, struct half_in *who)
{
	const struct second_step *in = rq->form->values;
	bool recovery = two_step_is_recovery(in->code);
	size_t from = recovery ? OF_RECOVERY : known ? OF_DEVICE : OF_ADDRESS;
	struct read part = *counts;

	who->held = &who->limits[from];
	who->held_count = recovery || !known ? HELD_MAX : 1;
	part.items += from;
	who->tries = recovery ? 0 : rate_tries(counts, known ? OF_DEVICE : OF_ACCOUNT);
	who->wait = rate_wait(who->held, who->held_count, &part, rq->now);
}

/* What the device's cookie says about that name. */
static struct device
device_for(struct request *rq, struct str name)
{
	struct device people[DEVICE_PEOPLE_MAX];
	size_t count = device_people(rq, people);

	for (size_t i = 0; i < count; i++)
		if (str_eq(people[i].username, name))
			return people[i];
	return (struct device){.era = 0};
}

/*
 * The owner of the ticket, as they are now. False: it has expired, or the account has changed
 * since.
 */
static bool
find(struct request *rq, struct plan *plan, struct half_in *who)
{
	struct str text, name, era;
	struct device device;
	struct read counts;
	int64_t number;

	if (!ticket_open(rq, PURPOSE, holder(rq), input_of(rq, TICKET), &text))
		return false;
	name = str_cut(text, ' ', &era);
	device = device_for(rq, name);
	limits_of(rq, name, &device, who);
	counts = rate_read(rq->arena, who->limits, LIMITS, rq->now);
	if (account_find_with(plan, name, &counts, &who->account) != PLAN_DONE)
		return false;
	rq->account = who->account.user.username;
	hold(rq, &counts, device_known(&device, &who->account.user), who);
	return str_int(era, &number) && who->account.user.era == number &&
	       who->account.user.status == USER_ACTIVE;
}

static enum http_status
too_many(struct request *rq, struct response *rs, const struct half_in *who, uint32_t wait)
{
	const char *sentence = sign_in_wait(rq, rs, wait);

	if (who->tries >= RATE_FREE)
		sentence = str_cstring(rq->arena,
		    STR_CONCAT(rq->arena, str_of(sentence),
			STR(" Many wrong codes were typed for this account. A recovery code works "
			    "at once.")));
	return response_form_again(
	    rs, show(rq, rs, rq->form, input_of(rq, TICKET), sentence), HTTP_TOO_MANY);
}

/* A concurrent attempt was counted first. */
static enum http_status
too_many_now(struct request *rq, struct response *rs, const struct half_in *who)
{
	return too_many(
	    rq, rs, who, rate_wait_now(rq->table, &rq->call, who->held, who->held_count, rq->now));
}

static enum http_status
refuse(struct request *rq, struct response *rs)
{
	refusal_note(rq, "code", rq->account);
	form_refuse(rq->form, "code", "This code is not right, or it has been used already.");
	return ask_again(rq, rs);
}

/*
 * The site can't decrypt anybody's secret: the message must not suggest that the code was mistyped.
 */
static enum http_status
cannot_tell(struct request *rq, struct response *rs, const struct user *user)
{
	if (rq->site->log != NULL)
		log_line(rq->site->log, LOG_ERROR,
		    "The second step of %.*s can't be opened with the site's secret: is it the "
		    "right file?",
		    STR_ARGS(user->username));
	form_refuse(rq->form, "code",
	    "The site can’t check the codes of your app just now. Use one of your recovery codes, "
	    "or turn "
	    "to whoever runs the site.");
	return ask_again(rq, rs);
}

/*
 * Counts it, and now and then adds a notice for the owner: whoever tries codes knows the password.
 */
static enum http_status
wrong(struct request *rq, struct response *rs, const struct half_in *who, bool opens)
{
	const struct user *user = &who->account.user;
	bool tell = who->tries % TELL_EACH == TELL_EACH - 1;
	struct plan plan = plan_of(rq);
	enum plan_rc rc;

	rate_add(&plan, who->held, who->held_count, false);
	if (tell)
		notice_add(rq, &plan, user->username, NOTICE_CODES_GUESSED);
	rc = plan_commit(&plan);
	if (rc == PLAN_TOO_MANY)
		return too_many_now(rq, rs, who);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	if (tell)
		notice_letter(rq, user, NOTICE_CODES_GUESSED);
	return opens ? refuse(rq, rs) : cannot_tell(rq, rs, user);
}

/*
 * As with the password: a right code signs in with its own count, and a wrong one is reported once
 * it is counted.
 */
static enum http_status
use_code(struct request *rq, struct response *rs, struct half_in *who)
{
	struct plan plan = plan_of(rq);
	const struct second_step *in = rq->form->values;
	struct secret_keys keys;
	enum http_status status;

	site_keys(rq->site, TWO_STEP_KEY, &keys);
	rate_add(&plan, who->held, who->held_count, true);
	switch (two_step_use(&plan, rq->site->passwords, &keys, &who->account, in->code)) {
	case PASSWORD_RIGHT: break;
	case PASSWORD_WRONG:
		return wrong(rq, rs, who, two_step_opens(rq->arena, &keys, &who->account));
	case PASSWORD_BUSY:
		return response_form_again(rs,
		    show(rq, rs, rq->form, input_of(rq, TICKET), sign_in_busy(rq, rs)),
		    HTTP_UNAVAILABLE);
	}
	status = sign_in_enter(rq, rs, &who->account.user, &plan);
	if (plan.rc == PLAN_TOO_MANY)
		return too_many_now(rq, rs, who);
	/* The code was used meanwhile. */
	return plan.rc == PLAN_CHANGED ? refuse(rq, rs) : status;
}

static enum http_status
try_code(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct half_in who = {.wait = 0};
	enum http_status status;

	if (!find(rq, &plan, &who)) {
		if (plan.failed != TABLE_OK)
			return status_of(plan.failed);
		status = sign_in_again(rq, rs, "That took too long. Please begin once more.");
		return status == HTTP_OK ? HTTP_UNPROCESSABLE : status;
	}
	/* The person or an admin has turned it off meanwhile: the password was enough. */
	if (who.account.two_step.key.len == 0)
		return sign_in_enter(rq, rs, &who.account.user, &plan);
	return who.wait != 0 ? too_many(rq, rs, &who, who.wait) : use_code(rq, rs, &who);
}

/* As with the password: what fails after signing in is reported by the pending form. */
static enum http_status
sign_in(struct request *rq, struct response *rs)
{
	enum http_status status = try_code(rq, rs);

	if (status != HTTP_UNAVAILABLE || rq->route->page != &page_login_code)
		return status;
	return response_form_again(rs,
	    show(rq, rs, rq->form, input_of(rq, TICKET), sign_in_unreachable), HTTP_UNAVAILABLE);
}

PAGE(login_code, .get = sign_in_ask, .post = sign_in, .refused = ask_again,
    .form = &login_code_form, .body_max = pending_form_body_max)
