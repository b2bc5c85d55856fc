/*
 * Pages from the cache, through whole requests: the same answers, without the page being made
 * again.
 */
#include "site.h"

#include "web/cache/cache.h"
#include "web/http/gzip.h"
#include "web/session/csrf.h"

#include <pthread.h>
#include <stdatomic.h>

/* How often pages were made. The one thing here that handlers share. */
static atomic_uint made;

static void
put_page(struct request *rq, struct response *rs)
{
	unsigned n = atomic_fetch_add(&made, 1) + 1;

	buf_fmt(&rs->body, "<h1>%u</h1>%.*s", n, STR_ARGS(rq->address));
	for (int i = 0; i < 200; i++)
		BUF_PUT(&rs->body, "<p>Some text of a page.</p>\n");
	buf_fmt(&rs->body, "<h1>%u</h1>", n);
}

static enum http_status
page_plain(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	return HTTP_OK;
}

static enum http_status
page_scheduled(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	rs->fresh_until = rq->now + 5000;
	return HTTP_OK;
}

static enum http_status
page_cookie(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	response_header(rs, STR("Set-Cookie"), STR("a=b"));
	return HTTP_OK;
}

static enum http_status
page_strict(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	rs->policy = CACHE_PRIVATE;
	return HTTP_OK;
}

static enum http_status
page_form(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	buf_put(&rs->body, csrf_token(rq, rs));
	return HTTP_OK;
}

static enum http_status
page_missing(struct request *rq, struct response *rs)
{
	put_page(rq, rs);
	return HTTP_NOT_FOUND;
}

static const char *const list_query[] = {"after", NULL};

#define PAGE(...) (&(const struct page){__VA_ARGS__})
static const struct route site_routes[] = {
    {"/", PAGE(.get = page_plain, .query = list_query), .policy = CACHE_PAGE},
    {"/feed", PAGE(.get = page_plain), .policy = CACHE_HOUR},
    {"/scheduled", PAGE(.get = page_scheduled), .policy = CACHE_PAGE},
    {"/cookie", PAGE(.get = page_cookie), .policy = CACHE_PAGE},
    {"/strict", PAGE(.get = page_strict), .policy = CACHE_PAGE},
    {"/form", PAGE(.get = page_form), .policy = CACHE_PAGE},
    {"/missing", PAGE(.get = page_missing), .policy = CACHE_PAGE},
    {"/private", PAGE(.get = page_plain), .policy = CACHE_PRIVATE},
};

static struct site
new_site(struct clock *clock, struct fake_table *table)
{
	struct site site =
	    site_of(site_routes, sizeof(site_routes) / sizeof(site_routes[0]), table, clock);

	site.cache_bytes = 1024 * 1024;
	if (site_start(&site) != NULL)
		bail_out("the site does not start");
	return site;
}

/* Answers; says whether the page was made for it. */
static bool
was_made(struct site *site, struct arena *arena, const struct request_input *in)
{
	unsigned before = made;
	struct response rs;

	site_respond(site, in, arena, &rs);
	response_release(&rs);
	return made != before;
}

static void
what_is_kept(struct arena *arena)
{
	static const struct {
		const char *first, *second;
		const char *cookie; /* of the second */
		bool kept;
		const char *what;
	} cases[] = {
	    {"/", "/", "", true, "the same page"},
	    {"/?after=a", "/?after=a", "", true, "a page of a list"},
	    {"/?after=a", "/?after=b", "", false, "another page of the list"},
	    {"/", "/feed", "", false, "another page"},
	    {"/", "/", "theme=dark", true, "a page for a stranger with a cookie"},
	    {"/", "/", "session=x", false, "a page for a session"},
	    {"/", "/", "a=b; __Host-session=x", false, "a page for a secure session"},
	    {"/feed", "/feed", "session=x", true, "what is the same for everybody, for a session"},
	    {"/cookie", "/cookie", "", false, "a page that sets a cookie"},
	    {"/strict", "/strict", "", false, "a page that its handler keeps from others"},
	    {"/missing", "/missing", "", false, "an error"},
	    {"/private", "/private", "", false, "a page that only its reader's browser keeps"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct clock clock;
		struct fake_table table;
		struct site site = new_site(&clock, &table);
		struct request_input in = get(str_of(cases[i].first));

		ok(was_made(&site, arena, &in), "%s is made", cases[i].first);
		in = get(str_of(cases[i].second));
		in.cookie = str_of(cases[i].cookie);
		ok(was_made(&site, arena, &in) == !cases[i].kept, "... %s is %s", cases[i].what,
		    cases[i].kept ? "kept" : "made");
		site_end(&site);
	}
}

static void
forms(struct arena *arena)
{
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);
	struct request_input in = get(STR("/form"));
	struct response rs;

	/* One that sets no cookie for it, as its visitor has one. */
	in.cookie = STR("__Host-visit=BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB");
	in.accept_encoding = STR("gzip");
	was_made(&site, arena, &in);
	ok(was_made(&site, arena, &in), "a page with a form's token is not kept");
	site_respond(&site, &in, arena, &rs);
	is_str(header_of(&rs, STR("Cache-Control")), STR("private, no-cache"),
	    "... but by its visitor");
	is_str(header_of(&rs, STR("Set-Cookie")), STR("-"), "... who has the cookie");
	is_str(header_of(&rs, STR("Content-Encoding")), STR("-"), "... and is not compressed");
	response_release(&rs);
	site_end(&site);
}

static void
how_long(struct arena *arena)
{
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);
	struct request_input in = get(STR("/")), soon = get(STR("/scheduled"));

	was_made(&site, arena, &in);
	clock.fixed_now += 59999;
	ok(!was_made(&site, arena, &in), "a page is kept for a minute");
	clock.fixed_now += 1;
	ok(was_made(&site, arena, &in), "and no longer");
	table.version++;
	ok(was_made(&site, arena, &in), "a change of the table makes it old");
	was_made(&site, arena, &soon);
	clock.fixed_now += 4999;
	ok(!was_made(&site, arena, &soon), "before a scheduled post appears a page is kept");
	clock.fixed_now += 1;
	ok(was_made(&site, arena, &soon), "from that moment it is made anew");
	table.version = 0;
	ok(was_made(&site, arena, &in), "without a version it is made");
	ok(!was_made(&site, arena, &in), "and kept for a moment");
	clock.fixed_now += CACHE_BLIND_MS;
	ok(was_made(&site, arena, &in), "but only for that");
	site_end(&site);
}

/* The page's two answers, made and kept, must be the same but for what Server-Timing says. */
static void
same_answers(struct arena *arena)
{
	static const char *const headers[] = {"Status", "Content-Type", "Content-Length",
	    "Content-Encoding", "Cache-Control", "ETag", "Last-Modified", "Vary",
	    "Content-Security-Policy"};
	static const struct {
		const char *method, *encoding;
		bool has_etag;
		enum http_status status;
	} cases[] = {
	    {"GET", "", false, HTTP_OK},
	    {"GET", "gzip, br", false, HTTP_OK},
	    {"HEAD", "", false, HTTP_OK},
	    {"HEAD", "gzip", false, HTTP_OK},
	    {"GET", "", true, HTTP_NOT_MODIFIED},
	    {"GET", "gzip", true, HTTP_NOT_MODIFIED},
	    {"HEAD", "gzip", true, HTTP_NOT_MODIFIED},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct clock clock;
		struct fake_table table;
		struct site site = new_site(&clock, &table);
		struct request_input in = get(STR("/"));
		struct response first, second;

		in.method = str_of(cases[i].method);
		in.accept_encoding = str_of(cases[i].encoding);
		if (cases[i].has_etag) {
			struct response rs;

			/* The number in the page has to be the same again. */
			made = 100;
			site_respond(&site, &in, arena, &rs);
			in.if_none_match = str_dup(arena, header_of(&rs, STR("ETag")));
			response_release(&rs);
			table.version++;
			made = 100;
		}
		site_respond(&site, &in, arena, &first);
		site_respond(&site, &in, arena, &second);
		ok(!first.cached && second.cached && first.status == cases[i].status &&
			second.status == cases[i].status,
		    "%s with Accept-Encoding \"%s\": made, then kept, both %d", cases[i].method,
		    cases[i].encoding, cases[i].status);
		for (size_t n = 0; n < sizeof(headers) / sizeof(headers[0]); n++)
			is_str(header_of(&second, str_of(headers[n])),
			    header_of(&first, str_of(headers[n])), "... the same %s", headers[n]);
		is_str(body_of(&second), body_of(&first), "... the same body");
		is_str(header_of(&second, STR("Server-Timing")),
		    second.status == HTTP_OK
			? STR("cache;desc=\"hit\", requests;desc=\"0\", trips;desc=\"0\", "
			      "table;dur=0.000, markdown;dur=0.000, template;dur=0.000")
			: STR("-"),
		    "... and says that it was kept and cost nothing, where it is one");
		response_release(&first);
		response_release(&second);
		site_end(&site);
	}
}

/* The answer for a client that has the page of that date; the numbers in it begin at `number`. */
static void
dated(struct site *site, struct arena *arena, unsigned number, struct str since,
    enum http_status status, struct str date, const char *what)
{
	struct request_input in = get(STR("/"));
	struct response rs;

	made = number;
	in.if_modified_since = since;
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, status, "%s is answered with %d", what, status);
	if (status == HTTP_OK)
		is_str(header_of(&rs, STR("Last-Modified")), date,
		    "... which says since when it has been so");
	response_release(&rs);
}

/* How often one request looks into the cache. */
static void
looks(struct arena *arena)
{
	static const struct {
		const char *uri, *cookie;
		unsigned looks;
		const char *what;
	} cases[] = {
	    {"/", "", 1, "a page that is not there"},
	    {"/", "", 1, "a page that is there"},
	    {"/cookie", "", 1, "a page that is not kept"},
	    {"/missing", "", 1, "an error"},
	    {"/nothing", "", 1, "an address that nothing is at"},
	    {"//", "", 1, "an address that leads to another"},
	    {"/", "session=x", 0, "a page for a session"},
	    {"/feed", "session=x", 1, "what is the same for everybody, for a session"},
	};
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t before = cache_figures(site.cache).looked_up;
		struct request_input in = get(str_of(cases[i].uri));

		in.cookie = str_of(cases[i].cookie);
		was_made(&site, arena, &in);
		is_int((int64_t)(cache_figures(site.cache).looked_up - before), cases[i].looks,
		    "%s takes %u looks", cases[i].what, cases[i].looks);
	}
	table.version++;
	was_made(&site, arena, &(struct request_input){.method = STR("GET"), .uri = STR("/")});
	is_int(
	    (int64_t)cache_figures(site.cache).looked_up, 8, "a page that has changed takes one");
	site_end(&site);
}

static void
dates(struct arena *arena)
{
	static const struct str first = STR_INIT("Tue, 14 Nov 2023 22:13:20 GMT"),
				third = STR_INIT("Tue, 14 Nov 2023 22:14:30 GMT"),
				none = STR_INIT("-");
	struct request_input in = get(STR("/"));
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);
	struct response rs;

	dated(&site, arena, 1, STR(""), HTTP_OK, first, "a page that nobody has asked for before");
	dated(&site, arena, 1, first, HTTP_NOT_MODIFIED, first, "one who has it");
	clock.fixed_now += 60 * 1000;
	dated(&site, arena, 1, first, HTTP_NOT_MODIFIED, first,
	    "one who has it, when it is made anew as it was,");
	dated(&site, arena, 1, STR(""), HTTP_OK, first, "a stranger then");
	clock.fixed_now += 10 * 1000;
	table.version++;
	dated(&site, arena, 3, first, HTTP_OK, third, "one who has it, when it has changed,");
	table.version++;
	dated(&site, arena, 4, third, HTTP_OK, none,
	    "one who has it, when it changes again within the second,");
	clock.fixed_now += 1000;
	table.version++;
	in.if_none_match = STR("\"other\"");
	in.if_modified_since = STR("Tue, 14 Nov 2023 22:20:00 GMT");
	site_respond(&site, &in, arena, &rs);
	is_int(rs.status, HTTP_OK, "an ETag that is another's is worth more than any date");
	response_release(&rs);
	site_end(&site);
}

static void
two_forms(struct arena *arena)
{
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);
	struct request_input in = get(STR("/"));
	struct response plain, packed;

	site_respond(&site, &in, arena, &plain);
	in.accept_encoding = STR("gzip");
	site_respond(&site, &in, arena, &packed);
	ok(packed.cached, "the compressed form is there with the plain one");
	ok(body_of(&packed).len < body_of(&plain).len / 4 &&
		str_starts(body_of(&packed), STR("\x1f\x8b")),
	    "and is small");
	ok(!str_eq(header_of(&packed, STR("ETag")), header_of(&plain, STR("ETag"))),
	    "each form has its own ETag");
	is_str(header_of(&plain, STR("Vary")), STR("Accept-Encoding, Cookie"),
	    "both say what decides");
	in.if_none_match = header_of(&plain, STR("ETag"));
	response_release(&packed);
	site_respond(&site, &in, arena, &packed);
	is_int(packed.status, HTTP_OK, "the plain form's ETag is none of the other's");
	response_release(&packed);
	response_release(&plain);
	site_end(&site);
}

/* --- Threads ------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 1500 };

struct storm {
	struct site *site;
	struct fake_table *table;
	atomic_uint wrong;
};

static void *
reader(void *arg)
{
	static const struct str uris[] = {STR_INIT("/"), STR_INIT("/?after=a"), STR_INIT("/feed"),
	    STR_INIT("/missing"), STR_INIT("/cookie")};
	struct storm *storm = arg;
	struct arena *arena = arena_new();

	for (int i = 0; i < ROUNDS; i++) {
		struct request_input in = get(uris[i % 5]);
		struct response rs;
		struct str body, number;

		if (i % 20 == 0)
			storm->table->version++;
		site_respond(storm->site, &in, arena, &rs);
		body = body_of(&rs);
		if (rs.status == HTTP_OK) {
			/*
			 * The number before the page is the one after it, and the page is the
			 * requested one.
			 */
			number = str_sub(body, 4, str_find(str_sub(body, 4, 20), '<'));
			storm->wrong +=
			    !str_ends(body, STR_CONCAT(arena, STR("<h1>"), number, STR("</h1>")));
			storm->wrong += !str_starts(str_sub(body, 4 + number.len + 5, 40),
			    STR_CONCAT(arena, in.uri, STR("<p>")));
		} else {
			storm->wrong += rs.status != HTTP_NOT_FOUND;
		}
		response_release(&rs);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
threads(void)
{
	struct clock clock;
	struct fake_table table;
	struct site site = new_site(&clock, &table);
	struct storm storm = {.site = &site, .table = &table};
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&ids[i], NULL, reader, &storm) != 0)
			bail_out("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	is_int(storm.wrong, 0, "threads get whole pages, each the one it asked for");
	site_end(&site);
}

int
main(void)
{
	struct arena *arena = arena_new();

	what_is_kept(arena);
	forms(arena);
	how_long(arena);
	same_answers(arena);
	looks(arena);
	dates(arena);
	two_forms(arena);
	threads();
	arena_free(arena);
	return tap_done();
}
