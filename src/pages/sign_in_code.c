/*
 * POST /login/code: the second step of signing in. Between the steps nobody is in: all that there is is a ticket
 * in the form, for five minutes and this visitor alone, that says who knew the password. It opens no other page.
 */
#include "base/arena.h"
#include "model/rate.h"
#include "model/two_step.h"
#include "pages/account.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "pages/sign_in.h"
#include "web/session.h"
#include "web/ticket.h"

#define PURPOSE "second step"
#define TICKET "ticket"

enum { TRIES_OF_ADDRESS = 30, TRIES_OF_ACCOUNT = 6, LIMITS = 2, GOOD_FOR_MS = 5 * 60 * 1000 };

struct second_step {
	struct str code;
};

static const struct field fields[] = {
    {FIELD_LINE(struct second_step, code), .label = "Code", .required = true,
	.max = RECOVERY_CODE_MAX, .missing = "Type the code that your app shows."},
};
const struct form login_code_form = FORM("login-code", struct second_step, fields);

static const struct field_look looks[] = {
    {.hint = "Six digits that your app shows now, or one of your recovery codes.",
	.autocomplete = "one-time-code",
	.focus = true}};

/* Whom a ticket is for: the session that they have already, or their visit. */
static struct str
holder(const struct request *rq)
{
	return rq->pass.len != 0 ? rq->pass : session_visit(rq);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct form_result *result, struct str ticket,
    const char *notice)
{
	static const struct form_look look = {
	    .id = "code", .action = "/login/code", .button = "Sign in", .fields = looks};
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	enum http_status status = sign_in_read(rq);

	if (status != HTTP_OK)
		return status;
	form_view_fill(rq, rs, result, &look, form);
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

enum http_status
page_login_code_refused(struct request *rq, struct response *rs)
{
	return show(rq, rs, rq->form, input_of(rq, TICKET), NULL);
}

/* Who types, and what counts how often they do. */
struct half_in {
	struct account account;
	struct rate limits[LIMITS];
	uint32_t wait; /* before there may be another try; 0: none */
};

/* Who has the ticket, as they are now. False: it is void, be it by time or by what changed since. */
static bool
find(struct request *rq, struct accounts *accounts, struct half_in *who)
{
	struct str text, name, era;
	struct read standing;
	int64_t number;

	if (!ticket_open(rq, PURPOSE, holder(rq), input_of(rq, TICKET), &text))
		return false;
	name = str_cut(text, ' ', &era);
	who->limits[0] = (struct rate){STR("code-from"),
	    rate_address(rq->arena, rq->in->remote_addr), TRIES_OF_ADDRESS, .slows = false};
	who->limits[1] = (struct rate){STR("code-as"), name, TRIES_OF_ACCOUNT, .slows = true};
	standing = rate_read(rq->arena, who->limits, LIMITS, rq->now);
	if (account_find_with(accounts, name, &standing, &who->account) != ACCOUNT_DONE)
		return false;
	who->wait = rate_wait(who->limits, LIMITS, &standing, rq->now);
	return str_int(era, &number) && who->account.user.era == number &&
	       who->account.user.status == USER_ACTIVE;
}

static enum http_status
too_many(struct request *rq, struct response *rs, uint32_t wait)
{
	return response_form_again(rs,
	    show(rq, rs, rq->form, input_of(rq, TICKET), sign_in_wait(rq, rs, wait)),
	    HTTP_TOO_MANY);
}

static enum http_status
wrong(struct request *rq, struct response *rs)
{
	form_refuse(rq->form, "code", "This code is not right, or it has been used already.");
	return page_login_code_refused(rq, rs);
}

/* As with the password: one that is right lets in with its own count, and of one that is not the count is told. */
static enum http_status
use_code(struct request *rq, struct response *rs, struct half_in *who)
{
	struct accounts accounts = accounts_of(rq);
	const struct second_step *in = rq->form->values;
	struct write writes[LIMITS + 1] = {{.rc = TABLE_OK}};
	unsigned char key[SEALED_KEY_BYTES];
	enum http_status status;
	enum table_rc rc;
	uint32_t wait = 0;

	site_key(rq->site, TWO_STEP_KEY, key);
	if (!two_step_use(&accounts, key, &who->account, in->code, &writes[LIMITS])) {
		rc = rate_take(rq->table, &rq->call, who->limits, LIMITS, rq->now, &wait);
		if (rc == TABLE_OK)
			return wrong(rq, rs);
		return rc == TABLE_CONDITION ? too_many(rq, rs, wait) : status_of(rc);
	}
	rate_writes(rq->arena, who->limits, LIMITS, rq->now, true, writes);
	status = sign_in_enter(rq, rs, &who->account.user, writes, LIMITS + 1);
	if (rate_refused(writes, LIMITS))
		return too_many(
		    rq, rs, rate_wait_now(rq->table, &rq->call, who->limits, LIMITS, rq->now));
	/* Somebody else used it meanwhile. */
	return writes[LIMITS].rc == TABLE_CONDITION ? wrong(rq, rs) : status;
}

static enum http_status
try_code(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	struct half_in who = {.wait = 0};
	enum http_status status;

	if (!find(rq, &accounts, &who)) {
		if (accounts.failed != TABLE_OK)
			return status_of(accounts.failed);
		status = sign_in_again(rq, rs, "That took too long. Please begin once more.");
		return status == HTTP_OK ? HTTP_UNPROCESSABLE : status;
	}
	/* Somebody, or an admin, has turned it off meanwhile: the password was enough. */
	if (who.account.two_step.key.len == 0)
		return sign_in_enter(rq, rs, &who.account.user, NULL, 0);
	return who.wait != 0 ? too_many(rq, rs, who.wait) : use_code(rq, rs, &who);
}

/* As with the password: what fails behind the door is the form's that waited. */
enum http_status
page_login_code_post(struct request *rq, struct response *rs)
{
	enum http_status status = try_code(rq, rs);

	if (status != HTTP_UNAVAILABLE || rq->route->handler != page_login_code_post)
		return status;
	return response_form_again(rs,
	    show(rq, rs, rq->form, input_of(rq, TICKET), sign_in_unreachable), HTTP_UNAVAILABLE);
}
