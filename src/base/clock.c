#include "base/clock.h"

#include "base/arena.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

enum { DAY_MS = 86400000 };

/* The years 0000 to 9999, which are written in four digits: 0000-01-01 is 719,528 days before 1970. */
static const int64_t TIME_FIRST = INT64_C(-719528) * DAY_MS,
		     TIME_LAST = (INT64_C(3652425) - 719528) * DAY_MS - 1;

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
	return read_clock(CLOCK_MONOTONIC_COARSE);
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

/* splitmix64: small, and gives the same numbers on every machine. */
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

/*
 * Days since 1970-01-01 of a date of the proleptic Gregorian calendar, counted in years from March. What is less than
 * an era, of 400 years, fits 32 bits, in which it is quicker.
 */
static int64_t
days_of(int64_t year, int month, int day)
{
	int64_t era;
	uint32_t year_of_era, day_of_era;

	year -= month <= 2;
	era = (year >= 0 ? year : year - 399) / 400;
	year_of_era = (uint32_t)(year - era * 400);
	day_of_era = (153 * (uint32_t)(month > 2 ? month - 3 : month + 9) + 2) / 5;
	day_of_era += year_of_era * 365 + year_of_era / 4 - year_of_era / 100;
	return era * 146097 + day_of_era + day - 1 - 719468;
}

int64_t
time_of_day(int year, int month, int day)
{
	int years = (month > 0 ? month - 1 : month - 12) / 12;

	return days_of((int64_t)year + years, month - years * 12, day) * DAY_MS;
}

struct date
time_date(int64_t ms)
{
	int64_t days = (ms >= 0 ? ms : ms - (DAY_MS - 1)) / DAY_MS;
	int64_t shifted = days + 719468;
	int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	uint32_t second = (uint32_t)(ms - days * DAY_MS) / 1000;
	uint32_t day_of_era = (uint32_t)(shifted - era * 146097);
	uint32_t year_of_era =
	    (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	uint32_t day_of_year =
	    day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	uint32_t month = (5 * day_of_year + 2) / 153;
	struct date date = {
	    .day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
	    .month = (int)(month < 10 ? month + 3 : month - 9),
	    .hour = (int)(second / 3600),
	    .minute = (int)(second / 60 % 60),
	    .second = (int)(second % 60),
	    /* An era is a whole number of weeks, and began with a Wednesday. */
	    .weekday = (int)((day_of_era + 3) % 7),
	};

	date.year = (int)(era * 400 + year_of_era + (date.month <= 2));
	return date;
}

static inline void
put_two(char *at, int value)
{
	at[0] = (char)('0' + (unsigned)value / 10);
	at[1] = (char)('0' + (unsigned)value % 10);
}

/* Without strftime: every page formats dozens of times. */
struct str
time_format(struct arena *arena, int64_t ms)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	char *text = arena_copy(arena, form, sizeof(form));
	struct date date;
	int thousandths;

	ms = ms < TIME_FIRST ? TIME_FIRST : ms > TIME_LAST ? TIME_LAST : ms;
	date = time_date(ms);
	put_two(text, date.year / 100);
	put_two(text + 2, date.year % 100);
	put_two(text + 5, date.month);
	put_two(text + 8, date.day);
	put_two(text + 11, date.hour);
	put_two(text + 14, date.minute);
	put_two(text + 17, date.second);
	thousandths = (int)((ms % 1000 + 1000) % 1000);
	put_two(text + 20, thousandths / 10);
	text[22] = (char)('0' + thousandths % 10);
	return (struct str){text, sizeof(form) - 1};
}

/* Reads two digits; false when either is not a digit. */
static inline bool
two_digits(const char *at, int *out)
{
	unsigned tens = (unsigned)(at[0] - '0'), ones = (unsigned)(at[1] - '0');

	*out = (int)(tens * 10 + ones);
	return tens < 10 && ones < 10;
}

static int
days_in(int year, int month)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

/*
 * "2026-11-18T09:30:00Z", or with milliseconds before the Z. Without sscanf: every page parses
 * dozens.
 */
bool
time_parse(struct str text, int64_t *ms)
{
	const char *t = text.base;
	int century, year, month, day, hour, minute, second, tens = 0, thousandths = 0;

	if ((text.len != 20 && text.len != 24) || t[text.len - 1] != 'Z' || t[4] != '-' ||
	    t[7] != '-' || t[10] != 'T' || t[13] != ':' || t[16] != ':')
		return false;
	if (!two_digits(t, &century) || !two_digits(t + 2, &year) || !two_digits(t + 5, &month) ||
	    !two_digits(t + 8, &day) || !two_digits(t + 11, &hour) ||
	    !two_digits(t + 14, &minute) || !two_digits(t + 17, &second))
		return false;
	/* Three digits are read as two overlapping pairs. */
	if (text.len == 24 &&
	    (t[19] != '.' || !two_digits(t + 20, &tens) || !two_digits(t + 21, &thousandths)))
		return false;
	year += century * 100;
	if (month < 1 || month > 12 || day < 1 || day > days_in(year, month) || hour > 23 ||
	    minute > 59 || second > 59)
		return false;
	*ms = days_of(year, month, day) * DAY_MS +
	      (hour * 3600 + minute * 60 + second) * INT64_C(1000) + tens * 10 + thousandths % 10;
	return true;
}

static const char id_digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

int64_t
id_time(struct str id)
{
	unsigned __int128 bits = 0;

	if (id.len != 14)
		return 0;
	for (size_t i = 0; i < id.len; i++) {
		const char *digit = id.base[i] != '\0' ? strchr(id_digits, id.base[i]) : NULL;

		if (digit == NULL)
			return 0;
		bits = bits << 5 | (unsigned)(digit - id_digits);
	}
	return (int64_t)(uint64_t)(bits >> 22);
}

struct str
id_make(struct arena *arena, int64_t ms, uint32_t chance)
{
	unsigned __int128 bits =
	    ((unsigned __int128)((uint64_t)ms & 0xffffffffffffU) << 22) | (chance & 0x3fffffU);
	char *text = arena_alloc(arena, 15);

	for (int i = 13; i >= 0; i--) {
		text[i] = id_digits[(unsigned)(bits & 31)];
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
