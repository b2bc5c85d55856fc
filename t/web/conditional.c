/* Validators, dates, and which encodings a browser takes. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "web/http/conditional.h"
#include "web/http/gzip.h"

#include <sodium.h>
#include <zlib.h>

static void
etags(struct arena *arena)
{
	static const struct {
		struct str header;
		bool names;
	} cases[] = {
	    {STR_INIT("\"a\""), true},
	    {STR_INIT("W/\"a\""), true},
	    {STR_INIT("\"x\", \"a\""), true},
	    {STR_INIT("\"x\",W/\"y\" , W/\"a\""), true},
	    {STR_INIT(" , \"a\""), true},
	    {STR_INIT("*"), true},
	    {STR_INIT(" * "), true},
	    {STR_INIT(""), false},
	    {STR_INIT("a"), false},
	    {STR_INIT("\"a"), false},
	    {STR_INIT("\""), false},
	    {STR_INIT("\"A\""), false},
	    {STR_INIT("\"x\" junk \"a\""), false},
	    {STR_INIT("w/\"a\""), false},
	    {STR_INIT("\"x\", *"), false},
	    {STR_INIT("\"x,\"a\""), false},
	};
	const struct str head = STR("X-Frame-Options: DENY\r\n");
	struct str no = STR(""), one = etag_make(arena, STR("one"), no, head);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(etag_matches(cases[i].header, STR("\"a\"")) == cases[i].names,
		    "If-None-Match: %.*s %s \"a\"", STR_ARGS(cases[i].header),
		    cases[i].names ? "names" : "does not name");
	is_str(etag_make(arena, STR("one"), no, head), one, "one content has one ETag");
	ok(!str_eq(etag_make(arena, STR("two"), no, head), one), "another content has another");
	ok(!str_eq(etag_make(arena, STR("one"), no, no), one), "and so has another head");
	is_int((int64_t)one.len, 18, "of sixteen digits and two quotes");
	one = etag_make(arena, STR("<a TOKEN1><b TOKEN1>"), STR("TOKEN1"), head);
	is_str(etag_make(arena, STR("<a TOKEN2><b TOKEN2>"), STR("TOKEN2"), head), one,
	    "a token does not count");
	ok(str_starts(one, STR("W/\"")), "... and the ETag is weak");
	ok(etag_matches(str_sub(one, 2, one.len), one) && etag_matches(one, one),
	    "... and is matched with and without its W/");
	is_str(etag_make(arena, STR("TOKTOKEN1TOKEN1"), STR("TOKEN1"), head),
	    etag_make(arena, STR("TOKTOKEN2TOKEN2"), STR("TOKEN2"), head),
	    "... at the end, behind another, and behind what begins like one");
	ok(!str_eq(etag_make(arena, STR("<a TOKEN2>TOKEN2<b >"), STR("TOKEN2"), head), one),
	    "... but where it stands");
	ok(!str_eq(etag_make(arena, STR("<a TOKEN1><c TOKEN1>"), STR("TOKEN1"), head), one),
	    "... and what stands around it");
}

static void
dates(struct arena *arena)
{
	static const struct {
		struct str text;
		int64_t seconds; /* -1: none */
	} cases[] = {
	    {STR_INIT("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777},
	    {STR_INIT("Thu, 01 Jan 1970 00:00:00 GMT"), 0},
	    {STR_INIT("Thu, 29 Feb 2024 23:59:59 GMT"), 1709251199},
	    {STR_INIT("Wed, 29 Feb 2023 23:59:59 GMT"), -1},
	    {STR_INIT("Sunday, 06-Nov-94 08:49:37 GMT"), -1},
	    {STR_INIT("Sun, 06 Nov 1994 08:49:37 CET"), -1},
	    {STR_INIT("Sun, 06 nov 1994 08:49:37 GMT"), -1},
	    {STR_INIT("Sun, 06 Nov 1994 24:49:37 GMT"), -1},
	    {STR_INIT("Sun, -6 Nov 1994 08:49:37 GMT"), -1},
	    {STR_INIT("Sun, 00 Nov 1994 08:49:37 GMT"), -1},
	    {STR_INIT("Sun, 06 Nov 1994 08:49:37 GM"), -1},
	    {STR_INIT(""), -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ms = -1000;

		ok(http_date_parse(cases[i].text, &ms) == (cases[i].seconds >= 0) &&
			ms == cases[i].seconds * 1000,
		    "\"%.*s\" is %s", STR_ARGS(cases[i].text),
		    cases[i].seconds >= 0 ? "a date" : "no date");
		if (cases[i].seconds >= 0)
			is_str(http_date(arena, ms + 999), cases[i].text, "... and written so");
	}
}

static void
conditions(void)
{
	static const struct {
		struct str none_match, since;
		bool not_modified;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), STR_INIT(""), false, "without a condition"},
	    {STR_INIT("\"a\""), STR_INIT(""), true, "when the ETag is the same"},
	    {STR_INIT("\"b\""), STR_INIT(""), false, "when it is another"},
	    {STR_INIT(""), STR_INIT("Sun, 06 Nov 1994 08:49:37 GMT"), true,
		"when the date is the page's"},
	    {STR_INIT(""), STR_INIT("Sun, 06 Nov 1994 08:49:36 GMT"), false,
		"when the page is newer"},
	    {STR_INIT(""), STR_INIT("Sun, 06 Nov 1994 08:49:38 GMT"), false,
		"when the date is another's"},
	    {STR_INIT("\"b\""), STR_INIT("Sun, 06 Nov 2094 08:49:37 GMT"), false,
		"when the ETag is another, whatever the date"},
	    {STR_INIT("\"a\""), STR_INIT("Sun, 06 Nov 1993 08:49:37 GMT"), true,
		"when the ETag is the same, whatever the date"},
	    {STR_INIT(""), STR_INIT("yesterday"), false, "when the date is none"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(is_not_modified(cases[i].none_match, cases[i].since, STR("\"a\""),
		       784111777500) == cases[i].not_modified,
		    "%s %s", cases[i].not_modified ? "304" : "200", cases[i].what);
	ok(!is_not_modified(STR(""), STR("Sun, 06 Nov 1994 08:49:37 GMT"), STR("\"a\""), 0),
	    "200 when nobody knows how old the page is");
	ok(!is_not_modified(STR("*"), STR(""), STR(""), 0), "200 when there is no ETag");
}

static void
encodings(struct arena *arena)
{
	static const struct {
		struct str header;
		bool gzip;
	} cases[] = {
	    {STR_INIT("gzip, deflate, br"), true},
	    {STR_INIT("br, GZIP"), true},
	    {STR_INIT("x-gzip"), true},
	    {STR_INIT("*"), true},
	    {STR_INIT("gzip;q=0.5"), true},
	    {STR_INIT("gzip; q=0.001"), true},
	    {STR_INIT("gzip;q=0"), false},
	    {STR_INIT("gzip; Q=0.000, *"), false},
	    {STR_INIT("*;q=0"), false},
	    {STR_INIT("br, identity"), false},
	    {STR_INIT("gzipped"), false},
	    {STR_INIT(""), false},
	};
	struct buf text = {.arena = arena}, packed = {.arena = arena},
		   fast = {.arena = arena};
	struct gzip_pool *pool = gzip_pool_new();
	char *back;
	z_stream z = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(gzip_accepted(cases[i].header) == cases[i].gzip, "\"%.*s\" takes %s",
		    STR_ARGS(cases[i].header), cases[i].gzip ? "gzip" : "no gzip");
	for (int i = 0; i < 500; i++)
		buf_fmt(&text, "<li>%d</li>", i);
	ok(gzip_put(pool, &fast, buf_str(&text), GZIP_FOR_ONE) && fast.len < text.len / 2,
	    "a page for one gets smaller");
	BUF_PUT(&packed, "before");
	ok(gzip_put(pool, &packed, buf_str(&text), GZIP_FOR_MANY) && packed.len - 6 < fast.len,
	    "one for many gets smaller still, by the same compressor");
	back = arena_alloc(arena, text.len);
	z.next_in = (Bytef *)packed.base + 6;
	z.avail_in = (uInt)packed.len - 6;
	z.next_out = (Bytef *)back;
	z.avail_out = (uInt)text.len;
	ok(inflateInit2(&z, 15 + 16) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END &&
		z.avail_out == 0 && memcmp(back, text.base, text.len) == 0,
	    "and can be unpacked");
	inflateEnd(&z);
	packed.len = 0;
	ok(!gzip_put(pool, &packed, STR("short"), GZIP_FOR_MANY) && packed.len == 0,
	    "what is short is left alone");
	randombytes_buf(text.base, 2000);
	ok(!gzip_put(pool, &packed, (struct str){text.base, 2000}, GZIP_FOR_MANY) &&
		packed.len == 0,
	    "and what gets no smaller");
	gzip_pool_free(pool);
}

int
main(void)
{
	struct arena *arena = arena_new();

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	etags(arena);
	dates(arena);
	conditions();
	encodings(arena);
	arena_free(arena);
	return tap_done();
}
