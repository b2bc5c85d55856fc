/* Slices: comparing, cutting, numbers, UTF-8. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"

static void
numbers(void)
{
	static const struct {
		struct str text;
		bool good;
		int64_t value;
	} cases[] = {
	    {STR_INIT("0"), true, 0},
	    {STR_INIT("-0"), true, 0},
	    {STR_INIT("42"), true, 42},
	    {STR_INIT("9223372036854775807"), true, INT64_MAX},
	    {STR_INIT("-9223372036854775808"), true, INT64_MIN},
	    {STR_INIT("9223372036854775808"), false, 0},
	    {STR_INIT("-9223372036854775809"), false, 0},
	    {STR_INIT(""), false, 0},
	    {STR_INIT("-"), false, 0},
	    {STR_INIT("+1"), false, 0},
	    {STR_INIT(" 1"), false, 0},
	    {STR_INIT("1.0"), false, 0},
	    {STR_INIT("1\0"), false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = -7;
		bool good = str_int(cases[i].text, &value);

		ok(good == cases[i].good && value == (good ? cases[i].value : -7), "\"%.*s\" is %s",
		    STR_ARGS(cases[i].text), cases[i].good ? "a number" : "no number");
	}
}

static void
utf8(void)
{
	static const struct {
		struct str text;
		bool good;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), true, "nothing"},
	    {STR_INIT("a\0b"), true, "a NUL"},
	    {STR_INIT("Grüße, 世界 🎉 and some more"), true, "two, three and four bytes"},
	    {STR_INIT("\xc0\x80"), false, "an overlong NUL"},
	    {STR_INIT("\xe0\x9f\xbf"), false, "three bytes, overlong"},
	    {STR_INIT("\xf0\x8f\xbf\xbf"), false, "four bytes, overlong"},
	    {STR_INIT("\xed\xa0\x80"), false, "a surrogate"},
	    {STR_INIT("\xf4\x90\x80\x80"), false, "beyond U+10FFFF"},
	    {STR_INIT("\xf4\x8f\xbf\xbf"), true, "U+10FFFF"},
	    {STR_INIT("12345678\xff"), false, "a stray byte after eight good ones"},
	    {STR_INIT("\xe4\xb8"), false, "a cut sequence"},
	    {STR_INIT("\x80"), false, "a continuation alone"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(str_utf8(cases[i].text) == cases[i].good, "%s is %s UTF-8", cases[i].what,
		    cases[i].good ? "good" : "not");
}

/* Of characters of one to four bytes, cut at each length. */
static void
shortened(void)
{
	static const struct str whole = STR_INIT("aü世🎉");

	for (size_t bytes = 0; bytes <= whole.len + 1; bytes++) {
		struct str cut = str_shortened(whole, bytes);

		ok(cut.len <= bytes && str_utf8(cut) && (bytes - cut.len < 4 || cut.len == whole.len),
		    "at most %zu bytes are %zu, of whole characters", bytes, cut.len);
	}
	is_int((int64_t)str_shortened(whole, 5).len, 3, "what has no room is left out whole");
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct buf buf = {.arena = arena};
	struct str rest;
	size_t at = 0;

	ok(str_cmp(STR("a"), STR("ab")) < 0, "a prefix sorts before what it begins");
	ok(str_cmp(STR("a\xff"), STR("ab")) > 0, "bytes compare without a sign");
	ok(str_eq(STR(""), (struct str){NULL, 0}), "the empty slice needs no base");
	is_str(str_cut(STR("k=v=w"), '=', &rest), STR("k"), "cutting gives what is before");
	is_str(rest, STR("v=w"), "and what is behind");
	is_str(str_cut(STR("k"), '=', &rest), STR("k"), "cutting at nothing gives all");
	is_str(rest, STR(""), "and leaves nothing");
	is_str(str_trim(STR(" \t a b\r\n")), STR("a b"), "trimming takes both ends");
	is_str(STR_CONCAT(arena, STR("USER#"), STR("ada")), STR("USER#ada"), "slices join");
	is_str(str_lower(arena, STR("Ä-AZ")), STR("Ä-az"), "only ASCII folds");
	ok(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")), "an end is an end");
	numbers();
	utf8();
	shortened();
	is_int(str_rune(STR("世"), &at), 0x4e16, "a rune is read");
	is_int((int64_t)at, 3, "and passed");
	is_int(str_rune(STR("世"), &at), 0xfffd, "at the end there is the replacement");
	for (int i = 0; i < 1000; i++)
		buf_fmt(&buf, "%d,", i);
	ok(buf.len == 3890 && str_starts(buf_str(&buf), STR("0,1,2,")) &&
		str_ends(buf_str(&buf), STR(",998,999,")),
	    "a buffer grows and keeps what it has");
	arena_free(arena);
	return tap_done();
}
