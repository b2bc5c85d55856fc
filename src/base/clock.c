#include "base/clock.h"

#include "base/arena.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

enum { DAY_MS = 86400000 };

static int64_t
read_clock(clockid_t which)
{
	struct timespec ts;

	clock_gettime(which, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t
clock_micros(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int64_t
system_now(struct clock *clock)
{
	(void)clock;
	return read_clock(CLOCK_REALTIME);
}

static int64_t
system_monotonic(struct clock *clock)
{
	(void)clock;
	return read_clock(CLOCK_MONOTONIC);
}

static void
system_random(struct clock *clock, void *bytes, size_t size)
{
	(void)clock;
	randombytes_buf(bytes, size);
}

struct clock
clock_system(void)
{
	return (struct clock){
	    .now = system_now, .monotonic = system_monotonic, .random = system_random};
}

static int64_t
fixed_now(struct clock *clock)
{
	return clock->fixed_now;
}

/* splitmix64: small, and the same on every machine. */
static void
fixed_random(struct clock *clock, void *bytes, size_t size)
{
	unsigned char *out = bytes;

	for (size_t i = 0; i < size; i++) {
		uint64_t z = clock->fixed_state += 0x9e3779b97f4a7c15U;

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
		out[i] = (unsigned char)(z ^ (z >> 31));
	}
}

struct clock
clock_fixed(int64_t now, uint64_t seed)
{
	return (struct clock){.now = fixed_now,
	    .monotonic = fixed_now,
	    .random = fixed_random,
	    .fixed_now = now,
	    .fixed_state = seed};
}

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar, counted in years from March. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t era, year_of_era, day_of_year;

	year += (month - 1) / 12;
	month = (month - 1) % 12 + 1;
	if (month < 1) {
		month += 12;
		year--;
	}
	year -= month <= 2;
	era = (year >= 0 ? year : year - 399) / 400;
	year_of_era = year - era * 400;
	day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
	       day_of_year - 719468;
}

int64_t
time_of_day(int year, int month, int day)
{
	return days_of(year, month, day) * DAY_MS;
}

struct date
time_date(int64_t ms)
{
	int64_t days = (ms >= 0 ? ms : ms - (DAY_MS - 1)) / DAY_MS;
	int64_t second = (ms - days * DAY_MS) / 1000;
	int64_t shifted = days + 719468;
	int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t day_of_era = shifted - era * 146097;
	int64_t year_of_era =
	    (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year =
	    day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t month = (5 * day_of_year + 2) / 153;
	struct date date = {
	    .day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
	    .month = (int)(month < 10 ? month + 3 : month - 9),
	    .hour = (int)(second / 3600),
	    .minute = (int)(second / 60 % 60),
	    .second = (int)(second % 60),
	    .weekday = (int)(((days + 4) % 7 + 7) % 7),
	};

	date.year = (int)(year_of_era + era * 400 + (date.month <= 2));
	return date;
}

/* Writes `digits` digits and what stands behind them; returns where to go on. */
static char *
put_field(char *at, int value, int digits, char then)
{
	for (int i = digits - 1; i >= 0; i--) {
		at[i] = (char)('0' + value % 10);
		value /= 10;
	}
	at[digits] = then;
	return at + digits + 1;
}

/* By hand, because every page writes dozens of times. */
struct str
time_format(struct arena *arena, int64_t ms)
{
	static const size_t len = sizeof("2026-11-18T09:30:00.123Z") - 1;
	char *text = arena_alloc(arena, len + 1), *at = text;
	const int64_t first = time_of_day(0, 1, 1), last = time_of_day(10000, 1, 1) - 1;
	struct date date;

	ms = ms < first ? first : ms > last ? last : ms;
	date = time_date(ms);
	at = put_field(at, date.year, 4, '-');
	at = put_field(at, date.month, 2, '-');
	at = put_field(at, date.day, 2, 'T');
	at = put_field(at, date.hour, 2, ':');
	at = put_field(at, date.minute, 2, ':');
	at = put_field(at, date.second, 2, '.');
	put_field(at, (int)((ms % 1000 + 1000) % 1000), 3, 'Z');
	return (struct str){text, len};
}

/* Reads `digits` digits at *at, moves on, and wants `then` behind them (0 for nothing). */
static bool
field(struct str text, size_t *at, size_t digits, char then, int *out)
{
	*out = 0;
	for (size_t i = 0; i < digits; i++) {
		if (*at >= text.len || text.base[*at] < '0' || text.base[*at] > '9')
			return false;
		*out = *out * 10 + (text.base[(*at)++] - '0');
	}
	if (then == 0)
		return true;
	return *at < text.len && text.base[(*at)++] == then;
}

static int
days_in(int year, int month)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

bool
time_parse(struct str text, int64_t *ms)
{
	struct date d;
	size_t at = 0;
	int millis = 0;

	if (!field(text, &at, 4, '-', &d.year) || !field(text, &at, 2, '-', &d.month) ||
	    !field(text, &at, 2, 'T', &d.day) || !field(text, &at, 2, ':', &d.hour) ||
	    !field(text, &at, 2, ':', &d.minute) || !field(text, &at, 2, 0, &d.second))
		return false;
	if (at < text.len && text.base[at] == '.') {
		at++;
		if (!field(text, &at, 3, 0, &millis))
			return false;
	}
	if (at + 1 != text.len || text.base[at] != 'Z')
		return false;
	if (d.month < 1 || d.month > 12 || d.day < 1 || d.day > days_in(d.year, d.month) ||
	    d.hour > 23 || d.minute > 59 || d.second > 59)
		return false;
	*ms = time_of_day(d.year, d.month, d.day) +
	      ((int64_t)d.hour * 3600 + d.minute * 60 + d.second) * 1000 + millis;
	return true;
}

struct str
id_make(struct arena *arena, int64_t ms, uint32_t chance)
{
	static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
	unsigned __int128 bits =
	    ((unsigned __int128)((uint64_t)ms & 0xffffffffffffU) << 22) | (chance & 0x3fffffU);
	char *text = arena_alloc(arena, 15);

	for (int i = 13; i >= 0; i--) {
		text[i] = digits[(unsigned)(bits & 31)];
		bits >>= 5;
	}
	return (struct str){text, 14};
}

struct str
id_new(struct arena *arena, struct clock *clock)
{
	uint32_t chance;

	clock->random(clock, &chance, sizeof(chance));
	return id_make(arena, clock_now(clock), chance);
}
