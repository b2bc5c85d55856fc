#ifndef WEB_HTTP_HTTP_H
#define WEB_HTTP_HTTP_H

#include "base/str.h"
#include "table/table.h"

/* The words of HTTP that this program uses. */

enum http_method {
	METHOD_GET = 1, /* a route that has GET answers HEAD as well */
	METHOD_HEAD = 2,
	METHOD_POST = 4,
	METHOD_OTHER = 8,    /* one that HTTP knows and no route has: 405 */
	METHOD_UNKNOWN = 16, /* none that HTTP knows: 501 */
};

/* What a handler returns and a client sees. */
enum http_status {
	HTTP_OK = 200,
	HTTP_MOVED = 301,             /* for good; to response.location */
	HTTP_SEE_OTHER = 303,         /* after a POST, to be read with GET at response.location */
	HTTP_NOT_MODIFIED = 304,      /* made by the response itself, never by a handler */
	HTTP_MOVED_SAME_METHOD = 308, /* for good, for a POST */
	HTTP_BAD_REQUEST = 400, /* an address, a cursor or a body that no page of the site made */
	HTTP_FORBIDDEN = 403,   /* no permission, or a form from another site */
	HTTP_NOT_FOUND = 404,   /* nothing there, or nothing that this person may know about */
	HTTP_METHOD_NOT_ALLOWED = 405,
	HTTP_CONFLICT = 409, /* somebody else was faster */
	HTTP_GONE = 410,
	HTTP_LENGTH_REQUIRED = 411,
	HTTP_TOO_LARGE = 413,
	HTTP_URI_TOO_LONG = 414,
	HTTP_UNSUPPORTED_TYPE = 415,
	HTTP_UNPROCESSABLE = 422, /* a form with errors, shown again */
	HTTP_TOO_MANY = 429,      /* response.retry_after says when */
	HTTP_FAILED = 500,        /* our fault */
	HTTP_NOT_IMPLEMENTED = 501,
	HTTP_UNAVAILABLE = 503, /* the store's fault; response.retry_after says when */
};

/* The method of a request line; METHOD_UNKNOWN for what is none. Methods are case-sensitive. */
enum http_method http_method_of(struct str name);

/* "Not Found"; "Unknown" for what is not in the enum. */
struct str http_reason(enum http_status status);

/* Is it 500 or 503: something that an operator should know about? */
bool http_is_failure(enum http_status status);

/*
 * The status for a result of the table, for handlers without a better one: 503 if a later attempt
 * may succeed, 409 for a conflicting write, 400 for an invalid cursor, 500 for a bug.
 */
enum http_status status_of(enum table_rc rc);

#endif
