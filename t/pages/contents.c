/* The table of contents of an article: which articles have one, and where it leads. */
#include "writer.h"

#include "lib/tap.h"

enum { ENOUGH = 600, HEADINGS = 3 };

/* That many headings, the second one below the first, and that many words. */
static const char *
article(struct seeded *s, int headings, int words)
{
	struct buf text = {.arena = s->arena};

	for (int i = 0; i < headings; i++)
		buf_fmt(&text, "%s Tide-%d\n\n", i == 1 ? "###" : "##", i);
	for (int i = 2 * headings; i < words; i++)
		BUF_PUT(&text, "wave ");
	return str_cstring(s->arena, buf_str(&text));
}

static void
publish(struct seeded *s, const char *kind, const char *slug, const char *markdown)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, text_in(s, "/write/%s", kind));
	is_int(SUBMIT(&b, text_in(s, "/write/%s", kind), "do", "publish-anyway", "title", slug,
		   "slug", slug, "markdown", markdown),
	    HTTP_SEE_OTHER, "%s is published", slug);
}

int
main(void)
{
	static const char list[] = "<nav class=\"contents\"";
	struct seeded s;
	struct str page, contents;

	browsers_open(&s);
	publish(&s, "article", "long-enough", article(&s, HEADINGS, ENOUGH));
	publish(&s, "article", "too-short", article(&s, HEADINGS, ENOUGH - 1));
	publish(&s, "article", "of-two-parts", article(&s, HEADINGS - 1, ENOUGH));
	publish(&s, "howto", "all-steps", article(&s, HEADINGS, ENOUGH));

	page = visit(&s, STR("/post/long-enough")).body;
	contents = part(page, list, "</nav>");
	is_int((int64_t)count_of(contents, STR("<li ")), HEADINGS,
	    "of a long article all headings are listed");
	ok(holds(contents, STR("<li class=\"level-2\"><a href=\"#h-tide-0\">Tide-0</a></li>")) &&
		holds(contents, STR("<li class=\"level-3\"><a href=\"#h-tide-1\">Tide-1</a></li>")),
	    "... each with its level");
	ok(holds(page, STR("<h3 id=\"h-tide-1\">Tide-1</h3>")), "... and where it leads");
	ok(!stranger_sees(&s, "/post/too-short", list), "of a shorter one there is no list");
	ok(!stranger_sees(&s, "/post/of-two-parts", list), "... nor of one of two parts");
	ok(!stranger_sees(&s, "/post/all-steps", list), "... nor of a how-to, which has its steps");
	browsers_close(&s);
	return tap_done();
}
