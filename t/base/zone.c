/* Time zones: the system's files at known moments, and damaged files. */
#include "base/zone.h"

#include "base/arena.h"

#include "lib/tap.h"

static int64_t
at(const char *text)
{
	int64_t ms = 0;

	if (!time_parse(str_of(text), &ms))
		bail_out("%s is no time", text);
	return ms;
}

/* --- Known moments ------------------------------------------------------------------------------- */

static const struct {
	const char *zone, *utc;
	int minutes; /* ahead of UTC */
	const char *name;
} moments[] = {
    {"Europe/Berlin", "1880-01-01T00:00:00Z", 53, "LMT"},
    {"Europe/Berlin", "1960-07-01T00:00:00Z", 60, "CET"},
    {"Europe/Berlin", "2026-03-29T00:59:59Z", 60, "CET"},
    {"Europe/Berlin", "2026-03-29T01:00:00Z", 120, "CEST"},
    {"Europe/Berlin", "2026-10-25T00:59:59Z", 120, "CEST"},
    {"Europe/Berlin", "2026-10-25T01:00:00Z", 60, "CET"},
    {"Europe/Berlin", "2040-03-25T00:59:59Z", 60, "CET"},
    {"Europe/Berlin", "2040-03-25T01:00:00Z", 120, "CEST"},
    {"Europe/Berlin", "2040-10-28T00:59:59Z", 120, "CEST"},
    {"Europe/Berlin", "2040-10-28T01:00:00Z", 60, "CET"},
    {"America/New_York", "2026-03-08T06:59:59Z", -300, "EST"},
    {"America/New_York", "2026-03-08T07:00:00Z", -240, "EDT"},
    {"America/New_York", "2026-11-01T05:59:59Z", -240, "EDT"},
    {"America/New_York", "2026-11-01T06:00:00Z", -300, "EST"},
    {"America/New_York", "2040-03-11T07:00:00Z", -240, "EDT"},
    {"America/New_York", "2040-11-04T05:59:59Z", -240, "EDT"},
    {"America/New_York", "2040-11-04T06:00:00Z", -300, "EST"},
    {"Asia/Kolkata", "2026-06-01T00:00:00Z", 330, "IST"},
    {"Asia/Kolkata", "2040-06-01T00:00:00Z", 330, "IST"},
    {"Asia/Kathmandu", "2026-06-01T00:00:00Z", 345, "UTC+05:45"},
    {"America/Sao_Paulo", "2026-06-01T00:00:00Z", -180, "UTC-03:00"},
    /* Half an hour, and in the south: over the new year. */
    {"Australia/Lord_Howe", "2026-04-04T14:59:59Z", 660, "UTC+11:00"},
    {"Australia/Lord_Howe", "2026-04-04T15:00:00Z", 630, "UTC+10:30"},
    {"Australia/Lord_Howe", "2026-10-03T15:29:59Z", 630, "UTC+10:30"},
    {"Australia/Lord_Howe", "2026-10-03T15:30:00Z", 660, "UTC+11:00"},
    {"Australia/Lord_Howe", "2040-01-01T00:00:00Z", 660, "UTC+11:00"},
    {"Australia/Lord_Howe", "2040-06-01T00:00:00Z", 630, "UTC+10:30"},
    /* An hour back for Ramadan, by no rule. */
    {"Africa/Casablanca", "2026-02-15T01:59:59Z", 60, "UTC+01:00"},
    {"Africa/Casablanca", "2026-02-15T02:00:00Z", 0, "UTC"},
    {"Africa/Casablanca", "2026-03-22T01:59:59Z", 0, "UTC"},
    {"Africa/Casablanca", "2026-03-22T02:00:00Z", 60, "UTC+01:00"},
    /* Its summer time is the usual one, and its winter time the other. */
    {"Europe/Dublin", "2026-07-01T00:00:00Z", 60, "IST"},
    {"Europe/Dublin", "2040-07-01T00:00:00Z", 60, "IST"},
    {"Europe/Dublin", "2040-12-01T00:00:00Z", 0, "GMT"},
    {"UTC", "2026-07-01T00:00:00Z", 0, "UTC"},
    {"Etc/UTC", "2026-07-01T00:00:00Z", 0, "UTC"},
};

static void
known_moments(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		const struct zone *zone = zone_load(arena, str_of(moments[i].zone));
		int64_t utc = at(moments[i].utc);

		is_int(zone_offset(zone, utc) / 60000, moments[i].minutes, "%s, %s: %d minutes",
		    moments[i].zone, moments[i].utc, moments[i].minutes);
		is_str(zone_abbreviation(arena, zone, utc), str_of(moments[i].name), "... %s",
		    moments[i].name);
	}
}

static const struct {
	const char *zone, *local, *utc, *what;
} clocks[] = {
    {"Europe/Berlin", "2026-11-18T09:30:00Z", "2026-11-18T08:30:00Z", "in winter"},
    {"Europe/Berlin", "2026-07-18T09:30:00Z", "2026-07-18T07:30:00Z", "in summer"},
    {"Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z", "of two the first"},
    {"Europe/Berlin", "2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z", "behind them"},
    {"Europe/Berlin", "2026-03-29T02:30:00Z", "2026-03-29T01:30:00Z", "of none, an hour on"},
    {"Europe/Berlin", "2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z", "behind it"},
    {"Europe/Berlin", "2040-10-28T02:30:00Z", "2040-10-28T00:30:00Z", "by the rule as well"},
    {"America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T05:30:00Z", "in the west"},
    {"America/New_York", "2026-03-08T02:15:00Z", "2026-03-08T07:15:00Z", "in the west, of none"},
    {"Australia/Lord_Howe", "2026-10-04T02:10:00Z", "2026-10-03T15:40:00Z", "by half an hour"},
    {"Australia/Lord_Howe", "2026-04-05T01:45:00Z", "2026-04-04T14:45:00Z", "the first of two"},
    /* The whole of that day was left out. */
    {"Pacific/Apia", "2011-12-30T12:00:00Z", "2011-12-30T22:00:00Z", "a day on"},
    {"UTC", "2026-03-29T02:30:00Z", "2026-03-29T02:30:00Z", "as it is"},
};

static void
known_clocks(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		const struct zone *zone = zone_load(arena, str_of(clocks[i].zone));

		is_int(zone_utc(zone, at(clocks[i].local)), at(clocks[i].utc), "%s, %s: %s",
		    clocks[i].zone, clocks[i].local, clocks[i].what);
	}
}

/* --- Names --------------------------------------------------------------------------------------- */

static void
names(struct arena *arena)
{
	static const char *const wrong[] = {"", "/", "Europe", "Europe/", "/etc/passwd",
	    "../../../etc/passwd", "Europe/../Europe/Berlin", "Europe//Berlin", "./Europe/Berlin",
	    "Europe/Nowhere", "zone.tab", "tzdata.zi", "right/Europe/Berlin", "Europe/Berlin "};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ok(zone_load(arena, str_of(wrong[i])) == NULL, "\"%s\" is no zone", wrong[i]);
		ok(!zone_known(arena, str_of(wrong[i])), "... nor known");
	}
	ok(zone_load(arena, (struct str){"Europe/Berlin\0x", 15}) == NULL, "nor with a NUL in it");
	ok(zone_known(arena, STR("UTC")) && zone_load(arena, STR("UTC")) == NULL,
	    "UTC is known, and needs no file");
	ok(zone_known(arena, STR("America/Argentina/Buenos_Aires")), "a name of three parts");
	is_int(zone_offset(NULL, 0) + zone_utc(NULL, 5), 5, "none is UTC");
}

/* --- Files --------------------------------------------------------------------------------------- */

struct made {
	char bytes[512];
	size_t len;
};

static void
put(struct made *m, const char *bytes, size_t len)
{
	memcpy(m->bytes + m->len, bytes, len);
	m->len += len;
}

static void
put_header(struct made *m, char leaps, char times, char types, char chars)
{
	const char counts[] = {
	    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, leaps, 0, 0, 0, times, 0, 0, 0, types, 0, 0, 0, chars};

	put(m, "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	put(m, counts, sizeof(counts));
}

/* AAA is an hour ahead, BBB two; the second from 1970-01-01T00:16:40 on, till 00:33:20. */
enum { SECOND_HEADER = 44, BODY = 88, WHICH = BODY + 16, TYPES = WHICH + 2, CHARS = TYPES + 12 };
static struct made
small_file(const char *rule)
{
	struct made m = {.len = 0};

	put_header(&m, 0, 0, 0, 0);
	put_header(&m, 0, 2, 2, 8);
	put(&m, "\0\0\0\0\0\0\x03\xe8\0\0\0\0\0\0\x07\xd0", 16);
	put(&m, "\1\0", 2);
	put(&m, "\0\0\x0e\x10\0\0\0\0\x1c\x20\1\4", 12);
	put(&m, "AAA\0BBB", 8);
	put(&m, "\n", 1);
	put(&m, rule, strlen(rule));
	put(&m, "\n", 1);
	return m;
}

static const struct zone *
parse(struct arena *arena, const struct made *m)
{
	/* In an allocation of its own, so that a byte too far is seen. */
	return zone_parse(arena, (struct str){arena_copy(arena, m->bytes, m->len), m->len});
}

static void
damaged(struct arena *arena)
{
	static const struct {
		size_t at;
		char byte;
		const char *what;
	} wrong[] = {
	    {0, 'X', "another kind of file"},
	    {4, '1', "the first version"},
	    {35, 1, "more in the old body than there is"},
	    {32, 0x7f, "a count beyond all bounds"},
	    {SECOND_HEADER, 'X', "no second header"},
	    {SECOND_HEADER + 31, 1, "leap seconds"},
	    {SECOND_HEADER + 35, 9, "more transitions than there are"},
	    {SECOND_HEADER + 39, 0, "no types"},
	    {BODY + 6, 8, "times that do not rise"},
	    {WHICH, 2, "a type that is not there"},
	    {TYPES, 1, "an offset of months"},
	    {TYPES + 5, 8, "a name behind the names"},
	    {CHARS, '<', "a name that is none"},
	    {CHARS + 7, 'B', "a name without an end"},
	    {CHARS + 8, 'x', "no footer"},
	};
	struct made m = small_file("AAA-1");

	ok(parse(arena, &m) != NULL, "a small file");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		m = small_file("AAA-1");
		m.bytes[wrong[i].at] = wrong[i].byte;
		ok(parse(arena, &m) == NULL, "%s", wrong[i].what);
	}
	for (m = small_file("AAA-1"); m.len != 0;) {
		m.len--;
		if (parse(arena, &m) != NULL)
			ok(false, "cut to %zu bytes it is read", m.len);
	}
	ok(true, "cut anywhere it is none");
}

static void
rules(struct arena *arena)
{
	static const char *const wrong[] = {"A-1", "AAA", "AAA-25", "AAA-1:60", "AAA-1BBB",
	    "AAA-1BBB,M3.5.0", "AAA-1BBB,M13.1.0,M10.5.0", "AAA-1BBB,M3.6.0,M10.5.0",
	    "AAA-1BBB,M3.5.7,M10.5.0", "AAA-1BBB,J0,J365", "AAA-1BBB,0,366", "<AAA-1",
	    "AAA-1BBB,M3.5.0,M10.5.0x", "AAA-1BBB,M3.5.0/168,M10.5.0", "AAA-99999999999999999999"};
	static const struct {
		const char *rule, *utc;
		int minutes;
	} right[] = {
	    {"", "2040-07-01T00:00:00Z", 60},
	    {"CCC-3", "2040-07-01T00:00:00Z", 180},
	    {"<-0330>3:30", "2040-07-01T00:00:00Z", -210},
	    {"AAA-1BBB,J60,J300", "2040-02-29T12:00:00Z", 60}, /* the 60th is the 1st of March */
	    {"AAA-1BBB,J60,J300", "2040-03-01T01:00:00Z", 120},
	    {"AAA-1BBB,59,300", "2040-02-29T01:00:00Z", 120},
	    {"AAA-1BBB,M3.5.0/-2,M10.5.0", "2040-03-24T20:59:59Z", 60},
	    {"AAA-1BBB,M3.5.0/-2,M10.5.0", "2040-03-24T21:00:00Z", 120},
	    {"AAA-1BBB-1:30,M10.1.0,M4.1.0", "2041-01-01T00:00:00Z", 90},
	    {"AAA5BBB,0/0,J365/25", "2040-12-31T23:00:00Z", -240}, /* summer all the year */
	    {"AAA5BBB,0/0,J365/25", "2041-01-01T05:00:00Z", -240},
	};
	struct made m;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		m = small_file(wrong[i]);
		ok(parse(arena, &m) == NULL, "\"%s\" is no rule", wrong[i]);
	}
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		const struct zone *zone;

		m = small_file(right[i].rule);
		zone = parse(arena, &m);
		is_int(zone_offset(zone, at(right[i].utc)) / 60000, right[i].minutes, "\"%s\", %s",
		    right[i].rule, right[i].utc);
	}
	m = small_file("CCC-3");
	is_int(zone_offset(parse(arena, &m), 1999999) / 60000, 120,
	    "up to the last transition the file is asked");
	is_int(zone_offset(parse(arena, &m), 2000000) / 60000, 180, "... then the rule");
	is_int(zone_offset(parse(arena, &m), 999999) / 60000, 60, "before all, the first type");
}

int
main(void)
{
	struct arena *arena = arena_new();

	known_moments(arena);
	known_clocks(arena);
	names(arena);
	damaged(arena);
	rules(arena);
	arena_free(arena);
	return tap_done();
}
