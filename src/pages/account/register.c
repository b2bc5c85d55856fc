/* /register: creating an account, as far as the site's policy allows it. */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/people/password.h"
#include "model/site/address_block.h"
#include "model/site/rate.h"
#include "pages/account/account.h"
#include "pages/account/confirm_email.h"
#include "pages/account/name_check.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/publication.h"
#include "text/url.h"
#include "web/session/session.h"

enum { TRIES = 20 };

static const char name_taken[] = "This name is taken.";

struct registering {
	struct str username, display_name, email, password;
};

static const struct field register_fields[] = {
    {FIELD_NAME(struct registering, username), .label = "User name", .required = true,
	.missing = "Choose a user name.",
	.wrong = "A user name has 3 to 30 small letters from a to z, digits and underscores: no "
		 "spaces, no other letters. Your real name goes below.",
	.hint = "3 to 30 small letters, digits and underscores, such as mara_k. It stands in the "
		"address of your page and stays as it is.",
	.autocomplete = "username", .focus = true},
    {FIELD_LINE(struct registering, display_name), .label = "Name as shown", .max = 80,
	.hint = "Your real name, or none: you can change it.", .autocomplete = "name"},
    {FIELD_EMAIL(struct registering, email), .label = "E-mail address", .required = true,
	.missing = "Your e-mail address is missing.", .hint = "Shown to nobody.",
	.autocomplete = "email"},
    {FIELD_PASSWORD(struct registering, password), .label = "Password", .required = true,
	.missing = "Choose a password.",
	.hint = "10 characters at least. Four words in a row make a good one.",
	.autocomplete = "new-password"},
};
static const struct form register_form = FORM(
    "register", struct registering, register_fields, .action = "/register", .button = "Register");

/* How somebody comes in. */
struct entry {
	enum admission admission;
	bool invited;
	struct invitation invitation;
};

/* The code of their link; empty: they have none. */
static struct str
code_of(struct request *rq)
{
	struct str code = rq->method == METHOD_POST ? input_of(rq, "invitation")
						    : request_query(rq, "invitation");

	return code.len == SESSION_TOKEN_LEN ? code : STR("");
}

static enum http_status
say(struct request *rq, struct response *rs, const char *title, const char *intro)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = str_of(title);
	view->intro = str_of(intro);
	return sign_in_respond(rq, rs, view);
}

/* What becomes of whoever registers so, where that is more than an account. */
static const char *
intro_of(struct request *rq, const struct entry *entry)
{
	if (!entry->invited && request_query(rq, "invitation").len != 0)
		return "This invitation is over. You can register all the same, as a reader.";
	if (entry->admission == ADMISSION_WAIT)
		return "An admin looks at each registration. You can sign in once they have let you in.";
	if (!entry->invited)
		return NULL;
	if (entry->invitation.first_admin)
		return "You become the first admin of this site: you name it, invite others, and "
		       "decide who may do what.";
	switch (entry->invitation.role) {
	case ROLE_AUTHOR: return "You are invited as an author: you write and publish your own.";
	case ROLE_EDITOR: return "You are invited as an editor: you work on all that is published.";
	case ROLE_ADMIN: return "You are invited as an admin.";
	case ROLE_READER: break;
	}
	return "You are invited.";
}

static enum http_status
show(struct request *rq, struct response *rs, const struct entry *entry,
    const struct form_result *result, const char *notice)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct link_view *ways = ARENA_ARRAY(rq->arena, 1, struct link_view);

	form_view_fill(rq, rs, result, form);
	if (entry->invited)
		form_view_hide(rq, form, STR("invitation"), code_of(rq));
	ways[0] = (struct link_view){STR("/login"), STR("I have an account")};
	view->title = STR("Register");
	view->intro = str_of(intro_of(rq, entry));
	view->notice = str_of(notice);
	view->form = form;
	view->ways.items = ways;
	view->ways.count = 1;
	return sign_in_respond(rq, rs, view);
}

/* What the policy says about this request. HTTP_OK, or how the table failed. */
static enum http_status
find_entry(struct request *rq, struct read *reads, size_t count, struct entry *entry)
{
	struct plan plan = plan_of(rq);
	struct str code = code_of(rq);
	enum http_status status = page_read(rq, reads, count);
	enum plan_rc rc = PLAN_NOT_INVITED;

	if (status != HTTP_OK)
		return status;
	*entry = (struct entry){.invited = false};
	if (code.len != 0)
		rc = invitation_find(&plan, session_hash(rq->arena, code), &entry->invitation);
	if (rc == PLAN_TABLE)
		return status_of(plan.failed);
	entry->invited = rc == PLAN_DONE;
	entry->admission = account_admission(
	    rq->settings->registration, entry->invited ? WAY_INVITED : WAY_ALONE);
	return HTTP_OK;
}

/* If they may not register, answers so, with *status. */
static bool
turn_away(struct request *rq, struct response *rs, const struct entry *entry,
    enum http_status *status)
{
	if (code_of(rq).len != 0 &&
	    (entry->admission == ADMISSION_NO || entry->admission == ADMISSION_INVITE))
		*status = say(rq, rs, "This invitation is over",
		    "A link is good for one person, and for a limited time: an invitation for a "
		    "week. Ask whoever sent it for another.");
	else if (entry->admission == ADMISSION_NO)
		*status = say(rq, rs, "No new accounts", "This site takes no registrations.");
	else if (entry->admission == ADMISSION_INVITE)
		*status = say(rq, rs, "By invitation",
		    "Accounts here are by invitation. A link in an invitation is good once, and "
		    "for a week.");
	else
		return false;
	*status = response_form_again(rs, *status, HTTP_FORBIDDEN);
	return true;
}

/* A link is for a new account: it is left for whoever it was meant for, or for this person once they are signed out. */
static enum http_status
say_signed_in(struct request *rq, struct response *rs)
{
	return say(rq, rs, "You have an account",
	    str_fmt(rq->arena,
		"You are signed in as %.*s, and this link makes a new account. If it was meant for you, an admin can "
		"give your account its role; to make another account, sign out and follow the link again.",
		STR_ARGS(rq->viewer->user.username))
		.base);
}

static enum http_status
begin(struct request *rq, struct response *rs)
{
	struct form_result empty;
	struct entry entry;
	enum http_status status;
	struct str email;

	if (rq->viewer != NULL && code_of(rq).len == 0)
		return redirect(rs, HTTP_SEE_OTHER, STR("/account"));
	status = find_entry(rq, NULL, 0, &entry);
	if (status == HTTP_OK && rq->viewer != NULL)
		return entry.invited ? say_signed_in(rq, rs) : redirect(rs, HTTP_SEE_OTHER, STR("/account"));
	if (status != HTTP_OK || turn_away(rq, rs, &entry, &status))
		return status;
	form_empty(rq->arena, &register_form, &empty);
	if (email_normal(rq->arena, entry.invitation.whom, &email))
		form_fill(&empty, "email", email);
	return show(rq, rs, &entry, &empty, NULL);
}

/*
 * Reports a bad password together with all other errors, not one round later. False: it is good, or
 * missing.
 */
static bool
refuse_password(struct request *rq)
{
	struct str password = input_of(rq, "password");
	const struct user user = {.username = str_lower(rq->arena, form_raw(rq->form, "username")),
	    .display_name = form_raw(rq->form, "display_name"),
	    .email = str_lower(rq->arena, form_raw(rq->form, "email"))};
	const char *error = password.len != 0 ? account_password_error(rq, password, &user) : NULL;

	if (error != NULL)
		form_refuse(rq->form, "password", error);
	return error != NULL;
}

enum { NAMES = 2 };

/* The names that they want, valid or not. */
static void
names_asked(struct request *rq, struct asked_name names[NAMES])
{
	names[0] =
	    (struct asked_name){"username", str_lower(rq->arena, form_raw(rq->form, "username"))};
	names[1] =
	    (struct asked_name){"display_name", str_trim(form_raw(rq->form, "display_name"))};
}

/* Whoever becomes an admin is of the staff, and may be called so. */
static enum http_status
refuse_names(struct request *rq, const struct entry *entry, const struct asked_name *names,
    const struct read *reads)
{
	return names_refuse(rq, names, NAMES, reads, STR(""), entry->invitation.role == ROLE_ADMIN);
}

/* The form again, with a message and another status. */
static enum http_status
not_now(struct request *rq, struct response *rs, const struct entry *entry, const char *notice,
    enum http_status why)
{
	return response_form_again(rs, show(rq, rs, entry, rq->form, notice), why);
}

/* Nobody becomes less than they were invited to be without being told: then the form has no code any more. */
static enum http_status
invitation_over(struct request *rq, struct response *rs)
{
	const struct entry alone = {.admission = account_admission(rq->settings->registration, WAY_ALONE)};
	enum http_status status = HTTP_OK;

	if (turn_away(rq, rs, &alone, &status))
		return status;
	return not_now(rq, rs, &alone, "The invitation is over. Send this once more to register as a reader.",
	    HTTP_FORBIDDEN);
}

static enum http_status
begin_again(struct request *rq, struct response *rs)
{
	struct asked_name names[NAMES];
	struct read reads[NAMES];
	struct entry entry;
	enum http_status status;

	names_asked(rq, names);
	status = find_entry(rq, reads, names_read(rq, names, NAMES, reads), &entry);
	if (status != HTTP_OK || turn_away(rq, rs, &entry, &status))
		return status;
	refuse_password(rq);
	status = refuse_names(rq, &entry, names, reads);
	if (status != HTTP_OK)
		return status;
	return !entry.invited && code_of(rq).len != 0 ? invitation_over(rq, rs)
						       : show(rq, rs, &entry, rq->form, NULL);
}

static enum http_status
refuse(struct request *rq, struct response *rs, const struct entry *entry, const char *field,
    const char *sentence)
{
	form_refuse(rq->form, field, sentence);
	return show(rq, rs, entry, rq->form, NULL);
}

/* Refuses a name that somebody has. */
static enum http_status
refuse_taken_name(struct request *rq, struct str username)
{
	struct item *item = NULL;
	enum table_rc rc = table_get(rq->table, &rq->call, key_user(rq->arena, username), &item);

	if (rc == TABLE_OK && item != NULL)
		form_refuse(rq->form, "username", name_taken);
	return rc == TABLE_OK ? HTTP_OK : status_of(rc);
}

/* Where whoever has registered begins. */
static struct str
first_page(const struct entry *entry)
{
	if (entry->invitation.first_admin)
		return STR("/admin");
	return entry->invited && entry->invitation.role != ROLE_READER ? STR("/desk") : STR("/account");
}

/* Creates the account, or shows the form with the reason why not. */
static enum http_status
create(struct request *rq, struct response *rs, const struct registering *in,
    const struct entry *entry)
{
	struct plan plan = plan_of(rq);
	struct new_account new = {.username = in->username,
	    .display_name = in->display_name,
	    .email = in->email,
	    .invitation = entry->invited ? &entry->invitation : NULL,
	    .role = entry->invited ? entry->invitation.role : ROLE_READER,
	    .status = entry->admission == ADMISSION_YES ? USER_ACTIVE : USER_WAITING};
	const struct user user = {.username = new.username, .role = new.role};
	const struct rate network = {.what = STR("registered"),
	    .who = rate_network(rq->arena, rq->in->remote_addr),
	    .most = rq->settings->moderation.registrations,
	    .window = RATE_DAY_SECONDS};
	bool by_mail = rq->site->mailer != NULL;
	struct session session;
	struct str token;

	/* That somebody has the address is told only to its owner, by a letter. */
	if (by_mail) {
		new.email = STR("");
		new.new_email = in->email;
		new.new_email_code = new_email_code(rq->arena, rq->clock, in->username);
	}
	if (password_hash(rq->site->passwords, rq->arena, in->password, &new.password) !=
	    PASSWORD_RIGHT)
		return not_now(rq, rs, entry, sign_in_busy(rq, rs), HTTP_UNAVAILABLE);
	if (new.status == USER_ACTIVE) {
		session = session_new(rq, &user, &token);
		new.session = &session;
	}
	/* An invited person does not count: somebody vouches for them. */
	if (!entry->invited)
		rate_add(&plan, &network, 1, false);
	switch (account_create(&plan, &new)) {
	case PLAN_DONE: break;
	case PLAN_TOO_MANY:
		return not_now(rq, rs, entry,
		    sign_in_wait(rq, rs,
			rate_wait_now(rq->table, &rq->call, &network, 1, rq->now)),
		    HTTP_TOO_MANY);
	case PLAN_TAKEN: return refuse(rq, rs, entry, "username", name_taken);
	case PLAN_EMAIL_TAKEN:
		return refuse(
		    rq, rs, entry, "email", "There is an account with this address already.");
	case PLAN_NOT_INVITED: return invitation_over(rq, rs);
	default: return status_of(plan.failed);
	}
	if (by_mail)
		confirm_email_letter(rq, in->username, in->email, new.new_email_code);
	if (new.status == USER_WAITING)
		return say(rq, rs, "Thank you",
		    by_mail ? "Look into your mail, and confirm your address by the link in it. An "
			      "admin will "
			      "look at your registration. From then on you can sign in."
			    : "An admin will look at it. From then on you can sign in.");
	session_cookie(rq, rs, &session, token);
	return by_mail ? redirect_done(rq, rs, first_page(entry), "registered")
		       : redirect(rs, HTTP_SEE_OTHER, first_page(entry));
}

static enum http_status
try_to_register(struct request *rq, struct response *rs)
{
	const struct registering *in = rq->form->values;
	const struct rate rate = {
	    STR("register"), rate_address(rq->arena, rq->in->remote_addr), TRIES};
	struct asked_name names[NAMES];
	struct read reads[NAMES + 1];
	size_t count;
	struct entry entry;
	enum http_status status;
	uint32_t wait = 0;
	enum table_rc rc;

	names_asked(rq, names);
	count = names_read(rq, names, NAMES, reads);
	reads[count] = address_blocks_read();
	status = find_entry(rq, reads, count + 1, &entry);
	if (status != HTTP_OK || turn_away(rq, rs, &entry, &status))
		return status;
	if (!entry.invited && code_of(rq).len != 0)
		return invitation_over(rq, rs);
	if (address_blocked(rq->arena, &reads[count], rq->in->remote_addr))
		return not_now(rq, rs, &entry,
		    "From your network nobody can register just now. Try from elsewhere, or later.",
		    HTTP_FORBIDDEN);
	status = refuse_names(rq, &entry, names, reads);
	if (status != HTTP_OK)
		return status;
	if (refuse_password(rq) || !rq->form->valid) {
		status = refuse_taken_name(rq, in->username);
		return status == HTTP_OK ? show(rq, rs, &entry, rq->form, NULL) : status;
	}
	rc = rate_take(rq->table, &rq->call, &rate, 1, rq->now, &wait);
	if (rc == TABLE_CONDITION)
		return not_now(rq, rs, &entry, sign_in_wait(rq, rs, wait), HTTP_TOO_MANY);
	return rc == TABLE_OK ? create(rq, rs, in, &entry) : status_of(rc);
}

/*
 * With many requests at once, waiting may leave no time for the table: then the form is shown
 * again.
 */
static enum http_status
register_them(struct request *rq, struct response *rs)
{
	const struct entry unknown = {
	    .admission = ADMISSION_YES, .invited = code_of(rq).len != 0};
	enum http_status status = try_to_register(rq, rs);

	if (status != HTTP_UNAVAILABLE || rs->own_error || publication_any(rq) == NULL)
		return status;
	return not_now(rq, rs, &unknown, sign_in_unreachable, status);
}

PAGE(register, .get = begin, .post = register_them, .refused = begin_again, .form = &register_form,
    .query = QUERY("next", "invitation"))
