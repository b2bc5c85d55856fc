/*
 * GET /account/likes and /account/bookmarks: one's own reactions, newest first, visible to nobody
 * else.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/reader/reaction.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { SHOWN = 20 };

struct reacted_post_view {
	struct str url, title, kind_label, what_text, date, date_text, action_url;
};

struct reacted_view {
	struct layout_view layout;
	struct str title, token, name, from, empty_text;
	LIST_OF(struct reacted_post_view) posts;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(reacted_post_view, STRING(url), STRING(title), STRING(kind_label), STRING(what_text),
    STRING(date), STRING(date_text), STRING(action_url))
VIEW_FIELDS(reacted_view, VIEW(layout, layout_view), STRING(title), STRING(token), STRING(name),
    STRING(from), STRING(empty_text), LIST(posts, reacted_post_view),
    OPTION(pagination, pagination_view))
TEMPLATE(reacted_template, "reacted", reacted_view)

/* Those that the viewer may see; of others, even the item would reveal something. */
static void
fill_posts(struct request *rq, enum reaction what, const struct read *items,
    const struct read *heads, struct reacted_view *view)
{
	struct reacted_post_view *out =
	    ARENA_ARRAY(rq->arena, items->found_count, struct reacted_post_view);
	size_t count = 0;

	for (size_t i = 0; i < items->found_count; i++) {
		enum opinion wish = reaction_from_item(what, &items->found[i]);
		int64_t created = 0;
		struct post post;

		if (heads->items[i] == NULL)
			continue;
		post_from_item(rq->arena, heads->items[i], &post);
		if (!post_visible_to(&post, rq->viewer, rq->now))
			continue;
		(void)time_parse(item_string(&items->found[i], STR("CreatedAt")), &created);
		out[count++] = (struct reacted_post_view){.url = post_path(rq->arena, &post),
		    .title = words_title(&post),
		    .kind_label = words_kind(post.kind),
		    .what_text =
			what == REACTION_LIKE ? str_of(opinion_kinds[wish].label) : STR(""),
		    .date = time_format(rq->arena, created),
		    .date_text = words_date_near(rq, created),
		    .action_url = url_join(rq->arena, STR("/react/"), post.id)};
	}
	view->posts.items = out;
	view->posts.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs, enum reaction what, const char *title,
    const char *from, const char *empty)
{
	struct reacted_view *view = ARENA_NEW(rq->arena, struct reacted_view);
	struct page_frame frame = {.title = str_of(title), .noindex = true};
	struct read items = {.kind = READ_QUERY,
	    .query = query_reactions_of(
		rq->arena, rq->viewer->user.username, reaction_kinds[what].key_name)};
	struct read heads;
	enum http_status status;
	bool newer;

	items.query.limit = SHOWN;
	items.query.descending = true;
	if (!list_cursor(rq, &items.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &items, 1);
	if (status == HTTP_OK)
		status = list_heads(rq, &items, &heads);
	if (status != HTTP_OK)
		return status;
	if (items.found_count != 0)
		fill_posts(rq, what, &items, &heads, view);
	view->title = frame.title;
	view->token = csrf_token(rq, rs);
	view->name = str_of(reaction_kinds[what].name);
	view->from = str_of(from);
	view->empty_text = str_of(empty);
	view->pagination = pagination_of(rq, STR(""), items.next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(reacted_template, view));
}

static enum http_status
show_likes(struct request *rq, struct response *rs)
{
	return show(rq, rs, REACTION_LIKE, "What you like", "likes", "Nothing yet.");
}

static enum http_status
show_bookmarks(struct request *rq, struct response *rs)
{
	return show(rq, rs, REACTION_BOOKMARK, "Your bookmarks", "bookmarks",
	    "No bookmarks yet. There is a button for them under every post.");
}

PAGE(own_likes, .get = show_likes, .query = list_parameters)
PAGE(own_bookmarks, .get = show_bookmarks, .query = list_parameters)
