#ifndef WEB_HTTP_RESPONSE_H
#define WEB_HTTP_RESPONSE_H

#include "base/buf.h"
#include "web/http/http.h"
#include "web/http/pairs.h"

struct arena;
struct cache_entry;
struct request;
struct request_input;

/*
 * The cache policy of a response; each has one. A page in the page cache must depend on its address
 * and the table alone: not on other headers, nor on randomness.
 */
enum cache_policy {
	CACHE_NEVER, /* `no-store`: forms, errors, whatever is valid only once */
	/* `private, no-cache`: the browser may, and revalidates; see rq->confidential */
	CACHE_PRIVATE,
	CACHE_PAGE,    /* `no-cache` for strangers, by the page cache; else CACHE_PRIVATE */
	CACHE_HOUR,    /* the same, and fresh for an hour in any cache: feeds, robots.txt */
	CACHE_FOREVER, /* set by a handler of such a route: immutable */
};

enum {
	RESPONSE_HEADERS_MAX = 8,
	RESPONSE_HEAD_ROOM = 2048, /* reserved before a body, so that the head fits */
};

/*
 * A response. A handler appends to `body` and sets what it needs in the first group; dispatch does
 * the rest, and the server writes `bytes` as they are, then calls response_release().
 */
struct response {
	struct arena *arena;
	struct buf body;          /* begins with RESPONSE_HEAD_ROOM bytes that belong to the head */
	struct str content_type;  /* "text/html; charset=utf-8" unless a handler says otherwise */
	struct str location;      /* of a redirect: an address of this site, encoded */
	int64_t fresh_until;      /* milliseconds: when it may change by itself; 0: not known to */
	uint32_t retry_after;     /* seconds; 0: nothing is said */
	enum cache_policy policy; /* begins as the route's; a handler may make it stricter */
	const char *error_text;   /* a sentence for the error page, not the usual one; or NULL */
	const char
	    *why; /* of a 429, 500 or 503, for the log, if it is not the table's message; or NULL */
	/* The id of the post whose page this is: it was read once more (web/views/views.h). Empty: of none. */
	struct str post_read;
	bool unread; /* a page that does not count as read: by who wrote it */
	bool own_error;    /* what the handler made is the page of its error: a form again */
	bool packed;       /* a file that is compressed already: it is sent as it is */
	bool shows_secret; /* of a GET: is never compressed. The answers of POSTs never are */
	struct pair headers[RESPONSE_HEADERS_MAX];
	size_t header_count;

	/* --- Set by csrf_token() (web/session/csrf.h). */
	struct str token;    /* of its forms; empty: there is none */
	struct str token_of; /* a keyed hash of the session or visit that it is for */

	/* --- What dispatch adds on the way. */
	struct str allow;      /* of a 405: the methods that there are */
	struct str etag;       /* of the plain form; empty when there is none */
	int64_t last_modified; /* milliseconds, of a page for strangers; 0: unknown */
	struct buf gzip; /* the compressed body, behind as much room; empty when there is none */

	/* --- What the server reads, after site_respond(). */
	enum http_status status;
	struct str bytes;  /* the whole for FastCGI: `Status: 200 OK\r\n`, headers, \r\n, body */
	size_t head_len;   /* of bytes; what follows is the body, nothing for HEAD and 304 */
	const char *route; /* the route's pattern, for the log; NULL when none matched */
	bool secret;       /* the address is not for the log, nor for a Referer */
	bool cached;       /* came from the page cache */
	struct table_cost cost;                   /* what it cost at the table */
	int64_t micros;                           /* and in all, in site_respond() */
	int64_t markdown_micros, template_micros; /* of these */

	struct cache_entry *entry; /* holds the memory of bytes; NULL when that is the arena's */
};

/* An empty HTTP_OK in HTML. */
void response_init(struct response *rs, struct arena *arena);

/* Releases what `bytes` points to, after it was written. rs is invalid afterwards. */
void response_release(struct response *rs);

/* What was appended to the body so far. */
struct str response_body(const struct response *rs);

/* Empties the body. */
void response_clear(struct response *rs);

/*
 * Adds a header, whose name is the program's. A value with a control character is dropped, as it
 * could forge another header. The slices are not copied. More than RESPONSE_HEADERS_MAX are a bug.
 */
void response_header(struct response *rs, struct str name, struct str value);

/* A redirect in one line: `return redirect(rs, HTTP_SEE_OTHER, address);` */
enum http_status redirect(struct response *rs, enum http_status status, struct str location);

/*
 * `return response_form_again(rs, show(rq, rs), HTTP_UNAVAILABLE);` What was shown is the page of the error `why`, if
 * showing it ended with HTTP_OK; else it is what it ended with.
 */
enum http_status response_form_again(
    struct response *rs, enum http_status shown, enum http_status why);

/*
 * Makes `bytes` from the status and the rest, as this request needs it: with or without its body,
 * plain or compressed, or a 304. `rq` may be NULL if there was no valid request.
 */
void response_finish(struct response *rs, const struct request_input *in, const struct request *rq);

/*
 * Restricts the cache policy to what the status and the reader allow, and makes the ETag. Call it
 * once, before both.
 */
void response_settle(struct response *rs, const struct request *rq);

/*
 * The head of one form of a settled response, with the empty line at its end, in the arena. For a
 * 304, `length` is ignored. `timing` is the Server-Timing.
 */
struct str response_head(const struct response *rs, enum http_status status, bool gzip,
    size_t length, struct str timing);

/* The headers that each response has, whatever it is; a 304 leaves them to what it stands for. */
extern const struct str response_security;

/* The ETag of one form; empty when there is none. */
struct str response_etag(const struct response *rs, bool gzip);

/*
 * Head and body in one piece: `body` begins with RESPONSE_HEAD_ROOM bytes, and the head goes into
 * them.
 */
struct str response_join(struct arena *arena, struct str head, const struct buf *body);

#endif
