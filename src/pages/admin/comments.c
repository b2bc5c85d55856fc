/*
 * /admin/comments: the moderators' queue, and with ?show= the newest comments of everybody and
 * those hidden in the last 30 days. A button decides on a comment or thing, and settles all of its
 * flags. Comments under a post that the viewer may not read are not shown and can't be decided on.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/post/post.h"
#include "pages/admin/comment_rows.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

static const char here[] = "/admin/comments";

/* --- The lists --------------------------------------------------------------------------------------- */

/* A list of the page. */
struct list {
	const char *id, *heading, *empty;
	struct query query;
	bool flagged; /* it has flagged things, not comments */
};

static struct admin_panel_view *
fill_panel(struct request *rq, struct response *rs, struct comment_rows *rows,
    const struct list *list, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, list->id, list->heading);
	struct admin_row_view *shown =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		count += list->flagged ? comment_row_flagged(rows, &read->found[i], &shown[count])
				       : comment_row(rows, &read->found[i], &shown[count]);
	panel->rows.items = shown;
	panel->rows.count = count;
	panel->empty_text = str_of(list->empty);
	admin_buttons_lead(rq, rs, panel, str_of(here));
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

static enum http_status
show_lists(struct request *rq, struct response *rs, struct admin_view *view,
    const struct list *lists, size_t count)
{
	struct comment_rows *rows = comment_rows(rq);
	struct read *reads = ARENA_ARRAY(rq->arena, count, struct read);
	enum http_status status;
	bool newer;

	for (size_t i = 0; i < count; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = lists[i].query};
		reads[i].query.limit = COMMENT_ROWS_MAX;
	}
	if (!list_cursor(rq, &reads[0].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (count > 1)
		drop_elsewhere(&reads[0]);
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < reads[i].found_count; n++) {
			if (lists[i].flagged)
				comment_rows_add_flagged(rows, &reads[i].found[n]);
			else
				comment_rows_add(rows, &reads[i].found[n]);
		}
	status = comment_rows_read(rows);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < count; i++)
		fill_panel(rq, rs, rows, &lists[i], &reads[i], view)->pagination =
		    i == 0 ? pagination_onward(rq, reads[i].next) : NULL;
	return admin_respond(rq, rs, view);
}

static void
show_ways(struct request *rq, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "lists", NULL);

	admin_way(rq, panel, str_of(here), "What waits");
	admin_way(rq, panel, STR("/admin/comments?show=newest"), "Everybody’s newest comments");
	admin_way(rq, panel, STR("/admin/comments?show=hidden"), "What was hidden");
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	const struct list waiting[] = {
	    {"held", "Waiting for an editor", "Nothing waits.", query_comments_held(), false},
	    {"flagged", "Flagged by readers", "Nothing is flagged.", query_flagged(), true},
	    {"answered", "Answers to what was hidden", "Nobody has answered.",
		query_comments_answered(), false},
	};
	struct list newest = {"newest", NULL, "There are no comments.", query_comments_visible(),
	    false};
	struct list hidden = {"hidden", NULL, "Nothing was hidden.", query_comments_hidden(), false};
	struct str which = request_query(rq, "show");
	struct admin_view *view = admin_page(rq, here, STR("Comments"));
	enum http_status status;

	newest.query.descending = hidden.query.descending = true;
	show_ways(rq, view);
	if (str_eq(which, STR("newest"))) {
		view->intro = STR("What everybody sees, the newest first.");
		status = show_lists(rq, rs, view, &newest, 1);
	} else if (str_eq(which, STR("hidden"))) {
		view->intro = STR("It can be restored for 30 days.");
		status = show_lists(rq, rs, view, &hidden, 1);
	} else {
		view->intro =
		    STR("Whose first comment is approved is known: what they write next appears at "
			"once. Whoever wrote what is hidden sees why, and can answer once.");
		status = show_lists(rq, rs, view, waiting, 3);
	}
	return status;
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* The actions of buttons. */
enum deed { APPROVE, HIDE, RESTORE, KEEP, DEEDS };
static const struct {
	const char *name, *done;
	enum action needs;
} deeds[DEEDS] = {
    [APPROVE] = {"approve", "approved", MAY_PUBLISH},
    [HIDE] = {"hide", "hidden", MAY_TAKE_DOWN},
    [RESTORE] = {"restore", "restored", MAY_RESTORE},
    [KEEP] = {"keep", "kept", MAY_RESTORE},
};

/* A comment and its flags. */
struct decided {
	const struct item *item, *flagged; /* NULL: none */
	struct comment comment;
};

/* The comment of a button; HTTP_OK: the viewer may read its post. */
static enum http_status
find(struct request *rq, struct str id, struct str path, struct decided *out)
{
	const struct flag_target target = {.what = FLAG_COMMENT, .path = path};
	struct read reads[3];
	enum http_status status;
	struct post post;

	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, path)};
	reads[2] = (struct read){.kind = READ_GET,
	    .key = key_flagged(rq->arena, key_flag_target(rq->arena, &target))};
	status = page_read(rq, reads, 3);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[0], MAY_READ, &post);
	if (status != HTTP_OK)
		return status;
	*out = (struct decided){.item = reads[1].item, .flagged = reads[2].item};
	out->comment.status = COMMENT_DELETED;
	if (out->item != NULL)
		comment_from_item(rq->arena, out->item, &out->comment);
	return HTTP_OK;
}

static bool
is_open(struct request *rq, const struct decided *d)
{
	struct flagged flagged;

	if (d->flagged == NULL)
		return false;
	flagged_from_item(rq->arena, d->flagged, &flagged);
	return flagged.status == FLAGGED_OPEN;
}

static enum plan_rc
carry_out(
    struct request *rq, struct plan *plan, enum deed deed, struct str why, const struct decided *d)
{
	if (deed == RESTORE && !comment_restorable(&d->comment, rq->now))
		return PLAN_GONE;
	if ((deed == APPROVE || deed == HIDE) && is_open(rq, d))
		flag_settle(plan, d->flagged, deed == HIDE);
	if (deed == RESTORE && d->flagged != NULL)
		flag_settle(plan, d->flagged, false);
	switch (deed) {
	case APPROVE: return comment_approve(plan, d->item);
	case HIDE: return comment_hide(plan, d->item, why);
	case RESTORE: return comment_restore(plan, d->item);
	case KEEP:
	case DEEDS: break;
	}
	return comment_keep_hidden(plan, d->item);
}

static enum http_status
decide(struct request *rq, struct response *rs, enum deed deed, struct str value)
{
	struct plan plan = plan_of_staff(rq);
	struct str id, path, shown, why = STR("");
	struct decided d;
	enum plan_rc rc = PLAN_TAKEN;
	enum http_status status;

	if (deed == HIDE) {
		const char *reason = comment_row_reason(str_cut(value, ' ', &value));

		if (reason == NULL)
			return HTTP_BAD_REQUEST;
		why = str_of(reason);
	}
	if (!comment_row_parse(value, &id, &path, &shown))
		return HTTP_BAD_REQUEST;
	status = find(rq, id, path, &d);
	if (status != HTTP_OK)
		return status;
	/*
	 * Another moderator has decided meanwhile, or the button was pressed twice, or the author
	 * has edited it.
	 */
	if (str_eq(shown, time_format(rq->arena, d.comment.updated)) &&
	    may(rq->viewer, deeds[deed].needs, thing_comment(&d.comment)))
		rc = carry_out(rq, &plan, deed, why, &d);
	return plan_answer(rq, rs, &plan, rc, str_of(here), deeds[deed].done);
}

/* Settles all flags of a thing, if there are as many as were shown. */
static enum http_status
settle(struct request *rq, struct response *rs, struct str value, bool upheld)
{
	struct plan plan = plan_of_staff(rq);
	struct str count, name = str_cut(value, ' ', &count);
	struct read read = {.kind = READ_GET, .key = key_flagged(rq->arena, name)};
	struct flagged flagged;
	enum http_status status;
	int64_t flags;
	enum plan_rc rc = PLAN_TAKEN;

	if (name.len == 0 || !str_int(count, &flags))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.item == NULL)
		return HTTP_NOT_FOUND;
	flagged_from_item(rq->arena, read.item, &flagged);
	if (flagged.flags == flags && flagged.status == FLAGGED_OPEN) {
		flag_settle(&plan, read.item, upheld);
		audit_log(&plan, AUDIT_FLAGS, name,
		    upheld ? STR("upheld") : STR("dismissed"));
		rc = plan_commit(&plan);
	}
	return plan_answer(rq, rs, &plan, rc, str_of(here), upheld ? "upheld" : "dismissed");
}

static enum http_status
press(struct request *rq, struct response *rs)
{
	struct str dismissed = input_of(rq, "dismiss"), upheld = input_of(rq, "uphold");
	enum deed deed = DEEDS;
	int pressed = (dismissed.len != 0) + (upheld.len != 0);

	for (size_t i = 0; i < DEEDS; i++)
		if (input_of(rq, deeds[i].name).len != 0) {
			deed = (enum deed)i;
			pressed++;
		}
	if (pressed != 1)
		return HTTP_BAD_REQUEST;
	if (deed == DEEDS)
		return settle(
		    rq, rs, dismissed.len != 0 ? dismissed : upheld, dismissed.len == 0);
	return decide(rq, rs, deed, input_of(rq, deeds[deed].name));
}

PAGE(admin_comments, .get = show, .post = press, .query = QUERY("after", "done", "show"))
