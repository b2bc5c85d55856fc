/*
 * From a request to a response: routes, canonical addresses, headers, errors. Forms are in
 * posting.c.
 */
#include "site.h"

#include "web/cache/cache.h"
#include "web/http/error_page.h"

/* --- Pages ---------------------------------------------------------------------------------- */

/* Says what the handler got: the path, the captures, the query. */
static enum http_status
page_echo(struct request *rq, struct response *rs)
{
	buf_put(&rs->body, rq->path);
	for (size_t i = 0; i < rq->params.count; i++)
		buf_fmt(&rs->body, " %.*s=%.*s", STR_ARGS(rq->params.pairs[i].name),
		    STR_ARGS(rq->params.pairs[i].value));
	for (size_t i = 0; i < rq->query.count; i++)
		buf_fmt(&rs->body, " ?%.*s=%.*s", STR_ARGS(rq->query.pairs[i].name),
		    STR_ARGS(rq->query.pairs[i].value));
	return HTTP_OK;
}

static enum http_status
page_table(struct request *rq, struct response *rs)
{
	struct item *item;
	enum table_rc rc = table_get(rq->table, &rq->call, (struct key){STR("A"), STR("B")}, &item);

	/* What was made before a failure must not be seen. */
	BUF_PUT(&rs->body, "half a page");
	rs->content_type = STR("application/atom+xml");
	rs->location = STR("/elsewhere");
	return rc == TABLE_OK ? HTTP_OK : status_of(rc);
}

static enum http_status
page_missing(struct request *rq, struct response *rs)
{
	(void)rq;
	rs->error_text = "No such <thing>.";
	return HTTP_NOT_FOUND;
}

static enum http_status
page_often(struct request *rq, struct response *rs)
{
	(void)rq;
	rs->retry_after = 30;
	return HTTP_TOO_MANY;
}

static size_t
a_hundred(void)
{
	return 100;
}

static size_t
too_much(void)
{
	return REQUEST_BODY_MAX + 1;
}

static const char *const list_query[] = {"after", "tag", NULL};

#define PAGE(...) (&(const struct page){__VA_ARGS__})
static const struct route site_routes[] = {
    {"/", PAGE(.get = page_echo), .policy = CACHE_PAGE},
    {"/post/new", PAGE(.get = page_echo), .needs = MAY_WRITE},
    {"/post/:slug",
	PAGE(.get = page_echo, .post = page_echo, .query = list_query, .body_max = a_hundred),
	.policy = CACHE_PAGE},
    {"/archive/:year/:month", PAGE(.get = page_echo)},
    {"/static/*path", PAGE(.get = page_echo), .keeps_case = true},
    {"/table", PAGE(.get = page_table)},
    {"/missing", PAGE(.get = page_missing), .policy = CACHE_PAGE},
    {"/often", PAGE(.get = page_often)},
    {"/secret", PAGE(.get = page_echo), .needs = MAY_MODERATE},
    {"/members", PAGE(.post = page_echo), .needs = MAY_TAKE_PART},
    {"/note", PAGE(.post = page_echo)},
};

/* --- Addresses ------------------------------------------------------------------------------ */

static const struct {
	const char *method, *uri;
	enum http_status status;
	const char *says; /* the body of a 200, the Location of a 3xx, the Allow of a 405 */
} addresses[] = {
    {"GET", "/", HTTP_OK, "/"},
    {"GET", "/post/a-b", HTTP_OK, "/post/a-b slug=a-b"},
    {"GET", "/post/a-b?after=x&tag=y", HTTP_OK, "/post/a-b slug=a-b ?after=x ?tag=y"},
    {"GET", "/archive/2026/11?junk", HTTP_OK, "/archive/2026/11 year=2026 month=11"},
    {"GET", "/archive/2026/11", HTTP_OK, "/archive/2026/11 year=2026 month=11"},
    {"GET", "/static/a/B.css", HTTP_OK, "/static/a/B.css path=a/B.css"},
    {"GET", "/post/%C3%A9", HTTP_OK, "/post/é slug=é"},
    /* Other forms of an address. */
    {"GET", "/post/a-b/", HTTP_MOVED, "/post/a-b"},
    {"GET", "//post//a-b", HTTP_MOVED, "/post/a-b"},
    {"GET", "//", HTTP_MOVED, "/"},
    {"GET", "/Post/A-B", HTTP_MOVED, "/post/a-b"},
    {"GET", "/%70ost/a-b", HTTP_MOVED, "/post/a-b"},
    {"GET", "/post/%c3%a9", HTTP_MOVED, "/post/%C3%A9"},
    {"GET", "/post/c+", HTTP_MOVED, "/post/c%2B"},
    {"GET", "/Post/a-b?junk=1&tag=x+y&after=z", HTTP_MOVED, "/post/a-b?after=z&tag=x%20y"},
    {"GET", "/post/a-b?after=x&junk=%&tag=y", HTTP_MOVED, "/post/a-b?after=x&tag=y"},
    {"GET", "/post/a-b?tag=y&after=x", HTTP_MOVED, "/post/a-b?after=x&tag=y"},
    {"GET", "/post/a-b?after=", HTTP_MOVED, "/post/a-b"},
    {"HEAD", "/post/a-b?", HTTP_MOVED, "/post/a-b"},
    {"GET", "/static/a//B.css", HTTP_MOVED, "/static/a/B.css"},
    {"HEAD", "/post/a-b/", HTTP_MOVED, "/post/a-b"},
    {"POST", "/post/a-b/", HTTP_MOVED_SAME_METHOD, "/post/a-b"},
    /* No such page. */
    {"GET", "/nothing", HTTP_NOT_FOUND, NULL},
    {"GET", "/Nothing/", HTTP_NOT_FOUND, NULL},
    {"GET", "/post", HTTP_NOT_FOUND, NULL},
    {"GET", "/post/a/b", HTTP_NOT_FOUND, NULL},
    {"GET", "/archive/2026", HTTP_NOT_FOUND, NULL},
    {"GET", "/static", HTTP_NOT_FOUND, NULL},
    {"GET", "/static/", HTTP_NOT_FOUND, NULL},
    {"GET", "/STATIC/a", HTTP_NOT_FOUND, NULL},
    {"POST", "/nothing", HTTP_NOT_FOUND, NULL},
    {"GET", "/post/../etc", HTTP_BAD_REQUEST, NULL},
    {"GET", "/post/%00", HTTP_BAD_REQUEST, NULL},
    {"GET", "/post/a?after=%ff", HTTP_BAD_REQUEST, NULL},
    {"GET", "", HTTP_BAD_REQUEST, NULL},
    /* Methods. */
    {"POST", "/", HTTP_METHOD_NOT_ALLOWED, "GET, HEAD"},
    {"GET", "/note", HTTP_METHOD_NOT_ALLOWED, "POST"},
    {"HEAD", "/note", HTTP_METHOD_NOT_ALLOWED, "POST"},
    {"DELETE", "/post/a", HTTP_METHOD_NOT_ALLOWED, "GET, HEAD, POST"},
    {"OPTIONS", "/", HTTP_METHOD_NOT_ALLOWED, "GET, HEAD"},
    {"PUT", "/nothing", HTTP_NOT_FOUND, NULL},
    {"BREW", "/", HTTP_NOT_IMPLEMENTED, NULL},
    {"get", "/", HTTP_NOT_IMPLEMENTED, NULL},
    {"", "/", HTTP_BAD_REQUEST, NULL},
    /* Permissions. */
    {"GET", "/post/new", HTTP_SEE_OTHER, "/login?next=%2Fpost%2Fnew"},
    {"GET", "/secret", HTTP_SEE_OTHER, "/login?next=%2Fsecret"},
    {"POST", "/members", HTTP_FORBIDDEN, NULL},
};

static void
by_address(struct site *site, struct arena *arena)
{
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		const char *says = addresses[i].says;
		struct request_input in = get(str_of(addresses[i].uri));
		struct response rs;

		in.method = str_of(addresses[i].method);
		if (str_eq(in.method, STR("POST")))
			in = post(in.uri, STR(""));
		site_respond(site, &in, arena, &rs);
		is_int(rs.status, addresses[i].status, "%s \"%s\" is answered with %d",
		    addresses[i].method, addresses[i].uri, addresses[i].status);
		if (says != NULL && rs.status == HTTP_OK)
			is_str(body_of(&rs), str_of(says), "... and the page");
		else if (rs.status == HTTP_METHOD_NOT_ALLOWED)
			is_str(header_of(&rs, STR("Allow")), str_of(says), "... with Allow");
		else if (says != NULL)
			is_str(header_of(&rs, STR("Location")), str_of(says), "... to there");
		response_release(&rs);
	}
}

/* --- Every response ------------------------------------------------------------------------- */

static void
headers(struct site *site, struct arena *arena)
{
	static const char *const always[] = {"Cache-Control", "Content-Security-Policy",
	    "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
	    "Cross-Origin-Resource-Policy", "Content-Length"};
	static const struct {
		struct str uri, cache_control;
	} policies[] = {
	    {STR_INIT("/"), STR_INIT("no-cache")},
	    {STR_INIT("/archive/1/2"), STR_INIT("no-store")},
	    {STR_INIT("/missing"), STR_INIT("private, no-cache")},
	    {STR_INIT("/Post/a"), STR_INIT("private, no-cache")},
	    {STR_INIT("/nothing"), STR_INIT("no-store")},
	};
	struct response rs, head;

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct request_input in = get(policies[i].uri);

		site_respond(site, &in, arena, &rs);
		for (size_t n = 0; n < sizeof(always) / sizeof(always[0]); n++) {
			struct str value = header_of(&rs, str_of(always[n]));

			ok(!str_eq(value, STR("-")) && !str_eq(value, STR("twice")), "%.*s: one %s",
			    STR_ARGS(policies[i].uri), always[n]);
		}
		is_str(header_of(&rs, STR("Cache-Control")), policies[i].cache_control,
		    "%.*s says who may keep it", STR_ARGS(policies[i].uri));
		ok(str_eq(header_of(&rs, STR("Server-Timing")), STR("-")) ==
			(rs.status == HTTP_NOT_FOUND),
		    "... and what it cost, but of what is not there");
		is_str(header_of(&rs, STR("Set-Cookie")), STR("-"), "no cookie for a stranger");
		is_str(header_of(&rs, STR("Content-Length")),
		    str_fmt(arena, "%zu", body_of(&rs).len), "the length is the body's");
		in.method = STR("HEAD");
		site_respond(site, &in, arena, &head);
		ok(body_of(&head).len == 0 && head.status == rs.status &&
			str_eq(header_of(&head, STR("Content-Length")),
			    header_of(&rs, STR("Content-Length"))),
		    "a HEAD is the same without the body");
		ok(str_starts(rs.bytes, str_fmt(arena, "Status: %d ", rs.status)),
		    "the status comes first");
		response_release(&head);
		response_release(&rs);
	}
}

static void
validators(struct site *site, struct arena *arena)
{
	struct request_input in = get(STR("/"));
	struct response rs;
	struct str etag;

	site_respond(site, &in, arena, &rs);
	etag = header_of(&rs, STR("ETag"));
	ok(etag.len > 2 && etag.base[0] == '"', "a page has a strong ETag");
	response_release(&rs);
	in.if_none_match = etag;
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_NOT_MODIFIED, "who has the page is told so");
	ok(body_of(&rs).len == 0 && str_eq(header_of(&rs, STR("ETag")), etag) &&
		str_eq(header_of(&rs, STR("Content-Length")), STR("-")),
	    "... without a body or a length, with its ETag");
	is_str(header_of(&rs, STR("Content-Security-Policy")), STR("-"),
	    "... and without the headers that are kept with the page");
	is_str(header_of(&rs, STR("Cache-Control")), STR("no-cache"), "... but who may keep it");
	response_release(&rs);
	in.if_none_match = STR("\"other\"");
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_OK, "who has another gets this one");
	response_release(&rs);
	in = get(STR("/archive/1/2"));
	in.if_none_match = STR("*");
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_OK, "a page that nobody may keep is never a 304");
	response_release(&rs);
}

/* --- Errors --------------------------------------------------------------------------------- */

static bool
render_broken(struct request *rq, struct response *rs, enum http_status status)
{
	(void)rq;
	(void)status;
	BUF_PUT(&rs->body, "half");
	response_header(rs, STR("X-Half"), STR("yes"));
	return false;
}

static bool
render_own(struct request *rq, struct response *rs, enum http_status status)
{
	(void)rq;
	buf_fmt(&rs->body, "own page for %d", (int)status);
	return true;
}

static void
errors(struct site *site, struct arena *arena, struct fake_table *table)
{
	static const struct {
		enum table_rc rc;
		enum http_status status;
	} cases[] = {
	    {TABLE_OK, HTTP_OK},
	    {TABLE_UNAVAILABLE, HTTP_UNAVAILABLE},
	    {TABLE_DEADLINE, HTTP_UNAVAILABLE},
	    {TABLE_THROTTLED, HTTP_UNAVAILABLE},
	    {TABLE_CORRUPT, HTTP_FAILED},
	    {TABLE_BAD_CURSOR, HTTP_BAD_REQUEST},
	    {TABLE_CONFLICT, HTTP_UNAVAILABLE},
	};
	struct request_input in = get(STR("/table"));
	struct response rs;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		table->rc = cases[i].rc;
		site_respond(site, &in, arena, &rs);
		is_int(rs.status, cases[i].status, "a store that says \"%s\" is a %d",
		    table_rc_text(cases[i].rc), cases[i].status);
		ok(holds(body_of(&rs), STR("half a page")) == (rs.status == HTTP_OK),
		    "... and only a whole page is shown");
		is_str(header_of(&rs, STR("Content-Type")),
		    rs.status == HTTP_OK ? STR("application/atom+xml")
					 : STR("text/html; charset=utf-8"),
		    "... as what it is");
		ok(rs.status == HTTP_OK || str_eq(header_of(&rs, STR("Location")), STR("-")),
		    "... and leads nowhere");
		is_str(header_of(&rs, STR("Retry-After")),
		    rs.status == HTTP_UNAVAILABLE ? STR("5") : STR("-"),
		    "... and when to come back, if that helps");
		ok(rs.cost.requests == 1 &&
			str_starts(header_of(&rs, STR("Server-Timing")),
			    STR("requests;desc=\"1\", trips;desc=\"1\", table;dur=")),
		    "... and what it cost");
		response_release(&rs);
	}
	table->rc = TABLE_OK;
	in = get(STR("/missing"));
	site_respond(site, &in, arena, &rs);
	ok(holds(body_of(&rs), STR("<h1>Not Found</h1>")) &&
		holds(body_of(&rs), STR("No such &lt;thing&gt;.")),
	    "an error has a plain page, with the handler's own sentence, escaped");
	response_release(&rs);
	in = get(STR("/often"));
	site_respond(site, &in, arena, &rs);
	ok(rs.status == HTTP_TOO_MANY && str_eq(header_of(&rs, STR("Retry-After")), STR("30")),
	    "a 429 says when");
	response_release(&rs);
	site->render_error = render_broken;
	site_respond(site, &in, arena, &rs);
	ok(holds(body_of(&rs), str_of(error_sentence(HTTP_TOO_MANY))) &&
		!holds(body_of(&rs), STR("half")) &&
		str_eq(header_of(&rs, STR("X-Half")), STR("-")),
	    "an error page that fails itself leaves nothing in the plain one");
	response_release(&rs);
	site->render_error = render_own;
	site_respond(site, &in, arena, &rs);
	is_str(body_of(&rs), STR("own page for 429"), "one that works is the page");
	response_release(&rs);
	site->render_error = NULL;
}

/* --- The table of routes -------------------------------------------------------------------- */

struct some_form {
	struct str text;
};
static const struct field some_fields[] = {
    {FIELD_LINE(struct some_form, text), .label = "Text", .max = 10},
};
static const struct form some_form = FORM("some", struct some_form, some_fields);

static const struct page got = {.get = page_echo}, posted = {.post = page_echo},
			 both = {.get = page_echo, .post = page_echo},
			 nothing = {.query = list_query},
			 with_form = {.post = page_echo, .refused = page_echo, .form = &some_form},
			 form_not_shown = {.post = page_echo, .form = &some_form},
			 form_not_taken = {.get = page_echo,
			     .refused = page_echo,
			     .form = &some_form},
			 no_form = {.post = page_echo, .refused = page_echo},
			 large = {.post = page_echo, .body_max = too_much};

static void
bad_tables(void)
{
	static const struct {
		struct route rows[2];
		const char *error;
	} cases[] = {
	    {{{"/a", &got}, {"/a", &posted}}, NULL},
	    {{{"/a/:x", &got}, {"/a", &got}}, NULL},
	    {{{"/a/b", &got}, {"/a/:x", &got}}, NULL},
	    {{{"/a", &got}, {"/a", &both}}, NULL},
	    {{{"/", &got}, {"/a", &with_form}}, NULL},
	    {{{"/:x", &got}, {"/a", &got}},
		"a route stands behind one that takes all its addresses"},
	    {{{"/*x", &got}, {"/a/:b", &got}},
		"a route stands behind one that takes all its addresses"},
	    {{{"/a", &both}, {"/a", &got}},
		"a route stands behind one that takes all its addresses"},
	    {{{"/", &got}, {"/a/", &got}}, "a route's pattern is not in canonical form"},
	    {{{"/", &got}, {"/A", &got}}, "a route's pattern is not in canonical form"},
	    {{{"/", &got}, {"/a/*b/c", &got}}, "a route's pattern goes on behind its *"},
	    {{{"/", &got}, {"/:a/:b/:c/:d/:e", &got}}, "a route captures too much"},
	    {{{"/", &got}, {"/a", &nothing}}, "a route has no pattern, or no page that answers"},
	    {{{"/", &got}, {"/a", NULL}}, "a route has no pattern, or no page that answers"},
	    {{{"/", &got}, {"/a", &form_not_shown}},
		"a page with a form takes it, and says who shows it again"},
	    {{{"/", &got}, {"/a", &form_not_taken}},
		"a page with a form takes it, and says who shows it again"},
	    {{{"/", &got}, {"/a", &no_form}},
		"a page with a form takes it, and says who shows it again"},
	    {{{"/", &got}, {"/a", &large}}, "a page takes a larger body than any may"},
	    {{{"/", &got}, {"/a", &both, .without_table = true}},
		"a route without the table takes no POST and is for everybody"},
	    {{{"/", &got}, {"/a", &got, .without_table = true, .needs = MAY_MANAGE}},
		"a route without the table takes no POST and is for everybody"},
	    {{{"/", &got}, {"/a", &got, .policy = CACHE_HOUR, .needs = MAY_MANAGE}},
		"a route that anybody may keep is not for everybody"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct site site = {.routes = cases[i].rows, .route_count = 2};

		is_str(str_of(site_start(&site)), str_of(cases[i].error), "%s, then %s: %s",
		    cases[i].rows[0].pattern, cases[i].rows[1].pattern,
		    cases[i].error != NULL ? "the program does not start" : "good");
		site_end(&site);
	}
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock;
	struct fake_table table;
	struct site site =
	    site_of(site_routes, sizeof(site_routes) / sizeof(site_routes[0]), &table, &clock);
	unsigned char one[32], two[32];

	site.origin = STR("https://configured.example");
	if (site_start(&site) != NULL)
		bail_out("the site does not start");
	by_address(&site, arena);
	headers(&site, arena);
	validators(&site, arena);
	errors(&site, arena, &table);
	bad_tables();
	site_key(&site, "cursor", one);
	site_key(&site, "csrf", two);
	ok(memcmp(one, two, 32) != 0, "each purpose has its key");
	site_end(&site);
	arena_free(arena);
	return tap_done();
}
