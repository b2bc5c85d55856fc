#ifndef WEB_HTTP_QUERY_H
#define WEB_HTTP_QUERY_H

#include "base/buf.h"
#include "web/http/pairs.h"

enum { QUERY_VALUE_MAX = 12 * 1024, QUERY_KNOWN_MAX = 16 };

/*
 * Takes the parameters that a route knows out of a query as sent: of each the first, in the order
 * of `known` (ended by NULL; NULL: none). What is not known is passed over, however malformed; a
 * known one whose value is empty counts as not sent. False when a known one's value has a bad
 * escape, a control character, is not UTF-8 or longer than QUERY_VALUE_MAX; if they are `typed`, what people look for, such a
 * value is mended instead. Linear in the query. *out is in the arena.
 */
bool query_read(struct arena *arena, struct str sent, const char *const *known, bool typed,
    struct pairs *out);

/* Appends `?a=1&b=2`, encoded; nothing when there are none. */
void query_put(struct buf *out, const struct pairs *query);

#endif
