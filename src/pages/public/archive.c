/*
 * GET /archive: the years and months that have posts, and how many; the worker counts them (src/derive/rankings.c).
 * GET /archive/<year>, /archive/<year>/<month>, /archive/<year>/<month>/<day>: a year, a month day by day, a day; each
 * with links to the previous and next period that has posts, which are two more reads of the same
 * trip.
 *
 * The posts of a period are one range of the timeline. Days and months are those of the site's
 * zone.
 */
#include "base/arena.h"
#include "base/span.h"
#include "base/zone.h"
#include "model/key_ranking.h"
#include "pages/public/calendar.h"
#include "pages/public/edition.h"
#include "pages/public/indexes.h"
#include "pages/public/json_ld.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"

struct archive_year_view {
	struct str url, year, count_text;
	LIST_OF(struct counted_link_view) months;
};

struct archive_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct archive_year_view) years;
	struct str earlier_url; /* of the year from which on there are too many months to show; or empty */
	struct str edition_url; /* the newest one; empty: there is none */
};

struct archive_day_view {
	struct str url, date, date_text;
	struct link_view edition; /* of the first day of a week; else without an address */
	LIST_OF(struct post_card_view) posts;
};

struct archive_month_view {
	struct layout_view layout;
	struct str title;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct archive_day_view) days;
	struct str empty_text;
	const struct pagination_view *pagination;
	const struct beside_view *beside;
};

VIEW_FIELDS(archive_year_view, STRING(url), STRING(year), STRING(count_text),
    LIST(months, counted_link_view))
VIEW_FIELDS(archive_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(years, archive_year_view), STRING(earlier_url), STRING(edition_url))
VIEW_FIELDS(
    archive_day_view, STRING(url), STRING(date), STRING(date_text), VIEW(edition, link_view),
    LIST(posts, post_card_view))
VIEW_FIELDS(archive_month_view, VIEW(layout, layout_view), STRING(title),
    LIST(breadcrumbs, link_view), LIST(days, archive_day_view), STRING(empty_text),
    OPTION(pagination, pagination_view), OPTION(beside, beside_view))
TEMPLATE(archive_template, "archive", archive_view)
TEMPLATE(archive_month_template, "archive_month", archive_month_view)

/* --- The index ----------------------------------------------------------------------------------- */

static struct str
path_of(struct request *rq, struct period period)
{
	return STR_CONCAT(rq->arena, STR("/archive/"), period_text(rq->arena, period, '/'));
}

static struct str
name_of(struct request *rq, struct period p)
{
	if (p.day != 0)
		return words_day(rq, zone_utc(rq->zone, time_of_day(p.year, p.month, p.day)));
	return p.month != 0 ? words_month(rq->arena, p.year, p.month)
			    : str_fmt(rq->arena, "%d", p.year);
}

/* A month with posts, and how many; 0: they are not counted yet. */
struct month {
	struct period period;
	int64_t posts;
};

/*
 * The months that were counted, newest first, without what is yet to come. What was published last may not be counted yet: its
 * month is there all the same.
 */
static struct month *
months_of(struct request *rq, const struct read *counted, const struct posts *newest, size_t *count)
{
	static const struct period like = {.month = 1};
	struct month *months = ARENA_ARRAY(rq->arena, counted->found_count + 1, struct month);

	*count = 0;
	if (newest->count != 0)
		months[(*count)++].period = period_of(rq->zone, like, newest->posts[0].published);
	for (size_t i = 0; i < counted->found_count; i++) {
		struct span span;
		struct date d;
		int64_t posts = item_number(&counted->found[i], STR("Posts"));

		if (!key_counted_span(item_key(&counted->found[i]), &span) ||
		    span_begin(rq->zone, span) > rq->now)
			continue;
		posts -= scheduled_between(rq, span_begin(rq->zone, span), span_end(rq->zone, span));
		d = time_date(span.first);
		if (*count != 0 && months[0].period.year == d.year && months[0].period.month == d.month)
			months[0].posts = posts;
		else if (posts > 0)
			months[(*count)++] = (struct month){{.year = d.year, .month = d.month}, posts};
	}
	return months;
}

static struct str
count_text(struct request *rq, int64_t posts)
{
	return posts > 0 ? words_count(rq->arena, posts, "post", "posts") : STR("");
}

/* Months under their years, newest first. */
static void
fill_years(
    struct request *rq, const struct month *months, size_t count, struct archive_view *view)
{
	struct archive_year_view *years = ARENA_ARRAY(rq->arena, count, struct archive_year_view);
	struct counted_link_view *links = ARENA_ARRAY(rq->arena, count, struct counted_link_view);
	struct archive_year_view *year = NULL;
	int64_t posts = 0;

	for (size_t i = 0; i < count; i++) {
		struct period p = months[i].period;

		if (year == NULL || p.year != months[i - 1].period.year) {
			year = &years[view->years.count++];
			year->url = path_of(rq, (struct period){.year = p.year});
			year->year = str_fmt(rq->arena, "%d", p.year);
			year->months.items = &links[i];
			posts = 0;
		}
		posts += months[i].posts;
		year->count_text = count_text(rq, posts);
		links[i] = (struct counted_link_view){.url = path_of(rq, p),
		    .name = str_of(words_month_name(p.month)),
		    .count_text = count_text(rq, months[i].posts)};
		year->months.count++;
	}
	view->years.items = years;
}

static enum http_status
show_years(struct request *rq, struct response *rs)
{
	enum { NEWEST_POST, MONTHS, READS };
	struct page_frame frame = {.title = STR("Archive"), .path = STR("/archive")};
	struct archive_view *view = ARENA_NEW(rq->arena, struct archive_view);
	static const struct posts_query all = {.of = POSTS_ALL, .limit = 1};
	struct read reads[READS] = {[MONTHS] = {.kind = READ_QUERY, .query = query_months()}};
	struct posts newest;
	struct month *months;
	size_t count;
	enum http_status status;

	reads[MONTHS].query.limit = TABLE_QUERY_MAX;
	if (!posts_prepare(rq->arena, &all, rq->now, &reads[NEWEST_POST]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	posts_take(rq->arena, &all, &reads[NEWEST_POST], NULL, rq->now, &newest);
	months = months_of(rq, &reads[MONTHS], &newest, &count);
	fill_years(rq, months, count, view);
	/* The last year that was read is not whole: its page leads on to those before. */
	if (reads[MONTHS].next.len != 0 && view->years.count > 1)
		view->earlier_url = view->years.items[--view->years.count].url;
	if (newest.count != 0)
		view->edition_url = edition_path(rq, newest.posts[0].published);
	view->breadcrumbs = trail_home(rq);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(archive_template, view));
}

/* --- A year, a month, a day ------------------------------------------------------------------------ */

/* The breadcrumbs of a period. */
static struct breadcrumbs
trail_archive(struct request *rq, struct period p)
{
	struct breadcrumbs trail = trail_home(rq);
	struct period year = {.year = p.year}, month = {.year = p.year, .month = p.month};

	breadcrumb(rq, &trail, STR("/archive"), STR("Archive"));
	if (p.month != 0)
		breadcrumb(rq, &trail, path_of(rq, year), name_of(rq, year));
	if (p.day != 0)
		breadcrumb(rq, &trail, path_of(rq, month), name_of(rq, month));
	return trail;
}

/* A period, its posts, and the nearest post before and after it. */
struct shown {
	struct period period;
	struct posts posts;
	const struct beside_view *beside;
};

/* A link to the period of a post that was read; empty when there was none. */
static struct link_view
link_to(struct request *rq, struct period like, const struct read *read)
{
	static const struct posts_query one = {.of = POSTS_ALL};
	struct posts posts;
	struct period period;

	posts_take(rq->arena, &one, read, NULL, rq->now, &posts);
	if (posts.count == 0)
		return (struct link_view){STR(""), STR("")};
	period = period_of(rq->zone, like, posts.posts[0].published);
	return (struct link_view){path_of(rq, period), name_of(rq, period)};
}

static const struct beside_view *
beside(struct request *rq, struct period like, const struct read *earlier, const struct read *later)
{
	struct beside_view *view = ARENA_NEW(rq->arena, struct beside_view);

	view->earlier = link_to(rq, like, earlier);
	view->later = link_to(rq, like, later);
	return view->earlier.url.len != 0 || view->later.url.len != 0 ? view : NULL;
}

/* Reads the period of the address. A future one is not found. */
static enum http_status
read_period(struct request *rq, struct response *rs, struct shown *out)
{
	struct posts_query range, earlier, later;
	struct read reads[3];
	struct posts_page page;
	enum http_status status;
	bool first, ends;

	if (!period_parse(request_param(rq, "year"), request_param(rq, "month"),
		request_param(rq, "day"), &out->period))
		return HTTP_NOT_FOUND;
	status = posts_page_prepare(rq, POSTS_ALL, STR(""), 0, &page);
	if (status != HTTP_OK)
		return status;
	/* The page's length and the zone came with the settings. */
	range = period_query(rq->arena, rq->zone, out->period);
	page.query.from = range.from;
	page.query.to = range.to;
	if (!posts_prepare(rq->arena, &page.query, rq->now, &reads[0]))
		return HTTP_NOT_FOUND;
	earlier = period_beside(rq->arena, rq->zone, out->period, false);
	later = period_beside(rq->arena, rq->zone, out->period, true);
	posts_prepare(rq->arena, &earlier, rq->now, &reads[1]);
	ends = !posts_prepare(rq->arena, &later, rq->now, &reads[2]);
	status = page_read(rq, reads, ends ? 2 : 3);
	if (status != HTTP_OK)
		return status;
	page.read = reads[0];
	posts_page_take(rq, &page, NULL, &out->posts, &first);
	out->beside = beside(rq, out->period, &reads[1], &reads[2]);
	list_fresh(rq, rs);
	return first ? redirect(rs, HTTP_SEE_OTHER, rq->path) : HTTP_OK;
}

/* The edition of the week that a time is in, if it is not the one before. */
static void
name_edition(struct request *rq, int64_t time, struct str *before, struct link_view *out)
{
	struct str url = edition_path(rq, time);

	if (str_eq(url, *before))
		return;
	*before = url;
	*out = (struct link_view){url, edition_name(rq, time)};
}

static void
fill_days(struct request *rq, const struct posts *posts, struct archive_month_view *view)
{
	struct str week = STR("");
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
			name_edition(rq, posts->posts[i].published, &week, &days[count].edition);
			days[count++].posts.items = &cards[i];
		}
		card_fill(rq, &posts->posts[i], &cards[i]);
		days[count - 1].posts.count++;
	}
	view->days.items = days;
	view->days.count = count;
}

static enum http_status
show_month(struct request *rq, struct response *rs)
{
	struct archive_month_view *view = ARENA_NEW(rq->arena, struct archive_month_view);
	struct page_frame frame = {.path = rq->path};
	struct shown shown;
	enum http_status status = read_period(rq, rs, &shown);

	if (status != HTTP_OK)
		return status;
	fill_days(rq, &shown.posts, view);
	frame.title = name_of(rq, shown.period);
	frame.noindex = shown.posts.count == 0;
	view->title = frame.title;
	view->breadcrumbs = trail_archive(rq, shown.period);
	frame.json_ld = json_ld_breadcrumbs(rq, &view->breadcrumbs, frame.title, frame.path);
	view->empty_text = STR("Nothing was published in this month.");
	view->pagination = pagination_of(rq, shown.posts.newer, shown.posts.older);
	view->beside = shown.beside;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(archive_month_template, view));
}

/* Empty periods are not found, so that search engines do not follow an endless calendar. */
static enum http_status
show_list(struct request *rq, struct response *rs)
{
	struct shown shown;
	enum http_status status = read_period(rq, rs, &shown);

	if (status != HTTP_OK)
		return status;
	return list_page(rq, rs,
	    &(struct list_page){.title = name_of(rq, shown.period),
		.posts = &shown.posts,
		.trail = trail_archive(rq, shown.period),
		.path = rq->path,
		.beside = shown.beside,
		.noindex = shown.posts.count == 0,
		.empty_text = shown.period.day != 0 ? STR("Nothing was published on this day.")
						    : STR("Nothing was published in this year.")});
}

PAGE(archive, .get = show_years)
PAGE(archive_month, .get = show_month, .query = list_parameters)
PAGE(archive_list, .get = show_list, .query = list_parameters)
