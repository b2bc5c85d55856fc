/* Urlencoded pairs, and cookies. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "web/http/cookie.h"

/* `a=1|b=2`, for comparing. */
static struct str
spelled(struct arena *arena, const struct pairs *pairs)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < pairs->count; i++) {
		if (i != 0)
			BUF_PUT(&out, "|");
		buf_put(&out, pairs->pairs[i].name);
		BUF_PUT(&out, "=");
		buf_put(&out, pairs->pairs[i].value);
	}
	return buf_str(&out);
}

static void
urlencoded(struct arena *arena)
{
	static const struct pairs_limits limits = {.count = 4, .name_size = 4, .value_size = 6};
	static const struct {
		struct str text, pairs;
		enum pairs_rc rc;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), STR_INIT(""), PAIRS_OK, "nothing"},
	    {STR_INIT("a=1&b=2"), STR_INIT("a=1|b=2"), PAIRS_OK, "two"},
	    {STR_INIT("a=1&a=2"), STR_INIT("a=1|a=2"), PAIRS_OK, "one name twice"},
	    {STR_INIT("a=x+y%2Bz"), STR_INIT("a=x y+z"), PAIRS_OK, "a plus and an escaped one"},
	    {STR_INIT("%61=%c3%bc"), STR_INIT("a=ü"), PAIRS_OK, "escapes on both sides"},
	    {STR_INIT("a&=b&&c="), STR_INIT("a=|=b|c="), PAIRS_OK, "pieces with little in them"},
	    {STR_INIT("a=b=c"), STR_INIT("a=b=c"), PAIRS_OK, "an equals sign in a value"},
	    {STR_INIT("a=%0d%0a"), STR_INIT("a=\r\n"), PAIRS_OK, "a line end"},
	    {STR_INIT("a=%4"), STR_INIT(""), PAIRS_MALFORMED, "a cut escape"},
	    {STR_INIT("a=%g0"), STR_INIT(""), PAIRS_MALFORMED, "a bad escape"},
	    {STR_INIT("a=%00"), STR_INIT(""), PAIRS_MALFORMED, "a NUL"},
	    {STR_INIT("a=%ff"), STR_INIT(""), PAIRS_MALFORMED, "a value that is not UTF-8"},
	    {STR_INIT("\xff=a"), STR_INIT(""), PAIRS_MALFORMED, "a name that is not UTF-8"},
	    {STR_INIT("a=123456&abcd="), STR_INIT("a=123456|abcd="), PAIRS_OK, "what just fits"},
	    {STR_INIT("a=1234567"), STR_INIT(""), PAIRS_TOO_LONG, "a value too long"},
	    {STR_INIT("abcde=1"), STR_INIT(""), PAIRS_TOO_LONG, "a name too long"},
	    {STR_INIT("a=%61%61%61%61%61%61"), STR_INIT("a=aaaaaa"), PAIRS_OK,
		"a value that fits when it is decoded"},
	    {STR_INIT("a&b&c&d&"), STR_INIT("a=|b=|c=|d="), PAIRS_OK, "as many as may be"},
	    {STR_INIT("a&b&c&d&e"), STR_INIT(""), PAIRS_TOO_MANY, "one too many"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pairs pairs;

		is_int(pairs_parse(arena, cases[i].text, &limits, &pairs), cases[i].rc, "%s: %s",
		    cases[i].what, cases[i].rc == PAIRS_OK ? "read" : "refused");
		is_str(spelled(arena, &pairs), cases[i].pairs, "... and what it holds");
	}
}

static void
cookies(struct arena *arena)
{
	static const struct {
		struct str header, pairs;
		bool session;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), STR_INIT(""), false, "no cookies"},
	    {STR_INIT("a=1; b=2"), STR_INIT("a=1|b=2"), false, "two"},
	    {STR_INIT("a=1;b=2 ;  c=3"), STR_INIT("a=1|b=2|c=3"), false, "odd spaces"},
	    {STR_INIT("a=\"1\"; b=\""), STR_INIT("a=1|b=\""), false, "quotes"},
	    {STR_INIT("a=1; a=2"), STR_INIT("a=1"), false, "one twice: the first counts"},
	    {STR_INIT("junk; =x; ; a=1"), STR_INIT("a=1"), false, "junk is passed over"},
	    {STR_INIT("a=b=c"), STR_INIT("a=b=c"), false, "an equals sign in a value"},
	    {STR_INIT("x=1; session=t"), STR_INIT("x=1|session=t"), true, "a session"},
	    {STR_INIT("__Host-session=t"), STR_INIT("__Host-session=t"), true, "a secure one"},
	    {STR_INIT("session_id=1; x=session="), STR_INIT("session_id=1|x=session="), false,
		"what only looks like a session"},
	};
	struct buf many = {.arena = arena};
	struct pairs pairs;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pairs = cookies_parse(arena, cases[i].header);
		is_str(spelled(arena, &pairs), cases[i].pairs, "cookies: %s", cases[i].what);
		ok(cookies_have_session(cases[i].header) == cases[i].session, "... %s session",
		    cases[i].session ? "with a" : "without a");
	}
	for (int i = 0; i < COOKIES_MAX + 10; i++)
		buf_fmt(&many, "c%d=%d; ", i, i);
	pairs = cookies_parse(arena, buf_str(&many));
	is_int((int64_t)pairs.count, COOKIES_MAX, "more cookies than that are passed over");
	is_str(cookie_make(arena, STR("session"), STR("abc"), 60, true),
	    STR("session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"),
	    "a cookie of ours is out of reach for scripts and for other sites");
}

int
main(void)
{
	struct arena *arena = arena_new();

	urlencoded(arena);
	cookies(arena);
	arena_free(arena);
	return tap_done();
}
