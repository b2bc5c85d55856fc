/*
 * What a block keeps somebody from, one path after another: it is possible before, refused while they are blocked without a
 * word of why, with what was typed, and possible again afterwards. What names nobody stays possible.
 */
#include "writer.h"

#include "lib/tap.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c" /* by kofi; ingrid has commented */
#define KNOTS "/post/the-ashley-book-of-knots"    /* a link, by ingrid */

/* Who is blocked is lowri, an author. By whom, and what she does; true: it has happened. */
struct path {
	const char *says, *by;
	bool (*take)(struct seeded *s, struct browser *lowri);
};

static void
pass(struct seeded *s)
{
	s->clock.fixed_now += 30 * 60000;
}

static bool
say(struct browser *b, const char *address, const char *text)
{
	pass(b->s);
	get(b, address);
	b->s->clock.fixed_now += 4000;
	if (!holds(b->last.body, STR("name=\"csrf\"")))
		return false;
	return SUBMIT(b, address, "do", "send", "text", text) == HTTP_SEE_OTHER;
}

static bool
comments(struct seeded *s, struct browser *lowri)
{
	return say(lowri, TIDE "/comment",
	    str_cstring(s->arena, time_format(s->arena, s->clock.fixed_now)));
}

static bool
replies(struct seeded *s, struct browser *lowri)
{
	struct str rest, page = (get(lowri, TIDE), lowri->last.body);
	const char *at = memmem(page.base, page.len, "Reply to Ingrid", 15), *from = at;

	if (at == NULL)
		bail_out("Ingrid says nothing");
	while (memcmp(from, "href=\"", 6) != 0)
		from--;
	rest = str_sub(page, (size_t)(from - page.base), page.len);
	return say(lowri, str_cstring(s->arena, part(rest, "href=\"", "\"")),
	    str_cstring(s->arena, time_format(s->arena, s->clock.fixed_now)));
}

static bool
mentions(struct seeded *s, struct browser *lowri)
{
	struct str text =
	    STR_CONCAT(s->arena, STR("See @noor at "), time_format(s->arena, s->clock.fixed_now));

	if (!say(lowri, TIDE "/comment", str_cstring(s->arena, text)))
		bail_out("a comment is not sent");
	return stranger_sees(s, TIDE,
	    str_cstring(
		s->arena, STR_CONCAT(s->arena, STR("See <a href=\"/author/noor\">@noor</a> at "),
			      str_sub(text, sizeof("See @noor at ") - 1, text.len))));
}

static bool
mentions_in_notes(struct seeded *s, struct browser *lowri)
{
	struct item body;

	get(lowri, "/write/note");
	if (SUBMIT(lowri, "/write/note", "do", "save", "title", "Of blocks", "markdown",
		"With @noor.", "visibility", "private") != HTTP_SEE_OTHER)
		bail_out("a note is not saved");
	get(lowri, str_cstring(s->arena, leads_to(lowri)));
	body = seeded_item(s,
	    text_in(s, "POST#%s",
		str_cstring(s->arena, part(lowri->last.body, "action=\"/edit/", "\""))),
	    "BODY");
	return item_get(&body, STR("Mentions")) != NULL;
}

static bool
follows(struct seeded *s, struct browser *lowri)
{
	bool done;

	(void)s;
	get(lowri, "/author/noor");
	if (says(lowri, "value=\"unfollow\"")) {
		SUBMIT(lowri, "/author/noor/follow", "do", "unfollow");
		get(lowri, "/author/noor");
	}
	done = SUBMIT(lowri, "/author/noor/follow", "do", "follow") == HTTP_SEE_OTHER;
	get(lowri, "/author/noor");
	return done && says(lowri, "value=\"unfollow\"");
}

static bool
reviews(struct seeded *s, struct browser *lowri)
{
	const char *note;

	pass(s);
	note = str_cstring(s->arena, time_format(s->arena, s->clock.fixed_now));
	get(lowri, KNOTS "/rating");
	if (SUBMIT(lowri, KNOTS "/rating", "stars", "3", "note", note) == HTTP_SEE_OTHER)
		return true;
	ok(says(lowri, note), "(what was typed is not lost)");
	return false;
}

static bool
asks(struct seeded *s, struct browser *lowri)
{
	(void)s;
	get(lowri, "/write/note");
	return SUBMIT(lowri, "/write/note", "do", "save", "title", "Together", "markdown", "Text.",
		   "others", "noor", "visibility", "private") == HTTP_SEE_OTHER;
}

static const struct path paths[] = {
    {"to comment on their post", "kofi", comments},
    {"to answer them", "ingrid", replies},
    {"to mention them in a comment", "noor", mentions},
    {"to mention them in a note", "noor", mentions_in_notes},
    {"to follow them", "noor", follows},
    {"to review what they have written", NULL, reviews},
    {"to ask them to be an author", "noor", asks},
};

static void
block(struct seeded *s, const char *by, bool blocks)
{
	struct browser b = browser_of(s, by);

	if (blocks) {
		get(&b, "/author/lowri/block");
		SUBMIT(&b, "/author/lowri/block", "x", "y");
	} else {
		get(&b, "/account/blocked");
		SUBMIT(&b, "/account/blocked", "unblock", "lowri");
	}
}

static const char *
author_of(struct seeded *s, const char *post)
{
	struct item head = seeded_item(s, text_in(s, "POST#%s", post), "METADATA");

	return str_cstring(s->arena, item_string(&head, STR("Author")));
}

int
main(void)
{
	struct browser lowri;
	struct seeded s;

	browsers_open(&s);
	lowri = browser_of(&s, "lowri");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const char *by = paths[i].by;

		if (by == NULL)
			by = author_of(&s, KNOTS + sizeof("/post/") - 1);
		ok(paths[i].take(&s, &lowri), "%s is possible", paths[i].says);
		block(&s, by, true);
		ok(!paths[i].take(&s, &lowri), "... not while they have blocked one");
		ok(!says(&lowri, "locked"), "... which is not said");
		block(&s, by, false);
		ok(paths[i].take(&s, &lowri), "... and again afterwards");
	}
	block(&s, "kofi", true);
	get(&lowri, TIDE);
	is_int(SUBMIT(&lowri, "/react/the-tide-in-forty-lines-of-c", "like", "like"),
	    HTTP_SEE_OTHER, "to like their post names nobody, and stays possible");
	browsers_close(&s);
	return tap_done();
}
