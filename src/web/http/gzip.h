#ifndef WEB_HTTP_GZIP_H
#define WEB_HTTP_GZIP_H

#include "base/buf.h"

/*
 * Compressors that are used again, because making one takes longer than compressing a page with it.
 * There are as many as ever were in use at once. Safe for threads.
 */
struct gzip_pool;

/* An empty pool, ended by gzip_pool_free() when nobody uses it; NULL is allowed there. */
struct gzip_pool *gzip_pool_new(void);
void gzip_pool_free(struct gzip_pool *pool);

/*
 * Appends the bytes compressed as gzip; false, and nothing appended, when that makes them no
 * smaller.
 */
bool gzip_put(struct gzip_pool *pool, struct buf *out, struct str bytes);

/* Does an Accept-Encoding take gzip? By name or by `*`, and not with a q of 0. */
bool gzip_accepted(struct str accept_encoding);

#endif
