/* Addresses: decoding, the one form of a path, the known part of a query, encoding. */
#include "lib/tap.h"

#include "base/arena.h"
#include "model/text_rule.h"
#include "text/url.h"
#include "web/http/query.h"
#include "web/http/request.h"

static void
paths(struct arena *arena)
{
	static const struct {
		struct str sent, path;
		enum http_status status;
		const char *what;
	} cases[] = {
	    {STR_INIT("/"), STR_INIT("/"), HTTP_OK, "the root"},
	    {STR_INIT("/post/a-b"), STR_INIT("/post/a-b"), HTTP_OK, "a plain path"},
	    {STR_INIT("/tag/%C3%A9t%c3%a9"), STR_INIT("/tag/été"), HTTP_OK, "UTF-8 in escapes"},
	    {STR_INIT("/tag/\xc3\xa9"), STR_INIT("/tag/é"), HTTP_OK, "UTF-8 as it is"},
	    {STR_INIT("/a+b"), STR_INIT("/a+b"), HTTP_OK, "a plus, which is a plus in a path"},
	    {STR_INIT("/a..b/.c"), STR_INIT("/a..b/.c"), HTTP_OK, "dots within names"},
	    {STR_INIT("/%2e%2"), STR_INIT(""), HTTP_BAD_REQUEST, "a cut escape"},
	    {STR_INIT("/%zz"), STR_INIT(""), HTTP_BAD_REQUEST, "a bad escape"},
	    {STR_INIT("/a%00b"), STR_INIT(""), HTTP_BAD_REQUEST, "an escaped NUL"},
	    {STR_INIT("/a\0b"), STR_INIT(""), HTTP_BAD_REQUEST, "a NUL"},
	    {STR_INIT("/a%0ab"), STR_INIT(""), HTTP_BAD_REQUEST, "a line end"},
	    {STR_INIT("/a%7f"), STR_INIT(""), HTTP_BAD_REQUEST, "DEL"},
	    {STR_INIT("/a%5cb"), STR_INIT(""), HTTP_BAD_REQUEST, "a backslash"},
	    {STR_INIT("/a%2fb"), STR_INIT(""), HTTP_BAD_REQUEST, "an escaped slash"},
	    {STR_INIT("/a%2Fb"), STR_INIT(""), HTTP_BAD_REQUEST, "an escaped slash in capitals"},
	    {STR_INIT("/%252f"), STR_INIT("/%2f"), HTTP_OK, "an escaped percent, decoded once"},
	    {STR_INIT("/../etc"), STR_INIT(""), HTTP_BAD_REQUEST, "two dots"},
	    {STR_INIT("/a/.."), STR_INIT(""), HTTP_BAD_REQUEST, "two dots at the end"},
	    {STR_INIT("/a/%2e%2E/b"), STR_INIT(""), HTTP_BAD_REQUEST, "two escaped dots"},
	    {STR_INIT("/./a"), STR_INIT(""), HTTP_BAD_REQUEST, "one dot"},
	    {STR_INIT("/%ff"), STR_INIT(""), HTTP_BAD_REQUEST, "a byte that is not UTF-8"},
	    {STR_INIT("/%c0%af"), STR_INIT(""), HTTP_BAD_REQUEST, "an overlong slash"},
	    {STR_INIT(""), STR_INIT(""), HTTP_BAD_REQUEST, "nothing"},
	    {STR_INIT("*"), STR_INIT(""), HTTP_BAD_REQUEST, "an asterisk"},
	    {STR_INIT("post"), STR_INIT(""), HTTP_BAD_REQUEST, "a path without its slash"},
	};
	char *longest = arena_alloc(arena, REQUEST_URI_MAX + 1);
	struct str out;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str path = STR("");

		is_int(path_decode(arena, cases[i].sent, &path), cases[i].status,
		    "%s is answered with %d", cases[i].what, cases[i].status);
		is_str(path, cases[i].path, "... and decoded");
	}
	memset(longest, '/', REQUEST_URI_MAX + 1);
	is_int(path_decode(arena, (struct str){longest, REQUEST_URI_MAX}, &out), HTTP_OK,
	    "a path may be as long as the limit");
	is_int(path_decode(arena, (struct str){longest, REQUEST_URI_MAX + 1}, &out),
	    HTTP_URI_TOO_LONG, "and no longer");
}

static void
canonical(struct arena *arena)
{
	static const struct {
		struct str path, exact, folded;
	} cases[] = {
	    {STR_INIT("/"), STR_INIT("/"), STR_INIT("/")},
	    {STR_INIT("//"), STR_INIT("/"), STR_INIT("/")},
	    {STR_INIT("/a/"), STR_INIT("/a"), STR_INIT("/a")},
	    {STR_INIT("//a///b//"), STR_INIT("/a/b"), STR_INIT("/a/b")},
	    {STR_INIT("/Post/Été"), STR_INIT("/Post/Été"), STR_INIT("/post/été")},
	    {STR_INIT("/post/e\xcc\x81"), STR_INIT("/post/e\xcc\x81"), STR_INIT("/post/é")},
	    {STR_INIT("/tag/\u304b\u3099/"), STR_INIT("/tag/\u304b\u3099"),
		STR_INIT("/tag/\u304c")},
	    {STR_INIT("/post/a"), STR_INIT("/post/a"), STR_INIT("/post/a")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str folded = path_canonical(arena, cases[i].path, true);

		is_str(path_canonical(arena, cases[i].path, false), cases[i].exact,
		    "the one form of %.*s", STR_ARGS(cases[i].path));
		is_str(folded, cases[i].folded, "... and with small letters");
		is_str(path_canonical(arena, folded, true), folded, "... is its own");
	}
}

static void
queries(struct arena *arena)
{
	static const char *const known[] = {"after", "q", NULL};
	static const struct {
		struct str sent, put;
		bool good;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), STR_INIT(""), true, "no query"},
	    {STR_INIT("after=x"), STR_INIT("?after=x"), true, "a known parameter"},
	    {STR_INIT("q=a+b%26c"), STR_INIT("?q=a%20b%26c"), true, "a value to decode"},
	    {STR_INIT("q=1&after=2"), STR_INIT("?after=2&q=1"), true, "another order"},
	    {STR_INIT("q=1&q=2"), STR_INIT("?q=1"), true, "one twice: the first counts"},
	    {STR_INIT("q=&q=2"), STR_INIT("?q=2"), true, "an empty one is as good as none"},
	    {STR_INIT("%71=1"), STR_INIT("?q=1"), true, "a name in escapes"},
	    {STR_INIT("utm=%&q=1&%"), STR_INIT("?q=1"), true, "unknown ones, however malformed"},
	    {STR_INIT("&&q&=&=x"), STR_INIT(""), true, "empty pieces"},
	    {STR_INIT("Q=1"), STR_INIT(""), true, "a name in other letters"},
	    {STR_INIT("q=%e4"), STR_INIT(""), false, "a known one that is not UTF-8"},
	    {STR_INIT("q=%"), STR_INIT(""), false, "a known one with a bad escape"},
	    {STR_INIT("q=a%00"), STR_INIT(""), false, "a known one with a NUL"},
	    {STR_INIT("q=%0d%0a"), STR_INIT(""), false, "a known one with a line end"},
	};
	struct pairs query;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = {.arena = arena};

		ok(query_read(arena, cases[i].sent, known, false, &query) == cases[i].good, "%s: %s",
		    cases[i].what, cases[i].good ? "taken" : "refused");
		query_put(&out, &query);
		is_str(buf_str(&out), cases[i].put, "... and put into an address");
	}
	ok(query_read(arena, STR("q=%"), NULL, false, &query) && query.count == 0,
	    "a route without parameters looks at none");
	ok(query_read(arena, STR("q=a%e4b%00c&after=%zz"), known, true, &query) && query.count == 2 &&
		str_eq(query.pairs[0].value, STR("%zz")) &&
		str_eq(query.pairs[1].value, STR("a\xef\xbf\xbd" "b c")),
	    "what is typed into a search form is mended");
}

static void
encoding(struct arena *arena)
{
	static const struct {
		struct str address;
		bool local;
	} locals[] = {
	    {STR_INIT("/"), true},
	    {STR_INIT("/post/a?x=1"), true},
	    {STR_INIT("//evil.example"), false},
	    {STR_INIT("/\\evil.example"), false},
	    {STR_INIT("/\t/evil.example"), false},
	    {STR_INIT("https://evil.example"), false},
	    {STR_INIT("/a\r\nSet-Cookie: x=y"), false},
	    {STR_INIT("javascript:alert(1)"), false},
	    {STR_INIT(""), false},
	};
	char every[256];
	struct str all = {every, sizeof(every)}, back;
	struct buf out = {.arena = arena};

	for (int i = 0; i < 256; i++)
		every[i] = (char)i;
	url_put_query(&out, all);
	ok(url_decode(arena, buf_str(&out), true, &back) && str_eq(back, all),
	    "every byte comes back from a query");
	out.len = 0;
	url_put_segment(&out, all);
	ok(str_find(buf_str(&out), '/') == out.len, "a segment has no slash");
	ok(url_decode(arena, buf_str(&out), false, &back) && str_eq(back, all),
	    "every byte comes back from a segment");
	is_str(url_join(arena, STR("/tag/"), STR("c++ & é/x~_.-")),
	    STR("/tag/c%2B%2B%20%26%20%C3%A9%2Fx~_.-"), "what is unreserved stays as it is");
	for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++)
		ok(url_is_local(locals[i].address) == locals[i].local, "\"%.*s\" is %s",
		    STR_ARGS(locals[i].address), locals[i].local ? "ours" : "not ours");
}

int
main(void)
{
	struct arena *arena = arena_new();

	paths(arena);
	canonical(arena);
	queries(arena);
	encoding(arena);
	arena_free(arena);
	return tap_done();
}
