/*
 * GET /sitemap.xml: every public address, for search engines, without later pages of lists. Of the
 * archive it has the months, and the editions of weeks. Books are no pages: they are linked from theirs.
 *
 * While one query returns all of each kind, it is one file. When there is more of any kind, it is
 * an index of files, which takes two trips: fixed pages, static pages, tags, authors, collections,
 * the archive, the editions, and the posts by month. What is more than three years older than the newest is
 * grouped by year.
 *
 * A file reads its parts together (a month by days, a year by months, names by first letters); beyond the first
 * thousand of a part, each further thousand costs a trip; of authors, one more for their numbers. Of more than 50,000
 * posts in a month, which the protocol does not allow, the rest is left out.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/span.h"
#include "model/key.h"
#include "model/key_ranking.h"
#include "model/post/collection.h"
#include "model/post/tag.h"
#include "pages/public/calendar.h"
#include "pages/public/edition.h"
#include "pages/public/profile.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "text/escape.h"
#include "text/url.h"

enum { ADDRESSES_MAX = 50000, PARTS_MAX = 50 };

/* A file being written. */
struct file {
	struct request *rq;
	const char *element; /* of each address: "url", "sitemap" */
	struct buf out;
	size_t count;
	struct read *lists; /* of authors, whose numbers are read when all are found */
	size_t list_count, list_room;
};

static void
put_address(struct file *file, struct str path, int64_t time)
{
	struct request *rq = file->rq;

	if (file->count++ >= ADDRESSES_MAX)
		return;
	buf_fmt(&file->out, "<%s><loc>", file->element);
	escape_html(&file->out, absolute(rq, path));
	BUF_PUT(&file->out, "</loc>");
	if (time != 0)
		buf_fmt(&file->out, "<lastmod>%.*s</lastmod>",
		    STR_ARGS(str_sub(time_format(rq->arena, time), 0, 10)));
	buf_fmt(&file->out, "</%s>\n", file->element);
}

/* A file without addresses is invalid by its schema, so it is not found. */
static enum http_status
finish(struct file *file, struct response *rs, const char *element)
{
	if (file->count == 0)
		return HTTP_NOT_FOUND;
	list_fresh(file->rq, rs);
	rs->content_type = STR("application/xml; charset=utf-8");
	BUF_PUT(&rs->body, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	buf_fmt(&rs->body, "<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", element);
	buf_put(&rs->body, buf_str(&file->out));
	buf_fmt(&rs->body, "</%s>\n", element);
	return HTTP_OK;
}

/* --- Results of queries ----------------------------------------------------------------------- */

/* Posts and static pages. What was first published elsewhere is listed there. */
static void
put_posts(struct file *file, const struct read *read)
{
	const struct posts_query all = {.of = POSTS_ALL};
	struct posts posts;

	posts_take(file->rq->arena, &all, read, NULL, file->rq->now, &posts);
	for (size_t i = 0; i < posts.count; i++) {
		const struct post *post = &posts.posts[i];

		if (post->canonical.len == 0)
			put_address(file, post_path(file->rq->arena, post),
			    post->updated > post->published ? post->updated : post->published);
	}
}

static void
put_tags(struct file *file, const struct read *read)
{
	for (size_t i = 0; i < read->found_count; i++) {
		struct tag tag;

		tag_from_item(file->rq->arena, &read->found[i], &tag);
		if (tag.posts > scheduled_with(file->rq, tag.name))
			put_address(file, url_join(file->rq->arena, STR("/tag/"), tag.name), 0);
	}
}

/* Reads the numbers of all of these lists in one trip. */
static enum http_status
put_authors(struct file *file, const struct read *reads, size_t read_count)
{
	struct user *users;
	size_t count;
	enum http_status status = profiles_counted(file->rq, reads, read_count, &users, &count);

	for (size_t i = 0; status == HTTP_OK && i < count; i++)
		if (user_visible(&users[i]) &&
		    users[i].posts > scheduled_by(file->rq, users[i].username))
			put_address(file, author_path(file->rq->arena, users[i].username), 0);
	return status;
}

static void
keep_list(struct file *file, const struct read *read)
{
	if (file->list_count == file->list_room) {
		struct read *more;

		file->list_room = 2 * file->list_room + PARTS_MAX;
		more = ARENA_ARRAY(file->rq->arena, file->list_room, struct read);
		for (size_t i = 0; i < file->list_count; i++)
			more[i] = file->lists[i];
		file->lists = more;
	}
	file->lists[file->list_count++] = *read;
}

static void
put_collections(struct file *file, const struct read *read)
{
	for (size_t i = 0; i < read->found_count; i++) {
		struct collection c;

		collection_from_item(file->rq->arena, &read->found[i], &c);
		if (collection_visible_to(&c, NULL))
			put_address(
			    file, url_join(file->rq->arena, STR("/collection/"), c.id), c.updated);
	}
}

/* Editions, of the weeks that the worker has counted. */
static void
put_editions(struct file *file, const struct read *read)
{
	struct request *rq = file->rq;

	for (size_t i = 0; i < read->found_count; i++) {
		const struct item *week = &read->found[i];
		struct span span;

		if (key_counted_span(item_key(week), &span) && span_begin(rq->zone, span) <= rq->now &&
		    item_number(week, STR("Posts")) >
			scheduled_between(rq, span_begin(rq->zone, span), span_end(rq->zone, span)))
			put_address(file, url_join(rq->arena, STR("/edition/"), span_text(rq->arena, span)), 0);
	}
}

/* Fixed pages: the front page, the indexes, the categories. */
static void
put_fixed(struct file *file)
{
	static const struct str pages[] = {STR_INIT("/"), STR_INIT("/archive"), STR_INIT("/hot"),
	    STR_INIT("/categories"), STR_INIT("/tags"), STR_INIT("/authors"),
	    STR_INIT("/collections")};
	const struct category_tree *tree = &publication_of(file->rq)->categories;

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		put_address(file, pages[i], 0);
	for (size_t i = 0; i < tree->count; i++)
		put_address(file,
		    url_join(file->rq->arena, STR("/category/"), tree->categories[i].slug), 0);
}

static void
put_periods(struct file *file, const char *begin, const struct period *periods, size_t count,
    char between, const char *end)
{
	for (size_t i = 0; i < count; i++)
		put_address(file,
		    STR_CONCAT(file->rq->arena, str_of(begin),
			period_text(file->rq->arena, periods[i], between), str_of(end)),
		    0);
}

/* --- /sitemap.xml --------------------------------------------------------------------------------- */

enum { PAGES = ENDS, TAGS, AUTHORS, COLLECTIONS, WEEKS, READS };

static struct read
whole(struct query query)
{
	query.limit = TABLE_QUERY_MAX;
	return (struct read){.kind = READ_QUERY, .query = query};
}

/* Adds a file to the index, if it would have any content. */
static void
put_part(struct file *index, const struct read *read, const char *path,
    void (*put)(struct file *file, const struct read *read))
{
	struct file part = {.rq = index->rq, .element = "url", .out = {.arena = index->rq->arena}};

	put(&part, read);
	if (part.count != 0 || read->next.len != 0)
		put_address(index, str_of(path), 0);
}

static enum http_status
respond_index(struct request *rq, struct response *rs, const struct read *reads)
{
	struct file index = {.rq = rq, .element = "sitemap", .out = {.arena = rq->arena}};
	struct period *periods;
	size_t count;
	enum http_status status = calendar_read(rq, NULL, reads, &periods, &count);

	if (status != HTTP_OK)
		return status;
	put_address(&index, STR("/sitemap/fixed.xml"), 0);
	put_part(&index, &reads[PAGES], "/sitemap/pages.xml", put_posts);
	put_part(&index, &reads[TAGS], "/sitemap/tags.xml", put_tags);
	/* Their numbers would take another trip: where so much is public, some of it is by somebody. */
	if (reads[AUTHORS].found_count != 0)
		put_address(&index, STR("/sitemap/authors.xml"), 0);
	put_part(&index, &reads[COLLECTIONS], "/sitemap/collections.xml", put_collections);
	if (count != 0)
		put_address(&index, STR("/sitemap/archive.xml"), 0);
	put_part(&index, &reads[WEEKS], "/sitemap/editions.xml", put_editions);
	put_periods(&index, "/sitemap/", periods, count, '-', ".xml");
	return finish(&index, rs, "sitemapindex");
}

/* The months of the archive and the editions that have posts, newest first. */
static void
put_months_and_weeks(struct file *file, const struct read *read)
{
	struct str edition, before = STR("");
	const struct posts_query all = {.of = POSTS_ALL};
	struct period last = {.year = 0}, like = {.month = 1};
	struct posts posts;

	posts_take(file->rq->arena, &all, read, NULL, file->rq->now, &posts);
	for (size_t i = 0; i < posts.count; i++) {
		struct period p = period_of(file->rq->zone, like, posts.posts[i].published);

		if (p.year != last.year || p.month != last.month)
			put_periods(file, "/archive/", &p, 1, '/', "");
		last = p;
		edition = edition_path(file->rq, posts.posts[i].published);
		if (!str_eq(edition, before))
			put_address(file, edition, 0);
		before = edition;
	}
}

static enum http_status
show_index(struct request *rq, struct response *rs)
{
	struct file file = {.rq = rq, .element = "url", .out = {.arena = rq->arena}};
	struct read reads[READS] = {[PAGES] = whole(query_pages()),
	    [TAGS] = whole(query_tags()),
	    [AUTHORS] = whole(query_authors()),
	    [COLLECTIONS] = whole(query_collections()),
	    [WEEKS] = whole(query_weeks())};
	enum http_status status;

	if (!calendar_prepare(rq, TABLE_QUERY_MAX, reads))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < READS; i++)
		if (i != OLDEST && reads[i].next.len != 0)
			return respond_index(rq, rs, reads);
	put_fixed(&file);
	put_posts(&file, &reads[PAGES]);
	put_tags(&file, &reads[TAGS]);
	status = put_authors(&file, &reads[AUTHORS], 1);
	if (status != HTTP_OK)
		return status;
	put_collections(&file, &reads[COLLECTIONS]);
	put_months_and_weeks(&file, &reads[NEWEST]);
	put_posts(&file, &reads[NEWEST]);
	return finish(&file, rs, "urlset");
}

/* --- /sitemap/<file> -------------------------------------------------------------------------------- */

/* Reads all parts of a file together, and then the rest of those that have more. */
static enum http_status
put_all(struct file *file, struct read *reads, size_t count,
    void (*put)(struct file *file, const struct read *read))
{
	enum http_status status = HTTP_OK;

	while (count != 0 && status == HTTP_OK && file->count < ADDRESSES_MAX) {
		size_t left = 0;

		status = page_read(file->rq, reads, count);
		for (size_t i = 0; status == HTTP_OK && i < count; i++) {
			put(file, &reads[i]);
			if (reads[i].next.len == 0)
				continue;
			reads[left] = whole(reads[i].query);
			reads[left++].query.cursor = reads[i].next;
		}
		count = left;
	}
	return status;
}

/*
 * Divides a list by name into parts that begin with different letters: of any script, or of Latin
 * alone.
 */
static size_t
by_letter(struct query query, bool any_script, struct read *reads)
{
	static const struct str letters = STR_INIT("-0123456789_abcdefghijklmnopqrstuvwxyz");
	/*
	 * Other scripts in the order of Unicode: the last character of a part precedes the first of
	 * the next.
	 */
	static const struct {
		struct str first, last;
	} scripts[] = {{STR_INIT("\u00a0"), STR_INIT("\u07ff\U0010ffff")},
	    {STR_INIT("\u0800"), STR_INIT("\u2fff\U0010ffff")},
	    {STR_INIT("\u3000"), STR_INIT("\u9fff\U0010ffff")},
	    {STR_INIT("\ua000"), STR_INIT("\U0010ffff")}};
	size_t count = 0;

	for (size_t i = 0; i < letters.len; i++) {
		reads[count] = whole(query);
		reads[count].query.op = SORT_BEGINS;
		reads[count++].query.low = str_sub(letters, i, 1);
	}
	for (size_t i = 0; any_script && i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		reads[count] = whole(query);
		reads[count].query.op = SORT_BETWEEN;
		reads[count].query.low = scripts[i].first;
		reads[count++].query.high = scripts[i].last;
	}
	return count;
}

/* Divides a month into days, or a year into months. */
static size_t
by_time(struct request *rq, struct period period, struct read *reads)
{
	size_t count = 0;
	bool month = period.month != 0;
	int last = month ? time_date(time_of_day(period.year, period.month + 1, 0)).day : 12;

	for (int i = 1; i <= last; i++) {
		struct period part = {period.year, month ? period.month : i, month ? i : 0};
		struct posts_query query = period_query(rq->arena, NULL, part);

		query.limit = TABLE_QUERY_MAX;
		if (posts_prepare(rq->arena, &query, rq->now, &reads[count]))
			count++;
	}
	return count;
}

/* The months of the archive, in the site's zone. */
static enum http_status
put_archive(struct file *file)
{
	struct read reads[ENDS];
	struct period *periods;
	size_t count;
	enum http_status status;

	if (!calendar_prepare(file->rq, 1, reads))
		return HTTP_NOT_FOUND;
	status = page_read(file->rq, reads, ENDS);
	if (status == HTTP_OK)
		status = calendar_read(file->rq, file->rq->zone, reads, &periods, &count);
	if (status == HTTP_OK)
		put_periods(file, "/archive/", periods, count, '/', "");
	return status;
}

/* "2026-11.xml", "1850.xml" */
static enum http_status
put_period(struct file *file, struct str name)
{
	struct str month, year = str_cut(str_sub(name, 0, name.len - 4), '-', &month);
	struct read reads[PARTS_MAX];
	struct period period;

	if (!str_ends(name, STR(".xml")) || (name.len != 8 && name.len != 11) ||
	    !period_parse(year, month, STR(""), &period))
		return HTTP_NOT_FOUND;
	return put_all(file, reads, by_time(file->rq, period, reads), put_posts);
}

static enum http_status
show_file(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "file");
	struct file file = {.rq = rq, .element = "url", .out = {.arena = rq->arena}};
	struct read reads[PARTS_MAX];
	enum http_status status;

	if (str_eq(name, STR("fixed.xml"))) {
		status = page_read(rq, NULL, 0);
		if (status == HTTP_OK)
			put_fixed(&file);
	} else if (str_eq(name, STR("pages.xml"))) {
		reads[0] = whole(query_pages());
		status = put_all(&file, reads, 1, put_posts);
	} else if (str_eq(name, STR("tags.xml"))) {
		status = put_all(&file, reads, by_letter(query_tags(), true, reads), put_tags);
	} else if (str_eq(name, STR("authors.xml"))) {
		status = put_all(&file, reads, by_letter(query_authors(), false, reads), keep_list);
		if (status == HTTP_OK)
			status = put_authors(&file, file.lists, file.list_count);
	} else if (str_eq(name, STR("collections.xml"))) {
		reads[0] = whole(query_collections());
		status = put_all(&file, reads, 1, put_collections);
	} else if (str_eq(name, STR("editions.xml"))) {
		reads[0] = whole(query_weeks());
		status = put_all(&file, reads, 1, put_editions);
	} else if (str_eq(name, STR("archive.xml"))) {
		status = put_archive(&file);
	} else {
		status = put_period(&file, name);
	}
	return status == HTTP_OK ? finish(&file, rs, "urlset") : status;
}

/* What leads everybody who is not signed in to /login, and is linked where they read; and searches, of which there is no end. */
static const char *const for_people[] = {"/login", "/register", "/account", "/collect/", "/react/",
    "/vote/", "/flag/", "/author/*/follow$", "/author/*/block$", "/post/*/comment$", "/post/*/comment?",
    "/post/*/rating", "/search?", "/search/"};

static enum http_status
show_robots(struct request *rq, struct response *rs)
{
	rs->content_type = STR("text/plain; charset=utf-8");
	BUF_PUT(&rs->body, "User-agent: *\n");
	for (size_t i = 0; i < sizeof(for_people) / sizeof(for_people[0]); i++)
		buf_fmt(&rs->body, "Disallow: %s\n", for_people[i]);
	buf_fmt(&rs->body, "\nSitemap: %.*s\n", STR_ARGS(absolute(rq, STR("/sitemap.xml"))));
	return HTTP_OK;
}

PAGE(sitemap, .get = show_index)
PAGE(sitemap_file, .get = show_file)
PAGE(robots, .get = show_robots)
