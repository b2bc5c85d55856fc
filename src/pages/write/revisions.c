/*
 * GET /revisions/<id>: the revisions of a post, one for each save, for those who may edit it.
 * GET /revisions/<id>/compare?from=3&to=7: what changed between two revisions.
 * POST /revisions/<id>/restore: restores the text of a revision, as a new revision.
 */
#include "pages/write/revisions.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/autosave.h"
#include "model/post/revision.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/checks.h"
#include "pages/write/diff_view.h"
#include "pages/write/revision_parts.h"
#include "pages/write/write.h"
#include "text/markdown.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/large.h"
#include "web/session/csrf.h"

#include <inttypes.h>

enum { SHOWN = 20, AUTOSAVES = 20 };

struct revision_row_view {
	int64_t number;
	struct str compare_url, saved, saved_text, by, changes_text;
	bool oldest, newest; /* selected for comparison at first */
};

struct unsaved_view {
	struct str by, saved, saved_text;
};

struct revisions_view {
	struct layout_view layout;
	struct str title, notice, compare_url, unsaved_text;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct revision_row_view) revisions;
	LIST_OF(struct unsaved_view) unsaved;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(revision_row_view, NUMBER(number), STRING(compare_url), STRING(saved),
    STRING(saved_text), STRING(by), STRING(changes_text), FLAG(oldest), FLAG(newest))
VIEW_FIELDS(unsaved_view, STRING(by), STRING(saved), STRING(saved_text))
VIEW_FIELDS(revisions_view, VIEW(layout, layout_view), STRING(title), STRING(notice),
    STRING(compare_url), STRING(unsaved_text), LIST(breadcrumbs, link_view),
    LIST(revisions, revision_row_view), LIST(unsaved, unsaved_view),
    OPTION(pagination, pagination_view))
TEMPLATE(revisions_template, "revisions", revisions_view)

struct compare_view {
	struct layout_view layout;
	struct str title, from_text, to_text, older_url, newer_url, restore_url, token;
	int64_t from, to;
	bool restores_to; /* the newer one can be restored as well: it is not the latest */
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct diff_view) parts;
};

VIEW_FIELDS(compare_view, VIEW(layout, layout_view), STRING(title), STRING(from_text),
    STRING(to_text), STRING(older_url), STRING(newer_url), STRING(restore_url), STRING(token),
    NUMBER(from), NUMBER(to), FLAG(restores_to), LIST(breadcrumbs, link_view),
    LIST(parts, diff_view))
TEMPLATE(compare_template, "compare", compare_view)

/* --- Shared -------------------------------------------------------------------------------------- */

struct str
revisions_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, STR("/revisions/"), post->id);
}

static struct str
compare_path(struct arena *arena, const struct post *post, int64_t from, int64_t to)
{
	return str_fmt(arena, "%.*s/compare?from=%" PRId64 "&to=%" PRId64,
	    STR_ARGS(revisions_path(arena, post)), from, to);
}

struct breadcrumbs
revisions_trail(struct request *rq, const struct post *post, bool deep)
{
	struct breadcrumbs trail = trail_home(rq);

	breadcrumb(rq, &trail,
	    url_join(
		rq->arena, post->kind == KIND_PAGE ? STR("/page/") : STR("/post/"), post->slug),
	    words_title(post));
	breadcrumb(rq, &trail, url_join(rq->arena, STR("/edit/"), post->id), STR("Edit"));
	if (deep)
		breadcrumb(rq, &trail, revisions_path(rq->arena, post), STR("Revisions"));
	return trail;
}

/* Who saved it and when, "Ada, 18 November 2026, 09:30 CET". */
static struct str
made(struct request *rq, const struct revision *revision)
{
	return STR_CONCAT(rq->arena, revision->by_name.len != 0 ? revision->by_name : revision->by,
	    STR(", "), words_moment(rq, revision->saved));
}

/* --- The list -------------------------------------------------------------------------------------- */

/* What a revision changed; `before` is NULL when the previous one was not read. */
static struct str
changes(struct arena *arena, const struct revision *revision, const struct revision *before)
{
	struct revision_parts old, new;

	if (revision->number == 1)
		return STR("The first");
	if (before == NULL)
		return STR("");
	old = revision_parts(arena, &before->post, &before->body);
	new = revision_parts(arena, &revision->post, &revision->body);
	return revision_changes(arena, &old, &new);
}

/* "Published: Title, text": the action, and the fields that changed. */
static struct str
summary(struct arena *arena, struct str what, struct str changed)
{
	if (what.len == 0)
		return changed.len != 0 ? changed : STR("No change");
	what = words_capital(arena, what);
	return changed.len != 0 ? STR_CONCAT(arena, what, STR(": "), changed) : what;
}

/* The last one read is not shown, only compared with. */
static void
fill_revisions(struct request *rq, const struct post *post, const struct read *read,
    struct revisions_view *view)
{
	size_t count = read->found_count < SHOWN ? read->found_count : SHOWN;
	struct revision_row_view *rows = ARENA_ARRAY(rq->arena, count, struct revision_row_view);
	struct revision *all = ARENA_ARRAY(rq->arena, read->found_count, struct revision);

	for (size_t i = 0; i < read->found_count; i++)
		revision_from_item(rq->arena, &read->found[i], &all[i]);
	for (size_t i = 0; i < count; i++) {
		const struct revision *r = &all[i];
		struct str changed =
		    changes(rq->arena, r, i + 1 < read->found_count ? &all[i + 1] : NULL);

		rows[i] = (struct revision_row_view){
		    .number = r->number,
		    .compare_url = compare_path(rq->arena, post, r->number - 1, r->number),
		    .saved = time_format(rq->arena, r->saved),
		    .saved_text = words_moment(rq, r->saved),
		    .by = r->by_name.len != 0 ? r->by_name : r->by,
		    .changes_text = summary(rq->arena, r->what, changed),
		    .newest = i == 0,
		    .oldest = i == 1 || count == 1,
		};
	}
	view->revisions.items = rows;
	view->revisions.count = count;
}

static void
fill_unsaved(struct request *rq, const struct read *read, struct revisions_view *view)
{
	struct unsaved_view *rows = ARENA_ARRAY(rq->arena, read->found_count, struct unsaved_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct autosave a;

		autosave_from_item(rq->arena, &read->found[i], &a);
		rows[i] = (struct unsaved_view){.by = a.username,
		    .saved = time_format(rq->arena, a.saved),
		    .saved_text = words_moment(rq, a.saved)};
	}
	view->unsaved.items = rows;
	view->unsaved.count = read->found_count;
	view->unsaved_text =
	    words_some(rq->arena, (int64_t)read->found_count, "unsaved text", "unsaved texts");
}

static struct str
below_url(struct request *rq, const struct post *post, int64_t number)
{
	if (number > post->revisions)
		return revisions_path(rq->arena, post);
	return str_fmt(
	    rq->arena, "%.*s?below=%" PRId64, STR_ARGS(revisions_path(rq->arena, post)), number);
}

/* Links to newer and older ones; those shown are below a number; 0: the newest. */
static const struct pagination_view *
pages_beside(struct request *rq, const struct post *post, const struct read *read, int64_t below)
{
	struct pagination_view *view;
	bool more = read->found_count > SHOWN;
	struct revision last;

	if (below == 0 && !more)
		return NULL;
	view = ARENA_NEW(rq->arena, struct pagination_view);
	if (below != 0)
		view->newer_url = below_url(rq, post, below + SHOWN);
	if (more) {
		revision_from_item(rq->arena, &read->found[SHOWN - 1], &last);
		view->older_url = below_url(rq, post, last.number);
	}
	return view;
}

/* Reads those below a number; 0: the newest. One more than are shown. */
static struct read
revisions_read(struct request *rq, struct str id, int64_t below)
{
	struct read read = {.kind = READ_QUERY, .query = query_revisions(rq->arena, id)};

	read.query.descending = true;
	read.query.limit = SHOWN + 1;
	if (below == 0)
		return read;
	read.query.op = SORT_BETWEEN;
	read.query.low = key_revision(rq->arena, id, 0).sk;
	read.query.high = key_revision(rq->arena, id, below - 1).sk;
	return read;
}

static enum http_status
show_list(struct request *rq, struct response *rs)
{
	enum { HEAD, REVISIONS, UNSAVED, READS };
	struct revisions_view *view = ARENA_NEW(rq->arena, struct revisions_view);
	struct page_frame frame = {.title = STR("Revisions"), .noindex = true};
	struct str id = request_param(rq, "id"), typed = request_query(rq, "below");
	struct read reads[READS];
	enum http_status status;
	int64_t below = 0;
	struct post post;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	if (typed.len != 0 && (!str_int(typed, &below) || below < 2 || below > INT32_MAX))
		return HTTP_BAD_REQUEST;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[REVISIONS] = revisions_read(rq, id, below);
	reads[UNSAVED] = (struct read){.kind = READ_QUERY, .query = query_autosaves(rq->arena, id)};
	reads[UNSAVED].query.limit = AUTOSAVES;
	status = page_read(rq, reads, READS);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[HEAD], MAY_EDIT, &post);
	if (status != HTTP_OK)
		return status;
	view->title = words_title(&post);
	view->compare_url =
	    STR_CONCAT(rq->arena, revisions_path(rq->arena, &post), STR("/compare"));
	view->breadcrumbs = revisions_trail(rq, &post, false);
	view->notice = str_of(done_says(rq));
	fill_revisions(rq, &post, &reads[REVISIONS], view);
	fill_unsaved(rq, &reads[UNSAVED], view);
	view->pagination = pages_beside(rq, &post, &reads[REVISIONS], below);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(revisions_template, view));
}

/* --- Comparing ---------------------------------------------------------------------------------- */

/* The number of a revision; false when it is invalid. */
static bool
number_of(struct str text, int64_t least, int64_t *out)
{
	return str_int(text, out) && *out >= least && *out <= INT32_MAX;
}

static struct read
revision_read(struct request *rq, struct str id, int64_t number)
{
	return (struct read){.kind = READ_GET, .key = key_revision(rq->arena, id, number)};
}

static void
fill_parts(struct request *rq, const struct revision *from, const struct revision *to,
    struct compare_view *view)
{
	struct revision_parts old = revision_parts(rq->arena, &from->post, &from->body);
	struct revision_parts new = revision_parts(rq->arena, &to->post, &to->body);
	struct diff_view *parts = ARENA_ARRAY(rq->arena, new.count, struct diff_view);
	size_t count = 0;

	for (size_t i = 0; i < new.count; i++)
		if (diff_view_fill(rq->arena, new.parts[i].label, old.parts[i].text,
			new.parts[i].text, &parts[count]))
			count++;
	view->parts.items = parts;
	view->parts.count = count;
}

static enum http_status
show_both(struct request *rq, struct response *rs, const struct post *post,
    const struct revision *from, const struct revision *to)
{
	struct compare_view *view = ARENA_NEW(rq->arena, struct compare_view);
	struct page_frame frame = {.title = STR("What changed"), .noindex = true};

	view->title = words_title(post);
	view->breadcrumbs = revisions_trail(rq, post, true);
	view->from = from->number;
	view->to = to->number;
	if (from->number != 0)
		view->from_text = made(rq, from);
	view->to_text = made(rq, to);
	/* Links to the neighbouring comparisons. */
	if (from->number > 0)
		view->older_url = compare_path(rq->arena, post, from->number - 1, from->number);
	if (to->number < post->revisions)
		view->newer_url = compare_path(rq->arena, post, to->number, to->number + 1);
	view->restores_to = to->number < post->revisions;
	view->restore_url = STR_CONCAT(rq->arena, revisions_path(rq->arena, post), STR("/restore"));
	view->token = csrf_token(rq, rs);
	fill_parts(rq, from, to, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(compare_template, view));
}

static enum http_status
show_difference(struct request *rq, struct response *rs)
{
	enum { HEAD, TO, FROM };
	struct str id = request_param(rq, "id");
	struct revision from = {.number = 0}, to;
	int64_t first, last;
	struct read reads[3];
	enum http_status status;
	struct post post;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	if (!number_of(request_query(rq, "from"), 0, &first) ||
	    !number_of(request_query(rq, "to"), 1, &last))
		return HTTP_BAD_REQUEST;
	/*
	 * The older one comes first, in whichever order they were chosen; number 0 is the empty
	 * text.
	 */
	if (first > last)
		return redirect(rs, HTTP_SEE_OTHER,
		    compare_path(rq->arena, &(struct post){.id = id}, last, first));
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[TO] = revision_read(rq, id, last);
	reads[FROM] = revision_read(rq, id, first);
	status = page_read(rq, reads, first != 0 ? 3 : 2);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[HEAD], MAY_EDIT, &post);
	if (status != HTTP_OK)
		return status;
	if (reads[TO].item == NULL || (first != 0 && reads[FROM].item == NULL))
		return HTTP_NOT_FOUND;
	revision_from_item(rq->arena, reads[TO].item, &to);
	if (first != 0)
		revision_from_item(rq->arena, reads[FROM].item, &from);
	status = large_enter(rq, rs, post_body_bytes(&from.body) + post_body_bytes(&to.body));
	return status == HTTP_OK ? show_both(rq, rs, &post, &from, &to) : status;
}

/* --- Restoring ---------------------------------------------------------------------------------- */

/* The present post with the text of the revision. */
static struct draft
restored(struct request *rq, const struct post *post, const struct post_body *body,
    const struct revision *revision)
{
	struct draft draft = {
	    .post = *post, .what = str_fmt(rq->arena, "restored %" PRId64, revision->number)};

	revision_apply(revision, &draft);
	/* Its category may have been deleted since. */
	if (category_find(&publication_of(rq)->categories, draft.post.category) == NULL)
		draft.post.category = post->category;
	/* Of people, it names those whom the present text names: no others are looked up here. */
	markdown_prepare(
	    rq->arena, &draft.post, rq->settings->language, body->mentions, &draft.body);
	markdown_body(rq->arena, rq->site->origin, &draft.body, &draft.post);
	return draft;
}

/* A picture that is gone should not be discovered later. */
static enum http_status
ask_to_restore(struct request *rq, struct response *rs, const struct revision *revision,
    const struct advice *missing)
{
	struct str list = url_join(rq->arena, STR("/revisions/"), revision->post_id);
	struct buf message = {.arena = rq->arena};
	struct confirmation ask = {
	    .button = "Restore it anyway", .name = STR("number"), .sure = true};

	for (size_t i = 0; i < missing->count; i++)
		buf_fmt(&message, "%.*s ", STR_ARGS(missing->items[i].error));
	BUF_PUT(&message, "Where a picture was, its description will stand.");
	ask.title = str_fmt(
	    rq->arena, "Revision %" PRId64 " shows what is not there any more", revision->number);
	ask.message = buf_str(&message);
	ask.action_url = STR_CONCAT(rq->arena, list, STR("/restore"));
	ask.cancel_url = list;
	ask.value = str_fmt(rq->arena, "%" PRId64, revision->number);
	return confirm(rq, rs, &ask);
}

static enum http_status
restore(struct request *rq, struct response *rs)
{
	struct str id = request_param(rq, "id");
	struct plan plan = plan_of_staff(rq);
	struct read reads[POST_READS + 1];
	struct revision revision;
	struct written old;
	enum http_status status;
	enum plan_rc rc;
	struct draft draft;
	struct post post;
	struct advice missing = {.count = 0};
	int64_t number;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	if (!number_of(input_of(rq, "number"), 1, &number))
		return HTTP_BAD_REQUEST;
	post_reads(rq->arena, id, true, reads);
	reads[POST_READS] = revision_read(rq, id, number);
	status = page_read_post(rq, reads, POST_READS + 1);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[0], MAY_EDIT, &post);
	if (status != HTTP_OK)
		return status;
	if (reads[POST_READS].item == NULL || !written_take(rq->arena, reads, &old))
		return HTTP_NOT_FOUND;
	revision_from_item(rq->arena, reads[POST_READS].item, &revision);
	status = large_enter(rq, rs, post_body_bytes(&revision.body) + post_body_bytes(&old.body));
	if (status != HTTP_OK)
		return status;
	draft = restored(rq, &post, &old.body, &revision);
	if (!confirmed(rq))
		missing = write_missing_pictures(rq, &draft);
	if (missing.count != 0)
		return ask_to_restore(rq, rs, &revision, &missing);
	draft.held_for = write_held_for(rq, &draft.post, draft.body.markdown);
	rc = writing_save(&plan, &old, &draft);
	if (rc == PLAN_TABLE)
		return status_of(plan.failed);
	if (rc != PLAN_DONE)
		return rc == PLAN_NOT_ACTIVE ? HTTP_FORBIDDEN : HTTP_CONFLICT;
	return redirect_done(rq, rs, revisions_path(rq->arena, &post), "restored");
}

PAGE(revisions, .get = show_list, .query = QUERY("below", "done"))
PAGE(compare, .get = show_difference, .query = QUERY("from", "to"))
PAGE(restore, .post = restore)
