/*
 * /admin/users/<u>/suspend: suspends a person for a time, with a reason that they are told, or ends
 * it. /admin/appeals: appeals against measures of the staff, until somebody settles them.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/key_staff.h"
#include "model/people/suspension.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { SHOWN = 20, DAY_MS = 86400000 };

struct suspend_form {
	int64_t days;
	struct str why;
};
static const struct choice lengths[] = {
    {STR_INIT("1"), "A day", 1},
    {STR_INIT("3"), "Three days", 3},
    {STR_INIT("7"), "A week", 7},
    {STR_INIT("30"), "30 days", 30},
    {STR_INIT("90"), "90 days", 90},
    {STR_INIT(""), NULL, 0},
};
static const struct field suspend_fields[] = {
    {FIELD_CHOICE(struct suspend_form, days), .label = "For how long", .required = true,
	.missing = "For how long?", .choices = lengths},
    {FIELD_TEXT(struct suspend_form, why), .label = "Why", .required = true,
	.max = SUSPENSION_WHY_MAX, .missing = "They are told why: write it here.", .rows = 3,
	.hint = "They read it, and can answer once."},
};
static const struct form suspend_form =
    FORM("suspend", struct suspend_form, suspend_fields, .button = "Suspend");

/* --- A suspension ------------------------------------------------------------------------------------ */

static enum http_status
load(struct request *rq, struct user *user)
{
	struct str name = request_param(rq, "username");
	struct read read = {.kind = READ_GET};
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	read.key = key_user(rq->arena, name);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, read.item, user);
	return may(rq->viewer, MAY_SUSPEND, thing_person(user)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static void
show_running(
    struct request *rq, struct response *rs, const struct user *user, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "running", "Suspended");
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);

	*row = (struct admin_row_view){
	    .name = STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, user->suspended_until)),
	    .text = user->suspended_why};
	admin_button(rq, row, "end", STR("1"), "End it now");
	admin_buttons_lead(rq, rs, panel, rq->path);
	panel->rows.items = row;
	panel->rows.count = 1;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Suspend"));
	struct admin_panel_view *panel;
	struct user user;
	enum http_status status = load(rq, &user);

	if (status != HTTP_OK)
		return status;
	view->title = STR_CONCAT(rq->arena, STR("Suspend "), user.display_name);
	view->intro = STR("Who is suspended signs in and reads, but writes nothing: no comment, no "
			  "post, no vote. It ends by itself.");
	if (user_suspended(&user, rq->now))
		show_running(rq, rs, &user, view);
	panel = admin_panel(view, "suspend-panel", NULL);
	admin_form(rq, rs, panel, form_shown(rq, &suspend_form), rq->path);
	return admin_respond(rq, rs, view);
}

/* The button that ends it has no fields. */
static enum http_status
show_or_end(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct user user;
	enum http_status status;

	if (input_of(rq, "end").len == 0)
		return show(rq, rs);
	status = load(rq, &user);
	return status == HTTP_OK ? plan_answer(rq, rs, &plan, suspension_end(&plan, &user),
				       rq->path, "suspension-ended")
				 : status;
}

static enum http_status
save(struct request *rq, struct response *rs)
{
	const struct suspend_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	struct user user;
	enum http_status status = load(rq, &user);

	if (status != HTTP_OK)
		return status;
	return plan_answer(rq, rs, &plan,
	    suspend(&plan, &user, rq->now + in->days * DAY_MS, in->why), rq->path, "suspended");
}

/* --- Appeals ---------------------------------------------------------------------------------- */

static enum http_status
show_appeals(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/appeals", STR("Answers"));
	struct admin_panel_view *panel = admin_panel(view, "appeals", NULL);
	struct read read = {.kind = READ_QUERY, .query = query_appeals()};
	struct admin_row_view *rows;
	enum http_status status;
	bool newer;

	read.query.limit = SHOWN;
	if (!list_cursor(rq, &read.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++) {
		struct appeal appeal;

		appeal_from_item(rq->arena, &read.found[i], &appeal);
		rows[i] = (struct admin_row_view){
		    .url = STR_CONCAT(rq->arena,
			url_join(rq->arena, STR("/admin/users/"), appeal.author), STR("/suspend")),
		    .name = appeal.author,
		    .badge = appeal.post.len != 0 ? STR("a comment") : STR("a suspension"),
		    .text = STR_CONCAT(
			rq->arena, words_moment(rq, appeal.created), STR(": "), appeal.text)};
		admin_button(rq, &rows[i], "settle",
		    STR_CONCAT(rq->arena, appeal.author, STR(" "), appeal.about), "Settled");
	}
	view->intro = STR("What those answer who were suspended, or whose comment somebody has "
			  "hidden. They answer once.");
	panel->rows.items = rows;
	panel->rows.count = read.found_count;
	panel->empty_text = STR("Nothing waits.");
	panel->pagination = pagination_onward(rq, read.next);
	admin_buttons_lead(rq, rs, panel, STR("/admin/appeals"));
	return admin_respond(rq, rs, view);
}

static enum http_status
settle(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str about, author = str_cut(input_of(rq, "settle"), ' ', &about);
	enum plan_rc rc;

	if (!username_valid(author) || about.len == 0 || about.len > 100)
		return HTTP_BAD_REQUEST;
	rc = appeal_settle(&plan, author, about);
	return plan_answer(
	    rq, rs, &plan, rc == PLAN_TAKEN ? PLAN_DONE : rc, STR("/admin/appeals"), "settled");
}

PAGE(admin_user_suspend, .get = show, .post = save, .refused = show_or_end, .form = &suspend_form,
    .query = QUERY("done"))
PAGE(admin_appeals, .get = show_appeals, .post = settle, .query = QUERY("after", "done"))
