/*
 * Finding what no index has: one's own posts on the desk, the staff's list of posts; and, while a link is added, what is here
 * already. Nobody learns by looking for words what they may not read.
 */
#include "t/derive/worker.h"
#include "writer.h"

#include "lib/tap.h"

static void
draft(struct browser *b, const char *title, const char *text, const char *state, const char *visibility)
{
	get(b, "/write/article");
	SUBMIT(b, "/write/article", "do", state, "title", title, "markdown", text, "excerpt", "Enough.",
	    "visibility", visibility);
	is_int(b->last.status, HTTP_SEE_OTHER, "“%s” is there", title);
}

static void
desk(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), lowri = browser_of(s, "lowri");

	draft(&kofi, "Zebra Crossing at Dawn", "Stripes.", "save", "public");
	draft(&kofi, "Élan of the Zebra", "Stripes.", "save", "public");
	get(&kofi, "/desk?q=zebra");
	ok(says(&kofi, "Zebra Crossing at Dawn") && says(&kofi, "Élan of the Zebra"), "one's drafts are found");
	get(&kofi, "/desk?q=zebra+DAWN");
	ok(says(&kofi, "Zebra Crossing at Dawn") && !says(&kofi, "Élan of the Zebra</a>"),
	    "... by all words that are typed");
	ok(says(&kofi, "name=\"q\" value=\"zebra DAWN\""), "... which stay in the box");
	get(&kofi, "/desk?q=nothing+like+this");
	ok(says(&kofi, "Nothing here has all of these words"), "nothing is said to be nothing");
	get(&kofi, "/desk/published?q=zebra");
	ok(!says(&kofi, "Zebra Crossing at Dawn</a>"), "a section has its own");
	get(&lowri, "/desk?q=zebra");
	ok(!says(&lowri, "Zebra Crossing"), "others do not find them");
	is_int(get(&kofi, "/desk?q=%e4%00"), HTTP_OK, "whatever is typed is answered");
}

static void
staff(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), marta = browser_of(s, "marta");

	draft(&kofi, "Quagga in private", "Stripes.", "publish-anyway", "private");
	get(&marta, "/admin/posts?state=drafts&author=kofi&q=zebra");
	ok(says(&marta, "Zebra Crossing at Dawn") && says(&marta, "Élan of the Zebra"), "the staff find drafts");
	get(&marta, "/admin/posts?state=closed&author=kofi");
	ok(says(&marta, "A private post"), "of a private post they see that it is there");
	get(&marta, "/admin/posts?state=closed&author=kofi&q=quagga");
	ok(!says(&marta, "A private post"), "... and do not learn by asking what it is called");
	get(&marta, "/admin/posts?q=tide");
	ok(says(&marta, "The tide in forty lines of C"), "they find what is published");
	get(&marta, "/admin/posts?q=zebra");
	ok(!says(&marta, "Zebra Crossing"), "... and in that list nothing else");
}

static void
staff_lists(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");

	get(&marta, "/admin/groups?q=proof");
	ok(says(&marta, "/admin/groups/proofreaders") && !says(&marta, "/admin/groups/harbour-watch"),
	    "groups are found by their names");
	get(&marta, "/admin/groups?q=nothing+like+this");
	ok(says(&marta, "Nothing here has all of these words"), "... or nothing is");
	get(&marta, "/admin/invitations");
	SUBMIT(&marta, "/admin/invitations", "whom", "edda@example.org");
	get(&marta, "/admin/invitations");
	SUBMIT(&marta, "/admin/invitations", "whom", "The other one");
	get(&marta, "/admin/invitations?q=EDDA");
	ok(says(&marta, "edda@example.org") && !says(&marta, "The other one"), "so are invitations, by whom they are for");
}

static void
told_of(struct browser *b, const char *url, bool there, const char *what)
{
	get(b, "/write/link");
	SUBMIT(b, "/write/link", "do", "preview", "title", "Mine", "url", url, "excerpt", "A page.");
	ok(says(b, "There is a link to this address already:") == there &&
		says(b, "href=\"/post/noaa-tides-and-currents\"") == there,
	    "%s", what);
}

static void
duplicates(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");

	told_of(&kofi, "https://tidesandcurrents.noaa.gov/", true, "a link that is here is told, with the way to it");
	told_of(&kofi, "http://www.TidesAndCurrents.noaa.gov?utm_source=x#top", true, "... however its address is written");
	told_of(&kofi, "https://tidesandcurrents.noaa.gov/map", false, "another page of the site is another");
	get(&kofi, "/write/link");
	SUBMIT(&kofi, "/write/link", "do", "publish", "title", "Mine too", "url", "https://tidesandcurrents.noaa.gov",
	    "excerpt", "A page.");
	ok(says(&kofi, "Publish anyway") && says(&kofi, "already:"), "it is asked before it is published");
	SUBMIT(&kofi, "/write/link", "do", "publish-anyway", "title", "Mine too", "url",
	    "https://tidesandcurrents.noaa.gov", "excerpt", "A page.");
	is_int(kofi.last.status, HTTP_SEE_OTHER, "... and refused to nobody");
	work(s);
	get(&kofi, "/edit/mine-too");
	SUBMIT(&kofi, "/edit/mine-too", "do", "preview");
	ok(!says(&kofi, "href=\"/post/mine-too\">Mine too</a></li>"), "a post is no duplicate of itself");
	get(&kofi, "/edit/mine-too");
	SUBMIT(&kofi, "/edit/mine-too", "do", "unpublish");
	told_of(&kofi, "https://example.net", false, "what nobody has is not told");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	work(&s);
	desk(&s);
	staff(&s);
	staff_lists(&s);
	duplicates(&s);
	browsers_close(&s);
	return tap_done();
}
