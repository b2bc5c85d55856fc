/* GET /draft/<code>: an unpublished post, for anybody who has the link. */
#include "base/arena.h"
#include "model/key_post.h"
#include "model/people/session.h"
#include "model/post/draft_link.h"
#include "model/post/writing.h"
#include "pages/public/post_view.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

/*
 * The link's post, and who made it. 404 when it has expired, or its post can't be shown any more.
 */
static enum http_status
load(struct request *rq, const struct draft_link *link, struct post_shown *out)
{
	struct read reads[POST_READS + DRAFT_LINK_READS], *maker = &reads[POST_READS];
	struct written written;
	enum http_status status;

	post_reads(rq->arena, link->post, true, reads);
	status = page_read_post(rq, reads, POST_READS + draft_link_reads(rq->arena, link, maker));
	if (status != HTTP_OK)
		return status;
	if (!written_take(rq->arena, reads, &written) || written.post.status == STATUS_DELETED ||
	    !draft_link_good(rq->arena, link, maker, &written.post, rq->now))
		return HTTP_NOT_FOUND;
	out->post = written.post;
	out->body = written.body;
	/* A draft has no date yet, so it shows when it was last changed. */
	if (out->post.published == 0)
		out->post.published = out->post.updated;
	return HTTP_OK;
}

static enum http_status
show(struct request *rq, struct response *rs, const struct draft_link *link,
    const struct post_shown *shown)
{
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);
	struct page_frame frame = {.title = words_title(&shown->post), .noindex = true};

	post_view_fill(rq, shown, view);
	view->notice_text =
	    STR_CONCAT(rq->arena, STR("Not for everybody. You see it by a link that ends on "),
		words_moment(rq, link->expires * 1000), STR("."));
	if (may(rq->viewer, MAY_EDIT, thing_post(&shown->post, rq->now)))
		view->edit_url = url_join(rq->arena, STR("/edit/"), shown->post.id);
	layout_fill(rq, &frame, &view->layout);
	return post_respond(rq, rs, shown->post.kind, view);
}

/* All invalid links get the same answer. */
static enum http_status
nowhere(struct response *rs)
{
	rs->error_text =
	    "A link to a draft ends after a while, and may be revoked. Whoever sent it to "
	    "you can make another.";
	return HTTP_NOT_FOUND;
}

static enum http_status
find(struct request *rq, struct response *rs)
{
	struct post_shown *shown = ARENA_NEW(rq->arena, struct post_shown);
	struct str code = request_param(rq, "code");
	struct read read = {.kind = READ_GET, .consistent = true};
	struct draft_link link;
	enum http_status status;

	if (code.len != SESSION_TOKEN_LEN)
		return nowhere(rs);
	read.key = key_draft_link(rq->arena, session_hash(rq->arena, code));
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.item == NULL)
		return nowhere(rs);
	draft_link_from_item(rq->arena, read.item, &link);
	status = load(rq, &link, shown);
	if (status != HTTP_OK)
		return status == HTTP_NOT_FOUND ? nowhere(rs) : status;
	/* A public post has a better address. */
	if (post_visible_to(&shown->post, NULL, rq->now))
		return redirect(rs, HTTP_SEE_OTHER, post_path(rq->arena, &shown->post));
	return show(rq, rs, &link, shown);
}

PAGE(draft, .get = find)
