/*
 * Following and blocking as people do it: with the buttons of a person's page and the lists of their account; what a
 * stranger meets on the way, and what nobody learns.
 */
#include "signing.h"
#include "submit.h"

#include "lib/tap.h"
#include "lib/write_units.h"

#include "model/key.h"
#include "model/key_follow.h"
#include "model/people/user.h"
#include "model/reader/follow.h"

#include <string.h>

static void
set_private(struct seeded *s, const char *name, bool is_private)
{
	const char *pk = str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name));
	struct item item = seeded_item(s, pk, "METADATA");

	item_set(s->arena, &item, STR("Private"), value_boolean(is_private));
	seeded_put(s, &item, 1);
}

static void
set_status(struct seeded *s, const char *name, const char *status)
{
	const char *pk = str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name));
	struct item item = seeded_item(s, pk, "METADATA");

	item_set(s->arena, &item, STR("Status"), value_string(str_of(status)));
	seeded_put(s, &item, 1);
}

/* Ingrid has four followers in the seed; noor is none of them. */
static void
following(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor");

	get(&noor, "/author/ingrid");
	ok(says(&noor, "4 followers"), "a page says how many follow");
	ok(says(&noor, "value=\"follow\"") && !says(&noor, "value=\"unfollow\""),
	    "its button says what it will be");
	is_int(
	    SUBMIT(&noor, "/author/ingrid/follow", "do", "follow"), HTTP_SEE_OTHER, "noor follows");
	is_str(leads_to(&noor), STR("/author/ingrid"), "... and is back");
	get(&noor, "/author/ingrid");
	ok(says(&noor, "5 followers"), "... which is one more");
	ok(says(&noor, "value=\"unfollow\""), "... and can be undone");
	get(&noor, "/author/ingrid/follow");
	is_int(noor.last.status, HTTP_SEE_OTHER, "who follows is not asked");
	get(&noor, "/account/following");
	ok(says(&noor, "Ingrid"), "she is on noor's list");
	is_int(SUBMIT(&noor, "/account/following", "unfollow", "ingrid"), HTTP_SEE_OTHER,
	    "... and is taken off");
	get(&noor, "/account/following?done=unfollowed");
	ok(says(&noor, "You do not follow them any more.") && !says(&noor, "/author/ingrid"),
	    "... which it says");
	get(&noor, "/author/ingrid");
	ok(says(&noor, "4 followers"), "... and counts");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "toggle");
	is_int(noor.last.status, HTTP_BAD_REQUEST, "no other wish is understood");
}

static void
nobody_to_follow(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");

	get(&kofi, "/author/kofi");
	ok(!says(&kofi, "/author/kofi/follow\"") && !says(&kofi, "/author/kofi/block"),
	    "one's own page has no such buttons");
	is_int(get(&kofi, "/author/kofi/follow"), HTTP_NOT_FOUND, "nobody follows themselves");
	is_int(get(&kofi, "/author/nobody_at_all/follow"), HTTP_NOT_FOUND, "... nor nobody");
	set_status(s, "lowri", "disabled");
	get(&kofi, "/author/lowri");
	ok(kofi.last.status == HTTP_OK && !says(&kofi, "value=\"follow\""),
	    "who is shut out is not to be followed");
	ok(says(&kofi, "value=\"unfollow\""), "... but can be left by who does");
	is_int(get(&kofi, "/author/lowri/follow"), HTTP_NOT_FOUND, "... by no address");
	set_status(s, "lowri", "active");
}

static bool
is_told(struct seeded *s)
{
	struct item follow = seeded_item(s, "USER#noor", "FOLLOWING#ingrid");

	return item_boolean(&follow, STR("Notify"));
}

static void
being_told(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor");

	get(&noor, "/author/ingrid");
	ok(!says(&noor, "Tell me of new posts"), "who does not follow is not asked");
	is_int(SUBMIT(&noor, "/author/ingrid/follow", "do", "tell"), HTTP_NOT_FOUND,
	    "... and not told by hand either");
	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "follow");
	get(&noor, "/author/ingrid");
	ok(says(&noor, "value=\"tell\"") && !is_told(s), "who follows is told when they want to");
	is_int(SUBMIT(&noor, "/author/ingrid/follow", "do", "tell"), HTTP_SEE_OTHER,
	    "... and says so");
	ok(is_told(s), "... which is noted");
	get(&noor, "/author/ingrid");
	ok(says(&noor, "Don’t tell me of new posts") && !says(&noor, "value=\"tell\""),
	    "... and can be undone");
	get(&noor, "/account/following");
	ok(says(&noor, "value=\"ingrid\">Don’t tell me"), "... also in the list");
	is_int(SUBMIT(&noor, "/account/following", "stop-telling", "ingrid"), HTTP_SEE_OTHER,
	    "... where it is undone");
	is_str(leads_to(&noor), STR("/account/following?done=untold"), "... and said");
	ok(!is_told(s), "... and noted");
	get(&noor, "/account/following");
	SUBMIT(&noor, "/account/following", "tell", "ingrid");
	ok(is_told(s), "the list turns it on as well");
	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "unfollow");
	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "follow");
	ok(!is_told(s), "who follows anew is asked anew");
	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "unfollow");
}

static void
strangers(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.9");

	give_password(s, "noor", PASSWORD);
	get(&b, "/author/ingrid");
	ok(holds(b.last.body, STR("href=\"/author/ingrid/follow\" rel=\"nofollow\"")) &&
		!says(&b, "value=\"follow\""),
	    "a stranger has a link");
	ok(!says(&b, "/author/ingrid/block"), "... to follow alone");
	is_int(get(&b, "/author/ingrid/follow"), HTTP_SEE_OTHER, "... which leads to signing in");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	SUBMIT(&b, "/login", "name", "noor", "password", PASSWORD);
	is_str(leads_to(&b), STR("/author/ingrid/follow"), "... and back");
	get(&b, "/author/ingrid/follow");
	ok(says(&b, "Follow Ingrid"), "... where they are asked");
	get(&b, "/author/ingrid");
	ok(says(&b, "4 followers"), "... before anything is done");
	get(&b, "/author/ingrid/follow");
	is_int(SUBMIT(&b, "/author/ingrid/follow", "x", "y"), HTTP_SEE_OTHER, "they say yes");
	get(&b, "/author/ingrid");
	ok(says(&b, "5 followers"), "... and follow");
	SUBMIT(&b, "/author/ingrid/follow", "do", "unfollow");
}

/* Her session ends while the page is open: the form waits, and is done once she is in. */
static void
session_ends(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");

	get(&b, "/author/ingrid");
	b.session = STR("");
	SUBMIT(&b, "/author/ingrid/follow", "do", "follow");
	ok(says(&b, "waiting-for"), "a form whose session has ended waits");
	SUBMIT(&b, "/login", "name", "noor", "password", PASSWORD);
	is_str(leads_to(&b), STR("/author/ingrid"), "... and is done once she is in");
	get(&b, "/author/ingrid");
	ok(says(&b, "5 followers"), "... once");
	SUBMIT(&b, "/author/ingrid/follow", "do", "unfollow");
}

static void
requests(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), ingrid = browser_of(s, "ingrid");
	struct item person = seeded_item(s, "USER#ingrid", "METADATA");
	const char *bio = str_cstring(s->arena, str_sub(item_string(&person, STR("Bio")), 0, 20));

	set_private(s, "ingrid", true);
	get(&noor, "/author/ingrid");
	ok(says(&noor, "Ask to follow"), "a private person is asked");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "follow");
	get(&noor, "/author/ingrid");
	ok(says(&noor, "Take the request back") && !says(&noor, "Tell me of new posts"),
	    "... which can be taken back");
	ok(!says(&noor, bio), "... and opens nothing");
	get(&noor, "/account/following");
	ok(says(&noor, "Has not answered your request yet"), "... and is on her list as such");
	get(&ingrid, "/account/followers");
	ok(says(&ingrid, "Requests") && says(&ingrid, "Noor Haddad"), "who is asked sees who asks");
	is_int(SUBMIT(&ingrid, "/account/followers", "approve", "noor"), HTTP_SEE_OTHER,
	    "... and lets her");
	get(&ingrid, "/account/followers");
	ok(!says(&ingrid, "Requests") && says(&ingrid, "value=\"noor\""), "... follow");
	get(&noor, "/author/ingrid");
	ok(says(&noor, bio), "who follows sees the profile");
	ok(says(&noor, "5 followers"), "... and is counted");
	SUBMIT(&ingrid, "/account/followers", "remove", "noor");
	get(&noor, "/author/ingrid");
	ok(!says(&noor, bio) && says(&noor, "Ask to follow"), "who is removed does not");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "follow");
	get(&ingrid, "/account/followers");
	SUBMIT(&ingrid, "/account/followers", "refuse", "noor");
	is_str(leads_to(&ingrid), STR("/account/followers?done=refused"), "she refuses");
	get(&noor, "/account/following");
	ok(!says(&noor, "/author/ingrid"), "... which leaves nothing");
	get(&ingrid, "/account/followers");
	is_int(SUBMIT(&ingrid, "/account/followers", "approve", "noor"), HTTP_CONFLICT,
	    "what was taken back is not approved");
	set_private(s, "ingrid", false);
}

/* Who becomes public has nobody left who waits to follow. */
static void
becomes_public(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), ingrid = browser_of(s, "ingrid");
	struct browser kofi = browser_of(s, "kofi"), marta = browser_of(s, "marta");
	struct browser *asking[] = {&noor, &kofi, &marta};

	for (size_t i = 0; i < 3; i++) {
		get(asking[i], "/author/ingrid");
		SUBMIT(asking[i], "/author/ingrid/follow", "do", "unfollow");
	}
	set_private(s, "ingrid", true);
	for (size_t i = 0; i < 3; i++) {
		get(asking[i], "/author/ingrid");
		SUBMIT(asking[i], "/author/ingrid/follow", "do", "follow");
	}
	/* Made public elsewhere than by her form. */
	set_private(s, "ingrid", false);
	get(&marta, "/author/ingrid");
	ok(says(&marta, "value=\"follow\"") && says(&marta, "Take the request back"),
	    "who has asked somebody who is public since can follow");
	is_int(get(&marta, "/author/ingrid/follow"), HTTP_OK, "... by link");
	SUBMIT(&marta, "/author/ingrid/follow", "do", "follow");
	get(&marta, "/author/ingrid");
	ok(says(&marta, "value=\"unfollow\"") && says(&marta, "Unfollow"), "... and does");
	set_private(s, "ingrid", true);
	get(&ingrid, "/account/followers");
	ok(says(&ingrid, "value=\"1\">Approve all"), "several who ask can be approved at once");
	get(&ingrid, "/account");
	is_int(SUBMIT(&ingrid, "/account/profile", "display_name", "Ingrid Aasland"), HTTP_SEE_OTHER,
	    "she becomes public");
	get(&ingrid, "/account/followers");
	ok(!says(&ingrid, "Requests") && says(&ingrid, "value=\"noor\"") &&
		says(&ingrid, "value=\"kofi\""),
	    "... and who has asked follows");
	for (size_t i = 0; i < 3; i++) {
		get(asking[i], "/author/ingrid");
		SUBMIT(asking[i], "/author/ingrid/follow", "do", "unfollow");
	}
	/* As before. */
	for (size_t i = 1; i < 3; i++) {
		get(asking[i], "/author/ingrid");
		SUBMIT(asking[i], "/author/ingrid/follow", "do", "follow");
	}
}

/* Of many who ask, all at once. */
static void
approves_all(struct seeded *s)
{
	struct browser tobias = browser_of(s, "tobias");
	struct item before, after;

	get(&tobias, "/account/followers");
	before = seeded_item(s, "USER#tobias", "COUNTS");
	for (int i = 0; i < 90; i++) {
		struct item asked = {.count = 0};
		struct str name = str_fmt(s->arena, "asks_%03d", i);

		key_set(s->arena, &asked, key_follow(s->arena, name, STR("tobias")), ITEM_FOLLOW);
		key_index_follow_request(s->arena, &asked, name, STR("tobias"),
		    str_fmt(s->arena, "2026-01-01T00:00:00.%03dZ", i));
		item_set(s->arena, &asked, STR("Follower"), value_string(name));
		item_set(s->arena, &asked, STR("Followed"), value_string(STR("tobias")));
		item_set(s->arena, &asked, STR("Status"), value_string(STR("asked")));
		item_set(s->arena, &asked, STR("CreatedAt"),
		    value_string(str_fmt(s->arena, "2026-01-01T00:00:00.%03dZ", i)));
		seeded_put(s, &asked, 1);
	}
	get(&tobias, "/account/followers");
	is_int(SUBMIT(&tobias, "/account/followers", "approve-all", "1"), HTTP_SEE_OTHER,
	    "many are approved at once");
	get(&tobias, "/account/followers?done=all-approved");
	ok(says(&tobias, "All of them follow you now.") && !says(&tobias, "Requests"),
	    "... and nobody waits");
	after = seeded_item(s, "USER#tobias", "COUNTS");
	is_int(item_number(&after, STR("Followers")),
	    item_number(&before, STR("Followers")) + 90, "... all are counted");
}

/* Nothing that the blocked can read says it: the page is as it was. */
static void
blocks(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), ingrid = browser_of(s, "ingrid");

	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "follow");
	get(&ingrid, "/author/noor/block");
	ok(says(&ingrid, "Block Noor Haddad?"), "who blocks is asked");
	is_int(SUBMIT(&ingrid, "/author/noor/block", "x", "y"), HTTP_SEE_OTHER, "... and does");
	get(&ingrid, "/author/noor");
	ok(says(&ingrid, "value=\"unblock\"") && !says(&ingrid, "value=\"follow\""),
	    "... which can be undone");
	get(&ingrid, "/account/blocked");
	ok(says(&ingrid, "Noor Haddad"), "... also on a list");
	get(&ingrid, "/account/following");
	ok(!says(&ingrid, "Noor Haddad"), "... that is not that of whom she follows");
	get(&noor, "/author/ingrid");
	ok(noor.last.status == HTTP_OK && says(&noor, "4 followers") &&
		says(&noor, "value=\"follow\""),
	    "who is blocked does not follow, and sees the page as anybody");
	is_int(SUBMIT(&noor, "/author/ingrid/follow", "do", "follow"), HTTP_NOT_FOUND,
	    "... and finds nobody to follow");
	ok(!holds(noor.last.body, STR("lock")), "... by no word of why");
	get(&noor, "/account/blocked");
	ok(!says(&noor, "Ingrid"), "... nor on a list");
	get(&noor, "/account/data");
	SUBMIT(&noor, "/account/export", "x", "y");
	ok(!says(&noor, "blocked"), "... nor in her data");
	get(&ingrid, "/account/data");
	SUBMIT(&ingrid, "/account/export", "x", "y");
	ok(says(&ingrid, "blocked"), "... as in that of who blocks");
	get(&ingrid, "/account/blocked");
	is_int(SUBMIT(&ingrid, "/account/blocked", "unblock", "noor"), HTTP_SEE_OTHER,
	    "she is unblocked");
	get(&noor, "/author/ingrid");
	is_int(SUBMIT(&noor, "/author/ingrid/follow", "do", "follow"), HTTP_SEE_OTHER,
	    "... and may follow");
	get(&noor, "/author/ingrid");
	SUBMIT(&noor, "/author/ingrid/follow", "do", "unfollow");
}

/* More than a page of followers, each of them once. */
static void
many(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	size_t seen = 0, pages = 0;
	struct str next = STR("/account/followers");

	for (int i = 0; i < 120; i++) {
		struct item follow = {.count = 0};
		struct str name = str_fmt(s->arena, "fan_%03d", i);

		key_set(s->arena, &follow, key_follow(s->arena, name, STR("lowri")), ITEM_FOLLOW);
		key_index_follower(s->arena, &follow, name, STR("lowri"),
		    str_fmt(s->arena, "2026-01-01T00:00:00.%03dZ", i));
		item_set(s->arena, &follow, STR("Follower"), value_string(name));
		item_set(s->arena, &follow, STR("Followed"), value_string(STR("lowri")));
		item_set(s->arena, &follow, STR("Status"), value_string(STR("active")));
		seeded_put(s, &follow, 1);
	}
	for (; next.len != 0 && pages < 10; pages++) {
		get(&lowri, str_cstring(s->arena, next));
		seen += count_of(lowri.last.body, STR("value=\"fan_"));
		next = part(lowri.last.body, "class=\"older\" href=\"", "\"");
	}
	is_int((int64_t)seen, 120, "all followers are on the pages of the list, each once");
	is_int((int64_t)pages, 3, "... fifty on each");
}

/* Whoever is let in just now stands in both lists, where an index is behind. */
static void
in_two_lists(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	struct item asked = {.count = 0};

	key_set(
	    s->arena, &asked, key_follow(s->arena, STR("fan_twice"), STR("lowri")), ITEM_FOLLOW);
	key_index_follow_request(
	    s->arena, &asked, STR("fan_119"), STR("lowri"), STR("2026-01-01T00:00:00.119Z"));
	item_set(s->arena, &asked, STR("Follower"), value_string(STR("fan_119")));
	item_set(s->arena, &asked, STR("Followed"), value_string(STR("lowri")));
	item_set(s->arena, &asked, STR("Status"), value_string(STR("asked")));
	seeded_put(s, &asked, 1);
	is_int(get(&lowri, "/account/followers"), HTTP_OK,
	    "who is read as one who asks and as a follower");
	is_int((int64_t)count_of(lowri.last.body, STR("value=\"fan_119\"")), 3,
	    "... stands in both lists");
}

/* Nothing says that there is nobody while there are more pages. */
static void
behind_blocks(struct seeded *s)
{
	struct browser tobias = browser_of(s, "tobias");

	for (int i = 0; i < 50; i++) {
		struct item block = {.count = 0};
		struct str name = str_fmt(s->arena, "aaa_%03d", i);

		key_set(s->arena, &block, key_follow(s->arena, STR("tobias"), name), ITEM_FOLLOW);
		key_index_block(
		    s->arena, &block, STR("tobias"), name, STR("2026-01-01T00:00:00.000Z"));
		item_set(s->arena, &block, STR("Follower"), value_string(STR("tobias")));
		item_set(s->arena, &block, STR("Followed"), value_string(name));
		item_set(s->arena, &block, STR("Status"), value_string(STR("blocked")));
		seeded_put(s, &block, 1);
	}
	get(&tobias, "/author/ingrid");
	SUBMIT(&tobias, "/author/ingrid/follow", "do", "follow");
	get(&tobias, "/account/following");
	ok(says(&tobias, "class=\"older\"") && !says(&tobias, "You follow nobody yet"),
	    "whom one follows may be behind a page of those whom one has blocked");
}

static void
too_many(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), marta = browser_of(s, "marta");
	int done = 0;

	is_int(submit_form(&marta, "/admin/moderation", "/admin/moderation",
		   (const char *const[]){"trusted_follows", "3", "known_follows", "2",
		       "new_follows", "1", NULL}),
	    HTTP_SEE_OTHER, "an admin says how many may be followed in a day");
	for (; done < 10; done++) {
		get(&pascal, "/author/marta");
		if (SUBMIT(&pascal, "/author/marta/follow", "do", "follow") != HTTP_SEE_OTHER)
			break;
		get(&pascal, "/author/marta");
		SUBMIT(&pascal, "/author/marta/follow", "do", "unfollow");
	}
	is_int(done, 3, "whoever is trusted follows so many");
	is_int(pascal.last.status, HTTP_TOO_MANY, "... then no more");
	ok(says(&pascal, "Please try again in 15 hours"), "... until when is said");
	ok(header(&pascal.last, "Retry-After").len != 0, "... also to programs");
}

/* What a follow writes, of a person with a short profile and with a long one, whose item is checked. */
static void
units(struct seeded *s)
{
	static const struct {
		const char *who;
		size_t bio;
		int64_t most;
	} follows[] = {{"units_1", 0, 14}, {"units_2", 1200, 15}};
	struct write_units c;

	write_units_begin(&c, s->table);
	for (size_t i = 0; i < 2; i++) {
		struct table_call call = {.arena = s->arena};
		struct plan plan = {.table = &c.front.table,
		    .call = &call,
		    .now = s->clock.fixed_now,
		    .by = str_of(follows[i].who),
		    .by_name = STR("A name of some length, as people have")};
		struct item item = seeded_item(s, "USER#ingrid", "METADATA");
		const struct rate limit = {.what = STR("follow"),
		    .who = plan.by,
		    .most = 20,
		    .window = RATE_DAY_SECONDS};
		char *bio = arena_alloc(s->arena, follows[i].bio);
		struct user ingrid;

		memset(bio, 'b', follows[i].bio);
		item_set(s->arena, &item, STR("Bio"),
		    value_string((struct str){bio, follows[i].bio}));
		seeded_put(s, &item, 1);
		user_from_item(s->arena, &item, &ingrid);
		c.units = 0;
		is_int(follow_begin(&plan, &ingrid, &limit), PLAN_DONE, "%s follows",
		    follows[i].who);
		ok(c.units > 0 && c.units <= follows[i].most,
		    "... which costs %lld write units, at most %lld", (long long)c.units,
		    (long long)follows[i].most);
		table_release(s->table, &call);
	}
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	following(&s);
	nobody_to_follow(&s);
	being_told(&s);
	strangers(&s);
	session_ends(&s);
	requests(&s);
	becomes_public(&s);
	approves_all(&s);
	blocks(&s);
	many(&s);
	in_two_lists(&s);
	behind_blocks(&s);
	too_many(&s);
	units(&s);
	browsers_close(&s);
	return tap_done();
}
