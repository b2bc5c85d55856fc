#include "base/span.h"

#include "base/str.h"
#include "base/zone.h"

enum { YEAR_MIN = 1000, THURSDAY = 3, DAY_MS = 24 * 60 * 60 * 1000 };

/* Midnight of the Monday that begins the week of a day. */
static int64_t
monday(int64_t midnight)
{
	return midnight - (int64_t)((time_date(midnight).weekday + 6) % 7) * DAY_MS;
}

/* A week belongs to the year that its Thursday is in: so the 4th of January is in the first one. */
static int64_t
first_monday(int year)
{
	return monday(time_of_day(year, 1, 4));
}

struct span
span_of(enum span_length length, const struct zone *zone, int64_t utc)
{
	struct date d = zone_date(zone, utc);
	struct span span = {length, time_of_day(d.year, d.month, d.day)};

	switch (length) {
	case SPAN_WEEK: span.first = monday(span.first); break;
	case SPAN_MONTH: span.first = time_of_day(d.year, d.month, 1); break;
	case SPAN_YEAR: span.first = time_of_day(d.year, 1, 1); break;
	case SPAN_DAY:
	case SPAN_LENGTHS: break;
	}
	return span;
}

int64_t
span_begin(const struct zone *zone, struct span span)
{
	return zone_utc(zone, span.first);
}

int64_t
span_end(const struct zone *zone, struct span span)
{
	struct date d = time_date(span.first);
	int64_t next = span.first + DAY_MS;

	switch (span.length) {
	case SPAN_WEEK: next = span.first + INT64_C(7) * DAY_MS; break;
	case SPAN_MONTH: next = time_of_day(d.year, d.month + 1, 1); break;
	case SPAN_YEAR: next = time_of_day(d.year + 1, 1, 1); break;
	case SPAN_DAY:
	case SPAN_LENGTHS: break;
	}
	return zone_utc(zone, next);
}

struct str
span_text(struct arena *arena, struct span span)
{
	struct date d = time_date(span.first);

	switch (span.length) {
	case SPAN_WEEK:
		d.year = time_date(span.first + (int64_t)THURSDAY * DAY_MS).year;
		return str_fmt(arena, "%04d-w%02d", d.year,
		    (int)((span.first - first_monday(d.year)) / (INT64_C(7) * DAY_MS)) + 1);
	case SPAN_MONTH: return str_fmt(arena, "%04d-%02d", d.year, d.month);
	case SPAN_YEAR: return str_fmt(arena, "%04d", d.year);
	case SPAN_DAY:
	case SPAN_LENGTHS: break;
	}
	return str_fmt(arena, "%04d-%02d-%02d", d.year, d.month, d.day);
}

/* Exactly so many digits, of a number from 1 on. */
static bool
number(struct str text, size_t digits, int *out)
{
	int64_t value;

	if (text.len != digits || !str_int(text, &value) || value < 1)
		return false;
	*out = (int)value;
	return true;
}

static bool
parse_week(int year, struct str rest, struct span *out)
{
	int week;

	if (!number(str_sub(rest, 1, rest.len), 2, &week))
		return false;
	*out = (struct span){SPAN_WEEK, first_monday(year) + (week - 1) * INT64_C(7) * DAY_MS};
	return out->first < first_monday(year + 1);
}

bool
span_parse(struct str text, struct span *out)
{
	int year, month = 1, day = 1;
	struct str rest, days;

	if (!number(str_cut(text, '-', &rest), 4, &year) || year < YEAR_MIN)
		return false;
	if (str_starts(rest, STR("w")))
		return parse_week(year, rest, out);
	out->length = text.len == 4 ? SPAN_YEAR : text.len == 7 ? SPAN_MONTH : SPAN_DAY;
	if (out->length != SPAN_YEAR && !number(str_cut(rest, '-', &days), 2, &month))
		return false;
	if (out->length == SPAN_DAY && !number(days, 2, &day))
		return false;
	out->first = time_of_day(year, month, day);
	/* A 31st of a shorter month would be another month's day. */
	return month <= 12 && time_date(out->first).day == day;
}
