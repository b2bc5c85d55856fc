/* GET /admin/log: the staff's log, month by month, newest first. */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { ENTRIES = 100, MONTHS = 24 };

static const char *const phrases[AUDIT_ACTIONS] = {
    [AUDIT_FLAGS] = "settled the flags of",
    [AUDIT_COMMENT] = "decided on a comment of",
    [AUDIT_USER_CREATE] = "registered",
    [AUDIT_RESTRICTION] = "decided on what others see of",
    [AUDIT_USER_STANDING] = "changed the standing of",
    [AUDIT_USER_PASSWORD] = "gave a new password to",
    [AUDIT_USER_SESSIONS] = "signed out",
    [AUDIT_USER_TWO_STEP] = "turned off the second step of",
    [AUDIT_USER_INVITE] = "made an invitation",
    [AUDIT_USER_VERIFY] = "changed the verified mark of",
    [AUDIT_GROUP_CREATE] = "made the group",
    [AUDIT_GROUP_EDIT] = "changed the group",
    [AUDIT_GROUP_DELETE] = "deleted the group",
    [AUDIT_GROUP_JOIN] = "took somebody into the group",
    [AUDIT_GROUP_LEAVE] = "took somebody out of the group",
    [AUDIT_CATEGORY_CREATE] = "made the category",
    [AUDIT_CATEGORY_EDIT] = "changed the category",
    [AUDIT_CATEGORY_ORDER] = "moved the category",
    [AUDIT_CATEGORY_MERGE] = "merged the category",
    [AUDIT_CATEGORY_DELETE] = "deleted the category",
    [AUDIT_SETTINGS] = "changed the settings",
    [AUDIT_MEDIA] = "deleted the picture",
    [AUDIT_POST] = "worked on the post",
    [AUDIT_PRIVATE] = "took down a private post of",
};

struct admin_row_view
admin_log_row(struct request *rq, const struct item *item)
{
	struct audit_entry entry;
	struct str when;

	audit_from_item(rq->arena, item, &entry);
	if (str_eq(entry.actor, STR("command line")))
		entry.actor = STR("The command line");
	when = words_moment(rq, entry.created);
	return (struct admin_row_view){
	    .name = STR_CONCAT(rq->arena, entry.actor, STR(" "), str_of(phrases[entry.action]),
		entry.target.len != 0 ? STR(" ") : STR(""), entry.target),
	    .text = entry.change.len != 0 ? STR_CONCAT(rq->arena, when, STR(" · "), entry.change)
					  : when,
	};
}

/* All that the row says of it. */
static struct str
entry_text(struct request *rq, const struct item *item)
{
	const struct admin_row_view row = admin_log_row(rq, item);

	return STR_CONCAT(rq->arena, row.name, STR("\n"), row.text);
}

/* "2026-11", that many months ago. */
static struct str
month_before(struct request *rq, int months, struct str *name)
{
	struct date today = time_date(rq->now);
	struct date date = time_date(time_of_day(today.year, today.month - months, 1));

	*name = words_month(rq->arena, date.year, date.month);
	return str_fmt(rq->arena, "%04d-%02d", date.year, date.month);
}

/*
 * Offers the months, with the one that is shown; *month becomes that, or the newest if it is
 * invalid.
 */
static void
offer_months(
    struct request *rq, struct admin_panel_view *panel, struct str *month, struct str *title)
{
	struct admin_search_view *search = ARENA_NEW(rq->arena, struct admin_search_view);
	struct option_view *options = ARENA_ARRAY(rq->arena, MONTHS, struct option_view);
	struct str wanted = request_query(rq, "month");
	size_t chosen = 0;

	for (int i = 0; i < MONTHS; i++) {
		options[i].value = month_before(rq, i, &options[i].label);
		if (str_eq(options[i].value, wanted))
			chosen = (size_t)i;
	}
	options[chosen].chosen = true;
	*month = options[chosen].value;
	*title = options[chosen].label;
	*search = (struct admin_search_view){.action_url = STR("/admin/log"),
	    .select_label = STR("Month"),
	    .select_name = STR("month"),
	    .options = {options, MONTHS},
	    .filter_label = STR("Words in entries"),
	    .filter = filter_of(rq).typed};
	panel->search = search;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/log", STR("Log"));
	struct admin_panel_view *panel = admin_panel(view, "entries", NULL);
	struct admin_row_view *rows;
	const struct filter filter = filter_of(rq);
	struct str month, title;
	struct read read;
	enum http_status status;
	bool newer;

	offer_months(rq, panel, &month, &title);
	read = (struct read){.kind = READ_QUERY, .query = query_audit(rq->arena, month)};
	filter_limit(&filter, ENTRIES, &read);
	read.query.descending = true;
	if (!list_cursor(rq, &read.query.cursor, &newer))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	filter_keep(rq, &filter, ENTRIES, entry_text, &read);
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++)
		rows[i] = admin_log_row(rq, &read.found[i]);
	panel->rows.items = rows;
	panel->rows.count = read.found_count;
	panel->pagination = pagination_of(rq, STR(""), read.next);
	panel->empty_text = filter_empty(&filter, &read, "Nothing was done in this month.");
	view->intro = STR_CONCAT(rq->arena, STR("What the staff did in "), title, STR("."));
	return admin_respond(rq, rs, view);
}

PAGE(admin_log, .get = show, .query = QUERY("after", "month", "q"))
