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

enum { TRIES_OF_ADDRESS = 30, TRIES_OF_ACCOUNT = 6, GOOD_FOR_MS = 5 * 60 * 1000 };

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

/* Who has the ticket, as they are now. False: it is void, be it by time or by what changed since. */
static bool
find(struct request *rq, struct accounts *accounts, struct account *account)
{
	struct str text, name, era;
	int64_t number;

	if (!ticket_open(rq, PURPOSE, holder(rq), input_of(rq, TICKET), &text))
		return false;
	name = str_cut(text, ' ', &era);
	return account_find(accounts, name, account) == ACCOUNT_DONE && str_int(era, &number) &&
	       account->user.era == number && account->user.status == USER_ACTIVE;
}

static enum http_status
take_try(struct request *rq, struct str username, uint32_t *wait)
{
	const struct rate rates[] = {
	    {STR("code-from"), rate_address(rq->arena, rq->in->remote_addr), TRIES_OF_ADDRESS},
	    {STR("code-as"), username, TRIES_OF_ACCOUNT},
	};
	enum table_rc rc = rate_take(rq->table, &rq->call, rates, 2, rq->now, wait);

	if (rc == TABLE_CONDITION)
		return HTTP_TOO_MANY;
	return rc == TABLE_OK ? HTTP_OK : status_of(rc);
}

static enum http_status
try_code(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	const struct second_step *in = rq->form->values;
	unsigned char key[SEALED_KEY_BYTES];
	struct account account;
	enum http_status status;
	struct write use;
	uint32_t wait = 0;

	if (!find(rq, &accounts, &account)) {
		if (accounts.failed != TABLE_OK)
			return status_of(accounts.failed);
		status = sign_in_again(rq, rs, "That took too long. Please begin once more.");
		return status == HTTP_OK ? HTTP_UNPROCESSABLE : status;
	}
	/* Somebody, or an admin, has turned it off meanwhile: the password was enough. */
	if (account.two_step.key.len == 0)
		return sign_in_enter(rq, rs, &account.user, NULL);
	status = take_try(rq, account.user.username, &wait);
	if (status == HTTP_TOO_MANY)
		return response_form_again(rs,
		    show(rq, rs, rq->form, input_of(rq, TICKET), sign_in_wait(rq, rs, wait)),
		    HTTP_TOO_MANY);
	if (status != HTTP_OK)
		return status;
	site_key(rq->site, TWO_STEP_KEY, key);
	two_step_use(&accounts, key, &account, in->code, &use);
	status = sign_in_enter(rq, rs, &account.user, &use);
	if (use.rc != TABLE_CONDITION)
		return status;
	form_refuse(rq->form, "code", "This code is not right, or it has been used already.");
	return page_login_code_refused(rq, rs);
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
