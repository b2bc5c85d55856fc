#ifndef WEB_FORM_MULTIPART_H
#define WEB_FORM_MULTIPART_H

#include "base/str.h"

struct arena;

/*
 * multipart/form-data (RFC 7578): the body of a form with files. Parsed in one pass over bytes that
 * are all there; nothing is decoded or copied.
 */
struct part {
	struct str name;
	struct str filename;     /* as sent, without a path: a label and no more */
	struct str content_type; /* as claimed; empty when not said */
	struct str content;      /* the bytes, inside the body */
	bool file;               /* a filename was given, even an empty one */
};

struct parts {
	struct part *parts; /* in their order */
	size_t count;
};

struct multipart_limits {
	size_t count;     /* parts */
	size_t name_size; /* bytes of a name or a filename */
	size_t head_size; /* bytes of one part's header lines */
};

enum multipart_rc {
	MULTIPART_OK,
	MULTIPART_MALFORMED, /* not that format, or cut off */
	MULTIPART_TOO_MANY,
	MULTIPART_TOO_LONG, /* a name or head over its limit */
};

/*
 * The boundary in a Content-Type "multipart/form-data; boundary=…", of 1 to 70 bytes; false when it
 * is another type or has none.
 */
bool multipart_boundary(struct str content_type, struct str *boundary);

/*
 * Reads a body. Slices point into `body`; the array and names with escapes are in the arena. *out
 * is empty unless MULTIPART_OK.
 */
enum multipart_rc multipart_parse(struct arena *arena, struct str body, struct str boundary,
    const struct multipart_limits *limits, struct parts *out);

/* The content of the first part of that name; empty when there is none. */
struct str parts_get(const struct parts *parts, struct str name);

#endif
