#ifndef WEB_HTTP_REQUEST_H
#define WEB_HTTP_REQUEST_H

#include "table/table.h"
#include "web/form/multipart.h"
#include "web/http/http.h"
#include "web/http/pairs.h"

struct arena;
struct clock;
struct form_result;
struct route;
struct session;
struct settings;
struct site;
struct viewer;
struct zone;

/*
 * A request as received, before it is checked: what the server fills from FastCGI's parameters.
 * Missing ones are empty. The slices must live until the response was written.
 */
struct request_input {
	struct str method;            /* REQUEST_METHOD */
	struct str uri;               /* REQUEST_URI: path and query as sent, percent-encoded */
	struct str scheme;            /* REQUEST_SCHEME: http or https */
	struct str host;              /* HTTP_HOST, with a port if it has one */
	struct str remote_addr;       /* REMOTE_ADDR: the reader's; the web server vouches for it */
	struct str request_id;        /* REQUEST_ID, for the log; the web server makes it */
	struct str content_type;      /* CONTENT_TYPE */
	struct str cookie;            /* HTTP_COOKIE */
	struct str origin;            /* HTTP_ORIGIN */
	struct str referer;           /* HTTP_REFERER */
	struct str sec_fetch_site;    /* HTTP_SEC_FETCH_SITE */
	struct str accept_encoding;   /* HTTP_ACCEPT_ENCODING */
	struct str if_none_match;     /* HTTP_IF_NONE_MATCH */
	struct str if_modified_since; /* HTTP_IF_MODIFIED_SINCE */
	struct str user_agent;        /* HTTP_USER_AGENT */
	struct str sec_purpose;       /* HTTP_SEC_PURPOSE: why a browser loads it ahead of time */
	struct str purpose;           /* HTTP_PURPOSE: the same, of older ones */
	int64_t content_length;       /* CONTENT_LENGTH; -1: not given or not a number */
	struct str body;              /* as a whole, at most site_body_max() bytes */
	bool body_too_large; /* content_length is over site_body_max(); the body was not read */
	bool body_short;     /* fewer bytes came than content_length promised */
	/* Called before answering takes more than some microseconds. May be NULL. */
	void (*takes_time)(void *who);
	void *who;
};

static inline void
request_takes_time(const struct request_input *in)
{
	if (in->takes_time != NULL)
		in->takes_time(in->who);
}

enum {
	REQUEST_URI_MAX = 16 * 1024,         /* bytes of an address, query included; beyond: 414 */
	REQUEST_BODY_MAX = 32 * 1024 * 1024, /* no route may ask for more */
	REQUEST_PARAMS_MAX = 4,              /* captures of a route */
};

/* The cost of a request so far; each layer adds its own. In microseconds. */
struct request_cost {
	int64_t markdown;
	int64_t template;
	int64_t password;
	int64_t begun; /* when, on clock_micros() */
};

/*
 * What a handler gets: the request, checked and decoded, and what is needed to answer it.
 * Everything it allocates is in `arena`, which outlives the response.
 */
struct request {
	struct site *site;
	const struct request_input *in;
	const struct route *route;
	struct arena *arena;
	struct clock *clock;
	int64_t now; /* when the request arrived: the same time for the whole answer */
	struct table *table;
	uint64_t version;       /* of the table, before anything of it was read */
	struct table_call call; /* for every call: the arena, the deadline, the cost so far */
	struct request_cost cost;

	enum http_method method; /* GET for a HEAD, too */
	struct str path;         /* canonical, decoded, with a slash before it */
	struct str address;  /* canonical path and known query, encoded: what a link to this says */
	struct pairs params; /* captures of the route: `slug` of "/post/:slug" */
	struct pairs query;  /* the query parameters that the route knows; each at most once */
	struct pairs cookies;     /* each name once: the first */
	struct parts inputs;      /* what a POST sent, each with a name */
	struct form_result *form; /* of a POST whose route has one; valid in its handler */

	bool came_from_elsewhere;    /* a form that was refused because it is not from our pages */
	struct str account;          /* whose a stranger's form is, if there is such an account */
	const struct viewer *viewer; /* NULL: a stranger */
	const struct session *session; /* the viewer's; NULL: a stranger */
	bool
	    confidential; /* the answer shows something that is not public: no browser may store it */
	bool in_large;    /* it works on a large text: web/http/large.h */
	uint32_t proof_wait; /* seconds before the viewer may prove their password again; 0: now */
	struct str session_token; /* the token of the viewer's session, or of a visitor's cookie */
	const struct settings *settings; /* the site's; NULL before a page has read them */
	const struct zone *zone; /* theirs, of all times that are shown or typed; NULL: UTC */
	int year;                /* in which it is now, there; 0 until a page has asked */
	void *page_data;         /* what the pages hold until site->finished(); theirs alone */
};

/* A capture of the route, a known query parameter, a cookie; empty when there is none. */
struct str request_param(const struct request *rq, const char *name);
struct str request_query(const struct request *rq, const char *name);

/*
 * Decodes a path as sent, without its query. The empty path, one that does not begin with a slash,
 * a bad escape, a NUL or another control character, an escaped slash or a backslash, text that is
 * not UTF-8, and a segment `.` or `..` (escaped or not) are HTTP_BAD_REQUEST; more than
 * REQUEST_URI_MAX bytes HTTP_URI_TOO_LONG; else HTTP_OK and *out, in the arena or inside `sent`.
 */
enum http_status path_decode(struct arena *arena, struct str sent, struct str *out);

/*
 * The canonical form of a decoded path: no double slashes, no slash at the end (but "/" itself)
 * and, if `fold`, in lower case and in the form of unicode_fold(). In the arena if it differs from
 * `path`.
 */
struct str path_canonical(struct arena *arena, struct str path, bool fold);

#endif
