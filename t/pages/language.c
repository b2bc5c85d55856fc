/*
 * A text in a language that is not the site's: every page, list, feed and description marks what
 * its author wrote with that language, and only that.
 */
#include "writer.h"

#include "lib/tap.h"

#define IN_ARABIC " lang=\"ar\" dir=\"rtl\"\n>"

static void
chosen(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "save", "title", "مد وجزر", "slug", "ebb", "language",
	    "arabic");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "what is no language is refused");
	ok(says(&b, "Write a language tag, such as en or pt-BR.") &&
		has_value(&b, "language", "arabic"),
	    "... and kept to be mended");
	SUBMIT(&b, "/write/article", "do", "preview", "title", "مد وجزر", "markdown",
	    "C is *the sea*.", "language", "ar");
	ok(says(&b, "<h1" IN_ARABIC "مد وجزر</h1>") && says(&b, "<div class=\"prose\"" IN_ARABIC),
	    "a preview is in the language that was chosen");
	SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", "مد وجزر", "slug", "ebb",
	    "excerpt", "البحر", "markdown", "C is *the sea*.", "language", "ar");
	is_int(b.last.status, HTTP_SEE_OTHER, "a post in another language is published");
	get(&b, "/edit/ebb");
	ok(has_value(&b, "language", "ar"), "its form has its language");
}

static void
shown(struct seeded *s)
{
	struct str page = visit(s, STR("/post/ebb")).body, card, feed;

	ok(str_starts(page, STR("<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\">")),
	    "its page is in the site's language");
	ok(holds(page, STR("<h1" IN_ARABIC)) && holds(page, STR("<p class=\"deck\"" IN_ARABIC)) &&
		holds(page, STR("<div class=\"prose\"" IN_ARABIC)),
	    "... its title, its excerpt and its text in its own");
	is_int((int64_t)count_of(page, STR(" lang=\"ar\"")), 3, "... and nothing else");
	ok(holds(page, STR("\"inLanguage\":\"ar\"")), "... which search engines are told");
	page = visit(s, STR("/")).body;
	ok(holds(page, STR("<h2" IN_ARABIC "<a href=\"/post/ebb\">")),
	    "so it is as the lead of the front page");
	page = visit(s, STR("/archive/2026/11/18")).body;
	card = part(page, "<h2" IN_ARABIC "<a href=\"/post/ebb\">", "</article>");
	ok(holds(card, STR("<p class=\"excerpt\"" IN_ARABIC)), "... and in a list");
	feed = visit(s, STR("/feed.atom")).body;
	ok(holds(part(feed, "<entry xml:lang=\"ar\">", "</entry>"), STR("/post/ebb\"")),
	    "... and in a feed");
	page = visit(s, STR("/post/first-brent-geese")).body;
	ok(holds(page, STR("<div class=\"prose\" dir=\"auto\">")) &&
		!holds(part(page, "<h1", "</h1>"), STR("lang=")) &&
		holds(page, STR("\"inLanguage\":\"en\"")),
	    "a post without one is in the site's");
}

/* A revision has it, too. */
static void
restored(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/edit/ebb");
	SUBMIT(&b, "/edit/ebb", "do", "save", "title", "Ebb", "slug", "ebb", "markdown", "C.",
	    "language", "EN");
	ok(!stranger_sees(s, "/post/ebb", " lang=\"EN\"") &&
		stranger_sees(s, "/post/ebb", "<div class=\"prose\" dir=\"auto\">"),
	    "what is in the site's language needs not say so");
	get(&b, "/revisions/ebb");
	ok(says(&b, ", language"), "the list of revisions says that it changed");
	get(&b, "/revisions/ebb/compare?from=1&to=2");
	SUBMIT(&b, "/revisions/ebb/restore", "number", "1");
	ok(stranger_sees(s, "/post/ebb", "<h1" IN_ARABIC), "an older revision is in its language");
}

static void
site_in_hebrew(struct seeded *s)
{
	struct item before = seeded_item(s, "SITE", "SETTINGS");
	struct item settings = item_shallow(s->arena, &before);
	struct str page;

	item_set(s->arena, &settings, STR("Language"), value_string(STR("he")));
	seeded_put(s, &settings, 1);
	page = visit(s, STR("/post/ebb")).body;
	ok(str_starts(page, STR("<!DOCTYPE html>\n<html lang=\"he\" dir=\"rtl\">")),
	    "a site may be written from right to left");
	ok(holds(page, STR("<h1" IN_ARABIC)), "... and a post in another language still says so");
	seeded_put(s, &before, 1);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	chosen(&s);
	shown(&s);
	restored(&s);
	site_in_hebrew(&s);
	browsers_close(&s);
	return tap_done();
}
