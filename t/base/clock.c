/* Times as text and back, dates, identifiers that sort by time. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"

#include <string.h>

static int
days_of_month(int year, int month)
{
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 ? 28 + leap : 30 + (month + month / 8) % 2;
}

/* From the year 1600 on: each day's last millisecond, before and after 1970. */
static bool
days_are_right(void)
{
	struct date is = {1600, 1, 1, 23, 59, 59, 6};

	for (int64_t day = time_of_day(1600, 1, 1); is.year < 2600; day += 86400000) {
		struct date d = time_date(day + 86399999);

		if (memcmp(&d, &is, sizeof(d)) != 0 ||
		    time_of_day(is.year, is.month, is.day) != day)
			return false;
		is.weekday = (is.weekday + 1) % 7;
		if (++is.day <= days_of_month(is.year, is.month))
			continue;
		is.day = 1;
		is.month = is.month % 12 + 1;
		is.year += is.month == 1;
	}
	return true;
}

int
main(void)
{
	static const struct {
		int64_t ms;
		struct str text;
	} times[] = {
	    {0, STR_INIT("1970-01-01T00:00:00.000Z")},
	    {-1, STR_INIT("1969-12-31T23:59:59.999Z")},
	    {951782400000, STR_INIT("2000-02-29T00:00:00.000Z")},
	    {1794994200123, STR_INIT("2026-11-18T09:30:00.123Z")},
	    {253402300799999, STR_INIT("9999-12-31T23:59:59.999Z")},
	};
	static const struct str bad[] = {STR_INIT(""), STR_INIT("2026-11-18"),
	    STR_INIT("2026-02-29T00:00:00.000Z"), STR_INIT("2026-13-01T00:00:00Z"),
	    STR_INIT("2026-00-01T00:00:00Z"), STR_INIT("2026-01-00T00:00:00Z"),
	    STR_INIT("2026-01-01T24:00:00Z"), STR_INIT("2026-01-01T00:00:00+01:00"),
	    STR_INIT("2026-01-01T00:00:00.1Z"), STR_INIT("2026-01-01T00:00:00Z "),
	    STR_INIT("2026-04-31T00:00:00Z"), STR_INIT("2026-01-01T00:00:0aZ"),
	    STR_INIT("2026-01-01T00:00:00.12aZ"), STR_INIT("2026-01-01T00:00:00,123Z"),
	    STR_INIT("2026-01-01 00:00:00Z"), STR_INIT("-026-01-01T00:00:00Z")};
	struct arena *arena = arena_new();
	struct clock clock = clock_fixed(1794994200123, 1);
	struct str earlier, later;
	int64_t ms;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		is_str(time_format(arena, times[i].ms), times[i].text, "%" PRId64 " is written",
		    times[i].ms);
		ok(time_parse(times[i].text, &ms) && ms == times[i].ms, "and read again");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!time_parse(bad[i], &ms), "\"%.*s\" is no time", STR_ARGS(bad[i]));
	ok(days_are_right(), "of a thousand years each day is the one behind the day before");
	is_int(time_date(1794994200123).weekday, 3, "18 November 2026 is a Wednesday");
	is_int(time_of_day(2026, 13, 1), time_of_day(2027, 1, 1), "the 13th month carries over");
	is_int(time_of_day(2026, 0, 1), time_of_day(2025, 12, 1), "and so does the 0th");
	earlier = id_new(arena, &clock);
	clock.fixed_now++;
	later = id_new(arena, &clock);
	is_int((int64_t)earlier.len, 14, "an identifier has 14 characters");
	ok(str_cmp(earlier, later) < 0, "a later one sorts behind");
	ok(!str_eq(id_new(arena, &clock), later), "two of one moment differ");
	clock = clock_system();
	ok(clock_now(&clock) > 1700000000000, "the system's clock runs");
	arena_free(arena);
	return tap_done();
}
