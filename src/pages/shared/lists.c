#include "pages/shared/lists.h"

#include "base/arena.h"
#include "model/key.h"
#include "pages/public/json_ld.h"
#include "pages/shared/publication.h"
#include "text/url.h"
#include "web/http/cursor.h"

enum { MINUTE_MS = 60 * 1000 };

struct list_view {
	struct layout_view layout;
	struct str title, description;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
	const struct beside_view *beside;
};

VIEW_FIELDS(
    pagination_view, STRING(of), STRING(newer_url), STRING(newer_text), STRING(older_url), STRING(older_text))
VIEW_FIELDS(beside_view, VIEW(earlier, link_view), VIEW(later, link_view))
VIEW_FIELDS(list_view, VIEW(layout, layout_view), STRING(title), STRING(description),
    LIST(breadcrumbs, link_view), LIST(posts, post_card_view), STRING(empty_text),
    OPTION(pagination, pagination_view), OPTION(beside, beside_view))
TEMPLATE(list_template, "list", list_view)

const char *const list_parameters[] = {"after", "before", NULL};

bool
list_cursor_of(struct request *rq, const char *parameter, struct str *cursor)
{
	struct str sealed = request_query(rq, parameter);
	struct secret_keys keys;

	*cursor = STR("");
	if (sealed.len == 0)
		return true;
	site_keys(rq->site, "cursor", &keys);
	return cursor_open_any(rq->arena, &keys, rq->path, sealed, cursor);
}

bool
list_cursor(struct request *rq, struct str *cursor, bool *newer)
{
	*newer = request_query(rq, "after").len == 0 && request_query(rq, "before").len != 0;
	return list_cursor_of(rq, *newer ? "before" : "after", cursor);
}

/* The other parameters of the address, so that a search continues as it began. */
static void
put_others(struct buf *url, const struct pairs *query, struct str parameter)
{
	for (size_t i = 0; i < query->count; i++) {
		const struct pair *pair = &query->pairs[i];

		if (str_eq(pair->name, STR("after")) || str_eq(pair->name, STR("before")) ||
		    str_eq(pair->name, STR("done")) || str_eq(pair->name, parameter))
			continue;
		url_put_query(url, pair->name);
		buf_putc(url, '=');
		url_put_query(url, pair->value);
		buf_putc(url, '&');
	}
}

struct str
cursor_url(struct request *rq, const char *parameter, struct str cursor)
{
	unsigned char key[CURSOR_KEY_BYTES];
	struct buf url = {.arena = rq->arena};

	if (cursor.len == 0)
		return STR("");
	site_key(rq->site, "cursor", key);
	url_put_path(&url, rq->path);
	buf_putc(&url, '?');
	put_others(&url, &rq->query, str_of(parameter));
	buf_fmt(&url, "%s=", parameter);
	buf_put(&url, cursor_seal(rq->arena, key, rq->path, cursor));
	return buf_str(&url);
}

struct str
older_url(struct request *rq, struct str cursor)
{
	return cursor_url(rq, "after", cursor);
}

struct str
newer_url(struct request *rq, struct str cursor)
{
	return cursor_url(rq, "before", cursor);
}

const struct pagination_view *
pagination_of(struct request *rq, struct str newer, struct str older)
{
	struct pagination_view *view;

	if (newer.len == 0 && older.len == 0)
		return NULL;
	view = ARENA_NEW(rq->arena, struct pagination_view);
	view->newer_url = newer_url(rq, newer);
	view->older_url = older_url(rq, older);
	return view;
}

/* The same list from its beginning on, with all else that was asked for. */
static struct str
beginning_url(struct request *rq)
{
	struct buf url = {.arena = rq->arena};

	url_put_path(&url, rq->path);
	buf_putc(&url, '?');
	put_others(&url, &rq->query, STR("after"));
	url.len--; /* the "?" or the last "&" */
	return buf_str(&url);
}

const struct pagination_view *
pagination_onward(struct request *rq, struct str next)
{
	bool later = request_query(rq, "after").len != 0;
	struct pagination_view *view;

	if (!later && next.len == 0)
		return NULL;
	view = ARENA_NEW(rq->arena, struct pagination_view);
	*view = (struct pagination_view){.newer_url = later ? beginning_url(rq) : STR(""),
	    .newer_text = STR("Back to the beginning"),
	    .older_url = older_url(rq, next),
	    .older_text = STR("More")};
	return view;
}

const struct pagination_view *
pagination_of_list(struct request *rq, const char *name, const char *of, struct str next)
{
	bool later = request_query(rq, "after").len != 0;
	struct pagination_view *view;
	struct buf begin = {.arena = rq->arena};

	if (!later && next.len == 0)
		return NULL;
	view = ARENA_NEW(rq->arena, struct pagination_view);
	*view = (struct pagination_view){.of = str_of(of),
	    .newer_text = STR("Back to the beginning"),
	    .older_url = older_url(rq, next),
	    .older_text = STR("More")};
	if (later) {
		url_put_path(&begin, rq->path);
		buf_putc(&begin, '?');
		put_others(&begin, &rq->query, STR("list"));
		buf_fmt(&begin, "list=%s", name);
		view->newer_url = buf_str(&begin);
	}
	if (next.len != 0 && request_query(rq, "list").len == 0)
		view->older_url =
		    STR_CONCAT(rq->arena, view->older_url, STR("&list="), str_of(name));
	return view;
}

enum http_status
posts_page_prepare(
    struct request *rq, enum posts_of of, struct str name, uint32_t limit, struct posts_page *page)
{
	enum http_status status = HTTP_OK;

	*page = (struct posts_page){.query = {.of = of, .name = name, .limit = limit}};
	if (limit == 0) {
		/* The settings, which are usually cached, say how many. */
		status = page_read(rq, NULL, 0);
		if (status != HTTP_OK)
			return status;
		page->query.limit = (uint32_t)rq->settings->posts_per_page;
	}
	if (!list_cursor(rq, &page->query.cursor, &page->query.newer))
		return HTTP_BAD_REQUEST;
	page->empty = !posts_prepare(rq->arena, &page->query, rq->now, &page->read);
	return HTTP_OK;
}

void
posts_page_take(struct request *rq, const struct posts_page *page, const struct read *heads,
    struct posts *out, bool *first)
{
	*out = (struct posts){.count = 0};
	if (!page->empty)
		posts_take(rq->arena, &page->query, &page->read, heads, rq->now, out);
	*first = page->query.newer && out->newer.len == 0;
}

enum http_status
list_heads(struct request *rq, struct read *list, struct read *heads)
{
	return posts_heads(rq->arena, list, heads) ? page_read(rq, heads, 1) : HTTP_OK;
}

size_t
list_place_of(const struct key *keys, size_t count, struct key key)
{
	size_t i = 0;

	while (i < count && !str_eq(keys[i].pk, key.pk))
		i++;
	return i;
}

enum http_status
list_named_posts(struct request *rq, const struct read *list, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, list->found_count, struct key);
	size_t count = 0;

	for (size_t i = 0; i < list->found_count; i++) {
		struct key key = key_post(rq->arena, item_string(&list->found[i], STR("Post")));

		if (list_place_of(keys, count, key) == count)
			keys[count++] = key;
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

const struct item *
list_named_post(struct request *rq, const struct read *heads, struct str post)
{
	size_t i = list_place_of(heads->batch.keys, heads->batch.count, key_post(rq->arena, post));

	return i < heads->batch.count ? heads->items[i] : NULL;
}

enum http_status
category_list(
    struct request *rq, uint32_t limit, struct read *beside, struct category_list *out)
{
	/*
	 * The tree is needed to know what to read; it is rarely not cached, which costs a round
	 * trip.
	 */
	enum http_status status = page_read(rq, NULL, 0);
	struct str names[CATEGORY_PARTITIONS], slug = request_param(rq, "slug");
	struct read reads[CATEGORY_PARTITIONS + 1];
	size_t count;

	if (status != HTTP_OK)
		return status;
	out->category = category_find(&publication_of(rq)->categories, slug);
	/* Which merged ones are read, too, follows from numbers, and so from all posts. */
	if (publication_of(rq)->categories.merged_count != 0)
		(void)publication_with_scheduled(rq);
	if (out->category == NULL)
		return HTTP_NOT_FOUND;
	out->query = (struct posts_query){.of = POSTS_OF_CATEGORY,
	    .name = slug,
	    .limit = limit != 0 ? limit : (uint32_t)rq->settings->posts_per_page};
	out->posts = (struct posts){.count = 0};
	if (!str_eq(out->category->slug, slug))
		return HTTP_OK;
	if (!list_cursor(rq, &out->query.cursor, &out->query.newer))
		return HTTP_BAD_REQUEST;
	count = category_partitions(out->category, names);
	if (!posts_prepare_partitions(rq->arena, &out->query, names, count, rq->now, reads))
		return HTTP_NOT_FOUND;
	if (beside != NULL)
		reads[count] = *beside;
	status = page_read(rq, reads, beside != NULL ? count + 1 : count);
	if (beside != NULL)
		*beside = reads[count];
	if (status == HTTP_OK)
		posts_take_partitions(rq->arena, &out->query, reads, count, rq->now, &out->posts);
	return status;
}

void
list_fresh(struct request *rq, struct response *rs)
{
	rs->fresh_until = (rq->now / MINUTE_MS + 1) * MINUTE_MS;
}

enum http_status
list_page(struct request *rq, struct response *rs, const struct list_page *page)
{
	struct page_frame frame = {
	    .title = page->title, .path = page->path, .noindex = page->noindex};
	struct list_view *view = ARENA_NEW(rq->arena, struct list_view);

	view->title = page->title;
	view->breadcrumbs = page->trail.count != 0 ? page->trail : trail_home(rq);
	view->posts.items = cards_of(rq, page->posts->posts, page->posts->count);
	view->posts.count = page->posts->count;
	view->empty_text = page->empty_text;
	view->pagination = pagination_of(rq, page->posts->newer, page->posts->older);
	view->beside = page->beside;
	if (page->path.len != 0)
		frame.json_ld = json_ld_breadcrumbs(rq, &page->trail, page->title, page->path);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(list_template, view));
}
