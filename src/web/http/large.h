#ifndef WEB_HTTP_LARGE_H
#define WEB_HTTP_LARGE_H

#include "web/http/http.h"

#include <stddef.h>

struct gate;
struct request;
struct response;

/*
 * Large texts. To render, compare and show one of 200 KB takes a good part of a tenth of a second of the processor, so
 * that a few dozen of them at once would keep all other pages waiting. Whoever is about to work on one enters the
 * site's gate for them first: few work at a time, one of a person at most, and people take turns. How many one person
 * may have in a while is bounded, too. What is not large costs nothing here.
 */
enum {
	LARGE_BYTES = 32 * 1024, /* of text from which on it is large */
	LARGE_IN_A_WINDOW = 120, /* of one person, in RATE_WINDOW_SECONDS */
};

/* The gate, for struct site. gate_free() ends it. */
struct gate *large_gate_new(void);

/*
 * Before work on so many bytes. HTTP_OK: go on; the dispatcher leaves the gate when the answer is made. Else
 * HTTP_UNAVAILABLE or HTTP_TOO_MANY, with rs->retry_after, rs->error_text for a page without a form, and the log's why.
 */
enum http_status large_enter(struct request *rq, struct response *rs, size_t bytes);
void large_leave(struct request *rq);

#endif
