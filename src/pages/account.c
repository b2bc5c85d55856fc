/* /account: what one says of oneself, the address, the password, and where one is signed in. */
#include "model/account.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/password.h"
#include "model/rate.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "pages/sign_in.h"
#include "pages/words.h"
#include "web/csrf.h"
#include "web/session.h"
#include "web/template.h"

#include <string.h>

enum { PROFILE, EMAIL, PASSWORD, FORMS, TRIES = 10 };

struct session_view {
	struct str agent, since_text, used_text, hash;
	bool current;
};

struct account_view {
	struct layout_view layout;
	struct str title, intro, notice, token;
	LIST_OF(struct form_view) forms;
	LIST_OF(struct session_view) sessions;
};

VIEW_FIELDS(
    session_view, STRING(agent), STRING(since_text), STRING(used_text), STRING(hash), FLAG(current))
VIEW_FIELDS(account_view, VIEW(layout, layout_view), STRING(title), STRING(intro), STRING(notice),
    STRING(token), LIST(forms, form_view), LIST(sessions, session_view))
TEMPLATE(account_template, "account", account_view)

/* --- The forms -------------------------------------------------------------------------------------- */

static const struct field profile_fields[] = {
    {FIELD_LINE(struct profile, display_name), .label = "Name as shown", .max = 80},
    {FIELD_TEXT(struct profile, bio), .label = "About you", .max = 600},
    {FIELD_URL(struct profile, link), .label = "Link", .max = 500},
    {FIELD_URL(struct profile, avatar_url), .label = "Address of your picture", .max = 500,
	.wrong = "Write a whole address that begins with https://."},
    {FIELD_FLAG(struct profile, is_private),
	.label = "Show strangers my name only; what I publish stays public"},
};
const struct form profile_form = FORM("profile", struct profile, profile_fields);

struct new_email {
	struct str email, email_password;
};
static const struct field email_fields[] = {
    {FIELD_EMAIL(struct new_email, email), .label = "E-mail address", .required = true,
	.missing = "Your e-mail address is missing."},
    {FIELD_PASSWORD(struct new_email, email_password), .label = "Your password", .required = true,
	.missing = "Your password is missing."},
};
const struct form email_form = FORM("email", struct new_email, email_fields);

struct new_password {
	struct str old_password, new_password;
};
static const struct field password_fields[] = {
    {FIELD_PASSWORD(struct new_password, old_password), .label = "Your password now",
	.required = true, .missing = "Your password is missing."},
    {FIELD_PASSWORD(struct new_password, new_password), .label = "Your new password",
	.required = true, .missing = "Choose a password."},
};
const struct form password_form = FORM("password", struct new_password, password_fields);

static const struct form *const forms[FORMS] = {&profile_form, &email_form, &password_form};

static const struct field_look profile_looks[] = {{.autocomplete = "name"}, {NULL},
    {.autocomplete = "url"}, {.hint = "It begins with https:// and is shown 96 pixels wide."},
    {NULL}};
static const struct field_look email_looks[] = {
    {.autocomplete = "email"}, {.autocomplete = "current-password"}};
static const struct field_look password_looks[] = {{.autocomplete = "current-password"},
    {.hint = "10 characters at least. Four words in a row make a good one.",
	.autocomplete = "new-password"}};

static const struct form_look looks[FORMS] = {
    {"profile", "Your page", NULL, "/account/profile", "Save", profile_looks},
    {"email", "E-mail address", "It is shown to nobody.", "/account/email", "Change the address",
	email_looks},
    {"password", "Password", "A new password signs you out everywhere else.", "/account/password",
	"Change the password", password_looks},
};

const char *const account_parameters[] = {"done", NULL};

/* What is said after something was done; the address carries its name. */
static const struct {
	struct str name;
	const char *says;
} done[] = {
    {STR_INIT("profile"), "Saved."},
    {STR_INIT("email"), "Your e-mail address is changed."},
    {STR_INIT("password"), "Your password is changed, and you are signed out everywhere else."},
    {STR_INIT("session"), "It is signed out."},
    {STR_INIT("others"), "You are signed out everywhere else."},
};

static enum http_status
go_back(struct request *rq, struct response *rs, const char *what)
{
	return redirect(
	    rs, HTTP_SEE_OTHER, STR_CONCAT(rq->arena, STR("/account?done="), str_of(what)));
}

/* --- The page --------------------------------------------------------------------------------------- */

/* A form as the table has it; the one that was sent is shown as it was sent. */
static const struct form_result *
filled(struct request *rq, int which)
{
	const struct user *user = &rq->viewer->user;
	struct form_result *result;

	if (rq->form != NULL && rq->form->form == forms[which])
		return rq->form;
	result = ARENA_NEW(rq->arena, struct form_result);
	form_empty(rq->arena, forms[which], result);
	if (which == EMAIL)
		form_fill(result, "email", user->email);
	if (which == PROFILE) {
		form_fill(result, "display_name", user->display_name);
		form_fill(result, "bio", user->bio);
		form_fill(result, "link", user->link);
		form_fill(result, "avatar_url", user->avatar_url);
		form_fill(result, "is_private", user->is_private ? STR("1") : STR("0"));
	}
	return result;
}

/* The first of these words that a browser's own words hold; several browsers pretend to be others. */
static const char *
first_of(struct str agent, const char *const words[][2])
{
	for (; words[0][0] != NULL; words++)
		if (memmem(agent.base, agent.len, words[0][0], strlen(words[0][0])) != NULL)
			return words[0][1];
	return NULL;
}

/* "Firefox on Linux" of what a browser calls itself. */
static struct str
browser_name(struct request *rq, struct str agent)
{
	static const char *const browsers[][2] = {{"Edg", "Edge"}, {"OPR/", "Opera"},
	    {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {NULL, NULL}};
	static const char *const systems[][2] = {{"Android", "Android"}, {"iPhone", "an iPhone"},
	    {"iPad", "an iPad"}, {"Windows", "Windows"}, {"Mac OS", "a Mac"}, {"Linux", "Linux"},
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
	return str_fmt(rq->arena, "%s on %s", browser, system);
}

static void
fill_sessions(struct request *rq, const struct read *read, struct account_view *view)
{
	struct session_view *out = ARENA_ARRAY(rq->arena, read->found_count, struct session_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++) {
		struct session s;

		session_from_item(rq->arena, &read->found[i], &s);
		if (!session_good(&s, &rq->viewer->user, rq->now))
			continue;
		out[count++] = (struct session_view){
		    .agent = browser_name(rq, s.agent),
		    .since_text = words_date_near(rq->arena, s.created, rq->now),
		    .used_text = words_date_near(rq->arena, s.used, rq->now),
		    .hash = s.hash,
		    .current = str_eq(s.hash, rq->session->hash),
		};
	}
	view->sessions.items = out;
	view->sessions.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct account_view *view = ARENA_NEW(rq->arena, struct account_view);
	struct form_view *views = ARENA_ARRAY(rq->arena, FORMS, struct form_view);
	const struct user *user = &rq->viewer->user;
	struct page_frame frame = {.title = STR("Your account"), .noindex = true};
	struct read read = {
	    .kind = READ_QUERY, .query = query_sessions_of(rq->arena, user->username)};
	enum http_status status;

	read.query.descending = true;
	read.query.limit = SESSIONS_SHOWN;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	for (int i = 0; i < FORMS; i++)
		form_view_fill(rq, rs, filled(rq, i), &looks[i], &views[i]);
	view->forms.items = views;
	view->forms.count = FORMS;
	fill_sessions(rq, &read, view);
	view->title = STR("Your account");
	view->intro = str_fmt(rq->arena, "You are %.*s, %s.", STR_ARGS(user->username),
	    user->role == ROLE_READER   ? "a reader"
	    : user->role == ROLE_AUTHOR ? "an author"
	    : user->role == ROLE_EDITOR ? "an editor"
					: "an admin");
	view->token = csrf_token(rq, rs);
	for (size_t i = 0; rq->method == METHOD_GET && i < sizeof(done) / sizeof(done[0]); i++)
		if (str_eq(request_query(rq, "done"), done[i].name))
			view->notice = str_of(done[i].says);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(account_template, view));
}

enum http_status
page_account(struct request *rq, struct response *rs)
{
	return show(rq, rs);
}

/* --- What is sent ----------------------------------------------------------------------------------- */

static struct accounts
accounts_of(struct request *rq)
{
	return (struct accounts){.table = rq->table, .call = &rq->call, .now = rq->now};
}

static enum http_status
refuse(struct request *rq, struct response *rs, const char *field, const char *sentence)
{
	form_refuse(rq->form, field, sentence);
	return show(rq, rs);
}

/* How a change of one's own account ended, when it was not done. */
static enum http_status
failure(enum account_rc rc, const struct accounts *accounts)
{
	return rc == ACCOUNT_TABLE ? status_of(accounts->failed) : HTTP_CONFLICT;
}

enum http_status
page_profile_post(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	const struct profile *profile = rq->form->values;
	enum account_rc rc;

	/* A page that came by https shows no picture that did not. */
	if (profile->avatar_url.len != 0 && !str_starts(profile->avatar_url, STR("https://")))
		return refuse(rq, rs, "avatar_url", profile_fields[3].wrong);
	rc = account_set_profile(&accounts, rq->viewer->user.username, profile);
	return rc == ACCOUNT_DONE ? go_back(rq, rs, "profile") : failure(rc, &accounts);
}

/*
 * Do they know their password? HTTP_OK, or what is to be answered: a stolen session alone changes
 * neither password nor address, and can't try many either.
 */
static enum http_status
prove(struct request *rq, struct response *rs, const char *field, struct str password)
{
	const struct rate rate = {STR("sign-in-as"), rq->viewer->user.username, TRIES};
	struct accounts accounts = accounts_of(rq);
	struct account account;
	uint32_t wait = 0;
	bool stale;
	enum table_rc rc = rate_take(rq->table, &rq->call, &rate, 1, rq->now, &wait);

	if (rc == TABLE_CONDITION) {
		rs->retry_after = wait;
		return HTTP_TOO_MANY;
	}
	if (rc != TABLE_OK)
		return status_of(rc);
	if (account_find(&accounts, rq->viewer->user.username, &account) != ACCOUNT_DONE)
		return status_of(accounts.failed);
	switch (password_check(rq->site->passwords, account.password, password, &stale)) {
	case PASSWORD_RIGHT: return HTTP_OK;
	case PASSWORD_BUSY: return HTTP_UNAVAILABLE;
	case PASSWORD_WRONG: break;
	}
	refuse(rq, rs, field, "This is not your password.");
	return HTTP_UNPROCESSABLE;
}

enum http_status
page_email_post(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	const struct new_email *in = rq->form->values;
	enum http_status status;
	enum account_rc rc;
	struct str email;

	if (!email_normal(rq->arena, in->email, &email))
		return refuse(rq, rs, "email", "This is not an e-mail address.");
	status = prove(rq, rs, "email_password", in->email_password);
	if (status != HTTP_OK)
		return status;
	rc = account_set_email(&accounts, &rq->viewer->user, email);
	if (rc == ACCOUNT_EMAIL_TAKEN)
		return refuse(
		    rq, rs, "email", "There is another account with this address already.");
	return rc == ACCOUNT_DONE ? go_back(rq, rs, "email") : failure(rc, &accounts);
}

enum http_status
page_password_post(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	const struct new_password *in = rq->form->values;
	const struct user *user = &rq->viewer->user;
	const char *flaw = password_flaw(in->new_password, user->username, user->email);
	struct session session;
	struct str hash, token;
	enum http_status status;
	enum account_rc rc;

	if (flaw != NULL)
		return refuse(rq, rs, "new_password", flaw);
	status = prove(rq, rs, "old_password", in->old_password);
	if (status != HTTP_OK)
		return status;
	if (password_hash(rq->site->passwords, rq->arena, in->new_password, &hash) !=
	    PASSWORD_RIGHT)
		return HTTP_UNAVAILABLE;
	session = session_new(rq, user, &token);
	rc = account_set_password(&accounts, user, hash, &session);
	if (rc != ACCOUNT_DONE)
		return failure(rc, &accounts);
	session_cookie(rq, rs, user->username, token);
	return go_back(rq, rs, "password");
}

enum http_status
page_account_again(struct request *rq, struct response *rs)
{
	return show(rq, rs);
}

enum http_status
page_sessions_post(struct request *rq, struct response *rs)
{
	struct accounts accounts = accounts_of(rq);
	const struct user *user = &rq->viewer->user;
	struct str which = input_of(rq, "session"), token;
	struct session session;
	struct write write;
	enum account_rc ended;
	enum table_rc rc;

	if (str_eq(which, STR("others"))) {
		session = session_new(rq, user, &token);
		ended = account_end_sessions(&accounts, user, &session);
		if (ended != ACCOUNT_DONE)
			return failure(ended, &accounts);
		session_cookie(rq, rs, user->username, token);
		return go_back(rq, rs, "others");
	}
	if (which.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	write = session_delete(rq->arena, which, user->username);
	rc = table_write(rq->table, &rq->call, &write);
	/* What is not theirs, or has ended, is ended as far as they are told. */
	return rc == TABLE_OK || rc == TABLE_CONDITION ? go_back(rq, rs, "session") : status_of(rc);
}
