/*
 * /admin/users/<u>: one person, for the admins: their role, whether they may sign in, where they are signed in, and, in
 * admin_membership.c, their groups.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/group.h"
#include "model/people/reset.h"
#include "model/viewer.h"
#include "pages/admin/admin.h"
#include "pages/admin/user.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

struct role_form {
	int64_t role;
};
static const struct choice roles[] = {
    {STR_INIT("reader"), "Reader: reads, and takes part", ROLE_READER},
    {STR_INIT("author"), "Author: writes and publishes their own", ROLE_AUTHOR},
    {STR_INIT("editor"), "Editor: works on everything that is published", ROLE_EDITOR},
    {STR_INIT("admin"), "Admin: and on people, groups and settings", ROLE_ADMIN},
    {STR_INIT(""), NULL, 0},
};
static const struct field role_fields[] = {
    {FIELD_CHOICE(struct role_form, role), .label = "Role", .required = true, .choices = roles,
	.hint = "A change takes effect at once, and signs nobody out."},
};
static const struct form role_form =
    FORM("role", struct role_form, role_fields, .button = "Change the role");

struct str
admin_user_path(struct request *rq)
{
	return url_join(rq->arena, STR("/admin/users/"), request_param(rq, "username"));
}

static void
take_groups(struct request *rq, const struct read *read, struct admin_person *out)
{
	struct group *groups = ARENA_ARRAY(rq->arena, read->found_count, struct group);

	for (size_t i = 0; i < read->found_count; i++)
		group_from_item(rq->arena, &read->found[i], &groups[i]);
	out->groups = groups;
	out->group_count = read->found_count;
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
read_person(struct request *rq, struct admin_person *out)
{
	struct str username = request_param(rq, "username");
	struct read reads[3] = {
	    viewer_read(rq->arena, username),
	    {.kind = READ_QUERY, .query = query_groups()},
	    {.kind = READ_QUERY, .query = query_sessions_of(rq->arena, username)},
	};
	enum http_status status;

	if (!username_valid(username))
		return HTTP_NOT_FOUND;
	reads[1].query.limit = TABLE_QUERY_MAX;
	reads[2].query.limit = SESSIONS_SHOWN;
	reads[2].query.descending = true;
	status = page_read(rq, reads, 3);
	if (status != HTTP_OK)
		return status;
	if (!viewer_take(rq->arena, &reads[0], &out->as))
		return HTTP_NOT_FOUND;
	out->path = admin_user_path(rq);
	out->memberships = reads[0].found + 1;
	out->membership_count = reads[0].found_count - 1;
	take_groups(rq, &reads[1], out);
	out->sessions = count_sessions(rq, &reads[2], &out->as.user);
	return HTTP_OK;
}

/* --- The page --------------------------------------------------------------------------------------- */

static void
show_role(
    struct request *rq, struct response *rs, const struct admin_person *p, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "role-panel", "Role");
	struct form_result *result = form_shown(rq, &role_form);

	if (!form_was_sent(rq, &role_form))
		form_fill(result, "role", str_of(role_name(p->as.user.role)));
	admin_form(rq, rs, panel, result, STR_CONCAT(rq->arena, p->path, STR("/role")));
}

/* A link by which they choose a new password: for who has no mail, or whose mail does not come. */
static void
show_reset(struct request *rq, struct response *rs, const struct admin_person *p, struct str link,
    struct admin_view *view)
{
	struct admin_panel_view *panel;
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);

	if (p->as.user.status != USER_ACTIVE)
		return;
	panel = admin_panel(view, "reset", "A forgotten password");
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/reset")));
	*row = (struct admin_row_view){.url = link,
	    .name = link.len != 0 ? link : STR("A link to choose a new one by"),
	    .text = link.len != 0 ? STR("Copy it now and hand it to them: it is shown this once.")
				  : STR("Good once, for half an hour.")};
	admin_button(rq, row, "reset", STR("1"), link.len != 0 ? "Make another" : "Make a link");
	panel->rows.items = row;
	panel->rows.count = 1;
}

static void
show_status(
    struct request *rq, struct response *rs, const struct admin_person *p, struct admin_view *view)
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
		admin_way(rq, panel, STR_CONCAT(rq->arena, p->path, STR("/disable")), "Shut out");
	} else {
		row->name = p->as.user.status == USER_WAITING
				? STR("Has registered, and waits to be let in")
				: STR("Was shut out, and can’t sign in");
		panel->action_url = STR_CONCAT(rq->arena, p->path, STR("/enable"));
		admin_button(rq, row, "enable", STR("1"), in);
		if (p->as.user.status == USER_WAITING)
			admin_way(
			    rq, panel, STR_CONCAT(rq->arena, p->path, STR("/disable")), "Refuse");
	}
	panel->rows.items = row;
	panel->rows.count = 1;
}

/* `link`: that was just made; empty: none. */
static enum http_status
show_person(struct request *rq, struct response *rs, const struct admin_person *p, struct str link)
{
	const struct user *user = &p->as.user;
	struct admin_view *view = admin_page(rq, "/admin/users", user->display_name);

	view->intro = STR_CONCAT(rq->arena, user->username, STR(" · "), admin_user_email(rq, user),
	    STR(" · here since "), words_date(rq, user->created), STR(" · "),
	    words_count(rq->arena, user->posts, "public post", "public posts"));
	show_role(rq, rs, p, view);
	show_status(rq, rs, p, view);
	show_reset(rq, rs, p, link, view);
	admin_user_groups(rq, rs, p, view);
	return admin_respond(rq, rs, view);
}

enum http_status
admin_user_show(struct request *rq, struct response *rs)
{
	struct admin_person *p = ARENA_NEW(rq->arena, struct admin_person);
	enum http_status status = read_person(rq, p);

	return status == HTTP_OK ? show_person(rq, rs, p, STR("")) : status;
}

/* --- What is sent ----------------------------------------------------------------------------------- */

enum http_status
admin_user_find(struct request *rq, struct response *rs, struct plan *plan, struct user *user)
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
set_role(struct request *rq, struct response *rs)
{
	const struct role_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc = PLAN_NOT_THERE;

	if (username_valid(request_param(rq, "username")))
		rc = account_set_standing(
		    &plan, request_param(rq, "username"), (int)in->role, AS_IT_IS);
	if (rc == PLAN_LAST_ADMIN) {
		form_refuse(rq->form, "role", "This is the only admin, and somebody has to stay.");
		return admin_user_show(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc, admin_user_path(rq), "role");
}

/* What the page shows is read before: when that fails, no link is made that nobody sees. */
static enum http_status
make_reset_link(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct admin_person *p = ARENA_NEW(rq->arena, struct admin_person);
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

PAGE(admin_user, .get = admin_user_show, .query = QUERY("done"))
PAGE(admin_user_role, .post = set_role, .refused = admin_user_show, .form = &role_form)
PAGE(admin_user_reset, .post = make_reset_link)
