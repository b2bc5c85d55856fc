/*
 * GET /sitemap.xml: every public address, for search engines. While the posts are few it is one file; when
 * there are more than one query gives, it is an index of one file a month, /sitemap/<yyyy-mm>.xml, whose
 * days are read together in one trip and so hold up to a thousand posts each.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "pages/layout.h"
#include "pages/lists.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "web/escape.h"
#include "web/url.h"

enum { DAYS = 31 };

static void
begin(struct response *rs, const char *element)
{
	rs->content_type = STR("application/xml; charset=utf-8");
	BUF_PUT(&rs->body, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	buf_fmt(&rs->body, "<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", element);
}

static void
put_address(struct request *rq, struct buf *out, const char *element, struct str path, int64_t time)
{
	buf_fmt(out, "<%s><loc>", element);
	escape_html(out, absolute(rq, path));
	BUF_PUT(out, "</loc>");
	if (time != 0)
		buf_fmt(out, "<lastmod>%.*s</lastmod>",
		    STR_ARGS(str_sub(time_format(rq->arena, time), 0, 10)));
	buf_fmt(out, "</%s>\n", element);
}

static void
put_posts(struct request *rq, struct buf *out, const struct posts *posts)
{
	for (size_t i = 0; i < posts->count; i++) {
		const struct post *post = &posts->posts[i];

		put_address(rq, out, "url", post_path(rq->arena, post),
		    post->updated > post->published ? post->updated : post->published);
	}
}

/* What is no post: the front, the static pages, the categories. */
static void
put_fixed(struct request *rq, struct buf *out)
{
	const struct publication *p = rq->publication;

	put_address(rq, out, "url", STR("/"), 0);
	for (size_t i = 0; i < p->page_count; i++)
		put_address(
		    rq, out, "url", url_join(rq->arena, STR("/page/"), p->pages[i].slug), 0);
	for (size_t i = 0; i < p->categories.count; i++)
		put_address(rq, out, "url",
		    url_join(rq->arena, STR("/category/"), p->categories.categories[i].slug), 0);
}

/* The months from the newest post back to the oldest. */
static void
put_index(
    struct request *rq, struct response *rs, const struct post *oldest, const struct post *newest)
{
	struct date from = time_date(oldest->published), to = time_date(newest->published);
	int first = from.year * 12 + from.month - 1, last = to.year * 12 + to.month - 1;

	begin(rs, "sitemapindex");
	put_address(rq, &rs->body, "sitemap", STR("/sitemap/fixed.xml"), 0);
	for (int month = last; month >= first; month--)
		put_address(rq, &rs->body, "sitemap",
		    str_fmt(rq->arena, "/sitemap/%04d-%02d.xml", month / 12, month % 12 + 1), 0);
	BUF_PUT(&rs->body, "</sitemapindex>\n");
}

enum http_status
page_sitemap(struct request *rq, struct response *rs)
{
	struct posts_query newest = {.of = POSTS_ALL, .limit = TABLE_QUERY_MAX};
	struct posts_query oldest = {.of = POSTS_ALL, .limit = 1, .newer = true};
	struct read reads[2];
	struct posts posts, first;
	enum http_status status;

	if (!posts_prepare(rq->arena, &newest, rq->now, &reads[0]) ||
	    !posts_prepare(rq->arena, &oldest, rq->now, &reads[1]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	posts_take(rq->arena, &newest, &reads[0], NULL, rq->now, &posts);
	posts_take(rq->arena, &oldest, &reads[1], NULL, rq->now, &first);
	list_fresh(rq, rs);
	if (posts.older.len != 0 && first.count != 0) {
		put_index(rq, rs, first.posts, posts.posts);
		return HTTP_OK;
	}
	begin(rs, "urlset");
	put_fixed(rq, &rs->body);
	put_posts(rq, &rs->body, &posts);
	BUF_PUT(&rs->body, "</urlset>\n");
	return HTTP_OK;
}

/* "2026-11.xml" into "2026-11"; empty when it is not of that form. */
static struct str
month_of(struct str name)
{
	static const struct str form = STR_INIT("0000-00.xml");
	struct str month;

	if (name.len != form.len)
		return STR("");
	for (size_t i = 0; i < form.len; i++) {
		bool digit = name.base[i] >= '0' && name.base[i] <= '9';

		if (form.base[i] == '0' ? !digit : name.base[i] != form.base[i])
			return STR("");
	}
	month = str_sub(name, 5, 2);
	if (str_cmp(month, STR("01")) < 0 || str_cmp(month, STR("12")) > 0)
		return STR("");
	return str_sub(name, 0, 7);
}

enum http_status
page_sitemap_month(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "file"), month = month_of(name);
	bool fixed = str_eq(name, STR("fixed.xml"));
	struct posts_query queries[DAYS];
	struct read reads[DAYS];
	enum http_status status;
	size_t count = 0;

	if (month.len == 0 && !fixed)
		return HTTP_NOT_FOUND;
	for (int day = 1; day <= DAYS && !fixed; day++) {
		struct str prefix = str_fmt(rq->arena, "%.*s-%02d", STR_ARGS(month), day);

		queries[count] = (struct posts_query){
		    .of = POSTS_ALL, .from = prefix, .to = prefix, .limit = TABLE_QUERY_MAX};
		if (posts_prepare(rq->arena, &queries[count], rq->now, &reads[count]))
			count++;
	}
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	list_fresh(rq, rs);
	begin(rs, "urlset");
	if (fixed)
		put_fixed(rq, &rs->body);
	for (size_t i = 0; i < count; i++) {
		struct posts posts;

		posts_take(rq->arena, &queries[i], &reads[i], NULL, rq->now, &posts);
		put_posts(rq, &rs->body, &posts);
	}
	BUF_PUT(&rs->body, "</urlset>\n");
	return HTTP_OK;
}

enum http_status
page_robots(struct request *rq, struct response *rs)
{
	rs->content_type = STR("text/plain; charset=utf-8");
	buf_fmt(&rs->body, "User-agent: *\nDisallow:\n\nSitemap: %.*s\n",
	    STR_ARGS(absolute(rq, STR("/sitemap.xml"))));
	return HTTP_OK;
}
