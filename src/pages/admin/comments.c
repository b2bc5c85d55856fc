/*
 * /admin/comments: the moderators' queue, and with ?show= the newest comments of everybody and those hidden in the last
 * 30 days; with ?list= one of these lists, a page at a time. A button decides on a comment or thing, and settles all of
 * its flags. Comments under a post that the viewer may not read are not shown and can't be decided on.
 */
#include "base/arena.h"
#include "model/key_comment.h"
#include "model/key_moderation.h"
#include "pages/admin/comment_rows.h"
#include "pages/admin/decide.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

static const char here[] = "/admin/comments";

/* --- The lists --------------------------------------------------------------------------------------- */

/* A list of the page. */
struct list {
	const char *id, *heading, *empty;
	struct query query;
	enum { COMMENTS, FLAGGED, RESTRICTED } of;
};

static struct admin_panel_view *
fill_panel(struct request *rq, struct response *rs, struct comment_rows *rows,
    const struct list *list, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, list->id, list->heading);
	static bool (*const row_of[])(
	    struct comment_rows *, const struct item *, struct admin_row_view *) = {
	    [COMMENTS] = comment_row,
	    [FLAGGED] = comment_row_flagged,
	    [RESTRICTED] = comment_row_restricted};
	struct admin_row_view *shown =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		count += row_of[list->of](rows, &read->found[i], &shown[count]);
	panel->rows.items = shown;
	panel->rows.count = count;
	panel->empty_text = str_of(list->empty);
	admin_buttons_lead(rq, rs, panel, str_of(here));
	if (count != 0)
		panel->bulk = bulk_controls(rq, list->of == FLAGGED);
	return panel;
}

/* Comments that are held because of flags are in the list of flagged things. */
static bool
is_elsewhere(const struct item *item)
{
	return str_eq(item_string(item, STR("HeldFor")), STR("flags"));
}

static void
drop_elsewhere(struct read *read)
{
	size_t kept = 0;

	for (size_t i = 0; i < read->found_count; i++)
		if (!is_elsewhere(&read->found[i]))
			read->found[kept++] = read->found[i];
	read->found_count = kept;
}

/* What a comment says, of which the filter looks at. */
static struct str
comment_text(struct request *rq, const struct item *item)
{
	struct comment comment;

	comment_from_item(rq->arena, item, &comment);
	return STR_CONCAT(rq->arena, comment.post_title, STR("\n"), comment.author_name, STR("\n"),
	    comment.author, STR("\n"), comment.markdown);
}

/* The first list of each page has comments: it is the one that words are looked for in. */
static void
fill_filter(struct request *rq, const struct list *list, const struct filter *filter,
    const struct read *read, struct admin_panel_view *panel)
{
	struct admin_kept_view *kept = ARENA_ARRAY(rq->arena, 2, struct admin_kept_view);
	struct admin_search_view *search =
	    admin_filter(rq, filter, "Words in these comments, in titles and names", here);

	if (read->found_count == 0 && filter->count == 0)
		return;
	kept[0] = (struct admin_kept_view){STR("list"), str_of(list->id)};
	kept[1] = (struct admin_kept_view){STR("show"), request_query(rq, "show")};
	search->kept.items = kept;
	search->kept.count = 1 + (kept[1].value.len != 0);
	panel->search = search;
	panel->empty_text = filter_empty(filter, read, list->empty);
}

static enum http_status
read_lists(struct request *rq, struct response *rs, struct admin_view *view,
    const struct list *lists, size_t count)
{
	static void (*const add[])(struct comment_rows *, const struct item *) = {
	    [COMMENTS] = comment_rows_add,
	    [FLAGGED] = comment_rows_add_flagged,
	    [RESTRICTED] = comment_rows_add_restricted};
	struct comment_rows *rows = comment_rows(rq);
	struct read *reads = ARENA_ARRAY(rq->arena, count, struct read);
	const struct filter filter = filter_of(rq);
	enum http_status status;
	bool newer;

	for (size_t i = 0; i < count; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = lists[i].query};
		reads[i].query.limit = COMMENT_ROWS_MAX;
	}
	if (lists[0].of == COMMENTS)
		filter_limit(&filter, COMMENT_ROWS_MAX, &reads[0]);
	if (!list_cursor(rq, &reads[0].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (str_eq(str_of(lists[0].id), STR("held")))
		drop_elsewhere(&reads[0]);
	if (lists[0].of == COMMENTS)
		filter_keep(rq, &filter, COMMENT_ROWS_MAX, comment_text, &reads[0]);
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < reads[i].found_count; n++)
			add[lists[i].of](rows, &reads[i].found[n]);
	status = comment_rows_read(rows);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < count; i++) {
		struct admin_panel_view *panel = fill_panel(rq, rs, rows, &lists[i], &reads[i], view);

		panel->pagination =
		    lists[i].heading == NULL
			? pagination_onward(rq, reads[i].next)
			: pagination_of_list(rq, lists[i].id, lists[i].heading, reads[i].next);
		if (i == 0 && lists[i].of == COMMENTS)
			fill_filter(rq, &lists[i], &filter, &reads[i], panel);
	}
	return admin_respond(rq, rs, view);
}

/* All of them, or the one that the address names. */
static enum http_status
show_lists(struct request *rq, struct response *rs, struct admin_view *view,
    const struct list *lists, size_t count)
{
	struct str only = request_query(rq, "list");
	size_t i = 0;

	if (only.len == 0 && (count == 1 || request_query(rq, "after").len == 0))
		return read_lists(rq, rs, view, lists, count);
	while (i < count && !str_eq(only, str_of(lists[i].id)))
		i++;
	return i < count ? read_lists(rq, rs, view, &lists[i], 1) : HTTP_BAD_REQUEST;
}

static void
show_ways(struct request *rq, struct admin_view *view)
{
	static const struct {
		const char *show, *name;
	} of[] = {{"", "What waits"}, {"newest", "Everybody’s newest comments"}, {"hidden", "What was hidden"}};
	enum { WAYS = sizeof(of) / sizeof(of[0]) };
	struct nav_link_view *ways = ARENA_ARRAY(rq->arena, WAYS, struct nav_link_view);
	struct admin_panel_view *panel = admin_panel(view, "lists", NULL);

	for (size_t i = 0; i < WAYS; i++)
		ways[i] = (struct nav_link_view){
		    .url = i == 0 ? str_of(here) : STR_CONCAT(rq->arena, str_of(here), STR("?show="), str_of(of[i].show)),
		    .name = str_of(of[i].name),
		    .current = str_eq(request_query(rq, "show"), str_of(of[i].show))};
	panel->ways.items = ways;
	panel->ways.count = WAYS;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	const struct list waiting[] = {
	    {"held", "Waiting for an editor", "Nothing waits.", query_comments_held(), COMMENTS},
	    {"flagged", "Flagged by readers", "Nothing is flagged.", query_flagged(), FLAGGED},
	    {"answered", "Answers to what was hidden", "Nobody has answered.",
		query_comments_answered(), COMMENTS},
	    {"things", "Posts, notes, profiles and collections that wait", "None waits.",
		query_restrictions(RESTRICTIONS_HELD), RESTRICTED},
	    {"replies", "Answers to posts, notes, profiles and collections that were hidden",
		"Nobody has answered.", query_restrictions(RESTRICTIONS_ANSWERED), RESTRICTED},
	};
	struct list newest = {"newest", NULL, "There are no comments.", query_comments_newest(),
	    COMMENTS};
	struct list hidden[] = {
	    {"hidden", "Comments", "No comment was hidden.", query_comments_hidden(), COMMENTS},
	    {"things", "Posts, notes, profiles and collections", "None was hidden.",
		query_restrictions(RESTRICTIONS_HIDDEN), RESTRICTED},
	};
	struct str which = request_query(rq, "show");
	struct admin_view *view = admin_page(rq, here, STR("Comments"));
	enum http_status status;

	hidden[0].query.descending = hidden[1].query.descending = true;
	show_ways(rq, view);
	if (str_eq(which, STR("newest"))) {
		view->intro = STR("What everybody sees, the newest first.");
		status = show_lists(rq, rs, view, &newest, 1);
	} else if (str_eq(which, STR("hidden"))) {
		view->intro = STR("It can be restored for 30 days; then it is erased.");
		status = show_lists(rq, rs, view, hidden, 2);
	} else {
		view->intro =
		    STR("Whose first comment is approved is known: what they write next appears at "
			"once. Whoever wrote what is hidden sees why, and can answer once.");
		status = show_lists(
		    rq, rs, view, waiting, sizeof(waiting) / sizeof(waiting[0]));
	}
	return status;
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* Of a hidden one the value begins with the reason. */
static enum http_status
decide(struct request *rq, struct response *rs, enum decision decision, struct str value)
{
	struct plan plan = plan_of_staff(rq);
	struct decided *d = ARENA_NEW(rq->arena, struct decided);
	const char *why = "";
	enum plan_rc rc = PLAN_TAKEN;
	enum http_status status;

	if (decision == DECIDE_HIDE)
		why = hiding_reason_says(str_cut(value, ' ', &value));
	if (why == NULL || !decided_parse(rq, value, d))
		return HTTP_BAD_REQUEST;
	status = decided_read(rq, d, 1);
	if (status != HTTP_OK)
		return status;
	if (d->barred || (!d->there && decision != DECIDE_DISMISS && decision != DECIDE_UPHOLD))
		return HTTP_NOT_FOUND;
	if (decided_refusal(rq, d, decision) == NULL)
		rc = decided_carry_out(rq, &plan, d, decision, str_of(why));
	return plan_answer(rq, rs, &plan, rc, str_of(here), decision_done(decision));
}

static enum http_status
press(struct request *rq, struct response *rs)
{
	enum decision pressed = DECISIONS;

	for (enum decision i = 0; i < DECISIONS; i++) {
		if (input_of(rq, decision_name(i)).len == 0)
			continue;
		if (pressed != DECISIONS)
			return HTTP_BAD_REQUEST;
		pressed = i;
	}
	if (pressed == DECISIONS)
		return HTTP_BAD_REQUEST;
	return decide(rq, rs, pressed, input_of(rq, decision_name(pressed)));
}

PAGE(admin_comments, .get = show, .post = press, .query = QUERY("after", "done", "list", "q", "show"))
