/*
 * What machines read: feeds in full text, JSON-LD, Open Graph. t/pages/sitemap.c has the sitemap.
 */
#include "seeded.h"
#include "xml.h"

#include "lib/tap.h"

#include "table/json.h"

static void
well_formed(struct str text, const char *what)
{
	size_t at = 0;
	const char *error = xml_error(text, &at);

	ok(error == NULL, "%s is well-formed XML", what);
	if (error != NULL)
		fprintf(stderr, "# %s at %zu: %.*s\n", error, at,
		    STR_ARGS(str_sub(text, at > 40 ? at - 40 : 0, 80)));
}

/* The checker itself must be able to say no. */
static void
checker(void)
{
	static const char *const wrong[] = {"", "<a></a>", "<?xml version=\"1.0\"?><a>",
	    "<?xml a=\"\"?><a></b>", "<?xml a=\"\"?><a></a><b></b>",
	    "<?xml a=\"\"?><a b=\"1\" b=\"2\"></a>", "<?xml a=\"\"?><a>&nbsp;</a>",
	    "<?xml a=\"\"?><a>\x01</a>", "<?xml a=\"\"?><a>\xef\xbf\xbe</a>",
	    "<?xml a=\"\"?><a b=c></a>", "<?xml a=\"\"?><a><b></a></b>",
	    "<?xml a=\"\"?><a>\xff</a>"};
	unsigned missed = 0;
	size_t at;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		missed += xml_error(str_of(wrong[i]), &at) == NULL;
	is_int(missed, 0, "the checker of XML knows what is none");
	ok(xml_error(STR("<?xml a=\"\"?>\n<a b=\"&amp;\"><c/>x\n<d>é</d></a>\n"), &at) == NULL,
	    "... and what is some");
}

/* --- Feeds ------------------------------------------------------------------------------------------- */

static bool
under_water(const struct item *post, const char *name)
{
	(void)name;
	return in_category(post, "tides") || in_category(post, "instruments") ||
	       in_category(post, "wildlife");
}

static const struct {
	const char *path, *about, *title;
	bool (*chosen)(const struct item *post, const char *name);
	const char *name;
} feeds[] = {
    {"/feed.atom", "/", "Slack Water", every_post, NULL},
    {"/author/kofi/feed.atom", "/author/kofi", "Slack Water: Kofi Mensah-Boyd", by_author, "kofi"},
    {"/category/kitchen/feed.atom", "/category/kitchen", "Slack Water: The Kitchen", in_category,
	"kitchen"},
    {"/category/water/feed.atom", "/category/water", "Slack Water: The Water", under_water, NULL},
    {"/tag/tides/feed.atom", "/tag/tides", "Slack Water: tides", with_tag, "tides"},
    {"/tag/ferry/feed.atom", "/tag/ferry", "Slack Water: ferry", with_tag, "ferry"},
};

/* A time of RFC 3339 that is not later than now. */
static bool
is_past(struct seeded *s, struct str time)
{
	int64_t ms;

	return time_parse(time, &ms) && ms <= s->clock.fixed_now;
}

/* An entry: what a reader of feeds needs of it. */
static bool
is_entry(struct seeded *s, struct str entry, struct list *ids)
{
	struct str id = part(entry, "<id>", "</id>"), content;
	struct str published = part(entry, "<published>", "</published>");
	struct str updated = part(entry, "<updated>", "</updated>"), rest;
	bool based, fresh = !list_has(ids, id);

	between(&entry, STR("<content type=\"html\""), STR("</content>"), &content);
	based = str_starts(content, STR(" xml:base=\"https://slack.example/post/"));
	str_cut(content, '>', &rest);
	list_add(s->arena, ids, id);
	/* tag:<host>,<date>:<id>, and no port in it. */
	return fresh && based && str_starts(id, STR("tag:slack.example,20")) &&
	       count_of(id, STR(":")) == 2 && is_past(s, published) && is_past(s, updated) &&
	       str_cmp(updated, published) >= 0 && rest.len > 100 &&
	       str_starts(unescaped(s->arena, rest), STR("<"));
}

static void
feed(struct seeded *s, size_t n)
{
	struct list wanted = wanted_posts(s, feeds[n].chosen, feeds[n].name), got = {.count = 0},
		    ids = {.count = 0};
	struct answer answer = visit(s, str_of(feeds[n].path));
	struct str rest = answer.body, head, entry, wrong = STR("");

	well_formed(answer.body, feeds[n].path);
	head = part(answer.body, "<feed", "<entry");
	is_str(part(head, "<title>", "</title>"), str_of(feeds[n].title), "... with its title");
	is_str(part(head, "<id>", "</id>"),
	    STR_CONCAT(s->arena, SEEDED_ORIGIN, str_of(feeds[n].path)), "... its id");
	is_str(part(head, "rel=\"self\" type=\"application/atom+xml\" href=\"", "\""),
	    STR_CONCAT(s->arena, SEEDED_ORIGIN, str_of(feeds[n].path)), "... its own address");
	is_str(part(head, "rel=\"alternate\" type=\"text/html\" href=\"", "\""),
	    STR_CONCAT(s->arena, SEEDED_ORIGIN, str_of(feeds[n].about)), "... its page");
	ok(is_past(s, part(head, "<updated>", "</updated>")), "... and when it was updated");
	while (between(&rest, STR("<entry"), STR("</entry>"), &entry)) {
		struct str url = part(entry, "rel=\"alternate\" type=\"text/html\" href=\"", "\"");

		list_add(s->arena, &got, str_sub(url, SEEDED_ORIGIN.len, url.len));
		if (!is_entry(s, entry, &ids))
			wrong = url;
	}
	wanted.count = wanted.count < 20 ? wanted.count : 20;
	is_str(list_text(s->arena, &got), list_text(s->arena, &wanted),
	    "... the newest, newest first");
	is_str(wrong, STR(""), "... each with an id of its own, its times and its text");
	ok(holds(visit(s, str_of(feeds[n].about)).body,
	       STR_CONCAT(s->arena, STR("type=\"application/atom+xml\" href=\""),
		   str_of(feeds[n].path), STR("\""))),
	    "... and its page leads to it");
}

/* Full text means: what the post's own page has as its text. */
static void
full_text(struct seeded *s)
{
	struct str post = visit(s, STR("/post/whip-a-ropes-end")).body, step;
	struct str all = visit(s, STR("/author/ingrid/feed.atom")).body, entry = STR("");

	while (between(&all, STR("<entry"), STR("</entry>"), &entry))
		if (holds(entry, STR("/post/whip-a-ropes-end")))
			break;
	entry = unescaped(s->arena, entry);
	step = part(post, "id=\"step-3\"", "</li>");
	ok(part(step, "<p>", "</p>").len > 20 && holds(entry, part(step, "<p>", "</p>")),
	    "a howto's steps are in the feed");
	step = part(post, "<div class=\"prose\" dir=\"auto\">\n", "</p>");
	ok(step.len > 20 && holds(entry, step), "... and its text");
	ok(holds(entry, STR("<p>Easy, 10 minutes, €0.40</p>")) &&
		holds(entry, STR("<h2>Tools</h2>")),
	    "... and what it takes");
	ok(holds(
	       entry, STR("<link rel=\"enclosure\" type=\"image/png\" href=\"https://slack.example"
			  "/media/")),
	    "... and its picture");
}

/* Text that XML can't hold, in a post of today. */
static void
odd_text(struct seeded *s)
{
	struct item before = seeded_item(s, "POST#the-hour-when-nothing-moves", "METADATA");
	struct item post = item_shallow(s->arena, &before);

	item_set(s->arena, &post, STR("Title"),
	    value_string(
		STR("A\x01\x1b & <b>\"'\xef\xbf\xbe\xef\xbf\xbf\x7f ]]> </title><script>")));
	seeded_put(s, &post, 1);
	well_formed(visit(s, STR("/feed.atom")).body, "a feed with a strange title");
	well_formed(visit(s, STR("/tag/tides/feed.atom")).body, "... and that of its tag");
	ok(!holds(visit(s, STR("/")).body, STR("<script>")) &&
		!holds(visit(s, STR("/post/the-hour-when-nothing-moves")).body, STR("<script>")),
	    "... no page takes it for more than text");
	seeded_put(s, &before, 1);
}

/* A site at a port: an id must not have one (RFC 4151). */
static void
ids_at_a_port(struct seeded *s)
{
	s->site.origin = STR("http://127.0.0.1:8080");
	ok(holds(visit(s, STR("/feed.atom")).body, STR("<id>tag:127.0.0.1,20")),
	    "a port is no part of an entry's id");
	s->site.origin = SEEDED_ORIGIN;
}

/* --- JSON-LD ----------------------------------------------------------------------------------------- */

static const struct {
	const char *address, *has[5];
} descriptions[] = {
    {"/post/the-tide-in-forty-lines-of-c",
	{"[{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"The tide in "
	 "forty",
	    "\"@type\":\"BreadcrumbList\"", "\"datePublished\":\"2026-11-12T04:30:00.000Z\"",
	    "\"author\":{\"@type\":\"Person\",\"name\":\"Kofi Mensah-Boyd\"",
	    "\"item\":\"https://slack.example/category/instruments\""}},
    {"/post/whip-a-ropes-end", {"\"@type\":\"HowTo\",\"name\":\"Whip a rope’s end",
				   "\"@type\":\"HowToStep\",\"position\":1",
				   "\"url\":\"https://slack.example/post/whip-a-ropes-end#step-2\"",
				   "\"totalTime\":\"PT", "\"@type\":\"HowToTool\""}},
    {"/post/noaa-tides-and-currents",
	{"\"@type\":\"Article\"", "\"@type\":\"AggregateRating\",\"ratingValue\":\"",
	    "\"ratingCount\":", "\"@type\":\"WebSite\""}},
    {"/post/first-brent-geese", {"\"@type\":\"Article\"", "\"@type\":\"BreadcrumbList\""}},
    {"/author/kofi",
	{"\"@type\":\"ProfilePage\"",
	    "\"mainEntity\":{\"@type\":\"Person\",\"name\":\"Kofi Mensah-Boyd\"",
	    "\"url\":\"https://slack.example/author/kofi\"", "\"@type\":\"BreadcrumbList\"",
	    "\"item\":\"https://slack.example/authors\""}},
    {"/tag/tides",
	{"\"@type\":\"BreadcrumbList\"", "\"item\":\"https://slack.example/tags\"",
	    "\"position\":3,\"name\":\"tides\",\"item\":\"https://slack.example/tag/tides\""}},
    {"/archive/2026/11",
	{"\"@type\":\"BreadcrumbList\"", "\"item\":\"https://slack.example/archive/2026\"",
	    "\"position\":4,\"name\":\"November 2026\""}},
    {"/archive/2026/11/18",
	{"\"@type\":\"BreadcrumbList\"", "\"item\":\"https://slack.example/archive/2026/11\"",
	    "\"position\":5,\"name\":\"Wednesday, 18 November 2026\""}},
    {"/category/rigging", {"\"@type\":\"BreadcrumbList\"", "\"position\":4,\"name\":\"Boats\"",
			      "\"position\":5,\"name\":\"Rope & Rigging\""}},
};

/* What pages say of themselves where they are shared. */
static const struct {
	const char *address, *name, *says; /* NULL: nothing of this name */
} shared[] = {
    {"/post/the-tide-in-forty-lines-of-c", "article:published_time", "2026-11-12T04:30:00.000Z"},
    {"/post/the-tide-in-forty-lines-of-c", "article:author", "https://slack.example/author/kofi"},
    {"/post/the-tide-in-forty-lines-of-c", "article:section", "Instruments"},
    {"/post/the-tide-in-forty-lines-of-c", "article:tag", "tides"},
    {"/post/the-tide-in-forty-lines-of-c", "og:type", "article"},
    {"/post/the-tide-in-forty-lines-of-c", "og:locale", NULL}, /* "en" is no region's */
    {"/tags", "article:published_time", NULL},
    {"/tags", "og:type", "website"},
};

static void
has_property(struct seeded *s, const char *address, const char *name, const char *says)
{
	struct str page = visit(s, str_of(address)).body;
	struct str begin = str_fmt(s->arena, "<meta property=\"%s\" content=\"", name);

	is_str(part(page, begin.base, "\">"), str_of(says != NULL ? says : ""), "%s: %s", address,
	    name);
}

static void
open_graph(struct seeded *s)
{
	struct item before = seeded_item(s, "POST#first-brent-geese", "METADATA");
	struct item post = item_shallow(s->arena, &before), thumbnail = {0};
	const char *address = "/post/first-brent-geese";

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		has_property(s, shared[i].address, shared[i].name, shared[i].says);
	ok(holds(visit(s, STR("/tags")).body,
	       STR("<meta name=\"twitter:card\" content=\"summary\">")),
	    "a page without a picture is a small card");
	item_set(s->arena, &thumbnail, STR("URL"),
	    value_string(STR("/media/0123456789abcdef0123456789abcdef-1600x1067.jpg")));
	item_set(s->arena, &post, STR("Thumbnail"), value_map(thumbnail));
	item_set(s->arena, &post, STR("Language"), value_string(STR("zh-Hant-TW")));
	item_set(s->arena, &post, STR("UpdatedAt"), value_string(STR("2026-11-18T08:00:00.000Z")));
	seeded_put(s, &post, 1);
	has_property(s, address, "og:image:width", "1600");
	has_property(s, address, "og:image:height", "1067");
	has_property(s, address, "og:locale", "zh_TW");
	has_property(s, address, "article:modified_time", "2026-11-18T08:00:00.000Z");
	ok(holds(visit(s, str_of(address)).body,
	       STR("<meta name=\"twitter:card\" content=\"summary_large_image\">")),
	    "one with a picture is a large one");
	item_set(
	    s->arena, &thumbnail, STR("URL"), value_string(STR("https://elsewhere.example/y.png")));
	item_set(s->arena, &post, STR("Thumbnail"), value_map(thumbnail));
	seeded_put(s, &post, 1);
	has_property(s, address, "og:image:width", NULL);
	seeded_put(s, &before, 1);
}

static struct str
json_ld_of(struct seeded *s, const char *address)
{
	return part(
	    visit(s, str_of(address)).body, "<script type=\"application/ld+json\">", "</script>");
}

static bool
is_json(struct seeded *s, struct str text)
{
	struct json_reader in = json_reader(s->arena, text);

	return json_skip(&in) && json_end(&in);
}

static void
json_ld(struct seeded *s)
{
	struct list posts = wanted_posts(s, every_post, NULL);
	struct item before, post;
	struct str text;
	unsigned wrong = 0;

	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]); i++) {
		text = json_ld_of(s, descriptions[i].address);
		ok(is_json(s, text), "%s describes itself in JSON", descriptions[i].address);
		for (size_t j = 0; j < 5 && descriptions[i].has[j] != NULL; j++)
			ok(holds(text, str_of(descriptions[i].has[j])), "... with %s",
			    descriptions[i].has[j]);
	}
	for (size_t i = 0; i < posts.count; i++) {
		text = json_ld_of(s, str_cstring(s->arena, posts.strings[i]));
		wrong += !is_json(s, text) || !holds(text, posts.strings[i]);
	}
	is_int(wrong, 0, "and so do all %zu posts", posts.count);
	before = seeded_item(s, "POST#first-brent-geese", "METADATA");
	post = item_shallow(s->arena, &before);
	item_set(
	    s->arena, &post, STR("Title"), value_string(STR("</script><!--\\ \"x\" \xe2\x80\xa8")));
	seeded_put(s, &post, 1);
	text = json_ld_of(s, "/post/first-brent-geese");
	ok(is_json(s, text) && holds(text, STR("\\u003c/script>\\u003c!--")),
	    "a title can't end the element that holds it");
	seeded_put(s, &before, 1);
}

static void
has_picture(struct seeded *s, const char *address, const char *picture, const char *what)
{
	struct str page = visit(s, str_of(address)).body;

	is_str(part(page, "<meta property=\"og:image\" content=\"", "\">"), str_of(picture), "%s",
	    what);
	is_str(part(json_ld_of(s, address), "\"image\":\"", "\""), str_of(picture),
	    "... for search engines, too");
}

/* What is shown beside a link to a page that has a picture: the chosen one, else the first upload in the text. */
static void
pictures(struct seeded *s)
{
	struct item body = seeded_item(s, "POST#first-brent-geese", "BODY");
	struct item post = seeded_item(s, "POST#first-brent-geese", "METADATA");
	struct item user = seeded_item(s, "USER#kofi", "METADATA"), thumbnail = {0};
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	has_picture(s, "/post/first-brent-geese", "", "a text without pictures has none");
	item_set(s->arena, &body, STR("Renderer"), value_number(0));
	item_set(s->arena, &body, STR("Markdown"),
	    value_string(STR(
		"![a](https://elsewhere.example/x.png) `<img src=\"/media/no.png\">`\n\n"
		"![b](/media/0123456789abcdef0123456789abcdef-80x60.jpg)\n\n![c](/media/c.png)")));
	seeded_put(s, &body, 1);
	has_picture(s, "/post/first-brent-geese",
	    "https://slack.example/media/0123456789abcdef0123456789abcdef-80x60.jpg",
	    "the first upload in a text is its picture");
	item_set(
	    s->arena, &thumbnail, STR("URL"), value_string(STR("https://elsewhere.example/y.png")));
	item_set(s->arena, &post, STR("Thumbnail"), value_map(thumbnail));
	seeded_put(s, &post, 1);
	has_picture(s, "/post/first-brent-geese", "https://elsewhere.example/y.png",
	    "one that was chosen goes before");
	item_set(s->arena, &settings, STR("Picture"), value_string(STR("/media/site.png")));
	seeded_put(s, &settings, 1);
	is_str(part(visit(s, STR("/tags")).body, "<meta property=\"og:image\" content=\"", "\">"),
	    STR("https://slack.example/media/site.png"), "a page without a picture has the site's");
	has_picture(s, "/post/first-brent-geese", "https://elsewhere.example/y.png",
	    "... and one with a picture its own");
	item_set(s->arena, &user, STR("AvatarURL"), value_string(STR("/media/kofi.png")));
	seeded_put(s, &user, 1);
	has_picture(
	    s, "/author/kofi", "https://slack.example/media/kofi.png", "an author has a portrait");
}

static void
robots(struct seeded *s)
{
	struct str body = visit(s, STR("/robots.txt")).body;

	ok(holds(body, STR("\n\nSitemap: https://slack.example/sitemap.xml\n")),
	    "robots.txt leads to the sitemap");
	ok(holds(body, STR("Disallow: /login\n")) &&
		holds(body, STR("Disallow: /author/*/follow$\n")),
	    "... and not to where one has to sign in");
	ok(!holds(body, STR("Disallow: /\n")) && !holds(body, STR("Disallow:\n")) &&
		!holds(body, STR("Disallow: /author/\n")),
	    "... but to all else");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	checker();
	for (size_t i = 0; i < sizeof(feeds) / sizeof(feeds[0]); i++)
		feed(&s, i);
	full_text(&s);
	odd_text(&s);
	ids_at_a_port(&s);
	json_ld(&s);
	open_graph(&s);
	pictures(&s);
	robots(&s);
	seeded_close(&s);
	return tap_done();
}
