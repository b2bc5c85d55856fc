/*
 * Coauthors are asked first: until they accept they may read the post, and they are neither named
 * nor counted. On their desk they accept or decline, and remove their name later: their own, nobody
 * else's, whatever their permissions.
 */
#include "writer.h"

#include "lib/tap.h"

#define LEAVE "/edit/ours/leave"
#define LEAVE_TOO "/edit/ours-too/leave"
#define BUTTON "Take my name off it: “Ours too”"

static int64_t
posts_of(struct seeded *s, const char *name)
{
	struct item counts = seeded_item(s, text_in(s, "USER#%s", name), "COUNTS");

	return item_number(&counts, STR("Posts"));
}

/* Sends what their desk does not offer. */
static enum http_status
leave_anyway(struct browser *b, const char *address)
{
	struct buf body = {.arena = b->s->arena};

	get(b, "/account");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	return fetch(b, "POST", address, buf_str(&body));
}

static void
publish(struct browser *b, const char *others)
{
	get(b, "/write/note");
	is_int(SUBMIT(b, "/write/note", "do", "publish", "anyway", "1", "title", "Ours too",
		   "markdown", "We.", "slug", "ours-too", "others", others),
	    HTTP_SEE_OTHER, "a post of several");
}

/* Says yes, on the desk. */
static void
accept(struct browser *b, const char *id)
{
	get(b, "/desk/requests");
	is_int(SUBMIT(b, text_in(b->s, "/edit/%s/accept", id), "x", "y"), HTTP_SEE_OTHER,
	    "who says yes");
}

/* Nothing public has anything of theirs in it, however many lists and numbers there are. */
static void
is_unnamed(struct seeded *s, const char *name, const char *display)
{
	static const char *const pages[] = {"/post/ours", "/", "/feed.atom", "/category/tides",
	    "/category/tides/feed.atom", "/author/kofi/feed.atom", "/archive/2026/11/18"};
	const char *link = text_in(s, "/author/%s\"", name);

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct str post = part(visit(s, str_of(pages[i])).body, "Ours", "</article>");

		ok(post.len == 0 || (!holds(post, str_of(link)) && !holds(post, str_of(display))),
		    "%s does not name %s", pages[i], name);
	}
	ok(!stranger_sees(s, text_in(s, "/author/%s", name), "Ours"),
	    "... nor is it in their list");
	ok(!stranger_sees(s, text_in(s, "/author/%s/feed.atom", name), "Ours"),
	    "... nor their feed");
}

static void
asked(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), pascal = browser_of(s, "pascal"),
		       ingrid = browser_of(s, "ingrid"), noor = browser_of(s, "noor");
	int64_t pascals = posts_of(s, "pascal"), ingrids = posts_of(s, "ingrid");

	get(&kofi, "/write/note");
	is_int(SUBMIT(&kofi, "/write/note", "do", "save", "title", "Ours", "markdown", "We.",
		   "slug", "ours", "category", "tides", "others", "pascal, ingrid"),
	    HTTP_SEE_OTHER, "a draft with two");
	get(&kofi, "/edit/ours");
	ok(says(&kofi, "Asked, and not yet accepted: Pascal") && says(&kofi, "Ingrid Aasland."),
	    "its author sees that they have not answered");
	ok(has_value(&kofi, "others", "pascal, ingrid"), "... and whom they asked");
	get(&pascal, "/desk");
	ok(says(&pascal, "see “Requests”") && !says(&pascal, ">Ours</a>"), "their desk says so");
	get(&pascal, "/desk/requests");
	ok(says(&pascal, "; you are asked to be named as an author beside them"), "... by whom");
	become(s, "pascal", "reader");
	get(&pascal, "/account");
	ok(says(&pascal, "href=\"/desk/requests\""), "... where a reader finds it, too");
	get(&pascal, "/desk/requests");
	ok(says(&pascal, "you are asked to be named"), "... by the account's page");
	become(s, "pascal", "author");
	is_int(get(&pascal, "/post/ours"), HTTP_OK, "who is asked may read it");
	is_int(get(&pascal, "/edit/ours"), HTTP_FORBIDDEN, "... and not edit it");
	is_int(get(&pascal, "/share/ours"), HTTP_NOT_FOUND, "... nor share it");
	is_int(get(&noor, "/post/ours"), HTTP_NOT_FOUND, "who is not asked may not");
	is_int(leave_anyway(&noor, "/edit/ours/accept"), HTTP_NOT_FOUND, "... nor say yes");
	is_int(leave_anyway(&kofi, "/edit/ours/accept"), HTTP_FORBIDDEN, "nor does its author");
	get(&kofi, "/edit/ours");
	is_int(SUBMIT(&kofi, "/edit/ours", "do", "publish-anyway", "title", "Ours", "markdown",
		   "We.", "slug", "ours", "category", "tides", "others", "pascal, ingrid"),
	    HTTP_SEE_OTHER, "it is published before they answer");
	is_int(posts_of(s, "pascal") - pascals, 0, "... and not counted for them");
	is_unnamed(s, "pascal", "Pascal");
	is_unnamed(s, "ingrid", "Ingrid");
	accept(&ingrid, "ours");
	is_str(leads_to(&ingrid), STR("/desk?done=accepted"), "... and is told");
	is_int(posts_of(s, "ingrid") - ingrids, 1, "it is counted for who says yes");
	ok(stranger_sees(s, "/author/ingrid", "Ours"), "... in her list");
	ok(stranger_sees(s, "/post/ours", "/author/ingrid"), "... and names her");
	is_unnamed(s, "pascal", "Pascal");
	get(&kofi, "/edit/ours");
	ok(!says(&kofi, "accepted: Ingrid") && has_value(&kofi, "others", "ingrid, pascal"),
	    "its author sees that she did");
	get(&pascal, "/desk/requests");
	is_int(SUBMIT(&pascal, LEAVE, "x", "y"), HTTP_SEE_OTHER, "who says no");
	is_str(leads_to(&pascal), STR("/desk?done=declined"), "... is told");
	is_int(get(&pascal, "/edit/ours"), HTTP_FORBIDDEN, "... and no part of it");
	get(&pascal, "/desk/requests");
	ok(!says(&pascal, "Ours"), "... nor asked any more");
	get(&kofi, "/edit/ours");
	is_int(SUBMIT(&kofi, "/edit/ours", "do", "save", "title", "Ours", "markdown", "We three.",
		   "slug", "ours", "others", "ingrid, pascal"),
	    HTTP_UNPROCESSABLE, "who said no is not asked once more");
	ok(says(&kofi, "pascal was asked, or named, and does not want to be"), "... which is said");
	is_str(text_of(&kofi, "markdown"), STR("We three."), "... and nothing is lost");
	get(&kofi, "/edit/ours");
	is_int(SUBMIT(&kofi, "/edit/ours", "do", "save", "title", "Ours", "markdown", "We two.",
		   "slug", "ours", "others", "ingrid, noor"),
	    HTTP_SEE_OTHER, "somebody else is");
	get(&kofi, "/edit/ours");
	is_int(SUBMIT(&kofi, "/edit/ours", "do", "save", "title", "Ours", "markdown", "We two.",
		   "slug", "ours", "others", "ingrid"),
	    HTTP_SEE_OTHER, "... until their author thinks better of it");
	get(&noor, "/desk/requests");
	ok(!says(&noor, "Ours"), "... and the request is gone");
	get(&kofi, "/edit/ours/delete");
	is_int(SUBMIT(&kofi, "/edit/ours/delete", NULL), HTTP_SEE_OTHER, "(it goes)");
}

/* In the download of one's data a request is a line, without somebody else's text. */
static void
not_theirs(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), sela = browser_of(s, "pascal");

	get(&kofi, "/write/note");
	SUBMIT(&kofi, "/write/note", "do", "save", "title", "Heron", "markdown", "A quincunx.",
	    "slug", "heron", "others", "pascal");
	get(&sela, "/account/data");
	is_int(SUBMIT(&sela, "/account/export", "x", "y"), HTTP_OK, "one's own data");
	ok(says(&sela, "\"PostRequest\"") && !says(&sela, "quincunx"),
	    "... say that one is asked, without the text");
}

static void
told(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), pascal = browser_of(s, "pascal"),
		       ingrid = browser_of(s, "ingrid"), marta = browser_of(s, "marta");
	int64_t before = posts_of(s, "pascal");

	publish(&kofi, "pascal, ingrid");
	accept(&pascal, "ours-too");
	accept(&ingrid, "ours-too");
	is_int(posts_of(s, "pascal") - before, 1, "... is counted for each");
	get(&kofi, "/desk/published");
	ok(says(&kofi, "Ours too") && !says(&kofi, LEAVE_TOO), "its author is who made it");
	get(&pascal, "/desk/published");
	ok(says(&pascal, "; you are named as an author beside them"),
	    "who was named is told, beside whom");
	ok(says(&pascal, BUTTON), "... and need not stay");
	is_int(
	    leave_anyway(&marta, LEAVE_TOO), HTTP_FORBIDDEN, "nobody else has a name to take off");
	is_int(leave_anyway(&kofi, LEAVE_TOO), HTTP_FORBIDDEN, "... nor has its author");
	get(&pascal, "/desk/published");
	is_int(SUBMIT(&pascal, LEAVE_TOO, "x", "y"), HTTP_SEE_OTHER, "... but by a button");
	get(&pascal, "/desk?done=left");
	ok(says(&pascal, "Your name is taken off it."), "... which is said");
	get(&pascal, "/desk/published");
	ok(!says(&pascal, "Ours too"), "... it is not on their desk");
	is_int(posts_of(s, "pascal") - before, 0, "... nor counted for them");
	ok(!stranger_sees(s, "/author/pascal", "Ours too"), "... nor in their list");
	ok(!stranger_sees(s, "/post/ours-too", "/author/pascal"), "... nor is their name on it");
	ok(stranger_sees(s, "/post/ours-too", "/author/ingrid"), "... the others' are");
	get(&ingrid, "/desk/published");
	ok(says(&ingrid, BUTTON), "... on whose desk it is still");
	is_int(
	    leave_anyway(&pascal, LEAVE_TOO), HTTP_FORBIDDEN, "there is nothing left to take off");
	get(&ingrid, "/edit/ours-too");
	is_int(SUBMIT(&ingrid, "/edit/ours-too", "do", "save", "title", "Ours too", "markdown",
		   "We two.", "others", "ingrid"),
	    HTTP_SEE_OTHER, "who is named may edit");
	get(&ingrid, "/desk/published");
	is_int(SUBMIT(&ingrid, LEAVE_TOO, "x", "y"), HTTP_SEE_OTHER, "... until they step back");
	is_int(get(&ingrid, "/edit/ours-too"), HTTP_FORBIDDEN, "... and no longer");
}

/* A secret link to the draft. */
static const char *
link_to(struct browser *b)
{
	get(b, "/share/plan");
	SUBMIT(b, "/share/plan", "days", "7");
	return str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/draft/"),
		str_sub(part(b->last.body, "https://slack.example/draft/", "<"), 0, 43)));
}

/* What only authors see is hidden from former ones. */
static void
draft(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), pascal = browser_of(s, "pascal"),
		       other = pascal, stranger = browser(s, "192.0.2.1"), marta,
		       ingrid = browser_of(s, "ingrid");
	const char *theirs, *kofis, *martas;

	get(&kofi, "/write/note");
	SUBMIT(&kofi, "/write/note", "do", "save", "title", "Plan", "markdown", "Hush.", "slug",
	    "plan", "others", "pascal, ingrid");
	accept(&pascal, "plan");
	accept(&ingrid, "plan");
	get(&pascal, "/desk");
	ok(says(&pascal, "Plan"), "a draft stands on the desk of who is named");
	theirs = link_to(&ingrid);
	kofis = link_to(&kofi);
	marta = browser_of(s, "marta");
	martas = link_to(&marta);
	is_int(get(&stranger, theirs), HTTP_OK, "... who may make a secret link to it");
	is_int(leave_anyway(&ingrid, "/edit/plan/leave"), HTTP_SEE_OTHER, "who steps back");
	get(&pascal, "/desk");
	other = pascal;
	is_int(SUBMIT(&pascal, "/edit/plan/leave", "x", "y"), HTTP_SEE_OTHER, "... who steps back");
	is_int(get(&pascal, "/post/plan"), HTTP_NOT_FOUND, "... and sees it no more");
	is_int(
	    leave_anyway(&other, "/edit/plan/leave"), HTTP_NOT_FOUND, "... nor steps back twice");
	is_int(get(&stranger, theirs), HTTP_NOT_FOUND, "the link of who stepped back has ended");
	is_int(get(&stranger, kofis), HTTP_OK, "... that of who is still an author has not");
	is_int(get(&stranger, martas), HTTP_OK, "... nor that of an editor, who never was one");
	get(&kofi, "/share/plan");
	ok(says(&kofi, "Has ended: who made it is no author"), "... as its page says");
	get(&kofi, "/edit/plan");
	ok(!has_value(&kofi, "others", "pascal"), "its author sees that they are gone");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	asked(&s);
	not_theirs(&s);
	told(&s);
	draft(&s);
	browsers_close(&s);
	return tap_done();
}
