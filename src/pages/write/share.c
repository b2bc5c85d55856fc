/* /share/<id>: the links by which others read an unpublished post. For those who may edit it. */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/people/session.h"
#include "model/post/draft_link.h"
#include "model/site/audit.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/revisions.h"
#include "text/template.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { DAY_SECONDS = 86400 };

struct shared_view {
	struct str hash, made_text, ends_text;
};

struct share_view {
	struct layout_view layout;
	struct str title, notice, link, action_url, revoke_url, token;
	bool full;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct shared_view) links;
};

VIEW_FIELDS(shared_view, STRING(hash), STRING(made_text), STRING(ends_text))
VIEW_FIELDS(share_view, VIEW(layout, layout_view), STRING(title), STRING(notice), STRING(link),
    STRING(action_url), STRING(revoke_url), STRING(token), FLAG(full), LIST(breadcrumbs, link_view),
    LIST(links, shared_view))
TEMPLATE(share_template, "share", share_view)

/* The post and its links. HTTP_OK when the viewer may edit it. */
static enum http_status
load(struct request *rq, struct post *post, struct read *links)
{
	struct str id = request_param(rq, "id");
	struct read reads[2];
	enum http_status status;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_draft_links(rq->arena, id)};
	reads[1].query.limit = DRAFT_LINKS_MAX;
	status = page_read(rq, reads, 2);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[0], MAY_EDIT, post);
	*links = reads[1];
	return status;
}

static void
fill_links(
    struct request *rq, const struct post *post, const struct read *read, struct share_view *view)
{
	struct shared_view *rows = ARENA_ARRAY(rq->arena, read->found_count, struct shared_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct draft_link link;

		draft_link_from_item(rq->arena, &read->found[i], &link);
		rows[i] = (struct shared_view){.hash = link.hash,
		    .made_text = STR_CONCAT(rq->arena, STR("Made by "),
			link.by_name.len != 0 ? link.by_name : link.by, STR(", "),
			words_moment(rq, link.created)),
		    .ends_text = draft_link_left(&link, post)
				     ? STR("Has ended: who made it is no author of this any more")
				     : STR_CONCAT(rq->arena, STR("Ends "),
					   words_moment(rq, link.expires * 1000))};
	}
	view->links.items = rows;
	view->links.count = read->found_count;
	view->full = read->found_count == DRAFT_LINKS_MAX;
}

/* `link` is the new one, or empty. */
static enum http_status
show(struct request *rq, struct response *rs, const struct post *post, const struct read *links,
    struct str link)
{
	struct share_view *view = ARENA_NEW(rq->arena, struct share_view);
	struct page_frame frame = {.title = STR("Share a draft"), .noindex = true};

	view->title = words_title(post);
	view->link = link;
	view->action_url = url_join(rq->arena, STR("/share/"), post->id);
	view->revoke_url = STR_CONCAT(rq->arena, view->action_url, STR("/revoke"));
	view->token = csrf_token(rq, rs);
	view->breadcrumbs = revisions_trail(rq, post, false);
	if (post_visible_to(post, NULL, rq->now))
		view->notice = STR("It is published: everybody can read it at its own address.");
	if (done_says(rq) != NULL)
		view->notice = str_of(done_says(rq));
	fill_links(rq, post, links, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(share_template, view));
}

static enum http_status
show_links(struct request *rq, struct response *rs)
{
	struct post post;
	struct read links;
	enum http_status status = load(rq, &post, &links);

	return status == HTTP_OK ? show(rq, rs, &post, &links, STR("")) : status;
}

/* Commits the write, with an entry in the staff's log if the post is another's. */
static enum plan_rc
commit(struct plan *plan, const struct post *post, struct write write, const char *what)
{
	plan_add(plan, write, PLAN_NOT_THERE);
	if (!post_written_by(post, plan->by))
		audit_log(plan, AUDIT_POST, post->id, str_of(what));
	return plan_commit(plan);
}

static enum http_status
make_link(struct request *rq, struct response *rs)
{
	static const int64_t choices[] = {1, 7, 30};
	struct str code = session_token(rq->arena, rq->clock);
	struct draft_link link = {.hash = session_hash(rq->arena, code),
	    .by = rq->viewer->user.username,
	    .by_name = rq->viewer->user.display_name,
	    .created = rq->now};
	struct plan plan = plan_of_staff(rq);
	struct post post;
	struct read links;
	enum http_status status = load(rq, &post, &links);
	int64_t days;

	if (status != HTTP_OK)
		return status;
	if (!str_int(input_of(rq, "days"), &days))
		return HTTP_BAD_REQUEST;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i] == days)
			link.expires = rq->now / 1000 + days * DAY_SECONDS;
	if (link.expires == 0)
		return HTTP_BAD_REQUEST;
	if (links.found_count == DRAFT_LINKS_MAX) {
		status = show(rq, rs, &post, &links, STR(""));
		return status == HTTP_OK ? HTTP_CONFLICT : status;
	}
	link.post = post.id;
	link.as_author = post_written_by(&post, link.by);
	link.group = group_that_permits(rq->viewer, &post);
	if (commit(&plan, &post, draft_link_put(rq->arena, &link), "a secret link") != PLAN_DONE)
		return plan_refused(rs, &plan, plan.rc);
	return show(
	    rq, rs, &post, &links, absolute(rq, STR_CONCAT(rq->arena, STR("/draft/"), code)));
}

static enum http_status
revoke(struct request *rq, struct response *rs)
{
	struct str hash = input_of(rq, "link");
	struct plan plan = plan_of_staff(rq);
	struct post post;
	struct read links;
	enum http_status status = load(rq, &post, &links);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (hash.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	rc = commit(
	    &plan, &post, draft_link_delete(rq->arena, hash, post.id), "a secret link revoked");
	/* A link that is gone, or is not this post's, is invalid anyway. */
	if (rc != PLAN_DONE && rc != PLAN_NOT_THERE)
		return plan_refused(rs, &plan, rc);
	return redirect_done(rq, rs, url_join(rq->arena, STR("/share/"), post.id), "revoked");
}

PAGE(share, .get = show_links, .post = make_link, .query = QUERY("done"))
PAGE(share_revoke, .post = revoke)
