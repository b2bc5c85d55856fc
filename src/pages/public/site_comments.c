/*
 * GET /comments and /comments/best: the newest and the best comments under all posts. The first
 * trip reads the list, the second what is missing: the heads of the posts, which decide who may see
 * them, and for the newest the votes, for the best the comments.
 */
#include "base/arena.h"
#include "model/key_comment.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { SHOWN = 20 };

struct site_comment_view {
	struct comment_view comment;
	struct str post_url, post_title;
};

struct site_comments_view {
	struct layout_view layout;
	struct str title;
	LIST_OF(struct nav_link_view) lists;
	LIST_OF(struct site_comment_view) comments;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(
    site_comment_view, VIEW(comment, comment_view), STRING(post_url), STRING(post_title))
VIEW_FIELDS(site_comments_view, VIEW(layout, layout_view), STRING(title), LIST(lists, nav_link_view),
    LIST(comments, site_comment_view), OPTION(pagination, pagination_view))
TEMPLATE(site_comments_template, "site_comments", site_comments_view)

/* A comment of the list: the comment as it was read, and its votes. */
struct said {
	const struct item *comment, *votes;
	size_t head; /* the index of its post among the heads */
};

/* The index of a key in the batch, to which it is added if it is missing. */
static size_t
place_of(struct key *keys, size_t *count, struct key key)
{
	size_t i = 0;

	while (i < *count && !str_eq(keys[i].pk, key.pk))
		i++;
	if (i == *count)
		keys[(*count)++] = key;
	return i;
}

/* The second trip. */
static enum http_status
read_rest(struct request *rq, const struct read *list, bool best, struct said *all,
    struct read *heads)
{
	struct key *posts = ARENA_ARRAY(rq->arena, list->found_count, struct key);
	struct key *others = ARENA_ARRAY(rq->arena, list->found_count, struct key);
	struct read reads[2];
	enum http_status status;
	size_t count = 0;

	for (size_t i = 0; i < list->found_count; i++) {
		const struct item *item = &list->found[i];
		struct str post, path;

		key_comment_votes_of(item_key(item), &post, &path);
		all[i].head = place_of(posts, &count, key_post(rq->arena, post));
		others[i] = best ? key_comment(rq->arena, post, path)
				 : key_comment_votes(rq->arena, post, path);
	}
	reads[0] = (struct read){.kind = READ_BATCH, .batch = {posts, count}};
	reads[1] = (struct read){.kind = READ_BATCH, .batch = {others, list->found_count}};
	status = page_read(rq, reads, 2);
	*heads = reads[0];
	for (size_t i = 0; status == HTTP_OK && i < list->found_count; i++) {
		all[i].comment = best ? reads[1].items[i] : &list->found[i];
		all[i].votes = best ? &list->found[i] : reads[1].items[i];
	}
	return status;
}

/* False: the viewer may not see it. */
static bool
fill_one(struct request *rq, const struct said *said, const struct item *head,
    struct site_comment_view *out)
{
	struct post *post = ARENA_NEW(rq->arena, struct post);
	struct comment_context context = {.post = post};
	struct comment comment;

	if (said->comment == NULL || head == NULL)
		return false;
	post_from_item(rq->arena, head, post);
	comment_from_item(rq->arena, said->comment, &comment);
	if (comment.status != COMMENT_VISIBLE || !post_visible_to(post, rq->viewer, rq->now))
		return false;
	note_confidential(rq, post);
	comment_add_votes(&comment, said->votes);
	comment_view_fill(rq, &context, &comment, NULL, &out->comment);
	/* The buttons are on its own page. */
	out->comment.up_value = out->comment.down_value = out->comment.vote_url = STR("");
	out->post_url = post_path(rq->arena, post);
	out->post_title = words_title(post);
	return true;
}

static enum http_status
show(struct request *rq, struct response *rs, bool best)
{
	static const struct nav_link_view lists[] = {
	    {STR_INIT("/comments"), STR_INIT("Newest"), false},
	    {STR_INIT("/comments/best"), STR_INIT("Best"), false}};
	struct page_frame frame = {
	    .title = best ? STR("The best comments") : STR("The newest comments"), .path = rq->path};
	struct site_comments_view *view = ARENA_NEW(rq->arena, struct site_comments_view);
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, 2, struct nav_link_view);
	struct read list = {.kind = READ_QUERY,
	    .query = best ? query_comments_best() : query_comments_newest()};
	struct site_comment_view *out;
	struct said *all;
	struct read heads;
	enum http_status status;

	list.query.limit = SHOWN;
	if (!list_cursor_of(rq, "after", &list.query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &list, 1);
	if (status != HTTP_OK)
		return status;
	all = ARENA_ARRAY(rq->arena, list.found_count, struct said);
	out = ARENA_ARRAY(rq->arena, list.found_count, struct site_comment_view);
	if (list.found_count != 0)
		status = read_rest(rq, &list, best, all, &heads);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < list.found_count; i++)
		view->comments.count +=
		    fill_one(rq, &all[i], heads.items[all[i].head], &out[view->comments.count]);
	view->comments.items = out;
	view->title = frame.title;
	for (size_t i = 0; i < 2; i++) {
		links[i] = lists[i];
		links[i].current = str_eq(lists[i].url, rq->path);
	}
	view->lists.items = links;
	view->lists.count = 2;
	view->pagination = pagination_onward(rq, list.next);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(site_comments_template, view));
}

static enum http_status
show_newest(struct request *rq, struct response *rs)
{
	return show(rq, rs, false);
}

static enum http_status
show_best(struct request *rq, struct response *rs)
{
	return show(rq, rs, true);
}

PAGE(comments, .get = show_newest, .query = QUERY("after"))
PAGE(comments_best, .get = show_best, .query = QUERY("after"))
