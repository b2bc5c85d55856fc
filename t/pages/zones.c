/*
 * The site's time zone: what people read and type is in it, what machines read is exact, and if it
 * is unknown, everything is UTC.
 */
#include "writer.h"

#include "lib/tap.h"

static void
set_zone(struct seeded *s, const char *name)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	item_set(s->arena, &settings, STR("TimeZone"), value_string(str_of(name)));
	seeded_put(s, &settings, 1);
}

static void
set_clock(struct seeded *s, const char *now)
{
	if (!time_parse(str_of(now), &s->clock.fixed_now))
		bail_out("%s is no time", now);
}

static struct str
published(struct seeded *s, const char *id)
{
	struct item head = seeded_item(s, text_in(s, "POST#%s", id), "METADATA");

	return item_string(&head, STR("PublishedAt"));
}

/* --- Dates --------------------------------------------------------------------------------------- */

static void
today(struct seeded *s)
{
	static const struct {
		const char *zone, *date, *text;
	} mastheads[] = {
	    {"UTC", "2026-11-18", "Wednesday, 18 November 2026"},
	    {"Asia/Kolkata", "2026-11-19", "Thursday, 19 November 2026"},
	    {"America/Los_Angeles", "2026-11-18", "Wednesday, 18 November 2026"},
	    {"Mars/Olympus", "2026-11-18", "Wednesday, 18 November 2026"},
	    {"../../../etc/passwd", "2026-11-18", "Wednesday, 18 November 2026"},
	    {"", "2026-11-18", "Wednesday, 18 November 2026"},
	};

	set_clock(s, "2026-11-18T20:00:00.000Z");
	for (size_t i = 0; i < sizeof(mastheads) / sizeof(mastheads[0]); i++) {
		set_zone(s, mastheads[i].zone);
		ok(stranger_sees(s, "/tags",
		       str_cstring(s->arena, str_fmt(s->arena, "<time datetime=\"%s\">%s</time>",
						 mastheads[i].date, mastheads[i].text))),
		    "\"%s\": %s", mastheads[i].zone, mastheads[i].text);
	}
}

/* --- Writing ------------------------------------------------------------------------------------- */

static void
writing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct answer page;

	set_zone(s, "Asia/Kolkata");
	get(&b, "/write/note");
	ok(says(&b, "Publish at (Kolkata time)"), "the form says whose time it wants");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Past midnight.", "when",
	    "2026-11-19T01:00", "slug", "past-midnight");
	is_str(published(s, "past-midnight"), STR("2026-11-18T19:30:00.000Z"),
	    "what is typed is in the zone");
	get(&b, "/edit/past-midnight");
	ok(has_value(&b, "when", "2026-11-19T01:00"), "... and so is what is shown");
	page = visit(s, STR("/post/past-midnight"));
	ok(holds(page.body,
	       STR("<time datetime=\"2026-11-18T19:30:00.000Z\">19 November 2026</time>")),
	    "its page says the date in the zone, and to machines the exact time");
	ok(holds(page.body, STR("\"datePublished\":\"2026-11-18T19:30:00.000Z\"")),
	    "... as does its JSON-LD");
	ok(stranger_sees(s, "/feed.atom", "<published>2026-11-18T19:30:00.000Z</published>"),
	    "... and the feed");
	get(&b, "/desk/published");
	ok(says(&b, "Published 19 November 2026, 01:00 IST"), "the desk says the minute");
	set_zone(s, "America/Argentina/Buenos_Aires");
	get(&b, "/edit/past-midnight");
	ok(says(&b, "Publish at (Buenos Aires time)") && has_value(&b, "when", "2026-11-18T16:30"),
	    "in another zone the same post shows another time");
	get(&b, "/desk/published");
	ok(says(&b, "Published 18 November 2026, 16:30 UTC-03:00"),
	    "... and where a zone has but a number, that");
	set_zone(s, "Mars/Olympus");
	get(&b, "/edit/past-midnight");
	ok(says(&b, "Publish at (UTC)") && has_value(&b, "when", "2026-11-18T19:30"),
	    "in a zone that nobody knows it is UTC, and says so");
}

/* Where clocks are set back an hour comes twice, and where they are set forward one never comes. */
static void
set_clocks(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct item head;

	set_zone(s, "Europe/Berlin");
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "publish", "markdown", "Twice.", "when", "2026-10-25T02:30",
	    "slug", "twice");
	is_str(published(s, "twice"), STR("2026-10-25T00:30:00.000Z"), "of two hours the first");
	head = seeded_item(s, "POST#twice", "METADATA");
	item_set(
	    s->arena, &head, STR("PublishedAt"), value_string(STR("2026-10-25T01:30:12.345Z")));
	seeded_put(s, &head, 1);
	get(&b, "/edit/twice");
	ok(has_value(&b, "when", "2026-10-25T02:30"), "the second shows as the first");
	SUBMIT(&b, "/edit/twice", "do", "save", "markdown", "Still.", "when", "2026-10-25T02:30",
	    "slug", "twice");
	is_str(published(s, "twice"), STR("2026-10-25T01:30:12.345Z"),
	    "... and an edit does not move it");
	get(&b, "/edit/twice");
	SUBMIT(&b, "/edit/twice", "do", "save", "markdown", "Never.", "when", "2026-03-29T02:30",
	    "slug", "twice");
	is_str(published(s, "twice"), STR("2026-03-29T01:30:00.000Z"),
	    "an hour that never comes is the one behind it");
}

/* --- Archives ------------------------------------------------------------------------------------ */

static bool
lists(struct seeded *s, const char *address, const char *slug)
{
	struct list posts = listed(s->arena, visit(s, str_of(address)).body);

	return list_has(&posts, STR_CONCAT(s->arena, STR("/post/"), str_of(slug)));
}

static void
archives(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct answer page;

	seeded_page_size(s, 100);
	set_zone(s, "Asia/Kolkata");
	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", "At midnight", "markdown",
	    "Now.", "category", "tides", "when", "2026-11-01T00:00", "slug", "at-midnight");
	is_str(published(s, "at-midnight"), STR("2026-10-31T18:30:00.000Z"),
	    "a month's first minute is one of the month before");
	ok(lists(s, "/archive/2026/11/01", "at-midnight") &&
		!lists(s, "/archive/2026/10/31", "at-midnight"),
	    "the archive of days keeps the zone");
	ok(lists(s, "/archive/2026/11", "at-midnight") &&
		!lists(s, "/archive/2026/10", "at-midnight"),
	    "... and that of months");
	page = visit(s, STR("/archive/2026/11"));
	ok(holds(page.body, STR("href=\"/archive/2026/11/01\"")) &&
		holds(page.body, STR("Sunday, 1 November 2026")),
	    "... which says its days");
	is_int(page.cost.requests, 2, "... at no greater cost");
	set_zone(s, "UTC");
	ok(lists(s, "/archive/2026/10/31", "at-midnight") &&
		!lists(s, "/archive/2026/11/01", "at-midnight"),
	    "another zone moves it at once");
	ok(stranger_sees(s, "/sitemap/2026-10.xml", "/post/at-midnight"),
	    "what machines read is by UTC always");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	today(&s);
	writing(&s);
	set_clocks(&s);
	archives(&s);
	browsers_close(&s);
	return tap_done();
}
