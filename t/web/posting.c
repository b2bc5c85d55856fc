/* POST requests: forms and how they are refused, limits, origins, and redirects. */
#include "site.h"

/* --- Pages ---------------------------------------------------------------------------------- */

static enum http_status
page_taken(struct request *rq, struct response *rs)
{
	buf_put(&rs->body, rq->path);
	return HTTP_OK;
}

static enum http_status
page_done(struct request *rq, struct response *rs)
{
	response_header(rs, STR("X-Split"), STR("a\r\nSet-Cookie: b=c"));
	response_header(rs, STR("Set-Cookie"), STR("flash=1"));
	return redirect(rs, HTTP_SEE_OTHER, request_query(rq, "next"));
}

struct note_form {
	struct str text;
};

static enum http_status
page_note(struct request *rq, struct response *rs)
{
	struct note_form *form = rq->form->values;

	if (str_eq(form->text, STR("taken"))) {
		form_refuse(rq->form, "text", "This is taken.");
		buf_fmt(&rs->body, "again: %s", form_error(rq->form, "text"));
		return HTTP_OK;
	}
	buf_fmt(&rs->body, "noted: %.*s", STR_ARGS(form->text));
	return HTTP_OK;
}

static enum http_status
page_note_again(struct request *rq, struct response *rs)
{
	buf_fmt(&rs->body, "refused: %s", form_error(rq->form, "text"));
	return HTTP_OK;
}

static size_t
a_hundred(void)
{
	return 100;
}

static const struct field note_fields[] = {
    {FIELD_LINE(struct note_form, text), .label = "Note", .required = true, .max = 10},
};
static const struct form note_form = FORM("note", struct note_form, note_fields);

static const char *const next_query[] = {"next", NULL};

#define PAGE(...) (&(const struct page){__VA_ARGS__})
static const struct route site_routes[] = {
    {"/post/:slug", PAGE(.get = page_taken, .post = page_taken, .body_max = a_hundred)},
    {"/note", PAGE(.post = page_note, .form = &note_form, .refused = page_note_again)},
    {"/done", PAGE(.post = page_done, .query = next_query)},
    {"/hook", PAGE(.post = page_taken), .without_csrf = true},
};

/* --- What is sent --------------------------------------------------------------------------- */

static void
posts(struct site *site, struct arena *arena)
{
	static const struct {
		struct str uri, type, body;
		enum http_status status;
		const char *says;
	} cases[] = {
	    {STR_INIT("/note"), STR_INIT("application/x-www-form-urlencoded"),
		STR_INIT("text=+hi+&other=x"), HTTP_OK, "noted: hi"},
	    {STR_INIT("/note"), STR_INIT("application/x-www-form-urlencoded; charset=UTF-8"),
		STR_INIT("text=hi"), HTTP_OK, "noted: hi"},
	    {STR_INIT("/note"), STR_INIT("multipart/form-data; boundary=b"),
		STR_INIT("--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhi\r\n--b--"),
		HTTP_OK, "noted: hi"},
	    {STR_INIT("/note"), STR_INIT("application/x-www-form-urlencoded"), STR_INIT("text="),
		HTTP_UNPROCESSABLE, "refused: Note must not be empty."},
	    {STR_INIT("/note"), STR_INIT(""), STR_INIT(""), HTTP_UNPROCESSABLE,
		"refused: Note must not be empty."},
	    {STR_INIT("/note"), STR_INIT("application/x-www-form-urlencoded"),
		STR_INIT("text=taken"), HTTP_UNPROCESSABLE, "again: This is taken."},
	    {STR_INIT("/note"), STR_INIT("application/x-www-form-urlencoded"), STR_INIT("text=%ff"),
		HTTP_BAD_REQUEST, NULL},
	    {STR_INIT("/note"), STR_INIT("multipart/form-data; boundary=b"), STR_INIT("--b"),
		HTTP_BAD_REQUEST, NULL},
	    {STR_INIT("/note"), STR_INIT("application/json"), STR_INIT("{}"), HTTP_UNSUPPORTED_TYPE,
		NULL},
	    {STR_INIT("/note"), STR_INIT("text/plain"), STR_INIT(""), HTTP_UNSUPPORTED_TYPE, NULL},
	    {STR_INIT("/note"), STR_INIT(""), STR_INIT("text=hi"), HTTP_UNSUPPORTED_TYPE, NULL},
	};
	struct request_input in;
	struct response rs;
	char *large = arena_alloc(arena, 101);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		in = post(cases[i].uri, cases[i].body);
		in.content_type = cases[i].type;
		site_respond(site, &in, arena, &rs);
		is_int(rs.status, cases[i].status, "a form of %zu bytes as \"%.*s\": %d",
		    in.body.len, STR_ARGS(in.content_type), cases[i].status);
		if (cases[i].says != NULL)
			is_str(body_of(&rs), str_of(cases[i].says), "... and the page");
		is_str(header_of(&rs, STR("Cache-Control")), STR("no-store"), "... kept by nobody");
		response_release(&rs);
	}
	memset(large, 'a', 101);
	in = post(STR("/post/x"), (struct str){large, 100});
	is_int((int64_t)site_body_max(site, &in, arena), 100, "a route says how much it takes");
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_OK, "so much is taken");
	response_release(&rs);
	in.body.len = 101;
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_TOO_LARGE, "one byte more is not");
	response_release(&rs);
	in = post(STR("/post/x"), STR(""));
	in.body_too_large = true;
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_TOO_LARGE, "nor what was too large to be read");
	response_release(&rs);
	in.body_too_large = false;
	in.body_short = true;
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_BAD_REQUEST, "a body that broke off is refused");
	response_release(&rs);
	in = post(STR("/post/x"), STR(""));
	in.content_length = -1;
	site_respond(site, &in, arena, &rs);
	is_int(
	    rs.status, HTTP_LENGTH_REQUIRED, "a body whose length nobody tells is not waited for");
	response_release(&rs);
	in = get(STR("/post/x"));
	is_int((int64_t)site_body_max(site, &in, arena), 0, "a GET has no body");
	in = post(STR("/nothing"), STR(""));
	is_int((int64_t)site_body_max(site, &in, arena), 0, "nor has what has no route");
}

static void
origins(struct site *site, struct arena *arena)
{
	static const struct {
		const char *fetch_site, *origin, *referer;
		bool taken;
	} cases[] = {
	    {"same-origin", "", "", true},
	    {"none", "", "", true},
	    {"same-site", "https://site.example", "", false},
	    {"cross-site", "https://site.example", "https://site.example/", false},
	    {"", "https://site.example", "", true},
	    {"", "https://SITE.example", "", true},
	    {"", "http://site.example", "", false},
	    {"", "https://site.example:444", "", false},
	    {"", "https://evil.example", "https://site.example/", false},
	    {"", "null", "https://site.example/", false},
	    {"", "https://configured.example", "", true},
	    {"", "", "https://site.example/post/x", true},
	    {"", "", "https://site.example", true},
	    {"", "", "https://site.example.evil.example/", false},
	    {"", "", "https://evil.example/https://site.example/", false},
	    {"", "", "", false},
	};
	struct request_input in;
	struct response rs;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		in = post(STR("/note"), STR("text=hi"));
		in.sec_fetch_site = str_of(cases[i].fetch_site);
		in.origin = str_of(cases[i].origin);
		in.referer = str_of(cases[i].referer);
		site_respond(site, &in, arena, &rs);
		is_int(rs.status, cases[i].taken ? HTTP_OK : HTTP_FORBIDDEN,
		    "a POST of Sec-Fetch-Site \"%s\", Origin \"%s\", Referer \"%s\" is %s",
		    cases[i].fetch_site, cases[i].origin, cases[i].referer,
		    cases[i].taken ? "taken" : "refused");
		response_release(&rs);
	}
	in = post(STR("/hook"), STR(""));
	in.sec_fetch_site = STR("cross-site");
	site_respond(site, &in, arena, &rs);
	is_int(rs.status, HTTP_OK, "a route that opted out takes it from anywhere");
	response_release(&rs);
}

static void
redirects(struct site *site, struct arena *arena)
{
	static const struct {
		struct str next, location;
	} cases[] = {
	    {STR_INIT("/done?next=%2Fpost%2Fa"), STR_INIT("/post/a")},
	    {STR_INIT("/done?next=%2F%2Fevil.example"), STR_INIT("/")},
	    {STR_INIT("/done?next=https:%2F%2Fevil.example"), STR_INIT("/")},
	    {STR_INIT("/done"), STR_INIT("/")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct request_input in = post(cases[i].next, STR(""));
		struct response rs;

		site_respond(site, &in, arena, &rs);
		is_str(header_of(&rs, STR("Location")), cases[i].location,
		    "%.*s leads to our own page", STR_ARGS(cases[i].next));
		ok(rs.status == HTTP_SEE_OTHER &&
			str_eq(header_of(&rs, STR("Set-Cookie")), STR("flash=1")) &&
			str_eq(header_of(&rs, STR("X-Split")), STR("-")),
		    "... with one cookie, and no header that was smuggled in");
		response_release(&rs);
	}
}

static bool
render_own(struct request *rq, struct response *rs, enum http_status status)
{
	(void)rq;
	buf_fmt(&rs->body, "own page for %d", (int)status);
	return true;
}

static void
again(struct site *site, struct arena *arena)
{
	struct request_input in = post(STR("/note"), STR("text="));
	struct response rs;

	site->render_error = render_own;
	site_respond(site, &in, arena, &rs);
	is_str(body_of(&rs), STR("refused: Note must not be empty."),
	    "a form that is shown again is no error page");
	response_release(&rs);
	site->render_error = NULL;
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock;
	struct fake_table table;
	struct site site =
	    site_of(site_routes, sizeof(site_routes) / sizeof(site_routes[0]), &table, &clock);

	site.origin = STR("https://configured.example");
	if (site_start(&site) != NULL)
		bail_out("the site does not start");
	posts(&site, arena);
	origins(&site, arena);
	redirects(&site, arena);
	again(&site, arena);
	site_end(&site);
	arena_free(arena);
	return tap_done();
}
