/*
 * GET /account/likes and /account/bookmarks: one's own reactions, newest first, visible to nobody else;
 * /account/bookmarks/<tag>: the bookmarks with one of one's own tags.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/reader/bookmark.h"
#include "model/reader/reaction.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { SHOWN = 20 };

struct reacted_post_view {
	struct str url, title, kind_label, what_text, date, date_text, action_url, tags_url,
	    collect_url;
	LIST_OF(struct link_view) tags;
};

struct reacted_view {
	struct layout_view layout;
	struct str notice, title, token, name, from, empty_text, all_url;
	LIST_OF(struct link_view) tags;
	LIST_OF(struct reacted_post_view) posts;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(reacted_post_view, STRING(url), STRING(title), STRING(kind_label), STRING(what_text),
    STRING(date), STRING(date_text), STRING(action_url), STRING(tags_url), STRING(collect_url),
    LIST(tags, link_view))
VIEW_FIELDS(reacted_view, VIEW(layout, layout_view), STRING(notice), STRING(title), STRING(token),
    STRING(name), STRING(from), STRING(empty_text), STRING(all_url), LIST(tags, link_view),
    LIST(posts, reacted_post_view), OPTION(pagination, pagination_view))
TEMPLATE(reacted_template, "reacted", reacted_view)

/* One of these pages, and what it has read. */
struct reacted {
	enum reaction what;
	const char *title, *from, *empty;
	struct str tag; /* of bookmarks; empty: all of them */
	struct read items, own_tags, heads, bookmarks;
};

/* --- Reading ------------------------------------------------------------------------------------ */

/* By their tag the bookmarks are named, but their other tags are in themselves. */
static enum http_status
read_posts(struct request *rq, struct reacted *r)
{
	struct str username = rq->viewer->user.username;
	struct read reads[2] = {0};
	enum http_status status;
	struct key *keys;
	size_t count;

	if (!posts_heads(rq->arena, &r->items, &reads[0]))
		return HTTP_OK;
	count = r->items.found_count;
	keys = ARENA_ARRAY(rq->arena, count, struct key);
	for (size_t i = 0; i < count; i++)
		keys[i] = key_reaction(rq->arena, username,
		    item_string(&r->items.found[i], STR("Post")), reaction_kinds[r->what].key_name);
	reads[1] = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	status = page_read(rq, reads, r->tag.len != 0 ? 2 : 1);
	r->heads = reads[0];
	r->bookmarks = reads[1];
	return status;
}

static enum http_status
read_all(struct request *rq, struct reacted *r)
{
	struct str username = rq->viewer->user.username;
	bool bookmarks = r->what == REACTION_BOOKMARK, newer;
	struct read reads[2];
	enum http_status status;

	reads[0] = (struct read){.kind = READ_QUERY,
	    .query = r->tag.len != 0 ? query_bookmarks_of_tag(rq->arena, username, r->tag)
				     : query_reactions_of(
					   rq->arena, username, reaction_kinds[r->what].key_name)};
	reads[0].query.limit = SHOWN;
	reads[0].query.descending = true;
	if (!list_cursor(rq, &reads[0].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_own_tags(rq->arena, username)};
	reads[1].query.limit = OWN_TAGS_MAX;
	status = page_read(rq, reads, bookmarks ? 2 : 1);
	r->items = reads[0];
	if (bookmarks)
		r->own_tags = reads[1];
	return status == HTTP_OK ? read_posts(rq, r) : status;
}

/* --- Showing ------------------------------------------------------------------------------------ */

static struct str
tag_url(struct arena *arena, struct str tag)
{
	return url_join(arena, STR("/account/bookmarks/"), tag);
}

/* What one has done to a post that one may not see any more can be taken back. */
static void
fill_post(struct request *rq, const struct reacted *r, const struct item *item,
    const struct item *head, struct reacted_post_view *out)
{
	struct str id = item_string(item, STR("Post"));
	struct post post = {.id = id};
	int64_t created = 0;

	(void)time_parse(item_string(item, STR("CreatedAt")), &created);
	out->date = time_format(rq->arena, created);
	out->date_text = words_date_near(rq, created);
	out->action_url = url_join(rq->arena, STR("/react/"), id);
	if (head != NULL)
		post_from_item(rq->arena, head, &post);
	if (head != NULL && post_visible_to(&post, rq->viewer, rq->now)) {
		out->url = post_path(rq->arena, &post);
		out->title = words_title(&post);
		out->kind_label = words_kind(post.kind);
	} else if (head != NULL && post_visible_to_followers(&post, rq->viewer, rq->now)) {
		/* Whether they still follow its author is asked there; they have seen this title. */
		out->url = url_join(rq->arena, STR("/post/"), id);
		out->title = item_string(item, STR("PostTitle"));
	}
	if (out->title.len == 0)
		out->title = STR("A post that you can’t see any more");
	if (r->what == REACTION_LIKE)
		out->what_text = str_of(opinion_kinds[reaction_from_item(r->what, item)].label);
}

static void
fill_tags(struct request *rq, const struct item *bookmark, struct reacted_post_view *out)
{
	struct link_view *links;
	struct bookmark b;

	bookmark_from_item(rq->arena, bookmark, &b);
	links = ARENA_ARRAY(rq->arena, b.tags.count, struct link_view);
	for (size_t i = 0; i < b.tags.count; i++)
		links[i] = (struct link_view){
		    .url = tag_url(rq->arena, b.tags.strings[i]), .name = b.tags.strings[i]};
	out->tags.items = links;
	out->tags.count = b.tags.count;
	out->tags_url = url_join(rq->arena, STR("/account/bookmark/"), b.post);
	if (out->url.len != 0)
		out->collect_url = STR_CONCAT(
		    rq->arena, url_join(rq->arena, STR("/collect/"), b.post), STR("?move=1"));
}

static void
fill_posts(struct request *rq, const struct reacted *r, struct reacted_view *view)
{
	size_t count = r->items.found_count, shown = 0;
	struct reacted_post_view *out = ARENA_ARRAY(rq->arena, count, struct reacted_post_view);

	for (size_t i = 0; i < count; i++) {
		const struct item *item =
		    r->tag.len != 0 ? r->bookmarks.items[i] : &r->items.found[i];

		if (item == NULL)
			continue;
		out[shown] = (struct reacted_post_view){.date = STR("")};
		fill_post(rq, r, item, r->heads.items[i], &out[shown]);
		if (r->what == REACTION_BOOKMARK)
			fill_tags(rq, item, &out[shown]);
		shown++;
	}
	view->posts.items = out;
	view->posts.count = shown;
}

static void
fill_own_tags(struct request *rq, const struct reacted *r, struct reacted_view *view)
{
	struct link_view *links = ARENA_ARRAY(rq->arena, r->own_tags.found_count, struct link_view);
	size_t count = 0;

	for (size_t i = 0; i < r->own_tags.found_count; i++) {
		struct own_tag own;

		own_tag_from_item(&r->own_tags.found[i], &own);
		if (own.bookmarks > 0)
			links[count++] =
			    (struct link_view){.url = tag_url(rq->arena, own.tag), .name = own.tag};
	}
	view->tags.items = links;
	view->tags.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs, struct reacted *r)
{
	struct reacted_view *view = ARENA_NEW(rq->arena, struct reacted_view);
	struct page_frame frame = {.title = str_of(r->title), .noindex = true};
	enum http_status status = read_all(rq, r);

	if (status != HTTP_OK)
		return status;
	if (r->tag.len != 0) {
		frame.title = STR_CONCAT(rq->arena, STR("Bookmarks: "), r->tag);
		view->all_url = STR("/account/bookmarks");
	}
	if (r->items.found_count != 0)
		fill_posts(rq, r, view);
	fill_own_tags(rq, r, view);
	view->notice = str_of(done_says(rq));
	view->title = frame.title;
	view->token = csrf_token(rq, rs);
	view->name = str_of(reaction_kinds[r->what].name);
	view->from = str_of(r->from);
	view->empty_text = str_of(r->empty);
	view->pagination = pagination_of(rq, STR(""), r->items.next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(reacted_template, view));
}

static enum http_status
show_likes(struct request *rq, struct response *rs)
{
	struct reacted r = {REACTION_LIKE, "What you like", "likes", "Nothing yet."};

	return show(rq, rs, &r);
}

static enum http_status
show_bookmarks(struct request *rq, struct response *rs)
{
	struct reacted r = {REACTION_BOOKMARK, "Your bookmarks", "bookmarks",
	    "No bookmarks yet. There is a button for them under every post."};

	return show(rq, rs, &r);
}

static enum http_status
show_tagged(struct request *rq, struct response *rs)
{
	struct reacted r = {REACTION_BOOKMARK, "Your bookmarks", "bookmarks",
	    "No bookmark has this tag.", .tag = request_param(rq, "tag")};

	return slug_valid(r.tag) ? show(rq, rs, &r) : HTTP_NOT_FOUND;
}

PAGE(own_likes, .get = show_likes, .query = list_parameters)
PAGE(own_bookmarks, .get = show_bookmarks, .query = QUERY("after", "done"))
PAGE(own_bookmarks_tagged, .get = show_tagged, .query = QUERY("after"))
