#include "pages/public/calendar.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/zone.h"
#include "pages/shared/publication.h"

enum { YEAR_MIN = 1000, BY_MONTH = 3, BY_YEAR = 200 }; /* years */

/* A number of that many digits, at least 1; 0 when it is invalid. */
static int
number(struct str text, size_t digits)
{
	int64_t value;

	return text.len == digits && str_int(text, &value) && value > 0 ? (int)value : 0;
}

bool
period_parse(struct str year, struct str month, struct str day, struct period *out)
{
	int64_t first;

	*out = (struct period){number(year, 4), number(month, 2), number(day, 2)};
	if (out->year < YEAR_MIN || (month.len != 0) != (out->month != 0) ||
	    (day.len != 0) != (out->day != 0) || out->month > 12)
		return false;
	/* A 31st of a shorter month would be another month's day. */
	first = time_of_day(out->year, out->month, out->day);
	return out->day == 0 || time_date(first).day == out->day;
}

/* The start of the period and of the next one. */
static void
bounds(const struct zone *zone, struct period p, int64_t *from, int64_t *to)
{
	int month = p.month != 0 ? p.month : 1, day = p.day != 0 ? p.day : 1;

	*from = zone_utc(zone, time_of_day(p.year, month, day));
	if (p.day != 0)
		*to = zone_utc(zone, time_of_day(p.year, month, day + 1));
	else
		*to = zone_utc(zone, time_of_day(p.year, p.month != 0 ? month + 1 : 13, 1));
}

struct posts_query
period_query(struct arena *arena, const struct zone *zone, struct period period)
{
	int64_t from, to;

	bounds(zone, period, &from, &to);
	return (struct posts_query){
	    .of = POSTS_ALL, .from = time_format(arena, from), .to = time_format(arena, to - 1)};
}

struct posts_query
period_beside(struct arena *arena, const struct zone *zone, struct period period, bool later)
{
	struct posts_query query = {.of = POSTS_ALL, .limit = 1, .newer = later};
	int64_t from, to;

	bounds(zone, period, &from, &to);
	if (later)
		query.from = time_format(arena, to);
	else
		query.to = time_format(arena, from - 1);
	return query;
}

struct period
period_of(const struct zone *zone, struct period like, int64_t time)
{
	struct date date = zone_date(zone, time);

	return (struct period){
	    date.year, like.month != 0 ? date.month : 0, like.day != 0 ? date.day : 0};
}

struct str
period_text(struct arena *arena, struct period p, char between)
{
	struct buf text = {.arena = arena};

	buf_fmt(&text, "%04d", p.year);
	if (p.month != 0)
		buf_fmt(&text, "%c%02d", between, p.month);
	if (p.day != 0)
		buf_fmt(&text, "%c%02d", between, p.day);
	return buf_str(&text);
}

/* All periods between two dates, newest first, for at most two hundred years. */
static struct period *
all_periods(struct arena *arena, struct date first, struct date last, size_t *count)
{
	int by_month = last.year - BY_MONTH + 1, by_year = last.year - BY_YEAR + 1;
	struct period *all = ARENA_ARRAY(arena, BY_YEAR + 12 * BY_MONTH, struct period);

	*count = 0;
	for (int year = last.year; year >= first.year && year >= by_year; year--) {
		if (year < by_month)
			all[(*count)++] = (struct period){.year = year};
		for (int month = 12; month >= 1 && year >= by_month; month--)
			if ((year < last.year || month <= last.month) &&
			    (year > first.year || month >= first.month))
				all[(*count)++] = (struct period){.year = year, .month = month};
	}
	return all;
}

bool
calendar_prepare(struct request *rq, uint32_t limit, struct read ends[ENDS])
{
	struct posts_query newest = {.of = POSTS_ALL, .limit = limit};
	struct posts_query oldest = {.of = POSTS_ALL, .limit = 1, .newer = true};

	return posts_prepare(rq->arena, &newest, rq->now, &ends[NEWEST]) &&
	       posts_prepare(rq->arena, &oldest, rq->now, &ends[OLDEST]);
}

enum http_status
calendar_read(struct request *rq, const struct zone *zone, const struct read ends[ENDS],
    struct period **periods, size_t *count)
{
	static const struct posts_query all = {.of = POSTS_ALL};
	struct posts newest, oldest;
	struct read *reads;
	size_t total, asked = 0;
	enum http_status status;

	*count = 0;
	posts_take(rq->arena, &all, &ends[NEWEST], NULL, rq->now, &newest);
	posts_take(rq->arena, &all, &ends[OLDEST], NULL, rq->now, &oldest);
	if (newest.count == 0 || oldest.count == 0)
		return HTTP_OK;
	*periods = all_periods(rq->arena, zone_date(zone, oldest.posts[0].published),
	    zone_date(zone, newest.posts[0].published), &total);
	reads = ARENA_ARRAY(rq->arena, total, struct read);
	for (size_t i = 0; i < total; i++) {
		struct posts_query query = period_query(rq->arena, zone, (*periods)[i]);

		query.limit = 1;
		if (posts_prepare(rq->arena, &query, rq->now, &reads[asked]))
			(*periods)[asked++] = (*periods)[i];
	}
	status = page_read(rq, reads, asked);
	for (size_t i = 0; status == HTTP_OK && i < asked; i++)
		if (reads[i].found_count != 0)
			(*periods)[(*count)++] = (*periods)[i];
	return status;
}
