/*
 * /admin/invitations: invites a person, for a role, by a link that is shown once; and one's invitations
 * that have not been used, to revoke them.
 */
#include "base/arena.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "web/session/session.h"

enum { SHOWN = 50 };

struct inviting {
	struct str whom;
	int64_t role;
};

/* The role is last: it is for those alone who may give one (show_form()). */
static const struct field inviting_fields[] = {
    {FIELD_LINE(struct inviting, whom), .label = "For whom", .max = 100,
	.hint = "A name or an e-mail address, so that you know later whose it is. An address is "
		"filled in for them."},
    {FIELD_CHOICE(struct inviting, role), .label = "As what", .choices = admin_roles,
	.hint = "More than a reader: the link is good as long as you are an admin yourself."},
};
static const struct form inviting_form = FORM("invite", struct inviting, inviting_fields,
    .action = "/admin/invitations", .button = "Make a link");

static struct admin_row_view
open_row(struct request *rq, const struct invitation *invitation)
{
	struct admin_row_view row = {
	    .name = invitation->whom.len != 0 ? invitation->whom : STR("For whoever gets it"),
	    .badge = invitation->role != ROLE_READER ? str_of(role_name(invitation->role)) : STR(""),
	    .text = STR_CONCAT(rq->arena, STR("Made on "), words_date_near(rq, invitation->created),
		STR(", good until "), words_date_near(rq, invitation->expires))};

	admin_button(rq, &row, "revoke", invitation->hash, "Revoke")->destroys = true;
	return row;
}

/* All that the row says of it. */
static struct str
open_text(struct request *rq, const struct item *item)
{
	struct invitation invitation;
	struct admin_row_view row;

	invitation_from_item(item, &invitation);
	row = open_row(rq, &invitation);
	return STR_CONCAT(rq->arena, row.name, STR("\n"), row.badge, STR("\n"), row.text);
}

/* `made` is the one that was created after they were read, or NULL. */
static void
fill_open(struct request *rq, struct response *rs, struct read *read,
    const struct invitation *made, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "open", "Yours that nobody has used");
	const struct filter filter = filter_of(rq);
	struct admin_row_view *rows;
	size_t count = 0;

	if (read->found_count != 0)
		panel->search = admin_filter(rq, &filter, "Words in names and roles", "/admin/invitations");
	filter_keep(rq, &filter, SHOWN, open_text, read);
	rows = ARENA_ARRAY(rq->arena, read->found_count + 1, struct admin_row_view);
	if (made != NULL)
		rows[count++] = open_row(rq, made);
	for (size_t i = 0; i < read->found_count; i++) {
		struct invitation invitation;

		invitation_from_item(&read->found[i], &invitation);
		rows[count++] = open_row(rq, &invitation);
	}
	if (count != 0)
		admin_buttons_lead(rq, rs, panel, STR("/admin/invitations"));
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->empty_text = filter_empty(&filter, read, "There are none.");
}

/* Before anything is written, so that failures come first. */
static enum http_status
load(struct request *rq, struct read *open)
{
	const struct filter filter = filter_of(rq);

	*open = (struct read){.kind = READ_QUERY,
	    .query = query_invitations_of(rq->arena, rq->viewer->user.username)};
	filter_limit(&filter, SHOWN, open);
	open->query.descending = true;
	return page_read(rq, open, 1);
}

/* The form, which is empty again after one was made; a link to it may say for which role. */
static void
show_form(struct request *rq, struct response *rs, struct admin_panel_view *panel, bool made)
{
	struct form_result *result = ARENA_NEW(rq->arena, struct form_result);
	struct form_view *form;

	form_empty(rq->arena, &inviting_form, result);
	form_fill(result, "role", request_query(rq, "role"));
	form = admin_form(rq, rs, panel,
	    made || !form_was_sent(rq, &inviting_form) ? result : form_shown(rq, &inviting_form),
	    STR("/admin/invitations"));
	if (!may(rq->viewer, MAY_MANAGE, NO_THING))
		form->fields.count--;
}

static enum http_status
show(struct request *rq, struct response *rs, struct read *open,
    const struct invitation *made, struct str link)
{
	struct admin_view *view = admin_page(rq, "/admin/invitations", STR("Invitations"));
	struct admin_panel_view *panel = admin_panel(view, "invitation", NULL);

	view->intro =
	    STR("An invitation lets one person register, within a week, whatever the settings "
		"say of registration.");
	panel->secret = link;
	panel->secret_hint = STR("Copy it now and send it to them: it is shown this once.");
	show_form(rq, rs, panel, made != NULL);
	fill_open(rq, rs, open, made, view);
	return admin_respond(rq, rs, view);
}

static enum http_status
show_all(struct request *rq, struct response *rs)
{
	struct read open;
	enum http_status status = load(rq, &open);

	return status == HTTP_OK ? show(rq, rs, &open, NULL, STR("")) : status;
}

/* One of another's, or a used one, is answered as if it had been revoked. */
static enum http_status
revoke(struct request *rq, struct response *rs, struct str hash)
{
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	if (hash.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	rc = account_uninvite(&plan, hash, rq->viewer->user.username);
	return rc == PLAN_DONE || rc == PLAN_NOT_INVITED
		   ? redirect(rs, HTTP_SEE_OTHER, STR("/admin/invitations"))
		   : plan_refused(rs, &plan, rc);
}

static enum http_status
invite(struct request *rq, struct response *rs)
{
	const struct inviting *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	struct str code = session_token(rq->arena, rq->clock), hash = input_of(rq, "revoke");
	struct invitation made = {.hash = session_hash(rq->arena, code),
	    .by = rq->viewer->user.username,
	    .whom = in->whom,
	    .role = (enum role)in->role,
	    .created = rq->now,
	    .expires = rq->now + (int64_t)INVITATION_SECONDS * 1000};
	struct read open;
	enum http_status status;
	enum plan_rc rc;

	if (hash.len != 0)
		return revoke(rq, rs, hash);
	if (made.role != ROLE_READER && !may(rq->viewer, MAY_MANAGE, NO_THING))
		return HTTP_FORBIDDEN;
	status = load(rq, &open);
	if (status != HTTP_OK)
		return status;
	rc = account_invite(&plan, &made);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	return show(rq, rs, &open, &made,
	    absolute(rq, STR_CONCAT(rq->arena, STR("/register?invitation="), code)));
}

PAGE(admin_invitations, .get = show_all, .post = invite, .refused = show_all,
    .form = &inviting_form, .query = QUERY("role", "q"))
