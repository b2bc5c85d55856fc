/* How often pages are read: what counts, where it is added, and that nothing is counted twice. */
#include "browser.h"

#include "lib/failing_table.h"
#include "lib/tap.h"
#include "model/key_post.h"
#include "model/post/figures.h"
#include "web/views/views.h"

#define FIREFOX "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
#define POST "bread-for-a-wet-week"
#define TODAY "2026-11-18"

enum { CACHE = 8 * 1024 * 1024, MANY = 20000, HOSTS = 30 };

/* --- Who reads ------------------------------------------------------------------------------------- */

static const struct {
	bool reader;
	const char *agent;
} agents[] = {
    {true, FIREFOX},
    {true, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
	   "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"},
    {true, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
	   "Gecko) Version/18.6 Mobile/15E148 Safari/604.1"},
    {true, "Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8"},
    {true, "w3m/0.5.3+git20230121"},
    {true, "Links (2.28; Linux 6.1.0 x86_64; GNU C 12.2; text)"},
    {false, ""},
    {false, "curl/8.14.1"},
    {false, "Wget/1.25.0"},
    {false, "python-requests/2.32.3"},
    {false, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"},
    {false, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; "
	    "+https://openai.com/gptbot)"},
    {false, "Mozilla/5.0 (compatible; Yahoo! Slurp)"},
    {false, "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
	    "HeadlessChrome/142.0.0.0 Safari/537.36"},
    {false, "Mozilla/5.0 (Linux; Android 11) Chrome-Lighthouse"},
    {false, "Mozilla/5.0 (compatible; CRAWLER; who@example.org)"},
    {false, "FreshRSS/1.27.0 (Linux; https://freshrss.org)"},
};

static const struct {
	const char *referer, *host;
} referers[] = {
    {"https://news.example/", "news.example"},
    {"https://News.Example:8443/a/b?c", "news.example"},
    {"http://www.news.example", "news.example"},
    {"https://news.example?q=bread", "news.example"},
    {"http://[2001:db8::1]:80/", "[2001:db8::1]:80"},
    {"https://slack.example/post/x", ""},
    {"https://www.slack.example/", ""},
    {"https://preview.example:8080/tags", ""},
    {"", ""},
    {"android-app://com.example/", ""},
    {"https:///x", ""},
    {"https://a b/", ""},
    {"https://user@evil.example/", ""},
    {"https://<b>.example/", ""},
};

static void
tells_readers(void)
{
	char room[FIGURES_HOST_BYTES], longest[FIGURES_HOST_BYTES + 20];

	for (size_t i = 0; i < sizeof(agents) / sizeof(agents[0]); i++)
		ok(views_by_reader(str_of(agents[i].agent)) == agents[i].reader, "%s: “%.60s”",
		    agents[i].reader ? "a reader" : "a program", agents[i].agent);
	for (size_t i = 0; i < sizeof(referers) / sizeof(referers[0]); i++)
		is_str(views_host(str_of(referers[i].referer), STR("slack.example"),
			   STR("preview.example:8080"), room),
		    str_of(referers[i].host), "the host of “%s”", referers[i].referer);
	memset(longest, 'a', sizeof(longest));
	memcpy(longest, "https://", 8);
	is_int((int64_t)views_host((struct str){longest, 8 + FIGURES_HOST_BYTES}, STR(""), STR(""),
		   room).len,
	    FIGURES_HOST_BYTES, "the longest host");
	is_int((int64_t)views_host((struct str){longest, 9 + FIGURES_HOST_BYTES}, STR(""), STR(""),
		   room).len,
	    0, "one that is longer is none");
}

/* --- What is counted --------------------------------------------------------------------------------- */

/* A request that counts, to be made into one that does not. */
static struct request_input
reading(const char *address)
{
	return (struct request_input){.method = STR("GET"),
	    .uri = str_of(address),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .user_agent = STR(FIREFOX),
	    .content_length = -1};
}

static struct day_views
day_of(struct seeded *s, const char *post, const char *day)
{
	struct table_call call = {.arena = s->arena};
	struct day_views views = {.views = 0};
	struct item *item;

	if (table_get(s->table, &call, key_views(s->arena, str_of(post), str_of(day)), &item) !=
	    TABLE_OK)
		bail_out("a get failed");
	if (item != NULL)
		day_views_from_item(s->arena, item, &views);
	return views;
}

static int64_t
views_on(struct seeded *s, const char *post, const char *day)
{
	return day_of(s, post, day).views;
}

static int64_t
total_of(struct seeded *s, const char *post)
{
	struct table_call call = {.arena = s->arena};
	struct item *item;

	if (table_get(s->table, &call, key_views_total(s->arena, str_of(post)), &item) != TABLE_OK)
		bail_out("a get failed");
	return item != NULL ? item_number(item, STR("Views")) : 0;
}

static void
counts_views(struct seeded *s)
{
	static const char *const others[] = {"/post/" POST "/feed.atom", "/feed.atom", "/no-such-page",
	    "/post/no-such-post", "/robots.txt", "/static/style.css", "/login", "/healthz",
	    "/sitemap.xml"};
	struct request_input in = reading("/post/" POST);

	seeded_restart(s, CACHE);
	ok(!visit_as(s, &in).cached && visit_as(s, &in).cached, "a page, and from the page cache");
	in.if_none_match = STR("*");
	is_int(visit_as(s, &in).status, HTTP_NOT_MODIFIED, "one that its reader has already");
	seeded_restart(s, 0);
	in = reading("/post/" POST);
	visit_as(s, &in);
	is_int(total_of(s, POST), 0, "nothing is written before");
	ok(views_flush(s->site.views), "it is added");
	is_int(views_on(s, POST, TODAY), 4, "all four views of that day");
	is_int(total_of(s, POST), 4, "... and in all");
	in = reading("/");
	visit_as(s, &in);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		in = reading(others[i]);
		visit_as(s, &in);
	}
	ok(views_flush(s->site.views), "other pages");
	is_int(views_on(s, "", TODAY), 5, "of the site: the front page too, and nothing that is no page");
	is_int(day_of(s, "", TODAY).post_views, 4, "... four are of posts");
	is_int(total_of(s, ""), 5, "... and in all");
}

static void
leaves_out(struct seeded *s, size_t cache)
{
	struct request_input in = reading("/post/" POST);
	int64_t before = total_of(s, POST);

	seeded_restart(s, cache);
	in.method = STR("HEAD");
	visit_as(s, &in);
	in = reading("/post/" POST);
	in.user_agent = STR("curl/8.14.1");
	visit_as(s, &in);
	in = reading("/post/" POST);
	in.sec_purpose = STR("prefetch;prerender");
	visit_as(s, &in);
	in = reading("/post/" POST);
	in.purpose = STR("prefetch");
	visit_as(s, &in);
	views_flush(s->site.views);
	is_int(total_of(s, POST), before, "HEAD, a program, and what is loaded ahead do not count");
	in = reading("/post/" POST);
	visit_as(s, &in);
	views_flush(s->site.views);
	is_int(total_of(s, POST), before + 1, "... and a reader after them does");
}

/* Who is signed in counts, but not an author of the post. */
static void
leaves_out_authors(struct seeded *s)
{
	static const struct {
		const char *who, *post;
		bool counts;
	} cases[] = {{"pascal", POST, true}, {"marta", POST, true}, {NULL, POST, false},
	    {NULL, "the-bell-that-nobody-rings", false}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct item head = seeded_item(s,
		    str_fmt(s->arena, "POST#%s", cases[i].post).base, "METADATA");
		const char *who = cases[i].who != NULL
				      ? cases[i].who
				      : str_cstring(s->arena, item_string(&head, STR("Author")));
		struct browser b = browser_of(s, who);
		struct request_input in =
		    reading(str_fmt(s->arena, "/post/%s", cases[i].post).base);
		int64_t before = total_of(s, cases[i].post);

		in.cookie = STR_CONCAT(s->arena, STR("__Host-session="), b.session);
		is_int(visit_as(s, &in).status, HTTP_OK, "%s reads it", who);
		views_flush(s->site.views);
		is_int(total_of(s, cases[i].post), before + cases[i].counts, "... which %s",
		    cases[i].counts ? "counts" : "does not count, as it is theirs");
	}
}

/* --- From where ---------------------------------------------------------------------------------------- */

static void
notes_hosts(struct seeded *s)
{
	struct request_input in = reading("/post/soup-for-nine");
	struct day_views day;

	seeded_restart(s, CACHE);
	for (int i = 0; i < HOSTS; i++)
		for (int n = 0; n <= i; n++) {
			in.referer = str_fmt(s->arena, "https://h%02d.example/secret?q=x", i);
			visit_as(s, &in);
		}
	views_flush(s->site.views);
	day = day_of(s, "soup-for-nine", TODAY);
	is_int(day.views, HOSTS * (HOSTS + 1) / 2, "readers from %d hosts", HOSTS);
	is_int((int64_t)day.host_count, FIGURES_HOSTS, "those from where most came are kept");
	is_str(day.hosts[0].name, STR("h29.example"), "the one with most stands first: its name alone");
	is_int(day.hosts[0].views, HOSTS, "... with how many came from there");
	in.referer = STR("https://h29.example/");
	visit_as(s, &in);
	views_flush(s->site.views);
	is_int(day_of(s, "soup-for-nine", TODAY).hosts[0].views, HOSTS + 1, "they add up");
	is_int(day_of(s, "", TODAY).hosts[0].views, HOSTS + 1, "... for the site as well");
	is_str(day_of(s, "", TODAY).posts[0].name, STR("soup-for-nine"), "the post that was read most");
	is_int(day_of(s, "", TODAY).posts[0].views, HOSTS * (HOSTS + 1) / 2 + 1, "... so often");
}

/* --- Adding ---------------------------------------------------------------------------------------------- */

static void
note_posts(struct views *views, struct arena *arena, const char *name, int count, int times)
{
	struct request_input in = reading("/");

	for (int n = 0; n < times; n++)
		for (int i = 0; i < count; i++)
			views_note(views, &in, str_fmt(arena, "%s-%03d", name, i));
}

/* A page that is none of a post. */
static void
note_page(struct views *views)
{
	struct request_input in = reading("/");

	views_note(views, &in, STR(""));
}

/* Of more posts than a day lists, those that are read most are listed, whenever they were read. */
static void
lists_the_most_read(struct seeded *s)
{
	struct day_views day;

	s->clock.fixed_now += INT64_C(24) * 60 * 60 * 1000;
	note_posts(s->site.views, s->arena, "few", FIGURES_POSTS, 2);
	views_flush(s->site.views);
	note_posts(s->site.views, s->arena, "late", 3, 1);
	views_flush(s->site.views);
	note_posts(s->site.views, s->arena, "late", 2, 2);
	views_flush(s->site.views);
	day = day_of(s, "", "2026-11-19");
	is_int((int64_t)day.post_count, FIGURES_POSTS, "the posts of a day are bounded");
	is_str(day.posts[0].name, STR("late-000"), "one that had fallen off the list is back");
	is_int(day.posts[0].views, 3, "... with all of its views");
	is_int(day.views, 2 * FIGURES_POSTS + 7, "all are counted");
}

static void
follows_the_zone(struct seeded *s)
{
	int64_t now = s->clock.fixed_now;

	if (!time_parse(STR("2027-07-01T23:30:00.000Z"), &s->clock.fixed_now))
		bail_out("a time");
	note_posts(s->site.views, s->arena, "zone", 1, 1);
	views_flush(s->site.views);
	is_int(views_on(s, "zone-000", "2027-07-02"), 1, "a day is one of the site's time zone");
	s->clock.fixed_now = now;
}

static void
is_bounded(struct seeded *s)
{
	struct request_input in = reading("/");
	int64_t before = total_of(s, "");

	for (int i = 0; i < MANY; i++)
		views_note(s->site.views, &in, str_fmt(s->arena, "wide-%d", i));
	ok(views_flush(s->site.views), "more posts than fit");
	is_int(total_of(s, "") - before, MANY, "the site's views are complete");
	is_int(total_of(s, "wide-0"), 1, "... and those of the posts that fitted are there");
	is_int(total_of(s, "wide-19999"), 0, "... and no others");
}

/* What readers do, and take back, on that day. A form that was refused is nothing. */
static void
counts_deeds(struct seeded *s)
{
	static const struct {
		const char *name, *value;
		int64_t reactions, bookmarks;
	} deeds[] = {{"like", "off", -1, 0}, {"like", "like", 0, 0}, {"like", "love", 0, 0},
	    {"like", "hate", 0, 0}, {"bookmark", "off", 0, -1}, {"bookmark", "on", 0, 0}};
	struct browser reader = browser_of(s, "pascal");
	struct day_views before, day;

	views_flush(s->site.views);
	before = day_of(s, "", TODAY);
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		get(&reader, "/post/" POST);
		SUBMIT(&reader, "/react/" POST, deeds[i].name, deeds[i].value);
		views_flush(s->site.views);
		day = day_of(s, "", TODAY);
		is_int(day.deeds[DEED_REACTION] - before.deeds[DEED_REACTION], deeds[i].reactions,
		    "%s %s: reactions", deeds[i].name, deeds[i].value);
		is_int(day.deeds[DEED_BOOKMARK] - before.deeds[DEED_BOOKMARK],
		    deeds[i].bookmarks, "... and bookmarks");
	}
	is_int(day.deeds[DEED_COMMENT], before.deeds[DEED_COMMENT], "no comment was written");
	get(&reader, "/post/" POST "/comment");
	SUBMIT(&reader, "/post/" POST "/comment", "do", "send", "text", "It rose.");
	views_flush(s->site.views);
	is_int(day_of(s, "", TODAY).deeds[DEED_COMMENT], before.deeds[DEED_COMMENT] + 1,
	    "one is written");
}

/* Each call fails in turn: nothing is lost that could be kept, and nothing is counted twice. */
static void
survives_failures(struct seeded *s)
{
	struct day_views before = day_of(s, "", "2026-11-19"), day;
	struct failing_table failing;
	struct views *views;
	unsigned n = 0, calls;

	failing_table_begin(&failing, s->table);
	views = views_new(&failing.table, SEEDED_ORIGIN, s->site.log);
	do {
		bool done;

		n++;
		note_posts(views, s->arena, "fails", 3, 1);
		note_page(views);
		views_count(views, STR("Stars4"), 1);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		done = views_flush(views);
		calls = failing.calls;
		failing_table_arm(&failing, 0, TABLE_OK);
		ok(done == (calls < n) && views_flush(views), "call %u fails: the next time is good", n);
	} while (calls >= n);
	ok(n > 3, "%u calls", n);
	for (int i = 0; i < 3; i++)
		is_int(total_of(s, str_fmt(s->arena, "fails-%03d", i).base), n,
		    "each view of a post is counted once");
	day = day_of(s, "", "2026-11-19");
	is_int(day.deeds[DEED_REACTION], n, "what readers did is counted once");
	ok(day.views - before.views >= n + 3 * (n - 2) && day.views - before.views <= 4 * n,
	    "of the site, no page is lost, and nothing is counted twice");
	views_stop(views);
}

/* Two processes at the same time: what one has written after the other has read. */
static void
adds_to_others(struct seeded *s)
{
	struct failing_table failing;
	struct views *views;
	const struct change changes[] = {{CHANGE_ADD, STR("Views"), value_number(5)},
	    {CHANGE_ADD, STR("Adds"), value_number(1)}};
	const struct write others[] = {{.kind = WRITE_UPDATE,
	    .key = key_views(s->arena, STR("crowd-000"), STR("2026-11-19")),
	    .changes = changes,
	    .change_count = 2}};

	failing_table_begin(&failing, s->table);
	views = views_new(&failing.table, SEEDED_ORIGIN, s->site.log);
	note_posts(views, s->arena, "crowd", 1, 2);
	views_flush(views);
	note_posts(views, s->arena, "crowd", 1, 1);
	failing.behind_skips = 1; /* the settings */
	failing.behind = others;
	ok(views_flush(views), "another process adds at the same time");
	is_int(views_on(s, "crowd-000", "2026-11-19"), 8, "both are counted");
	views_stop(views);
}

static void
adds_at_the_end(struct seeded *s)
{
	struct views *views = views_new(s->table, SEEDED_ORIGIN, s->site.log);

	ok(views_start(views, 60 * 60 * 1000), "a thread that adds in an hour");
	note_posts(views, s->arena, "stop", 1, 3);
	views_stop(views);
	is_int(total_of(s, "stop-000"), 3, "at a stop, what was counted is added");
}

static void
keeps_totals(struct seeded *s)
{
	int64_t total = total_of(s, POST);

	s->clock.fixed_now += (FIGURES_DAYS_KEPT + 1) * INT64_C(24) * 60 * 60 * 1000;
	is_int(views_on(s, POST, TODAY), 0, "a day expires");
	is_int(total_of(s, POST), total, "the total stays");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	s.site.views = views_new(s.table, SEEDED_ORIGIN, s.site.log);
	tells_readers();
	counts_views(&s);
	leaves_out(&s, 0);
	leaves_out(&s, CACHE);
	leaves_out_authors(&s);
	counts_deeds(&s);
	notes_hosts(&s);
	lists_the_most_read(&s);
	follows_the_zone(&s);
	is_bounded(&s);
	survives_failures(&s);
	adds_to_others(&s);
	adds_at_the_end(&s);
	keeps_totals(&s);
	views_stop(s.site.views);
	browsers_close(&s);
	return tap_done();
}
