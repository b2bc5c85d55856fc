#ifndef TEXT_URL_H
#define TEXT_URL_H

#include "base/buf.h"

/*
 * Percent-encoding, in the one place that does it. What RFC 3986 calls unreserved stays as it is,
 * all else becomes %XX with capital digits, byte by byte.
 */

/* One segment of a path: a slash in it is encoded, so that it stays one segment. */
void url_put_segment(struct buf *out, struct str segment);

/* A whole path whose slashes part its segments. */
void url_put_path(struct buf *out, struct str path);

/* A name or a value of a query. Encodes space as %20. */
void url_put_query(struct buf *out, struct str text);

/* The same for a text that is encoded once more on its way: letters beyond ASCII stay as they are. */
void url_put_carried(struct buf *out, struct str text);

/* One segment as a text in the arena: a prefix as it is, "/post/", and an encoded segment. */
struct str url_join(struct arena *arena, struct str prefix, struct str segment);

/*
 * Undoes it; `plus` reads a plus as a space, as queries and forms do. False when there is a %
 * without two hexadecimal digits behind it. The result is `text` itself where there was nothing to
 * decode, else in the arena. It may hold any byte: the caller checks for NUL and UTF-8.
 */
bool url_decode(struct arena *arena, struct str text, bool plus, struct str *out);

/*
 * What two addresses of one page have in common: without scheme, "www.", a usual port, the fragment, a slash at the end and
 * what only counts visitors (utm_source, fbclid …); the host in small letters. Empty: it is no web address. In the arena.
 */
struct str url_likened(struct arena *arena, struct str url);

#endif
