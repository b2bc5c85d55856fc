/*
 * What has a listed word waits, wherever readers write: notes of reviews, profiles, collections, notes as posts. It is never
 * refused, nobody is told why, nothing typed is lost, and an editor approves it. So it is with what only programs do.
 */
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"

#include <string.h>

#define QUEUE "/admin/comments"
#define MINE "/account/restricted"
#define LINK "/post/noaa-tides-and-currents"

static void
pass(struct seeded *s)
{
	s->clock.fixed_now += 3600000;
}

static struct str
row_of(struct browser *b, const char *list, const char *text)
{
	struct str rest = (get(b, list), b->last.body), row;

	while (between(&rest, STR("<li>"), STR("</li>"), &row))
		if (holds(row, str_of(text)))
			return row;
	return STR("");
}

/* Waits in that list, for that reason, which its owner is not told; approved it is there. */
static void
waits(struct seeded *s, const char *who, const char *list, const char *says_what, const char *page)
{
	struct browser editor = browser_of(s, "tobias"), owner = browser_of(s, who);
	struct str row = row_of(&editor, list, says_what), value;

	ok(!stranger_sees(s, page, says_what), "others do not see it");
	ok(holds(unescaped(s->arena, row), STR("Waits: it has the word “casino”")),
	    "it is in the queue, with why");
	get(&owner, MINE);
	ok(!says(&owner, "it has the word"), "its owner is not told why");
	value = part(row, "name=\"approve\" value=\"", "\"");
	is_int(SUBMIT(&editor, list, "approve", str_cstring(s->arena, unescaped(s->arena, value))),
	    HTTP_SEE_OTHER, "it is approved");
	ok(stranger_sees(s, page, says_what), "... and there for everybody");
}

static void
reviews(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");

	is_int(submit_form(&b, LINK "/rating", LINK "/rating",
		   (const char *const[]){"stars", "4", "note", "As in a casino of the sea.", NULL}),
	    HTTP_SEE_OTHER, "a note is sent");
	b = browser_of(s, "tobias");
	ok(row_of(&b, "/admin/reviews?q=CASINO+pascal", "casino of the sea").len != 0 &&
		row_of(&b, "/admin/reviews?q=casino+nowhere", "casino of the sea").len == 0,
	    "what waits is looked for by its words");
	waits(s, "pascal", "/admin/reviews", "casino of the sea", LINK "/reviews");
	b = newcomer(s, "swift");
	get(&b, LINK "/rating");
	pass(s);
	SUBMIT(&b, LINK "/rating", "stars", "5", "note", "My first casino.");
	waits(s, "swift", "/admin/reviews", "My first casino.", LINK "/reviews");
	get(&b, LINK "/rating");
	SUBMIT(&b, LINK "/rating", "stars", "5", "note", "Typed in no time.");
	ok(!stranger_sees(s, LINK "/reviews", "Typed in no time."), "one sent at once waits");
	get(&b, LINK "/rating");
	pass(s);
	is_int(SUBMIT(&b, LINK "/rating", "stars", "4", "note", "Filled in by a program.",
		   "website", "x"),
	    HTTP_SEE_OTHER, "so is one with the hidden field filled in");
	ok(!stranger_sees(s, LINK "/reviews", "Filled in by a program."), "... which waits");
	get(&b, LINK "/rating");
	ok(says(&b, "Your note waits for an editor"), "... as its author sees");
}

static void
profiles(struct seeded *s)
{
	struct browser b = browser_of(s, "swift");

	is_int(submit_form(&b, "/account", "/account/profile",
		   (const char *const[]){"bio", "Owner of the casino on the quay", NULL}),
	    HTTP_SEE_OTHER, "a profile is saved");
	get(&b, "/account");
	is_str(
	    text_of(&b, "bio"), STR("Owner of the casino on the quay"), "... and is there still");
	ok(says(&b, "waits for an editor"), "... waiting");
	get(&b, MINE);
	ok(says(&b, "What you say of yourself") && says(&b, "Waiting for an editor"),
	    "... which stands among what does");
	waits(s, "swift", QUEUE, "casino on the quay", "/author/swift");
}

/* The note on a post in a public one, too; and once it is approved, the same note waits for nobody again. */
static void
noted(struct seeded *s, struct browser *b)
{
	const char *edit, *posts, *view;
	struct str at;

	get(b, "/account/collections");
	SUBMIT(b, "/account/collections", "name", "A quiet shelf");
	at = leads_to(b);
	at = str_sub(at, 0, strlen("/collection/") + 14);
	view = str_cstring(s->arena, at);
	edit = text_in(s, "%s/edit", view);
	posts = text_in(s, "%s/posts", view);
	get(b, "/collect/noaa-tides-and-currents");
	is_int(SUBMIT(b, "/collect/noaa-tides-and-currents", "collection",
		   view + strlen("/collection/"), "note", "Plain."),
	    HTTP_SEE_OTHER, "a post is put into a public collection");
	ok(stranger_sees(s, "/collections", "A quiet shelf"), "... which others see");
	get(b, edit);
	is_int(SUBMIT(b, posts, "place", "1", "note", "Better than a casino."), HTTP_SEE_OTHER, "its note is changed");
	get(b, edit);
	ok(says(b, "Better than a casino."), "... and is there");
	ok(!stranger_sees(s, "/post/noaa-tides-and-currents", "A quiet shelf"),
	    "the post does not name the collection");
	waits(s, "swift", QUEUE, "A quiet shelf", "/collections");
	get(b, edit);
	SUBMIT(b, posts, "do", "up", "place", "1", "note", "Better than a casino.");
	ok(stranger_sees(s, view, "Better than a casino."),
	    "what was approved stays when the post is moved");
}

static void
collections(struct seeded *s)
{
	struct browser b = browser_of(s, "swift");

	get(&b, "/account/collections");
	is_int(SUBMIT(&b, "/account/collections", "name", "Every casino"), HTTP_SEE_OTHER,
	    "a collection is made");
	get(&b, "/account/collections");
	ok(says(&b, "Every casino"), "... and is its owner’s");
	waits(s, "swift", QUEUE, "Every casino", "/collections");
	noted(s, &b);
	get(&b, "/account/collections");
	is_int(SUBMIT(&b, "/account/collections", "name", "Another casino", "private", "1"),
	    HTTP_SEE_OTHER, "a private one");
	b = browser_of(s, "tobias");
	ok(row_of(&b, QUEUE, "Another casino").len == 0, "... waits for nobody");
}

/* An earlier text that comes back waits as it did. */
static void
restored(struct seeded *s, struct browser *b, const char *id)
{
	const char *edit = text_in(s, "/edit/%s", id);

	get(b, edit);
	is_int(SUBMIT(b, edit, "do", "save", "title", "A calm ashore", "markdown", "A calm."),
	    HTTP_SEE_OTHER, "it is written anew, without the word");
	ok(stranger_sees(s, "/author/kofi", "A calm ashore"), "... and is there");
	get(b, text_in(s, "/revisions/%s/compare?from=1&to=2", id));
	is_int(SUBMIT(b, text_in(s, "/revisions/%s/restore", id), "number", "1"), HTTP_SEE_OTHER,
	    "the earlier text is restored");
	waits(s, "kofi", QUEUE, "A casino ashore", "/author/kofi");
}

static void
posts(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct str at;

	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "publish", "anyway", "1", "title", "A casino ashore",
		   "markdown", "The casino has run aground."),
	    HTTP_SEE_OTHER, "a note is published");
	at = leads_to(&b);
	ok(str_starts(at, STR("/edit/")) && holds(at, STR("done=waits")), "... and waits");
	get(&b, str_cstring(s->arena, at));
	ok(says(&b, "The casino has run aground.") && says(&b, "It waits for an editor"),
	    "... as its author is told");
	waits(s, "kofi", QUEUE, "A casino ashore", "/author/kofi");
	restored(s, &b, str_cstring(s->arena, part(at, "/edit/", "?")));
	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", "publish", "anyway", "1", "title",
		   "On the casino", "markdown", "A long story.", "excerpt", "A story."),
	    HTTP_SEE_OTHER, "an article");
	ok(!holds(leads_to(&b), STR("waits")), "... does not");
}

/* Who decides on it does not wait for themselves. */
static void
of_staff(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");

	is_int(submit_form(&b, "/account", "/account/profile",
		   (const char *const[]){"bio", "Never seen in a casino", NULL}),
	    HTTP_SEE_OTHER, "an editor’s profile");
	ok(stranger_sees(s, "/author/tobias", "Never seen in a casino"), "... waits for nobody");
}

static void
tries(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	get(&b, "/admin/moderation/try");
	is_int(SUBMIT(&b, "/admin/moderation/try", "text", "A casino."), HTTP_OK, "it is tried");
	ok(says(&b, "The stars would count at once") &&
		says(&b, "Nobody else would see the collection") &&
		says(&b, "others would see the username alone"),
	    "... what would become of it is said for each kind");
}

int
main(void)
{
	struct browser admin;
	struct seeded s;

	browsers_open(&s);
	admin = browser_of(&s, "marta");
	is_int(submit_form(&admin, "/admin/moderation", "/admin/moderation",
		   (const char *const[]){"words", "casino", NULL}),
	    HTTP_SEE_OTHER, "a word is listed");
	reviews(&s);
	profiles(&s);
	collections(&s);
	posts(&s);
	of_staff(&s);
	tries(&s);
	browsers_close(&s);
	return tap_done();
}
