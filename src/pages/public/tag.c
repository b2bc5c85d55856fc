/*
 * GET /tag/<tag>: the posts with a tag. The tag's own items only name the posts, so it takes two
 * trips. POST /tag/<tag>/mute: mutes it, or no longer.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/post/tag.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/json_ld.h"
#include "pages/public/watch.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "text/url.h"
#include "web/session/csrf.h"

struct tag_view {
	struct layout_view layout;
	struct str name, posts_text, feed_url;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
	const struct watch_view *watch;
	struct str mute_url, mute_wish, mute_text, token; /* empty for a stranger */
};

VIEW_FIELDS(tag_view, VIEW(layout, layout_view), STRING(name), STRING(posts_text), STRING(feed_url),
    LIST(breadcrumbs, link_view), LIST(posts, post_card_view), STRING(empty_text),
    OPTION(pagination, pagination_view), OPTION(watch, watch_view), STRING(mute_url), STRING(mute_wish), STRING(mute_text),
    STRING(token))
TEMPLATE(tag_template, "tag", tag_view)

static void
fill_mute(struct request *rq, struct response *rs, struct str path, struct tag_view *view)
{
	bool muted = viewer_mutes_tag(rq->viewer, view->name);

	if (rq->viewer == NULL)
		return;
	view->mute_url = STR_CONCAT(rq->arena, path, STR("/mute"));
	view->mute_wish = muted ? STR("unmute") : STR("mute");
	view->mute_text = muted ? STR("Unmute this tag") : STR("Mute this tag");
	view->token = csrf_token(rq, rs);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct tag *tag, bool watched,
    const struct posts *posts)
{
	const struct watch_target target = {.what = WATCH_TAG, .name = tag->name};
	struct tag_view *view = ARENA_NEW(rq->arena, struct tag_view);
	struct breadcrumbs trail = trail_home(rq);
	struct str path = url_join(rq->arena, STR("/tag/"), tag->name);
	struct page_frame frame = {.title = tag->name,
	    .path = path,
	    .feed_path = STR_CONCAT(rq->arena, path, STR("/feed.atom")),
	    .feed_title = tag->name};

	breadcrumb(rq, &trail, STR("/tags"), STR("Tags"));
	frame.json_ld = json_ld_breadcrumbs(rq, &trail, tag->name, path);
	view->name = tag->name;
	view->watch = watch_view(rq, rs, &target, watched);
	fill_mute(rq, rs, path, view);
	view->posts_text = words_count(rq->arena, tag->posts, "post", "posts");
	view->feed_url = frame.feed_path;
	view->breadcrumbs = trail;
	view->posts.items = cards_of(rq, posts->posts, posts->count);
	view->posts.count = posts->count;
	view->empty_text = STR("Nothing with this tag has been published yet.");
	view->pagination = pagination_of(rq, posts->newer, posts->older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(tag_template, view));
}

static enum http_status
load(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "tag");
	const struct watch_target target = {.what = WATCH_TAG, .name = name};
	struct read reads[3], heads;
	struct posts_page page;
	struct posts posts = {.count = 0};
	enum http_status status;
	struct tag tag;
	bool first;

	/* A tag has the form of a slug; a longer name might not fit into a key. */
	if (!slug_valid(name))
		return HTTP_NOT_FOUND;
	status = posts_page_prepare(rq, POSTS_OF_TAG, name, 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[0] = (struct read){.kind = READ_GET, .key = key_tag(name)};
	reads[1] = page.read;
	if (rq->viewer != NULL)
		reads[2] = watch_read(rq->arena, rq->viewer->user.username, &target);
	status = page_read(rq, reads, rq->viewer != NULL ? 3 : 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	page.read = reads[1];
	status = list_heads(rq, &page.read, &heads);
	if (status != HTTP_OK)
		return status;
	posts_page_take(rq, &page, &heads, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, rq->path);
	/* A tag whose only post is scheduled is not visible yet. */
	if (posts.count == 0 && page.query.cursor.len == 0)
		return HTTP_NOT_FOUND;
	tag_from_item(rq->arena, reads[0].item, &tag);
	tag.posts -= scheduled_with(rq, tag.name);
	list_fresh(rq, rs);
	return show(rq, rs, &tag, rq->viewer != NULL && reads[2].item != NULL, &posts);
}

static enum http_status
mute(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str wish = input_of(rq, "do"), name = request_param(rq, "tag");
	bool on = str_eq(wish, STR("mute"));
	struct read read = {.kind = READ_GET};
	enum http_status status;
	enum plan_rc rc;

	if (!slug_valid(name))
		return HTTP_NOT_FOUND;
	if (!on && !str_eq(wish, STR("unmute")))
		return HTTP_BAD_REQUEST;
	read.key = key_tag(name);
	status = on ? page_read(rq, &read, 1) : HTTP_OK;
	if (status != HTTP_OK)
		return status;
	if (on && read.item == NULL)
		return HTTP_NOT_FOUND;
	rc = hidden_mute_tag(&plan, &rq->viewer->hidden, name, on);
	if (rc == PLAN_FULL)
		rs->error_text = "You have muted as many tags as you can. Unmute one first.";
	if (rc == PLAN_FULL)
		return HTTP_CONFLICT;
	return rc == PLAN_DONE
		   ? redirect(rs, HTTP_SEE_OTHER, url_join(rq->arena, STR("/tag/"), name))
		   : plan_refused(rs, &plan, rc);
}

PAGE(tag_mute, .post = mute)
PAGE(tag, .get = load, .query = list_parameters)
