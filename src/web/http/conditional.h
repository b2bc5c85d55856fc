#ifndef WEB_HTTP_CONDITIONAL_H
#define WEB_HTTP_CONDITIONAL_H

#include "base/str.h"

struct arena;

/* Validators: ETag, Last-Modified, and what a browser that has a copy sends back. */

/*
 * The ETag of a page, with its quotes: 64 bits of a fast hash in hexadecimal digits. `besides` is
 * what else is cached with the page and not repeated by a 304. Strong, unless there is a `token`,
 * which differs in each response: then the page is hashed without it, and the ETag is weak.
 */
struct str etag_make(struct arena *arena, struct str content, struct str token, struct str besides);

/*
 * Does an If-None-Match name the ETag? "*" names all. The comparison is weak, as RFC 9110 requires:
 * a W/, ours or one that a proxy added, does not matter. A malformed header names nothing.
 */
bool etag_matches(struct str if_none_match, struct str etag);

/* "Sun, 06 Nov 1994 08:49:37 GMT"; milliseconds are cut off. */
struct str http_date(struct arena *arena, int64_t ms);

/* Reads that form, the only one that was written this century. False for anything else. */
bool http_date_parse(struct str text, int64_t *ms);

/*
 * May the answer be 304? If-None-Match decides when it was sent, else If-Modified-Since does, by the very date of the
 * page, as nginx does it for files: clocks differ, and another machine's may have dated an older page later.
 * `etag` may be empty and `last_modified` 0 when there is none.
 */
bool is_not_modified(
    struct str if_none_match, struct str if_modified_since, struct str etag, int64_t last_modified);

#endif
