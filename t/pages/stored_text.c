/*
 * Invalid texts in a table, from before a rule existed or past all of them, are harmless on every
 * page: no address of another scheme, no picture that is not https, no character that reorders or
 * controls the text around it.
 */
#include "seeded.h"

#include "lib/tap.h"

#define SCRIPT "javascript:alert(1)"
#define TURNED            \
	"Low\xe2\x80\xae" \
	"edit\x01 tide"

static void
set(struct seeded *s, const char *pk, const char *sk, const char *const *pairs)
{
	struct item item = seeded_item(s, pk, sk);

	for (; pairs[0] != NULL; pairs += 2)
		item_set(s->arena, &item, str_of(pairs[0]), value_string(str_of(pairs[1])));
	seeded_put(s, &item, 1);
}
#define SET(s, pk, sk, ...) set((s), (pk), (sk), (const char *const[]){__VA_ARGS__, NULL})

static void
set_picture(struct seeded *s, const char *pk, const char *url)
{
	struct item item = seeded_item(s, pk, "METADATA"), picture = {.count = 0};

	item_set(s->arena, &picture, STR("URL"), value_string(str_of(url)));
	item_set(s->arena, &picture, STR("Alt"), value_string(STR("x\ny\xe2\x80\xae")));
	item_set(s->arena, &item, STR("Thumbnail"), value_map(picture));
	seeded_put(s, &item, 1);
}

static void
break_rules(struct seeded *s)
{
	SET(s, "POST#noaa-tides-and-currents", "METADATA", "URL", SCRIPT, "Title", TURNED);
	SET(s, "POST#the-tide-in-forty-lines-of-c", "METADATA", "Canonical", SCRIPT, "AuthorName",
	    TURNED, "Excerpt",
	    "a\x01"
	    "b");
	SET(s, "POST#whip-a-ropes-end", "METADATA", "Cost",
	    "1\xe2\x80\xae"
	    "2",
	    "Currency", "E\nR");
	SET(s, "USER#kofi", "METADATA", "Link", SCRIPT, "AvatarURL", "http://evil.test/a.png",
	    "DisplayName", TURNED, "Bio",
	    "b\x1b"
	    "c");
	SET(s, "SITE", "SETTINGS", "Picture", "/\\evil.test/x.png", "Tagline", TURNED);
	set_picture(s, "POST#the-tide-in-forty-lines-of-c", "/\\evil.test/a.png");
	set_picture(s, "POST#first-brent-geese", "http://evil.test/a.png");
	set_picture(s, "POST#whip-a-ropes-end", "/\t/evil.test/a.png");
	seeded_restart(s, 0);
}

int
main(void)
{
	static const char *const pages[] = {"/", "/post/noaa-tides-and-currents",
	    "/post/the-tide-in-forty-lines-of-c", "/post/first-brent-geese",
	    "/post/whip-a-ropes-end", "/author/kofi", "/authors", "/archive/2026/11",
	    "/category/tides", "/tag/tides", "/feed.atom", "/author/kofi/feed.atom", "/sitemap.xml",
	    "/page/about"};
	static const struct str never[] = {STR_INIT("javascript:"), STR_INIT("evil.test"),
	    STR_INIT("\xe2\x80\xae"), STR_INIT("\x01"), STR_INIT("\x1b")};
	struct seeded s;

	seeded_open(&s);
	break_rules(&s);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct answer a = visit(&s, str_of(pages[i]));

		is_int(a.status, HTTP_OK, "%s is there", pages[i]);
		for (size_t n = 0; n < sizeof(never) / sizeof(never[0]); n++)
			ok(!holds(a.body, never[n]),
			    "... and has nothing in it that breaks rule %zu", n);
	}
	ok(holds(visit(&s, STR("/post/noaa-tides-and-currents")).body, STR("Lowedit tide")),
	    "What is left of a title is shown.");
	seeded_close(&s);
	return tap_done();
}
