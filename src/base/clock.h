#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/str.h"

struct arena;

/*
 * Time and randomness as one dependency, so that a test can control both. The program makes one
 * with clock_system(); a test makes one with clock_fixed() and moves it by hand.
 */
struct clock {
	int64_t (*now)(struct clock *clock); /* the time of day: milliseconds since 1970, UTC */
	/* Monotonic milliseconds, at most some behind the exact time: for deadlines. */
	int64_t (*monotonic)(struct clock *clock);
	void (*random)(struct clock *clock, void *bytes, size_t size);
	int64_t fixed_now; /* what a fixed clock answers; a test may change it */
	uint64_t fixed_state;
};

/* The machine's clock and libsodium's randomness. Thread-safe. */
struct clock clock_system(void);

/* A clock that stands still at `now` and generates its random bytes from `seed`. For one thread. */
struct clock clock_fixed(int64_t now, uint64_t seed);

static inline int64_t
clock_now(struct clock *clock)
{
	return clock->now(clock);
}

static inline int64_t
clock_monotonic(struct clock *clock)
{
	return clock->monotonic(clock);
}

/*
 * Microseconds of the machine's monotonic clock, for measurements only: no behaviour depends on it.
 */
int64_t clock_micros(void);

/* Milliseconds as `2026-11-18T09:30:00.123Z`; times outside the years 0000 to 9999 are clamped. */
struct str time_format(struct arena *arena, int64_t ms);

/*
 * Parses that form, with or without milliseconds. For anything else, false, and *ms is unchanged.
 */
bool time_parse(struct str text, int64_t *ms);

/* The year, month 1-12, day 1-31, hour, minute, second and weekday (0 Sunday) of a time, in UTC. */
struct date {
	int year, month, day, hour, minute, second, weekday;
};
struct date time_date(int64_t ms);

/* The start of a day in milliseconds; month and day may be out of range and carry over. */
int64_t time_of_day(int year, int month, int day);

/*
 * A new identifier of 14 characters: 48 bits of milliseconds and 22 random bits in Crockford's base
 * 32, so that later ones sort after earlier ones.
 */
struct str id_new(struct arena *arena, struct clock *clock);
/* When an id was made; 0: it is none. */
int64_t id_time(struct str id);

/* The same from a time and 22 bits given by the caller. */
struct str id_make(struct arena *arena, int64_t ms, uint32_t chance);

#endif
