/* /account: one's profile, address, password, and sessions. */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/name.h"
#include "model/people/account.h"
#include "model/people/password.h"
#include "model/reader/follow.h"
#include "model/reader/restriction.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/confirm_email.h"
#include "pages/account/name_check.h"
#include "pages/account/notice.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/listed.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/template.h"
#include "text/view.h"
#include "web/http/dispatch.h"
#include "web/http/refusal.h"
#include "web/session/csrf.h"
#include "web/session/session.h"

#include <string.h>

enum { PROFILE, EMAIL, PASSWORD, FORMS };

/* A session of one's own. */
struct session_view {
	struct str agent, since_text, used_text, hash;
	bool current;
};

VIEW_FIELDS(
    session_view, STRING(agent), STRING(since_text), STRING(used_text), STRING(hash), FLAG(current))

struct account_view {
	struct layout_view layout;
	struct str title, intro, notice, token;
	LIST_OF(struct picture_form_view) portraits;
	LIST_OF(struct form_view) forms;
	LIST_OF(struct notice_view) notices;
	const struct form_view *ending;
	LIST_OF(struct session_view) sessions;
	LIST_OF(struct link_view) ways;
};

VIEW_FIELDS(account_view, VIEW(layout, layout_view), STRING(title), STRING(intro), STRING(notice),
    STRING(token), LIST(portraits, picture_form_view), LIST(forms, form_view), LIST(notices, notice_view), OPTION(ending, form_view),
    LIST(sessions, session_view), LIST(ways, link_view))
TEMPLATE(account_template, "account", account_view)

/* --- The forms --------------------------------------------------------------------------------- */

static const struct field profile_fields[] = {
    {FIELD_LINE(struct profile, display_name), .label = "Name as shown", .max = 80,
	.autocomplete = "name"},
    {FIELD_TEXT(struct profile, bio), .label = "About you", .max = 600},
    {FIELD_URL(struct profile, link), .label = "Link", .max = 500, .autocomplete = "url"},
    {FIELD_FLAG(struct profile, is_private),
	.label = "Show strangers my name only; what I publish stays public",
	.hint = "When you end this, everybody who has asked to follow you does."},
};
static const struct form profile_form = FORM("profile", struct profile, profile_fields,
    .heading = "Your page", .action = "/account/profile", .button = "Save");

struct new_email {
	struct str email, email_password;
};
static const struct field email_fields[] = {
    {FIELD_EMAIL(struct new_email, email), .label = "E-mail address", .required = true,
	.missing = "Your e-mail address is missing.", .autocomplete = "email"},
    {FIELD_PASSWORD(struct new_email, email_password), .label = "Your password", .required = true,
	.missing = "Your password is missing.", .autocomplete = "current-password"},
};
static const struct form email_form = FORM("email", struct new_email, email_fields,
    .heading = "E-mail address", .intro = "It is shown to nobody.", .action = "/account/email",
    .button = "Change the address");

struct new_password {
	struct str old_password, new_password;
};
static const struct field password_fields[] = {
    {FIELD_PASSWORD(struct new_password, old_password), .label = "Your password now",
	.required = true, .missing = "Your password is missing.",
	.autocomplete = "current-password"},
    {FIELD_PASSWORD(struct new_password, new_password), .label = "Your new password",
	.required = true, .missing = "Choose a password.",
	.hint = "10 characters at least. Four words in a row make a good one.",
	.autocomplete = "new-password"},
};
static const struct form password_form = FORM("password", struct new_password, password_fields,
    .heading = "Password", .intro = "A new password signs you out everywhere else.",
    .action = "/account/password", .button = "Change the password");

struct ending {
	struct str sessions_password;
};
static const struct field ending_fields[] = {
    {FIELD_PASSWORD(struct ending, sessions_password), .label = "Your password", .required = true,
	.missing = "Your password is missing.", .autocomplete = "current-password"},
};
static const struct form sessions_form = FORM("sessions", struct ending, ending_fields,
    .heading = "Where you are signed in", .action = "/account/sessions");

static const struct form *const forms[FORMS] = {&profile_form, &email_form, &password_form};

/* --- Sessions --------------------------------------------------------------------------------- */

/*
 * The first of these words found in a browser's User-Agent; several browsers pretend to be others.
 */
static const char *
first_of(struct str agent, const char *const words[][2])
{
	for (; words[0][0] != NULL; words++)
		if (memmem(agent.base, agent.len, words[0][0], strlen(words[0][0])) != NULL)
			return words[0][1];
	return NULL;
}

struct str
sessions_browser(struct arena *arena, struct str agent)
{
	static const char *const browsers[][2] = {{"Edg", "Edge"}, {"OPR/", "Opera"},
	    {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {NULL, NULL}};
	static const char *const systems[][2] = {{"Android", "Android"}, {"iPhone", "an iPhone"},
	    {"iPad", "an iPad"}, {"Windows", "Windows"}, {"Mac OS", "a Mac"}, {"CrOS", "ChromeOS"},
	    {"Linux", "Linux"},
	    {NULL, NULL}};
	const char *browser, *system;

	if (agent.len == 0)
		return STR("An unknown browser");
	browser = first_of(agent, browsers);
	system = first_of(agent, systems);
	if (browser == NULL)
		return agent;
	if (system == NULL)
		return str_of(browser);
	return str_fmt(arena, "%s on %s", browser, system);
}

static struct read
sessions_read(struct request *rq)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_sessions_of(rq->arena, rq->viewer->user.username)};

	read.query.descending = true;
	read.query.limit = SESSIONS_SHOWN;
	return read;
}

/* The sessions that are valid, of those read. */
static const struct session_view *
sessions_shown(struct request *rq, const struct read *read, size_t *count)
{
	struct session_view *out = ARENA_ARRAY(rq->arena, read->found_count, struct session_view);

	*count = 0;
	for (size_t i = 0; i < read->found_count; i++) {
		struct session s;

		session_from_item(rq->arena, &read->found[i], &s);
		if (!session_good(&s, &rq->viewer->user, rq->now))
			continue;
		out[(*count)++] = (struct session_view){
		    .agent = sessions_browser(rq->arena, s.agent),
		    .since_text = words_moment(rq, s.created),
		    .used_text = words_date_near(rq, s.used),
		    .hash = s.hash,
		    .current = str_eq(s.hash, rq->session->hash),
		};
	}
	return out;
}

/* --- The page ---------------------------------------------------------------------------------- */

/* A form filled from the table; the one that was sent is shown as it was sent. */
static const struct form_result *
filled(struct request *rq, int which)
{
	const struct user *user = &rq->viewer->user;
	struct form_result *result = form_shown(rq, forms[which]);

	if (form_was_sent(rq, forms[which]))
		return result;
	if (which == EMAIL)
		form_fill(
		    result, "email", user->new_email.len != 0 ? user->new_email : user->email);
	if (which == PROFILE) {
		form_fill(result, "display_name", user->display_name);
		form_fill(result, "bio", user->bio);
		form_fill(result, "link", user->link);
		form_fill(result, "is_private", user->is_private ? STR("1") : STR("0"));
	}
	return result;
}

/* Links to the other pages of one's account. */
static const struct link_view *
ways_on(struct request *rq, size_t *count)
{
	struct link_view *ways = ARENA_ARRAY(rq->arena, 20, struct link_view);

	*count = 0;
	ways[(*count)++] =
	    (struct link_view){STR("/account/notifications/settings"), STR("What I am told of")};
	ways[(*count)++] = (struct link_view){STR("/account/bookmarks"), STR("Your bookmarks")};
	ways[(*count)++] = (struct link_view){STR("/account/likes"), STR("What you like")};
	ways[(*count)++] = (struct link_view){STR("/account/ratings"), STR("Your ratings")};
	ways[(*count)++] = (struct link_view){STR("/account/two-step"), STR("Two-step sign-in")};
	ways[(*count)++] = (struct link_view){STR("/account/following"), STR("Whom I follow")};
	ways[(*count)++] = (struct link_view){STR("/account/watching"), STR("What I follow")};
	ways[(*count)++] = (struct link_view){STR("/account/followers"), STR("Who follows me")};
	ways[(*count)++] = (struct link_view){STR("/account/muted"), STR("What I have muted")};
	ways[(*count)++] = (struct link_view){STR("/account/blocked"), STR("Whom I have blocked")};
	ways[(*count)++] = (struct link_view){STR("/account/letters"), STR("Letters to me")};
	/* Authors have a link to their desk on every page; readers may be asked to be coauthors. */
	if (!may(rq->viewer, MAY_WRITE, NO_THING))
		ways[(*count)++] = (struct link_view){
		    STR("/desk/requests"), STR("Requests to be named as an author")};
	ways[(*count)++] = (struct link_view){STR("/account/collections"), STR("Your collections")};
	ways[(*count)++] = (struct link_view){STR("/account/restricted"), STR("Held or hidden")};
	ways[(*count)++] =
	    (struct link_view){STR("/account/data"), STR("Take my data along, or leave")};
	return ways;
}

static struct str
unconfirmed(struct request *rq, const struct user *user)
{
	struct str now =
	    user->email.len != 0
		? STR_CONCAT(rq->arena, STR("Until then it is "), user->email, STR("."))
		: STR("Until then you have none: nobody can send you a new password.");

	return STR_CONCAT(rq->arena, user->new_email,
	    STR(" waits to be confirmed, by the link in the letter that was sent to it. "), now,
	    STR(" If it does not come, send this form once more."));
}

enum http_status
account_show(struct request *rq, struct response *rs)
{
	return account_show_portrait(rq, rs, STR(""));
}

enum http_status
account_show_portrait(struct request *rq, struct response *rs, struct str error)
{
	struct account_view *view = ARENA_NEW(rq->arena, struct account_view);
	struct form_view *views = ARENA_ARRAY(rq->arena, FORMS, struct form_view);
	struct picture_form_view *portraits = ARENA_ARRAY(rq->arena, PORTRAITS, struct picture_form_view);
	struct form_view *ending = ARENA_NEW(rq->arena, struct form_view);
	const struct user *user = &rq->viewer->user;
	struct page_frame frame = {.title = STR("Your account"), .noindex = true};
	struct read reads[3] = {sessions_read(rq), notices_read(rq->arena, user->username)};
	size_t pictures = portrait_reads(rq, &reads[2]);
	enum http_status status = page_read(rq, reads, 2 + pictures);

	if (status != HTTP_OK)
		return status;
	view->portraits.items = portraits;
	view->portraits.count =
	    portraits_fill(rq, rs, pictures != 0 ? &reads[2] : NULL, error, portraits);
	for (int i = 0; i < FORMS; i++)
		form_view_fill(rq, rs, filled(rq, i), &views[i]);
	if (user->new_email.len != 0)
		views[EMAIL].intro = unconfirmed(rq, user);
	view->forms.items = views;
	view->forms.count = FORMS;
	view->notices.items = notices_shown(rq, &reads[1], &view->notices.count);
	view->sessions.items = sessions_shown(rq, &reads[0], &view->sessions.count);
	form_view_fill(rq, rs, form_shown(rq, &sessions_form), ending);
	view->ending = ending;
	view->ways.items = ways_on(rq, &view->ways.count);
	view->title = STR("Your account");
	view->intro = str_fmt(rq->arena, "You are %.*s, %s.", STR_ARGS(user->username),
	    user->role == ROLE_READER   ? "a reader"
	    : user->role == ROLE_AUTHOR ? "an author"
	    : user->role == ROLE_EDITOR ? "an editor"
					: "an admin");
	view->token = csrf_token(rq, rs);
	view->notice = str_of(done_says(rq));
	if (view->notice.len == 0 && user->profile == RESTRICTED_HELD)
		view->notice = STR(
		    "What you say of yourself waits for an editor. Until then you alone see it.");
	if (view->notice.len == 0 && user->profile == RESTRICTED_HIDDEN)
		view->notice =
		    STR("The editors have hidden what you say of yourself: see “Held or hidden”.");
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(account_template, view));
}

/* --- What is sent ------------------------------------------------------------------------------ */

static enum http_status
refuse(struct request *rq, struct response *rs, const char *field, const char *sentence)
{
	form_refuse(rq->form, field, sentence);
	return account_show(rq, rs);
}

/* Checks a new name; people whose own name is guarded may share one. */
static enum http_status
check_name(struct request *rq, struct str name)
{
	const struct user *user = &rq->viewer->user;
	const struct asked_name asked = {"display_name", name};
	enum http_status status;
	const char *error;
	struct read read;

	if (name.len == 0 || str_eq(name, user->display_name) || str_eq(name, user->username))
		return HTTP_OK;
	if (name_is_guarded(user)) {
		error = name_error(rq->arena, name);
		if (error != NULL)
			form_refuse(rq->form, "display_name", error);
		return HTTP_OK;
	}
	status = page_read(rq, &read, names_read(rq, &asked, 1, &read));
	return status == HTTP_OK ? names_refuse(rq, &asked, 1, &read, user->username, false) : status;
}

enum restricted
account_held(struct request *rq, struct plan *plan, struct str says)
{
	const struct user *was = &rq->viewer->user;
	const struct flag_target target = {.what = FLAG_PROFILE, .person = was->username};
	struct str why = listed_in(rq, says);

	if (may(rq->viewer, MAY_MODERATE, NO_THING))
		why = STR("");
	if (was->profile == RESTRICTED_NOT && why.len == 0)
		return RESTRICTED_NOT;
	if (why.len == 0)
		why = was->profile == RESTRICTED_HIDDEN ? STR("it was hidden") : STR("it waited");
	restriction_add_hold(plan, &target, was->username, was->username, why);
	return RESTRICTED_HELD;
}

static enum restricted
held_profile(struct request *rq, struct plan *plan, const struct profile *profile)
{
	const struct user *was = &rq->viewer->user;
	bool same = str_eq(was->bio, profile->bio) && str_eq(was->link, profile->link) &&
		    str_eq(was->display_name, profile->display_name);

	return same ? was->profile
		    : account_held(rq, plan,
			  STR_CONCAT(rq->arena, profile->display_name, STR("\n"), profile->bio,
			      STR("\n"), profile->link));
}

static enum http_status
save_profile(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct profile *profile = rq->form->values;
	enum http_status status = check_name(rq, profile->display_name);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!rq->form->valid)
		return account_show(rq, rs);
	status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	rc = account_set_profile(
	    &plan, &rq->viewer->user, profile, held_profile(rq, &plan, profile));
	if (rc == PLAN_CHANGED) {
		form_refuse(rq->form, "bio", "Your profile was changed just now, so this is not saved yet. Save it again.");
		return account_show(rq, rs);
	}
	/* Who has asked to follow needs to ask no more. */
	if (rc == PLAN_DONE && rq->viewer->user.is_private && !profile->is_private)
		rc = follow_approve_all(&plan);
	return plan_answer(rq, rs, &plan, rc, STR("/account"), "profile");
}

const char *
account_password_error(struct request *rq, struct str password, const struct user *user)
{
	const struct publication *site = publication_any(rq);
	const struct password_owner owner = {.username = user->username,
	    .email = user->email,
	    .display_name = user->display_name,
	    .site_name = site != NULL ? site->settings.name : STR(""),
	    .site_address = rq->site->origin};

	return password_error(password, &owner);
}

/* The form again, with what was typed, and the reason beside the password. */
static enum http_status
not_proved(struct request *rq, struct response *rs, const char *field, const char *sentence,
    enum http_status (*again)(struct request *rq, struct response *rs), enum http_status why)
{
	form_refuse(rq->form, field, sentence);
	return response_form_again(rs, again(rq, rs), why);
}

enum http_status
account_prove(struct request *rq, struct response *rs, struct plan *plan, const char *field,
    struct str password, enum http_status (*again)(struct request *rq, struct response *rs))
{
	struct rate *limit = ARENA_NEW(rq->arena, struct rate);
	struct account account;
	enum table_rc rc = TABLE_CONDITION;
	uint32_t wait = rq->proof_wait;
	bool stale;

	*limit = session_proof_limit(rq->viewer->user.username);
	/* As of the start of the request; the change that follows is valid only in that era. */
	account_from_item(rq->arena, rq->viewer->person, &account);
	if (wait == 0) {
		switch (password_check(rq->site->passwords, account.password, password, &stale)) {
		case PASSWORD_RIGHT: rate_add(plan, limit, 1, true); return HTTP_OK;
		case PASSWORD_BUSY:
			return not_proved(
			    rq, rs, field, sign_in_busy(rq, rs), again, HTTP_UNAVAILABLE);
		case PASSWORD_WRONG: break;
		}
		rc = rate_take(rq->table, &rq->call, limit, 1, rq->now, &wait);
	}
	if (rc == TABLE_CONDITION)
		return not_proved(rq, rs, field, sign_in_wait(rq, rs, wait), again, HTTP_TOO_MANY);
	if (rc != TABLE_OK)
		return status_of(rc);
	refusal_note(rq, "password", account.user.username);
	return not_proved(rq, rs, field, "This is not your password.", again, HTTP_UNPROCESSABLE);
}

/* The address counts when it is confirmed; whether somebody else has it is not revealed. */
static enum http_status
ask_to_confirm(struct request *rq, struct response *rs, struct plan *plan, struct str email)
{
	const struct user *user = &rq->viewer->user;
	struct str code = new_email_code(rq->arena, rq->clock, user->username);
	enum plan_rc rc;

	if (str_eq(email, user->email)) {
		rc = account_set_email(plan, user, email);
		return plan_answer(rq, rs, plan, rc, STR("/account"), "email");
	}
	rc = new_email_begin(plan, user, email, code);
	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	confirm_email_letter(rq, user->username, email, code);
	return redirect_done(rq, rs, STR("/account"), "letter");
}

static enum http_status
change_email(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct new_email *in = rq->form->values;
	enum http_status status;
	enum plan_rc rc;

	status = account_prove(rq, rs, &plan, "email_password", in->email_password, account_show);
	if (status != HTTP_OK)
		return status;
	if (rq->site->mailer != NULL)
		return ask_to_confirm(rq, rs, &plan, in->email);
	if (!str_eq(in->email, rq->viewer->user.email))
		notice_add(rq, &plan, rq->viewer->user.username, NOTICE_EMAIL);
	rc = account_set_email(&plan, &rq->viewer->user, in->email);
	if (rc == PLAN_EMAIL_TAKEN)
		return refuse(
		    rq, rs, "email", "There is another account with this address already.");
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	/* To the old address: its owner is the one to warn. */
	if (!str_eq(in->email, rq->viewer->user.email))
		notice_letter(rq, &rq->viewer->user, NOTICE_EMAIL);
	return redirect_done(rq, rs, STR("/account"), "email");
}

static enum http_status
change_password(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct new_password *in = rq->form->values;
	const struct user *user = &rq->viewer->user;
	const char *error = account_password_error(rq, in->new_password, user);
	struct session session;
	struct str hash, token;
	enum http_status status;
	enum plan_rc rc;

	if (error != NULL)
		return refuse(rq, rs, "new_password", error);
	status = account_prove(rq, rs, &plan, "old_password", in->old_password, account_show);
	if (status != HTTP_OK)
		return status;
	if (password_hash(rq->site->passwords, rq->arena, in->new_password, &hash) !=
	    PASSWORD_RIGHT)
		/*
		 * As when the old one can't be checked: whether it was right is not revealed, since
		 * that attempt is not counted.
		 */
		return not_proved(
		    rq, rs, "old_password", sign_in_busy(rq, rs), account_show, HTTP_UNAVAILABLE);
	session = session_new(rq, user, &token);
	notice_add(rq, &plan, user->username, NOTICE_PASSWORD);
	rc = account_set_password(&plan, user, hash, &session);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	notice_letter(rq, user, NOTICE_PASSWORD);
	session_cookie(rq, rs, &session, token);
	return redirect_done(rq, rs, STR("/account"), "password");
}

/* Ends all sessions except this one, which gets a new token. */
static enum http_status
end_others(struct request *rq, struct response *rs, struct plan *plan)
{
	const struct user *user = &rq->viewer->user;
	struct str token;
	struct session session = session_new(rq, user, &token);
	enum plan_rc rc = account_end_sessions(plan, user, &session);

	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	session_cookie(rq, rs, &session, token);
	return redirect_done(rq, rs, STR("/account"), "others");
}

static enum http_status
end_all(struct request *rq, struct response *rs, struct plan *plan)
{
	enum plan_rc rc = account_end_sessions(plan, &rq->viewer->user, NULL);
	enum http_status status;

	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	status = session_end(rq, rs);
	return status == HTTP_OK ? redirect(rs, HTTP_SEE_OTHER, STR("/")) : status;
}

/* Somebody who has taken over a session must not be able to end its owner's others. */
static enum http_status
end_session(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct ending *in = rq->form->values;
	struct str which = input_of(rq, "session");
	bool others = str_eq(which, STR("others")), all = str_eq(which, STR("all"));
	enum http_status status;
	enum plan_rc rc;

	if (!others && !all && which.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	status =
	    account_prove(rq, rs, &plan, "sessions_password", in->sessions_password, account_show);
	if (status != HTTP_OK)
		return status;
	if (others || all)
		return others ? end_others(rq, rs, &plan) : end_all(rq, rs, &plan);
	rc = account_end_session(&plan, &rq->viewer->user, which);
	return plan_answer(rq, rs, &plan, rc, STR("/account"), "session");
}

PAGE(account, .get = account_show, .query = QUERY("done"))
PAGE(profile, .post = save_profile, .refused = account_show, .form = &profile_form)
PAGE(email, .post = change_email, .refused = account_show, .form = &email_form, .proves = true)
PAGE(password, .post = change_password, .refused = account_show, .form = &password_form,
    .proves = true)
PAGE(sessions, .post = end_session, .refused = account_show, .form = &sessions_form, .proves = true)
