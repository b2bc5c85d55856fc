#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include "base/clock.h"

struct arena;

/*
 * A time zone of the IANA database, as installed on the system. Immutable once read, so that any
 * number of threads can use it. NULL is a zone as well: UTC.
 */
struct zone;

/*
 * Reads a zone by its name, such as "Europe/Lisbon", into the arena. NULL for an invalid name, or
 * one that the system does not know. "UTC" needs no file, and is NULL as well: zone_known() tells
 * them apart.
 */
const struct zone *zone_load(struct arena *arena, struct str name);

/* Is it "UTC", or the name of a zone that the system has? */
bool zone_known(struct arena *arena, struct str name);

/*
 * The names of the zones that people live in, one for each place that the system knows, sorted, with "UTC" first. Just
 * that if the system has no list.
 */
const struct str *zone_names(struct arena *arena, size_t *count);

/* A zone from the bytes of such a file (TZif, version 2 or later); NULL if they are corrupt. */
const struct zone *zone_parse(struct arena *arena, struct str file);

/* Its offset from UTC at a time, in milliseconds. Both times are milliseconds since 1970. */
int64_t zone_offset(const struct zone *zone, int64_t utc);

/* The abbreviation at that time: "CET". If there is none but a number: "UTC+05:30". */
struct str zone_abbreviation(struct arena *arena, const struct zone *zone, int64_t utc);

/*
 * The time at which its clocks show `local`, which is in milliseconds as if it were UTC. If there
 * are two (clocks were set back) the first; if there is none (they were set forward), as if they
 * had not been set yet.
 */
int64_t zone_utc(const struct zone *zone, int64_t local);

/* What its clocks show: as milliseconds, and as a date. */
static inline int64_t
zone_local(const struct zone *zone, int64_t utc)
{
	return zone != NULL ? utc + zone_offset(zone, utc) : utc;
}

static inline struct date
zone_date(const struct zone *zone, int64_t utc)
{
	return time_date(zone_local(zone, utc));
}

#endif
