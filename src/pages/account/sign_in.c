/*
 * /login and /logout. If a form needs signing in, this page contains it as a pending form, and
 * after signing in it is processed as if nothing had happened.
 */
#include "pages/account/sign_in.h"

#include "base/arena.h"
#include "model/people/password.h"
#include "model/site/rate.h"
#include "model/text_rule.h"
#include "pages/account/account.h"
#include "pages/account/notice.h"
#include "pages/account/pending_form.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/refusal.h"
#include "web/http/route.h"
#include "web/session/session.h"

/*
 * A name allows more attempts than one network does: so somebody who only knows a name, which is public, can't lock
 * anybody out. The name counts as it was typed, so that using up the attempts of a name does not reveal which e-mail
 * address belongs to the same account.
 *
 * On a known device none of this counts, only attempts on it and on all known devices of the person: whatever strangers
 * do, the owner gets in there.
 */
enum {
	TRIES_OF_ADDRESS = 30,
	TRIES_OF_NETWORK = 120,
	TRIES_AT_NAME = 10,
	TRIES_AT_NAME_OF_NETWORK = 20,
	TRIES_FROM_ALL = 100,
	TRIES_ON_DEVICE = 10,
	TRIES_ON_DEVICES = 30,
	NEXT_MAX = 2000,
	LONG_SECONDS = 90 * 60, /* beyond this the wait is given in hours */
};
/*
 * How many limits apply to a stranger, the first of them whatever the name; and on a device for its
 * person.
 */
enum { LIMITS_OF_SOURCE = 2, LIMITS_OF_STRANGER = 5, LIMITS_OF_DEVICE = 2 };

VIEW_FIELDS(sign_in_view, VIEW(layout, layout_view), STRING(title), STRING(intro), STRING(notice),
    OPTION(form, form_view), LIST(ways, link_view))
TEMPLATE(sign_in_template, "sign_in", sign_in_view)

struct login {
	struct str name, password;
};

static const struct field login_fields[] = {
    {FIELD_LINE(struct login, name), .label = "User name or e-mail address", .required = true,
	.max = 254, .missing = "Who are you?", .autocomplete = "username", .focus = true},
    {FIELD_PASSWORD(struct login, password), .label = "Password", .required = true,
	.missing = "Your password is missing.", .autocomplete = "current-password"},
};
static const struct form login_form =
    FORM("login", struct login, login_fields, .action = "/login", .button = "Sign in");

/* --- Shared with the second step -------------------------------------------------------------- */

struct str
sign_in_next(struct request *rq)
{
	struct str next =
	    rq->method == METHOD_POST ? input_of(rq, "next") : request_query(rq, "next");

	return next.len <= NEXT_MAX && url_is_local(next) ? next : STR("/");
}

enum http_status
sign_in_respond(struct request *rq, struct response *rs, struct sign_in_view *view)
{
	struct page_frame frame = {.title = view->title, .noindex = true};

	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(sign_in_template, view));
}

enum http_status
sign_in_read(struct request *rq)
{
	enum http_status status = page_read(rq, NULL, 0);

	return publication_any(rq) != NULL ? HTTP_OK : status;
}

const char sign_in_unreachable[] =
    "The site can’t reach its archive just now. Nothing is lost: try again in a moment.";

const char *
sign_in_busy(const struct request *rq, struct response *rs)
{
	if (password_limiter_lacks_memory(rq->site->passwords)) {
		rs->why = "passwords: there is no memory to hash one; see password-memory";
		return "There is not enough memory to check a password just now. Please try once "
		       "more in a while.";
	}
	rs->why = "passwords: as many are being hashed as may be at once";
	return "Many people are signing in just now. Please try once more.";
}

const char *
sign_in_wait(struct request *rq, struct response *rs, uint32_t seconds)
{
	bool hours = seconds > LONG_SECONDS;

	rs->retry_after = seconds;
	return str_cstring(rq->arena,
	    STR_CONCAT(rq->arena, STR("That was a lot in a short time. Please try again in "),
		hours ? words_count(rq->arena, (seconds + 3599) / 3600, "hour", "hours")
		      : words_count(rq->arena, (seconds + 59) / 60, "minute", "minutes"),
		STR(".")));
}

/* --- Signing in ------------------------------------------------------------------------------------- */

void
sign_in_carry(struct request *rq, struct form_view *form)
{
	struct pending_form waiting = pending_form_carried(rq);

	pending_form_carry(rq, &waiting, form);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct form_result *result,
    const struct pending_form *waiting, const char *notice)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct link_view *ways = ARENA_ARRAY(rq->arena, 2, struct link_view);
	enum http_status status = sign_in_read(rq);

	if (status != HTTP_OK)
		return status;
	form_view_fill(rq, rs, result, form);
	pending_form_carry(rq, waiting, form);
	view->title = STR("Sign in");
	if (waiting->address.len != 0) {
		view->intro = STR("You were signed out. What you wrote is safe: sign in, and it "
				  "is sent.");
		form->button_text = STR("Sign in and send");
	}
	view->notice = str_of(notice);
	view->form = form;
	ways[0] = (struct link_view){STR("/forgot"), STR("I forgot my password")};
	ways[1] = (struct link_view){STR("/register"), STR("I am new here")};
	view->ways.items = ways;
	view->ways.count = rq->settings->registration != REGISTRATION_CLOSED ? 2 : 1;
	return sign_in_respond(rq, rs, view);
}

/* Is it a page that can be opened? One that answers a form may have an address that only takes forms. */
static bool
is_page(struct request *rq, struct str address)
{
	struct str query, path = str_cut(address, '?', &query), plain;

	return url_is_local(address) && url_decode(rq->arena, path, false, &plain) &&
	       route_find(rq->arena, rq->site->routes, rq->site->route_count, METHOD_GET, plain).route != NULL;
}

/* The page of this site with the link that led here, but for those of people who come in. */
static struct str
page_before(struct request *rq)
{
	static const char *const coming_in[] = {"/login", "/register", "/forgot", "/reset", "/confirm"};
	struct str origin = rq->site->origin, page = STR("");

	if (str_starts(rq->in->referer, origin))
		page = str_sub(rq->in->referer, origin.len, rq->in->referer.len);
	for (size_t i = 0; i < sizeof(coming_in) / sizeof(coming_in[0]); i++)
		if (str_starts(page, str_of(coming_in[i])))
			return STR("/");
	return page.len <= NEXT_MAX && is_page(rq, page) ? page : STR("/");
}

enum http_status
sign_in_ask(struct request *rq, struct response *rs)
{
	const struct pending_form nothing = {
	    .next = request_query(rq, "next").len != 0 ? sign_in_next(rq) : page_before(rq)};
	struct form_result empty;

	if (rq->viewer != NULL)
		return redirect(rs, HTTP_SEE_OTHER, nothing.next);
	form_empty(rq->arena, &login_form, &empty);
	return show(rq, rs, &empty, &nothing, NULL);
}

static enum http_status
ask_again(struct request *rq, struct response *rs)
{
	struct pending_form waiting = pending_form_carried(rq);

	return show(rq, rs, rq->form, &waiting, NULL);
}

enum http_status
sign_in_again(struct request *rq, struct response *rs, const char *notice)
{
	struct pending_form waiting = pending_form_carried(rq);
	struct form_result empty;

	form_empty(rq->arena, &login_form, &empty);
	return show(rq, rs, &empty, &waiting, notice);
}

enum http_status
page_sign_in_first(struct request *rq, struct response *rs)
{
	struct pending_form waiting;
	struct form_result empty;

	/* Somebody who wanted to sign out is signed out. */
	if (rq->route->page == &page_logout)
		return redirect(rs, HTTP_SEE_OTHER, STR("/"));
	if (pending_form_is_too_much(rq)) {
		rs->error_text = "You are signed out, and what you sent is too much to be kept "
				 "meanwhile. Sign in in another window, then go back and send it "
				 "again.";
		return HTTP_TOO_LARGE;
	}
	waiting = pending_form_sent(rq);
	form_empty(rq->arena, &login_form, &empty);
	return show(rq, rs, &empty, &waiting,
	    !pending_form_lacks_files(rq) ? NULL
	    : waiting.address.len != 0
		? "Files can’t be kept: choose them once more when you are back."
		: "You were signed out. Files can’t be kept: choose them once more when you are "
		  "back.");
}

/* The form again, with a message and another status. */
static enum http_status
not_now(struct request *rq, struct response *rs, const char *notice, enum http_status why)
{
	struct pending_form waiting = pending_form_carried(rq);

	return response_form_again(rs, show(rq, rs, rq->form, &waiting, notice), why);
}

/*
 * The limits that may apply to an attempt: those of a stranger, then of each person known on the
 * device.
 */
struct limits {
	struct rate rates[LIMITS_OF_STRANGER + DEVICE_PEOPLE_MAX * LIMITS_OF_DEVICE];
	struct device people[DEVICE_PEOPLE_MAX];
	size_t people_count;
	struct str typed;
	/* those that apply, once it is known who it is */
	const struct rate *held;
	size_t held_count;
	bool by_name; /* the other name of the same person still has attempts */
};

static struct limits *
limits_of(struct request *rq, struct str typed)
{
	struct limits *limits = ARENA_NEW(rq->arena, struct limits);
	struct rate *next = limits->rates;
	struct str from = rate_address(rq->arena, rq->in->remote_addr);
	struct str network = rate_network(rq->arena, rq->in->remote_addr);
	struct str name = str_lower(rq->arena, typed);

	limits->typed = typed;
	limits->people_count = device_people(rq, limits->people);
	*next++ = (struct rate){STR("sign-in-from"), from, TRIES_OF_ADDRESS, .slows = false};
	*next++ = (struct rate){STR("sign-in-near"), network, TRIES_OF_NETWORK, .slows = false};
	*next++ = (struct rate){STR("sign-in-at"), STR_CONCAT(rq->arena, from, STR(" "), name),
	    TRIES_AT_NAME, .slows = true};
	*next++ = (struct rate){STR("sign-in-by"), STR_CONCAT(rq->arena, network, STR(" "), name),
	    TRIES_AT_NAME_OF_NETWORK, .slows = false};
	*next++ = (struct rate){STR("sign-in-as"), name, TRIES_FROM_ALL, .slows = false};
	for (size_t i = 0; i < limits->people_count; i++) {
		struct str who = limits->people[i].username;

		*next++ = (struct rate){STR("sign-in-on"),
		    STR_CONCAT(rq->arena, limits->people[i].id, STR(" "), who), TRIES_ON_DEVICE,
		    .slows = true};
		*next++ =
		    (struct rate){STR("sign-in-known"), who, TRIES_ON_DEVICES, .slows = false};
	}
	return limits;
}

static struct read
limits_read(struct request *rq, const struct limits *limits)
{
	return rate_read(rq->arena, limits->rates,
	    LIMITS_OF_STRANGER + limits->people_count * LIMITS_OF_DEVICE, rq->now);
}

/* Finds the limits that apply to this person, and returns the wait. */
static uint32_t
limits_hold(
    struct request *rq, struct limits *limits, const struct user *user, const struct read *counts)
{
	struct read part = *counts;
	uint32_t wait;

	limits->held = limits->rates;
	limits->held_count = LIMITS_OF_STRANGER;
	for (size_t i = 0; i < limits->people_count; i++) {
		if (!device_known(&limits->people[i], user))
			continue;
		limits->held += LIMITS_OF_STRANGER + i * LIMITS_OF_DEVICE;
		limits->held_count = LIMITS_OF_DEVICE;
	}
	part.items += limits->held - limits->rates;
	wait = rate_wait(limits->held, limits->held_count, &part, rq->now);
	limits->by_name = wait != 0 && limits->held == limits->rates &&
			  rate_wait(limits->rates, LIMITS_OF_SOURCE, counts, rq->now) == 0;
	return wait;
}

static enum http_status
too_many(struct request *rq, struct response *rs, const struct limits *limits, uint32_t wait)
{
	struct str sentence = str_of(sign_in_wait(rq, rs, wait));
	bool by_email = str_find(limits->typed, '@') != limits->typed.len;

	if (limits->by_name)
		sentence = STR_CONCAT(rq->arena, sentence,
		    by_email ? STR(" Your name works as well as your e-mail address.")
			     : STR(" Your e-mail address works as well as your name."));
	return not_now(rq, rs, str_cstring(rq->arena, sentence), HTTP_TOO_MANY);
}

/* Counts a failed attempt, and only then reports it. */
static enum http_status
wrong(struct request *rq, struct response *rs, const struct limits *limits, const char *sentence)
{
	uint32_t wait = 0;
	enum table_rc rc =
	    rate_take(rq->table, &rq->call, limits->held, limits->held_count, rq->now, &wait);

	if (rc == TABLE_CONDITION)
		return too_many(rq, rs, limits, wait);
	if (rc != TABLE_OK)
		return status_of(rc);
	refusal_note(rq, "sign-in", rq->account);
	form_refuse(rq->form, "password", sentence);
	return ask_again(rq, rs);
}

/* Begins the session, and on an unknown device adds a notice for its owner. */
static enum plan_rc
begin(struct request *rq, struct response *rs, const struct user *user, struct plan *plan)
{
	struct device people[DEVICE_PEOPLE_MAX];
	size_t count = device_people(rq, people);
	bool known = false;

	for (size_t i = 0; i < count; i++)
		known |= device_known(&people[i], user);
	if (!known)
		notice_add(rq, plan, user->username, NOTICE_SIGN_IN);
	if (session_begin(rq, rs, user, plan) == PLAN_DONE && !known)
		notice_letter(rq, user, NOTICE_SIGN_IN);
	return plan->rc;
}

enum http_status
sign_in_enter(struct request *rq, struct response *rs, const struct user *user, struct plan *plan)
{
	struct pending_form waiting = pending_form_carried(rq);
	struct str next = sign_in_next(rq);
	const struct viewer *person = NULL;
	enum http_status status = HTTP_OK;

	/*
	 * With a redirect the next request loads them; a pending form needs them before anything is
	 * written.
	 */
	if (waiting.address.len != 0)
		status = session_person(rq, user, &person);
	if (status != HTTP_OK)
		return status;
	if (begin(rq, rs, user, plan) != PLAN_DONE)
		return plan_refused(rs, plan, plan->rc);
	if (waiting.address.len == 0)
		return redirect(rs, HTTP_SEE_OTHER, next);
	rq->viewer = person;
	return site_resume(rq, rs, waiting.address, pending_form_texts(rq, &waiting));
}

/*
 * Hashes the same password at today's cost. A failure does not matter: the next sign-in tries
 * again.
 */
static void
hash_anew(struct request *rq, const struct account *account)
{
	struct plan plan = plan_of(rq);
	const struct login *login = rq->form->values;
	struct str again;

	if (password_hash(rq->site->passwords, rq->arena, login->password, &again) ==
	    PASSWORD_RIGHT)
		(void)account_rehash(&plan, account->user.username, account->password, again);
}

/* The password was right: that is all, or the first of two steps. */
static enum http_status
proceed(struct request *rq, struct response *rs, const struct limits *limits,
    const struct account *account)
{
	struct plan plan = plan_of(rq);
	enum http_status status;
	enum table_rc rc;
	uint32_t wait = 0;

	if (account->two_step.key.len != 0) {
		rc = rate_take_right(
		    rq->table, &rq->call, limits->held, limits->held_count, rq->now, &wait);
		if (rc == TABLE_OK)
			return sign_in_second_step(rq, rs, &account->user);
		return rc == TABLE_CONDITION ? too_many(rq, rs, limits, wait) : status_of(rc);
	}
	rate_add(&plan, limits->held, limits->held_count, true);
	status = sign_in_enter(rq, rs, &account->user, &plan);
	if (plan.rc != PLAN_TOO_MANY)
		return status;
	wait = rate_wait_now(rq->table, &rq->call, limits->held, limits->held_count, rq->now);
	return too_many(rq, rs, limits, wait);
}

/*
 * All failures look the same and cost the same: one hash, whether or not there is such an account. Only
 * somebody who knows the password learns that the account is disabled.
 *
 * The limits are read with the account, so that a refused attempt costs no hash, and attempts are counted in the
 * transaction that begins the session, or by themselves if wrong: of many concurrent attempts only those that were
 * counted get a result.
 */
static enum http_status
try_to_enter(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct login *login = rq->form->values;
	struct limits *limits = limits_of(rq, login->name);
	struct read counts = limits_read(rq, limits);
	struct account account = {.password = STR("")};
	uint32_t wait;
	bool stale;

	if (account_find_with(&plan, login->name, &counts, &account) == PLAN_TABLE)
		return status_of(plan.failed);
	rq->account = account.user.username;
	wait = limits_hold(rq, limits, &account.user, &counts);
	if (wait != 0)
		return too_many(rq, rs, limits, wait);
	switch (password_check(rq->site->passwords, account.password, login->password, &stale)) {
	case PASSWORD_RIGHT: break;
	case PASSWORD_WRONG:
		return wrong(rq, rs, limits, "That name and that password do not go together.");
	case PASSWORD_BUSY: return not_now(rq, rs, sign_in_busy(rq, rs), HTTP_UNAVAILABLE);
	}
	if (account.user.status == USER_WAITING)
		return wrong(rq, rs, limits, "An admin has yet to let you in.");
	if (account.user.status != USER_ACTIVE)
		return wrong(rq, rs, limits, "This account is closed.");
	if (stale)
		hash_anew(rq, &account);
	return proceed(rq, rs, limits, &account);
}

/* After signing in, rq has the route of the pending form: what fails then is reported by that. */
static enum http_status
sign_in(struct request *rq, struct response *rs)
{
	enum http_status status = try_to_enter(rq, rs);

	if (status != HTTP_UNAVAILABLE || rs->own_error || rq->route->page != &page_login)
		return status;
	return not_now(rq, rs, sign_in_unreachable, status);
}

static enum http_status
sign_out(struct request *rq, struct response *rs)
{
	enum http_status status = session_end(rq, rs);

	return status == HTTP_OK ? redirect(rs, HTTP_SEE_OTHER, STR("/")) : status;
}

PAGE(login, .get = sign_in_ask, .post = sign_in, .refused = ask_again, .form = &login_form,
    .query = QUERY("next", "invitation"), .body_max = pending_form_body_max)
PAGE(logout, .post = sign_out)
