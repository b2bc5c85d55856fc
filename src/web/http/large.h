#ifndef WEB_HTTP_LARGE_H
#define WEB_HTTP_LARGE_H

#include "web/http/http.h"

#include <stddef.h>

struct limiter;
struct request;
struct response;

/*
 * Large texts. Rendering, comparing and showing one of 200 KB takes a good part of a tenth of a
 * second of CPU time, so that a few dozen at once would delay all other pages. So work on one waits
 * at the site's limiter first: a few run, at most one of a person, and people take turns. A person's
 * number of them in a window is limited, too. Small texts are not affected.
 */
enum {
	LARGE_BYTES = 32 * 1024, /* of text from which on it is large */
	LARGE_IN_A_WINDOW = 120, /* of one person, in RATE_WINDOW_SECONDS */
};

/* The limiter, for struct site. limiter_free() ends it. */
struct limiter *large_limiter_new(void);

/*
 * Before work on this many bytes. HTTP_OK: continue; the dispatcher leaves the limiter when the answer
 * is made. Otherwise HTTP_UNAVAILABLE or HTTP_TOO_MANY, with rs->retry_after, rs->error_text for a
 * page without a form, and the log's why.
 */
enum http_status large_enter(struct request *rq, struct response *rs, size_t bytes);
void large_leave(struct request *rq);

#endif
