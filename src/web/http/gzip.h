#ifndef WEB_HTTP_GZIP_H
#define WEB_HTTP_GZIP_H

#include "base/buf.h"

/*
 * A pool of compressors, because creating one takes longer than compressing a page with it. There
 * are as many as were ever used at once. Thread-safe.
 */
struct gzip_pool;

/* An empty pool, ended by gzip_pool_free() when nobody uses it; NULL is allowed there. */
struct gzip_pool *gzip_pool_new(void);
void gzip_pool_free(struct gzip_pool *pool);

/* Who is sent it, once made; for one alone it is made faster and gets less small. */
enum gzip_for { GZIP_FOR_MANY, GZIP_FOR_ONE };

/*
 * Appends the bytes compressed as gzip; false, with nothing appended, if that makes them no
 * smaller.
 */
bool gzip_put(struct gzip_pool *pool, struct buf *out, struct str bytes, enum gzip_for whom);

/* Does an Accept-Encoding accept gzip? By name or by `*`, and not with q=0. */
bool gzip_accepted(struct str accept_encoding);

#endif
