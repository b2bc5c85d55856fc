#ifndef BASE_ZONE_RULE_H
#define BASE_ZONE_RULE_H

#include "base/str.h"

/*
 * The rule of a time zone for all later years, as POSIX writes it in TZ:
 * "CET-1CEST,M3.5.0,M10.5.0/3". That is a name and an offset and, if there is daylight saving time,
 * its name and the two days on which it begins and ends.
 */

enum { ZONE_NAME_MAX = 10 };

/* One of a zone's times. */
struct zone_time {
	int32_t offset;               /* seconds that it is ahead of UTC */
	char name[ZONE_NAME_MAX + 1]; /* "CET", "+01" */
};

/* A moment that comes once a year. */
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

/* False, with *out undefined, if it is not such a rule. */
bool zone_rule_parse(struct str text, struct zone_rule *out);

/* Which of the rule's two times it is, so many seconds after 1970. */
const struct zone_time *zone_rule_at(const struct zone_rule *rule, int64_t seconds);

/* A name of 3 to ZONE_NAME_MAX letters, digits and signs into *out; false for another. */
bool zone_name_set(struct str name, struct zone_time *out);

#endif
