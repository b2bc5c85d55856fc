/* Every public address: its status, its type, its canonical address, its title and content. */
#include "seeded.h"

#include "lib/tap.h"

#include "web/http/asset.h"

#define HTML "text/html; charset=utf-8"
#define ATOM "application/atom+xml; charset=utf-8"
#define XML "application/xml; charset=utf-8"
#define TEXT "text/plain; charset=utf-8"

/* Pages with a canonical link, which is their own address. */
static const struct {
	const char *address, *title, *shows;
} pages[] = {
    {"/", "Slack Water", "<a href=\"/post/the-hour-when-nothing-moves\">"},
    {"/post/the-tide-in-forty-lines-of-c", "The tide in forty lines of C · Slack Water",
	"<code class=\"language-c\">"},
    {"/post/noaa-tides-and-currents",
	"Tides &amp; Currents: a century of sea level, free to take away · Slack Water",
	"class=\"address\""},
    {"/post/whip-a-ropes-end", "Whip a rope’s end in ten minutes · Slack Water", "id=\"step-1\""},
    {"/post/first-brent-geese", "Forty-one brents · Slack Water", "class=\"post note\""},
    {"/post/a-clock-that-runs-on-the-moon", "A clock that runs on the moon · Slack Water",
	"/author/ingrid"},
    {"/page/about", "About Slack Water · Slack Water", "class=\"post page\""},
    {"/category/workshop", "The Workshop · Slack Water", "href=\"/category/boats\""},
    {"/category/rigging", "Rope &amp; Rigging · Slack Water", "href=\"/category/boats\""},
    {"/categories", "Categories · Slack Water", "href=\"/category/instruments\""},
    {"/author/kofi", "Kofi Mensah-Boyd · Slack Water", "Keeps the tide gauge"},
    {"/author/pascal", "Pascal Dufrêne · Slack Water", "Keeper of the Bell"},
    {"/authors", "Authors · Slack Water", "href=\"/author/noor\""},
    {"/tag/tides", "tides · Slack Water", "href=\"/tag/tides/feed.atom\""},
    {"/tags", "Tags · Slack Water", "href=\"/tag/moon\""},
    {"/archive", "Archive · Slack Water", "href=\"/archive/2026/11\""},
    {"/archive/2026/11", "November 2026 · Slack Water", "href=\"/archive/2026/11/18\""},
    {"/archive/2026/11/18", "Wednesday, 18 November 2026 · Slack Water",
	"href=\"/post/the-hour-when-nothing-moves\""},
    {"/edition/2026-w47", "Week 47, 16–22 November 2026 · Slack Water",
	"Between low and high water the sea"},
    {"/collections", "Collections · Slack Water", "For the café shelf"},
};

/* What is no page. */
static const struct {
	const char *address, *type, *begins;
} files[] = {
    {"/feed.atom", ATOM, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed "},
    {"/author/kofi/feed.atom", ATOM, "<?xml "},
    {"/category/water/feed.atom", ATOM, "<?xml "},
    {"/tag/tides/feed.atom", ATOM, "<?xml "},
    {"/sitemap.xml", XML, "<?xml "},
    {"/robots.txt", TEXT, "User-agent: *\n"},
    {"/healthz", TEXT, "ok\n"},
};

/* Addresses that lead to others, and what leads nowhere. */
static const struct {
	const char *address;
	enum http_status status;
	const char *location;
} others[] = {
    {"/post/a-clock-for-the-tide", HTTP_MOVED, "/post/a-clock-that-runs-on-the-moon"},
    {"/page/first-brent-geese", HTTP_MOVED, "/post/first-brent-geese"},
    {"/page/a-clock-for-the-tide", HTTP_MOVED, "/post/a-clock-that-runs-on-the-moon"},
    {"/post/about", HTTP_MOVED, "/page/about"},
    {"/Post/First-Brent-Geese", HTTP_MOVED, "/post/first-brent-geese"},
    {"/post/first-brent-geese/", HTTP_MOVED, "/post/first-brent-geese"},
    {"//tag//tides", HTTP_MOVED, "/tag/tides"},
    {"/TAG/TIDES?utm=x", HTTP_MOVED, "/tag/tides"},
    {"/feed", HTTP_MOVED, "/feed.atom"},
    {"/feed.xml", HTTP_MOVED, "/feed.atom"},
    {"/feed/atom", HTTP_MOVED, "/feed.atom"},
    {"/feeds", HTTP_MOVED, "/feed.atom"},
    {"/rss", HTTP_MOVED, "/feed.atom"},
    {"/rss.xml", HTTP_MOVED, "/feed.atom"},
    {"/atom", HTTP_MOVED, "/feed.atom"},
    {"/atom.xml", HTTP_MOVED, "/feed.atom"},
    {"/index.xml", HTTP_MOVED, "/feed.atom"},
    {"/author/kofi/feed", HTTP_MOVED, "/author/kofi/feed.atom"},
    {"/category/water/rss.xml", HTTP_MOVED, "/category/water/feed.atom"},
    {"/tag/tides/atom.xml", HTTP_MOVED, "/tag/tides/feed.atom"},
    {"/Tag/Tides/Feed/", HTTP_MOVED, "/tag/tides/feed"},
    {"/tag/a%22b/feed", HTTP_MOVED, "/tag/a%22b/feed.atom"},
    {"/author/kofi/robots.txt", HTTP_NOT_FOUND, ""},
    {"/author/kofi/nothing", HTTP_NOT_FOUND, ""},
    {"/tag/tides/feed/feed", HTTP_NOT_FOUND, ""},
    {"/tag/tides?utm_source=x&after=", HTTP_MOVED, "/tag/tides"},
    {"/tag/tides?", HTTP_MOVED, "/tag/tides"},
    {"/feed.atom?x", HTTP_MOVED, "/feed.atom"},
    {"/forgot?utm_source=x", HTTP_OK, ""},
    {"/post/we-are-giving-up-paper", HTTP_GONE, ""},
    {"/page/we-are-giving-up-paper", HTTP_GONE, ""},
    {"/post/fog-a-first-attempt", HTTP_NOT_FOUND, ""},
    {"/post/before-the-deadline", HTTP_NOT_FOUND, ""},
    {"/page/before-the-deadline", HTTP_NOT_FOUND, ""},
    {"/post/letter-to-an-apprentice", HTTP_NOT_FOUND, ""},
    {"/post/the-longest-low-water", HTTP_NOT_FOUND, ""},
    {"/post/no-such-post", HTTP_NOT_FOUND, ""},
    {"/post/not_a_slug", HTTP_NOT_FOUND, ""},
    {"/post", HTTP_NOT_FOUND, ""},
    {"/page/nothing", HTTP_NOT_FOUND, ""},
    {"/category/nothing", HTTP_NOT_FOUND, ""},
    {"/category/nothing/feed.atom", HTTP_NOT_FOUND, ""},
    {"/author/nobody", HTTP_NOT_FOUND, ""},
    {"/author/nobody/feed.atom", HTTP_NOT_FOUND, ""},
    {"/author/x", HTTP_NOT_FOUND, ""},
    {"/tag/nothing", HTTP_NOT_FOUND, ""},
    {"/tag/nothing/feed.atom", HTTP_NOT_FOUND, ""},
    {"/archive/2026/13", HTTP_NOT_FOUND, ""},
    {"/archive/2026/00", HTTP_NOT_FOUND, ""},
    {"/archive/2026/1", HTTP_NOT_FOUND, ""},
    {"/archive/99999/01", HTTP_NOT_FOUND, ""},
    {"/archive/2026/02/30", HTTP_NOT_FOUND, ""},
    {"/archive/2026/12", HTTP_NOT_FOUND, ""},
    {"/archive/2026/11/19", HTTP_NOT_FOUND, ""},
    {"/archive/2026/11/10", HTTP_OK, ""},
    {"/edition/2026-W47", HTTP_MOVED, "/edition/2026-w47"},
    {"/edition/2026-w48", HTTP_NOT_FOUND, ""},
    {"/edition/2026-w54", HTTP_NOT_FOUND, ""},
    {"/edition/2026-w00", HTTP_NOT_FOUND, ""},
    {"/edition/2025-w53", HTTP_NOT_FOUND, ""},
    {"/edition/2026-w7", HTTP_NOT_FOUND, ""},
    {"/edition/2026-11", HTTP_NOT_FOUND, ""},
    {"/edition/2020-w53", HTTP_OK, ""},
    {"/collection/nothing", HTTP_NOT_FOUND, ""},
    {"/collection/00000000000000", HTTP_NOT_FOUND, ""},
    {"/sitemap/2026-13.xml", HTTP_NOT_FOUND, ""},
    {"/sitemap/2026-00.xml", HTTP_NOT_FOUND, ""},
    {"/sitemap/other.xml", HTTP_NOT_FOUND, ""},
    {"/nothing", HTTP_NOT_FOUND, ""},
};

/* "Tags · Slack Water" is "Tags" next to the site's name. */
static struct str
without_site(struct str title)
{
	const struct str site = STR(" · Slack Water");

	return str_ends(title, site) ? str_sub(title, 0, title.len - site.len) : title;
}

static void
public_pages(struct seeded *s)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct answer page = visit(s, str_of(pages[i].address));

		is_int(page.status, HTTP_OK, "%s is there", pages[i].address);
		is_str(header(&page, "Content-Type"), STR(HTML), "... as HTML");
		is_str(part(page.body, "<title>", "</title>"), str_of(pages[i].title),
		    "... with its title");
		is_str(part(page.body, "<link rel=\"canonical\" href=\"", "\""),
		    STR_CONCAT(s->arena, SEEDED_ORIGIN, str_of(pages[i].address)),
		    "... and its canonical link");
		is_str(part(page.body, "<meta property=\"og:title\" content=\"", "\""),
		    without_site(str_of(pages[i].title)),
		    "... and its title without the site's name");
		ok(holds(page.body, str_of(pages[i].shows)), "... and shows %s", pages[i].shows);
		is_int((int64_t)count_of(page.body, STR("<h1")), 1, "... under one heading");
		is_str(header(&page, "Set-Cookie"), STR(""), "... and leaves no cookie");
		is_str(header(&page, "Cache-Control"), STR("no-cache"),
		    "... and may be kept, if asked for again");
	}
}

static void
other_answers(struct seeded *s)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct answer file = visit(s, str_of(files[i].address));

		is_int(file.status, HTTP_OK, "%s is there", files[i].address);
		is_str(header(&file, "Content-Type"), str_of(files[i].type), "... as %s",
		    files[i].type);
		ok(str_starts(file.body, str_of(files[i].begins)), "... and begins as it should");
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct answer page = visit(s, str_of(others[i].address));

		is_int(page.status, others[i].status, "%s is %d", others[i].address,
		    (int)others[i].status);
		is_str(header(&page, "Location"), str_of(others[i].location),
		    "... and leads to '%s'", others[i].location);
		if (page.status >= HTTP_BAD_REQUEST)
			ok(holds(page.body, STR("<meta name=\"robots\" content=\"noindex\">")) &&
				holds(page.body, STR("class=\"masthead\"")),
			    "... in the site's own clothes");
	}
}

/* What asks no page for the icon finds it, as a file that is there. */
static void
icons(struct seeded *s)
{
	static const char *const asked[] = {
	    "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"};
	struct str icon = asset_url(s->site.assets, STR("icon.png"));

	ok(str_starts(icon, STR("/static/icon.")), "there is an icon");
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct answer answer = visit(s, str_of(asked[i]));

		is_int(answer.status, HTTP_MOVED, "%s is elsewhere", asked[i]);
		is_str(header(&answer, "Location"), icon, "... at the icon");
	}
	is_str(part(visit(s, STR("/feed.atom")).body, "<icon>", "</icon>"),
	    STR_CONCAT(s->arena, SEEDED_ORIGIN, icon), "a feed shows it, too");
}

/* A static file has the address with the hash of its content, and no other. */
static void
hashed(struct seeded *s)
{
	static const struct {
		const char *name, *type;
	} table[] = {{"style.css", "text/css; charset=utf-8"},
	    {"broadsheet.js", "text/javascript; charset=utf-8"},
	    {"comments.js", "text/javascript; charset=utf-8"}, {"icon.svg", "image/svg+xml"},
	    {"icon.png", "image/png"}};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str url = asset_url(s->site.assets, str_of(table[i].name)), content;
		struct answer answer = visit(s, url);
		char *other = str_cstring(s->arena, url);
		char *digit = strrchr(other, '.') - 1;

		is_int(answer.status, HTTP_OK, "%s is there under its hash", table[i].name);
		ok(asset_find(s->site.assets, url, &content) && str_eq(answer.body, content),
		    "... with what it says");
		is_str(header(&answer, "Content-Type"), str_of(table[i].type), "... as what it is");
		is_str(header(&answer, "Cache-Control"), STR("public, max-age=31536000, immutable"),
		    "... and may be kept for ever");
		*digit = *digit == '0' ? '1' : '0';
		answer = visit(s, str_of(other));
		is_int(answer.status, HTTP_NOT_FOUND, "under another one it is not");
		ok(!holds(header(&answer, "Cache-Control"), STR("public")),
		    "... nor kept by anybody");
	}
	is_int(visit(s, STR("/static/style.css")).status, HTTP_NOT_FOUND,
	    "without one it is the web server's");
}

/* A tag or a slug may be as long as an address: longer than any key. */
static void
long_names(struct seeded *s)
{
	static const char *const forms[] = {"/tag/%s", "/tag/%s/feed.atom", "/category/%s",
	    "/category/%s/feed.atom", "/author/%s", "/author/%s/feed.atom", "/post/%s", "/page/%s",
	    "/collection/%s", "/sitemap/%s"};
	char *name = arena_alloc(s->arena, 3001);

	memset(name, 'x', 3000);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct buf address = {.arena = s->arena};
		struct str rest, begin = str_cut(str_of(forms[i]), '%', &rest);

		buf_put(&address, begin);
		buf_put(&address, str_of(name));
		buf_put(&address, str_sub(rest, 1, rest.len));
		is_int(visit(s, buf_str(&address)).status, HTTP_NOT_FOUND,
		    "%s with a name of 3,000 letters is not found", forms[i]);
	}
}

/* What lists show, beside the posts that t/pages/walk.c looks for. */
static void
lists(struct seeded *s)
{
	struct str page = part(visit(s, STR("/categories")).body, "<main", "</main>");
	struct str first = part(page, "href=\"/category/water\"", "href=\"/category/workshop\"");

	ok(holds(first, STR("/category/tides")) && holds(first, STR("/category/instruments")) &&
		holds(first, STR("/category/wildlife")),
	    "the tree of categories is in reading order");
	page = visit(s, STR("/authors")).body;
	ok(!holds(page, STR("/author/pascal")), "the page of authors has no mere readers");
	ok(holds(part(page, "href=\"/author/ingrid\"", "href=\"/author/kofi\""), STR("9 posts")),
	    "... and counts what each has written");
	ok(holds(visit(s, STR("/archive/2026/11/10")).body, STR("noindex")) &&
		!holds(visit(s, STR("/archive/2026/11/18")).body, STR("noindex")),
	    "an empty day is there, and not for search engines");
	page = visit(s, STR("/edition/2026-w47")).body;
	ok(holds(page, STR("href=\"/edition/2026-w46\"")) && !holds(page, STR("/edition/2026-w48")),
	    "an edition leads to the one before, and to none after the newest");
	ok(holds(part(page, "class=\"first\"", "</h2>"), STR("/post/bread-for-a-wet-week")),
	    "... what readers like best leads");
	ok(holds(part(page, "id=\"briefs\"", "</section>"), STR("/post/first-brent-geese")),
	    "... notes are among the briefs");
	ok(count_of(page, STR("id=\"h-")) == 0 && holds(page, STR("id=\"p1-h-")),
	    "... and each text has anchors of its own");
	ok(holds(visit(s, STR("/edition/2020-w53")).body, STR("Nothing was published in this week.")) &&
		holds(visit(s, STR("/edition/2020-w53")).body, STR("noindex")),
	    "an empty week says so, and not to search engines");
	ok(holds(visit(s, STR("/edition/2026-w54")).body, STR("a year has 52 of them")) &&
		holds(visit(s, STR("/edition/2026-w48")).body, STR("yet to come")),
	    "what is no week, or none yet, is told apart");
	ok(holds(visit(s, STR("/")).body, STR("href=\"/edition/2026-w47\"")) &&
		holds(visit(s, STR("/archive")).body, STR("href=\"/edition/2026-w47\"")) &&
		holds(visit(s, STR("/archive/2026/11")).body, STR("href=\"/edition/2026-w46\"")),
	    "the front page and the archive lead to editions");
	ok(holds(visit(s, STR("/post/log-the-weather")).body, STR(">−1 point<")),
	    "what readers think little of has a minus, not a hyphen");
	page = part(visit(s, STR("/collections")).body, "<main", "</main>");
	ok(holds(part(page, "For the café shelf", "The marsh, by season"), STR("Start here")),
	    "collections are listed newest first");
	ok(holds(part(visit(s, STR("/author/tobias/collections")).body, "<main", "</main>"),
	       STR(">Start here<")),
	    "... and on the pages of their owners");
	page = visit(
	    s, str_fmt(s->arena, "/collection/%.*s",
		   STR_ARGS(id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)86400000, 111))))
		   .body;
	is_str(part(page, "<h1>", "</h1>"), STR("Start here"), "a collection has its page");
	ok(holds(part(page, "/post/the-bell-that-nobody-rings", "/post/eel-elver-glass"),
	       STR("Begin with this one.")),
	    "... with its posts in its owner's order, each with what is said of it");
	ok(holds(page, STR("href=\"/post/a-clock-that-runs-on-the-moon\"")),
	    "... and under their newest addresses");
}

/* What follows a list's first page is not for search engines, so it names no address for them. */
static void
later_pages(struct seeded *s)
{
	static const char *const lists[] = {"/", "/category/water", "/archive/2026/11"};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct str first = visit(s, str_of(lists[i])).body;
		struct str older = part(first, "<a class=\"older\" href=\"", "\"");
		struct answer page = visit(s, unescaped(s->arena, older));

		is_int(page.status, HTTP_OK, "%s has an older page", lists[i]);
		ok(holds(page.body, STR("content=\"noindex\"")) &&
			!holds(page.body, STR("rel=\"canonical\"")),
		    "... which asks search engines to stay away, and does not say whose copy it "
		    "is");
	}
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	public_pages(&s);
	other_answers(&s);
	icons(&s);
	hashed(&s);
	long_names(&s);
	lists(&s);
	later_pages(&s);
	seeded_close(&s);
	return tap_done();
}
