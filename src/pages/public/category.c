/*
 * GET /category/<slug>: a category: its place in the tree, its subcategories, and the posts of them
 * all. GET /categories: the whole tree.
 */
#include "base/arena.h"
#include "pages/public/indexes.h"
#include "pages/public/json_ld.h"
#include "pages/public/watch.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { DEPTH_MAX = 6 };

struct category_view {
	struct layout_view layout;
	struct str name, description;
	struct breadcrumbs breadcrumbs;
	struct str posts_text, feed_url;
	const struct watch_view *watch;
	LIST_OF(struct counted_link_view) children;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
};

struct category_row_view {
	struct str url, name, description;
	int64_t depth;
	struct str count_text;
};

struct categories_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct category_row_view) categories;
};

VIEW_FIELDS(category_view, VIEW(layout, layout_view), STRING(name), STRING(description),
    LIST(breadcrumbs, link_view), STRING(posts_text), STRING(feed_url),
    OPTION(watch, watch_view), LIST(children, counted_link_view), LIST(posts, post_card_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
VIEW_FIELDS(category_row_view, STRING(url), STRING(name), STRING(description), NUMBER(depth),
    STRING(count_text))
VIEW_FIELDS(categories_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(categories, category_row_view))
TEMPLATE(category_template, "category", category_view)
TEMPLATE(categories_template, "categories", categories_view)

static struct str
category_path(struct arena *arena, struct str slug)
{
	return url_join(arena, STR("/category/"), slug);
}

/* How many posts a category and its descendants have. */
static struct str
posts_below(struct request *rq, const struct category *c)
{
	int64_t posts = -scheduled_under(rq, c);

	for (size_t i = 0; i <= c->below; i++)
		posts += c[i].posts;
	return words_count(rq->arena, posts, "post", "posts");
}

static void
fill_children(struct request *rq, const struct category *c, struct category_view *view)
{
	struct counted_link_view *children =
	    ARENA_ARRAY(rq->arena, c->below, struct counted_link_view);
	size_t count = 0;

	for (size_t i = 1; i <= c->below; i++) {
		if (c[i].parent != c)
			continue;
		children[count++] = (struct counted_link_view){
		    .url = category_path(rq->arena, c[i].slug),
		    .name = c[i].name,
		    .count_text = posts_below(rq, &c[i]),
		};
	}
	view->children.items = children;
	view->children.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs, const struct category *c, bool watched,
    const struct posts *posts)
{
	const struct watch_target target = {.what = WATCH_CATEGORY, .name = c->slug};
	struct category_view *view = ARENA_NEW(rq->arena, struct category_view);
	struct breadcrumbs trail = trail_home(rq);
	struct str path = category_path(rq->arena, c->slug);
	struct page_frame frame = {.title = c->name,
	    .description = c->description,
	    .path = path,
	    .feed_path = STR_CONCAT(rq->arena, path, STR("/feed.atom")),
	    .feed_title = c->name,
	    .section = c->slug};

	breadcrumb(rq, &trail, STR("/categories"), STR("Categories"));
	breadcrumb_category(rq, &trail, c->parent);
	frame.json_ld = json_ld_breadcrumbs(rq, &trail, c->name, path);
	view->name = c->name;
	view->description = c->description;
	view->breadcrumbs = trail;
	view->posts_text = posts_below(rq, c);
	view->feed_url = frame.feed_path;
	view->watch = watch_view(rq, rs, &target, watched);
	fill_children(rq, c, view);
	view->posts.items = cards_of(rq, posts->posts, posts->count);
	view->posts.count = posts->count;
	view->empty_text = STR("Nothing has been published here yet.");
	view->pagination = pagination_of(rq, posts->newer, posts->older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(category_template, view));
}

static enum http_status
show_one(struct request *rq, struct response *rs)
{
	const struct watch_target target = {WATCH_CATEGORY, .name = request_param(rq, "slug")};
	struct read own = {.kind = READ_GET};
	struct category_list list;
	enum http_status status;

	if (rq->viewer != NULL)
		own = watch_read(rq->arena, rq->viewer->user.username, &target);
	status = category_list(rq, 0, rq->viewer != NULL ? &own : NULL, &list);

	if (status != HTTP_OK)
		return status;
	if (!str_eq(list.category->slug, request_param(rq, "slug"))) /* was merged into it */
		return redirect(rs, HTTP_MOVED, category_path(rq->arena, list.category->slug));
	if (list.query.newer && list.posts.newer.len == 0)
		return redirect(rs, HTTP_SEE_OTHER, category_path(rq->arena, list.category->slug));
	list_fresh(rq, rs);
	return show(rq, rs, list.category, own.item != NULL, &list.posts);
}

static enum http_status
show_all(struct request *rq, struct response *rs)
{
	struct page_frame frame = {.title = STR("Categories"), .path = STR("/categories")};
	struct categories_view *view = ARENA_NEW(rq->arena, struct categories_view);
	enum http_status status = page_read(rq, NULL, 0);
	const struct category_tree *tree;
	struct category_row_view *rows;

	if (status != HTTP_OK)
		return status;
	tree = &publication_of(rq)->categories;
	rows = ARENA_ARRAY(rq->arena, tree->count, struct category_row_view);
	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];

		rows[i] = (struct category_row_view){
		    .url = category_path(rq->arena, c->slug),
		    .name = c->name,
		    .description = c->description,
		    .depth = c->depth < DEPTH_MAX ? c->depth : DEPTH_MAX,
		    .count_text = posts_below(rq, c),
		};
	}
	view->breadcrumbs = trail_home(rq);
	view->categories.items = rows;
	view->categories.count = tree->count;
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(categories_template, view));
}

PAGE(category, .get = show_one, .query = list_parameters)
PAGE(categories, .get = show_all)
