/*
 * Whole requests: lines of "<letter> <value>" fill the input, and whatever they say, the answer is
 * complete, its length is right, and a redirect leads to an address that is not redirected again.
 */
#include "fuzz.h"

#include "web/site.h"

#include "model/text_rule.h"
#include "text/url.h"

static enum http_status
page_echo(struct request *rq, struct response *rs)
{
	buf_put(&rs->body, rq->address);
	response_header(rs, STR("X-Query"), request_query(rq, "q"));
	return HTTP_OK;
}

static const char *const echo_query[] = {"q", "after", NULL};

#define PAGE(...) (&(const struct page){__VA_ARGS__})
static const struct route site_routes[] = {
    {"/", PAGE(.get = page_echo, .query = echo_query), .policy = CACHE_PAGE},
    {"/a/:b", PAGE(.get = page_echo, .post = page_echo, .query = echo_query), .policy = CACHE_HOUR},
    {"/f/*rest", PAGE(.get = page_echo), .policy = CACHE_PRIVATE, .keeps_case = true},
    {"/open", PAGE(.post = page_echo), .without_csrf = true},
};

static void
fill(struct request_input *in, struct str text)
{
	struct {
		char letter;
		struct str *slot;
	} slots[] = {{'m', &in->method}, {'u', &in->uri}, {'h', &in->host}, {'s', &in->scheme},
	    {'t', &in->content_type}, {'c', &in->cookie}, {'o', &in->origin}, {'r', &in->referer},
	    {'f', &in->sec_fetch_site}, {'e', &in->accept_encoding}, {'n', &in->if_none_match},
	    {'i', &in->if_modified_since}};

	while (text.len != 0) {
		struct str line;

		if (text.base[0] == 'b') {
			in->body = str_sub(text, 1, text.len);
			return;
		}
		line = str_cut(text, '\n', &text);
		for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
			if (line.len != 0 && line.base[0] == slots[i].letter)
				*slots[i].slot = str_sub(line, 2, line.len);
	}
}

static void
check(const struct response *rs, const struct request_input *in)
{
	struct str head = str_sub(rs->bytes, 0, rs->head_len), length;
	int64_t bytes;

	MUST(str_starts(head, STR("Status: ")) && str_ends(head, STR("\r\n\r\n")));
	MUST(!str_eq(header_of(rs, STR("Cache-Control")), STR("-")));
	MUST(!str_eq(header_of(rs, STR("Content-Security-Policy")), STR("twice")));
	length = header_of(rs, STR("Content-Length"));
	if (rs->status == HTTP_NOT_MODIFIED)
		MUST(str_eq(length, STR("-")) && body_of(rs).len == 0);
	else if (str_eq(in->method, STR("HEAD")))
		MUST(body_of(rs).len == 0);
	else
		MUST(str_int(length, &bytes) && bytes == (int64_t)body_of(rs).len);
}

static void
follow(struct site *site, struct arena *arena, const struct response *rs)
{
	struct request_input in = get(header_of(rs, STR("Location")));
	struct response again;

	MUST(url_is_local(in.uri));
	/* Escapes may have made it too long to come again. */
	if (in.uri.len > REQUEST_URI_MAX)
		return;
	site_respond(site, &in, arena, &again);
	MUST(again.status != HTTP_MOVED && again.status != HTTP_BAD_REQUEST);
	response_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct clock clock;
	struct fake_table table;
	struct site site =
	    site_of(site_routes, sizeof(site_routes) / sizeof(site_routes[0]), &table, &clock);
	struct request_input in = get(STR("/"));

	site.cache_bytes = 100000;
	fill(&in, fuzz_str(data, size));
	MUST(site_start(&site) == NULL);
	/* Made, then perhaps from the cache. */
	for (int i = 0; i < 2; i++) {
		struct response rs;

		site_respond(&site, &in, arena, &rs);
		check(&rs, &in);
		if (rs.status == HTTP_MOVED || rs.status == HTTP_MOVED_SAME_METHOD)
			follow(&site, arena, &rs);
		response_release(&rs);
	}
	site_end(&site);
	arena_free(arena);
	return 0;
}
