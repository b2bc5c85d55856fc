#include "base/arena.h"
#include "web/http/conditional.h"
#include "web/http/response.h"

/*
 * What every response says to browsers about itself. Pages are made of their own markup, style,
 * script, and images of this site or over https (url_shows_picture()); nothing else is loaded, nothing is inline, nobody frames them,
 * and no form of theirs leads elsewhere.
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
 * An address that is a secret is told to nobody, not even to this site: the web server's log has where each
 * request came from. The origin is what csrf.h needs.
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

/* What the answer depends on, besides its address. */
static struct str
vary(const struct response *rs)
{
	switch (rs->policy) {
	case CACHE_NEVER: return STR("");
	case CACHE_PRIVATE: return STR("Cookie");
	case CACHE_PAGE: return STR("Accept-Encoding, Cookie");
	case CACHE_HOUR:
	case CACHE_FOREVER: return STR("Accept-Encoding");
	}
	return STR("");
}

/* What a response says of its content, and of what surrounds it. */
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
	/* Who is told that a page has not changed has the rest already. */
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
