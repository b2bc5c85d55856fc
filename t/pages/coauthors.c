/*
 * Who is named beside a post's author was not asked. Their desk tells them, and there they take their name off again:
 * their own, nobody else's, whatever they may do otherwise.
 */
#include "writer.h"

#include "../tap.h"

#define LEAVE "/edit/ours/leave"
#define BUTTON "Take my name off “Ours”"

static int64_t
posts_of(struct seeded *s, const char *name)
{
	struct item user = seeded_item(s, text_in(s, "USER#%s", name), "METADATA");

	return item_number(&user, STR("Posts"));
}

/* Sends what their desk does not offer. */
static enum http_status
leave_anyway(struct browser *b, const char *address)
{
	struct buf body = {.arena = b->s->arena};

	get(b, "/account");
	put(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	return fetch(b, "POST", address, buf_str(&body));
}

static void
publish(struct browser *b, const char *others)
{
	get(b, "/write/note");
	is_int(SUBMIT(b, "/write/note", "do", "publish", "anyway", "1", "title", "Ours", "markdown",
		   "We.", "slug", "ours", "others", others),
	    HTTP_SEE_OTHER, "a post of several");
}

static void
told(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), pascal = browser_of(s, "pascal"),
		       ingrid = browser_of(s, "ingrid"), marta = browser_of(s, "marta");
	int64_t before = posts_of(s, "pascal");

	publish(&kofi, "pascal, ingrid");
	is_int(posts_of(s, "pascal") - before, 1, "... is counted for each");
	get(&kofi, "/desk/published");
	ok(says(&kofi, "Ours") && !says(&kofi, LEAVE), "its author is who made it");
	get(&pascal, "/desk/published");
	ok(says(&pascal, "; you are named as an author beside them"),
	    "who was named is told, beside whom");
	ok(says(&pascal, BUTTON), "... and need not stay");
	is_int(leave_anyway(&marta, LEAVE), HTTP_FORBIDDEN, "nobody else has a name to take off");
	is_int(leave_anyway(&kofi, LEAVE), HTTP_FORBIDDEN, "... nor has its author");
	get(&pascal, "/desk/published");
	is_int(SUBMIT(&pascal, LEAVE, "x", "y"), HTTP_SEE_OTHER, "... but by a button");
	get(&pascal, "/desk?done=left");
	ok(says(&pascal, "Your name is taken off it."), "... which is said");
	get(&pascal, "/desk/published");
	ok(!says(&pascal, "Ours"), "... it is not on their desk");
	is_int(posts_of(s, "pascal") - before, 0, "... nor counted for them");
	ok(!stranger_sees(s, "/author/pascal", "Ours"), "... nor in their list");
	ok(!stranger_sees(s, "/post/ours", "/author/pascal"), "... nor is their name on it");
	ok(stranger_sees(s, "/post/ours", "/author/ingrid"), "... the others' are");
	get(&ingrid, "/desk/published");
	ok(says(&ingrid, BUTTON), "... on whose desk it is still");
	is_int(leave_anyway(&pascal, LEAVE), HTTP_FORBIDDEN, "there is nothing left to take off");
	get(&ingrid, "/edit/ours");
	is_int(SUBMIT(&ingrid, "/edit/ours", "do", "save", "title", "Ours", "markdown", "We two.",
		   "others", "ingrid"),
	    HTTP_SEE_OTHER, "who is named may edit");
	get(&ingrid, "/desk/published");
	is_int(SUBMIT(&ingrid, LEAVE, "x", "y"), HTTP_SEE_OTHER, "... until they step back");
	is_int(get(&ingrid, "/edit/ours"), HTTP_FORBIDDEN, "... and no longer");
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

/* What only its authors see is nothing to who is none any more. */
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
	told(&s);
	draft(&s);
	browsers_close(&s);
	return tap_done();
}
