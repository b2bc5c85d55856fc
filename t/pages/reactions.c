/*
 * Likes, votes and bookmarks: one person has one item, whatever they press and however often, and what counts them is
 * right, shard by shard, before and after it is folded.
 */
#include "past.h"
#include "signing.h"

#include "lib/tap.h"
#include "lib/write_units.h"

#include "model/key_post.h"
#include "model/post/count.h"
#include "model/reader/reaction.h"
#include "model/site/rate.h"

#include <pthread.h>
#include <stdatomic.h>

#define ARTICLE "the-tide-in-forty-lines-of-c"
#define TEXT(s, ...) str_cstring((s)->arena, str_fmt((s)->arena, __VA_ARGS__))

static struct rate
limit_of(struct str username)
{
	return (struct rate){
	    .what = STR("react"), .who = username, .most = 1000, .window = RATE_DAY_SECONDS};
}

static struct item *
item_of(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("%s", call.why);
	table_release(s->table, &call);
	return read.item;
}

static enum opinion
opinion_in_table(struct seeded *s, const char *who, const char *post, enum reaction what)
{
	return reaction_from_item(what, item_of(s, key_reaction(s->arena, str_of(who), str_of(post),
						       reaction_kinds[what].key_name)));
}

static int64_t
shard_says(struct seeded *s, const char *post, const char *who, const char *name)
{
	struct item *shard =
	    item_of(s, key_count(s->arena, str_of(post), count_shard(str_of(who))));

	return shard != NULL ? item_number(shard, str_of(name)) : 0;
}

/* What all shards say. */
static int64_t
sum_of_shards(struct seeded *s, const char *post, const char *name)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < COUNT_SHARDS; i++) {
		struct item *shard = item_of(s, key_count(s->arena, str_of(post), i));

		if (shard != NULL)
			sum += item_number(shard, str_of(name));
	}
	return sum;
}

static void
fold_all(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t folded = 1;

	while (folded != 0)
		if (count_fold_marked(s->table, &call, &folded) != TABLE_OK)
			bail_out("%s", call.why);
	table_release(s->table, &call);
}

static struct str
figure(struct seeded *s, const char *pk, const char *sk, const char *name)
{
	struct item item = seeded_item(s, pk, sk);

	return str_fmt(s->arena, "%lld", (long long)item_number(&item, str_of(name)));
}

static int64_t
number(struct str text)
{
	int64_t n = -1;

	str_int(text, &n);
	return n;
}

/* Presses a button of the post's page. */
static enum http_status
press(struct browser *b, const char *post, const char *name, const char *value)
{
	const char *page = str_cstring(b->s->arena, str_fmt(b->s->arena, "/post/%s", post));
	const char *react = str_cstring(b->s->arena, str_fmt(b->s->arena, "/react/%s", post));

	get(b, page);
	return SUBMIT(b, react, name, value);
}

static void
liking(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.9");
	int64_t likes, before;

	press(&b, ARTICLE, "like", "off");
	fold_all(s);
	likes = number(figure(s, "POST#" ARTICLE, "METADATA", "Likes"));
	before = shard_says(s, ARTICLE, "ingrid", "Loves");
	is_int(press(&b, ARTICLE, "like", "love"), HTTP_SEE_OTHER, "ingrid loves an article");
	is_str(leads_to(&b), STR("/post/" ARTICLE "#reactions"), "... and is back where she was");
	is_int(opinion_in_table(s, "ingrid", ARTICLE, REACTION_LIKE), OPINION_LOVE,
	    "it is in the table");
	is_int(shard_says(s, ARTICLE, "ingrid", "Loves"), before + 1, "... and in her shard");
	get(&b, "/post/" ARTICLE);
	ok(says(&b, "name=\"like\" value=\"off\" aria-pressed=\"true\">Love"),
	    "her page says so at once");
	is_int(press(&b, ARTICLE, "like", "love"), HTTP_SEE_OTHER, "she says it again");
	is_int(shard_says(s, ARTICLE, "ingrid", "Loves"), before + 1, "... which changes nothing");
	is_int(number(figure(s, "POST#" ARTICLE, "METADATA", "Likes")), likes,
	    "others see it when it is folded");
	fold_all(s);
	is_int(number(figure(s, "POST#" ARTICLE, "METADATA", "Likes")), likes + 1, "... as now");
	get(&stranger, "/post/" ARTICLE);
	ok(says(&stranger,
	       str_cstring(s->arena, str_fmt(s->arena, "%lld likes", (long long)likes + 1))),
	    "... also strangers");
	press(&b, ARTICLE, "like", "laugh");
	is_int(opinion_in_table(s, "ingrid", ARTICLE, REACTION_LIKE), OPINION_LAUGH,
	    "she laughs instead");
	is_int(shard_says(s, ARTICLE, "ingrid", "Loves"), before, "... and no longer loves it");
	press(&b, ARTICLE, "like", "off");
	is_int(opinion_in_table(s, "ingrid", ARTICLE, REACTION_LIKE), OPINION_OFF,
	    "she takes it back");
	fold_all(s);
	is_int(number(figure(s, "POST#" ARTICLE, "METADATA", "Likes")), likes, "... uncounted");
}

/* Whatever reactions there are: what a kind of post takes has its buttons there, which do what they say. */
static void
every_button(struct seeded *s, struct browser *b, const char *post, enum opinion wish)
{
	const struct opinion_kind *o = &opinion_kinds[wish];
	const struct reaction_kind *r = &reaction_kinds[o->of];
	const char *page = TEXT(s, "/post/%s", post), *name = str_cstring(s->arena, o->counter);
	const char *off = TEXT(s, "name=\"%s\" value=\"off\" aria-pressed=\"true\">", r->name);
	int64_t before;

	press(b, post, r->name, "off");
	before = shard_says(s, post, "noor", name);
	get(b, page);
	ok(says(b, TEXT(s, "name=\"%s\" value=\"%s\"", r->name, o->name)) && says(b, o->label) &&
		!says(b, off),
	    "%s has a button %s", post, o->label);
	is_int(press(b, post, r->name, o->name), HTTP_SEE_OTHER, "... to be pressed");
	is_int(opinion_in_table(s, "noor", post, o->of), wish, "... which makes an item");
	is_int(shard_says(s, post, "noor", name), before + 1, "... that is counted");
	get(b, page);
	ok(says(b, TEXT(s, "%s%s", off, o->label)), "... the button is pressed then");
	is_int(press(b, post, r->name, "off"), HTTP_SEE_OTHER, "... and takes it back");
	is_int(opinion_in_table(s, "noor", post, o->of), OPINION_OFF, "... with the item");
	is_int(shard_says(s, post, "noor", name), before, "... which is not counted any more");
}

static void
every_reaction(struct seeded *s)
{
	static const struct {
		enum post_kind kind;
		const char *post;
	} posts[] = {{KIND_ARTICLE, ARTICLE}, {KIND_LINK, "noaa-tides-and-currents"},
	    {KIND_HOWTO, "whip-a-ropes-end"}, {KIND_NOTE, "first-brent-geese"}};
	struct browser b = browser_of(s, "noor");

	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++) {
		const struct post post = {.kind = posts[i].kind};

		for (enum opinion o = OPINION_OFF + 1; o < OPINIONS; o++) {
			const char *name = reaction_kinds[opinion_kinds[o].of].name;
			const char *react = TEXT(s, "/react/%s", posts[i].post);

			if (reaction_fits(&post, opinion_kinds[o].of)) {
				every_button(s, &b, posts[i].post, o);
				continue;
			}
			get(&b, TEXT(s, "/post/%s", posts[i].post));
			ok(!says(&b, TEXT(s, "name=\"%s\"", name)), "%s has no button %s",
			    posts[i].post, opinion_kinds[o].label);
			is_int(SUBMIT(&b, react, name, opinion_kinds[o].name), HTTP_FORBIDDEN,
			    "... nor takes it");
		}
	}
}

static void
what_posts_take(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal"), kofi = browser_of(s, "kofi");

	is_int(press(&kofi, ARTICLE, "bookmark", "on"), HTTP_SEE_OTHER,
	    "one's own article can be bookmarked");
	ok(!says(&kofi, "name=\"like\""), "... but has no buttons to like it");
	get(&kofi, "/post/" ARTICLE);
	ok(says(&kofi, "bookmark"), "its author sees how many have bookmarked it");
	is_int(SUBMIT(&kofi, "/react/" ARTICLE, "like", "like"), HTTP_FORBIDDEN,
	    "... nor can he like it");
	get(&b, "/post/" ARTICLE);
	ok(!says(&b, "bookmarks</span>"), "others do not see how many");
	is_int(SUBMIT(&b, "/react/" ARTICLE, "vote", "up"), HTTP_FORBIDDEN,
	    "an article is not voted on");
	get(&b, "/post/" ARTICLE);
	is_int(SUBMIT(&b, "/react/" ARTICLE, "like", "hate"), HTTP_BAD_REQUEST,
	    "a feeling that there is not");
	is_int(press(&b, "whip-a-ropes-end", "vote", "up"), HTTP_SEE_OTHER, "a how-to is");
}

static void
strangers(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.8"), own = browser_of(s, "pascal");

	press(&own, ARTICLE, "bookmark", "off");
	give_password(s, "pascal", PASSWORD);
	get(&b, "/post/" ARTICLE);
	ok(says(&b, "/react/" ARTICLE "?bookmark=on"), "a stranger has links in place of buttons");
	is_int(
	    get(&b, "/react/" ARTICLE "?bookmark=on"), HTTP_SEE_OTHER, "they lead to the sign-in");
	ok(str_starts(leads_to(&b), STR("/login?next=")), "... and from there back");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	is_int(SUBMIT(&b, "/login", "name", "pascal", "password", PASSWORD), HTTP_SEE_OTHER,
	    "who signs in");
	is_int(get(&b, str_cstring(s->arena, leads_to(&b))), HTTP_OK, "... is asked once");
	ok(says(&b, "Bookmark: “"), "... whether they want it");
	is_int(opinion_in_table(s, "pascal", ARTICLE, REACTION_BOOKMARK), OPINION_OFF,
	    "nothing is done before");
	is_int(SUBMIT(&b, "/react/" ARTICLE, NULL), HTTP_SEE_OTHER, "yes");
	is_int(opinion_in_table(s, "pascal", ARTICLE, REACTION_BOOKMARK), OPINION_ON,
	    "... it is done");
	get(&b, "/account/bookmarks");
	ok(says(&b, "/post/" ARTICLE), "it is among their bookmarks");
	is_int(
	    SUBMIT(&b, "/react/" ARTICLE, "bookmark", "off"), HTTP_SEE_OTHER, "they take it off");
	is_str(leads_to(&b), STR("/account/bookmarks"), "... and are back there");
	get(&b, "/account/bookmarks");
	ok(!says(&b, "/react/" ARTICLE), "... where it is no more");
}

/* --- Tags of one's own ------------------------------------------------------------------------------------ */

static int64_t
own_tag(struct seeded *s, const char *who, const char *tag)
{
	struct item *item = item_of(s, key_own_tag(s->arena, str_of(who), str_of(tag)));

	return item != NULL ? item_number(item, STR("Bookmarks")) : 0;
}

static void
tagging(struct seeded *s)
{
	struct browser b = browser_of(s, "noor"), ingrid = browser_of(s, "ingrid"),
		       kofi = browser_of(s, "kofi");
	static const char form[] = "/account/bookmark/" ARTICLE;

	press(&ingrid, ARTICLE, "bookmark", "off");
	press(&b, ARTICLE, "bookmark", "on");
	press(&b, "whip-a-ropes-end", "bookmark", "on");
	is_int(get(&b, form), HTTP_OK, "a bookmark can have tags");
	is_int(
	    SUBMIT(&b, form, "tags", "Read later, Tides!, read later"), HTTP_SEE_OTHER, "... two");
	get(&b, "/account/bookmarks?done=tagged");
	ok(says(&b, "The tags are saved.") && says(&b, "href=\"/account/bookmarks/read-later\"") &&
		says(&b, "href=\"/account/bookmarks/tides\""),
	    "... which are among all of one's own");
	is_int(get(&b, "/account/bookmarks/read-later"), HTTP_OK, "the bookmarks of one of them");
	ok(says(&b, "\"/post/" ARTICLE "\"") && !says(&b, "/post/whip-a-ropes-end") &&
		says(&b, "href=\"/account/bookmarks/tides\""),
	    "... are those that have it, with their others");
	is_int(own_tag(s, "noor", "tides"), 1, "... counted");
	is_int(get(&ingrid, form), HTTP_NOT_FOUND, "who has no bookmark of it has no tags for it");
	get(&ingrid, "/account/bookmarks/read-later");
	ok(!says(&ingrid, ARTICLE), "nobody else has hers");
	get(&kofi, "/post/" ARTICLE);
	ok(!says(&kofi, "read-later"), "... nor does its author see them");
	get(&b, form);
	ok(says(&b, "value=\"read-later, tides\""), "the form has them");
	is_int(SUBMIT(&b, form, "tags", "a, b, c, d, e, f, g, h, i, j, k"), HTTP_UNPROCESSABLE,
	    "eleven are too many");
	ok(says(&b, "more than ten") && says(&b, "a, b, c, d, e, f, g, h, i, j, k"),
	    "... which is said beside them");
	is_int(
	    SUBMIT(&b, form, "tags", "tides, !?"), HTTP_UNPROCESSABLE, "nor one without a letter");
	is_int(SUBMIT(&b, form, "tags", "tides, harbour"), HTTP_SEE_OTHER, "one goes, one comes");
	is_int(own_tag(s, "noor", "read-later"), 0, "... and is counted no more");
	get(&b, "/account/bookmarks/read-later");
	ok(!says(&b, "/post/" ARTICLE) && !says(&b, "bookmarks/read-later"), "... nor shown");
	is_int(own_tag(s, "noor", "harbour"), 1, "... and the other is");
}

/* A bookmark becomes a post in a collection in one step. */
static void
moving(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");

	get(&b, "/account/bookmarks/tides");
	ok(says(&b, "/collect/" ARTICLE "?move=1"), "a bookmark leads to collections");
	is_int(get(&b, "/collect/" ARTICLE "?move=1"), HTTP_OK, "... where it can be moved");
	ok(says(&b, "Take it off my bookmarks") && says(&b, " checked"), "... which is ticked");
	is_int(SUBMIT(&b, "/collect/" ARTICLE, "name", "Tides", "move", "1"), HTTP_SEE_OTHER,
	    "into a new one, in one step");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	ok(says(&b, "The tide in forty lines of C"), "... it is there");
	is_int(opinion_in_table(s, "noor", ARTICLE, REACTION_BOOKMARK), OPINION_OFF,
	    "... and no bookmark any more");
	is_int(
	    own_tag(s, "noor", "tides") + own_tag(s, "noor", "harbour"), 0, "... nor are its tags");
	get(&b, "/account/bookmarks/tides");
	ok(!says(&b, ARTICLE), "... in no list");
	get(&b, "/collect/" ARTICLE);
	ok(!says(&b, "Take it off"), "what is no bookmark is not asked about");
}

/* Whoever moderates is of the staff. */
static void
leave_group(struct seeded *s, const char *username)
{
	struct table_call call = {.arena = s->arena};
	struct write gone = {.kind = WRITE_DELETE,
	    .key = key_membership(s->arena, str_of(username), STR("harbour-watch"))};

	if (table_write(s->table, &call, &gone) != TABLE_OK)
		bail_out("%s", call.why);
}

static void
who_likes(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), kofi = browser_of(s, "kofi"),
		       stranger = browser(s, "192.0.2.7"), marta = browser_of(s, "marta"),
		       reader = browser_of(s, "pascal");

	press(&b, ARTICLE, "like", "like");
	is_int(get(&kofi, "/post/" ARTICLE "/likes"), HTTP_OK, "its author sees who likes it");
	ok(says(&kofi, "Ingrid Aasland"), "... by name");
	is_int(get(&marta, "/post/" ARTICLE "/likes"), HTTP_OK, "... the staff, too");
	is_int(get(&reader, "/post/" ARTICLE "/likes"), HTTP_OK, "... whoever moderates, too");
	leave_group(s, "pascal");
	is_int(get(&reader, "/post/" ARTICLE "/likes"), HTTP_NOT_FOUND, "others do not");
	is_int(get(&stranger, "/post/" ARTICLE "/likes"), HTTP_NOT_FOUND, "... nor strangers");
	get(&b, "/account/likes");
	ok(says(&b, "/post/" ARTICLE), "she finds it among what she likes");
}

static void
hidden(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct item head;

	press(&b, ARTICLE, "bookmark", "on");
	get(&b, "/post/" ARTICLE);
	head = seeded_item(s, "POST#" ARTICLE, "METADATA");
	item_set(s->arena, &head, STR("Visibility"), value_string(STR("private")));
	seeded_put(s, &head, 1);
	is_int(SUBMIT(&b, "/react/" ARTICLE, "like", "love"), HTTP_NOT_FOUND,
	    "what one may not see is not there");
	is_int(get(&b, "/react/" ARTICLE "?like=love"), HTTP_NOT_FOUND, "... nor asked about");
	get(&b, "/account/bookmarks");
	ok(!says(&b, "/post/" ARTICLE), "... and in no list");
	item_set(s->arena, &head, STR("Visibility"), value_string(STR("public")));
	seeded_put(s, &head, 1);
}

/* As much a day as somebody may of whom nothing was said yet. */
static void
limits(struct seeded *s)
{
	enum { A_DAY = 50 };
	const char *const pairs[] = {"PK", "USER#gull", "SK", "METADATA", "Type", "User",
	    "Username", "gull", "DisplayName", "Gull", "Email", "gull@example.org", "Role",
	    "reader", "Status", "active", "CreatedAt", "2026-11-18T09:00:00.000Z", "GSI2PK",
	    "PEOPLE#reader", "GSI2SK", "gull", "GSI3PK", "USER", "GSI3SK", "gull", NULL};
	struct item item = {.count = 0};
	struct browser b;
	int done = 0;

	for (size_t i = 0; pairs[i] != NULL; i += 2)
		item_set(s->arena, &item, str_of(pairs[i]), value_string(str_of(pairs[i + 1])));
	seeded_put(s, &item, 1);
	b = browser_of(s, "gull");
	get(&b, "/post/" ARTICLE);
	while (done <= A_DAY && SUBMIT(&b, "/react/" ARTICLE, "like",
				    done % 2 == 0 ? "love" : "laugh") == HTTP_SEE_OTHER) {
		done++;
		get(&b, "/post/" ARTICLE);
	}
	is_int(done, A_DAY, "so many a day");
	is_int(b.last.status, HTTP_TOO_MANY, "... and no more");
	ok(header(&b.last, "Retry-After").len != 0 && says(&b, "try again in"), "... is told when");
	get(&b, "/post/" ARTICLE);
	is_int(SUBMIT(&b, "/react/" ARTICLE, "like", "off"), HTTP_SEE_OTHER,
	    "taking back is always possible");
}

/* --- A table from before there were shards ------------------------------------------------------------ */

static void
carried_over(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct browser b = browser_of(s, "ingrid");
	struct item stats = seeded_item(s, "POST#" ARTICLE, "STATS");
	int64_t likes = item_number(&stats, STR("Likes"));

	press(&b, ARTICLE, "like", "off");
	fold_all(s);
	for (unsigned i = 0; i < COUNT_SHARDS; i++) {
		struct write gone = {
		    .kind = WRITE_DELETE, .key = key_count(s->arena, STR(ARTICLE), i)};

		if (table_write(s->table, &call, &gone) != TABLE_OK)
			bail_out("%s", call.why);
	}
	stats = seeded_item(s, "POST#" ARTICLE, "STATS");
	item_remove(&stats, STR("Shards"));
	item_set(s->arena, &stats, STR("Likes"), value_number(likes = 41));
	seeded_put(s, &stats, 1);
	press(&b, ARTICLE, "like", "like");
	get(&b, "/post/" ARTICLE);
	ok(says(&b, "Like <span class=\"count\">42</span>"),
	    "the first like of an older table comes on top of what was counted");
	fold_all(s);
	is_int(number(figure(s, "POST#" ARTICLE, "STATS", "Likes")), 42, "... and is folded so");
	press(&b, ARTICLE, "like", "off");
	fold_all(s);
	is_int(number(figure(s, "POST#" ARTICLE, "STATS", "Likes")), 41, "... which happens once");
}

/* --- What it costs ------------------------------------------------------------------------------------- */

static void
units(struct seeded *s)
{
	static const int64_t most[REACTIONS] = {
	    [REACTION_LIKE] = 10, [REACTION_VOTE] = 12, [REACTION_BOOKMARK] = 10};
	struct write_units c;
	struct str who = STR("units");
	const struct rate limit = limit_of(who);

	write_units_begin(&c, s->table);
	for (enum opinion o = OPINION_OFF + 1; o < OPINIONS; o++) {
		enum reaction what = opinion_kinds[o].of;
		struct table_call call = {.arena = s->arena};
		struct plan plan = {.table = &c.front.table,
		    .call = &call,
		    .now = s->clock.fixed_now,
		    .by = who,
		    .by_name = STR("A name of some length, as people have")};
		struct post post = {.id = STR(ARTICLE),
		    .title = STR("A title as long as titles are, of a hundred characters or so")};
		struct read read = reaction_read(s->arena, who, post.id, what);
		uint32_t wait;

		if (table_read(s->table, &call, &read, 1) != TABLE_OK)
			bail_out("%s", call.why);
		c.units = 0;
		is_int(reaction_set(&plan, &post, what, o, &read, &limit, &wait), PLAN_DONE, "%s",
		    opinion_kinds[o].label);
		ok(c.units > 0 && c.units <= (most[what] != 0 ? most[what] : 12),
		    "... costs %lld write units", (long long)c.units);
		table_release(s->table, &call);
	}
}

/* --- Many at once --------------------------------------------------------------------------------------- */

enum { CLIENTS = 64, PRESSES = 6, PEOPLE = 16 };

struct client {
	pthread_t thread;
	struct seeded *s;
	struct table *table;
	struct post post;
	unsigned seed;
	int failed;
};

/* Several of them are the same person. */
static struct str
person(struct arena *arena, unsigned i)
{
	return str_fmt(arena, "storm%u", i % PEOPLE);
}

static void *
press_much(void *context)
{
	struct client *c = context;
	struct arena *arena = arena_new();
	static const enum opinion opinions[] = {
	    OPINION_LIKE, OPINION_LOVE, OPINION_LAUGH, OPINION_OFF};

	for (int i = 0; i < PRESSES; i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {.table = c->table, .call = &call, .now = c->s->clock.fixed_now};
		struct read read;
		struct rate limit = limit_of(person(arena, c->seed));
		uint32_t wait;
		enum plan_rc rc;

		plan.by = plan.by_name = person(arena, c->seed);
		read = reaction_read(arena, plan.by, c->post.id, REACTION_LIKE);
		if (table_read(c->table, &call, &read, 1) != TABLE_OK) {
			c->failed++;
			continue;
		}
		rc = reaction_set(&plan, &c->post, REACTION_LIKE,
		    opinions[(c->seed / PEOPLE + (unsigned)i) % 4], &read, &limit, &wait);
		/* Whoever presses in four places at once may be told that they were faster elsewhere. */
		c->failed += rc != PLAN_DONE && rc != PLAN_CHANGED &&
			     !(rc == PLAN_TABLE && plan.failed == TABLE_CONFLICT);
		table_release(c->table, &call);
	}
	arena_free(arena);
	return NULL;
}

/* --- What comes in between a fold's reads and its writes --- */

struct meddling {
	struct failing_table front;
	struct table_engine engine;
	struct seeded *s;
	enum opinion wish;
	bool folds, done;
};

static void
like_as(struct seeded *s, const char *who, enum opinion wish)
{
	struct item head = seeded_item(s, "POST#" ARTICLE, "METADATA");
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	const struct rate limit = limit_of(str_of(who));
	struct read read = reaction_read(s->arena, str_of(who), STR(ARTICLE), REACTION_LIKE);
	struct post post;
	uint32_t wait;

	post_from_item(s->arena, &head, &post);
	plan.by = plan.by_name = str_of(who);
	if (table_read(s->table, &call, &read, 1) != TABLE_OK ||
	    reaction_set(&plan, &post, REACTION_LIKE, wish, &read, &limit, &wait) != PLAN_DONE)
		bail_out("%s can't like it", who);
	table_release(s->table, &call);
}

/* Once it has read the shards, there is another wish, in a shard that it has read; and it may be folded already. */
static enum table_rc
meddle(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct meddling *m = (struct meddling *)table;
	struct table *inner = m->front.inner;
	enum table_rc rc = inner->engine->read(inner, call, reads, count);

	if (reads[0].kind != READ_BATCH || m->done)
		return rc;
	m->done = true;
	like_as(m->s, "meddler", m->wish);
	if (m->folds)
		fold_all(m->s);
	return rc;
}

static void
in_between(struct seeded *s)
{
	static const struct {
		const char *what;
		enum opinion wish;
		bool folds;
		int more;
	} rows[] = {
	    {"somebody likes it during the fold", OPINION_LIKE, false, 1},
	    {"another fold is faster", OPINION_LIKE, true, 1},
	    {"another fold is faster, and finds all as it was before", OPINION_OFF, true, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct meddling m = {.s = s, .wish = rows[i].wish, .folds = rows[i].folds};
		struct table_call call = {.arena = s->arena};
		int64_t before;
		size_t folded;

		like_as(s, "meddler", OPINION_OFF);
		fold_all(s);
		before = number(figure(s, "POST#" ARTICLE, "METADATA", "Likes"));
		like_as(s, "meddler", OPINION_LOVE);
		failing_table_begin(&m.front, s->table);
		m.engine = *m.front.table.engine;
		m.engine.read = meddle;
		m.front.table.engine = &m.engine;
		is_int(count_fold_marked(&m.front.table, &call, &folded), TABLE_OK, "%s", rows[i].what);
		table_release(s->table, &call);
		fold_all(s);
		ok(m.done, "... behind its reads");
		is_int(number(figure(s, "POST#" ARTICLE, "METADATA", "Likes")), before + rows[i].more,
		    "... and the head is right in the end");
		is_int(number(figure(s, "POST#" ARTICLE, "STATS", "Likes")),
		    sum_of_shards(s, ARTICLE, "Likes"), "... and Stats say what they say now");
		is_int(number(figure(s, "POST#" ARTICLE, "STATS", "Loves")),
		    sum_of_shards(s, ARTICLE, "Loves"), "... not what they said before");
	}
}

/* Two processes that fold all the time, which only one at a time is meant to. */
struct folder {
	pthread_t thread;
	struct table *table;
	atomic_bool *over;
	int failed;
};

static void *
fold_much(void *context)
{
	struct folder *f = context;
	struct arena *arena = arena_new();

	while (!*f->over) {
		struct table_call call = {.arena = arena};
		size_t folded;

		f->failed += count_fold_marked(f->table, &call, &folded) != TABLE_OK;
		table_release(f->table, &call);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
begin_folding(struct seeded *s, struct folder folders[2], atomic_bool *over)
{
	for (int i = 0; i < 2; i++) {
		folders[i] = (struct folder){.table = s->table, .over = over};
		if (pthread_create(&folders[i].thread, NULL, fold_much, &folders[i]) != 0)
			bail_out("no thread");
	}
}

static void
end_folding(struct folder folders[2], atomic_bool *over)
{
	*over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(folders[i].thread, NULL);
	is_int(folders[0].failed + folders[1].failed, 0, "two fold meanwhile");
}

static void
storm(struct seeded *s)
{
	struct folder folders[2];
	atomic_bool over = false;
	struct client clients[CLIENTS] = {{0}};
	struct item head = seeded_item(s, "POST#first-brent-geese", "METADATA");
	int64_t there[COUNT_SHARDS][3] = {{0}}, seeded[COUNT_SHARDS][3] = {{0}};
	static const char *const names[] = {"Likes", "Loves", "Laughs"};
	int failed = 0, wrong = 0;
	int64_t sum = 0, before = 0;

	for (unsigned h = 0; h < COUNT_SHARDS; h++) {
		struct item *shard = item_of(s, key_count(s->arena, STR("first-brent-geese"), h));

		for (int n = 0; n < 3 && shard != NULL; n++)
			seeded[h][n] = item_number(shard, str_of(names[n]));
	}
	begin_folding(s, folders, &over);
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i].s = s;
		clients[i].table = s->table;
		clients[i].seed = i;
		post_from_item(s->arena, &head, &clients[i].post);
		if (pthread_create(&clients[i].thread, NULL, press_much, &clients[i]) != 0)
			bail_out("no thread");
	}
	for (unsigned i = 0; i < CLIENTS; i++) {
		pthread_join(clients[i].thread, NULL);
		failed += clients[i].failed;
	}
	end_folding(folders, &over);
	is_int(failed, 0, "%d clients, four of each person, press at once", CLIENTS);
	for (unsigned i = 0; i < PEOPLE; i++) {
		struct str who = person(s->arena, i);
		enum opinion wish = opinion_in_table(
		    s, str_cstring(s->arena, who), "first-brent-geese", REACTION_LIKE);

		if (wish != OPINION_OFF)
			there[count_shard(who)][wish - OPINION_LIKE]++;
	}
	for (unsigned h = 0; h < COUNT_SHARDS; h++) {
		struct item *shard = item_of(s, key_count(s->arena, STR("first-brent-geese"), h));

		for (int n = 0; n < 3; n++) {
			int64_t says = shard != NULL ? item_number(shard, str_of(names[n])) : 0;

			wrong += says != seeded[h][n] + there[h][n];
			sum += says;
		}
	}
	is_int(wrong, 0, "each shard equals its items");
	fold_all(s);
	for (int n = 0; n < 3; n++)
		before += number(figure(s, "POST#first-brent-geese", "STATS", names[n]));
	is_int(before, sum, "... and what is folded equals the shards");
	is_int(number(figure(s, "POST#first-brent-geese", "METADATA", "Likes")), sum,
	    "... as does the head");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	liking(&s);
	every_reaction(&s);
	what_posts_take(&s);
	strangers(&s);
	tagging(&s);
	moving(&s);
	who_likes(&s);
	hidden(&s);
	limits(&s);
	units(&s);
	in_between(&s);
	storm(&s);
	carried_over(&s);
	browsers_close(&s);
	return tap_done();
}
