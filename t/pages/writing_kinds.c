/* What each kind of post has of its own: rows, a link's title, a page's place, coauthors. */
#include "writer.h"

#include "lib/tap.h"

#include "web/http/gzip.h"

#include <stdlib.h>

/* --- Kinds ----------------------------------------------------------------------------------------- */

static void
rows(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/howto");
	SUBMIT(&b, "/write/howto", "do", "add-step", "title", "Knots", "step", "One.", "step",
	    "Two.", "material", "Rope", "amount", "2 m", "material", "", "amount", "", "minutes",
	    "soon");
	is_int((int64_t)count_of(b.last.body, STR("name=\"step\"")), 3, "one more step");
	ok(holds(b.last.body, STR("value=\"2 m\"")), "the rows stay");
	ok(!holds(b.last.body, STR("role=\"alert\"")), "nobody complains yet");
	ok(has_value(&b, "minutes", "soon"), "... but keeps what was typed");
	SUBMIT(&b, "/write/howto", "do", "up-step-2", "step", "One.", "step", "Two.");
	ok(says(&b, "Two.</textarea>") && memmem(b.last.body.base, b.last.body.len, "Two.", 4) <
					      memmem(b.last.body.base, b.last.body.len, "One.", 4),
	    "a step moves up");
	SUBMIT(&b, "/write/howto", "do", "remove-material-1", "material", "Rope", "amount", "2 m",
	    "material", "Wax", "amount", "50 g");
	ok(!has_value(&b, "material", "Rope") && holds(b.last.body, STR("value=\"50 g\"")),
	    "a material goes");
	is_int(SUBMIT(&b, "/write/howto", "do", "remove-step-9", "step", "One."), HTTP_BAD_REQUEST,
	    "one that is not there does not");
}

static void
howto(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/howto");
	SUBMIT(&b, "/write/howto", "do", "publish", "title", "A bowline", "cost", "free",
	    "currency", "euro", "minutes", "-1");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "a how-to that says nothing");
	ok(says(&b, "there is neither a text nor a step") && says(&b, "Write an amount") &&
		says(&b, "how many minutes") && says(&b, "three letters, such as EUR"),
	    "... is told all that is wrong");
	SUBMIT(&b, "/write/howto", "do", "publish-anyway", "title", "A bowline", "step",
	    "The *rabbit*.", "step", "", "step", "The tree.", "material", "Rope", "amount", "1 m",
	    "tool", "Hands", "cost", "1,5", "currency", "eur", "minutes", "5", "difficulty",
	    "easy");
	is_int(b.last.status, HTTP_SEE_OTHER, "one that does is published");
	ok(stranger_sees(s, "/post/a-bowline", "<p>The <em>rabbit</em>.</p>"), "... its steps");
	ok(stranger_sees(s, "/post/a-bowline", "€1.50"), "... its cost");
	ok(stranger_sees(s, "/post/a-bowline", "Hands"), "... its tools");
	is_int((int64_t)count_of(visit(s, STR("/post/a-bowline")).body, STR("id=\"step-")), 2,
	    "... without the empty ones");
	get(&b, "/edit/a-bowline");
	ok(has_value(&b, "cost", "1.50") && holds(b.last.body, STR("value=\"easy\" selected")),
	    "all of it comes back to be edited");
	is_int(
	    (int64_t)count_of(b.last.body, STR("name=\"step\"")), 3, "... with room for one more");
}

static void
link_(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct buf pasted = {.arena = s->arena};

	get(&b, "/write/link");
	SUBMIT(&b, "/write/link", "do", "preview", "url", "https://tides.example/today", "source",
	    "Tides of today\nHigh water at noon.", "markdown", "Look.");
	ok(has_value(&b, "title", "Tides of today"), "a link's title from what was pasted");
	SUBMIT(&b, "/write/link", "do", "preview", "source",
	    "<html><head><TITLE lang=en> Low &amp; high </TITLE>");
	ok(holds(b.last.body, STR("name=\"title\" value=\"Low &amp; high\"")), "... even of HTML");
	for (size_t i = 0; i < 19000; i++)
		BUF_PUT(&pasted, "\xf0\x9f\x8c\x8a");
	SUBMIT(
	    &b, "/write/link", "do", "preview", "source", str_cstring(s->arena, buf_str(&pasted)));
	ok(has_value(
	       &b, "title", str_cstring(s->arena, str_sub(buf_str(&pasted), 0, (size_t)4 * 120))),
	    "... as much as a title takes of an endless line");
	SUBMIT(&b, "/write/link", "do", "preview", "title", "Mine", "source", "Theirs");
	ok(has_value(&b, "title", "Mine"), "... but not in place of one");
	SUBMIT(&b, "/write/link", "do", "publish", "title", "T", "url", "javascript:alert(1)");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "an address of another kind is none");
	SUBMIT(&b, "/write/link", "do", "publish-anyway", "title", "Tides", "url",
	    "https://tides.example/", "markdown", "Look.", "slug", "tides-example");
	ok(stranger_sees(s, "/post/tides-example", "href=\"https://tides.example/\""),
	    "a link leads where it says");
}

/* The audience is shown above it. */
static void
for_a_group(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	get(&b, "/write/note");
	ok(holds(b.last.body, STR("value=\"followers\"")) &&
		!holds(b.last.body, STR("value=\"group\"")),
	    "who is in no group writes for none");
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "For us.", "visibility", "group");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "... nor for one that there is not");
	ok(holds(b.last.body, STR("href=\"#write-group\"")) &&
		holds(b.last.body, STR("id=\"write-group\"")),
	    "... and finds the field that is wrong");
	b = browser_of(s, "kofi");
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Commas.", "slug", "commas",
	    "visibility", "group", "group", "proofreaders");
	is_str(leads_to(&b), STR("/post/commas"), "a note for a group");
	get(&b, "/post/commas");
	ok(says(&b, "For the members of the group “Proofreaders” only."),
	    "... calls it by its title");
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Dashes.", "slug", "dashes",
	    "visibility", "followers", "when", "2027-11-18T09:30");
	get(&b, "/post/dashes");
	ok(says(&b, "It appears on 18 November 2027, 09:30 GMT. For followers only."),
	    "one that is to appear says both");
}

static void
page(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	get(&b, "/write/page");
	SUBMIT(&b, "/write/page", "do", "publish", "title", "House rules", "markdown", "Be kind.");
	is_str(leads_to(&b), STR("/page/house-rules"), "a page");
	ok(stranger_sees(s, "/page/house-rules", "Be kind."), "... for everybody");
	ok(stranger_sees(s, "/", "/page/house-rules"), "... in the footer of all");
}

/*
 * Its title in lists and feeds is the beginning of its text; its form shows no generated excerpt.
 */
static void
untitled(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "The *ice* is out.\n\nBy noon.");
	is_str(leads_to(&b), STR("/post/the-ice-is-out-by-noon"), "a note without a title");
	ok(stranger_sees(s, "/author/kofi", ">The ice is out. By noon.</a></h2>"),
	    "... is headed by its text");
	ok(stranger_sees(s, "/feed.atom", "<title>The ice is out. By noon.</title>"),
	    "... in feeds too");
	get(&b, "/edit/the-ice-is-out-by-noon");
	is_str(text_of(&b, "excerpt"), STR(""), "... which nobody wrote");
	SUBMIT(&b, "/edit/the-ice-is-out-by-noon", "do", "save", "slug", "the-ice-is-out-by-noon",
	    "markdown", "The ice is back.");
	ok(stranger_sees(s, "/author/kofi", ">The ice is back.</a></h2>"),
	    "another text heads it when it changes");
}

static void
together(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), lowri = browser_of(s, "lowri");

	get(&b, "/write/note");
	SUBMIT(
	    &b, "/write/note", "do", "save", "markdown", "We.", "slug", "we", "others", "nobody");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "not with nobody");
	ok(says(&b, "Nobody here is called “nobody”"), "... it says");
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "We.", "slug", "we", "others",
	    "lowri, kofi,Lowri", "title", "We two");
	is_int(b.last.status, HTTP_SEE_OTHER, "with somebody");
	get(&lowri, "/desk/requests");
	ok(says(&lowri, "We two"), "who finds it on her desk");
	is_int(SUBMIT(&lowri, "/edit/we/accept", "x", "y"), HTTP_SEE_OTHER, "... and says yes");
	get(&lowri, "/desk");
	ok(says(&lowri, "We two"), "it is among her drafts");
	is_int(get(&lowri, "/edit/we"), HTTP_OK, "... may edit it");
	SUBMIT(&lowri, "/edit/we", "do", "publish", "markdown", "We both.", "slug", "we", "title",
	    "We two", "others", "lowri");
	is_int(lowri.last.status, HTTP_SEE_OTHER, "... and publish it");
	get(&lowri, "/revisions/we");
	ok(says(&lowri, "Published: Text"), "... which its revision says");
	ok(stranger_sees(s, "/post/we", "Kofi Mensah-Boyd</a> and <a href=\"/author/lowri\""),
	    "its byline names both");
	ok(stranger_sees(s, "/author/lowri", "We two") &&
		stranger_sees(s, "/author/kofi", "We two"),
	    "it is in the list of each");
	is_int((int64_t)count_of(
		   visit(s, STR("/feed.atom")).body, STR("<name>Lowri Bevan</name>")) > 0,
	    true, "the feed names both");
}

/* --- Before it is published ------------------------------------------------------------------------ */

/* Words by chance, which can't be pressed to nothing. */
static void
put_words(struct buf *text, size_t letters)
{
	static uint64_t state = 1;

	for (size_t i = 0; i < letters; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		buf_putc(text, i % 7 == 6 ? ' ' : (char)('a' + (state >> 33) % 26));
	}
}

static void
checks(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), noor = browser_of(s, "noor");
	struct buf text = {.arena = s->arena}, packed = {.arena = s->arena};
	int64_t weight = 0;

	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "preview", "title", "Checked", "markdown",
	    "![](/a.png) ![harbour.JPG](/a.png) ![IMG_2041](/a.png) ![A boat](/b.png) "
	    "[1](/post/first-brent-geese) [2](/post/nowhere) "
	    "[3](/post/quiet-engines) [4](/tag/tides) [5](/tag/none) [6](/category/none) "
	    "[7](/author/kofi#x) [8](/author/nobody_here) [9](https://slack.example/post/lost) "
	    "[10](/post/we-are-giving-up-paper) [11](https://elsewhere.example/post/x) "
	    "[12](/archive) [13](/abuot) [14](#lights) [15](#bells) [16](/media/x.png) "
	    "![A hut](http://elsewhere.example/c.png)\n\n"
	    "## Lights\n\n![Gone](/media/00000000000000000000000000000000-600x400.jpg)",
	    "thumbnail_url", "https://pictures.example/x.jpg");
	ok(says(&b, "There is no excerpt"), "a preview says what is missing: an excerpt");
	ok(says(&b, "Nobody has said what the post’s picture shows."), "... a description");
	ok(says(&b, "3 pictures in the text have no description"),
	    "... of one picture, and of two that have the name of a file");
	ok(says(&b, "A picture in the text is shown as a link"),
	    "... what browsers would not show");
	ok(says(&b, "The link to /post/nowhere leads nowhere."), "... where a link leads");
	ok(says(&b, "The link to /post/lost leads nowhere."), "... also a whole address");
	ok(says(&b, "The link to /post/quiet-engines leads to a post that readers do not see yet."),
	    "... to a draft");
	ok(says(&b, "The link to /post/we-are-giving-up-paper leads to a post that was deleted."),
	    "... to what was deleted");
	ok(says(&b, "/tag/none leads nowhere") && says(&b, "/author/nobody_here leads nowhere") &&
		says(&b, "/category/none leads to a category that is not there"),
	    "... to nothing");
	ok(says(&b, "The link to /abuot leads nowhere.") && says(&b, "/media/x.png leads nowhere."),
	    "... to no page");
	ok(says(&b, "The link to #h-bells leads nowhere in this text."), "... to no heading");
	is_int((int64_t)count_of(b.last.body, STR("The link to ")), 10, "... and of no other");
	ok(says(&b,
	       "The picture /media/00000000000000000000000000000000-600x400.jpg is not there.") &&
		says(&b, "The picture /a.png is not there."),
	    "... which pictures are not there");
	for (int i = 0; i < 60; i++)
		buf_fmt(&text, "[%d](/tag/none-%d) ", i, i);
	BUF_PUT(&text, "![Gone](/media/00000000000000000000000000000000-600x400.jpg)");
	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "preview", "markdown",
	    str_cstring(s->arena, buf_str(&text)));
	ok(says(&b, "/tag/none-39 leads nowhere") && !says(&b, "/tag/none-40 leads"),
	    "of many links the first are looked at");
	ok(says(
	       &b, "The picture /media/00000000000000000000000000000000-600x400.jpg is not there."),
	    "... and the pictures all the same");
	text.len = 0;
	become(s, "noor", "author");
	get(&noor, "/write/article");
	SUBMIT(
	    &noor, "/write/article", "do", "preview", "markdown", "[1](/post/fog-a-first-attempt)");
	ok(says(&noor, "The link to /post/fog-a-first-attempt leads nowhere."),
	    "of another author’s draft it is not told that it is there");
	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "preview", "title", "Light", "excerpt", "Yes.",
	    "markdown", "Fine.");
	ok(!says(&b, "Before others read it"), "of what is well, nothing is said");
	put_words(&text, 8000);
	SUBMIT(&b, "/write/article", "do", "preview", "title", "Not heavy", "excerpt", "Yes.",
	    "markdown", str_cstring(s->arena, buf_str(&text)));
	ok(!says(&b, "The page weighs"), "... nor of what is light when it is compressed");
	put_words(&text, 24000);
	SUBMIT(&b, "/write/article", "do", "preview", "title", "Heavy", "excerpt", "Yes.",
	    "markdown", str_cstring(s->arena, buf_str(&text)));
	ok(str_int(part(b.last.body, "The page weighs ", " KB, compressed"), &weight) &&
		weight > 20,
	    "of what is heavy, its weight");
	SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", "Heavy", "excerpt", "Yes.",
	    "slug", "heavy", "markdown", str_cstring(s->arena, buf_str(&text)));
	gzip_put(s->site.gzip, &packed, visit(s, STR("/post/heavy")).body, GZIP_FOR_MANY);
	/* There the links to three more posts come to it. */
	ok(llabs((int64_t)packed.len / 1024 - weight) <= 2, "... which is nearly that of its page");
}

/* What an author may not know of is as what is not there, under whatever address. */
static void
checks_tell_nothing(struct seeded *s)
{
	static const char *const hidden[] = {"/post/sealed-one", "/post/sealed-two",
	    "/post/sealed-three", "/tag/sealed-tag", "/author/lowri"};
	static const char *const open[] = {"/post/a-clock-that-runs-on-the-moon",
	    "/post/a-clock-for-the-tide", "/author/ingrid", "/tag/moon"};
	struct browser kofi = browser_of(s, "kofi"), noor = browser_of(s, "noor");
	struct item lowri = seeded_item(s, "USER#lowri", "METADATA");
	struct item counts = seeded_item(s, "USER#lowri", "COUNTS");
	struct buf text = {.arena = s->arena};

	item_set(s->arena, &lowri, STR("Status"), value_string(STR("disabled")));
	item_set(s->arena, &counts, STR("Posts"), value_number(0));
	seeded_put(s, &lowri, 1);
	seeded_put(s, &counts, 1);
	get(&kofi, "/write/note");
	SUBMIT(&kofi, "/write/note", "do", "publish", "markdown", "Later.", "slug", "sealed-three",
	    "tag", "sealed-tag", "when", "2027-01-01T10:00");
	get(&kofi, "/write/note");
	SUBMIT(&kofi, "/write/note", "do", "save", "markdown", "A draft.", "slug", "sealed-one");
	get(&kofi, "/edit/sealed-one");
	is_int(SUBMIT(&kofi, "/edit/sealed-one", "do", "save", "markdown", "A draft.", "slug",
		   "sealed-two"),
	    HTTP_SEE_OTHER, "kofi has a draft, renamed, and what is yet to come");
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		buf_fmt(&text, "[x](%s) ", hidden[i]);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		buf_fmt(&text, "[x](%s) ", open[i]);
	become(s, "noor", "author");
	get(&noor, "/write/article");
	SUBMIT(&noor, "/write/article", "do", "preview", "markdown",
	    str_cstring(s->arena, buf_str(&text)));
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		ok(says(&noor,
		       str_cstring(s->arena, str_fmt(s->arena, "%s leads nowhere.", hidden[i]))),
		    "noor is not told that there is a %s", hidden[i]);
	is_int((int64_t)count_of(noor.last.body, STR("The link to ")),
	    sizeof(hidden) / sizeof(hidden[0]),
	    "... and what everybody may see is there, renamed or not");
	get(&kofi, "/edit/sealed-one");
	SUBMIT(&kofi, "/edit/sealed-one", "do", "preview", "markdown", "[x](/post/sealed-three)");
	ok(says(&kofi, "/post/sealed-three leads to a post that readers do not see yet"),
	    "who wrote it is told what it is");
}

/* Publishing warns once, and the author decides; saving does not ask. */
static void
asked(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", "publish", "title", "Buoys", "markdown",
		   "![](/a.png)", "slug", "buoys", "when", "2026-12-24T18:00", "tag", "Ebb & flow"),
	    HTTP_OK, "what readers may miss is told who wants to schedule it");
	ok(says(&b, "It is not published yet."), "... that it is not published yet");
	ok(holds(b.last.body, STR("<a href=\"#write-excerpt\">There is no excerpt")) &&
		holds(b.last.body, STR("<a href=\"#write-markdown\">A picture in the text has")),
	    "... and each leads to its field");
	ok(has_value(&b, "title", "Buoys") && has_value(&b, "when", "2026-12-24T18:00") &&
		holds(b.last.body, STR("value=\"Ebb &amp; flow\"")),
	    "all that was typed is in the form");
	is_str(text_of(&b, "markdown"), STR("![](/a.png)"), "... the text, too");
	is_int(get(&b, "/edit/buoys"), HTTP_NOT_FOUND, "nothing is saved");
	get(&b, "/write/article");
	ok(says(&b, "that you have not saved"), "... but waits for who goes away");
	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "publish", "title", "", "markdown", "Text.");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "what is wrong is told first");
	ok(!says(&b, "publish-anyway"), "... and can't be published anyway");
	SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", "", "markdown", "Text.");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "... by nobody");
	SUBMIT(&b, "/write/article", "do", "save", "title", "Buoys", "slug", "buoys");
	is_str(leads_to(&b), STR("/edit/buoys?done=saved"), "a draft asks nothing");
	get(&b, "/edit/buoys?done=saved");
	ok(!says(&b, "There is no excerpt"), "... and says nothing");
	SUBMIT(&b, "/edit/buoys", "do", "publish", "title", "Buoys", "markdown", "One.", "slug",
	    "buoys");
	ok(says(&b, "There is no excerpt"), "who publishes a draft is asked");
	SUBMIT(&b, "/edit/buoys", "do", "publish-anyway", "title", "Buoys", "markdown", "One.",
	    "slug", "buoys");
	is_str(leads_to(&b), STR("/post/buoys"), "... publishes it anyway");
	ok(stranger_sees(s, "/post/buoys", "One."), "... for everybody");
	get(&b, "/edit/buoys");
	ok(!says(&b, "There is no excerpt"), "who edits it is not reminded");
	SUBMIT(
	    &b, "/edit/buoys", "do", "save", "title", "Buoys", "markdown", "Two.", "slug", "buoys");
	is_str(leads_to(&b), STR("/edit/buoys?done=saved"), "nor asked when it is saved");
	get(&b, "/edit/buoys?done=saved");
	ok(says(&b, "Saved.") && says(&b, "There is no excerpt") && !says(&b, "not published yet"),
	    "... but told when it is");
	SUBMIT(&b, "/edit/buoys", "do", "unpublish", "title", "Buoys", "markdown", "Two.", "slug",
	    "buoys");
	get(&b, "/edit/buoys");
	is_int(SUBMIT(&b, "/edit/buoys", "do", "publish", "title", "Buoys", "markdown", "Two.",
		   "slug", "buoys"),
	    HTTP_OK, "who publishes it again is asked again");
	is_int(SUBMIT(&b, "/edit/buoys", "do", "publish", "title", "Buoys", "markdown", "Two.",
		   "slug", "buoys", "excerpt", "Red and green."),
	    HTTP_SEE_OTHER, "... but not when nothing is missing");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	rows(&s);
	howto(&s);
	link_(&s);
	for_a_group(&s);
	page(&s);
	untitled(&s);
	together(&s);
	checks(&s);
	checks_tell_nothing(&s);
	asked(&s);
	browsers_close(&s);
	return tap_done();
}
