/*
 * GET /account/watching: what one follows that is no person (model/reader/watch.h), the latest first, visible to nobody
 * else; POST: follows one of it no more, whatever has become of it.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/reader/comment_write.h"
#include "model/reader/watch.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { SHOWN = 50 };

struct watched_view {
	struct str url, title, what_text, date, date_text, undo;
};

struct watching_view {
	struct layout_view layout;
	struct str title, notice, action_url, token, empty_text;
	LIST_OF(struct watched_view) watches;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(watched_view, STRING(url), STRING(title), STRING(what_text), STRING(date),
    STRING(date_text), STRING(undo))
VIEW_FIELDS(watching_view, VIEW(layout, layout_view), STRING(title), STRING(notice),
    STRING(action_url), STRING(token), STRING(empty_text), LIST(watches, watched_view),
    OPTION(pagination, pagination_view))
TEMPLATE(watching_template, "watching", watching_view)

/* --- Showing ----------------------------------------------------------------------------------------- */

/* The heads of the posts, each once, of those that are of posts. */
static enum http_status
read_heads(struct request *rq, const struct watch *watches, size_t count, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, count, struct key);
	size_t posts = 0;

	for (size_t i = 0; i < count; i++) {
		struct key key = key_post(rq->arena, watches[i].post);

		if (watches[i].post.len != 0 && list_place_of(keys, posts, key) == posts)
			keys[posts++] = key;
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, posts}};
	return posts != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

static void
fill_post(struct request *rq, const struct watch *w, const struct item *head, struct watched_view *out)
{
	bool thread = w->what == WATCH_THREAD;
	struct post post;

	out->what_text = thread ? STR("Thread") : STR("Comments");
	out->title = STR("A post that you can’t see any more");
	if (head == NULL)
		return;
	post_from_item(rq->arena, head, &post);
	/* Whether they still follow its author is asked there. */
	if (!post_visible_to_followers(&post, rq->viewer, rq->now))
		return;
	out->title = post_visible_to(&post, rq->viewer, rq->now) ? words_title(&post)
								  : STR("A post for followers");
	out->url = thread ? url_join(rq->arena, STR("/comment/"), w->name)
			  : STR_CONCAT(rq->arena, url_join(rq->arena, STR("/post/"), post.id),
				STR("#comments"));
}

static void
fill_shelf(struct request *rq, const struct watch *w, struct watched_view *out)
{
	const struct category *category;

	out->title = w->name;
	if (w->what == WATCH_TAG) {
		out->what_text = STR("Tag");
		out->url = url_join(rq->arena, STR("/tag/"), w->name);
		return;
	}
	category = category_find(&publication_of(rq)->categories, w->name);
	out->what_text = STR("Category");
	if (category == NULL)
		return;
	out->title = category->name;
	out->url = url_join(rq->arena, STR("/category/"), category->slug);
}

static struct watched_view
fill(struct request *rq, const struct watch *w, const struct read *heads)
{
	struct watched_view out = {.date = time_format(rq->arena, w->created),
	    .date_text = words_date_near(rq, w->created)};
	struct str what = str_of(watch_name(w->what));

	if (w->what == WATCH_POST || w->what == WATCH_THREAD)
		fill_post(rq, w, list_named_post(rq, heads, w->post), &out);
	else
		fill_shelf(rq, w, &out);
	out.undo = STR_CONCAT(rq->arena, what, STR("/"), w->name, STR("/"), w->post);
	return out;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct watching_view *view = ARENA_NEW(rq->arena, struct watching_view);
	struct watched_view *rows = ARENA_ARRAY(rq->arena, SHOWN, struct watched_view);
	struct watch *watches = ARENA_ARRAY(rq->arena, SHOWN, struct watch);
	struct page_frame frame = {.title = STR("What you follow"), .noindex = true};
	struct read list = {.kind = READ_QUERY,
	    .query = query_watches_of(rq->arena, rq->viewer->user.username)},
		    heads;
	enum http_status status;

	list.query.limit = SHOWN;
	list.query.descending = true;
	if (!list_cursor_of(rq, "after", &list.query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &list, 1);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < list.found_count; i++)
		watch_from_item(rq->arena, &list.found[i], &watches[i]);
	status = read_heads(rq, watches, list.found_count, &heads);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < list.found_count; i++)
		rows[i] = fill(rq, &watches[i], &heads);
	view->watches.items = rows;
	view->watches.count = list.found_count;
	view->title = frame.title;
	view->notice = str_of(done_says(rq));
	view->action_url = rq->path;
	view->token = csrf_token(rq, rs);
	view->empty_text = STR("Nothing yet. There is a button for it under every post’s comments, "
			       "and on the pages of threads, tags and categories.");
	view->pagination = pagination_onward(rq, list.next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(watching_template, view));
}

/* --- What is sent ------------------------------------------------------------------------------------ */

/* "thread/<root>/<post>", as the button says it. */
static bool
take_undo(struct str undo, struct watch_target *out)
{
	struct str rest;

	out->what = watch_of(str_cut(undo, '/', &rest));
	out->name = str_cut(rest, '/', &out->post);
	switch (out->what) {
	case WATCH_POST: return slug_valid(out->post);
	case WATCH_THREAD: return comment_id_valid(out->name) && slug_valid(out->post);
	case WATCH_TAG:
	case WATCH_CATEGORY: return slug_valid(out->name);
	default: return false;
	}
}

static enum http_status
undo(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct watch_target target;

	if (!take_undo(input_of(rq, "undo"), &target))
		return HTTP_BAD_REQUEST;
	return plan_answer(rq, rs, &plan, watch_end(&plan, &target), rq->path, "unwatched");
}

PAGE(watching, .get = show, .post = undo, .query = QUERY("after", "done"))
