/* /admin/invitations: lets one more person register, by a link that is shown once. */
#include "base/arena.h"
#include "pages/admin.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "web/session.h"

static enum http_status
show(struct request *rq, struct response *rs, struct str link)
{
	struct admin_view *view = admin_page(rq, "/admin/invitations", STR("Invitations"));
	struct admin_panel_view *panel = admin_panel(view, "invite", NULL);
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	view->intro = STR("An invitation lets one person register, within a week, unless "
			  "registration is closed.");
	admin_buttons_lead(rq, rs, panel, STR("/admin/invitations"));
	*row = (struct admin_row_view){.url = link,
	    .name = link.len != 0 ? link : STR("A new invitation"),
	    .text = link.len != 0 ? STR("Copy it now: it is shown this once.") : STR("")};
	admin_button(rq, row, "invite", STR("1"), link.len != 0 ? "Make another" : "Make a link");
	panel->rows.items = row;
	panel->rows.count = 1;
	return admin_respond(rq, rs, view);
}

enum http_status
page_admin_invitations(struct request *rq, struct response *rs)
{
	return show(rq, rs, STR(""));
}

enum http_status
page_admin_invite_post(struct request *rq, struct response *rs)
{
	struct accounts accounts = admin_accounts(rq);
	struct str code = session_token(rq->arena, rq->clock);
	enum account_rc rc =
	    account_invite(&accounts, session_hash(rq->arena, code), rq->viewer->user.username);

	if (rc != ACCOUNT_DONE)
		return admin_account_failed(rs, &accounts, rc);
	return show(
	    rq, rs, absolute(rq, STR_CONCAT(rq->arena, STR("/register?invitation="), code)));
}
