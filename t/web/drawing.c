/*
 * Drawings (SVG): what is left of those that people make, and nothing of what attackers put into one.
 */
#include "web/media/drawing.h"

#include "base/arena.h"
#include "lib/tap.h"

#include <string.h>

#define SVG "<svg xmlns=\"http://www.w3.org/2000/svg\" "
#define OPEN SVG "viewBox=\"0 0 40 10\">"
#define ROOT SVG "width=\"1600\" height=\"400\" viewBox=\"0 0 40 10\">"
#define DOT "<circle r=\"1\"/>"
#define USE(of) "<use href='#" of "'/>"
#define TEN(id, of) "<g id='" id "'>" USE(of) USE(of) USE(of) USE(of) USE(of) USE(of) USE(of) USE(of) USE(of) USE(of) "</g>"
#define COPY(id, of) "<g id=\"" id "\"><use href=\"#" of "\"/></g>"
#define EIGHT_DEEP "<g id=\"a\">" DOT "</g>" COPY("b", "a") COPY("c", "b") COPY("d", "c") COPY("e", "d") COPY("f", "e") COPY("g", "f") COPY("h", "g") COPY("i", "h")
#define MASKED(by) "<g mask='url(#" by ")'>" DOT "</g>"
#define MASKS(id, by) "<mask id='" id "'>" MASKED(by) MASKED(by) MASKED(by) MASKED(by) MASKED(by) MASKED(by) MASKED(by) "</mask>"

static const struct {
	const char *says, *sent, *kept; /* kept NULL: it is refused */
	enum drawing_verdict verdict;
} table[] = {
    {"a shape", OPEN DOT "</svg>", ROOT DOT "</svg>", DRAWING_GOOD},
    {"a size without a view box", SVG "width='40px' height=\"10\">" DOT "</svg>", ROOT DOT "</svg>", DRAWING_GOOD},
    {"what an editor writes around it",
	"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- <script> -->\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://x/svg.dtd\">\n" OPEN
	"<metadata><rdf:RDF xmlns:rdf=\"x\">Words</rdf:RDF></metadata><title>T</title>" DOT "</svg>\n",
	ROOT DOT "</svg>", DRAWING_GOOD},
    {"a style, as attributes, which it outdoes", OPEN "<path fill='red' style=\"fill:#123456; stroke-width:2px;-x:y\" d='M0,0 L1 1z'/></svg>",
	ROOT "<path d=\"M0,0 L1 1z\" fill=\"#123456\" stroke-width=\"2px\"/></svg>", DRAWING_GOOD},
    {"declarations that are not known, as a browser does: the last that is", OPEN "<path fill='#F00' style='fill:#F00;fill:color(display-p3 1 0 0);"
	"stroke:rgb(0 0 0 / 50%) !important;opacity:calc(1)' opacity='.5' d='M0'/></svg>",
	ROOT "<path d=\"M0\" fill=\"#F00\" stroke=\"rgb(0 0 0 / 50%)\" opacity=\".5\"/></svg>", DRAWING_GOOD},
    {"dashes, a gradient from a circle, and what all of it has",
	SVG "opacity='.5' viewBox='0 0 40 10'><radialGradient id='a' fr='1'/><path stroke-dasharray='4, 2 1' stroke-dashoffset='1' style='stroke-dasharray:none'/>"
	"<path stroke-dasharray='4, 2 1'/></svg>",
	SVG "width=\"1600\" height=\"400\" viewBox=\"0 0 40 10\" opacity=\".5\"><radialGradient id=\"a\" fr=\"1\"/>"
	    "<path stroke-dasharray=\"none\" stroke-dashoffset=\"1\"/><path stroke-dasharray=\"4, 2 1\"/></svg>", DRAWING_GOOD},
    {"words", OPEN "<text x='1'>R &amp; <tspan>D&#x3c;</tspan><![CDATA[<b>]]></text></svg>",
	ROOT "<text x=\"1\">R &amp; <tspan>D&lt;</tspan>&lt;b&gt;</text></svg>", DRAWING_GOOD},
    {"a gradient of parts of its own", OPEN "<defs><linearGradient id='a' xlink:href='#b'><stop offset='1' style='stop-color:blue'/>"
	"</linearGradient></defs><g fill=\"url('#a')\">" DOT "</g></svg>",
	ROOT "<defs><linearGradient id=\"a\" href=\"#b\"><stop offset=\"1\" stop-color=\"blue\"/></linearGradient></defs>"
	     "<g fill=\"url(#a)\">" DOT "</g></svg>", DRAWING_GOOD},
    {"prefixes and groups of other names", "<svg:svg viewBox='0 0 40 10'><svg:a href='javascript:x'><switch>" DOT "</switch></svg:a></svg:svg>",
	ROOT "<g><g>" DOT "</g></g></svg>", DRAWING_GOOD},

    {"a script", OPEN "<script>alert(1)</script><script href='x'/>" DOT "</svg>", ROOT DOT "</svg>", DRAWING_GOOD},
    {"a script in capitals and one in a namespace", OPEN "<SCRIPT>x</SCRIPT><h:script xmlns:h='http://www.w3.org/1999/xhtml'>x</h:script>" DOT "</svg>",
	ROOT DOT "</svg>", DRAWING_GOOD},
    {"HTML in it", OPEN "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><circle r='2'/><img src='x' onerror='y'/></body></foreignObject>" DOT "</svg>",
	ROOT DOT "</svg>", DRAWING_GOOD},
    {"handlers", SVG "onload='alert(1)' viewBox='0 0 40 10'><circle onclick='x' r='1' OnMouseOver='y'/></svg>", ROOT DOT "</svg>", DRAWING_GOOD},
    {"addresses elsewhere", OPEN "<image href='http://x/a.png'/><feImage href='//x'/>"
	"<linearGradient href='http://x/#a' id='g'/><circle r='1' fill='url(http://x/#a)' stroke='url(a.svg)' clip-path='url(//x#a)'/></svg>",
	ROOT "<linearGradient id=\"g\"/>" DOT "</svg>", DRAWING_GOOD},
    {"a copy of what is elsewhere", OPEN "<use xlink:href='http://x/a.svg#b'/><use href='a.svg#b' src='//x'/>" DOT "</svg>",
	ROOT "<use/><use/>" DOT "</svg>", DRAWING_GOOD},
    {"addresses in styles", OPEN "<circle r='1' style=\"fill:url(http://x/#a);background:url(x);stroke:URL(x);behavior:url(y)\"/></svg>",
	ROOT DOT "</svg>", DRAWING_GOOD},
    {"addresses behind references", OPEN "<circle r='1' fill='&#117;rl(//x)' style='fill&#58;u&#x72;l(x)'/></svg>", ROOT DOT "</svg>", DRAWING_GOOD},
    {"what moves", OPEN "<circle r='1'><animate attributeName='href' values='javascript:x'/><set attributeName='onload' to='x'/></circle></svg>",
	ROOT "<circle r=\"1\"></circle></svg>", DRAWING_GOOD},
    {"copies, clips and masks of parts of its own",
	OPEN "<mask id='m'>" DOT "</mask><clipPath id='a' mask='url(#m)'>" DOT "</clipPath><g clip-path='url( #a )'><use x:href='#a' x='1'/></g></svg>",
	ROOT "<mask id=\"m\">" DOT "</mask><clipPath id=\"a\" mask=\"url(#m)\">" DOT "</clipPath>"
	     "<g clip-path=\"url(#a)\"><use x=\"1\" href=\"#a\"/></g></svg>", DRAWING_GOOD},
    {"copies in copies, eight deep", OPEN EIGHT_DEEP "</svg>", ROOT EIGHT_DEEP "</svg>", DRAWING_GOOD},
    {"... and nine", OPEN EIGHT_DEEP COPY("j", "i") "</svg>", NULL, DRAWING_LARGE},
    {"a copy of itself", OPEN "<g id='a'><use href='#a'/>" DOT "</g></svg>", NULL, DRAWING_LARGE},
    {"a mask in itself", OPEN "<mask id='a'><g mask='url(#a)'/></mask>" DOT "</svg>", NULL, DRAWING_LARGE},
    {"a billion copies",
	OPEN "<g id='a'>" DOT DOT DOT DOT DOT DOT DOT DOT DOT DOT "</g>" TEN("b", "a") TEN("c", "b") TEN("d", "c") TEN("e", "d") "</svg>", NULL, DRAWING_LARGE},
    {"a billion masks", OPEN MASKS("a", "b") MASKS("b", "c") MASKS("c", "d") MASKS("d", "e") MASKS("e", "f") DOT "</svg>", NULL, DRAWING_LARGE},
    {"quotation marks in values", OPEN "<text font-family='\"A&quot;&gt;&lt;script&gt;' x='1\" onload=\"x'>W</text></svg>",
	ROOT "<text>W</text></svg>", DRAWING_GOOD},

    {"nothing", "", NULL, DRAWING_DAMAGED},
    {"HTML", "<html><svg viewBox='0 0 1 1'>" DOT "</svg></html>", NULL, DRAWING_DAMAGED},
    {"an entity", "<!DOCTYPE svg [<!ENTITY a 'b'>]>" OPEN "<text>&a;</text></svg>", NULL, DRAWING_ENTITIES},
    {"a billion laughs", "<!DOCTYPE svg [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]>" OPEN "<text>&b;</text></svg>", NULL, DRAWING_ENTITIES},
    {"a file of the server", "<!DOCTYPE svg SYSTEM 'file:///etc/passwd' [<!ENTITY % a SYSTEM 'x'>%a;]>" OPEN DOT "</svg>", NULL, DRAWING_ENTITIES},
    {"an entity that nobody defined", OPEN "<text>&nbsp;</text></svg>", NULL, DRAWING_DAMAGED},
    {"a reference to no letter", OPEN "<text>&#0;</text></svg>", NULL, DRAWING_DAMAGED},
    {"blank space as references", OPEN "<text>a&#9;b&#10;c&#xD;d</text></svg>", ROOT "<text>a\tb\nc\rd</text></svg>", DRAWING_GOOD},
    {"what is no letter", OPEN "<text>\xef\xbf\xbe</text></svg>", NULL, DRAWING_DAMAGED},
    {"... the other", OPEN "<text>\xef\xbf\xbf</text></svg>", NULL, DRAWING_DAMAGED},
    {"... as a reference", OPEN "<text>&#xFFFE;</text></svg>", NULL, DRAWING_DAMAGED},
    {"... the other so", OPEN "<text>&#65535;</text></svg>", NULL, DRAWING_DAMAGED},
    {"a letter beside them", OPEN "<text>\xef\xbf\xbd&#xFFFD;</text></svg>", ROOT "<text>\xef\xbf\xbd\xef\xbf\xbd</text></svg>", DRAWING_GOOD},
    {"a letter out of reach", OPEN "<text>&#x110000;</text></svg>", NULL, DRAWING_DAMAGED},
    {"elements that cross", OPEN "<g><text></g></text></svg>", NULL, DRAWING_DAMAGED},
    {"two drawings", OPEN DOT "</svg>" OPEN DOT "</svg>", NULL, DRAWING_DAMAGED},
    {"an attribute twice", OPEN "<circle r='1' r='2'/></svg>", NULL, DRAWING_DAMAGED},
    {"a value without an end", OPEN "<circle r='1/></svg>", NULL, DRAWING_DAMAGED},
    {"a comment without an end", OPEN DOT "</svg><!--", NULL, DRAWING_DAMAGED},
    {"bytes that are no text", OPEN "<text>\xff</text></svg>", NULL, DRAWING_DAMAGED},
    {"a sign that XML has not", OPEN "<text>\x01</text></svg>", NULL, DRAWING_DAMAGED},
    {"only words around it", OPEN "Words</svg>", NULL, DRAWING_BARE},
    {"only what is left away", OPEN "<script>x</script></svg>", NULL, DRAWING_BARE},
    {"no size", SVG ">" DOT "</svg>", NULL, DRAWING_BARE},
    {"no size that is one", SVG "viewBox='0 0 0 1e999'>" DOT "</svg>", NULL, DRAWING_BARE},
    {"a size in centimetres", SVG "width='4cm' height='1cm'>" DOT "</svg>", NULL, DRAWING_BARE},
    {"its colours in a sheet", OPEN "<style>.a{fill:red}</style><circle class='a' r='1'/></svg>", NULL, DRAWING_BARE},
};

/*
 * Of how many of its beginnings something is kept that it should not be: of a good one another drawing than of the whole; of one that
 * is refused one that is not itself kept as it is. Each is read where it ends.
 */
static int
beginnings_wrong(struct str sent, const char *kept)
{
	int wrong = 0;

	for (size_t cut = 0; cut < sent.len; cut++) {
		struct arena *arena = arena_new();
		struct buf out = {.arena = arena}, again = {.arena = arena};
		struct str begins = {arena_copy(arena, sent.base, cut), cut};
		struct media_size size;

		if (drawing_clean(begins, &out, &size) == DRAWING_GOOD)
			wrong += kept != NULL ? !str_eq(buf_str(&out), str_of(kept))
					      : drawing_clean(buf_str(&out), &again, &size) != DRAWING_GOOD ||
						    !str_eq(buf_str(&again), buf_str(&out));
		arena_free(arena);
	}
	return wrong;
}

static void
one_by_one(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct arena *arena = arena_new();
		struct buf out = {.arena = arena}, again = {.arena = arena};
		struct str sent = str_of(table[i].sent);
		struct media_size size = {0, 0};

		is_int(drawing_clean(sent, &out, &size), table[i].verdict, "%s", table[i].says);
		if (table[i].kept != NULL) {
			is_str(buf_str(&out), str_of(table[i].kept), "... what is left of it");
			ok(size.width == 1600 && size.height == 400, "... and how large it is");
			ok(drawing_is(sent) && drawing_clean(buf_str(&out), &again, &size) == DRAWING_GOOD &&
				str_eq(buf_str(&again), buf_str(&out)),
			    "... of which all is left");
		}
		arena_free(arena);
		is_int(beginnings_wrong(sent, table[i].kept), 0, "... nor is a beginning of it another drawing");
	}
}

static struct str
repeated(struct arena *arena, const char *before, const char *what, size_t times, const char *after)
{
	struct buf buf = {.arena = arena};

	buf_put(&buf, str_of(before));
	while (times-- > 0)
		buf_put(&buf, str_of(what));
	buf_put(&buf, str_of(after));
	return buf_str(&buf);
}

static void
large(void)
{
	static const struct {
		const char *says, *before, *what, *after;
		size_t times;
		enum drawing_verdict verdict;
	} all[] = {
	    {"many shapes", OPEN, DOT, "</svg>", 4000, DRAWING_GOOD},
	    {"more than anybody draws", OPEN, DOT, "</svg>", 6000, DRAWING_LARGE},
	    {"groups in groups", OPEN, "<g>", "", 50000, DRAWING_LARGE},
	    {"scripts in scripts", OPEN, "<script>", "", 30000, DRAWING_LARGE},
	    {"five megabytes", OPEN, "<path d='M0 0'/>", "</svg>", 5 * 1024 * 1024 / 16, DRAWING_LARGE},
	    {"one long value", OPEN "<path d='", "M0 0", "'/></svg>", 60000, DRAWING_GOOD},
	    {"attributes that nobody knows", OPEN "<circle r='1'", " a='&lt;'", "/></svg>", 25000, DRAWING_GOOD},
	    {"declarations", OPEN "<circle r='1' style='", "fill:a;", "'/></svg>", 30000, DRAWING_GOOD},
	    {"names", OPEN, "<g id='a'/>", DOT "</svg>", 4990, DRAWING_GOOD},
	    {"copies of nothing", OPEN, "<use href='#a'/>", "</svg>", 1100, DRAWING_LARGE},
	    {"copies of something", OPEN "<g id='a'/>", "<use href='#a'/>", DOT "</svg>", 900, DRAWING_GOOD},
	    {"references", OPEN "<text>", "&lt;", "</text></svg>", 60000, DRAWING_GOOD},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct arena *arena = arena_new();
		struct buf out = {.arena = arena};
		struct str sent = repeated(arena, all[i].before, all[i].what, all[i].times, all[i].after);
		struct media_size size;

		is_int(drawing_clean(sent, &out, &size), all[i].verdict, "%s", all[i].says);
		ok(out.len <= sent.len + sizeof(ROOT) - sizeof(OPEN), "... of which no more is written, but for its size");
		arena_free(arena);
	}
}

/* A sign that has several bytes once it is written is counted with all of them. */
static void
longer(void)
{
	for (int i = 0; i < 2; i++) {
		struct arena *arena = arena_new();
		struct buf out = {.arena = arena};
		struct str sent = repeated(arena, OPEN "<text>", "\"", i == 0 ? 40000 : 45000, "</text></svg>");
		struct media_size size;

		is_int(drawing_clean(sent, &out, &size), i == 0 ? DRAWING_GOOD : DRAWING_LARGE,
		    i == 0 ? "quotation marks" : "... of which more would be written than may be sent");
		arena_free(arena);
	}
}

int
main(void)
{
	one_by_one();
	large();
	longer();
	ok(!drawing_is(STR("\x89PNG <svg")) && !drawing_is(STR("<html>")) && !drawing_is(STR("")), "others are none");
	return tap_done();
}
