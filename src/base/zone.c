/*
 * A TZif file is a header, a body with times of 32 bits for old readers, a second header, a body with times of
 * 64 bits, and a footer. Only what begins with the second header is used:
 *
 *	"TZif", version, 15 unused bytes, six counts of 4 bytes: of UT marks, standard marks, leap
 *	seconds, transitions, types, and bytes of names
 *	the transitions' times, 8 bytes each, ascending
 *	the type that begins at each, a byte
 *	the types: an offset of 4 bytes, a flag for summer time, where its name begins
 *	the names, each followed by a NUL
 *	not used here: leap seconds of 12 bytes each, the flags of a byte each
 *	a line feed, the rule for times after the last transition, a line feed
 *
 * Numbers are big-endian. Before the first transition the first type applies.
 */
#include "base/zone.h"

#include "base/arena.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The rule for later years ----------------------------------------------------------------- */

/*
 * The rule of a time zone for all later years, as POSIX writes it in TZ:
 * "CET-1CEST,M3.5.0,M10.5.0/3". That is a name and an offset and, if there is daylight saving time,
 * its name and the two days on which it begins and ends.
 */

enum { ZONE_NAME_MAX = 10 };

/* A zone's standard or daylight saving time. */
struct zone_time {
	int32_t offset;               /* seconds that it is ahead of UTC */
	char name[ZONE_NAME_MAX + 1]; /* "CET", "+01" */
};

/* A moment of each year. */
struct zone_day {
	enum { ZONE_MONTH_WEEKDAY, ZONE_DAY, ZONE_DAY_WITHOUT_LEAP } kind;
	int month, week, weekday; /* week 5: the last */
	int day;      /* of the year, from 0; without leap: from 1, never a 29 February */
	int64_t time; /* seconds of the local time that ends, from midnight on */
};

struct zone_rule {
	struct zone_time standard, summer;
	bool has_summer;
	struct zone_day begins,
	    ends; /* of daylight saving time; in the south it spans the new year */
};

enum { HOUR = 3600, DAY = 86400, WEEK_DAYS = 7 };

/* --- Reading the rule -------------------------------------------------------------------------- */

/* Skips `c` at the front; false if it is not there. */
static bool
take(struct str *text, char c)
{
	if (text->len == 0 || text->base[0] != c)
		return false;
	*text = str_sub(*text, 1, text->len);
	return true;
}

/* Parses an unsigned number; false when there is none, or it is out of bounds. */
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

/* Sets the name, of 3 to ZONE_NAME_MAX letters, digits and signs; false for any other. */
static bool
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

/* Letters, or in angle brackets what zone_name_set() accepts. */
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
	/* Zone files have times of up to a week before and after the day. */
	return !take(text, '/') || take_time(text, 167, &out->time);
}

/* POSIX gives offsets as time west of UTC. */
static bool
take_offset(struct str *text, struct zone_time *out)
{
	int64_t behind;

	if (!take_time(text, 24, &behind))
		return false;
	out->offset = (int32_t)-behind;
	return true;
}

/* Returns false, with *out undefined, for anything else. */
static bool
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

/* --- What time the rule says ------------------------------------------------------------------- */

/* The midnight at which a day of the year begins, in seconds of local time. */
static int64_t
day_begins(const struct zone_day *day, int year)
{
	struct date first;
	int64_t begins;

	if (day->kind == ZONE_DAY)
		return time_of_day(year, 1, 1) / 1000 + (int64_t)day->day * DAY;
	/* From March on, days have the same distance from the end of every year. */
	if (day->kind == ZONE_DAY_WITHOUT_LEAP)
		return day->day <= 59 ? time_of_day(year, 1, day->day) / 1000
				      : time_of_day(year, 3, day->day - 59) / 1000;
	begins = time_of_day(year, day->month, 1);
	first = time_date(begins);
	begins = begins / 1000 +
		 (int64_t)((day->weekday - first.weekday + WEEK_DAYS) % WEEK_DAYS) * DAY +
		 (int64_t)(day->week - 1) * WEEK_DAYS * DAY;
	/* The fifth week may be in the next month; then the fourth is the last. */
	return begins < time_of_day(year, day->month + 1, 1) / 1000 ? begins
								    : begins - WEEK_DAYS * DAY;
}

/* Which of the two times of the rule applies at `seconds` after 1970. */
static const struct zone_time *
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

/* --- Zones ------------------------------------------------------------------------------------ */

#define ZONES "/usr/share/zoneinfo/"

enum {
	FILE_MAX = 32 * 1024,
	LIST_MAX = 64 * 1024,
	ZONES_MAX = 1000,
	NAME_MAX_BYTES = 64,
	HEADER = 44,
	TYPE = 6,
	OFFSET_MAX = 26 * 3600,
	DAY_MS = 86400000,
};

struct zone {
	const int64_t *times; /* seconds since 1970, ascending */
	const uint8_t *which; /* the type that begins then, an index of `types` */
	size_t count;
	const struct zone_time *types; /* at least one */
	bool has_rule;
	struct zone_rule rule; /* after the last transition */
};

/* --- Reading the file -------------------------------------------------------------------------- */

/* The rest of the file. */
struct reader {
	const unsigned char *at;
	size_t left;
};

/* The next `size` bytes; NULL when there are fewer. */
static const unsigned char *
take_bytes(struct reader *r, size_t size)
{
	const unsigned char *at = r->at;

	if (size > r->left)
		return NULL;
	r->at += size;
	r->left -= size;
	return at;
}

static uint64_t
number(const unsigned char *at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | at[i];
	return value;
}

struct header {
	size_t ut_marks, standard_marks, leaps, times, types, names;
};

/* Counts are limited by the maximal file size, so that no product of them overflows. */
static bool
take_header(struct reader *r, struct header *out)
{
	const unsigned char *at = take_bytes(r, HEADER);
	size_t counts[6];

	if (at == NULL || memcmp(at, "TZif", 4) != 0 || at[4] < '2')
		return false;
	for (size_t i = 0; i < 6; i++) {
		counts[i] = (size_t)number(at + 20 + i * 4, 4);
		if (counts[i] > FILE_MAX)
			return false;
	}
	*out = (struct header){counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
	return true;
}

static bool
skip_old_body(struct reader *r)
{
	struct header h;

	return take_header(r, &h) &&
	       take_bytes(r, h.times * 5 + h.types * TYPE + h.names + h.leaps * 8 +
				 h.standard_marks + h.ut_marks) != NULL;
}

static bool
read_times(struct arena *arena, struct reader *r, const struct header *h, struct zone *zone)
{
	const unsigned char *at = take_bytes(r, h->times * 8), *which = take_bytes(r, h->times);
	int64_t *times = ARENA_ARRAY(arena, h->times, int64_t);

	if (at == NULL || which == NULL)
		return false;
	for (size_t i = 0; i < h->times; i++) {
		times[i] = (int64_t)number(at + i * 8, 8);
		if ((i != 0 && times[i] <= times[i - 1]) || which[i] >= h->types)
			return false;
	}
	zone->times = times;
	zone->which = arena_copy(arena, which, h->times);
	zone->count = h->times;
	return true;
}

static bool
read_types(struct arena *arena, struct reader *r, const struct header *h, struct zone *zone)
{
	const unsigned char *at = take_bytes(r, h->types * TYPE);
	const char *names = (const char *)take_bytes(r, h->names);
	struct zone_time *types;

	if (h->types == 0 || h->types > 256 || at == NULL || names == NULL)
		return false;
	types = ARENA_ARRAY(arena, h->types, struct zone_time);
	for (size_t i = 0; i < h->types; i++, at += TYPE) {
		struct str name = str_sub((struct str){names, h->names}, at[5], h->names);
		size_t end = str_find(name, '\0');

		types[i].offset = (int32_t)(uint32_t)number(at, 4);
		if (types[i].offset < -OFFSET_MAX || types[i].offset > OFFSET_MAX ||
		    end == name.len || !zone_name_set(str_sub(name, 0, end), &types[i]))
			return false;
	}
	zone->types = types;
	return true;
}

static bool
read_rule(struct reader *r, struct zone *zone)
{
	struct str rest, text = {(const char *)r->at, r->left};

	if (text.len < 2 || text.base[0] != '\n')
		return false;
	text = str_sub(text, 1, text.len);
	if (str_find(text, '\n') == text.len)
		return false;
	text = str_cut(text, '\n', &rest);
	zone->has_rule = text.len != 0;
	return text.len == 0 || zone_rule_parse(text, &zone->rule);
}

const struct zone *
zone_parse(struct arena *arena, struct str file)
{
	struct reader r = {(const unsigned char *)file.base, file.len};
	struct zone *zone = ARENA_NEW(arena, struct zone);
	struct header h;

	if (file.len > FILE_MAX || !skip_old_body(&r) || !take_header(&r, &h))
		return NULL;
	/*
	 * Files that count leap seconds ("right/") are refused: the rest of the world does not
	 * count them.
	 */
	if (h.leaps != 0 || !read_times(arena, &r, &h, zone) || !read_types(arena, &r, &h, zone) ||
	    take_bytes(&r, h.standard_marks + h.ut_marks) == NULL || !read_rule(&r, zone))
		return NULL;
	return zone;
}

/*
 * Letters, digits, "_", "-", "+", and single slashes between them, so it can't leave the directory.
 */
static bool
name_valid(struct str name)
{
	char before = '/';

	for (size_t i = 0; i < name.len; before = name.base[i++]) {
		char c = name.base[i];
		bool part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+';

		if (!part && (c != '/' || before == '/'))
			return false;
	}
	return name.len <= NAME_MAX_BYTES && before != '/';
}

const struct zone *
zone_load(struct arena *arena, struct str name)
{
	char *bytes;
	size_t size;
	FILE *file;

	if (str_eq(name, STR("UTC")) || !name_valid(name))
		return NULL;
	file = fopen(str_cstring(arena, STR_CONCAT(arena, STR(ZONES), name)), "rbe");
	if (file == NULL)
		return NULL;
	bytes = arena_room(arena, FILE_MAX);
	size = fread(bytes, 1, FILE_MAX, file);
	fclose(file);
	return zone_parse(arena, (struct str){bytes, size});
}

bool
zone_known(struct arena *arena, struct str name)
{
	return str_eq(name, STR("UTC")) || zone_load(arena, name) != NULL;
}

static int
compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The list has a zone on each line, which is the third word: countries, a place, the zone; and comments. */
const struct str *
zone_names(struct arena *arena, size_t *count)
{
	FILE *file = fopen(ZONES "zone.tab", "rbe");
	char *bytes = arena_room(arena, LIST_MAX);
	struct str left = {bytes, file != NULL ? fread(bytes, 1, LIST_MAX, file) : 0};
	struct str *names = ARENA_ARRAY(arena, ZONES_MAX, struct str);

	if (file != NULL)
		fclose(file);
	names[0] = STR("UTC");
	*count = 1;
	while (left.len != 0 && *count < ZONES_MAX) {
		struct str rest, line = str_cut(left, '\n', &left), name;

		str_cut(line, '\t', &rest);
		str_cut(rest, '\t', &rest);
		name = str_cut(rest, '\t', &rest);
		if (!str_starts(line, STR("#")) && name_valid(name))
			names[(*count)++] = name;
	}
	qsort(names + 1, *count - 1, sizeof(*names), compare_names);
	return names;
}

/* --- What time it is there --------------------------------------------------------------------- */

static const struct zone_time *
time_at(const struct zone *zone, int64_t utc)
{
	int64_t seconds = (utc >= 0 ? utc : utc - 999) / 1000;
	size_t low = 0, high = zone->count;

	if (zone->has_rule && (high == 0 || seconds >= zone->times[high - 1]))
		return zone_rule_at(&zone->rule, seconds);
	/* How many transitions lie before it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (zone->times[middle] <= seconds)
			low = middle + 1;
		else
			high = middle;
	}
	return &zone->types[low != 0 ? zone->which[low - 1] : 0];
}

int64_t
zone_offset(const struct zone *zone, int64_t utc)
{
	return zone != NULL ? (int64_t)time_at(zone, utc)->offset * 1000 : 0;
}

struct str
zone_abbreviation(struct arena *arena, const struct zone *zone, int64_t utc)
{
	const struct zone_time *time = zone != NULL ? time_at(zone, utc) : NULL;
	int minutes;

	if (time == NULL)
		return STR("UTC");
	if (time->name[0] != '+' && time->name[0] != '-')
		return str_of(time->name);
	minutes = (time->offset < 0 ? -time->offset : time->offset) / 60;
	if (minutes == 0)
		return STR("UTC");
	return str_fmt(
	    arena, "UTC%c%02d:%02d", time->offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

int64_t
zone_utc(const struct zone *zone, int64_t local)
{
	int64_t before, after;

	if (zone == NULL)
		return local;
	/* No clock is a day off, and none is set twice within two days. */
	before = local - zone_offset(zone, local - DAY_MS);
	after = local - zone_offset(zone, local + DAY_MS);
	/*
	 * The offset before the change counts, unless only the one after it gives this local time.
	 */
	return zone_local(zone, before) != local && zone_local(zone, after) == local ? after
										     : before;
}
