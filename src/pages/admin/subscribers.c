/*
 * /admin/subscribers: who gets the publication by mail without an account: how many, a list, one address, and all of them
 * as a file. Addresses stand in no address of a page, so that no log has them.
 */
#include "model/site/subscriber.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_subscriber.h"
#include "model/site/audit.h"
#include "model/site/mailing.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/csv.h"
#include "text/url.h"

enum { SHOWN = 50, COUNTED = 200, MAILINGS = 10 };

static const struct {
	enum subscriber_list list;
	const char *label, *empty;
} lists[] = {
    {SUBSCRIBERS_EACH, "Each post", "Nobody gets each post."},
    {SUBSCRIBERS_WEEKLY, "A letter a week", "Nobody gets a letter a week."},
    {SUBSCRIBERS_WAITING, "Not confirmed", "No address waits to be confirmed."},
};
enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

struct finding {
	struct str address;
};
static const struct field find_fields[] = {
    {FIELD_EMAIL(struct finding, address), .label = "E-mail address", .required = true,
	.missing = "Which address?"},
};
static const struct form find_form = FORM("find", struct finding, find_fields,
    .action = "/admin/subscribers", .button = "Find");

/* What the page reads. */
enum { READ_COUNTS, READ_WAITING, READ_GONE, READ_LIST, READ_MAILINGS, READS };

static size_t
list_asked(struct request *rq)
{
	struct str asked = request_query(rq, "list");

	for (size_t i = 0; i < LISTS; i++)
		if (str_eq(asked, str_of(subscriber_list_name(lists[i].list))))
			return i;
	return 0;
}

static struct str
list_url(struct request *rq, size_t which)
{
	return STR_CONCAT(rq->arena, STR("/admin/subscribers?list="),
	    str_of(subscriber_list_name(lists[which].list)));
}

static struct admin_row_view
subscriber_row(struct request *rq, const struct subscriber *s)
{
	static const char *const words[] = {
	    [RHYTHM_EACH] = "each post", [RHYTHM_WEEKLY] = "a letter a week"};
	struct admin_row_view row = {.name = s->address};

	if (s->status == SUBSCRIBER_WAITING) {
		row.badge = STR("not confirmed");
		row.text = STR_CONCAT(rq->arena, STR("Asked on "), words_date_near(rq, s->created));
	} else {
		row.text = STR_CONCAT(rq->arena, STR("Since "), words_date_near(rq, s->confirmed));
	}
	row.text = STR_CONCAT(rq->arena, row.text, STR(" · "), str_of(words[s->rhythm]));
	admin_button(rq, &row, "remove", s->hash, "Remove");
	return row;
}

/* --- The page ----------------------------------------------------------------------------------------- */

/* "3", or "200 or more" where counting has ended. */
static struct str
counted(struct request *rq, const struct read *read)
{
	struct str number = words_number(rq->arena, (int64_t)read->found_count);

	return read->next.len != 0 ? STR_CONCAT(rq->arena, number, STR(" or more")) : number;
}

static void
show_numbers(struct request *rq, const struct read *reads, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "numbers", NULL);
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, LISTS + 1, struct admin_row_view);
	struct subscriber_counts counts;
	size_t count = 0;

	subscriber_counts_from_item(reads[READ_COUNTS].item, &counts);
	rows[count++] = (struct admin_row_view){.url = list_url(rq, 0),
	    .name = STR("Get each post"),
	    .badge = words_number(rq->arena, counts.each)};
	rows[count++] = (struct admin_row_view){.url = list_url(rq, 1),
	    .name = STR("Get a letter a week"),
	    .badge = words_number(rq->arena, counts.weekly)};
	rows[count++] = (struct admin_row_view){.url = list_url(rq, 2),
	    .name = STR("Have not confirmed their address"),
	    .text = STR("They are forgotten after a week."),
	    .badge = counted(rq, &reads[READ_WAITING])};
	rows[count++] = (struct admin_row_view){.name = STR("Ended it in the last 30 days"),
	    .badge = counted(rq, &reads[READ_GONE])};
	panel->rows.items = rows;
	panel->rows.count = count;
}

static void
show_list(struct request *rq, struct response *rs, size_t which, const struct read *list,
    struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "list", lists[which].label);
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, list->found_count, struct admin_row_view);

	for (size_t i = 0; i < list->found_count; i++) {
		struct subscriber s;

		subscriber_from_item(rq->arena, &list->found[i], &s);
		rows[i] = subscriber_row(rq, &s);
	}
	admin_buttons_lead(rq, rs, panel, STR("/admin/subscribers/remove"));
	panel->rows.items = rows;
	panel->rows.count = list->found_count;
	panel->empty_text = str_of(lists[which].empty);
	if (list->next.len != 0)
		admin_way(rq, panel, older_url(rq, list->next), "More");
}

/* What was mailed lately; what nobody wanted is left out. */
static void
show_mailings(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "mailings", "Mailed lately");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++) {
		struct mailing mailing;

		mailing_from_item(rq->arena, &read->found[i], &mailing);
		if (mailing.letters == 0)
			continue;
		rows[count] = (struct admin_row_view){.name = STR("The letter of the week"),
		    .text = STR_CONCAT(rq->arena, words_moment(rq, mailing.made), STR(" · "),
			words_count(rq->arena, mailing.letters, "letter", "letters")),
		    .badge = mailing.done == 0 ? STR("under way") : STR("")};
		if (mailing.what == MAILING_POST) {
			rows[count].name = mailing.title.len != 0 ? mailing.title : STR("A note");
			rows[count].url = url_join(rq->arena, STR("/post/"), mailing.thing);
		}
		count++;
	}
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->empty_text = STR("Nothing so far. A new post goes out a minute after it has appeared.");
}

static void
show_export(struct request *rq, struct response *rs, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "export", NULL);
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);

	admin_buttons_lead(rq, rs, panel, STR("/admin/subscribers/export"));
	row->name = STR("All confirmed addresses");
	row->text = STR("A file for spreadsheets (CSV), also for moving elsewhere.");
	admin_button(rq, row, "export", STR("1"), "Download");
	panel->rows.items = row;
	panel->rows.count = 1;
}

/* `found`: whom somebody looked for, or NULL. */
static enum http_status
show_with(struct request *rq, struct response *rs, const struct subscriber *found)
{
	struct admin_view *view = admin_page(rq, "/admin/subscribers", STR("Subscribers"));
	struct read reads[READS] = {
	    [READ_COUNTS] = {.kind = READ_GET, .key = key_subscriber_counts()},
	    [READ_WAITING] = {.kind = READ_QUERY,
		.query = subscribers_in(rq->arena, SUBSCRIBERS_WAITING)},
	    [READ_GONE] = {.kind = READ_QUERY,
		.query = subscribers_in(rq->arena, SUBSCRIBERS_GONE)},
	    [READ_MAILINGS] = {.kind = READ_QUERY, .query = query_mailings()},
	};
	size_t which = list_asked(rq);
	struct admin_panel_view *panel;
	enum http_status status;
	bool newer;

	reads[READ_MAILINGS].query.descending = true;
	reads[READ_MAILINGS].query.limit = MAILINGS;
	reads[READ_LIST] = (struct read){
	    .kind = READ_QUERY, .query = subscribers_in(rq->arena, lists[which].list)};
	reads[READ_LIST].query.descending = true;
	reads[READ_LIST].query.limit = SHOWN;
	reads[READ_WAITING].query.limit = reads[READ_GONE].query.limit = COUNTED;
	if (!list_cursor(rq, &reads[READ_LIST].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	view->intro = rq->site->mailer != NULL
			  ? STR("They get the publication by mail, without an account.")
			  : STR("No mail server is set, so nobody can subscribe, and no letter goes.");
	show_numbers(rq, reads, view);
	panel = admin_panel(view, "find-panel", "Find one");
	admin_form(rq, rs, panel, form_shown(rq, &find_form), STR("/admin/subscribers"));
	if (found != NULL) {
		struct admin_row_view row = subscriber_row(rq, found);

		panel->rows.items = arena_copy(rq->arena, &row, sizeof(row));
		panel->rows.count = 1;
		admin_buttons_lead(rq, rs, panel, STR("/admin/subscribers/remove"));
	}
	show_list(rq, rs, which, &reads[READ_LIST], view);
	show_mailings(rq, &reads[READ_MAILINGS], view);
	show_export(rq, rs, view);
	return admin_respond(rq, rs, view);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	return show_with(rq, rs, NULL);
}

static enum http_status
find(struct request *rq, struct response *rs)
{
	const struct finding *in = rq->form->values;
	struct read read = {.kind = READ_GET,
	    .key = key_subscriber(rq->arena, subscriber_hash(rq->arena, in->address)),
	    .consistent = true};
	enum http_status status = page_read(rq, &read, 1);
	struct subscriber s = {.status = SUBSCRIBER_GONE};

	if (status != HTTP_OK)
		return status;
	if (read.item != NULL)
		subscriber_from_item(rq->arena, read.item, &s);
	if (s.status != SUBSCRIBER_GONE)
		return show_with(rq, rs, &s);
	form_refuse(rq->form, "address", "No letters go to this address.");
	return show(rq, rs);
}

/* --- Acts --------------------------------------------------------------------------------------------- */

/* Asks first: nobody but its owner can begin it again. */
static enum http_status
ask_removal(struct request *rq, struct response *rs, const struct subscriber *s)
{
	struct confirmation question = {.title = STR("Remove this address?"),
	    .message = STR_CONCAT(rq->arena, STR("No letter goes to "), s->address,
		STR(" any more, and the address is deleted here. Only its owner can ask for letters again.")),
	    .action_url = STR("/admin/subscribers/remove"),
	    .cancel_url = STR("/admin/subscribers"),
	    .button = "Remove",
	    .destroys = true,
	    .name = STR("remove"),
	    .value = s->hash,
	    .sure = true};

	return confirm(rq, rs, &question);
}

static enum http_status
remove_one(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct read read = {.kind = READ_GET, .consistent = true};
	struct str hash = input_of(rq, "remove");
	enum plan_rc rc = PLAN_DONE;
	enum http_status status;
	struct subscriber s = {.status = SUBSCRIBER_GONE};

	if (hash.len != SUBSCRIBER_HASH_LEN)
		return HTTP_BAD_REQUEST;
	read.key = key_subscriber(rq->arena, hash);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.item != NULL)
		subscriber_from_item(rq->arena, read.item, &s);
	if (s.status != SUBSCRIBER_GONE && !confirmed(rq))
		return ask_removal(rq, rs, &s);
	if (s.status != SUBSCRIBER_GONE) {
		/* Whose it was is nobody's business from now on. */
		audit_log(&plan, AUDIT_SUBSCRIBERS, STR(""), STR("removed one"));
		rc = subscriber_end(&plan, &s);
	}
	return plan_answer(rq, rs, &plan, rc, STR("/admin/subscribers"), "removed");
}

static enum table_rc
put_all(struct request *rq, enum subscriber_list list, struct buf *out)
{
	struct query query = subscribers_in(rq->arena, list);

	do {
		struct item *found;
		size_t count;
		struct str next;
		enum table_rc rc;

		query.limit = TABLE_QUERY_MAX;
		rc = table_query(rq->table, &rq->call, &query, &found, &count, &next);
		if (rc != TABLE_OK)
			return rc;
		for (size_t i = 0; i < count; i++) {
			struct subscriber s;

			subscriber_from_item(rq->arena, &found[i], &s);
			csv_line(out,
			    (const struct str[]){s.address, str_of(rhythm_name(s.rhythm)),
				time_format(rq->arena, s.confirmed)},
			    3);
		}
		query.cursor = next;
	} while (query.cursor.len != 0);
	return TABLE_OK;
}

static enum http_status
export(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	enum table_rc rc;
	enum plan_rc logged;

	audit_log(&plan, AUDIT_SUBSCRIBERS, STR(""), STR("downloaded"));
	logged = plan_commit(&plan);
	if (logged != PLAN_DONE)
		return plan_refused(rs, &plan, logged);
	csv_line(&rs->body, (const struct str[]){STR("address"), STR("rhythm"), STR("confirmed")}, 3);
	rc = put_all(rq, SUBSCRIBERS_EACH, &rs->body);
	if (rc == TABLE_OK)
		rc = put_all(rq, SUBSCRIBERS_WEEKLY, &rs->body);
	if (rc != TABLE_OK)
		return status_of(rc);
	rs->content_type = STR("text/csv; charset=utf-8");
	response_header(rs, STR("Content-Disposition"),
	    STR("attachment; filename=\"subscribers.csv\""));
	return HTTP_OK;
}

PAGE(admin_subscribers, .get = show, .post = find, .refused = show, .form = &find_form,
    .query = QUERY("done", "list", "after", "before"))
PAGE(admin_subscribers_remove, .post = remove_one)
PAGE(admin_subscribers_export, .post = export)
