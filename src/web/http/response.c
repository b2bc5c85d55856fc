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

enum { PAGE_ROOM = RESPONSE_HEAD_ROOM + 24 * 1024 };

void
response_init(struct response *rs, struct arena *arena)
{
	*rs = (struct response){.arena = arena,
	    .body = {.arena = arena},
	    .gzip = {.arena = arena},
	    .content_type = STR("text/html; charset=utf-8"),
	    .status = HTTP_OK};
	/* Room for a usual page at once: one that grows in a busy arena is moved each time. */
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
	/* What a browser stores stays on the disk of whatever machine it runs on, when its reader has long signed out. */
	if (!read_only || rq->confidential)
		rs->policy = CACHE_NEVER;
	if (rs->status == HTTP_OK && rs->policy != CACHE_NEVER)
		rs->etag = etag_make(rs->arena, response_body(rs), response_security);
}

struct str
response_etag(const struct response *rs, bool gzip)
{
	if (!gzip || rs->etag.len == 0)
		return rs->etag;
	/* In front of the closing quote: the two forms are two entities. */
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
 * Server-Timing: what a page cost at the table, and where its time went. Not of what is not there, nor of what was
 * sent: it would say how far one came, and so that there is a post, or somebody with this address.
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
