#ifndef WEB_CACHE_PAGE_CACHE_H
#define WEB_CACHE_PAGE_CACHE_H

#include "web/cache/cache.h"
#include "web/http/response.h"

/* Between responses and the page cache. */

/* Answers from an entry, which the response holds from now on. `out` needs no preparation. */
void page_cache_answer(
    struct cache_entry *entry, const struct request_input *in, struct response *out);

/*
 * After the render that cache_begin() asked for, by the same look: files the settled response when it is one to keep,
 * else gives up. The compressed body of a response that is kept stays in rs->gzip, and its Last-Modified is
 * the second in which it was first seen as it is. No item could tell: a page changes with whatever it shows, a name,
 * the day, what was taken away.
 */
void page_cache_file(
    struct cache *cache, struct cache_look *look, struct response *rs, const struct request *rq);

/*
 * Instead of it where there is no page cache, as in development: what would be kept is compressed all the same, for
 * whoever takes it so.
 */
void page_cache_without(struct response *rs, const struct request *rq);

#endif
