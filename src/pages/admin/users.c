/*
 * GET /admin/users: people by name, all or those of a role or status, by the beginning of their
 * names, or by e-mail address. /admin/users/<u>: one person: role, groups, status and sessions.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/people/group.h"
#include "model/people/person_counts.h"
#include "model/people/reset.h"
#include "model/viewer.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/http/dispatch.h"
#include "web/mail/mail.h"

enum { PEOPLE = 50, NAME_LENGTH = 30 };

static const struct {
	const char *value, *label;
} choices[] = {{"", "Everybody"}, {"waiting", "Who waits to be let in"}, {"admin", "Admins"},
    {"editor", "Editors"}, {"author", "Authors"}, {"reader", "Readers"},
    {"disabled", "Disabled accounts"}};
enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };

/* --- All people -------------------------------------------------------------------------------- */

/* "an author", "waits to be let in" */
static struct str
role_or_status_words(const struct user *user)
{
	switch (user->status) {
	case USER_WAITING: return STR("waits");
	case USER_DISABLED: return STR("disabled");
	case USER_ACTIVE: break;
	}
	return user->role == ROLE_READER ? STR("") : str_of(role_name(user->role));
}

struct str
admin_user_email(struct request *rq, const struct user *user)
{
	if (user->email.len != 0)
		return user->email;
	return user->new_email.len != 0
		   ? STR_CONCAT(rq->arena, user->new_email, STR(" (not confirmed)"))
		   : STR("no e-mail address");
}

struct admin_row_view
admin_user_row(struct request *rq, const struct user *user)
{
	return (struct admin_row_view){
	    .url = url_join(rq->arena, STR("/admin/users/"), user->username),
	    .name = user->display_name,
	    .badge = role_or_status_words(user),
	    .text = STR_CONCAT(rq->arena, user->username, STR(" · "), admin_user_email(rq, user),
		STR(" · since "), words_date(rq, user->created)),
	};
}

/* The requested role or status; empty: any. */
static struct str
role_or_status_asked(struct request *rq)
{
	struct str asked = request_query(rq, "standing");

	for (size_t i = 0; i < CHOICES; i++)
		if (str_eq(asked, str_of(choices[i].value)))
			return asked;
	return STR("");
}

static const struct admin_search_view *
search_of(struct request *rq, struct str role_or_status)
{
	struct admin_search_view *search = ARENA_NEW(rq->arena, struct admin_search_view);
	struct option_view *options = ARENA_ARRAY(rq->arena, CHOICES, struct option_view);

	for (size_t i = 0; i < CHOICES; i++)
		options[i] = (struct option_view){str_of(choices[i].value),
		    str_of(choices[i].label), str_eq(role_or_status, str_of(choices[i].value))};
	*search = (struct admin_search_view){.action_url = STR("/admin/users"),
	    .label = STR("Username or address"),
	    .name = STR("q"),
	    .value = request_query(rq, "q"),
	    .hint = STR("The beginning of a username, or a whole e-mail address."),
	    .select_label = STR("Who"),
	    .select_name = STR("standing"),
	    .options = {options, CHOICES}};
	return search;
}

/* The owner of an address, as a list of one or none. */
static enum http_status
find_by_email(struct request *rq, struct str email, struct read *list)
{
	struct read claim = {.kind = READ_GET, .key = key_email(rq->arena, email)};
	struct read person = {.kind = READ_GET};
	enum http_status status = page_read(rq, &claim, 1);

	*list = (struct read){.found_count = 0};
	if (status != HTTP_OK || claim.item == NULL)
		return status;
	person.key = key_user(rq->arena, item_string(claim.item, STR("Username")));
	status = page_read(rq, &person, 1);
	list->found = person.item;
	list->found_count = person.item != NULL;
	return status;
}

static enum http_status
find_by_name(struct request *rq, struct str role_or_status, struct str prefix, struct read *list)
{
	bool newer;

	*list = (struct read){.found_count = 0};
	if (prefix.len > NAME_LENGTH)
		return page_read(rq, NULL, 0);
	*list = (struct read){
	    .kind = READ_QUERY, .query = query_people(rq->arena, role_or_status, prefix)};
	list->query.limit = PEOPLE;
	if (!list_cursor(rq, &list->query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	return page_read(rq, list, 1);
}

static enum http_status
show_users(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/users", STR("People"));
	struct admin_panel_view *panel = admin_panel(view, "people", NULL);
	struct str typed = str_lower(rq->arena, str_trim(request_query(rq, "q")));
	struct str role_or_status = role_or_status_asked(rq), email;
	struct admin_row_view *rows;
	struct read list;
	enum http_status status = email_normal(rq->arena, typed, &email)
				      ? find_by_email(rq, email, &list)
				      : find_by_name(rq, role_or_status, typed, &list);

	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, list.found_count, struct admin_row_view);
	for (size_t i = 0; i < list.found_count; i++) {
		struct user user;

		user_from_item(rq->arena, &list.found[i], &user);
		rows[i] = admin_user_row(rq, &user);
	}
	panel->search = search_of(rq, role_or_status);
	panel->rows.items = rows;
	panel->rows.count = list.found_count;
	panel->empty_text = STR("There is nobody like that.");
	if (list.next.len != 0)
		admin_way(rq, panel, older_url(rq, list.next), "More");
	return admin_respond(rq, rs, view);
}

/* --- One person ------------------------------------------------------------------------------- */

struct role_form {
	int64_t role;
};
const struct choice admin_roles[] = {
    {STR_INIT("reader"), "Reader: reads, and takes part", ROLE_READER},
    {STR_INIT("author"), "Author: writes and publishes their own", ROLE_AUTHOR},
    {STR_INIT("editor"), "Editor: works on everything that is published", ROLE_EDITOR},
    {STR_INIT("admin"), "Admin: and on people, groups and settings", ROLE_ADMIN},
    {STR_INIT(""), NULL, 0},
};
static const struct field role_fields[] = {
    {FIELD_CHOICE(struct role_form, role), .label = "Role", .required = true, .choices = admin_roles,
	.hint = "A change takes effect at once, and signs nobody out."},
};
static const struct form role_form =
    FORM("role", struct role_form, role_fields, .button = "Change the role");

struct join_form {
	struct str group;
};
static const struct field join_fields[] = {
    {FIELD_SLUG(struct join_form, group), .label = "Group", .required = true,
	.missing = "Choose a group."},
};
static const struct form join_form =
    FORM("join", struct join_form, join_fields, .button = "Take in");

/* The data of the page: the person with their memberships, all groups, the sessions. */
struct person {
	struct str path; /* of the page */
	struct viewer as;
	struct item *memberships;
	const struct group *groups;
	size_t membership_count, group_count, sessions;
};

/* "/admin/users/<u>" of the person in the address. */
static struct str
user_path(struct request *rq)
{
	return url_join(rq->arena, STR("/admin/users/"), request_param(rq, "username"));
}

static void
take_groups(struct request *rq, const struct read *read, struct person *out)
{
	struct group *groups = ARENA_ARRAY(rq->arena, read->found_count, struct group);

	for (size_t i = 0; i < read->found_count; i++)
		group_from_item(rq->arena, &read->found[i], &groups[i]);
	out->groups = groups;
	out->group_count = read->found_count;
}

/* Finds the memberships among what was read. */
static void
take_memberships(struct request *rq, const struct read *read, struct person *out)
{
	out->memberships = ARENA_ARRAY(rq->arena, read->found_count, struct item);
	for (size_t i = 0; i < read->found_count; i++)
		if (kind_is(&read->found[i], ITEM_MEMBERSHIP))
			out->memberships[out->membership_count++] = read->found[i];
}

static size_t
count_sessions(struct request *rq, const struct read *read, const struct user *user)
{
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++) {
		struct session session;

		session_from_item(rq->arena, &read->found[i], &session);
		count += session_good(&session, user, rq->now);
	}
	return count;
}

static enum http_status
read_person(struct request *rq, struct person *out)
{
	struct str username = request_param(rq, "username");
	struct read reads[4] = {
	    viewer_read(rq->arena, username),
	    {.kind = READ_QUERY, .query = query_groups()},
	    {.kind = READ_QUERY, .query = query_sessions_of(rq->arena, username)},
	    person_counts_read(rq->arena, username),
	};
	enum http_status status;

	if (!username_valid(username))
		return HTTP_NOT_FOUND;
	reads[1].query.limit = TABLE_QUERY_MAX;
	reads[2].query.limit = SESSIONS_SHOWN;
	reads[2].query.descending = true;
	status = page_read(rq, reads, 4);
	if (status != HTTP_OK)
		return status;
	if (!viewer_take(rq->arena, &reads[0], &out->as))
		return HTTP_NOT_FOUND;
	person_counts_add(reads[3].item, &out->as.user);
	out->path = user_path(rq);
	take_memberships(rq, &reads[0], out);
	take_groups(rq, &reads[1], out);
	out->sessions = count_sessions(rq, &reads[2], &out->as.user);
	return HTTP_OK;
}

static void
show_role(struct request *rq, struct response *rs, const struct person *p, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "role-panel", "Role");
	struct form_result *result = form_shown(rq, &role_form);

	if (!form_was_sent(rq, &role_form))
		form_fill(result, "role", str_of(role_name(p->as.user.role)));
	admin_form(rq, rs, panel, result, STR_CONCAT(rq->arena, p->path, STR("/role")));
}

/* A link for choosing a new password: for people without mail, or whose mail does not arrive. */
static void
show_reset(struct request *rq, struct response *rs, const struct person *p, struct str link,
    struct admin_view *view)
{
	struct admin_panel_view *panel;
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);

	if (p->as.user.status != USER_ACTIVE)
		return;
	panel = admin_panel(view, "reset", "A forgotten password");
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/reset")));
	panel->secret = link;
	panel->secret_hint = STR("Copy it now and hand it to them: it is shown this once.");
	*row = (struct admin_row_view){.name = STR("A link to choose a new one by"),
	    .text = STR("Good once, for half an hour.")};
	admin_button(rq, row, "reset", STR("1"), link.len != 0 ? "Make another" : "Make a link");
	panel->rows.items = row;
	panel->rows.count = 1;
}

static void
show_status(
    struct request *rq, struct response *rs, const struct person *p, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "status", "Coming in");
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);
	const char *in = p->as.user.status == USER_WAITING ? "Let in" : "Let in again";

	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/sessions")));
	if (p->as.user.status == USER_ACTIVE) {
		row->name = STR("May sign in");
		row->text =
		    words_count(rq->arena, (int64_t)p->sessions, "open session", "open sessions");
		if (p->sessions != 0)
			admin_button(rq, row, "sessions", STR("all"), "Sign out everywhere");
		if (may(rq->viewer, MAY_SUSPEND, thing_person(&p->as.user)))
			admin_way(
			    rq, panel, STR_CONCAT(rq->arena, p->path, STR("/suspend")), "Suspend");
		admin_way(rq, panel, STR_CONCAT(rq->arena, p->path, STR("/disable")), "Disable");
	} else {
		row->name = p->as.user.status == USER_WAITING
				? STR("Has registered, and waits to be let in")
				: STR("Is disabled, and can’t sign in");
		panel->action_url = STR_CONCAT(rq->arena, p->path, STR("/enable"));
		admin_button(rq, row, "enable", STR("1"), in);
		if (p->as.user.status == USER_WAITING)
			admin_way(
			    rq, panel, STR_CONCAT(rq->arena, p->path, STR("/disable")), "Decline");
	}
	panel->rows.items = row;
	panel->rows.count = 1;
}

/* The mark beside their name. */
static void
show_mark(struct request *rq, struct response *rs, const struct person *p, struct admin_view *view)
{
	struct admin_panel_view *panel;
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);
	bool verified = p->as.user.verified;

	if (p->as.user.status != USER_ACTIVE && !verified)
		return;
	panel = admin_panel(view, "mark", "Verified");
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/verify")));
	row->name = verified ? STR("Has the verified mark") : STR("Has no verified mark");
	row->text = STR("It stands beside their name and says that the staff know who they are.");
	admin_button(rq, row, "verify", verified ? STR("no") : STR("yes"),
	    verified ? "Take it away" : "Give it");
	panel->rows.items = row;
	panel->rows.count = 1;
}

static const struct group *
group_named(const struct person *p, struct str name)
{
	for (size_t i = 0; i < p->group_count; i++)
		if (str_eq(p->groups[i].name, name))
			return &p->groups[i];
	return NULL;
}

static void
show_memberships(struct request *rq, const struct person *p, struct admin_panel_view *panel)
{
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, p->membership_count, struct admin_row_view);

	for (size_t i = 0; i < p->membership_count; i++) {
		struct membership m;
		const struct group *group;

		membership_from_item(rq->arena, &p->memberships[i], &m);
		group = group_named(p, m.group);
		rows[i] = (struct admin_row_view){
		    .url = url_join(rq->arena, STR("/admin/groups/"), m.group),
		    .name = group != NULL ? group->title : m.group,
		    .text = STR_CONCAT(rq->arena, STR("Added by "), m.added_by, STR(", "),
			words_date(rq, m.added)),
		};
		admin_button(rq, &rows[i], "leave", m.group, "Take out");
	}
	panel->rows.items = rows;
	panel->rows.count = p->membership_count;
	panel->empty_text = STR("In no group.");
}

/* Offers the groups that they are not in. */
static void
offer_groups(struct request *rq, const struct person *p, struct form_view *form,
    const struct form_result *result)
{
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, p->group_count + 1, struct option_view);
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("–"), false};
	for (size_t i = 0; i < p->group_count; i++) {
		bool in = p->groups[i].ending;

		for (size_t m = 0; m < p->as.group_count; m++)
			in |= str_eq(p->as.groups[m].name, p->groups[i].name);
		if (!in)
			options[count++] =
			    (struct option_view){p->groups[i].name, p->groups[i].title, false};
	}
	form_view_offer(rq, form, result, "group", options, count);
}

/* The panel of their groups. */
static void
show_groups(
    struct request *rq, struct response *rs, const struct person *p, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "groups", "Groups");
	struct form_result *result = form_shown(rq, &join_form);
	struct str action = STR_CONCAT(rq->arena, p->path, STR("/groups"));

	show_memberships(rq, p, panel);
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/leave")));
	offer_groups(rq, p, admin_form(rq, rs, panel, result, action), result);
}

/* `link`: the one that was just made, or empty. */
static enum http_status
show_person(struct request *rq, struct response *rs, const struct person *p, struct str link)
{
	const struct user *user = &p->as.user;
	struct admin_view *view = admin_page(rq, "/admin/users", user->display_name);

	view->intro = STR_CONCAT(rq->arena, user->username, STR(" · "), admin_user_email(rq, user),
	    STR(" · here since "), words_date(rq, user->created), STR(" · "),
	    words_count(rq->arena, user->posts, "public post", "public posts"));
	show_role(rq, rs, p, view);
	show_status(rq, rs, p, view);
	show_reset(rq, rs, p, link, view);
	show_mark(rq, rs, p, view);
	show_groups(rq, rs, p, view);
	return admin_respond(rq, rs, view);
}

/* The page, with the form that was sent in it. */
static enum http_status
show_user(struct request *rq, struct response *rs)
{
	struct person *p = ARENA_NEW(rq->arena, struct person);
	enum http_status status = read_person(rq, p);

	return status == HTTP_OK ? show_person(rq, rs, p, STR("")) : status;
}

/* --- What is sent ------------------------------------------------------------------------------ */

static enum http_status
set_role(struct request *rq, struct response *rs)
{
	const struct role_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc = PLAN_NOT_THERE;

	if (username_valid(request_param(rq, "username")))
		rc = account_set_role_and_status(
		    &plan, request_param(rq, "username"), (int)in->role, AS_IT_IS);
	if (rc == PLAN_LAST_ADMIN) {
		form_refuse(rq->form, "role", "This is the only admin, and somebody has to stay.");
		return show_user(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc == PLAN_TAKEN ? PLAN_DONE : rc, user_path(rq), "role");
}

/* The page's data is read first, so that no link is made that nobody gets to see. */
static enum http_status
make_reset_link(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct person *p = ARENA_NEW(rq->arena, struct person);
	struct str code;
	enum http_status status = read_person(rq, p);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = account_reset_begin(&plan, rq->clock, &p->as.user, &code);
	return rc == PLAN_DONE ? show_person(rq, rs, p,
				     absolute(rq, STR_CONCAT(rq->arena, STR("/reset/"), code)))
			       : plan_refused(rs, &plan, rc);
}

static enum http_status
join(struct request *rq, struct response *rs)
{
	const struct join_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	if (!username_valid(request_param(rq, "username")))
		return HTTP_NOT_FOUND;
	rc = group_join(&plan, in->group, request_param(rq, "username"));
	switch (rc) {
	case PLAN_DONE: return redirect_done(rq, rs, user_path(rq), "joined");
	case PLAN_NOT_THERE: form_refuse(rq->form, "group", "There is no such group."); break;
	case PLAN_TAKEN: form_refuse(rq->form, "group", "They are in this group already."); break;
	case PLAN_FULL: form_refuse(rq->form, "group", "They are in a hundred groups."); break;
	default: return plan_refused(rs, &plan, rc);
	}
	return show_user(rq, rs);
}

static enum http_status
leave(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str group = input_of(rq, "leave");
	enum plan_rc rc;

	if (!username_valid(request_param(rq, "username")) || !group_name_valid(group))
		return HTTP_NOT_FOUND;
	rc = group_leave(&plan, group, request_param(rq, "username"));
	/* If they are not in the group any more, that is what was wanted. */
	return rc == PLAN_DONE || rc == PLAN_NOT_THERE
		   ? redirect_done(rq, rs, user_path(rq), "left")
		   : plan_refused(rs, &plan, rc);
}

/* On the mailer's thread: the letter to somebody who was let in, if they have an address that they have confirmed. */
static bool
write_welcome(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = site->table, .call = &call, .now = clock_now(site->clock)};
	struct item *item = NULL;
	struct settings settings;
	struct account account;
	bool there = table_get(site->table, &call, key_site_settings(), &item) == TABLE_OK &&
		     account_find(&plan, about, &account) == PLAN_DONE &&
		     account.user.status == USER_ACTIVE && account.user.email.len != 0;

	table_release(site->table, &call);
	if (!there)
		return false;
	settings_from_item(arena, item, &settings);
	out->to = account.user.email;
	out->subject = STR_CONCAT(arena, settings.name, STR(": you can sign in"));
	out->text = str_fmt(arena,
	    "Hello %.*s,\n\nyou are let in at %.*s, and can sign in as %.*s:\n\n%.*s/login\n",
	    STR_ARGS(account.user.display_name), STR_ARGS(settings.name),
	    STR_ARGS(account.user.username), STR_ARGS(site->origin));
	return true;
}

/*
 * The overview lists those who wait: what is decided there holds for them alone, as the page may be old, and leads back there.
 */
static enum http_status
set_status(struct request *rq, struct response *rs, enum user_status to, const char *what)
{
	struct plan plan = plan_of_staff(rq);
	struct str username = request_param(rq, "username");
	bool there = str_eq(input_of(rq, "from"), STR("overview"));
	enum plan_rc rc = PLAN_NOT_THERE;

	if (username_valid(username))
		rc = there ? account_decide(&plan, username, to)
			   : account_set_role_and_status(&plan, username, AS_IT_IS, (int)to);
	if (rc == PLAN_TAKEN)
		return redirect_done(rq, rs, there ? STR("/admin") : user_path(rq), what);
	if (there && rc == PLAN_CHANGED)
		rs->error_text = "Somebody else has decided otherwise meanwhile: they wait no more. Their page says how it is now.";
	if (rc == PLAN_DONE && to == USER_ACTIVE && rq->site->mailer != NULL)
		(void)mailer_ask(rq->site->mailer, write_welcome, username);
	return plan_answer(rq, rs, &plan, rc, there ? STR("/admin") : user_path(rq), what);
}

/* The account to be changed, if the viewer may. HTTP_OK, or the answer. */
static enum http_status
find_account(struct request *rq, struct response *rs, struct plan *plan, struct user *user)
{
	struct account account;
	enum plan_rc rc = PLAN_NOT_THERE;

	*plan = plan_of_staff(rq);
	if (username_valid(request_param(rq, "username")))
		rc = account_find(plan, request_param(rq, "username"), &account);
	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	*user = account.user;
	return HTTP_OK;
}

static enum http_status
confirm_disable(struct request *rq, struct response *rs)
{
	struct plan plan;
	struct user user;
	enum http_status status = find_account(rq, rs, &plan, &user);
	struct confirmation ask = {.cancel_url = user_path(rq),
	    .action_url = STR_CONCAT(rq->arena, user_path(rq), STR("/disable")),
	    .button = "Disable",
	    .destroys = true,
	    .message = STR(
		"They are signed out everywhere and can’t come in until somebody lets "
		"them in again. What they have published stays, and what is scheduled appears.")};

	if (status != HTTP_OK)
		return status;
	if (user.status == USER_WAITING) {
		ask.button = "Decline";
		ask.title = STR_CONCAT(rq->arena, STR("Decline "), user.display_name, STR("?"));
		ask.message =
		    STR("They can’t come in. The account stays, disabled: nobody else gets its name or "
			"e-mail address, and you can let them in later. They are told when they try to "
			"sign in.");
		return confirm(rq, rs, &ask);
	}
	ask.title = STR_CONCAT(rq->arena, STR("Disable "), user.display_name, STR("?"));
	return confirm(rq, rs, &ask);
}

static enum http_status
disable(struct request *rq, struct response *rs)
{
	return set_status(rq, rs, USER_DISABLED, "out");
}

static enum http_status
enable(struct request *rq, struct response *rs)
{
	return set_status(rq, rs, USER_ACTIVE, "in");
}

static enum http_status
end_sessions(struct request *rq, struct response *rs)
{
	struct plan plan;
	struct user user;
	enum http_status status = find_account(rq, rs, &plan, &user);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = account_end_sessions(&plan, &user, NULL);
	return plan_answer(rq, rs, &plan, rc, user_path(rq), "sessions");
}

static enum http_status
set_verified(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	bool give = str_eq(input_of(rq, "verify"), STR("yes"));
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (!username_valid(request_param(rq, "username")))
		return HTTP_NOT_FOUND;
	if (!give && !str_eq(input_of(rq, "verify"), STR("no")))
		return HTTP_BAD_REQUEST;
	if (give && rq->settings->verified.count >= SETTINGS_VERIFIED_MAX) {
		rs->error_text = "A thousand people have the mark, as many as can.";
		return HTTP_CONFLICT;
	}
	return plan_answer(rq, rs, &plan,
	    account_set_verified(&plan, request_param(rq, "username"), give), user_path(rq),
	    give ? "verified" : "unverified");
}

PAGE(admin_users, .get = show_users, .query = QUERY("after", "q", "standing"))
PAGE(admin_user, .get = show_user, .query = QUERY("done"))
PAGE(admin_user_role, .post = set_role, .refused = show_user, .form = &role_form)
PAGE(admin_user_verify, .post = set_verified)
PAGE(admin_user_reset, .post = make_reset_link)
PAGE(admin_user_groups, .post = join, .refused = show_user, .form = &join_form)
PAGE(admin_user_leave, .post = leave)
PAGE(admin_user_disable, .get = confirm_disable, .post = disable)
PAGE(admin_user_enable, .post = enable)
PAGE(admin_user_sessions, .post = end_sessions)
