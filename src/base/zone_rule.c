#include "base/zone_rule.h"

#include "base/clock.h"

#include <string.h>

enum { HOUR = 3600, DAY = 86400, WEEK_DAYS = 7 };

/* --- Reading ------------------------------------------------------------------------------------- */

/* Takes `c` from the front, if it is there. */
static bool
take(struct str *text, char c)
{
	if (text->len == 0 || text->base[0] != c)
		return false;
	*text = str_sub(*text, 1, text->len);
	return true;
}

/* Takes a number without a sign; false when there is none, or it is out of bounds. */
static bool
take_number(struct str *text, int low, int high, int *out)
{
	int value = 0;
	size_t i = 0;

	for (; i < text->len && text->base[i] >= '0' && text->base[i] <= '9'; i++) {
		value = value * 10 + (text->base[i] - '0');
		if (value > high)
			return false;
	}
	if (i == 0 || value < low)
		return false;
	*text = str_sub(*text, i, text->len);
	*out = value;
	return true;
}

/* [+-]hours[:minutes[:seconds]], as seconds */
static bool
take_time(struct str *text, int hours_max, int64_t *out)
{
	int hours, minutes = 0, seconds = 0;
	bool minus = take(text, '-');

	if (!minus)
		take(text, '+');
	if (!take_number(text, 0, hours_max, &hours))
		return false;
	if (take(text, ':')) {
		if (!take_number(text, 0, 59, &minutes))
			return false;
		if (take(text, ':') && !take_number(text, 0, 59, &seconds))
			return false;
	}
	*out = (int64_t)hours * HOUR + minutes * 60 + seconds;
	if (minus)
		*out = -*out;
	return true;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool
zone_name_set(struct str name, struct zone_time *out)
{
	if (name.len < 3 || name.len > ZONE_NAME_MAX)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-')
			return false;
	}
	memcpy(out->name, name.base, name.len);
	out->name[name.len] = '\0';
	return true;
}

/* Letters, or in pointed brackets what zone_name_set() takes. */
static bool
take_name(struct str *text, struct zone_time *out)
{
	struct str name = *text;

	if (take(text, '<')) {
		if (str_find(*text, '>') == text->len)
			return false;
		name = str_cut(*text, '>', text);
		return zone_name_set(name, out);
	}
	name.len = 0;
	while (name.len < text->len && is_letter(text->base[name.len]))
		name.len++;
	*text = str_sub(*text, name.len, text->len);
	return zone_name_set(name, out);
}

static bool
take_day(struct str *text, struct zone_day *out)
{
	*out = (struct zone_day){.kind = ZONE_DAY, .time = 2 * HOUR};
	if (take(text, 'M')) {
		out->kind = ZONE_MONTH_WEEKDAY;
		if (!take_number(text, 1, 12, &out->month) || !take(text, '.') ||
		    !take_number(text, 1, 5, &out->week) || !take(text, '.') ||
		    !take_number(text, 0, 6, &out->weekday))
			return false;
	} else if (take(text, 'J')) {
		out->kind = ZONE_DAY_WITHOUT_LEAP;
		if (!take_number(text, 1, 365, &out->day))
			return false;
	} else if (!take_number(text, 0, 365, &out->day)) {
		return false;
	}
	/* Files of zones have times of up to a week before and behind. */
	return !take(text, '/') || take_time(text, 167, &out->time);
}

/* POSIX counts what a time is behind UTC. */
static bool
take_offset(struct str *text, struct zone_time *out)
{
	int64_t behind;

	if (!take_time(text, 24, &behind))
		return false;
	out->offset = (int32_t)-behind;
	return true;
}

bool
zone_rule_parse(struct str text, struct zone_rule *out)
{
	*out = (struct zone_rule){.has_summer = false};
	if (!take_name(&text, &out->standard) || !take_offset(&text, &out->standard))
		return false;
	if (text.len == 0)
		return true;
	out->has_summer = true;
	if (!take_name(&text, &out->summer))
		return false;
	out->summer.offset = out->standard.offset + HOUR;
	if (text.len != 0 && text.base[0] != ',' && !take_offset(&text, &out->summer))
		return false;
	return take(&text, ',') && take_day(&text, &out->begins) && take(&text, ',') &&
	       take_day(&text, &out->ends) && text.len == 0;
}

/* --- Asking -------------------------------------------------------------------------------------- */

/* The midnight at which a day of the year begins, in seconds of local time. */
static int64_t
day_begins(const struct zone_day *day, int year)
{
	struct date first;
	int64_t begins;

	if (day->kind == ZONE_DAY)
		return time_of_day(year, 1, 1) / 1000 + (int64_t)day->day * DAY;
	/* From March on, the days of all years lie alike from the year's end. */
	if (day->kind == ZONE_DAY_WITHOUT_LEAP)
		return day->day <= 59 ? time_of_day(year, 1, day->day) / 1000
				      : time_of_day(year, 3, day->day - 59) / 1000;
	begins = time_of_day(year, day->month, 1);
	first = time_date(begins);
	begins = begins / 1000 +
		 (int64_t)((day->weekday - first.weekday + WEEK_DAYS) % WEEK_DAYS) * DAY +
		 (int64_t)(day->week - 1) * WEEK_DAYS * DAY;
	/* The fifth may be one too far; then the fourth is the last. */
	return begins < time_of_day(year, day->month + 1, 1) / 1000 ? begins
								    : begins - WEEK_DAYS * DAY;
}

const struct zone_time *
zone_rule_at(const struct zone_rule *rule, int64_t seconds)
{
	int64_t begins, ends;
	bool summer;
	int year;

	if (!rule->has_summer)
		return &rule->standard;
	year = time_date((seconds + rule->standard.offset) * 1000).year;
	begins = day_begins(&rule->begins, year) + rule->begins.time - rule->standard.offset;
	ends = day_begins(&rule->ends, year) + rule->ends.time - rule->summer.offset;
	summer = begins < ends ? seconds >= begins && seconds < ends
			       : seconds >= begins || seconds < ends;
	return summer ? &rule->summer : &rule->standard;
}
