/*
 * GET /admin: what waits for approval, who waits to be let in, and the latest entries of the log;
 * for staff who do more than write.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

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

/* How many comments wait, and where. */
static void
show_held(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "held", "Comments");
	struct str count =
	    words_count(rq->arena, (int64_t)read->found_count, "comment", "comments");

	panel->text = read->found_count == 0 ? STR("None waits for an editor.")
					     : STR_CONCAT(rq->arena, count,
						   read->next.len != 0 ? STR(" and more") : STR(""),
						   STR(" to be approved or refused."));
	if (read->found_count != 0)
		admin_way(rq, panel, STR("/admin/comments"), "To the comments");
}

/* The pages, for somebody who may edit them and writes no posts: they have no other link. */
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
	enum { HELD, PEOPLE, LOG, READS };
	struct read reads[READS] = {
	    {.kind = READ_QUERY, .query = query_comments_held()},
	    {.kind = READ_QUERY,
		.query = query_people(rq->arena, str_of(user_status_name(USER_WAITING)), STR(""))},
	    {.kind = READ_QUERY,
		.query = query_audit(rq->arena, str_sub(time_format(rq->arena, rq->now), 0, 7))},
	};
	bool manages = may(rq->viewer, MAY_MANAGE, NO_THING);
	bool moderates = may(rq->viewer, MAY_MODERATE, NO_THING);
	struct admin_view *view = admin_page(rq, "/admin", STR("Overview"));
	enum http_status status;

	for (size_t i = 0; i < READS; i++)
		reads[i].query.limit = SHOWN;
	reads[LOG].query.descending = true;
	/* An admin moderates as well. */
	status = page_read(rq, reads, manages ? READS : moderates);
	if (status != HTTP_OK)
		return status;
	view->intro =
	    STR("What keeps the publication going. Whatever is done here stands in its log.");
	if (moderates)
		show_held(rq, &reads[HELD], view);
	if (manages) {
		show_people(rq, &reads[PEOPLE], view);
		show_log(rq, &reads[LOG], view);
	}
	if (may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		show_pages(rq, view);
	return admin_respond(rq, rs, view);
}

PAGE(admin, .get = show)
