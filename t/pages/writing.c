/*
 * The editor as a browser uses it, without scripts: from the empty form to the deleted post.
 * Whatever happens to a form, what was typed is shown again.
 */
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key_post.h"

#define TEXT "The *tide* turns.\n\n## At noon\n\nAnd <b>again</b>."
enum { MINUTE = 60000 };

/* --- A first article ------------------------------------------------------------------------------ */

static void
beginning(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), noor = browser_of(s, "noor");

	is_int(get(&kofi, "/write"), HTTP_OK, "what is there to be written");
	ok(says(&kofi, "How-to") && holds(kofi.last.body, STR("/write/howto")), "... a how-to");
	is_int(get(&kofi, "/write/poem"), HTTP_NOT_FOUND, "... no poems");
	become(s, "noor", "author");
	become(s, "lowri", "author");
	get(&noor, "/write");
	ok(!holds(noor.last.body, STR("/write/page")), "an author writes no pages");
	is_int(get(&noor, "/write/page"), HTTP_FORBIDDEN, "... not even who knows the address");
	ok(!stranger_sees(s, "/", "/write"), "a stranger is not asked to write");
	get(&noor, "/");
	ok(holds(noor.last.body, STR("href=\"/write\"")) && holds(noor.last.body, STR("\"/desk\"")),
	    "an author is, on every page");
}

/* The first of the buttons whose value begins so. */
static const char *
offered(const struct browser *b, const char *prefix)
{
	struct str value =
	    part(b->last.body, text_in(b->s, "name=\"do\" value=\"%s", prefix), "\"");

	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, str_of(prefix), value));
}

/* Follows the first of the links by which what was not saved is taken up. */
static void
take_up(struct browser *b, const char *kind)
{
	const char *address = text_in(b->s, "/write/%s?take=", kind);
	struct str form = part(b->last.body, address, "\"");

	get(b, str_cstring(b->s->arena, STR_CONCAT(b->s->arena, str_of(address), form)));
}

/* The name of the oldest unsaved form, which is listed last. */
static const char *
oldest(const struct browser *b)
{
	struct str rest = b->last.body, form = STR("");

	while (between(&rest, STR("?take="), STR("\""), &form))
		continue;
	return str_cstring(b->s->arena, form);
}

static void
preview(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/article");
	is_int(
	    SUBMIT(&b, "/write/article", "do", "preview", "title", "Turning \"tide\"", "markdown",
		TEXT, "tag", "Tides", "tag", "Ebb & flow", "category", "tides", "excerpt",
		"Up, down.", "when", "2026-12-24T18:00", "slug", "a-turn", "cost", "nonsense"),
	    HTTP_OK, "a preview");
	ok(holds(b.last.body, STR("<p>The <em>tide</em> turns.</p>")), "... by the renderer");
	ok(!holds(b.last.body, STR("<b>again</b>")), "... that lets no HTML through");
	ok(holds(b.last.body, STR("<h1>Turning &quot;tide&quot;</h1>")), "... under its title");
	is_str(text_of(&b, "markdown"), STR(TEXT), "the text as it was typed");
	is_str(text_of(&b, "excerpt"), STR("Up, down."), "the excerpt");
	ok(has_value(&b, "title", "Turning &quot;tide&quot;"), "the title");
	ok(has_value(&b, "tag", "Tides, Ebb &amp; flow"), "each tag");
	ok(holds(b.last.body, STR("<option value=\"tides\" selected>")), "the category");
	ok(holds(b.last.body, STR("value=\"2026-12-24T18:00\"")), "the time");
	ok(has_value(&b, "slug", "a-turn"), "the address");
	is_int(stranger_gets(s, "/post/a-turn"), HTTP_NOT_FOUND, "nothing is saved");
	get(&b, "/desk");
	ok(says(&b, "Not saved") && says(&b, "Turning \"tide\""), "... as the desk says");
	get(&b, "/write/article");
	ok(says(&b, "There is something that you have not saved"), "but it waits");
	ok(!has_value(&b, "title", "Turning &quot;tide&quot;"), "... beside an empty page");
	take_up(&b, "article");
	is_str(text_of(&b, "markdown"), STR(TEXT), "... and can be taken up");
	ok(has_value(&b, "slug", "a-turn"), "... all of it");
	get(&b, "/write/note");
	ok(!says(&b, "that you have not saved"), "a note knows nothing of it");
	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", offered(&b, "discard-")), HTTP_SEE_OTHER,
	    "thrown away");
	get(&b, "/write/article");
	ok(!says(&b, "that you have not saved"), "... it is gone");
	is_int(SUBMIT(&b, "/write/article", "do", "preview", "category", "", "title", ""), HTTP_OK,
	    "a preview of nothing");
	get(&b, "/write/article");
	ok(!says(&b, "that you have not saved"), "... keeps nothing");
}

/* Each form for a new post has a place of its own: what is typed in one takes no other's. */
static void
several(struct seeded *s)
{
	struct browser one = browser_of(s, "kofi"), two = one, three;
	int64_t now = s->clock.fixed_now;
	const char *first, *form;

	get(&one, "/write/article");
	s->clock.fixed_now++;
	get(&two, "/write/article");
	s->clock.fixed_now++;
	SUBMIT(
	    &one, "/write/article", "do", "autosave", "title", "", "markdown", "The *first* tab.");
	SUBMIT(&two, "/write/article", "do", "autosave", "title", "Of the second", "markdown", "2");
	three = one;
	get(&three, "/write/article");
	ok(says(&three, "“The first tab.”, from 18 November 2026") &&
		says(&three, "“Of the second”"),
	    "what was typed on two tabs is offered, each by its first words");
	first = "The *first* tab.";
	is_int(
	    SUBMIT(&three, "/write/article", "do", offered(&three, "discard-"), "title", "Third"),
	    HTTP_OK, "one of them is thrown away on a third tab");
	ok(has_value(&three, "title", "Third"), "... on which what is typed stays");
	get(&one, "/desk");
	ok(says(&one, "The first tab.") && !says(&one, "Of the second") && says(&one, "Third"),
	    "the others are on the desk");
	s->clock.fixed_now++;
	get(&one, "/write/article");
	SUBMIT(&one, "/write/article", "do", "save", "title", "A fourth", "markdown", "Saved.");
	get(&one, "/desk");
	ok(says(&one, "The first tab.") && says(&one, "Third"),
	    "a save of another takes none of them");
	form = oldest(&one);
	get(&one, text_in(s, "/write/article?take=%s", form));
	is_str(text_of(&one, "markdown"), str_of(first), "the oldest is taken up");
	ok(!holds(one.last.body, str_of(text_in(s, "discard-%s", form))),
	    "... and not offered once more");
	SUBMIT(&one, "/write/article", "do", "save", "title", "Of the first", "markdown", first);
	get(&one, "/desk");
	ok(!says(&one, "The first tab.") && says(&one, "Third"), "saved, it alone is done");
	is_int(SUBMIT(&one, "/write/article", "do", offered(&one, "discard-")), HTTP_SEE_OTHER,
	    "the last is thrown away on the desk");
	is_str(leads_to(&one), STR("/desk?done=thrown"), "... which is there again");
	get(&one, "/desk");
	ok(!says(&one, "Not saved"), "... without it");
	s->clock.fixed_now = now;
}

/* An autosave from before each form had its own. */
static void
from_before(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct value inputs[] = {value_string(STR("markdown")), value_string(STR("Of old"))};
	struct item kept = {.count = 0};

	item_set(s->arena, &kept, STR("PK"), value_string(STR("USER#ingrid")));
	item_set(s->arena, &kept, STR("SK"), value_string(STR("AUTOSAVE#note")));
	item_set(s->arena, &kept, STR("Type"), value_string(STR("Autosave")));
	item_set(s->arena, &kept, STR("Username"), value_string(STR("ingrid")));
	item_set(s->arena, &kept, STR("Kind"), value_string(STR("note")));
	item_set(s->arena, &kept, STR("SavedAt"), value_string(STR("2026-11-17T00:00:00.000Z")));
	item_set(s->arena, &kept, STR("Inputs"),
	    (struct value){.kind = VALUE_LIST, .list = {inputs, 2}});
	seeded_put(s, &kept, 1);
	get(&b, "/write/note");
	ok(says(&b, "“Of old”"), "what was typed before an update is offered");
	take_up(&b, "note");
	is_str(text_of(&b, "markdown"), STR("Of old"), "... and taken up");
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "Of old");
	get(&b, "/write/note");
	ok(!says(&b, "that you have not saved"), "... until it is saved");
}

static void
draft(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "noor");
	struct item head;

	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", "save", "title", "Über die Flut", "markdown",
		   TEXT, "category", "tides", "tag", "Tides", "tag", "", "tag", "High water",
		   "when", "2026-12-24T18:00"),
	    HTTP_SEE_OTHER, "a draft is saved");
	is_str(
	    leads_to(&b), STR("/edit/ueber-die-flut?done=saved"), "... under its title's address");
	get(&b, "/edit/ueber-die-flut?done=saved");
	ok(says(&b, "Saved."), "... and it says so");
	is_str(text_of(&b, "markdown"), STR(TEXT), "... text and all");
	ok(has_value(&b, "tag", "tides, high-water"), "... tags in their one form");
	ok(holds(b.last.body, STR("value=\"2026-12-24T18:00\"")), "... the time that is planned");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "preview", "title", "Über die Flut", "markdown",
	    TEXT "\r\n", "category", "tides", "tag", "tides", "tag", "high-water", "tag", "",
	    "excerpt", "", "visibility", "public", "slug", "ueber-die-flut", "when",
	    "2026-12-24T18:00");
	get(&b, "/edit/ueber-die-flut");
	ok(!says(&b, "that you have not saved"),
	    "a preview of what is saved leaves nothing unsaved");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "preview", "live", "1", "title", "Über die Flut",
	    "markdown", "Something else.");
	ok(says(&b, "Something else.</p>") && !says(&b, "Another post is there"), "one for the script");
	get(&b, "/edit/ueber-die-flut");
	ok(!says(&b, "that you have not saved"), "... stores nothing");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "preview", "title", "Über die Flut", "markdown",
	    TEXT, "tag", "tides", "slug", "whip-a-ropes-end");
	ok(says(&b, "Another post is there: choose another"), "whose address it takes is told");
	get(&b, "/edit/ueber-die-flut");
	ok(says(&b, "that you have not saved"), "... and this preview leaves something");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "preview", "title", "Über die Flut", "markdown", TEXT,
	    "category", "tides", "tag", "tides, high-water", "slug", "ueber-die-flut");
	get(&b, "/edit/ueber-die-flut");
	ok(says(&b, "that you have not saved"), "... which looking at what is saved leaves there");
	get(&b, "/desk");
	ok(holds(b.last.body, STR("href=\"/edit/ueber-die-flut?take=up\"")) && says(&b, "are not saved"),
	    "... and the desk leads to");
	get(&b, "/desk");
	ok(says(&b, "Über die Flut") && says(&b, "Planned for 24 December 2026, 18:00 GMT"),
	    "it is on the desk");
	is_int(get(&b, "/post/ueber-die-flut"), HTTP_OK, "its author sees it at its address");
	ok(says(&b, "A draft."), "... and that it is a draft");
	ok(holds(b.last.body, STR("href=\"/edit/ueber-die-flut\"")), "... and the way to edit it");
	is_int(stranger_gets(s, "/post/ueber-die-flut"), HTTP_NOT_FOUND, "a stranger does not");
	ok(!stranger_sees(s, "/", "Über die Flut") && !stranger_sees(s, "/feed.atom", "die Flut") &&
		!stranger_sees(s, "/category/tides", "die Flut") &&
		!stranger_sees(s, "/sitemap/2026-11.xml", "ueber-die-flut") &&
		!stranger_sees(s, "/author/kofi", "die Flut") &&
		!stranger_sees(s, "/tags", "high-water"),
	    "it is in no list");
	is_int(get(&other, "/edit/ueber-die-flut"), HTTP_NOT_FOUND,
	    "to another author it is not there");
	get(&b, "/edit/ueber-die-flut");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "unpublish", "title", "Über die Flut", "markdown",
	    TEXT, "category", "tides", "tag", "high-water", "slug", "ueber-die-flut");
	head = seeded_item(s, "POST#ueber-die-flut", "METADATA");
	is_str(item_string(&head, STR("Status")), STR("draft"),
	    "a draft that is unpublished by hand stays a draft");
}

static void
publishing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/edit/ueber-die-flut");
	is_int(SUBMIT(&b, "/edit/ueber-die-flut", "do", "publish", "title", "", "markdown", "Text.",
		   "category", "gone", "thumbnail_url", "ftp://x"),
	    HTTP_UNPROCESSABLE, "what is not right is not published");
	ok(says(&b, "A title is missing.") && holds(b.last.body, STR("href=\"#write-title\"")),
	    "... the summary leads to the title");
	ok(says(&b, "This category is not there any more."), "... to the category");
	ok(has_value(&b, "thumbnail_url", "ftp://x"), "... what was typed is still there");
	is_str(text_of(&b, "markdown"), STR("Text."), "... the text, too");
	get(&b, "/edit/ueber-die-flut");
	is_int(SUBMIT(&b, "/edit/ueber-die-flut", "do", "publish-anyway", "title", "Über die Flut",
		   "markdown", TEXT, "category", "tides", "tag", "high-water", "slug",
		   "ueber-die-flut"),
	    HTTP_SEE_OTHER, "published");
	is_str(leads_to(&b), STR("/post/ueber-die-flut"), "... to be seen");
	is_int(stranger_gets(s, "/post/ueber-die-flut"), HTTP_OK, "by everybody");
	ok(stranger_sees(s, "/", "Über die Flut"), "on the front page");
	ok(stranger_sees(s, "/category/tides", "<p class=\"excerpt\">The tide turns."),
	    "... with how it begins, as it has no excerpt");
	ok(stranger_sees(s, "/feed.atom", "Über die Flut"), "in the feed");
	ok(stranger_sees(s, "/sitemap/2026-11.xml", "ueber-die-flut"), "in the sitemap");
	ok(stranger_sees(s, "/tag/high-water", "Über die Flut"), "at its tag");
	ok(!stranger_sees(s, "/post/ueber-die-flut", "/edit/"),
	    "and no stranger is shown how to edit");
}

static void
scheduling(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "ingrid");
	int64_t now = s->clock.fixed_now;
	struct str counted;

	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "At its minute.", "when",
	    "2026-11-18T10:00", "slug", "on-time", "tag", "a-surprise");
	is_str(
	    leads_to(&b), STR("/edit/on-time?done=scheduled"), "a note for half an hour from now");
	is_int(stranger_gets(s, "/post/on-time"), HTTP_NOT_FOUND, "... is not there yet");
	ok(!stranger_sees(s, "/", "At its minute."), "... nor on the front page");
	ok(!stranger_sees(s, "/tags", "a-surprise"), "... nor is its tag among the tags");
	is_int(
	    stranger_gets(s, "/tag/a-surprise"), HTTP_NOT_FOUND, "... of which there is no page");
	is_int(stranger_gets(s, "/tag/a-surprise/feed.atom"), HTTP_NOT_FOUND, "... and no feed");
	get(&other, "/write/note");
	ok(!says(&other, "a-surprise"), "... and nobody who writes is offered its tag");
	counted = part(visit(s, STR("/authors")).body, "href=\"/author/kofi\"", "</li>");
	get(&b, "/desk/scheduled");
	ok(says(&b, "Appears 18 November 2026, 10:00 GMT"), "... but on the desk");
	s->clock.fixed_now = now + 30 * MINUTE - 1;
	is_int(stranger_gets(s, "/post/on-time"), HTTP_NOT_FOUND, "not a moment before");
	s->clock.fixed_now = now + 30 * MINUTE;
	is_int(stranger_gets(s, "/post/on-time"), HTTP_OK, "at its minute it is");
	ok(stranger_sees(s, "/tags", "a-surprise"), "... with its tag");
	is_int(stranger_gets(s, "/tag/a-surprise"), HTTP_OK, "... and the page of that");
	get(&other, "/write/note");
	ok(says(&other, "<option value=\"a-surprise\">"), "... which is offered to writers");
	ok(!str_eq(part(visit(s, STR("/authors")).body, "href=\"/author/kofi\"", "</li>"), counted),
	    "... and counts for its author");
	s->clock.fixed_now = now;
	get(&b, "/edit/on-time");
	ok(says(&b, "Call it off"), "it can be called off");
	is_int(SUBMIT(&b, "/edit/on-time", "do", "unpublish", "markdown", "Later.", "when",
		   "2026-11-18T10:00", "slug", "on-time"),
	    HTTP_SEE_OTHER, "... with what was typed");
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Better not.", "when",
	    "2026-11-18T10:00", "slug", "better-not");
	get(&b, "/edit/better-not/delete");
	is_int(SUBMIT(&b, "/edit/better-not/delete", NULL), HTTP_SEE_OTHER,
	    "another is deleted before its time");
	s->clock.fixed_now = now + 60 * MINUTE;
	is_int(stranger_gets(s, "/post/on-time"), HTTP_NOT_FOUND, "... and never appears");
	is_int(stranger_gets(s, "/post/better-not"), HTTP_NOT_FOUND,
	    "... nor is it said that there was to be one");
	s->clock.fixed_now = now;
}

/* --- Changes -------------------------------------------------------------------------------------- */

static void
another_address(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct answer moved;

	get(&b, "/edit/ueber-die-flut");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "save", "title", "On the flood", "markdown", TEXT,
	    "category", "tides", "slug", "first-brent-geese");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "somebody else's address");
	ok(says(&b, "This address is taken."), "... can't be had");
	ok(has_value(&b, "title", "On the flood"), "... and nothing typed is lost");
	get(&b, "/edit/ueber-die-flut");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "save", "title", "On the flood", "markdown", TEXT,
	    "category", "tides", "slug", "on-the-flood", "when", "2026-11-18T09:30");
	is_int(b.last.status, HTTP_SEE_OTHER, "another address");
	is_int(stranger_gets(s, "/post/on-the-flood"), HTTP_OK, "... is the post's");
	moved = visit(s, STR("/post/ueber-die-flut"));
	is_int(moved.status, HTTP_MOVED, "the old one");
	is_str(header(&moved, "Location"), STR("/post/on-the-flood"), "... leads there");
	ok(stranger_sees(s, "/feed.atom", "On the flood"), "the feed has the new title");
}

/* A picture from another site, of unknown size. */
static void
picture(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "See.", "slug", "with-a-picture",
	    "thumbnail_url", "https://pictures.example/boat.jpg", "thumbnail_alt", "A boat");
	ok(stranger_sees(s, "/post/with-a-picture",
	       "src=\"https://pictures.example/boat.jpg\" alt=\"A boat\""),
	    "a picture from elsewhere");
	ok(!stranger_sees(s, "/post/with-a-picture", "width=\"0\""),
	    "... is not said to have no width");
	get(&b, "/write/note");
	SUBMIT(
	    &b, "/write/note", "do", "save", "markdown", "x", "thumbnail_url", "//evil.example/x");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "an address that only looks like ours is none");
}

/* Pictures of one's own are chosen by looking at them. */
static void
cover(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	const char *of_kofi =
	    str_cstring(s->arena, part(visit(s, STR("/post/the-tide-in-forty-lines-of-c")).body,
				      "<img class=\"picture\" src=\"", "\""));
	const char *chosen = text_in(s, "name=\"thumbnail_url\" value=\"%s\" checked>", of_kofi);

	get(&b, "/write/article");
	ok(holds(b.last.body, STR("name=\"thumbnail_url\" value=\"\" checked>")),
	    "a new post has no cover");
	ok(has_value(&b, "thumbnail_url", of_kofi),
	    "... and the pictures of its author to choose from");
	SUBMIT(&b, "/write/article", "do", "preview", "title", "Covered", "thumbnail_url", of_kofi,
	    "thumbnail_focus", "top-left");
	ok(holds(b.last.body, str_of(chosen)), "one is chosen");
	ok(holds(b.last.body, STR("<img class=\"at-top-left\" src=\"/media/")),
	    "... and which part of it lists keep in sight");
	SUBMIT(&b, "/write/article", "do", "save", "title", "Covered", "thumbnail_focus", "askew");
	ok(says(&b, "Choose one of these."), "... but none that is no place");
	b = browser_of(s, "tobias");
	get(&b, "/edit/the-tide-in-forty-lines-of-c");
	ok(holds(b.last.body, str_of(chosen)),
	    "an editor of the post sees its cover, whose picture it may be");
	b = browser_of(s, "noor");
	get(&b, "/write/article");
	ok(!has_value(&b, "thumbnail_url", of_kofi), "others choose from theirs");
}

/* A post without a picture of its own shows the first one of its text in lists. */
static void
first_picture(struct seeded *s)
{
	static const char *const shown =
	    "<img src=\"/media/0123456789abcdef0123456789abcdef-960x640.jpg\" "
	    "srcset=\"/media/0123456789abcdef0123456789abcdef-480x320.jpg 480w";
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", "Two boats", "excerpt",
	    "Here.", "markdown",
	    "![Elsewhere](https://pictures.example/boat.jpg)\n\n"
	    "![A boat](/media/0123456789abcdef0123456789abcdef-960x640.jpg)");
	is_int(b.last.status, HTTP_SEE_OTHER, "a post with a picture of this site in its text");
	ok(stranger_sees(s, "/author/kofi", shown), "... shows it in lists");
	get(&b, "/edit/two-boats");
	SUBMIT(&b, "/edit/two-boats", "do", "save", "title", "Two boats", "excerpt", "Here.",
	    "markdown", "![Elsewhere](https://pictures.example/boat.jpg)");
	ok(!stranger_sees(s, "/author/kofi", shown), "... until it is taken out");
}

static struct str
head_says(struct seeded *s, const char *id, const char *attribute)
{
	struct item head = seeded_item(s, text_in(s, "POST#%s", id), "METADATA");

	return item_string(&head, str_of(attribute));
}

/* What a form can't express to the second, and what nobody has chosen. */
static void
small_print(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	int64_t now = s->clock.fixed_now;

	s->clock.fixed_now = now + 17123;
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Exact.", "slug", "exact");
	is_str(head_says(s, "exact", "PublishedAt"), STR("2026-11-18T09:30:17.123Z"),
	    "published to the millisecond");
	get(&b, "/edit/exact");
	SUBMIT(&b, "/edit/exact", "do", "save", "markdown", "Exactly.", "slug", "exact", "when",
	    "2026-11-18T09:30");
	is_str(head_says(s, "exact", "PublishedAt"), STR("2026-11-18T09:30:17.123Z"),
	    "... an edit that knows only the minute does not move it");
	get(&b, "/edit/exact");
	SUBMIT(&b, "/edit/exact", "do", "save", "markdown", "Exactly.", "slug", "exact", "when",
	    "2026-11-18T08:15");
	is_str(head_says(s, "exact", "PublishedAt"), STR("2026-11-18T08:15:00.000Z"),
	    "... another minute does");
	s->clock.fixed_now = now;
	get(&b, "/edit/exact");
	SUBMIT(&b, "/edit/exact", "do", "save", "markdown", "Old.", "slug", "exact", "when",
	    "1899-12-31T23:59");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "... but not one of long ago");
	SUBMIT(&b, "/edit/exact", "do", "save", "markdown", "Far.", "slug", "exact", "when",
	    "9999-12-31T23:59");
	ok(b.last.status == HTTP_UNPROCESSABLE && says(&b, "Write a year from 1900 to 2999."),
	    "... nor of nobody's time");
	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "save");
	is_str(leads_to(&b), STR("/edit/article?done=saved"), "a draft that says nothing yet");
	get(&b, "/edit/article");
	SUBMIT(&b, "/edit/article", "do", "save", "title", "Fog signals", "slug", "article");
	is_str(head_says(s, "article", "Slug"), STR("fog-signals"),
	    "... gets its address when it has a title");
	get(&b, "/edit/article");
	SUBMIT(&b, "/edit/article", "do", "publish-anyway", "title", "Fog signals", "slug",
	    "fog-signals", "markdown", "Toot.");
	get(&b, "/edit/article");
	SUBMIT(&b, "/edit/article", "do", "save", "title", "Fog horns", "slug", "fog-signals",
	    "markdown", "Toot.");
	is_str(head_says(s, "article", "Slug"), STR("fog-signals"),
	    "... and keeps it once it is published");
}

static void
taking_back(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/edit/ueber-die-flut");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "unpublish", "title", "On the flood", "markdown",
	    "Better.", "slug", "on-the-flood");
	is_str(leads_to(&b), STR("/edit/ueber-die-flut?done=unpublished"), "taken back");
	is_int(stranger_gets(s, "/post/on-the-flood"), HTTP_NOT_FOUND, "... for strangers");
	ok(!stranger_sees(s, "/feed.atom", "On the flood"), "... and out of the feed");
	get(&b, "/desk/unpublished");
	ok(says(&b, "On the flood"), "... it is on the desk");
	get(&b, "/edit/ueber-die-flut");
	ok(says(&b, "Publish again"), "... and can be published again");
	SUBMIT(&b, "/edit/ueber-die-flut", "do", "publish-anyway", "title", "On the flood",
	    "markdown", "Better.", "slug", "on-the-flood", "when", "2026-11-18T09:30");
	is_int(stranger_gets(s, "/post/on-the-flood"), HTTP_OK, "... it is");
}

static void
ending(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "noor");

	get(&b, "/edit/ueber-die-flut");
	is_int(SUBMIT(&b, "/edit/ueber-die-flut", "do", "delete", "title", "Half a"),
	    HTTP_SEE_OTHER, "to be deleted");
	is_int(get(&b, "/edit/ueber-die-flut/delete"), HTTP_OK, "... it asks first");
	is_int(stranger_gets(s, "/post/on-the-flood"), HTTP_OK, "... nothing has happened yet");
	is_int(SUBMIT(&b, "/edit/ueber-die-flut/delete", NULL), HTTP_SEE_OTHER, "then it goes");
	is_int(
	    stranger_gets(s, "/post/on-the-flood"), HTTP_GONE, "its address says that it is gone");
	ok(!stranger_sees(s, "/", "On the flood"), "it is in no list");
	is_int(get(&other, "/edit/ueber-die-flut"), HTTP_NOT_FOUND, "nobody else is told of it");
	get(&b, "/desk/deleted");
	ok(says(&b, "On the flood") && says(&b, "Gone for good on 18 December 2026"),
	    "it lies on the desk for 30 days");
	is_int(get(&b, "/edit/ueber-die-flut"), HTTP_OK, "its page");
	ok(says(&b, "is deleted"), "... offers to have it back");
	is_int(SUBMIT(&b, "/edit/ueber-die-flut/undelete", NULL), HTTP_SEE_OTHER, "had back");
	is_int(stranger_gets(s, "/post/on-the-flood"), HTTP_OK, "... for everybody");
}

/* --- The script's ---------------------------------------------------------------------------------- */

/* So many of kofi's, older than all others, that his desk has them on two pages. */
static void
many_drafts(struct seeded *s)
{
	for (int i = 0; i <= 20; i++) {
		struct post post = {.id = str_fmt(s->arena, "draft-%02d", i),
		    .author = STR("kofi"),
		    .kind = KIND_NOTE,
		    .status = STATUS_DRAFT,
		    .visibility = VISIBILITY_PUBLIC,
		    .created = 1 + i,
		    .updated = 1 + i};
		struct item item = {0};

		post.slug = post.title = post.id;
		key_set(s->arena, &item, key_post(s->arena, post.id), ITEM_POST);
		post_to_item(s->arena, &post, &item);
		key_index_post(s->arena, &item, &post);
		seeded_put(s, &item, 1);
	}
}

static void
by_itself(struct seeded *s)
{
	static const char page[] = "/edit/whip-a-ropes-end";
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "noor");

	get(&b, "/edit/whip-a-ropes-end");
	is_int(SUBMIT(&b, "/edit/whip-a-ropes-end", "do", "autosave", "title", "A bowl", "markdown",
		   "Half."),
	    HTTP_OK, "what is typed is noted");
	is_str(b.last.body, STR("18 November 2026, 09:30 GMT"), "... at a time");
	ok(!stranger_sees(s, "/post/whip-a-ropes-end", "Half."), "... apart from the post");
	get(&b, "/edit/whip-a-ropes-end");
	ok(says(&b, "There is something that you have not saved"), "... and offered");
	get(&b, "/desk");
	ok(holds(b.last.body, STR("/edit/whip-a-ropes-end?take=up")), "... on the desk as well, whatever it is of");
	many_drafts(s);
	get(&b, "/desk");
	ok(holds(b.last.body, STR("/edit/whip-a-ropes-end?take=up")), "... before the newest of many drafts");
	get(&b, str_cstring(s->arena, unescaped(s->arena, part(b.last.body, "class=\"older\" href=\"", "\""))));
	ok(says(&b, "draft-00") && !holds(b.last.body, STR("?take=up")), "... and once");
	get(&b, "/edit/whip-a-ropes-end?take=up");
	ok(has_value(&b, "title", "A bowl"), "... as it was");
	get(&other, "/edit/whip-a-ropes-end");
	ok(!says(&other, "you have not saved"), "... to nobody else");
	get(&b, "/edit/whip-a-ropes-end");
	submit_form(&b, page, page, (const char *const[]){"do", "autosave", NULL});
	get(&b, "/edit/whip-a-ropes-end");
	ok(says(&b, "you have not saved"), "a window in which nothing is typed takes nothing of it away");
	submit_form(&b, page, page, (const char *const[]){"do", "autosave", "again", "1", NULL});
	get(&b, "/edit/whip-a-ropes-end");
	ok(!says(&b, "you have not saved"), "... but the one in which it was typed and taken back");
	get(&b, "/desk");
	ok(!holds(b.last.body, STR("whip-a-ropes-end?take=up")), "... and then the desk tells of nothing");
	submit_form(&b, page, page, (const char *const[]){"do", "autosave", "title", "A bowl", NULL});
	become(s, "kofi", "reader");
	get(&b, "/desk");
	ok(says(&b, "A bowl"), "who may edit it no more is told of it");
	is_int(SUBMIT(&b, page, "do", "discard", "from", "desk"), HTTP_SEE_OTHER, "... and throws it away");
	get(&b, "/desk");
	ok(!says(&b, "A bowl"), "... there");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	beginning(&s);
	preview(&s);
	several(&s);
	from_before(&s);
	draft(&s);
	publishing(&s);
	scheduling(&s);
	another_address(&s);
	picture(&s);
	cover(&s);
	first_picture(&s);
	small_print(&s);
	taking_back(&s);
	ending(&s);
	by_itself(&s);
	browsers_close(&s);
	return tap_done();
}
