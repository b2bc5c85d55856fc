/*
 * What cached pages survive: writes of what no page shows. Somebody who tries passwords, signs in
 * or saves a draft outdates no page; what readers can see outdates at once the pages that show it.
 */
#include "writer.h"

#include "lib/tap.h"

#include "model/people/session.h"

#define PASSWORD "four words in a row"

/* Lists and feeds say since when they have been as they are, and another name in them is another date. */
static void
dates(struct seeded *s)
{
	static const char *const addresses[] = {"/", "/categories", "/category/water",
	    "/author/noor", "/tag/bread", "/archive/2026/11", "/feed.atom",
	    "/author/noor/feed.atom", "/post/soup-for-nine", "/sitemap.xml"};
	struct str first[sizeof(addresses) / sizeof(addresses[0])];
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		struct request_input in = {.method = STR("GET"), .uri = str_of(addresses[i])};
		struct answer page = visit_as(s, &in);

		in.if_modified_since = first[i] = header(&page, "Last-Modified");
		is_str(
		    first[i], STR("Wed, 18 Nov 2026 09:30:00 GMT"), "%s has a date", addresses[i]);
		is_int(visit_as(s, &in).status, HTTP_NOT_MODIFIED, "... and is not sent again");
	}
	item_set(s->arena, &settings, STR("Name"), value_string(STR("Another name")));
	item_set(s->arena, &settings, STR("Footer"), value_string(STR("Another foot")));
	s->clock.fixed_now += 1000;
	seeded_put(s, &settings, 1);
	s->clock.fixed_now += 60 * 1000;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		struct request_input in = {.method = STR("GET"),
		    .uri = str_of(addresses[i]),
		    .if_modified_since = first[i]};
		bool named = !str_eq(in.uri, STR("/sitemap.xml"));

		is_int(visit_as(s, &in).status, named ? HTTP_OK : HTTP_NOT_MODIFIED,
		    "%s, then, is %s", addresses[i], named ? "another" : "the same");
	}
}

/* Was the front page at hand? It is from here on. */
static bool
at_hand(struct seeded *s)
{
	bool cached = visit(s, STR("/")).cached;

	visit(s, STR("/"));
	return cached;
}

static void
old_with(struct seeded *s, const char *what)
{
	ok(!at_hand(s), "%s makes it anew", what);
}

static void
kept_through(struct seeded *s, const char *what)
{
	ok(at_hand(s), "%s leaves it as it is", what);
}

static void
through(struct seeded *s)
{
	struct browser stranger = browser(s, "192.0.2.1"), b = browser(s, "192.0.2.2");
	int64_t now = s->clock.fixed_now;

	is_int(sign_in(&stranger, "kofi", "not this one"), HTTP_UNPROCESSABLE, "a wrong password");
	kept_through(s, "it");
	is_int(sign_in(&stranger, "nobody_at_all", "x"), HTTP_UNPROCESSABLE, "a wrong name");
	kept_through(s, "it");
	is_int(sign_in(&b, "kofi", PASSWORD), HTTP_SEE_OTHER, "the right one");
	kept_through(s, "it");
	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "markdown", "Not yet", "do", "autosave"), HTTP_OK,
	    "what is typed, by itself");
	kept_through(s, "it");
	/* So that the session is written down as used, within a minute of when the page was made. */
	s->clock.fixed_now = now + SESSION_TOUCH_MS;
	visit(s, STR("/"));
	is_int(get(&b, "/account"), HTTP_OK, "a session that is used again");
	kept_through(s, "it");
	is_int(SUBMIT(&b, "/logout", "x", "y"), HTTP_SEE_OTHER, "signing out");
	kept_through(s, "it");
}

static void
until(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta"), tobias = browser_of(s, "tobias");
	struct table *other;
	struct item settings;

	at_hand(s);
	get(&tobias, "/write/article");
	is_int(SUBMIT(&tobias, "/write/article", "title", "News", "markdown", "Of today", "excerpt",
		   "e", "slug", "news", "do", "publish"),
	    HTTP_SEE_OTHER, "a post that is published");
	old_with(s, "it");
	get(&marta, "/admin/users/kofi");
	is_int(SUBMIT(&marta, "/admin/users/kofi/role", "role", "editor"), HTTP_SEE_OTHER,
	    "another role");
	/* On DynamoDB it is not known what an update of a person replaces: it may have been anything. */
	if (s->store.name[0] == '\0')
		kept_through(s, "it");
	else
		old_with(s, "it");
	get(&marta, "/admin/settings");
	is_int(SUBMIT(&marta, "/admin/settings", "name", "Another name", "language", "en",
		   "registration", "closed", "posts_per_page", "10", "time_zone", "UTC"),
	    HTTP_SEE_OTHER, "another name of the site");
	old_with(s, "it");
	ok(stranger_sees(s, "/", "Another name"), "... which it has");
	/* Another process may know nothing of what no page shows; what others write is seen within a second. */
	at_hand(s);
	other = test_store_again(&s->store, &s->clock);
	settings = seeded_item(s, "SITE", "SETTINGS");
	if (table_put(other, &(struct table_call){.arena = s->arena}, settings) != TABLE_OK)
		bail_out("the other process can't write");
	kept_through(s, "a write that changes nothing");
	item_set(s->arena, &settings, STR("Name"), value_string(STR("A third")));
	if (table_put(other, &(struct table_call){.arena = s->arena}, settings) != TABLE_OK)
		bail_out("the other process can't write");
	s->clock.fixed_now += 1000;
	old_with(s, "what another process writes");
	table_close(other);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	give_password(&s, "kofi", PASSWORD);
	seeded_restart(&s, 1 << 20);
	dates(&s);
	at_hand(&s);
	through(&s);
	until(&s);
	browsers_close(&s);
	return tap_done();
}
