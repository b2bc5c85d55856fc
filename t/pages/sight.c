/*
 * The matrix of who sees what: everything that is not for everybody, or of somebody whom the viewer has muted or blocked,
 * is looked for on every list, number and feed, for every kind of viewer. Where something may be is said in a table;
 * everywhere else it must not be.
 */
#include "t/derive/worker.h"
#include "writer.h"

#include "lib/tap.h"

#include "model/key.h"
#include "web/http/route.h"

#include <string.h>

#define TIDE "the-tide-in-forty-lines-of-c"
#define LINK "the-beaufort-scale"
#define GROUP "harbour-watch"

/* A stranger, a reader, a follower of the owner, a member of the group, who has muted or blocked the owner, the owner. */
static const char viewers[] = "SRFGMBO";
static const char *const names[] = {
    NULL, "v_reader", "v_follower", "v_member", "v_muter", "v_blocker", "noor"};
enum { VIEWERS = 7 };

/* What is looked for: a word that stands nowhere else. */
static const char *const words[] = {
    "Zanzibar",       /* a note for followers, with a tag of its own, which quotes a post */
    "Xebec",          /* one for the group */
    "Vanadium",       /* a link for followers */
    "Uvular",         /* a note for its author alone */
    "quincunx",       /* the tag of these */
    "Yarrow",         /* a comment under the note for followers */
    "Wombat",         /* one under that for the group */
    "Quahog",         /* a review of the link for followers */
    "Tamarack",       /* the owner’s comment under the note for followers */
    "Vellum",         /* the owner’s comment under a public post */
    "Umbrage",        /* the owner’s review of a public link */
    "Ocelot",         /* the owner’s public collection, with a post of each kind */
    "Narwhal",        /* the owner’s private collection */
    "Oysterman",      /* the owner’s words about themselves */
    "note quotes it", /* the number of notes that share a post */
};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static const char *const pages[] = {"/", "/feed.atom", "/sitemap.xml", "/archive", "/archive/2026",
    "/archive/2026/11", "/category/tides", "/category/water", "/category/tides/feed.atom", "/tags",
    "/tag/quincunx", "/tag/quincunx/feed.atom", "/authors", "/collections", "/comments",
    "/comments/best", "/hot", "/top/all", "/top/year", "/discussed/all", "/rated", "/stars/4", "/stars/5", "/moderation", "/author/noor",
    "/author/noor/feed.atom", "/author/noor/comments", "/author/noor/reviews",
    "/author/noor/collections", "/author/noor/followers", "/author/noor/following",
    "/author/pascal", "/author/pascal/comments", "/author/pascal/reviews",
    "/author/pascal/collections", "/author/pascal/followers", "/author/pascal/following",
    "/author/kofi/followers", "/author/kofi/following", "/post/" TIDE, "/post/" TIDE "/feed.atom",
    "/post/" LINK, "/post/" LINK "/reviews", "/post/zanzibar", "/post/zanzibar/feed.atom",
    "/post/xebec", "/post/xebec/feed.atom", "/post/vanadium", "/post/vanadium/reviews",
    "/post/uvular", "ocelot", "ocelot/feed.atom", "narwhal", "yarrow", "yarrow/feed.atom", "vellum",
    "vellum/feed.atom", "/disputed", "/top", "/top/2026", "/top/2026-11", "/discussed", "/discussed/2026",
    "/post/" TIDE "/likes", "/post/zanzibar/likes", "/archive/2026/11/18", "/edition/2026-w47", "/categories", "/page/about", "/links", "/howtos",
    "/account/feed", "/account/notifications", "/account/watching", "/search?q=zanzibar+xebec+vanadium+uvular",
    "/search?q=in:comments+yarrow+wombat+tamarack", "/search/suggest?q=zanz"};
enum { PAGES = sizeof(pages) / sizeof(pages[0]) };

/* Where a word may be, and must, and for whom. */
struct place {
	const char *word, *page, *who;
};

static const struct place places[] = {
    {"Zanzibar", "/post/zanzibar", "FO"},
    {"Zanzibar", "ocelot", "FO"},
    {"Zanzibar", "/author/noor/comments", "FO"},  /* under which the owner has said something */
    {"Zanzibar", "/author/pascal/comments", "O"}, /* whom others follow is not asked there */
    {"Zanzibar", "/comments", "O"},
    {"Xebec", "/post/xebec", "GO"},
    {"Xebec", "ocelot", "GO"},
    {"Xebec", "/author/pascal/comments", "GO"},
    {"Xebec", "/comments", "GO"},
    {"Vanadium", "/post/vanadium", "FO"},
    {"Vanadium", "/post/vanadium/reviews", "FO"},
    {"Vanadium", "/author/pascal/reviews", "O"},
    {"Uvular", "/post/uvular", "O"},
    {"quincunx", "/post/zanzibar", "FO"},
    {"quincunx", "/post/xebec", "GO"},
    {"quincunx", "/post/vanadium", "FO"},
    {"quincunx", "/post/uvular", "O"},
    {"quincunx", "ocelot", "FGO"}, /* lists show how a text begins */
    {"quincunx", "/account/feed", "F"},
    {"Zanzibar", "yarrow", "FO"},
    {"Zanzibar", "/post/zanzibar/likes", "O"},
    {"Zanzibar", "/account/feed", "F"},
    {"Vanadium", "/account/feed", "F"},
    {"Yarrow", "yarrow", "FO"},
    {"Vellum", "vellum", "SRFGMBO"},
    {"Vellum", "vellum/feed.atom", "SRFGMBO"},
    {"Yarrow", "/post/zanzibar", "FO"},
    {"Yarrow", "/author/pascal/comments", "O"},
    {"Yarrow", "/comments", "O"},
    {"Wombat", "/post/xebec", "GO"},
    {"Wombat", "/author/pascal/comments", "GO"},
    {"Wombat", "/comments", "GO"},
    {"Quahog", "/post/vanadium", "FO"},
    {"Quahog", "/post/vanadium/reviews", "FO"},
    {"Quahog", "/author/pascal/reviews", "O"},
    {"Tamarack", "/post/zanzibar", "FO"},
    {"Tamarack", "/author/noor/comments", "FO"},
    {"Tamarack", "/comments", "O"},
    {"Vellum", "/post/" TIDE, "SRFGMBO"},
    {"Vellum", "/post/" TIDE "/feed.atom", "SRFGMBO"}, /* a feed is the same for all */
    {"Vellum", "/comments", "SRFGMBO"},
    {"Vellum", "/", "SRFGO"}, /* where nobody meets whom they do not want to */
    {"Vellum", "/author/noor/comments", "SRFGMBO"},
    {"Umbrage", "/post/" LINK, "SRFGMBO"},
    {"Umbrage", "/post/" LINK "/reviews", "SRFGMBO"},
    {"Umbrage", "/author/noor/reviews", "SRFGMBO"},
    {"Umbrage", "/stars/5", "SRFGMBO"},
    {"Ocelot", "/collections", "SRFGMBO"},
    {"Ocelot", "/", "SRFGO"},
    {"Ocelot", "ocelot", "SRFGMBO"},
    {"Ocelot", "ocelot/feed.atom", "SRFGMBO"},
    {"Ocelot", "/author/noor/collections", "SRFGMBO"},
    {"Ocelot", "/post/" TIDE, "SRFGMBO"},
    {"Ocelot", "/post/zanzibar", "FO"},
    {"Ocelot", "/post/xebec", "GO"},
    {"Narwhal", "narwhal", "O"},
    {"Narwhal", "/author/noor/collections", "O"},
    {"Oysterman", "/author/noor", "SRFGMBO"},
    {"Oysterman", "/author/noor/feed.atom", "SRFGMBO"},
    {"Oysterman", "/author/noor/*", "SRFGMBO"},
    {"Oysterman", "/authors", "SRFGMO"},
    {"Oysterman", "/post/zanzibar", "FO"},
    {"Oysterman", "/post/xebec", "GO"},
    {"Oysterman", "/post/vanadium", "FO"},
    {"Oysterman", "/post/uvular", "O"},
    {NULL, NULL, NULL},
};

/* What is another way once the owner's profile is private; all else stays. */
static const struct place when_private[] = {
    {"Zanzibar", "/author/noor/comments", "FO"},
    {"Vellum", "/author/noor/comments", "FO"},
    {"Umbrage", "/author/noor/reviews", "FO"},
    {"Ocelot", "/author/noor/collections", "FO"},
    {"Oysterman", "/author/noor", "FO"},
    {"Oysterman", "/author/noor/feed.atom", ""},
    {"Oysterman", "/author/noor/*", "FO"},
    {"Oysterman", "/authors", "O"}, /* whom one follows is not asked there */
    {"Oysterman", "/post/xebec", "O"},
    {NULL, NULL, NULL},
};

/* Of those pages whose addresses are made by the stage: what they are called in the tables. */
static struct {
	const char *name, *address;
} made[] = {{"ocelot", NULL}, {"narwhal", NULL}, {"yarrow", NULL}, {"vellum", NULL}};
enum made_page { OCELOT, NARWHAL, YARROW, VELLUM, MADE };

static bool
is_page(const char *wanted, const char *page)
{
	size_t len = strlen(wanted);

	if (wanted[len - 1] == '*')
		return strncmp(wanted, page, len - 1) == 0 && strstr(page, ".atom") == NULL;
	return strcmp(wanted, page) == 0;
}

/* NULL: a table does not say. */
static const char *
who_in(const struct place *table, const char *word, const char *page)
{
	for (; table->word != NULL; table++)
		if (strcmp(table->word, word) == 0 && is_page(table->page, page))
			return table->who;
	return NULL;
}

static const char *
address_of(struct seeded *s, const char *page)
{
	for (size_t i = 0; i < MADE; i++) {
		size_t len = strlen(made[i].name);

		if (strncmp(page, made[i].name, len) == 0)
			return text_in(s, text_in(s, "%s%%s", made[i].address), page + len);
	}
	return page;
}

static struct browser
viewer(struct seeded *s, size_t i)
{
	return names[i] != NULL ? browser_of(s, names[i]) : browser(s, "192.0.2.31");
}

static void
look(struct seeded *s, bool is_private)
{
	for (size_t p = 0; p < PAGES; p++) {
		char got[WORDS][VIEWERS + 1] = {{0}};

		for (size_t v = 0; v < VIEWERS; v++) {
			struct browser b = viewer(s, v);

			get(&b, address_of(s, pages[p]));
			for (size_t w = 0; w < WORDS; w++)
				if (holds(b.last.body, str_of(words[w])))
					got[w][strlen(got[w])] = viewers[v];
		}
		for (size_t w = 0; w < WORDS; w++) {
			const char *who =
			    is_private ? who_in(when_private, words[w], pages[p]) : NULL;

			if (who == NULL)
				who = who_in(places, words[w], pages[p]);
			if (who == NULL && got[w][0] == '\0')
				continue;
			is_str(str_of(got[w]), who != NULL ? str_of(who) : STR(""), "%s: %s%s",
			    pages[p], words[w], is_private ? ", of a private person" : "");
		}
	}
}

/* Nowhere but on the pages that are theirs does the blocked have a name. */
static void
nameless(struct seeded *s)
{
	struct browser b = browser_of(s, "v_blocker"), r = browser_of(s, "v_reader");

	for (size_t p = 0; p < PAGES; p++) {
		const char *address = address_of(s, pages[p]);
		bool feed = strstr(address, ".atom") != NULL || strstr(address, ".xml") != NULL;

		/* Feeds of posts are the same for all; and the owner's own pages. */
		if (feed || strncmp(pages[p], "/author/noor", 12) == 0 ||
		    strncmp(pages[p], "ocelot", 6) == 0)
			continue;
		get(&r, address);
		get(&b, address);
		if (!holds(r.last.body, STR("Noor Haddad")) &&
		    !holds(b.last.body, STR("Noor Haddad")))
			continue;
		ok(!holds(b.last.body, STR("Noor Haddad")) &&
			!holds(b.last.body, STR("/author/noor")),
		    "%s does not name whom one has blocked", pages[p]);
	}
}

/* What the muted and the blocked wrote is folded, and nothing else. */
static void
folded(struct seeded *s)
{
	static const char *const where[] = {"/post/" TIDE, "/comments", "/author/noor/comments",
	    "/post/" LINK "/reviews", "/author/noor/reviews", "/stars/5"};

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		struct browser r = browser_of(s, "v_reader"), m = browser_of(s, "v_muter"),
			       b = browser_of(s, "v_blocker");
		int64_t plain;

		get(&r, where[i]);
		plain = (int64_t)count_of(r.last.body, STR("<details class=\"folded\">"));
		get(&m, where[i]);
		ok((int64_t)count_of(m.last.body, STR("<details class=\"folded\">")) > plain &&
			says(&m, "whom you have muted"),
		    "%s: what the muted wrote is folded", where[i]);
		get(&b, where[i]);
		ok((int64_t)count_of(b.last.body, STR("<details class=\"folded\">")) > plain &&
			says(&b, "By somebody you have blocked"),
		    "%s: so is that of the blocked", where[i]);
	}
}

/* --- The stage --------------------------------------------------------------------------------------- */

/* The address of its thread. */
static const char *
say(struct browser *b, const char *post, const char *text)
{
	const char *address = text_in(b->s, "/post/%s/comment", post);
	struct str id;

	b->s->clock.fixed_now += 30 * 60000;
	get(b, address);
	b->s->clock.fixed_now += 4000;
	is_int(SUBMIT(b, address, "do", "send", "text", text), HTTP_SEE_OTHER, "%s is said", text);
	str_cut(leads_to(b), '#', &id);
	return str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/post/"), str_of(post), STR("/thread/"),
		str_sub(id, sizeof("c-") - 1, id.len)));
}

static void
rate(struct browser *b, const char *post, const char *stars, const char *note)
{
	const char *address = text_in(b->s, "/post/%s/rating", post);

	b->s->clock.fixed_now += 30 * 60000;
	get(b, address);
	is_int(SUBMIT(b, address, "do", "send", "stars", stars, "note", note), HTTP_SEE_OTHER,
	    "%s is a review", note);
}

static void
publish(struct browser *b, const char *kind, const char *title, const char *visibility)
{
	const char *address = text_in(b->s, "/write/%s", kind);

	get(b, address);
	is_int(SUBMIT(b, address, "do", "publish-anyway", "title", title, "markdown",
		   "With #quincunx.", "tag", "quincunx", "category", "tides", "visibility",
		   visibility, "group", GROUP, "quotes", TIDE, "url", "https://v.example/"),
	    HTTP_SEE_OTHER, "%s is published for: %s", title, visibility);
}

static const char *
collect(struct browser *b, const char *post, const char *into, const char *private)
{
	const char *address = text_in(b->s, "/collect/%s", post);
	struct str to, rest;

	get(b, address);
	is_int(strchr(into, '/') != NULL
		   ? SUBMIT(b, address, "collection", into + sizeof("/collection/") - 1)
		   : SUBMIT(b, address, "collection", "", "name", into, "private", private),
	    HTTP_SEE_OTHER, "%s is collected", post);
	to = leads_to(b);
	rest = str_sub(to, sizeof("/collection/") - 1, to.len);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/collection/"), str_cut(rest, '/', &rest)));
}

static void
press(struct seeded *s, const char *name, const char *page, const char *wish)
{
	struct browser b = browser_of(s, name);

	get(&b, "/author/noor");
	get(&b, strcmp(page, "/author/noor/block") == 0 ? page : "/author/noor");
	is_int(SUBMIT(&b, page, "do", wish), HTTP_SEE_OTHER, "%s: %s", name, wish);
}

static void
set_owner(struct seeded *s, bool is_private)
{
	struct item user = seeded_item(s, "USER#noor", "METADATA");

	item_set(s->arena, &user, STR("Private"), value_boolean(is_private));
	item_set(s->arena, &user, STR("Bio"), value_string(STR("Oysterman.")));
	seeded_put(s, &user, 1);
}

static void
set_up(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), pascal = browser_of(s, "pascal");
	struct item member = {.count = 0};

	for (size_t i = 1; i + 1 < VIEWERS; i++)
		(void)newcomer(s, names[i]);
	key_set(s->arena, &member, key_membership(s->arena, STR("v_member"), STR(GROUP)),
	    ITEM_MEMBERSHIP);
	item_set(s->arena, &member, STR("Group"), value_string(STR(GROUP)));
	item_set(s->arena, &member, STR("Username"), value_string(STR("v_member")));
	seeded_put(s, &member, 1);
	set_owner(s, false);
	get(&pascal, "/author/noor");
	if (says(&pascal, "value=\"follow\""))
		press(s, "pascal", "/author/noor/follow", "follow");
	press(s, "v_follower", "/author/noor/follow", "follow");
	publish(&noor, "note", "Zanzibar", "followers");
	publish(&noor, "note", "Xebec", "group");
	publish(&noor, "link", "Vanadium", "followers");
	publish(&noor, "note", "Uvular", "private");
	made[YARROW].address = say(&pascal, "zanzibar", "Yarrow");
	say(&pascal, "xebec", "Wombat");
	rate(&pascal, "vanadium", "4", "Quahog");
	say(&noor, "zanzibar", "Tamarack");
	made[VELLUM].address = say(&noor, TIDE, "Vellum");
	rate(&noor, LINK, "5", "Umbrage");
	made[OCELOT].address = collect(&noor, TIDE, "Ocelot", "0");
	collect(&noor, "zanzibar", made[OCELOT].address, "");
	collect(&noor, "xebec", made[OCELOT].address, "");
	made[NARWHAL].address = collect(&noor, TIDE, "Narwhal", "1");
	press(s, "v_muter", "/author/noor/mute", "mute");
	press(s, "v_blocker", "/author/noor/block", "block");
}

/* Whatever strangers share has an address here. */
static void
complete(struct seeded *s)
{
	for (size_t r = 0; r < s->site.route_count; r++) {
		const struct route *route = &s->site.routes[r];
		bool found = route->policy != CACHE_PAGE;

		for (size_t p = 0; p < PAGES && !found; p++) {
			struct str query, path = str_cut(str_of(address_of(s, pages[p])), '?', &query);

			found = route_find(s->arena, s->site.routes, s->site.route_count, METHOD_GET, path)
				    .route == route;
		}
		ok(found, "%s is looked at", route->pattern);
	}
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	work(&s); /* what the seed has; then what is done on the stage */
	set_up(&s);
	work(&s);
	complete(&s);
	look(&s, false);
	nameless(&s);
	folded(&s);
	set_owner(&s, true);
	look(&s, true);
	browsers_close(&s);
	return tap_done();
}
