/* GET /revisions/<id>: what a post said whenever it was saved, for those who may edit it. */
#include "pages/shared/done.h"
#include "pages/write/revisions.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/autosave.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/revision_parts.h"
#include "text/url.h"

#include <inttypes.h>

enum { SHOWN = 20, AUTOSAVES = 20 };

struct revision_row_view {
	int64_t number;
	struct str compare_url, saved, saved_text, by, changes_text;
	bool oldest, newest; /* of the two that are chosen at first */
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

/* --- Shared -------------------------------------------------------------------------------------- */

enum http_status
revised_post(struct request *rq, const struct read *head, struct post *out)
{
	if (head->item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, head->item, out);
	return may(rq->viewer, MAY_EDIT, thing_post(out, rq->now)) ? HTTP_OK : HTTP_NOT_FOUND;
}

struct str
revisions_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, STR("/revisions/"), post->id);
}

struct str
revision_compare_path(struct arena *arena, const struct post *post, int64_t from, int64_t to)
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

struct str
revision_made(struct request *rq, const struct revision *revision)
{
	return STR_CONCAT(rq->arena, revision->by_name.len != 0 ? revision->by_name : revision->by,
	    STR(", "), words_moment(rq, revision->saved));
}

/* --- The page -------------------------------------------------------------------------------------- */

/* What a revision changed, against the one before it: `before` is NULL when that is not at hand. */
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

/* "Published: Title, text": what was done, and what changed with it. */
static struct str
summary(struct arena *arena, struct str what, struct str changed)
{
	if (what.len == 0)
		return changed.len != 0 ? changed : STR("No change");
	what = words_capital(arena, what);
	return changed.len != 0 ? STR_CONCAT(arena, what, STR(": "), changed) : what;
}

/* The one that is read behind those that are shown is only to be compared with. */
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
		    .compare_url = revision_compare_path(rq->arena, post, r->number - 1, r->number),
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

/* The pages of newer and older ones beside this one, of those below a number; 0: of all. */
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

/* The read of those below a number; 0: of all. One more than are shown. */
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
show(struct request *rq, struct response *rs)
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
		status = revised_post(rq, &reads[HEAD], &post);
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

PAGE(revisions, .get = show, .query = QUERY("below", "done"))
