/*
 * Reviews: GET /post/<slug>/reviews, those of a post with their histogram, by time or by stars; GET /stars/<1-5>, all with so
 * many; GET /account/ratings, one's own. Those of a person are among the pages about them (author_lists.c).
 *
 * A page of many posts reads their heads behind the ratings, and what these say decides: a rating whose post the viewer may
 * not read is left out, but one's own can be withdrawn.
 */
#include "base/arena.h"
#include "model/key_rating.h"
#include "model/post/count.h"
#include "model/reader/follow.h"
#include "model/slug.h"
#include "pages/public/post_view.h"
#include "pages/public/review.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { SHOWN = 20, STARS = 5 };

/* --- Of a post --------------------------------------------------------------------------------------- */

struct reviews_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, review_url, my_stars_text;
	const struct rating_summary_view *rating;
	LIST_OF(struct nav_link_view) orders;
	LIST_OF(struct review_view) reviews;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(reviews_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(review_url), STRING(my_stars_text), OPTION(rating, rating_summary_view),
    LIST(orders, nav_link_view), LIST(reviews, review_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
TEMPLATE(reviews_template, "reviews", reviews_view)

/* The first one is that of the address without a parameter. */
static const struct order {
	struct str word;
	const char *name;
	bool by_stars, ascending;
} orders[] = {
    {STR_INIT(""), "Newest", false, false},
    {STR_INIT("highest"), "Highest", true, false},
    {STR_INIT("lowest"), "Lowest", true, true},
};
enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

static const struct order *
order_of(struct request *rq)
{
	struct str word = request_query(rq, "order");

	for (size_t i = 0; i < ORDERS; i++)
		if (str_eq(orders[i].word, word))
			return &orders[i];
	return &orders[0];
}

/* What is read of a post; the last ones for who is signed in. */
enum { HEAD, STATS, REVIEWS, PUBLIC_READS, SHARDS = PUBLIC_READS, OWN, POST_READS_ALL };

struct reviewed {
	struct read reads[POST_READS_ALL + 1];
	struct post post;
	bool followed;
};

static size_t
post_reads_of(struct request *rq, struct str id, struct str cursor, struct read *reads)
{
	const struct order *order = order_of(rq);

	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[STATS] = (struct read){.kind = READ_GET, .key = key_post_stats(rq->arena, id)};
	reads[REVIEWS] = (struct read){.kind = READ_QUERY,
	    .query = order->by_stars ? query_ratings_by_stars(rq->arena, id)
				     : query_ratings(rq->arena, id)};
	reads[REVIEWS].query.limit = SHOWN;
	reads[REVIEWS].query.descending = !order->ascending;
	reads[REVIEWS].query.cursor = cursor;
	if (rq->viewer == NULL)
		return PUBLIC_READS;
	reads[SHARDS] = count_read(rq->arena, id);
	reads[OWN] = rating_read(rq->arena, rq->viewer->user.username, id);
	return POST_READS_ALL;
}

/* May the viewer read it? Whether they follow its author is asked only where that decides. */
static enum http_status
check_post(struct request *rq, struct reviewed *out)
{
	struct read follow;
	enum http_status status;

	if (post_gone(&out->post, rq->now))
		return HTTP_GONE;
	if (!post_visible_to_followers(&out->post, rq->viewer, rq->now))
		return HTTP_NOT_FOUND;
	if (rq->viewer == NULL)
		return HTTP_OK;
	if (post_visible_to(&out->post, rq->viewer, rq->now))
		return HTTP_OK;
	follow = follow_read(rq->arena, rq->viewer->user.username, out->post.author);
	status = page_read(rq, &follow, 1);
	out->followed = status == HTTP_OK && follow_holds(&follow);
	return status == HTTP_OK && !out->followed ? HTTP_NOT_FOUND : status;
}

/* A post's id is its first slug: unless it was renamed, one trip has it all. */
static enum http_status
load_post(struct request *rq, struct response *rs, struct reviewed *out)
{
	struct str slug = request_param(rq, "slug"), cursor, id;
	enum http_status status;
	struct read *claim;
	size_t count;

	if (!list_cursor_of(rq, "after", &cursor))
		return HTTP_BAD_REQUEST;
	count = post_reads_of(rq, slug, cursor, out->reads);
	claim = &out->reads[count];
	*claim = (struct read){.kind = READ_GET, .key = key_slug(rq->arena, slug)};
	status = page_read(rq, out->reads, count + 1);
	if (status != HTTP_OK)
		return status;
	if (claim->item == NULL)
		return HTTP_NOT_FOUND;
	id = item_string(claim->item, STR("Post"));
	if (!str_eq(id, slug)) {
		count = post_reads_of(rq, id, cursor, out->reads);
		status = page_read(rq, out->reads, count);
	}
	if (status != HTTP_OK)
		return status;
	if (out->reads[HEAD].item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, out->reads[HEAD].item, &out->post);
	status = check_post(rq, out);
	if (status != HTTP_OK)
		return status;
	if (!post_takes_ratings(&out->post))
		return HTTP_NOT_FOUND;
	return str_eq(out->post.slug, slug) ? HTTP_OK
					    : redirect(rs, HTTP_MOVED, reviews_url(rq, &out->post));
}

static void
fill_orders(struct request *rq, struct str url, struct reviews_view *view)
{
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, ORDERS, struct nav_link_view);
	const struct order *current = order_of(rq);

	for (size_t i = 0; i < ORDERS; i++)
		links[i] = (struct nav_link_view){
		    i == 0 ? url : STR_CONCAT(rq->arena, url, STR("?order="), orders[i].word),
		    str_of(orders[i].name), current == &orders[i]};
	view->orders.items = links;
	view->orders.count = ORDERS;
}

/* Strangers see what was folded; whoever is signed in the numbers as they are. */
static void
fill_numbers(struct request *rq, const struct reviewed *r, struct reviews_view *view)
{
	struct post_stats stats;

	if (rq->viewer != NULL)
		count_take(rq->arena, r->reads[STATS].item, &r->reads[SHARDS], &stats);
	else
		post_stats_from_item(rq->arena, r->reads[STATS].item, &stats);
	view->rating = rating_summary(rq, &stats);
	if (rq->viewer != NULL && r->reads[OWN].item != NULL)
		view->my_stars_text = words_count(
		    rq->arena, item_number(r->reads[OWN].item, STR("Stars")), "star", "stars");
}

/* The way back keeps the order, as the way on does. */
static const struct pagination_view *
pagination_in_order(struct request *rq, struct str url, struct str next)
{
	const struct pagination_view *plain = pagination_onward(rq, next);
	struct str word = order_of(rq)->word;
	struct pagination_view *view;

	if (plain == NULL || plain->newer_url.len == 0 || word.len == 0)
		return plain;
	view = ARENA_NEW(rq->arena, struct pagination_view);
	*view = *plain;
	view->newer_url = STR_CONCAT(rq->arena, url, STR("?order="), word);
	return view;
}

static enum http_status
show_post(struct request *rq, struct response *rs)
{
	struct reviewed *r = ARENA_NEW(rq->arena, struct reviewed);
	struct reviews_view *view = ARENA_NEW(rq->arena, struct reviews_view);
	uint32_t before = rq->call.cost.round_trips;
	struct page_frame frame = {
	    .noindex = request_query(rq, "after").len != 0 || order_of(rq) != &orders[0]};
	enum http_status status;
	struct thing thing;

	if (!slug_valid(request_param(rq, "slug")))
		return HTTP_NOT_FOUND;
	status = load_post(rq, rs, r);
	if (status == HTTP_NOT_FOUND)
		return post_not_found(rq, before);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &r->post);
	thing = thing_followed(thing_post(&r->post, rq->now), r->followed);
	frame.path = reviews_url(rq, &r->post);
	view->title = STR_CONCAT(rq->arena, STR("Reviews of “"), words_title(&r->post), STR("”"));
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, post_path(rq->arena, &r->post), words_title(&r->post));
	fill_numbers(rq, r, view);
	fill_orders(rq, frame.path, view);
	view->reviews.items =
	    review_views(rq, r->reads[REVIEWS].found, r->reads[REVIEWS].found_count, thing);
	view->reviews.count = r->reads[REVIEWS].found_count;
	view->empty_text = STR("Nobody has rated it yet. You may be the first: the stars are below its text.");
	if (rating_is_offered(rq, thing))
		view->review_url = rating_url(rq, &r->post);
	view->pagination = pagination_in_order(rq, frame.path, r->reads[REVIEWS].next);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(reviews_template, view));
}

PAGE(reviews, .get = show_post, .query = QUERY("order", "after"))

/* --- Of many posts ----------------------------------------------------------------------------------- */

struct ratings_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, notice;
	LIST_OF(struct nav_link_view) orders;
	LIST_OF(struct review_view) reviews;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(ratings_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(intro), STRING(notice), LIST(orders, nav_link_view), LIST(reviews, review_view),
    STRING(empty_text), OPTION(pagination, pagination_view))
TEMPLATE(ratings_template, "ratings", ratings_view)

/* Reads the heads, and answers. Without a path it is one's own page. */
static enum http_status
show_ratings(struct request *rq, struct response *rs, const struct read *list,
    struct ratings_view *view, struct str path)
{
	struct page_frame frame = {.title = view->title,
	    .path = path,
	    .noindex = path.len == 0 || request_query(rq, "after").len != 0};
	struct review_view *rows = ARENA_ARRAY(rq->arena, list->found_count, struct review_view);
	struct read heads;
	enum http_status status = list_named_posts(rq, list, &heads);

	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < list->found_count; i++)
		view->reviews.count += review_fill_elsewhere(
		    rq, &list->found[i], &heads, path.len == 0, &rows[view->reviews.count]);
	view->reviews.items = rows;
	view->pagination = pagination_onward(rq, list->next);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(ratings_template, view));
}

static enum http_status
prepare(struct request *rq, struct query query, struct read *list)
{
	*list = (struct read){.kind = READ_QUERY, .query = query};
	list->query.limit = SHOWN;
	list->query.descending = true;
	return list_cursor_of(rq, "after", &list->query.cursor) ? HTTP_OK : HTTP_BAD_REQUEST;
}

static struct str
stars_url(struct request *rq, int64_t stars)
{
	return str_fmt(rq->arena, "/stars/%d", (int)stars);
}

static enum http_status
show_stars(struct request *rq, struct response *rs)
{
	struct ratings_view *view = ARENA_NEW(rq->arena, struct ratings_view);
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, STARS, struct nav_link_view);
	struct str word = request_param(rq, "stars");
	enum http_status status;
	struct read list;
	int64_t stars;

	if (word.len != 1 || word.base[0] < '1' || word.base[0] > '5')
		return HTTP_NOT_FOUND;
	stars = word.base[0] - '0';
	status = prepare(rq, query_ratings_with(rq->arena, stars), &list);
	if (status == HTTP_OK)
		status = page_read(rq, &list, 1);
	if (status != HTTP_OK)
		return status;
	for (int i = 0; i < STARS; i++)
		links[i] = (struct nav_link_view){stars_url(rq, STARS - i),
		    words_count(rq->arena, STARS - i, "star", "stars"), STARS - i == stars};
	view->orders.items = links;
	view->orders.count = STARS;
	view->breadcrumbs = trail_home(rq);
	view->title = STR_CONCAT(
	    rq->arena, STR("Reviews with "), words_count(rq->arena, stars, "star", "stars"));
	view->empty_text = STR("Nobody has given as many yet.");
	return show_ratings(rq, rs, &list, view, stars_url(rq, stars));
}

static enum http_status
show_own(struct request *rq, struct response *rs)
{
	struct ratings_view *view = ARENA_NEW(rq->arena, struct ratings_view);
	struct read list;
	enum http_status status =
	    prepare(rq, query_ratings_of(rq->arena, rq->viewer->user.username), &list);

	if (status == HTTP_OK)
		status = page_read(rq, &list, 1);
	if (status != HTTP_OK)
		return status;
	view->title = STR("Your ratings");
	view->intro = STR("What you have rated, newest first. You can change or withdraw each.");
	view->notice = str_of(done_says(rq));
	view->empty_text = STR("Nothing yet. Links can be rated, below their text.");
	return show_ratings(rq, rs, &list, view, STR(""));
}

PAGE(stars, .get = show_stars, .query = QUERY("after"))
PAGE(own_ratings, .get = show_own, .query = QUERY("after", "done"))
