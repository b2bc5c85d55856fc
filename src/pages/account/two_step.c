/* /account/two-step: turning two-step sign-in on and off, and new recovery codes. */
#include "base/arena.h"
#include "model/people/totp.h"
#include "model/people/two_step.h"
#include "pages/account/account.h"
#include "pages/account/notice.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "text/qr.h"
#include "text/template.h"
#include "web/form/ticket.h"
#include "web/session/csrf.h"
#include "web/session/session.h"

#define PURPOSE "enrolment"
#define TICKET "ticket"

enum { GOOD_FOR_MS = 60 * 60 * 1000, FORMS_MAX = 2 };

/* What the app needs. */
struct enrolment_view {
	struct str secret_text, address_url, qr_path;
	int64_t qr_size; /* of the picture's view box; 0: too long for a QR code */
};

struct two_step_view {
	struct layout_view layout;
	struct str title, notice, intro;
	struct str
	    leave_token; /* of the form to sign out, if no other page can be used before; else empty */
	const struct enrolment_view *enrolment;
	LIST_OF(struct str) codes;
	LIST_OF(struct form_view) forms;
};

VIEW_FIELDS(
    enrolment_view, STRING(secret_text), STRING(address_url), STRING(qr_path), NUMBER(qr_size))
VIEW_FIELDS(two_step_view, VIEW(layout, layout_view), STRING(title), STRING(notice), STRING(intro),
    STRING(leave_token), OPTION(enrolment, enrolment_view), STRINGS(codes), LIST(forms, form_view))
TEMPLATE(two_step_template, "two_step", two_step_view)

/* --- The forms -------------------------------------------------------------------------------------- */

#define PASSWORD_FIELD(type, member)                                                      \
	{                                                                                 \
		FIELD_PASSWORD(type, member), .label = "Your password", .required = true, \
					      .missing = "Your password is missing.",     \
					      .autocomplete = "current-password"          \
	}

struct enrolling {
	struct str code, password;
};
static const struct field enrol_fields[] = {
    {FIELD_LINE(struct enrolling, code), .label = "Code", .required = true, .max = 20,
	.missing = "Type the code that your app shows.",
	.hint = "Six digits, to see that the app has it right.", .autocomplete = "one-time-code"},
    PASSWORD_FIELD(struct enrolling, password),
};
static const struct form enrol_form = FORM("enrol", struct enrolling, enrol_fields,
    .heading = "Then type what it shows", .intro = "It signs you out everywhere but here.",
    .action = "/account/two-step", .button = "Turn it on");

struct recovering {
	struct str codes_password;
};
static const struct field codes_fields[] = {PASSWORD_FIELD(struct recovering, codes_password)};
static const struct form codes_form =
    FORM("codes", struct recovering, codes_fields, .heading = "Recovery codes",
	.action = "/account/two-step/codes", .button = "Make ten new codes");

struct leaving {
	struct str off_password;
};
static const struct field off_fields[] = {PASSWORD_FIELD(struct leaving, off_password)};
static const struct form off_form = FORM("off", struct leaving, off_fields,
    .heading = "Turn it off", .intro = "From then on the password alone signs you in.",
    .action = "/account/two-step/off", .button = "Turn it off");

/* --- The page --------------------------------------------------------------------------------------- */

/* The new secret, which only the form has. False: it has no valid one. */
static bool
carried_secret(struct request *rq, struct str *secret)
{
	return ticket_open(rq, PURPOSE, rq->viewer->user.username, input_of(rq, TICKET), secret);
}

/* In groups of four, for typing. */
static struct str
grouped(struct arena *arena, struct str text)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < text.len; i++) {
		if (i != 0 && i % 4 == 0)
			buf_putc(&out, ' ');
		buf_putc(&out, text.base[i]);
	}
	return buf_str(&out);
}

static const struct enrolment_view *
enrolment_of(struct request *rq, struct str secret)
{
	struct enrolment_view *view = ARENA_NEW(rq->arena, struct enrolment_view);
	struct qr *qr = ARENA_NEW(rq->arena, struct qr);

	view->secret_text = grouped(rq->arena, totp_base32(rq->arena, secret));
	view->address_url =
	    totp_address(rq->arena, rq->settings->name, rq->viewer->user.username, secret);
	if (qr_make(view->address_url, qr)) {
		view->qr_path = qr_path(rq->arena, qr);
		view->qr_size = qr->size + 2 * QR_QUIET;
	}
	return view;
}

static void
fill_off(struct request *rq, struct response *rs, struct two_step_view *view)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct str secret;

	if (!carried_secret(rq, &secret))
		secret = totp_secret(rq->arena, rq->clock);
	view->intro = STR("Besides your password, a code from an app on your phone: whoever learns "
			  "your password still does not get in.");
	if (settings_ask_two_step(rq->settings->two_step_for, rq->viewer->user.role)) {
		view->notice =
		    STR("This site asks you for a second step. Set it up, then all else is open.");
		view->leave_token = csrf_token(rq, rs);
	}
	view->enrolment = enrolment_of(rq, secret);
	rs->shows_secret = true;
	form_view_fill(rq, rs, form_shown(rq, &enrol_form), form);
	form_view_hide(rq, form, STR(TICKET),
	    ticket_make(rq, PURPOSE, rq->viewer->user.username, secret, GOOD_FOR_MS));
	view->forms.items = form;
	view->forms.count = 1;
}

static void
fill_on(struct request *rq, struct response *rs, size_t codes_left, struct two_step_view *view)
{
	struct form_view *forms = ARENA_ARRAY(rq->arena, FORMS_MAX, struct form_view);

	view->intro = STR("It is on: behind your password you are asked for a code from your app.");
	form_view_fill(rq, rs, form_shown(rq, &codes_form), &forms[0]);
	forms[0].intro = codes_left == 0
			     ? STR("You have none left. New ones get you in without your app.")
			     : str_fmt(rq->arena,
				   "You have %zu left, for when your app is not at hand. New ones "
				   "take their place.",
				   codes_left);
	form_view_fill(rq, rs, form_shown(rq, &off_form), &forms[1]);
	view->forms.items = forms;
	view->forms.count = FORMS_MAX;
}

static enum http_status
answer(struct request *rq, struct response *rs, struct two_step_view *view, struct str title)
{
	struct page_frame frame = {.title = title, .noindex = true};

	view->title = title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(two_step_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct two_step_view *view = ARENA_NEW(rq->arena, struct two_step_view);
	struct account account;
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	account_from_item(rq->arena, rq->viewer->person, &account);
	if (account.two_step.key.len != 0)
		fill_on(rq, rs, account.two_step.codes_left, view);
	else
		fill_off(rq, rs, view);
	return answer(rq, rs, view, STR("Two-step sign-in"));
}

/*
 * By the cached settings, though they may be a moment old: reading them again would cost each page
 * a round trip.
 */
static enum http_status
asked_of(struct request *rq, enum two_step_for *whom)
{
	enum http_status status = HTTP_OK;

	if (publication_any(rq) == NULL)
		status = page_read(rq, NULL, 0);
	if (status == HTTP_OK)
		*whom = rq->settings->two_step_for;
	publication_drop(rq);
	return status;
}

enum http_status
page_two_step_first(struct request *rq, struct response *rs)
{
	enum two_step_for whom;
	enum http_status status;

	if (rq->route->before_two_step || item_get(rq->viewer->person, STR("SecondKey")) != NULL)
		return HTTP_OK;
	status = asked_of(rq, &whom);
	if (status != HTTP_OK || !settings_ask_two_step(whom, rq->viewer->user.role))
		return status;
	if (rq->method == METHOD_GET)
		return redirect(rs, HTTP_SEE_OTHER, STR("/account/two-step"));
	rs->error_text =
	    "This site asks you to sign in in two steps. Set that up in another window, "
	    "at /account/two-step, then go back and send this again.";
	return HTTP_FORBIDDEN;
}

/* --- What is sent ----------------------------------------------------------------------------------- */

/*
 * Stores new codes, with or without a new secret, and shows them once. `field` is where the
 * password was typed.
 */
static enum http_status
set_codes(struct request *rq, struct response *rs, struct plan *plan, const char *field,
    struct str secret, int64_t step)
{
	struct two_step_view *view = ARENA_NEW(rq->arena, struct two_step_view);
	struct recovery *recovery = ARENA_NEW(rq->arena, struct recovery);
	const struct user *user = &rq->viewer->user;
	enum notice what = secret.len != 0 ? NOTICE_TWO_STEP_ON : NOTICE_RECOVERY_CODES;
	unsigned char key[SEALED_KEY_BYTES];
	enum http_status status = page_read(rq, NULL, 0);
	struct session session;
	enum plan_rc rc;
	struct str token;

	if (status != HTTP_OK)
		return status;
	session = session_new(rq, user, &token);
	if (two_step_codes(rq->site->passwords, rq->arena, rq->clock, recovery) != PASSWORD_RIGHT) {
		/*
		 * As when the password can't be checked: whether it was right is not revealed,
		 * since that attempt is not counted.
		 */
		form_refuse(rq->form, field, sign_in_busy(rq, rs));
		return response_form_again(rs, show(rq, rs), HTTP_UNAVAILABLE);
	}
	site_key(rq->site, TWO_STEP_KEY, key);
	notice_add(rq, plan, user->username, what);
	rc = two_step_set(plan, rq->clock, key, user, secret, step, recovery, &session);
	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	notice_letter(rq, user, what);
	if (secret.len != 0) {
		session_cookie(rq, rs, &session, token);
		view->notice = STR("It is on, and you are signed out everywhere else.");
	}
	view->intro =
	    STR("Write these down, or print them, and keep them where you keep your keys. "
		"Each gets you in once when your app is not at hand. They are not shown again.");
	view->codes.items = recovery->codes;
	view->codes.count = RECOVERY_CODES;
	return answer(rq, rs, view, STR("Your recovery codes"));
}

static enum http_status
turn_on(struct request *rq, struct response *rs)
{
	const struct enrolling *in = rq->form->values;
	struct plan plan = plan_of(rq);
	enum http_status status;
	struct str secret;
	int64_t step;

	if (!carried_secret(rq, &secret)) {
		form_refuse(rq->form, "code",
		    "That took too long: please read the new picture with your app.");
		return show(rq, rs);
	}
	step = totp_match(secret, in->code, rq->now, 0);
	if (step == 0) {
		form_refuse(rq->form, "code",
		    "This is not what the app shows now. Is the phone's clock right?");
		return show(rq, rs);
	}
	status = account_prove(rq, rs, &plan, "password", in->password, show);
	return status == HTTP_OK ? set_codes(rq, rs, &plan, "password", secret, step) : status;
}

static enum http_status
make_codes(struct request *rq, struct response *rs)
{
	const struct recovering *in = rq->form->values;
	struct plan plan = plan_of(rq);
	enum http_status status =
	    account_prove(rq, rs, &plan, "codes_password", in->codes_password, show);

	return status == HTTP_OK ? set_codes(rq, rs, &plan, "codes_password", STR(""), 0) : status;
}

static enum http_status
turn_off(struct request *rq, struct response *rs)
{
	const struct leaving *in = rq->form->values;
	struct plan plan = plan_of(rq);
	enum http_status status =
	    account_prove(rq, rs, &plan, "off_password", in->off_password, show);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	notice_add(rq, &plan, rq->viewer->user.username, NOTICE_TWO_STEP_OFF);
	rc = two_step_off(&plan, &rq->viewer->user);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	notice_letter(rq, &rq->viewer->user, NOTICE_TWO_STEP_OFF);
	return redirect_done(rq, rs, STR("/account"), "two-step-off");
}

PAGE(two_step, .get = show, .post = turn_on, .refused = show, .form = &enrol_form, .proves = true)
PAGE(two_step_codes, .post = make_codes, .refused = show, .form = &codes_form, .proves = true)
PAGE(two_step_off, .post = turn_off, .refused = show, .form = &off_form, .proves = true)
