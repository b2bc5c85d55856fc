/*
 * Whom and what one has muted, and whom one has blocked: what they wrote is folded, the blocked without a name; who is
 * blocked writes nothing to who has blocked them; and all of it is seen and undone on pages of one's own.
 */
#include "signing.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/key_follow.h"

#include <string.h>

#define TIDE \
	"/post/the-tide-in-forty-lines-of-c" /* by kofi; pascal, ingrid and marta have commented */
#define LINK \
	"/post/the-ashley-book-of-knots" /* pascal, tobias, noor, kofi and lowri have rated it */

static size_t
times(struct str page, const char *what)
{
	size_t count = 0, len = strlen(what);

	for (size_t i = 0; i + len <= page.len; i++)
		count += memcmp(page.base + i, what, len) == 0;
	return count;
}

static void
mutes_people(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");

	get(&lowri, TIDE);
	ok(!says(&lowri, "<details class=\"folded\">"), "nothing is folded at first");
	get(&lowri, "/author/pascal");
	ok(says(&lowri, "action=\"/author/pascal/mute\""), "a person’s page has a button");
	is_int(SUBMIT(&lowri, "/author/pascal/mute", "do", "mute"), HTTP_SEE_OTHER, "... to mute");
	is_str(leads_to(&lowri), STR("/author/pascal"), "... which leads back");
	get(&lowri, "/author/pascal");
	ok(says(&lowri, "value=\"unmute\""), "... where it can be undone");
	get(&lowri, TIDE);
	is_int((int64_t)times(lowri.last.body, "<details class=\"folded\">"), 3,
	    "his three comments are folded");
	ok(says(&lowri, "By Pascal") && says(&lowri, ", whom you have muted"),
	    "... and say by whom they are");
	ok(!holds(visit(s, STR(TIDE)).body, STR("folded")), "nobody else sees that");
	get(&lowri, LINK);
	is_int((int64_t)times(lowri.last.body, "<details class=\"folded\">"), 2,
	    "his review is folded, too, with his comment");
	get(&lowri, "/account/muted");
	ok(says(&lowri, "href=\"/author/pascal\""), "he is on the page of whom one has muted");
	is_int(SUBMIT(&lowri, "/account/muted", "person", "pascal"), HTTP_SEE_OTHER,
	    "... and taken off it");
	get(&lowri, "/account/muted?done=unmuted");
	ok(says(&lowri, "Unmuted.") && !says(&lowri, "/author/pascal"), "... which it says");
	get(&lowri, TIDE);
	ok(!says(&lowri, "<details class=\"folded\">"), "all is open again");
	get(&lowri, "/author/pascal");
	SUBMIT(&lowri, "/author/pascal/mute", "do", "toggle");
	is_int(lowri.last.status, HTTP_BAD_REQUEST, "no other wish is understood");
}

static void
mutes_tags(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");

	ok(!holds(visit(s, STR("/tag/boats")).body, STR("/tag/boats/mute")),
	    "a stranger mutes no tag");
	get(&lowri, "/tag/boats");
	is_int(SUBMIT(&lowri, "/tag/boats/mute", "do", "mute"), HTTP_SEE_OTHER, "a tag is muted");
	get(&lowri, "/tag/boats");
	ok(says(&lowri, "Unmute this tag"), "... on its page, where it can be undone");
	get(&lowri, "/account/muted");
	ok(says(&lowri, "href=\"/tag/boats\""), "... and on one’s own page");
	is_int(SUBMIT(&lowri, "/account/muted", "tag", "No tag!"), HTTP_BAD_REQUEST,
	    "(what is no tag is not understood)");
	get(&lowri, "/account/muted");
	is_int(SUBMIT(&lowri, "/account/muted", "tag", "boats"), HTTP_SEE_OTHER, "... undone");
	get(&lowri, "/account/muted");
	ok(says(&lowri, "You have muted no tag."), "... and gone");
}

static void
is_full(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");
	struct item item = {.count = 0};
	struct str names[HIDDEN_PEOPLE_MAX];

	for (size_t i = 0; i < HIDDEN_PEOPLE_MAX; i++)
		names[i] = str_fmt(s->arena, "somebody%04zu", i);
	key_set(s->arena, &item, key_hidden(s->arena, STR("marta")), ITEM_HIDDEN);
	item_set(s->arena, &item, STR("Muted"), value_set(s->arena, names, HIDDEN_PEOPLE_MAX));
	seeded_put(s, &item, 1);
	get(&marta, "/author/pascal");
	is_int(SUBMIT(&marta, "/author/pascal/mute", "do", "mute"), HTTP_CONFLICT,
	    "so many and no more");
	ok(says(&marta, "Unmute somebody first"), "... which it says");
	get(&marta, "/account/muted");
	ok(says(&marta, "somebody0000") && says(&marta, "somebody0299"), "all are listed");
	item_remove(&item, STR("Muted"));
	seeded_put(s, &item, 1);
}

/* Kofi has written the post; ingrid blocks pascal, who has commented. */
static void
blocks(struct seeded *s)
{
	struct browser ingrid = browser_of(s, "ingrid");

	get(&ingrid, "/author/pascal/block");
	SUBMIT(&ingrid, "/author/pascal/block", "x", "y");
	get(&ingrid, TIDE);
	is_int((int64_t)times(ingrid.last.body, "By somebody you have blocked"), 3,
	    "what the blocked wrote is folded");
	ok(!says(&ingrid, "Pascal") && !says(&ingrid, "/author/pascal"),
	    "... and his name is nowhere");
	get(&ingrid, LINK);
	ok(!says(&ingrid, "Pascal") && !says(&ingrid, "pascal"), "... nor by his review");
	get(&ingrid, "/account/blocked");
	SUBMIT(&ingrid, "/account/blocked", "unblock", "pascal");
	get(&ingrid, TIDE);
	ok(says(&ingrid, "Pascal") && !says(&ingrid, "folded"), "until he is unblocked");
}

/* Who likes a post of one's own, and whose posts stand in lists. */
static void
unnamed(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), noor = browser_of(s, "noor");

	get(&noor, TIDE);
	SUBMIT(&noor, "/react/the-tide-in-forty-lines-of-c", "like", "love");
	get(&kofi, TIDE "/likes");
	ok(says(&kofi, "Noor Haddad"), "an author sees who likes a post");
	get(&kofi, "/authors");
	ok(says(&kofi, "Noor Haddad"), "... and who writes here");
	get(&kofi, "/author/noor/block");
	SUBMIT(&kofi, "/author/noor/block", "x", "y");
	get(&kofi, TIDE "/likes");
	ok(!says(&kofi, "Noor Haddad") && !says(&kofi, "/author/noor") &&
		says(&kofi, "somebody you have blocked"),
	    "the blocked like it without a name");
	get(&kofi, "/authors");
	ok(!says(&kofi, "Noor Haddad"), "... and are left out where people are listed");
	get(&kofi, "/category/kitchen");
	ok(says(&kofi, "By somebody you have blocked") && !says(&kofi, "Noor Haddad"),
	    "... their posts stay in lists, without a name");
	get(&kofi, "/author/noor");
	ok(says(&kofi, "Noor Haddad"), "... which their own page has");
	get(&kofi, "/account/blocked");
	SUBMIT(&kofi, "/account/blocked", "unblock", "noor");
}

static const char *
reply_to_ingrid(struct browser *b)
{
	struct str rest, page = (get(b, TIDE), b->last.body);
	const char *at = memmem(page.base, page.len, "Reply to Ingrid", 15), *from = at;

	if (at == NULL)
		bail_out("Ingrid says nothing");
	while (memcmp(from, "href=\"", 6) != 0)
		from--;
	rest = str_sub(page, (size_t)(from - page.base), page.len);
	return str_cstring(b->s->arena, part(rest, "href=\"", "\""));
}

static void
keeps_from_writing(struct seeded *s, const char *blocker, const char *address)
{
	struct browser by = browser_of(s, blocker), pascal = browser_of(s, "pascal");
	const char *page = "/author/pascal/block";

	s->clock.fixed_now += 20 * 60000;
	get(&pascal, address);
	ok(says(&pascal, "value=\"send\""), "who is not blocked yet may write");
	get(&by, page);
	SUBMIT(&by, page, "x", "y");
	is_int(SUBMIT(&pascal, address, "do", "send", "text", "Are you there?"), HTTP_FORBIDDEN,
	    "blocked meanwhile they may not");
	ok(says(&pascal, "Are you there?") && !says(&pascal, "blocked"),
	    "... what was typed is there, and why is not said");
	get(&pascal, address);
	ok(!says(&pascal, "value=\"send\""), "... nor can it be begun");
	ok(!holds(visit(s, STR(TIDE)).body, STR("Are you there?")), "nothing was written");
	get(&by, "/account/blocked");
	SUBMIT(&by, "/account/blocked", "unblock", "pascal");
	get(&pascal, address);
	is_int(SUBMIT(&pascal, address, "do", "send", "text", address), HTTP_SEE_OTHER,
	    "unblocked they write again");
}

int
main(void)
{
	struct seeded s;
	struct browser pascal;

	browsers_open(&s);
	mutes_people(&s);
	mutes_tags(&s);
	is_full(&s);
	blocks(&s);
	unnamed(&s);
	keeps_from_writing(&s, "kofi", TIDE "/comment");
	pascal = browser_of(&s, "pascal");
	keeps_from_writing(&s, "ingrid", reply_to_ingrid(&pascal));
	browsers_close(&s);
	return tap_done();
}
