/*
 * Who is named with "@" in a note or a comment: a link to their page, if everybody may see it and they have not blocked
 * who writes; and the item says who is named.
 */
#include "writer.h"

#include "lib/tap.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define PK "POST#the-tide-in-forty-lines-of-c"

static enum http_status
say(struct browser *b, const char *address, const char *text)
{
	b->s->clock.fixed_now += 30 * 60000;
	get(b, address);
	b->s->clock.fixed_now += 4000;
	return SUBMIT(b, address, "do", "send", "text", text);
}

static struct str
mentions_of(struct seeded *s, const struct item *item)
{
	size_t count;
	const struct str *names = item_strings(s->arena, item, STR("Mentions"), &count);

	return str_join(s->arena, names, count, STR(" "));
}

/* The comment that the last form has made, or changed. */
static struct item
comment_made(struct browser *b)
{
	struct str id, to = leads_to(b);
	const char *at = memmem(to.base, to.len, "#c-", 3);

	if (at == NULL)
		bail_out("it does not lead to a comment");
	id = str_sub(to, (size_t)(at - to.base) + 3, to.len);
	return seeded_item(b->s, PK, text_in(b->s, "COMMENT#%s", str_cstring(b->s->arena, id)));
}

static void
set_person(struct seeded *s, const char *name, const char *attribute, struct value value)
{
	struct item user = seeded_item(s, text_in(s, "USER#%s", name), "METADATA");

	item_set(s->arena, &user, str_of(attribute), value);
	seeded_put(s, &user, 1);
}

static void
block(struct seeded *s, const char *by, const char *other, const char *how)
{
	struct browser b = browser_of(s, by);
	const char *page = text_in(s, "/author/%s/block", other);

	if (strcmp(how, "unblock") == 0) {
		get(&b, "/account/blocked");
		SUBMIT(&b, "/account/blocked", "unblock", other);
	} else {
		get(&b, page);
		SUBMIT(&b, page, "x", "y");
	}
}

#define LINK(name, text) "<a href=\"/author/" name "\">@" text "</a>"

static void
comments(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal");
	struct item item;

	set_person(s, "noor", "Private", value_boolean(true));
	set_person(s, "tobias", "Status", value_string(STR("disabled")));
	s->clock.fixed_now += 30 * 60000;
	get(&pascal, WRITE);
	SUBMIT(&pascal, WRITE, "do", "preview", "text", "So @Kofi said.");
	ok(holds(pascal.last.body, STR(LINK("kofi", "Kofi"))), "a preview links to who is named");
	is_int(say(&pascal, WRITE,
		   "@Kofi, @noor: who is @nobody_here, or @tobias? Mail kofi@example.org, `@lowri`."),
	    HTTP_SEE_OTHER, "a comment names people");
	item = comment_made(&pascal);
	is_str(mentions_of(s, &item), STR("kofi noor"),
	    "who is there is noted, whoever is private; not who is disabled");
	ok(stranger_sees(s, TIDE, LINK("kofi", "Kofi") ", " LINK("noor", "noor") ":"),
	    "... and linked to");
	ok(!stranger_sees(s, TIDE, "author/tobias\">@") &&
		!stranger_sees(s, TIDE, "author/nobody_here") &&
		!stranger_sees(s, TIDE, "author/lowri\">@"),
	    "... nobody else is");
	ok(stranger_sees(s, TIDE "/feed.atom", "/author/kofi&quot;&gt;@Kofi&lt;/a&gt;"),
	    "the feed of the thread has the links, too");
	set_person(s, "noor", "Private", value_boolean(false));
	set_person(s, "tobias", "Status", value_string(STR("active")));
}

static void
edits(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal");
	const char *edit;
	struct item item;

	is_int(say(&pascal, WRITE, "Thanks, @ingrid."), HTTP_SEE_OTHER, "one more");
	item = comment_made(&pascal);
	edit = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR(WRITE "?edit="), item_string(&item, STR("Id"))));
	say(&pascal, edit, "Thanks, @lowri and @kofi.");
	item = comment_made(&pascal);
	is_str(mentions_of(s, &item), STR("lowri kofi"), "an edited one names others");
	ok(stranger_sees(s, TIDE, "Thanks, " LINK("lowri", "lowri")), "... and links to them");
	is_int(say(&pascal, edit, "@aaa @bbb @ccc @ddd @eee @fff @ggg @hhh @iii @jjj @kkk"),
	    HTTP_UNPROCESSABLE, "... but not to many");
	ok(says(&pascal, "more people than you can mention") && says(&pascal, "@kkk"),
	    "... which is said, and nothing is lost");
	say(&pascal, edit, "Thanks, all.");
	item = comment_made(&pascal);
	ok(item_get(&item, STR("Mentions")) == NULL, "or nobody any more");
}

static void
limits(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), new = newcomer(s, "newby");
	struct item item;

	is_int(say(&pascal, WRITE, "Again @kofi, @kofi, @kofi, @kofi, @kofi, @kofi, @kofi, @kofi, "
				   "@kofi, @kofi, @kofi, @kofi. `@a1_ @b1_ @c1_ @d1_`"),
	    HTTP_SEE_OTHER, "who is named often");
	item = comment_made(&pascal);
	is_str(item_string(&item, STR("Status")), STR("visible"), "... is one");
	is_int(say(&pascal, WRITE, "@aaa @bbb @ccc @ddd @eee @fff @ggg @hhh @iii @jjj @kofi"),
	    HTTP_SEE_OTHER, "many of them");
	item = comment_made(&pascal);
	is_str(item_string(&item, STR("HeldFor")), STR("it mentions many people"),
	    "... wait for an editor");
	is_str(mentions_of(s, &item), STR("kofi"), "... who is there is noted all the same");
	is_int(say(&new, WRITE, "@kofi @ingrid @lowri, hello"), HTTP_SEE_OTHER, "of who is new");
	item = comment_made(&new);
	is_str(item_string(&item, STR("HeldFor")), STR("it mentions many people"),
	    "... three are many");
}

static void
blocked(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal");
	struct item item;

	block(s, "ingrid", "pascal", "block");
	is_int(say(&pascal, WRITE, "What says @ingrid, what @lowri?"), HTTP_SEE_OTHER,
	    "who has blocked them is named");
	item = comment_made(&pascal);
	is_str(mentions_of(s, &item), STR("lowri"), "... in plain text");
	ok(stranger_sees(s, TIDE, "What says @ingrid, what <a"), "... without a link");
	ok(!says(&pascal, "blocked"), "... nor a word about it");
	block(s, "ingrid", "pascal", "unblock");
}

static enum http_status
publish(struct browser *b, const char *address, const char *kind, const char *text)
{
	get(b, address);
	return SUBMIT(b, address, "do", strcmp(kind, "save") == 0 ? "save" : "publish-anyway",
	    "title", kind, "markdown", text, "visibility", "public", "slug", "named");
}

static void
notes(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), marta = browser_of(s, "marta");
	struct item body;

	block(s, "lowri", "kofi", "block");
	get(&kofi, "/write/note");
	SUBMIT(&kofi, "/write/note", "do", "preview", "title", "x", "markdown", "With @noor.");
	ok(holds(kofi.last.body, STR(LINK("noor", "noor"))), "a preview links to who is named");
	is_int(publish(&kofi, "/write/note", "x", "With @noor, @lowri, @no_such on #bread."),
	    HTTP_SEE_OTHER, "a note names people");
	body = seeded_item(s, "POST#named", "BODY");
	is_str(mentions_of(s, &body), STR("noor"), "... who is there and has not blocked the writer");
	ok(stranger_sees(s, "/post/named", "With " LINK("noor", "noor") ", @lowri, @no_such"),
	    "... which links to them");
	ok(stranger_sees(s, "/tag/bread/feed.atom", "/author/noor&quot;&gt;@noor"),
	    "... in feeds as well");
	is_int(publish(&marta, "/edit/named", "save", "With @noor, @ingrid, @lowri, @pascal."),
	    HTTP_SEE_OTHER, "an editor changes it");
	body = seeded_item(s, "POST#named", "BODY");
	is_str(mentions_of(s, &body), STR("noor"), "... and names nobody more");
	is_int(publish(&kofi, "/edit/named", "save", "With @ingrid."), HTTP_SEE_OTHER,
	    "its writer does");
	body = seeded_item(s, "POST#named", "BODY");
	is_str(mentions_of(s, &body), STR("ingrid"), "... or others");
	block(s, "lowri", "kofi", "unblock");
	get(&kofi, "/write/article");
	is_int(SUBMIT(&kofi, "/write/article", "do", "publish-anyway", "title", "An article",
		   "markdown", "With @noor.", "visibility", "public"),
	    HTTP_SEE_OTHER, "in an article");
	ok(!stranger_sees(s, "/post/an-article", "/author/noor"), "... they are words");
}

/* As many as there are here, and more. */
static void
many(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");
	struct buf text = {.arena = s->arena};

	for (int i = 0; i < 11; i++) {
		const char *name = str_cstring(s->arena, str_fmt(s->arena, "person%d", i));

		(void)newcomer(s, name);
		buf_fmt(&text, "@%s ", name);
	}
	is_int(publish(&kofi, "/edit/named", "save", str_cstring(s->arena, buf_str(&text))),
	    HTTP_UNPROCESSABLE, "there are ten at most");
	ok(says(&kofi, "too many people with @") && says(&kofi, "@person10"),
	    "... which is said, and nothing is lost");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	comments(&s);
	edits(&s);
	limits(&s);
	blocked(&s);
	notes(&s);
	many(&s);
	browsers_close(&s);
	return tap_done();
}
