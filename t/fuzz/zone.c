/* Files of time zones: whatever they hold, clocks are less than two days off, and go both ways. */
#include "fuzz.h"

#include "base/arena.h"
#include "base/zone.h"

enum { DAY_MS = 86400000 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const struct zone *zone = zone_parse(arena, fuzz_str(data, size));

	for (int year = 1850; zone != NULL && year < 2450; year += 7) {
		int64_t utc = time_of_day(year, year % 12 + 1, year % 28 + 1);
		int64_t offset = zone_offset(zone, utc), back = zone_utc(zone, utc + offset);
		struct str name = zone_abbreviation(arena, zone, utc);

		MUST(offset > -2 * (int64_t)DAY_MS && offset < 2 * (int64_t)DAY_MS);
		MUST(name.len >= 3 && name.len <= 10);
		MUST(back > utc - 4 * (int64_t)DAY_MS && back < utc + 4 * (int64_t)DAY_MS);
	}
	arena_free(arena);
	return 0;
}
