/*
 * Posts and tags in every script have addresses of their own: letters stay, percent-encoded
 * wherever they are linked; other spellings redirect to the stored one.
 */
#include "writer.h"

#include "lib/tap.h"

#define TIDE "%E6%BD%AE%E3%81%8C%E5%BC%95%E3%81%8F" /* 潮が引く */
#define SEA "%E6%B5%B7"                             /* 海 */
#define HINDI "%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80"

static void
publish(struct browser *b, const char *title, const char *tags)
{
	get(b, "/write/article");
	is_int(SUBMIT(b, "/write/article", "do", "publish-anyway", "title", title, "markdown",
		   "Text.", "tag", tags),
	    HTTP_SEE_OTHER, "\"%s\" is published", title);
}

static void
titles(struct seeded *s)
{
	static const struct {
		const char *title, *address;
	} cases[] = {
	    {"潮が引く", "/post/" TIDE},
	    {"潮が引く", "/post/" TIDE "-2"},
	    {"हिन्दी", "/post/" HINDI},
	    {"البحر", "/post/%D8%A7%D9%84%D8%A8%D8%AD%D8%B1"},
	    {"ՀԱՅ", "/post/%D5%B0%D5%A1%D5%B5"},
	    {"C++", "/post/cpp"},
	    {"C#", "/post/csharp"},
	    {"Été à Łódź", "/post/ete-a-lodz"},
	};
	struct browser b = browser_of(s, "kofi");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		publish(&b, cases[i].title, "海、C++, C#, F#, हिन्दी");
		is_str(leads_to(&b), str_of(cases[i].address), "... at its own address");
		ok(stranger_sees(s, cases[i].address,
		       text_in(s, "rel=\"canonical\" href=\"https://slack.example%s\"",
			   cases[i].address)),
		    "... which it calls its own");
		ok(stranger_sees(s, "/", text_in(s, "<a href=\"%s\">", cases[i].address)) &&
			stranger_sees(
			    s, "/sitemap.xml", text_in(s, "%s</loc>", cases[i].address)) &&
			stranger_sees(s, "/feed.atom",
			    text_in(s, "href=\"https://slack.example%s\"", cases[i].address)),
		    "... and so do the front page, the sitemap and the feed");
	}
	ok(stranger_sees(s, "/feed.atom", ":" TIDE "</id>"), "The feed's name for it is a URI.");
	is_int(stranger_gets(s, "/post/article"), HTTP_NOT_FOUND, "None is called after its kind.");
}

static void
one_address(struct seeded *s)
{
	static const struct {
		const char *address, *leads_to;
	} cases[] = {
	    {"/post/潮が引く", "/post/" TIDE},
	    {"/post/%e6%bd%ae%e3%81%8c%e5%bc%95%e3%81%8f", "/post/" TIDE},
	    {"/post/%E6%BD%AE%E3%81%8B%E3%82%99%E5%BC%95%E3%81%8F", "/post/" TIDE},
	    {"/POST/" TIDE "/", "/post/" TIDE},
	    {"/post/%D5%80%D4%B1%D5%85", "/post/%D5%B0%D5%A1%D5%B5"},
	    {"/tag/海", "/tag/" SEA},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer a = visit(s, str_of(cases[i].address));

		is_int(a.status, HTTP_MOVED, "%s leads elsewhere", cases[i].address);
		is_str(header(&a, "Location"), str_of(cases[i].leads_to), "... to the one address");
	}
	is_int(stranger_gets(s, "/post/%E3%82%99"), HTTP_NOT_FOUND, "A mark alone is no address,");
	is_int(stranger_gets(s, "/post/%E2%80%AEx"), HTTP_NOT_FOUND,
	    "... nor is what turns letters round,");
	is_int(stranger_gets(s, "/post/%FF"), HTTP_BAD_REQUEST, "... nor what is no text.");
}

static void
tags(struct seeded *s)
{
	static const char *const names[] = {SEA, "cpp", "csharp", "fsharp", HINDI};
	struct browser b = browser_of(s, "kofi");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *page = text_in(s, "/tag/%s", names[i]);

		ok(stranger_sees(s, page, "href=\"/post/" TIDE "\""), "%s lists the post", page);
		is_int(stranger_gets(s, text_in(s, "%s/feed.atom", page)), HTTP_OK,
		    "... and has a feed");
		ok(stranger_sees(s, "/tags", text_in(s, "href=\"%s\"", page)) &&
			stranger_sees(s, "/sitemap.xml", text_in(s, "%s</loc>", page)) &&
			stranger_sees(s, "/sitemap/tags.xml", text_in(s, "%s</loc>", page)) &&
			stranger_sees(
			    s, "/post/" TIDE, text_in(s, "href=\"%s\" rel=\"tag\"", page)),
		    "... all links to it are encoded");
	}
	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", "save", "title", "Two", "tag", "sea, wind", "tag",
		   "wind, 🎉"),
	    HTTP_UNPROCESSABLE, "A tag of signs alone is not dropped in silence:");
	ok(says(&b, "“🎉” has no letter and no digit to make a tag of."), "... it is told");
	ok(has_value(&b, "tag", "sea, wind, wind, 🎉"), "... and what was typed is there.");
	is_int(SUBMIT(&b, "/write/article", "do", "save", "title", "Two", "tag", "sea, wind", "tag",
		   "wind"),
	    HTTP_SEE_OTHER, "Commas part tags:");
	get(&b, "/edit/two");
	ok(has_value(&b, "tag", "sea, wind"), "... there are two.");
	is_int(
	    SUBMIT(&b, "/edit/two", "do", "save", "title", "Two", "tag", "a,b,c,d,e,f,g,h,i,j,k"),
	    HTTP_UNPROCESSABLE, "More than ten are too many, also in one field.");
	ok(says(&b, "These are too many: ten at most."), "... which is said.");
}

/* All pages of one post, whose id has such letters as well. */
static void
a_life(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	is_int(get(&b, "/edit/" TIDE), HTTP_OK, "It can be edited");
	is_int(SUBMIT(&b, "/edit/" TIDE, "do", "save", "title", "潮", "slug", "Սէր", "markdown",
		   "See [it](/post/潮が引く-2) and [that](/post/潮)."),
	    HTTP_SEE_OTHER, "... and given another address");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	ok(says(&b, "The link to /post/潮 leads nowhere") &&
		!says(&b, "The link to /post/潮が引く"),
	    "A link to what is not there is told, one to what is there is not.");
	is_int(stranger_gets(s, "/post/%D5%BD%D5%A7%D6%80"), HTTP_OK, "It is there");
	{
		struct answer a = visit(s, STR("/post/" TIDE));

		is_str(header(&a, "Location"), STR("/post/%D5%BD%D5%A7%D6%80"),
		    "... and the old one leads to it.");
	}
	is_int(get(&b, "/revisions/" TIDE), HTTP_OK, "Its revisions are listed");
	ok(holds(b.last.body, STR("href=\"/revisions/" TIDE "/compare?from=")),
	    "... with their differences");
	is_int(get(&b, "/share/" TIDE), HTTP_OK, "it can be shared");
	is_int(get(&b, "/desk/published"), HTTP_OK, "it is on the desk");
	ok(holds(b.last.body, STR("href=\"/edit/" TIDE "\"")), "... and edited from there");
	is_int(get(&b, "/edit/" TIDE "/delete"), HTTP_OK, "it can be deleted");
	is_int(
	    SUBMIT(&b, "/edit/" TIDE "/delete", "version", "2"), HTTP_SEE_OTHER, "... is deleted");
	is_int(stranger_gets(s, "/post/%D5%BD%D5%A7%D6%80"), HTTP_GONE, "... and gone");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	titles(&s);
	one_address(&s);
	tags(&s);
	a_life(&s);
	browsers_close(&s);
	return tap_done();
}
