/*
 * GET /revisions/<id>/compare?from=3&to=7: what changed between two revisions of a post.
 * POST /revisions/<id>/restore: the post says again what a revision said, as a new revision.
 */
#include "base/arena.h"
#include "model/key_post.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/checks.h"
#include "pages/write/diff_view.h"
#include "pages/write/revision_parts.h"
#include "pages/write/revisions.h"
#include "pages/write/write.h"
#include "text/markdown.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/large.h"
#include "web/session/csrf.h"

#include <inttypes.h>

struct compare_view {
	struct layout_view layout;
	struct str title, from_text, to_text, older_url, newer_url, restore_url, token;
	int64_t from, to;
	bool restores_to; /* the newer one can be restored too: it is not the last */
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct diff_view) parts;
};

VIEW_FIELDS(compare_view, VIEW(layout, layout_view), STRING(title), STRING(from_text),
    STRING(to_text), STRING(older_url), STRING(newer_url), STRING(restore_url), STRING(token),
    NUMBER(from), NUMBER(to), FLAG(restores_to), LIST(breadcrumbs, link_view),
    LIST(parts, diff_view))
TEMPLATE(compare_template, "compare", compare_view)

/* The number of a revision; false for what is none. */
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

/* --- Comparing ---------------------------------------------------------------------------------- */

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
show(struct request *rq, struct response *rs, const struct post *post, const struct revision *from,
    const struct revision *to)
{
	struct compare_view *view = ARENA_NEW(rq->arena, struct compare_view);
	struct page_frame frame = {.title = STR("What changed"), .noindex = true};

	view->title = words_title(post);
	view->breadcrumbs = revisions_trail(rq, post, true);
	view->from = from->number;
	view->to = to->number;
	if (from->number != 0)
		view->from_text = revision_made(rq, from);
	view->to_text = revision_made(rq, to);
	/* Step by step through all of them. */
	if (from->number > 0)
		view->older_url =
		    revision_compare_path(rq->arena, post, from->number - 1, from->number);
	if (to->number < post->revisions)
		view->newer_url =
		    revision_compare_path(rq->arena, post, to->number, to->number + 1);
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
	/* Whichever was chosen first, the older one stands first; the one before all others says nothing. */
	if (first > last)
		return redirect(rs, HTTP_SEE_OTHER,
		    revision_compare_path(rq->arena, &(struct post){.id = id}, last, first));
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[TO] = revision_read(rq, id, last);
	reads[FROM] = revision_read(rq, id, first);
	status = page_read(rq, reads, first != 0 ? 3 : 2);
	if (status == HTTP_OK)
		status = revised_post(rq, &reads[HEAD], &post);
	if (status != HTTP_OK)
		return status;
	if (reads[TO].item == NULL || (first != 0 && reads[FROM].item == NULL))
		return HTTP_NOT_FOUND;
	revision_from_item(rq->arena, reads[TO].item, &to);
	if (first != 0)
		revision_from_item(rq->arena, reads[FROM].item, &from);
	status = large_enter(rq, rs, post_body_bytes(&from.body) + post_body_bytes(&to.body));
	return status == HTTP_OK ? show(rq, rs, &post, &from, &to) : status;
}

/* --- Restoring ---------------------------------------------------------------------------------- */

/* The post as it is, saying what the revision said. */
static struct draft
restored(struct request *rq, const struct post *post, const struct revision *revision)
{
	struct draft draft = {
	    .post = *post, .what = str_fmt(rq->arena, "restored %" PRId64, revision->number)};

	revision_apply(revision, &draft);
	/* Its category may have gone since. */
	if (category_find(&publication_of(rq)->categories, draft.post.category) == NULL)
		draft.post.category = post->category;
	markdown_body(rq->arena, rq->site->origin, &draft.body, &draft.post.words);
	return draft;
}

/* A hole in a page is nothing to come upon later. */
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
		status = revised_post(rq, &reads[0], &post);
	if (status != HTTP_OK)
		return status;
	if (reads[POST_READS].item == NULL || !written_take(rq->arena, reads, &old))
		return HTTP_NOT_FOUND;
	revision_from_item(rq->arena, reads[POST_READS].item, &revision);
	status = large_enter(rq, rs, post_body_bytes(&revision.body) + post_body_bytes(&old.body));
	if (status != HTTP_OK)
		return status;
	draft = restored(rq, &post, &revision);
	if (!confirmed(rq))
		missing = write_missing_pictures(rq, &draft);
	if (missing.count != 0)
		return ask_to_restore(rq, rs, &revision, &missing);
	rc = writing_save(&plan, &old, &draft);
	if (rc == PLAN_TABLE)
		return status_of(plan.failed);
	if (rc != PLAN_DONE)
		return HTTP_CONFLICT;
	return redirect_done(rq, rs, revisions_path(rq->arena, &post), "restored");
}

PAGE(compare, .get = show_difference, .query = QUERY("from", "to"))
PAGE(restore, .post = restore)
