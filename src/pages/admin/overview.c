/* GET /admin: who waits to be let in, and what was done last; for whoever has more to do than write. */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

enum { SHOWN = 10 };

static void
show_people(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "waiting", "Waiting to be let in");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct user user;

		user_from_item(rq->arena, &read->found[i], &user);
		rows[i] = admin_user_row(rq, &user);
	}
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nobody waits.");
	if (read->next.len != 0)
		admin_way(rq, panel, STR("/admin/users?standing=waiting"), "All who wait");
}

static void
show_log(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "log", "Done lately");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++)
		rows[i] = admin_log_row(rq, &read->found[i]);
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nothing yet this month.");
}

/* What is to be found nowhere else by somebody who has the pages and writes no posts. */
static void
show_pages(struct request *rq, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "pages", "Pages");

	panel->text = STR("Those that stand by themselves, such as “About”.");
	admin_way(rq, panel, STR("/admin/posts?state=pages"), "All pages");
	admin_way(rq, panel, STR("/write/page"), "Write a page");
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct read reads[2] = {
	    {.kind = READ_QUERY,
		.query = query_people(rq->arena, str_of(user_status_name(USER_WAITING)), STR(""))},
	    {.kind = READ_QUERY,
		.query = query_audit(rq->arena, str_sub(time_format(rq->arena, rq->now), 0, 7))},
	};
	bool manages = may(rq->viewer, MAY_MANAGE, NO_THING);
	struct admin_view *view = admin_page(rq, "/admin", STR("Overview"));
	enum http_status status;

	reads[0].query.limit = reads[1].query.limit = SHOWN;
	reads[1].query.descending = true;
	status = page_read(rq, reads, manages ? 2 : 0);
	if (status != HTTP_OK)
		return status;
	view->intro =
	    STR("What keeps the publication going. Whatever is done here stands in its log.");
	if (manages) {
		show_people(rq, &reads[0], view);
		show_log(rq, &reads[1], view);
	}
	if (may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		show_pages(rq, view);
	return admin_respond(rq, rs, view);
}

PAGE(admin, .get = show)
