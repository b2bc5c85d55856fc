#ifndef WEB_CACHE_PAGE_CACHE_H
#define WEB_CACHE_PAGE_CACHE_H

#include "web/cache/cache.h"
#include "web/http/response.h"

/* Between responses and the page cache. */

/* Answers from an entry, which the response holds from then on. `out` needs no initialisation. */
void page_cache_answer(
    struct cache_entry *entry, const struct request_input *in, struct response *out);

/*
 * After the rendering that cache_begin() asked for, with the same lookup: files the settled
 * response if it is cacheable, otherwise gives up. The compressed body of a response that is filed
 * stays in rs->gzip, and its Last-Modified is the second in which it was first seen in this form.
 * No item could provide that: a page changes with everything that it shows, a name, the day,
 * something that was removed.
 */
void page_cache_file(
    struct cache *cache, struct cache_look *look, struct response *rs, const struct request *rq);

/*
 * The same without a page cache, as in development: a cacheable response is compressed for clients
 * that accept it.
 */
void page_cache_without(struct response *rs, const struct request *rq);

#endif
