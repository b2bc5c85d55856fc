/*
 * GET /archive: the months from the first post to the last. GET /archive/<year>/<month>: a month, day by
 * day. GET /archive/<year>/<month>/<day>: a day.
 *
 * A month's or a day's posts are one range of the timeline. Which months have posts is not counted
 * anywhere; the index lists all between the first and the last. Days and months are those of the site's zone.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "pages/indexes.h"
#include "pages/layout.h"
#include "pages/lists.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "pages/words.h"

enum { YEAR_MIN = 1000, YEAR_MAX = 9999 };

struct archive_year_view {
	struct str year;
	LIST_OF(struct counted_link_view) months;
};

struct archive_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct archive_year_view) years;
};

struct archive_day_view {
	struct str url, date, date_text;
	LIST_OF(struct post_card_view) posts;
};

struct archive_month_view {
	struct layout_view layout;
	struct str title;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct archive_day_view) days;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(archive_year_view, STRING(year), LIST(months, counted_link_view))
VIEW_FIELDS(archive_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(years, archive_year_view))
VIEW_FIELDS(
    archive_day_view, STRING(url), STRING(date), STRING(date_text), LIST(posts, post_card_view))
VIEW_FIELDS(archive_month_view, VIEW(layout, layout_view), STRING(title),
    LIST(breadcrumbs, link_view), LIST(days, archive_day_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
TEMPLATE(archive_template, "archive", archive_view)
TEMPLATE(archive_month_template, "archive_month", archive_month_view)

/* --- The index ----------------------------------------------------------------------------------- */

/* The months of a year from `last` down to `first`. */
static void
fill_year(struct request *rq, int year, int last, int first, struct archive_year_view *out)
{
	struct counted_link_view *months = ARENA_ARRAY(rq->arena, 12, struct counted_link_view);
	size_t count = 0;

	for (int month = last; month >= first; month--)
		months[count++] = (struct counted_link_view){
		    .url = str_fmt(rq->arena, "/archive/%04d/%02d", year, month),
		    .name = str_of(words_month_name(month)),
		};
	out->year = str_fmt(rq->arena, "%d", year);
	out->months.items = months;
	out->months.count = count;
}

static void
fill_years(struct request *rq, const struct post *oldest, const struct post *newest,
    struct archive_view *view)
{
	struct date first = zone_date(rq->zone, oldest->published);
	struct date last = zone_date(rq->zone, newest->published);
	size_t count = (size_t)(last.year - first.year + 1);
	struct archive_year_view *years = ARENA_ARRAY(rq->arena, count, struct archive_year_view);

	for (size_t i = 0; i < count; i++) {
		int year = last.year - (int)i;

		fill_year(rq, year, year == last.year ? last.month : 12,
		    year == first.year ? first.month : 1, &years[i]);
	}
	view->years.items = years;
	view->years.count = count;
}

enum http_status
page_archive(struct request *rq, struct response *rs)
{
	struct page_frame frame = {.title = STR("Archive"), .path = STR("/archive")};
	struct archive_view *view = ARENA_NEW(rq->arena, struct archive_view);
	struct posts_query newest = {.of = POSTS_ALL, .limit = 1};
	struct posts_query oldest = {.of = POSTS_ALL, .limit = 1, .newer = true};
	struct read reads[2];
	struct posts first, last;
	enum http_status status;

	if (!posts_prepare(rq->arena, &newest, rq->now, &reads[0]) ||
	    !posts_prepare(rq->arena, &oldest, rq->now, &reads[1]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	posts_take(rq->arena, &newest, &reads[0], NULL, rq->now, &last);
	posts_take(rq->arena, &oldest, &reads[1], NULL, rq->now, &first);
	if (first.count != 0 && last.count != 0)
		fill_years(rq, first.posts, last.posts, view);
	view->breadcrumbs = trail_home(rq);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(archive_template, view));
}

/* --- A month, a day -------------------------------------------------------------------------------- */

/* A captured number of so many digits, within bounds; -1 when it is none. */
static int
number(struct request *rq, const char *name, size_t digits, int low, int high)
{
	struct str text = request_param(rq, name);
	int64_t value;

	if (text.len != digits || !str_int(text, &value) || value < low || value > high)
		return -1;
	return (int)value;
}

static struct breadcrumbs
trail_archive(struct request *rq)
{
	struct breadcrumbs trail = trail_home(rq);

	breadcrumb(rq, &trail, STR("/archive"), STR("Archive"));
	return trail;
}

/*
 * Reads the posts from a local midnight to before another, both as if they were UTC. The future is not
 * found.
 */
static enum http_status
read_range(struct request *rq, struct response *rs, int64_t from, int64_t to, struct posts *posts)
{
	struct posts_page page;
	enum http_status status;
	bool first;

	status = posts_page_prepare(rq, POSTS_ALL, STR(""), 0, &page);
	if (status != HTTP_OK)
		return status;
	/* The page's length came with the settings, and so did their zone. */
	page.query.from = time_format(rq->arena, zone_utc(rq->zone, from));
	page.query.to = time_format(rq->arena, zone_utc(rq->zone, to) - 1);
	if (!posts_prepare(rq->arena, &page.query, rq->now, &page.read))
		return HTTP_NOT_FOUND;
	status = page_read(rq, &page.read, 1);
	if (status != HTTP_OK)
		return status;
	posts_page_take(rq, &page, NULL, posts, &first);
	list_fresh(rq, rs);
	return first ? redirect(rs, HTTP_SEE_OTHER, rq->path) : HTTP_OK;
}

static void
fill_days(struct request *rq, const struct posts *posts, struct archive_month_view *view)
{
	struct archive_day_view *days =
	    ARENA_ARRAY(rq->arena, posts->count, struct archive_day_view);
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, posts->count, struct post_card_view);
	size_t count = 0;

	for (size_t i = 0; i < posts->count; i++) {
		struct date d = zone_date(rq->zone, posts->posts[i].published);
		struct str date = str_fmt(rq->arena, "%04d-%02d-%02d", d.year, d.month, d.day);

		if (count == 0 || !str_eq(days[count - 1].date, date)) {
			days[count] = (struct archive_day_view){
			    .url = str_fmt(
				rq->arena, "/archive/%04d/%02d/%02d", d.year, d.month, d.day),
			    .date = date,
			    .date_text = words_day(rq, posts->posts[i].published),
			};
			days[count++].posts.items = &cards[i];
		}
		card_fill(rq, &posts->posts[i], &cards[i]);
		days[count - 1].posts.count++;
	}
	view->days.items = days;
	view->days.count = count;
}

enum http_status
page_archive_month(struct request *rq, struct response *rs)
{
	int year = number(rq, "year", 4, YEAR_MIN, YEAR_MAX);
	int month = number(rq, "month", 2, 1, 12);
	struct archive_month_view *view = ARENA_NEW(rq->arena, struct archive_month_view);
	struct page_frame frame = {.path = rq->path};
	struct posts posts;
	enum http_status status;

	if (year < 0 || month < 0)
		return HTTP_NOT_FOUND;
	status = read_range(
	    rq, rs, time_of_day(year, month, 1), time_of_day(year, month + 1, 1), &posts);
	if (status != HTTP_OK)
		return status;
	fill_days(rq, &posts, view);
	frame.title = words_month(rq->arena, year, month);
	frame.noindex = posts.count == 0;
	view->title = frame.title;
	view->breadcrumbs = trail_archive(rq);
	view->empty_text = STR("Nothing was published in this month.");
	view->pagination = pagination_of(rq, posts.newer, posts.older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(archive_month_template, view));
}

enum http_status
page_archive_day(struct request *rq, struct response *rs)
{
	int year = number(rq, "year", 4, YEAR_MIN, YEAR_MAX);
	int month = number(rq, "month", 2, 1, 12), day = number(rq, "day", 2, 1, 31);
	struct breadcrumbs trail;
	struct posts posts;
	enum http_status status;
	int64_t time;

	if (year < 0 || month < 0 || day < 0)
		return HTTP_NOT_FOUND;
	time = time_of_day(year, month, day);
	/* The 31st of a shorter month is another month's day. */
	if (time_date(time).day != day)
		return HTTP_NOT_FOUND;
	status = read_range(rq, rs, time, time_of_day(year, month, day + 1), &posts);
	if (status != HTTP_OK)
		return status;
	trail = trail_archive(rq);
	breadcrumb(rq, &trail, str_fmt(rq->arena, "/archive/%04d/%02d", year, month),
	    words_month(rq->arena, year, month));
	return list_page(rq, rs,
	    &(struct list_page){.title = words_day(rq, zone_utc(rq->zone, time)),
		.posts = &posts,
		.trail = trail,
		.path = rq->path,
		.noindex = posts.count == 0,
		.empty_text = STR("Nothing was published on this day.")});
}
