/*
 * A note that quotes a post: the post stands under the note for whoever may read it, and counts the public notes that quote
 * it; what its writer may not read can't be quoted.
 */
#include "writer.h"

#include "lib/tap.h"

#include "model/key_post.h"
#include "model/post/count.h"

#define QUOTED "the-tide-in-forty-lines-of-c"

/* What all shards of a post have counted. */
static int64_t
shares(struct seeded *s, const char *post)
{
	struct table_call call = {.arena = s->arena};
	int64_t sum = 0;

	for (unsigned i = 0; i < 8; i++) {
		struct item *item = NULL;

		if (table_get(s->table, &call, key_count(s->arena, str_of(post), i), &item) !=
		    TABLE_OK)
			bail_out("no shard");
		if (item != NULL)
			sum += item_number(item, STR("Shares"));
	}
	table_release(s->table, &call);
	return sum;
}

static enum http_status
publish(struct browser *b, const char *address, const char *title, const char *quotes,
    const char *visibility)
{
	get(b, address);
	return SUBMIT(b, address, "do", "publish-anyway", "title", title, "markdown", "Read this.",
	    "quotes", quotes, "visibility", visibility);
}

static void
sharing(struct seeded *s, struct browser *kofi)
{
	struct browser reader = browser_of(s, "pascal");
	struct item head;

	get(&reader, "/post/" QUOTED);
	ok(!says(&reader, "Share in a note"), "who writes nothing is offered nothing");
	get(kofi, "/post/" QUOTED);
	ok(says(kofi, "href=\"/write/note?quotes=" QUOTED "\""),
	    "an author shares a post in a note");
	get(kofi, "/write/note?quotes=" QUOTED);
	ok(has_value(kofi, "quotes", QUOTED), "... whose form names it");
	SUBMIT(kofi, "/write/note", "do", "preview", "title", "Look", "markdown", "Read this.",
	    "quotes", QUOTED);
	ok(says(kofi, "class=\"quoted\""), "a preview shows it");
	is_int(publish(kofi, "/write/note", "Look here", QUOTED, "public"), HTTP_SEE_OTHER,
	    "it is published");
	head = seeded_item(s, "POST#look-here", "METADATA");
	is_str(item_string(&head, STR("Quotes")), STR(QUOTED), "... with the id of what it quotes");
	ok(stranger_sees(s, "/post/look-here", "class=\"quoted\"") &&
		stranger_sees(s, "/post/look-here", "href=\"/post/" QUOTED "\""),
	    "... which stands under it");
	is_int(shares(s, QUOTED), 1, "... and counts it");
	get(&reader, "/post/" QUOTED);
	ok(says(&reader, "1 note quotes it"), "... which its page says");
}

static void
states(struct seeded *s, struct browser *kofi)
{
	get(kofi, "/edit/look-here");
	ok(has_value(kofi, "quotes", QUOTED), "the form has what it quotes");
	SUBMIT(kofi, "/edit/look-here", "do", "unpublish", "title", "Look here", "markdown",
	    "Read this.", "quotes", QUOTED, "visibility", "public", "slug", "look-here");
	is_int(shares(s, QUOTED), 0, "a note that is taken back counts no more");
	is_int(publish(kofi, "/edit/look-here", "Look here", QUOTED, "followers"), HTTP_SEE_OTHER,
	    "... nor one for followers");
	is_int(shares(s, QUOTED), 0, "... whatever it quotes");
	is_int(publish(kofi, "/edit/look-here", "Look here", "whip-a-ropes-end", "public"),
	    HTTP_SEE_OTHER, "it quotes another post");
	is_int(shares(s, QUOTED), 0, "... which counts it");
	is_int(shares(s, "whip-a-ropes-end"), 1, "... instead");
	get(kofi, "/edit/look-here/delete");
	SUBMIT(kofi, "/edit/look-here/delete", "sure", "1");
	is_int(shares(s, "whip-a-ropes-end"), 0, "deleted, it counts nowhere");
	get(kofi, "/edit/look-here");
	SUBMIT(kofi, "/edit/look-here/undelete", "x", "y");
	is_int(shares(s, "whip-a-ropes-end"), 1, "... and had back, again");
}

/* What is not there, and what the writer may not read, get one answer. */
static void
hidden(struct seeded *s, struct browser *kofi)
{
	struct browser ingrid = browser_of(s, "ingrid");

	is_int(publish(&ingrid, "/write/note", "Of mine", "", "private"), HTTP_SEE_OTHER,
	    "somebody has a private post");
	is_int(publish(kofi, "/write/note", "Not there", "no-such-post", "public"),
	    HTTP_UNPROCESSABLE, "what is not there is not quoted");
	ok(says(kofi, "There is no such post to quote."), "... which is said");
	ok(has_value(kofi, "quotes", "no-such-post"), "... and nothing typed is lost");
	is_int(publish(kofi, "/write/note", "Not mine", "of-mine", "public"), HTTP_UNPROCESSABLE,
	    "... nor is what the writer may not read");
	ok(says(kofi, "There is no such post to quote."), "... in the same words");
	is_int(publish(kofi, "/write/note", "A page", "about", "public"), HTTP_UNPROCESSABLE,
	    "... nor a page");
	is_int(publish(&ingrid, "/write/note", "Of me", "of-mine", "public"), HTTP_SEE_OTHER,
	    "its author quotes it");
	get(&ingrid, "/post/of-me");
	ok(says(&ingrid, "class=\"quoted\"") && says(&ingrid, "Of mine"), "... and sees it");
	ok(!stranger_sees(s, "/post/of-me", "class=\"quoted\"") &&
		!stranger_sees(s, "/post/of-me", "of-mine"),
	    "... nobody else learns that it is there");
}

static void
renamed(struct seeded *s, struct browser *kofi)
{
	struct item head;

	is_int(publish(kofi, "/write/note", "By its new name", "a-clock-that-runs-on-the-moon",
		   "public"),
	    HTTP_SEE_OTHER, "a post that was renamed is quoted by its address");
	head = seeded_item(s, "POST#by-its-new-name", "METADATA");
	is_str(item_string(&head, STR("Quotes")), STR("a-clock-for-the-tide"), "... by its id");
	ok(stranger_sees(s, "/post/by-its-new-name", "/post/a-clock-that-runs-on-the-moon"),
	    "... and shown at its address");
}

/* What the text of a note names with "#" is a tag of it, and a link there. */
static void
hashtags(struct seeded *s, struct browser *kofi)
{
	struct str page;

	get(kofi, "/write/note");
	is_int(SUBMIT(kofi, "/write/note", "do", "publish-anyway", "title", "Named in passing",
		   "tag", "tides", "markdown",
		   "On #Ünder-way, (#bread) and #tides, not C#, x#y, #1, `#quincunx` or "
		   "[#larkspur](https://example.org/).",
		   "visibility", "public"),
	    HTTP_SEE_OTHER, "a note with hashtags");
	page = visit(s, STR("/post/named-in-passing")).body;
	page = part(page, "<div class=\"prose\"", "</div>");
	ok(holds(page, STR("<a href=\"/tag/bread\">#bread</a>")) &&
		holds(page, STR("\">#Ünder-way</a>,")) &&
		holds(page, STR("<a href=\"/tag/tides\">#tides</a>")),
	    "each is a link to its tag");
	is_int((int64_t)count_of(page, STR("/tag/")), 3, "... and nothing else is");
	ok(holds(visit(s, STR("/tag/bread")).body, STR("/post/named-in-passing")),
	    "the note is under its tags");
	ok(stranger_gets(s, "/tag/quincunx") == HTTP_NOT_FOUND &&
		stranger_gets(s, "/tag/larkspur") == HTTP_NOT_FOUND,
	    "... and under no other");
	get(kofi, "/edit/named-in-passing");
	ok(!has_value(kofi, "tag", "bread"), "the form has what is no part of the text");
	is_int(SUBMIT(kofi, "/edit/named-in-passing", "do", "save", "title", "Named in passing",
		   "tag", "water", "markdown", "Nothing of #bread_ but <#x>.", "visibility",
		   "public", "slug", "named-in-passing"),
	    HTTP_SEE_OTHER, "the text changes");
	ok(!holds(visit(s, STR("/tag/tides")).body, STR("/post/named-in-passing")),
	    "... and the tags with it");
	get(kofi, "/write/note");
	is_int(SUBMIT(kofi, "/write/note", "do", "publish-anyway", "title", "Too many", "markdown",
		   "#a1 #b1 #c1 #d1 #e1 #f1 #g1 #h1 #i1 #j1 #k1", "visibility", "public"),
	    HTTP_UNPROCESSABLE, "there are ten at most");
	ok(says(kofi, "ten at most") && says(kofi, "#k1"),
	    "... which is said, and nothing is lost");
	get(kofi, "/write/article");
	is_int(SUBMIT(kofi, "/write/article", "do", "publish-anyway", "title", "An article",
		   "markdown", "About #bread.", "visibility", "public"),
	    HTTP_SEE_OTHER, "in an article");
	ok(!stranger_sees(s, "/post/an-article", "/tag/bread"), "... they are words");
}

/* Several pictures in a note, also in a feed. */
static void
pictures(struct seeded *s, struct browser *kofi)
{
	static const char grid[] =
	    "<figure class=\"pictures\">\n<img src=\"https://a.example/1.png\" "
	    "alt=\"The quay\"";

	get(kofi, "/write/note");
	is_int(SUBMIT(kofi, "/write/note", "do", "publish-anyway", "title", "Two views", "markdown",
		   "On #bread.\n\n![The quay](https://a.example/1.png)\n\n![The "
		   "mill](https://a.example/2.png)",
		   "visibility", "public"),
	    HTTP_SEE_OTHER, "a note with two pictures");
	ok(stranger_sees(s, "/post/two-views", grid) &&
		stranger_sees(s, "/post/two-views", "alt=\"The mill\""),
	    "... has them side by side, each with what it shows");
	ok(stranger_sees(s, "/tag/bread/feed.atom",
	       "&lt;figure class=&quot;pictures&quot;&gt;\n&lt;img "
	       "src=&quot;https://a.example/1.png&quot; "
	       "alt=&quot;The quay&quot;"),
	    "... in feeds as well");
}

int
main(void)
{
	struct browser kofi;
	struct seeded s;

	browsers_open(&s);
	kofi = browser_of(&s, "kofi");
	sharing(&s, &kofi);
	states(&s, &kofi);
	hidden(&s, &kofi);
	renamed(&s, &kofi);
	hashtags(&s, &kofi);
	pictures(&s, &kofi);
	browsers_close(&s);
	return tap_done();
}
