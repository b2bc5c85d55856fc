/*
 * What not everybody may see is on no page: everything that a stranger can reach is searched for
 * it, and a post of each state is looked for where it could be. A scheduled one is nowhere before
 * its time, and everywhere from then on, without any action.
 */
#include "browser.h"
#include "crawl.h"
#include "lib/failing_table.h"

#include "lib/tap.h"

enum { DAY_MS = 86400000 };

/* --- What must not be there ------------------------------------------------------------------------ */

/* A few words from the middle of a text, without markup. */
static struct str
words_of(struct str markdown)
{
	struct str best = STR("");
	size_t from = 0;

	for (size_t i = 0; i <= markdown.len; i++) {
		char c = i < markdown.len ? markdown.base[i] : '\n';

		if (c == ' ' || c == ',' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
			continue;
		if (i - from > best.len)
			best = str_sub(markdown, from, i - from);
		from = i + 1;
	}
	return best;
}

static bool
is_hidden_post(struct seeded *s, const struct item *item)
{
	return str_eq(item_string(item, STR("Type")), STR("Post")) &&
	       (!str_eq(item_string(item, STR("Status")), STR("published")) ||
		   !str_eq(item_string(item, STR("Visibility")), STR("public")) ||
		   str_cmp(item_string(item, STR("PublishedAt")),
		       time_format(s->arena, s->clock.fixed_now)) > 0);
}

/* The head of the post that a body is of. */
static const struct item *
head_of(struct seeded *s, const struct item *body)
{
	for (size_t i = 0; i < s->seed.count; i++)
		if (str_eq(item_key(&s->seed.items[i]).pk, item_key(body).pk) &&
		    str_eq(item_string(&s->seed.items[i], STR("Type")), STR("Post")))
			return &s->seed.items[i];
	return body;
}

struct words {
	struct list texts, kinds;
};

static void
keep(struct seeded *s, struct words *secrets, const char *kind, struct str text)
{
	if (text.len < 5)
		return;
	list_add(s->arena, &secrets->kinds, str_of(kind));
	list_add(s->arena, &secrets->texts, text);
}

static void
find_secrets(struct seeded *s, struct words *out)
{
	*out = (struct words){.texts = {.count = 0}};
	for (size_t i = 0; i < s->seed.count; i++) {
		const struct item *item = &s->seed.items[i];
		struct str type = item_string(item, STR("Type"));

		if (is_hidden_post(s, item)) {
			keep(s, out, "a hidden post's title", item_string(item, STR("Title")));
			keep(s, out, "a hidden post's id", item_string(item, STR("Id")));
			keep(s, out, "a hidden post's excerpt",
			    words_of(item_string(item, STR("Excerpt"))));
		}
		if (str_eq(type, STR("Body")) && is_hidden_post(s, head_of(s, item)))
			keep(s, out, "a hidden post's text",
			    words_of(item_string(item, STR("Markdown"))));
		if (str_eq(type, STR("Comment")) &&
		    str_eq(item_string(item, STR("Status")), STR("held"))) {
			keep(
			    s, out, "a held comment", words_of(item_string(item, STR("Markdown"))));
			keep(s, out, "a held comment's id", item_string(item, STR("Id")));
		}
		if (str_eq(type, STR("Collection")) &&
		    str_eq(item_string(item, STR("Visibility")), STR("private"))) {
			keep(s, out, "a private collection's name", item_string(item, STR("Name")));
			keep(s, out, "a private collection's id", item_string(item, STR("Id")));
			keep(s, out, "a private collection's description",
			    item_string(item, STR("Description")));
		}
		keep(s, out, "an e-mail address", item_string(item, STR("Email")));
	}
}

static void
nothing_leaks(struct seeded *s)
{
	struct words secrets;
	struct crawl c;

	find_secrets(s, &secrets);
	crawl(s, &c);
	ok(c.html > 150, "%u pages are reached from the front page", c.html);
	is_int(c.broken, 0, "... and no link is broken");
	ok(secrets.texts.count > 30, "%zu texts are not for everybody", secrets.texts.count);
	for (size_t i = 0; i < secrets.texts.count; i++)
		ok(!holds(buf_str(&c.all), secrets.texts.strings[i]), "no page has %.*s: %.*s",
		    STR_ARGS(secrets.kinds.strings[i]), STR_ARGS(secrets.texts.strings[i]));
	ok(!holds(buf_str(&c.all), STR("{{")) && !holds(buf_str(&c.all), STR("(null)")),
	    "no page has what a program forgot to fill in");
}

static void
private_collection(struct seeded *s)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 110 * (int64_t)DAY_MS, 114);
	struct browser noor = browser_of(s, "noor"), kofi = browser_of(s, "kofi");

	is_int(visit(s, STR_CONCAT(s->arena, STR("/collection/"), id)).status, HTTP_NOT_FOUND,
	    "a private collection is not found");
	get(&kofi, "/author/noor/collections");
	ok(!says(&kofi, "To steal from"), "... nor named to others on its owner's page");
	get(&noor, "/author/noor/collections");
	ok(says(&noor, "To steal from") && says(&noor, "Private"), "... but to its owner");
}

/* --- By its state ----------------------------------------------------------------------------------- */

/* One post in every state that it can have; its address says no more than it must. */
static void
states(struct seeded *s)
{
	static const struct {
		const char *status, *visibility, *published;
		enum http_status answer;
	} cases[] = {
	    {"published", "public", "2026-11-01T00:00:00.000Z", HTTP_OK},
	    {"published", "public", "2026-11-18T09:30:00.000Z", HTTP_OK},
	    {"published", "public", "2026-11-18T09:30:00.001Z", HTTP_NOT_FOUND},
	    {"published", "followers", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "group", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "private", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "else", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "public", "", HTTP_NOT_FOUND},
	    {"draft", "public", "", HTTP_NOT_FOUND},
	    {"draft", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"unpublished", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"else", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "public", "2026-11-01T00:00:00.000Z", HTTP_GONE},
	    {"deleted", "public", "", HTTP_NOT_FOUND},
	    {"deleted", "private", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "followers", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "group", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "public", "2026-11-19T00:00:00.000Z", HTTP_NOT_FOUND},
	};
	/* A renamed one, so that both of its addresses can be asked for. */
	struct item post = seeded_item(s, "POST#a-clock-for-the-tide", "METADATA"), before = post;
	struct answer nothing = visit(s, STR("/post/what-nobody-ever-wrote"));

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer now, old;

		post = item_shallow(s->arena, &before);
		item_set(s->arena, &post, STR("Status"), value_string(str_of(cases[i].status)));
		item_set(
		    s->arena, &post, STR("Visibility"), value_string(str_of(cases[i].visibility)));
		item_remove(&post, STR("PublishedAt"));
		if (cases[i].published[0] != '\0')
			item_set(s->arena, &post, STR("PublishedAt"),
			    value_string(str_of(cases[i].published)));
		seeded_put(s, &post, 1);
		now = visit(s, STR("/post/a-clock-that-runs-on-the-moon"));
		old = visit(s, STR("/post/a-clock-for-the-tide"));
		is_int(now.status, cases[i].answer, "a post %s, %s, of '%s' is %d", cases[i].status,
		    cases[i].visibility, cases[i].published, (int)cases[i].answer);
		is_int(old.status, cases[i].answer == HTTP_OK ? HTTP_MOVED : cases[i].answer,
		    "... and so under its old address");
		if (cases[i].answer != HTTP_OK)
			ok(!holds(now.body, STR("A clock that runs")) &&
				!holds(old.body, STR("A clock that runs")),
			    "... where nothing of it is told");
		if (cases[i].answer == HTTP_NOT_FOUND) {
			ok(str_eq(now.head, nothing.head) && str_eq(old.head, nothing.head) &&
				str_eq(now.body, nothing.body) && str_eq(old.body, nothing.body),
			    "... as where there is nothing");
			ok(now.cost.round_trips == nothing.cost.round_trips &&
				old.cost.round_trips == nothing.cost.round_trips,
			    "... and no sooner");
		}
		/* Its keys in the lists remain: a wrong key must not show it either. */
		if (cases[i].answer != HTTP_OK)
			ok(!holds(
			       visit(s, STR("/category/machines")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/tag/moon")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/feed.atom")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/tag/moon/feed.atom")).body,
				    STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/sitemap.xml")).body, STR("runs-on-the-moon")),
			    "... and no list has it, even where its keys were left");
	}
	seeded_put(s, &before, 1);
}

/* The text of a save that the head, or a list's copy of it, does not know of yet: it might be private since. */
static void
between_saves(struct seeded *s)
{
	struct item body = seeded_item(s, "POST#a-clock-for-the-tide", "BODY");
	struct item newer = item_shallow(s->arena, &body);

	item_set(s->arena, &newer, STR("Revision"), value_number(99));
	item_set(s->arena, &newer, STR("HTML"), value_string(STR("<p>A secret since.</p>")));
	item_set(s->arena, &newer, STR("Markdown"), value_string(STR("A secret since.")));
	seeded_put(s, &newer, 1);
	is_int(visit(s, STR("/post/a-clock-that-runs-on-the-moon")).status, HTTP_UNAVAILABLE,
	    "a post whose text is of another save is not shown");
	ok(holds(visit(s, STR("/tag/moon/feed.atom")).body, STR("runs-on-the-moon")) &&
		!holds(visit(s, STR("/tag/moon/feed.atom")).body, STR("A secret since")),
	    "... and a feed has it without that text");
	seeded_put(s, &body, 1);
	is_int(visit(s, STR("/post/a-clock-that-runs-on-the-moon")).status, HTTP_OK,
	    "... until head and text belong together");
}

/* --- By its time ------------------------------------------------------------------------------------ */

/* Where a post of the category `tides`, by kofi, with the tag `moon`, is to appear. */
static const char *const places[] = {"/", "/category/tides", "/category/water", "/author/kofi",
    "/tag/moon", "/archive/2026/11", "/archive/2026/11/20", "/edition/2026-w47", "/feed.atom",
    "/category/tides/feed.atom", "/category/water/feed.atom", "/author/kofi/feed.atom",
    "/tag/moon/feed.atom", "/sitemap.xml"};

static void
look(struct seeded *s, bool there, const char *when)
{
	struct answer page;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		page = visit(s, str_of(places[i]));
		ok(holds(page.body, STR("the-longest-low-water")) == there,
		    "%s, %s %s the scheduled post", when, places[i],
		    there ? "has" : "does not have");
	}
	page = visit(s, STR("/post/the-longest-low-water"));
	is_int(page.status, there ? HTTP_OK : HTTP_NOT_FOUND, "%s, its address is %s", when,
	    there ? "a page" : "not found");
}

static void
scheduled(struct seeded *s, size_t cache_bytes)
{
	int64_t now = s->clock.fixed_now, due = now + 2 * (int64_t)DAY_MS;

	seeded_restart(s, cache_bytes);
	look(s, false, "two days before");
	s->clock.fixed_now = due - 1;
	look(s, false, "a millisecond before");
	s->clock.fixed_now = due;
	look(s, true, "at its moment");
	s->clock.fixed_now = now;
	seeded_restart(s, 0);
}

/* What a page brings from the table, in bytes. */
static size_t
brings(struct failing_table *failing, struct browser *b, const char *address, uint32_t *requests)
{
	get(b, "/categories");
	failing->got = 0;
	is_int(get(b, address), HTTP_NOT_FOUND, "%s is not there", address);
	*requests = b->last.cost.requests;
	return failing->got;
}

/*
 * Of a hidden post no more is read than of a missing one, however long it is: neither text nor
 * thread.
 */
static void
no_more_is_read(struct seeded *s)
{
	struct item head = seeded_item(s, "POST#first-brent-geese", "METADATA");
	struct item body = seeded_item(s, "POST#first-brent-geese", "BODY");
	struct item hidden = item_shallow(s->arena, &head), large = item_shallow(s->arena, &body);
	struct browser people[] = {browser(s, "192.0.2.50"), browser_of(s, "tobias")};
	char *text = arena_alloc(s->arena, 200000);
	struct failing_table failing;

	memset(text, 'x', 200000);
	item_set(s->arena, &large, STR("Markdown"), value_string((struct str){text, 200000}));
	item_set(s->arena, &hidden, STR("Visibility"), value_string(STR("private")));
	seeded_put(s, &hidden, 1);
	seeded_put(s, &large, 1);
	failing_table_begin(&failing, s->table);
	s->site.table = &failing.table;
	for (size_t i = 0; i < 2; i++) {
		uint32_t of_none, of_hidden;
		size_t none = brings(&failing, &people[i], "/post/no-such-post", &of_none);
		size_t some = brings(&failing, &people[i], "/post/first-brent-geese", &of_hidden);

		is_int(of_hidden, of_none, "a hidden post takes as many requests as none");
		ok(some < none + 4096,
		    "... and brings no text: %zu bytes, %zu where there is nothing", some, none);
	}
	s->site.table = s->table;
	seeded_put(s, &head, 1);
	seeded_put(s, &body, 1);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	nothing_leaks(&s);
	private_collection(&s);
	states(&s);
	between_saves(&s);
	no_more_is_read(&s);
	scheduled(&s, 0);
	scheduled(&s, 8 << 20);
	browsers_close(&s);
	return tap_done();
}
