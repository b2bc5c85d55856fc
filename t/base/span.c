/* Days, weeks, months and years: against the C library's calendar, for many years, and in a zone. */
#include "base/span.h"

#include "base/arena.h"
#include "base/zone.h"
#include "lib/tap.h"

#include <time.h>

enum { DAY_MS = 24 * 60 * 60 * 1000 };

static const char *const formats[SPAN_LENGTHS] = {
    [SPAN_DAY] = "%Y-%m-%d", [SPAN_WEEK] = "%G-w%V", [SPAN_MONTH] = "%Y-%m", [SPAN_YEAR] = "%Y"};

static struct str
formatted(struct arena *arena, enum span_length length, int64_t ms)
{
	char text[32];
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	/* The formats are these four. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	strftime(text, sizeof(text), formats[length], &tm);
#pragma GCC diagnostic pop
	return str_dup(arena, str_of(text));
}

/* Each day of forty years has the name that the library gives it, and its span has it, and none of the neighbours. */
static void
test_days(struct arena *arena, enum span_length length)
{
	unsigned named = 0, parsed = 0, within = 0, beside = 0, days = 0;
	int64_t end = time_of_day(2031, 1, 1);

	for (int64_t ms = time_of_day(1990, 12, 20) + 3; ms < end; ms += DAY_MS, days++) {
		struct span span = span_of(length, NULL, ms), back;
		struct str text = span_text(arena, span);
		int64_t from = span_begin(NULL, span), to = span_end(NULL, span);

		named += str_eq(text, formatted(arena, length, ms));
		parsed += span_parse(text, &back) && back.length == length && back.first == span.first;
		within += from <= ms && ms < to;
		beside += !str_eq(text, formatted(arena, length, from - 1)) &&
			  !str_eq(text, formatted(arena, length, to)) &&
			  str_eq(text, formatted(arena, length, to - 1));
		arena_reset(arena);
	}
	is_int(named, days, "%s: %u days lie where the library says", formats[length], days);
	is_int(parsed, days, "... its name is read as that span");
	is_int(within, days, "... which has the day");
	is_int(beside, days, "... and ends where another one begins");
}

static void
test_zone(struct arena *arena)
{
	const struct zone *lisbon = zone_load(arena, STR("Europe/Lisbon"));
	struct span day;
	int64_t late = 0;

	(void)time_parse(STR("2026-07-31T23:30:00Z"), &late);
	is_str(span_text(arena, span_of(SPAN_DAY, lisbon, late)), STR("2026-08-01"),
	    "half past eleven in Greenwich is the next day in Lisbon");
	is_str(span_text(arena, span_of(SPAN_MONTH, lisbon, late)), STR("2026-08"),
	    "... and month");
	day = span_of(SPAN_DAY, lisbon, time_of_day(2026, 10, 25) + DAY_MS / 2);
	is_int(span_end(lisbon, day) - span_begin(lisbon, day), 25 * (DAY_MS / 24),
	    "a day on which clocks are set back has 25 hours");
}

static void
test_wrong(void)
{
	static const char *const wrong[] = {"", "2026-", "2026-1", "2026-13", "2026-00", "2026-11-",
	    "2026-11-31", "2026-02-29", "2026-11-1", "2026-11-011", "2026-w", "2026-w0", "2026-w00",
	    "2026-w54", "2025-w53", "2026-w1", "2026-w471", "0999", "202", "20266", "-2026", "+026",
	    "2026-11-19-1", "2026-11x", "w47", "day", "2026 11", "2026-W47"};
	static const char *const right[] = {"2026-w53", "2020-w53", "2024-02-29", "1000", "9999-12-31"};
	struct span span;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!span_parse(str_of(wrong[i]), &span), "“%s” is none", wrong[i]);
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		ok(span_parse(str_of(right[i]), &span), "“%s” is one", right[i]);
}

int
main(void)
{
	struct arena *arena = arena_new();

	for (enum span_length length = 0; length < SPAN_LENGTHS; length++)
		test_days(arena, length);
	test_zone(arena);
	test_wrong();
	arena_free(arena);
	return tap_done();
}
