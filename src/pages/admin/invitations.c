/*
 * /admin/invitations: invites a person by a link that is shown once; and one's invitations that
 * have not been used, to revoke them.
 */
#include "base/arena.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "web/session/session.h"

enum { SHOWN = 50 };

static struct admin_row_view
open_row(struct request *rq, const struct invitation *invitation)
{
	struct admin_row_view row = {.name = STR_CONCAT(rq->arena, STR("Made on "),
					 words_date_near(rq, invitation->created)),
	    .text = STR_CONCAT(
		rq->arena, STR("Good until "), words_date_near(rq, invitation->expires))};

	admin_button(rq, &row, "revoke", invitation->hash, "Take it back");
	return row;
}

/* `made` is the one that was created after they were read, or NULL. */
static void
fill_open(struct request *rq, struct response *rs, const struct read *read,
    const struct invitation *made, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "open", "Yours that nobody has used");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count + 1, struct admin_row_view);
	size_t count = 0;

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
	panel->empty_text = STR("There are none.");
}

/* Before anything is written, so that failures come first. */
static enum http_status
load(struct request *rq, struct read *open)
{
	*open = (struct read){.kind = READ_QUERY,
	    .query = query_invitations_of(rq->arena, rq->viewer->user.username)};
	open->query.limit = SHOWN;
	open->query.descending = true;
	return page_read(rq, open, 1);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct read *open,
    const struct invitation *made, struct str link)
{
	struct admin_view *view = admin_page(rq, "/admin/invitations", STR("Invitations"));
	struct admin_panel_view *panel = admin_panel(view, "invite", NULL);
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);

	view->intro =
	    STR("An invitation lets one person register, within a week, whatever the settings "
		"say of registration.");
	admin_buttons_lead(rq, rs, panel, STR("/admin/invitations"));
	*row = (struct admin_row_view){.url = link,
	    .name = link.len != 0 ? link : STR("A new invitation"),
	    .text = link.len != 0 ? STR("Copy it now: it is shown this once.") : STR("")};
	admin_button(rq, row, "invite", STR("1"), link.len != 0 ? "Make another" : "Make a link");
	panel->rows.items = row;
	panel->rows.count = 1;
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

static enum http_status
invite(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str by = rq->viewer->user.username, revoked = input_of(rq, "revoke");
	struct str code = session_token(rq->arena, rq->clock);
	struct invitation made = {.hash = session_hash(rq->arena, code),
	    .created = rq->now,
	    .expires = rq->now + (int64_t)INVITATION_SECONDS * 1000};
	struct read open;
	enum http_status status;
	enum plan_rc rc;

	if (revoked.len != 0 && revoked.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	if (revoked.len != 0) {
		rc = account_uninvite(&plan, revoked, by);
		/*
		 * An invitation of another, or a used one, is answered as if it had been revoked.
		 */
		return rc == PLAN_DONE || rc == PLAN_NOT_INVITED
			   ? redirect(rs, HTTP_SEE_OTHER, STR("/admin/invitations"))
			   : plan_refused(rs, &plan, rc);
	}
	status = load(rq, &open);
	if (status != HTTP_OK)
		return status;
	rc = account_invite(&plan, made.hash, by);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	return show(rq, rs, &open, &made,
	    absolute(rq, STR_CONCAT(rq->arena, STR("/register?invitation="), code)));
}

PAGE(admin_invitations, .get = show_all, .post = invite)
