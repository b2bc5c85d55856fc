#include "web/http/response.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/text_rule.h"
#include "text/url.h"
#include "web/cache/cache.h"
#include "web/http/conditional.h"
#include "web/http/gzip.h"
#include "web/http/request.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* --- Headers ---------------------------------------------------------------------------------- */

/*
 * Security headers of every response. Pages consist of their own markup, style, script, and images
 * of this site or over https (url_shows_picture()); nothing else is loaded, nothing is inline, no
 * other site frames them, and their forms lead nowhere else.
 */
#define SECURITY(referrer)                                                                       \
	STR_INIT(                                                                                \
	    "Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'; " \
	    "img-src 'self' https:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "  \
	    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'\r\n"                    \
	    "X-Content-Type-Options: nosniff\r\n"                                                \
	    "Referrer-Policy: " referrer "\r\n"                                                  \
	    "Cross-Origin-Opener-Policy: same-origin\r\n"                                        \
	    "Cross-Origin-Resource-Policy: same-origin\r\n"                                      \
	    "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n")

const struct str response_security = SECURITY("strict-origin-when-cross-origin");

/*
 * An address that contains a secret is not sent as a referrer, not even to this site: it would be
 * in the web server's log. csrf.h needs the origin.
 */
static const struct str security_of_secret = SECURITY("strict-origin");

static struct str
cache_control(enum cache_policy policy)
{
	switch (policy) {
	case CACHE_NEVER: return STR("no-store");
	case CACHE_PRIVATE: return STR("private, no-cache");
	case CACHE_PAGE: return STR("no-cache");
	case CACHE_HOUR: return STR("public, max-age=3600");
	case CACHE_FOREVER: return STR("public, max-age=31536000, immutable");
	}
	return STR("no-store");
}

static void
put(struct buf *head, struct str name, struct str value)
{
	if (value.len == 0)
		return;
	buf_put(head, name);
	BUF_PUT(head, ": ");
	buf_put(head, value);
	BUF_PUT(head, "\r\n");
}

/* The request headers that the answer depends on. */
static struct str
vary(const struct response *rs)
{
	switch (rs->policy) {
	case CACHE_NEVER: return STR("");
	case CACHE_PRIVATE:
	case CACHE_PAGE: return STR("Accept-Encoding, Cookie");
	case CACHE_HOUR:
	case CACHE_FOREVER: return STR("Accept-Encoding");
	}
	return STR("");
}

/* Headers about the content and how it is cached. */
static void
put_content(
    struct buf *head, const struct response *rs, enum http_status status, bool gzip, size_t length)
{
	if (length != 0)
		put(head, STR("Content-Type"), rs->content_type);
	BUF_PUT(head, "Content-Length: ");
	buf_int(head, (int64_t)length);
	BUF_PUT(head, "\r\n");
	put(head, STR("Content-Encoding"), gzip ? STR("gzip") : STR(""));
	if (rs->last_modified != 0 && status == HTTP_OK)
		put(head, STR("Last-Modified"), http_date(rs->arena, rs->last_modified));
	put(head, STR("Location"), rs->location);
	put(head, STR("Allow"), rs->allow);
	if (rs->retry_after != 0) {
		BUF_PUT(head, "Retry-After: ");
		buf_int(head, rs->retry_after);
		BUF_PUT(head, "\r\n");
	}
	buf_put(head, rs->secret ? security_of_secret : response_security);
}

struct str
response_head(
    const struct response *rs, enum http_status status, bool gzip, size_t length, struct str timing)
{
	struct buf head = {.arena = rs->arena};

	buf_room(&head, RESPONSE_HEAD_ROOM);
	BUF_PUT(&head, "Status: ");
	buf_int(&head, (int64_t)status);
	BUF_PUT(&head, " ");
	buf_put(&head, http_reason(status));
	BUF_PUT(&head, "\r\n");
	/* After a 304 the client has the others already. */
	if (status != HTTP_NOT_MODIFIED)
		put_content(&head, rs, status, gzip, length);
	put(&head, STR("Cache-Control"), cache_control(rs->policy));
	put(&head, STR("Vary"), vary(rs));
	put(&head, STR("ETag"), response_etag(rs, gzip));
	put(&head, STR("Server-Timing"), timing);
	for (size_t i = 0; i < rs->header_count; i++)
		put(&head, rs->headers[i].name, rs->headers[i].value);
	BUF_PUT(&head, "\r\n");
	return buf_str(&head);
}

/* --- The response -------------------------------------------------------------------------------- */

enum { PAGE_ROOM = RESPONSE_HEAD_ROOM + 24 * 1024 };

void
response_init(struct response *rs, struct arena *arena)
{
	*rs = (struct response){.arena = arena,
	    .body = {.arena = arena},
	    .gzip = {.arena = arena},
	    .content_type = STR("text/html; charset=utf-8"),
	    .status = HTTP_OK};
	/* Space for a usual page at once: growing it in the arena would copy it each time. */
	buf_room(&rs->body, PAGE_ROOM);
	rs->body.len = RESPONSE_HEAD_ROOM;
}

void
response_release(struct response *rs)
{
	cache_release(rs->entry);
	rs->entry = NULL;
	rs->bytes = STR("");
}

struct str
response_body(const struct response *rs)
{
	return str_sub(buf_str(&rs->body), RESPONSE_HEAD_ROOM, rs->body.len);
}

void
response_clear(struct response *rs)
{
	rs->body.len = RESPONSE_HEAD_ROOM;
}

static bool
has_control(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.base[i] < 0x20 || s.base[i] == 0x7f)
			return true;
	return false;
}

void
response_header(struct response *rs, struct str name, struct str value)
{
	assert(rs->header_count < RESPONSE_HEADERS_MAX && !has_control(name));
	if (!has_control(value))
		rs->headers[rs->header_count++] = (struct pair){name, value};
}

enum http_status
response_form_again(struct response *rs, enum http_status shown, enum http_status why)
{
	rs->own_error = shown == HTTP_OK;
	return shown == HTTP_OK ? why : shown;
}

enum http_status
redirect(struct response *rs, enum http_status status, struct str location)
{
	rs->location = url_is_local(location) ? location : STR("/");
	return status;
}

void
response_settle(struct response *rs, const struct request *rq)
{
	bool read_only = rq != NULL && rq->method == METHOD_GET;

	if (rs->policy == CACHE_PAGE && rq != NULL && rq->viewer != NULL)
		rs->policy = CACHE_PRIVATE;
	switch (rs->status) {
	case HTTP_OK: break;
	case HTTP_MOVED:
	case HTTP_MOVED_SAME_METHOD:
	case HTTP_NOT_FOUND:
	case HTTP_GONE:
		if (rs->policy != CACHE_NEVER)
			rs->policy = CACHE_PRIVATE;
		break;
	default: rs->policy = CACHE_NEVER;
	}
	/*
	 * What a browser stores stays on the disk of its machine, even after its reader has signed
	 * out.
	 */
	if (!read_only || rq->confidential)
		rs->policy = CACHE_NEVER;
	if (rs->status == HTTP_OK && rs->policy != CACHE_NEVER)
		rs->etag = etag_make(rs->arena, response_body(rs), rs->token,
		    STR_CONCAT(rs->arena, response_security, rs->token_of));
}

struct str
response_etag(const struct response *rs, bool gzip)
{
	if (!gzip || rs->etag.len == 0)
		return rs->etag;
	/* Before the closing quote: the two encodings are two entities. */
	return str_fmt(rs->arena, "%.*s-gzip\"", (int)rs->etag.len - 1, rs->etag.base);
}

/* `, table;dur=1.234`: milliseconds. */
static void
put_duration(struct buf *out, struct str name, int64_t micros)
{
	const int rest = (int)(micros % 1000);
	const char digits[] = {
	    (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10)};

	BUF_PUT(out, ", ");
	buf_put(out, name);
	BUF_PUT(out, ";dur=");
	buf_int(out, micros / 1000);
	BUF_PUT(out, ".");
	buf_put(out, (struct str){digits, sizeof(digits)});
}

/*
 * Server-Timing: what a page cost at the table, and where its time went. Not for missing pages, nor
 * for answers to forms: it would reveal how far the request came, and so whether there is a post,
 * or an account with this address.
 */
static struct str
timing(const struct response *rs, const struct request *rq)
{
	struct buf out = {.arena = rs->arena};

	if (rq == NULL || rq->method != METHOD_GET || rs->status == HTTP_NOT_FOUND)
		return STR("");
	BUF_PUT(&out, "requests;desc=\"");
	buf_int(&out, rq->call.cost.requests);
	BUF_PUT(&out, "\", trips;desc=\"");
	buf_int(&out, rq->call.cost.round_trips);
	BUF_PUT(&out, "\"");
	put_duration(&out, STR("table"), rq->call.cost.micros);
	put_duration(&out, STR("markdown"), rq->cost.markdown);
	put_duration(&out, STR("template"), rq->cost.template);
	put_duration(&out, STR("total"), clock_micros() - rq->cost.begun);
	return buf_str(&out);
}

struct str
response_join(struct arena *arena, struct str head, const struct buf *body)
{
	struct str content = str_sub(buf_str(body), RESPONSE_HEAD_ROOM, body->len);
	char *start;

	if (head.len > RESPONSE_HEAD_ROOM)
		return STR_CONCAT(arena, head, content);
	start = body->base + RESPONSE_HEAD_ROOM - head.len;
	memcpy(start, head.base, head.len);
	return (struct str){start, head.len + content.len};
}

void
response_finish(struct response *rs, const struct request_input *in, const struct request *rq)
{
	bool gzip = rs->gzip.len != 0 && gzip_accepted(in->accept_encoding);
	const struct buf *body = gzip ? &rs->gzip : &rs->body;
	struct str head;

	if (rs->status == HTTP_OK && rs->policy != CACHE_NEVER &&
	    is_not_modified(in->if_none_match, in->if_modified_since, response_etag(rs, gzip),
		rs->last_modified))
		rs->status = HTTP_NOT_MODIFIED;
	head = response_head(rs, rs->status, gzip, body->len - RESPONSE_HEAD_ROOM, timing(rs, rq));
	rs->head_len = head.len;
	if (rs->status == HTTP_NOT_MODIFIED || str_eq(in->method, STR("HEAD")))
		rs->bytes = head;
	else
		rs->bytes = response_join(rs->arena, head, body);
}
