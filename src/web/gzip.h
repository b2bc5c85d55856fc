#ifndef WEB_GZIP_H
#define WEB_GZIP_H

#include "base/buf.h"

/* Appends the bytes compressed as gzip; false, and nothing appended, when that makes them no smaller. */
bool gzip_put(struct buf *out, struct str bytes);

/* Does an Accept-Encoding take gzip? By name or by `*`, and not with a q of 0. */
bool gzip_accepted(struct str accept_encoding);

#endif
