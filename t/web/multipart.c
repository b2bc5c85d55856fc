/* multipart/form-data. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "web/form/multipart.h"

#define DISPOSITION "Content-Disposition: form-data; "

static void
boundaries(void)
{
	static const struct {
		struct str type, boundary;
	} cases[] = {
	    {STR_INIT("multipart/form-data; boundary=abc"), STR_INIT("abc")},
	    {STR_INIT("Multipart/Form-Data;boundary=\"a b\""), STR_INIT("a b")},
	    {STR_INIT("multipart/form-data; charset=utf-8; BOUNDARY=x; y=z"), STR_INIT("x")},
	    {STR_INIT("multipart/form-data"), STR_INIT("")},
	    {STR_INIT("multipart/form-data; boundary="), STR_INIT("")},
	    {STR_INIT("multipart/form-data; boundary=12345678901234567890123456789012345678901234"
		      "567890123456789012345678901"),
		STR_INIT("")},
	    {STR_INIT("multipart/mixed; boundary=abc"), STR_INIT("")},
	    {STR_INIT("text/plain"), STR_INIT("")},
	    {STR_INIT(""), STR_INIT("")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str boundary = STR("");
		bool found = multipart_boundary(cases[i].type, &boundary);

		ok(found == (cases[i].boundary.len != 0) &&
			(!found || str_eq(boundary, cases[i].boundary)),
		    "the boundary of \"%.*s\" is \"%.*s\"", STR_ARGS(cases[i].type),
		    STR_ARGS(cases[i].boundary));
	}
}

/* `name=content` or `name<filename:type>=content` of each part, for comparing. */
static struct str
spelled(struct arena *arena, const struct parts *parts)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = &parts->parts[i];

		buf_fmt(&out, "%s%.*s", i != 0 ? "|" : "", STR_ARGS(p->name));
		if (p->file)
			buf_fmt(
			    &out, "<%.*s:%.*s>", STR_ARGS(p->filename), STR_ARGS(p->content_type));
		BUF_PUT(&out, "=");
		buf_put(&out, p->content);
	}
	return buf_str(&out);
}

static const struct {
	struct str body, parts;
	enum multipart_rc rc;
	const char *what;
} cases[] = {
    {STR_INIT("--b--"), STR_INIT(""), MULTIPART_OK, "no part at all"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"\r\n\r\n1\r\n--b--\r\n"), STR_INIT("a=1"),
	MULTIPART_OK, "a text"},
    {STR_INIT("--b\r\n" DISPOSITION "name=a\r\n\r\n\r\n--b--"), STR_INIT("a="), MULTIPART_OK,
	"an empty text, with a name without quotes"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"\r\n\r\n1\r\n--b \t\r\ncontent-disposition: "
	      "FORM-DATA; name=\"c\"\r\n\r\n\r\n2\r\n\r\n--b--trailer"),
	STR_INIT("a=1|c=\r\n2\r\n"), MULTIPART_OK, "two texts, one with line ends around it"},
    {STR_INIT("--b\r\nContent-Type: image/png\r\n" DISPOSITION
	      "name=\"f\"; filename=\"x.png\"\r\n\r\n\x89PNG\0\r\n--a\r\n--b--"),
	STR_INIT("f<x.png:image/png>=\x89PNG\0\r\n--a"), MULTIPART_OK, "a file of bytes"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"f\"; filename=\"\"\r\n\r\n\r\n--b--"),
	STR_INIT("f<:>="), MULTIPART_OK, "no file chosen"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"f\"; filename=\"C:\\dir\\a\\\"b.txt\"\r\n\r\nx"
	      "\r\n--b--"),
	STR_INIT("f<a\"b.txt:>=x"), MULTIPART_OK, "a filename with a path and a quote"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"f\"; filename=\"../../etc/passwd\"\r\n\r\nx\r\n--b--"),
	STR_INIT("f<passwd:>=x"), MULTIPART_OK, "a filename that climbs"},
    {STR_INIT(""), STR_INIT(""), MULTIPART_MALFORMED, "nothing"},
    {STR_INIT("--b"), STR_INIT(""), MULTIPART_MALFORMED, "a delimiter and no more"},
    {STR_INIT("--b\r\n"), STR_INIT(""), MULTIPART_MALFORMED, "a part without a head"},
    {STR_INIT("--x--"), STR_INIT(""), MULTIPART_MALFORMED, "another boundary"},
    {STR_INIT("preamble\r\n--b--"), STR_INIT(""), MULTIPART_MALFORMED, "a preamble"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"\r\n\r\n1\r\n--b"), STR_INIT(""),
	MULTIPART_MALFORMED, "an end cut off"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"\r\n\r\n1"), STR_INIT(""), MULTIPART_MALFORMED,
	"a content cut off"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"\r\n\r\n1\r\n--bb\r\n"), STR_INIT(""),
	MULTIPART_MALFORMED, "a longer boundary"},
    {STR_INIT("--b\r\n\r\n" DISPOSITION "name=\"a\"\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_MALFORMED, "an empty head with something like a head behind it"},
    {STR_INIT("--b\r\nX-Y: z\r\n\r\n1\r\n--b--"), STR_INIT(""), MULTIPART_MALFORMED,
	"a part without a name"},
    {STR_INIT("--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_MALFORMED, "what is not form-data"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_MALFORMED, "an open quote"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\xff\"\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_MALFORMED, "a name that is not UTF-8"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"a\"; filename=\"x\0\"\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_MALFORMED, "a NUL in a filename"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"123456789\"\r\n\r\n1\r\n--b--"), STR_INIT(""),
	MULTIPART_TOO_LONG, "a name that is too long"},
    {STR_INIT("--b\r\n" DISPOSITION "name=\"1\"\r\n\r\n\r\n--b\r\n" DISPOSITION
	      "name=\"2\"\r\n\r\n\r\n--b\r\n" DISPOSITION "name=\"3\"\r\n\r\n\r\n--b--"),
	STR_INIT(""), MULTIPART_TOO_MANY, "a part too many"},
};

int
main(void)
{
	static const struct multipart_limits small = {2, 8, 200}, wide = {2, 40, 200};
	struct arena *arena = arena_new();
	struct buf long_head = {.arena = arena};
	struct parts parts;

	boundaries();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct multipart_limits *limits =
		    cases[i].rc == MULTIPART_TOO_LONG ? &small : &wide;

		is_int(multipart_parse(arena, cases[i].body, STR("b"), limits, &parts), cases[i].rc,
		    "%s: %s", cases[i].what, cases[i].rc == MULTIPART_OK ? "read" : "refused");
		is_str(spelled(arena, &parts), cases[i].parts, "... and what it holds");
	}
	BUF_PUT(&long_head, "--b\r\nX: ");
	for (int i = 0; i < 300; i++)
		BUF_PUT(&long_head, "x");
	BUF_PUT(&long_head, "\r\n" DISPOSITION "name=a\r\n\r\n1\r\n--b--");
	is_int(multipart_parse(arena, buf_str(&long_head), STR("b"), &wide, &parts),
	    MULTIPART_TOO_LONG, "a head that is too long is refused");
	arena_free(arena);
	return tap_done();
}
