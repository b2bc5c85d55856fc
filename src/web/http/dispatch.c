#include "web/http/dispatch.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "text/template.h"
#include "text/url.h"
#include "web/cache/cache.h"
#include "web/http/body.h"
#include "web/http/conditional.h"
#include "web/http/cookie.h"
#include "web/http/error_page.h"
#include "web/http/gzip.h"
#include "web/http/large.h"
#include "web/http/query.h"
#include "web/http/refusal.h"
#include "web/http/response.h"
#include "web/http/route.h"
#include "web/session/csrf.h"
#include "web/session/secret_file.h"
#include "web/http/spending.h"
#include "web/views/views.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

/* --- The site ------------------------------------------------------------------------------------ */

const char *
site_start(struct site *site)
{
	const struct route *wrong = NULL;
	const char *error = routes_check(site->routes, site->route_count, &wrong);

	if (error != NULL) {
		if (site->log != NULL)
			log_line(site->log, LOG_ERROR, "route %s: %s",
			    wrong->pattern != NULL ? wrong->pattern : "?", error);
		return error;
	}
	if (sodium_init() < 0)
		return "libsodium can't start";
	if (site->cache_bytes != 0)
		site->cache = cache_new(site->cache_bytes);
	/* Not only for the cache: also to weigh a page before it is published. */
	site->gzip = gzip_pool_new();
	return NULL;
}

void
site_end(struct site *site)
{
	cache_free(site->cache);
	gzip_pool_free(site->gzip);
	site->cache = NULL;
	site->gzip = NULL;
}

void
site_keys(const struct site *site, const char *purpose, struct secret_keys *keys)
{
	struct secrets now;

	if (site->watch == NULL) {
		secrets_derive(&site->secrets, purpose, keys);
		return;
	}
	secret_watch_get(site->watch, &now);
	secrets_derive(&now, purpose, keys);
	sodium_memzero(&now, sizeof(now));
}

void
site_key(const struct site *site, const char *purpose, unsigned char key[SECRET_BYTES])
{
	struct secret_keys keys;

	site_keys(site, purpose, &keys);
	memcpy(key, keys.keys[0], SECRET_BYTES);
	sodium_memzero(&keys, sizeof(keys));
}

enum http_status
respond(struct request *rq, struct response *rs, const struct template_spec *spec, const void *view)
{
	int64_t begun = clock_micros();

	template_render(rq->site->templates, spec, view, &rs->body);
	rq->cost.template += clock_micros() - begun;
	return HTTP_OK;
}

/* --- The page cache ------------------------------------------------------------------------------ */

/*
 * Answers from an entry, to which the response then has a reference. `out` needs no initialisation.
 */
static void
page_cache_answer(const struct site *site, struct cache_entry *entry,
    const struct request_input *in, struct response *out)
{
	const struct cache_page *page = cache_entry_page(entry);
	enum cache_form form = page->full[CACHE_GZIP].len != 0 && gzip_accepted(in->accept_encoding)
				   ? CACHE_GZIP
				   : CACHE_PLAIN;

	if (page->counted)
		views_note(site->views, in, page->post_read);
	*out = (struct response){.status = HTTP_OK, .cached = true, .entry = entry};
	if (is_not_modified(
		in->if_none_match, in->if_modified_since, page->etag[form], page->last_modified)) {
		out->status = HTTP_NOT_MODIFIED;
		out->bytes = page->not_modified[form];
		out->head_len = out->bytes.len;
		return;
	}
	out->bytes = page->full[form];
	out->head_len = page->head_len[form];
	if (str_eq(in->method, STR("HEAD")))
		out->bytes.len = out->head_len;
}

/*
 * May strangers share it? A cookie is for one reader. Only pages that exist are cached: there is no
 * end of addresses that don't, or redirect, and they would evict all pages.
 */
static bool
is_shared(const struct response *rs)
{
	if (rs->status != HTTP_OK || rs->policy < CACHE_PAGE)
		return false;
	for (size_t i = 0; i < rs->header_count; i++)
		if (str_eq_nocase(rs->headers[i].name, STR("Set-Cookie")))
			return false;
	return true;
}

/* Server-Timing of a cached page; without the total time, as it is stored with the page. */
#define TIMING_OF_A_HIT                                                                    \
	STR("cache;desc=\"hit\", requests;desc=\"0\", trips;desc=\"0\", table;dur=0.000, " \
	    "markdown;dur=0.000, template;dur=0.000")

/*
 * One form of the page, plain or compressed. The head is before the body, in the space that
 * response_finish() uses for its own later.
 */
static void
add_form(struct cache_page *page, enum cache_form form, struct response *rs, const struct buf *body)
{
	bool gzip = form == CACHE_GZIP;
	struct str head =
	    response_head(rs, HTTP_OK, gzip, body->len - RESPONSE_HEAD_ROOM, TIMING_OF_A_HIT);

	page->head_len[form] = head.len;
	page->full[form] = response_join(rs->arena, head, body);
	page->etag[form] = response_etag(rs, gzip);
	/* As short as possible: nginx parses all of it for each returning reader. */
	page->not_modified[form] = response_head(rs, HTTP_NOT_MODIFIED, gzip, 0, STR(""));
}

static void
compress(struct response *rs, const struct request *rq, enum gzip_for whom)
{
	buf_room(&rs->gzip, RESPONSE_HEAD_ROOM);
	rs->gzip.len = RESPONSE_HEAD_ROOM;
	if (!gzip_put(rq->site->gzip, &rs->gzip, response_body(rs), whom))
		rs->gzip.len = 0;
}

/*
 * May it be compressed? From compressed sizes, an attacker who makes somebody's browser load pages with guesses in
 * them learns which guesses are right (BREACH). Of pages for one reader, only those are compressed that were requested
 * from this site: no other site can do that. The tokens of forms are masked anew each time; pages that show another
 * secret, or answer what was sent, stay plain (docs/deploy.md, "Compression and secrets").
 */
static bool
may_compress(const struct response *rs, const struct request *rq)
{
	if (rs->packed)
		return false;
	if (rq->viewer == NULL)
		return is_shared(rs);
	return rs->status == HTTP_OK && rq->method == METHOD_GET && !rs->secret &&
	       !rs->shows_secret && csrf_is_from_here(rq);
}

/*
 * Compresses an answer that is not cached. If the client has it, in either form, it is not sent
 * again.
 */
static void
compress_once(struct response *rs, const struct request *rq)
{
	const struct request_input *in = rq->in;
	struct str packed = response_etag(rs, true);

	if (etag_matches(in->if_none_match, rs->etag))
		return;
	if (etag_matches(in->if_none_match, packed))
		rs->etag = packed;
	else if (gzip_accepted(in->accept_encoding) && may_compress(rs, rq))
		compress(rs, rq, GZIP_FOR_ONE);
}

/* Is each answer of it a view? Of a page for everybody, who wrote it left out. */
static bool
is_counted(const struct request *rq, const struct response *rs)
{
	return rq->method == METHOD_GET && rq->route->policy == CACHE_PAGE &&
	       rs->status == HTTP_OK && !rs->unread;
}

/*
 * After the rendering that cache_begin() requested, with the same look: files the finished response if
 * it is cacheable, otherwise gives up. The compressed body of a response that is filed stays in
 * rs->gzip, and its Last-Modified is the second in which this content was first made. No item could
 * provide that: a page changes with everything that it shows, a name, the day, something removed.
 */
static void
page_cache_file(
    struct cache *cache, struct cache_look *look, struct response *rs, const struct request *rq)
{
	struct cache_page page = {.fresh_until = rs->fresh_until,
	    .version = rq->version,
	    .reads = *rq->call.noted,
	    .made = rq->now,
	    .counted = is_counted(rq, rs),
	    .post_read = rs->post_read};

	if (!is_shared(rs)) {
		cache_give_up(cache, look);
		return;
	}
	page.last_modified = rs->last_modified = cache_since(look, rs->etag, rq->now);
	compress(rs, rq, GZIP_FOR_MANY);
	add_form(&page, CACHE_PLAIN, rs, &rs->body);
	if (rs->gzip.len != 0)
		add_form(&page, CACHE_GZIP, rs, &rs->gzip);
	cache_file(cache, look, &page);
}

/* --- From an address to a route ------------------------------------------------------------------ */

enum { DEADLINE_MS_USUAL = 5000, RETRY_AFTER_SECONDS = 5 };

static size_t
body_max(const struct route *route)
{
	const struct page *page = route->page;

	if (page->body_max != NULL)
		return page->body_max();
	return SITE_BODY_USUAL + (page->form != NULL ? form_bytes_max(page->form) : 0);
}

/* For a request that is to be answered, or whose body is to be read. */
static struct request
request_begin(struct site *site, const struct request_input *in, struct arena *arena, int64_t now)
{
	int64_t deadline_ms = site->deadline_ms != 0 ? site->deadline_ms : DEADLINE_MS_USUAL;

	return (struct request){.site = site,
	    .in = in,
	    .arena = arena,
	    .clock = site->clock,
	    .now = now,
	    .table = site->table,
	    .call = {.arena = arena, .deadline = clock_monotonic(site->clock) + deadline_ms},
	    .cookies = cookies_parse(arena, in->cookie)};
}

/*
 * May they send it, by the headers of the request alone? If the table fails, that is reported
 * later.
 */
static bool
is_welcome(struct site *site, const struct request_input *in, struct arena *arena,
    const struct route *route)
{
	struct request rq = request_begin(site, in, arena, clock_now(site->clock));
	enum http_status status;
	struct response none;

	if (site->away != NULL)
		return false;
	if (site->load_viewer == NULL || route->needs == MAY_VISIT)
		return true;
	rq.method = METHOD_POST;
	rq.route = route;
	response_init(&none, arena);
	status = site->load_viewer(&rq, &none);
	if (rq.table != NULL)
		table_release(rq.table, &rq.call);
	return status != HTTP_OK || may(rq.viewer, route->needs, NO_THING);
}

size_t
site_body_max(struct site *site, const struct request_input *in, struct arena *arena)
{
	struct route_match match;
	struct str path, query;
	size_t max;

	if (http_method_of(in->method) != METHOD_POST ||
	    path_decode(arena, str_cut(in->uri, '?', &query), &path) != HTTP_OK)
		return 0;
	match = route_find(arena, site->routes, site->route_count, METHOD_POST, path);
	if (match.route == NULL)
		return 0;
	max = body_max(match.route);
	if (in->content_length > SITE_BODY_OF_ANYBODY && max > SITE_BODY_OF_ANYBODY &&
	    !is_welcome(site, in, arena, match.route))
		return SITE_BODY_OF_ANYBODY;
	return max;
}

static uint64_t
version_of(const struct site *site)
{
	return site->table != NULL ? table_version(site->table) : 0;
}

/* "GET, HEAD, POST", for the Allow header of a 405. */
static struct str
allowed(unsigned methods)
{
	if ((methods & METHOD_GET) == 0)
		return STR("POST");
	return (methods & METHOD_POST) != 0 ? STR("GET, HEAD, POST") : STR("GET, HEAD");
}

/* The canonical path and the known parameters, encoded. */
static struct str
address_of(struct arena *arena, struct str path, const struct pairs *query)
{
	struct buf out = {.arena = arena};

	url_put_path(&out, path);
	query_put(&out, query);
	return buf_str(&out);
}

/*
 * Was it requested at its canonical address? A shared page has exactly one. For the results of a
 * search form only the path counts: browsers send a form's empty fields as well, and spaces as "+".
 */
static bool
is_its_address(const struct request *rq, struct str path)
{
	if (rq->method == METHOD_GET && !rq->route->page->typed &&
	    (rq->route->policy == CACHE_PAGE || rq->route->policy == CACHE_HOUR))
		return str_eq(rq->address, rq->in->uri);
	return str_starts(rq->address, path) &&
	       (rq->address.len == path.len || rq->address.base[path.len] == '?');
}

/*
 * Finds the route of the address: fills rq's method, route, path, params, query and address.
 * HTTP_OK, or the answer: an error, or a redirect to the canonical address.
 */
static enum http_status
find_route(struct request *rq, struct response *rs)
{
	const struct site *site = rq->site;
	enum http_method method = http_method_of(rq->in->method);
	struct str sent_query, sent = str_cut(rq->in->uri, '?', &sent_query), path;
	struct route_match match;
	enum http_status status;

	rq->method = method == METHOD_HEAD ? METHOD_GET : method;
	if (method == METHOD_UNKNOWN)
		return rq->in->method.len != 0 ? HTTP_NOT_IMPLEMENTED : HTTP_BAD_REQUEST;
	if (rq->in->uri.len > REQUEST_URI_MAX)
		return HTTP_URI_TOO_LONG;
	status = path_decode(rq->arena, sent, &path);
	if (status != HTTP_OK)
		return status;
	match = route_find(rq->arena, site->routes, site->route_count, rq->method, path);
	rq->path = match.path;
	if (match.methods == 0)
		return HTTP_NOT_FOUND;
	if (match.route == NULL) {
		rs->allow = allowed(match.methods);
		return HTTP_METHOD_NOT_ALLOWED;
	}
	rq->route = match.route;
	rq->params = match.params;
	rs->policy = rq->method == METHOD_GET ? match.route->policy : CACHE_NEVER;
	if (!query_read(rq->arena, sent_query, match.route->page->query,
		match.route->page->typed, &rq->query))
		return HTTP_BAD_REQUEST;
	rq->address = address_of(rq->arena, match.path, &rq->query);
	if (is_its_address(rq, sent))
		return HTTP_OK;
	return redirect(
	    rs, rq->method == METHOD_POST ? HTTP_MOVED_SAME_METHOD : HTTP_MOVED, rq->address);
}

/* Loads the viewer. */
static enum http_status
find_viewer(struct request *rq, struct response *rs)
{
	/* A publicly cached answer must not depend on the viewer. */
	if (rq->site->load_viewer == NULL || rq->route->policy == CACHE_HOUR)
		return HTTP_OK;
	return rq->site->load_viewer(rq, rs);
}

/* Reads the body of a form; HTTP_OK only if it was sent from this site. */
static enum http_status
read_inputs(struct request *rq, bool (*check)(const struct request *rq))
{
	enum http_status status = body_read(rq, body_max(rq->route));

	if (status == HTTP_OK && !rq->route->without_csrf && !check(rq)) {
		rq->came_from_elsewhere = true;
		return HTTP_FORBIDDEN;
	}
	return status;
}

/* Checks permissions. A stranger is sent to the sign-in page, with what they sent. */
static enum http_status
check_access(struct request *rq, struct response *rs)
{
	enum http_status status;

	if (may(rq->viewer, rq->route->needs, NO_THING))
		return HTTP_OK;
	if (rq->viewer != NULL)
		return HTTP_FORBIDDEN;
	if (rq->method == METHOD_GET)
		return redirect(
		    rs, HTTP_SEE_OTHER, url_join(rq->arena, STR("/login?next="), rq->address));
	if (rq->site->sign_in_first == NULL)
		return HTTP_FORBIDDEN;
	/* The token of an ended session can't be checked; nothing is done until they sign in. */
	status = read_inputs(rq, csrf_is_from_here);
	/*
	 * A body that was not read because its sender is unknown contains files, which are not kept
	 * anyway.
	 */
	if (status == HTTP_TOO_LARGE && rq->in->content_length > SITE_BODY_OF_ANYBODY &&
	    rq->in->content_length <= (int64_t)body_max(rq->route))
		status = csrf_is_from_here(rq) ? HTTP_OK : HTTP_FORBIDDEN;
	if (status != HTTP_OK)
		return status;
	status = rq->site->sign_in_first(rq, rs);
	return status == HTTP_OK ? HTTP_UNPROCESSABLE : status;
}

/*
 * Passes the inputs on, as a form where the route has one. When the handler returns, rq->form may
 * be another: that of a pending form that was processed after signing in, or NULL.
 */
static enum http_status
handle_inputs(struct request *rq, struct response *rs)
{
	const struct page *page = rq->route->page;
	struct form_result *form;
	enum http_status status;

	if (!rq->route->while_suspended && !may(rq->viewer, MAY_SEND, NO_THING))
		return HTTP_FORBIDDEN;
	if (page->form == NULL)
		return page->post(rq, rs);
	form = ARENA_NEW(rq->arena, struct form_result);
	form_read(rq->arena, page->form, &rq->inputs, form);
	rq->form = form;
	/* A handler that refused a field itself and showed the form need not return that status. */
	status = form->valid ? page->post(rq, rs) : page->refused(rq, rs);
	return status == HTTP_OK && !form->valid ? HTTP_UNPROCESSABLE : status;
}

enum http_status
site_resume(struct request *rq, struct response *rs, struct str address, struct str body)
{
	struct request_input *in = arena_copy(rq->arena, rq->in, sizeof(*in));
	enum http_status status;

	in->uri = address;
	in->content_type = STR("application/x-www-form-urlencoded");
	in->body = body;
	rq->in = in;
	rq->inputs = (struct parts){NULL, 0};
	rq->form = NULL;
	status = find_route(rq, rs);
	if (status != HTTP_OK)
		return status;
	if (rq->route->needs == MAY_VISIT || !may(rq->viewer, rq->route->needs, NO_THING))
		return HTTP_FORBIDDEN;
	status = body_read(rq, body_max(rq->route));
	return status == HTTP_OK ? handle_inputs(rq, rs) : status;
}

/* Is there something that the viewer must do first? */
static enum http_status
lead_first(struct request *rq, struct response *rs)
{
	return rq->viewer != NULL && rq->site->lead_first != NULL ? rq->site->lead_first(rq, rs)
								  : HTTP_OK;
}

/* Everything from the address to a status. */
static enum http_status
handle(struct request *rq, struct response *rs)
{
	enum http_status status;
	enum table_rc rc = TABLE_OK;

	if (rq->route->without_table)
		return rq->route->page->get(rq, rs);
	if (rq->site->away != NULL) {
		rs->why = rq->site->away;
		return HTTP_UNAVAILABLE;
	}
	/*
	 * A page is made from a snapshot, including its viewer. A POST writes, which ends a hold.
	 */
	if (rq->table != NULL && rq->method == METHOD_GET)
		rc = table_hold(rq->table, &rq->call);
	status = rc == TABLE_OK ? find_viewer(rq, rs) : status_of(rc);
	if (status == HTTP_OK && rq->method == METHOD_GET)
		status = lead_first(rq, rs);
	if (status == HTTP_OK)
		status = check_access(rq, rs);
	if (status == HTTP_OK && rq->method == METHOD_POST) {
		status = read_inputs(rq, csrf_check);
		if (status == HTTP_OK)
			status = lead_first(rq, rs);
		return status == HTTP_OK ? handle_inputs(rq, rs) : status;
	}
	return status == HTTP_OK ? rq->route->page->get(rq, rs) : status;
}

/* The one place that renders errors. A conflict or a refused form may have a page of its own. */
static void
show_error(struct request *rq, struct response *rs)
{
	struct response plain;

	if (rs->status < HTTP_BAD_REQUEST)
		return;
	if ((rs->status == HTTP_UNAVAILABLE || rs->status == HTTP_TOO_MANY) && rs->retry_after == 0)
		rs->retry_after = RETRY_AFTER_SECONDS;
	if ((rs->own_error || rs->status == HTTP_UNPROCESSABLE || rs->status == HTTP_CONFLICT) &&
	    response_body(rs).len != 0)
		return;
	/* Discards what was made of the page, even of a feed or a redirect. */
	response_clear(rs);
	rs->content_type = STR("text/html; charset=utf-8");
	rs->location = STR("");
	plain = *rs;
	if (rq->site->render_error != NULL && rq->site->render_error(rq, rs, rs->status))
		return;
	*rs = plain;
	error_page_plain(rs);
}

/* May others get the same answer, from the page cache? */
static bool
is_for_all(const struct request *rq)
{
	const struct route *route = rq->route;

	if (rq->method != METHOD_GET || route->needs != MAY_VISIT)
		return false;
	return route->policy == CACHE_HOUR ||
	       (route->policy == CACHE_PAGE && !cookies_have_session(rq->in->cookie));
}

/* Answers a request that has a route. True when the answer came from the page cache. */
static bool
answer(struct request *rq, struct cache_look *look, struct response *rs)
{
	struct cache *cache = rq->site->cache;
	enum cache_answer turn = CACHE_ALONE;

	/* Before the first read, so that a concurrent write outdates the cached page. */
	rq->version = version_of(rq->site);
	/* Any other form of the address was answered with a redirect, or is as somebody's browser sends a search. */
	if (cache != NULL && is_for_all(rq) && str_eq(rq->address, look->key)) {
		turn = cache_begin(cache, look, rq->version, rq->now);
		rq->call.noted =
		    turn == CACHE_RENDER ? ARENA_NEW(rq->arena, struct read_set) : NULL;
	}
	if (turn == CACHE_HIT) {
		page_cache_answer(rq->site, cache_take(look), rq->in, rs);
		return true;
	}
	rs->status = handle(rq, rs);
	if (rq->table != NULL)
		table_release(rq->table, &rq->call);
	show_error(rq, rs);
	if (is_counted(rq, rs))
		views_note(rq->site->views, rq->in, rs->post_read);
	response_settle(rs, rq);
	if (turn == CACHE_RENDER)
		page_cache_file(cache, look, rs, rq);
	else
		compress_once(rs, rq);
	return false;
}

/* Logs the reason of a 503; in other cases the handler has said more than the table knows. */
static void
say_why(const struct request *rq, struct response *rs)
{
	if (!http_is_failure(rs->status) && rs->status != HTTP_TOO_MANY)
		rs->why = NULL;
	else if (rs->why == NULL && rs->status != HTTP_TOO_MANY)
		rs->why = rq->call.failed;
	if (rs->status == HTTP_UNAVAILABLE && rs->why == NULL)
		rs->why = "the page did not say; the table was not what failed";
}

static void
respond_afresh(struct site *site, const struct request_input *in, struct arena *arena,
    struct cache_look *look, struct response *out)
{
	int64_t begun = clock_micros(), now = clock_now(site->clock);
	struct request rq = request_begin(site, in, arena, now);
	const struct route *route;

	rq.cost.begun = begun;
	response_init(out, arena);
	out->status = find_route(&rq, out);
	route = rq.route != NULL ? rq.route
				 : route_near(arena, site->routes, site->route_count, in->uri);
	out->secret = route != NULL && route->secret;
	if (out->status == HTTP_OK) {
		if (answer(&rq, look, out)) {
			out->route = rq.route->pattern;
			out->micros = clock_micros() - begun;
			return;
		}
	} else {
		show_error(&rq, out);
		response_settle(out, &rq);
	}
	out->route = route != NULL ? route->pattern : NULL;
	out->cost = rq.call.cost;
	if (rq.route != NULL)
		spending_note(site->spending, rq.route, &out->cost);
	say_why(&rq, out);
	out->markdown_micros = rq.cost.markdown;
	out->template_micros = rq.cost.template;
	response_finish(out, in, &rq);
	refusal_note_status(&rq, out->status);
	large_leave(&rq);
	if (site->finished != NULL)
		site->finished(&rq);
	out->micros = clock_micros() - begun;
}

/* Does the cache have the page for a stranger at exactly this address? */
static bool
is_at_hand(struct site *site, const struct request_input *in, struct cache_look *look,
    struct response *out)
{
	int64_t begun = clock_micros();

	if (site->cache == NULL || cookies_have_session(in->cookie) ||
	    (!str_eq(in->method, STR("GET")) && !str_eq(in->method, STR("HEAD"))))
		return false;
	if (!cache_find(site->cache, look, version_of(site), clock_now(site->clock)))
		return false;
	page_cache_answer(site, cache_take(look), in, out);
	out->micros = clock_micros() - begun;
	return true;
}

void
site_respond(
    struct site *site, const struct request_input *in, struct arena *arena, struct response *out)
{
	struct cache_look look = {
	    .key = in->uri, .slots = site->table != NULL ? site->table->slots : NULL};

	if (is_at_hand(site, in, &look, out))
		return;
	request_takes_time(in);
	respond_afresh(site, in, arena, &look, out);
	cache_forget(&look);
}
