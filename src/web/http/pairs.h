#ifndef WEB_HTTP_PAIRS_H
#define WEB_HTTP_PAIRS_H

#include "base/str.h"

struct arena;

/* Names with values, in the order in which they came; a name may come more than once. */
struct pair {
	struct str name, value;
};

struct pairs {
	struct pair *pairs;
	size_t count;
};

/* The bounds that a reader of pairs keeps; a body or query beyond one of them is refused. */
struct pairs_limits {
	size_t count;      /* pairs */
	size_t name_size;  /* bytes of one name, decoded */
	size_t value_size; /* bytes of one value, decoded */
};

enum pairs_rc {
	PAIRS_OK,
	PAIRS_MALFORMED, /* a bad escape, a NUL or text that is not UTF-8 */
	PAIRS_TOO_MANY,  /* more than limits->count */
	PAIRS_TOO_LONG,  /* a name or value over its limit */
};

/*
 * Reads `a=1&b=two+words&c=%C3%BC`, the form of queries and of application/x-www-form-urlencoded.
 * Empty pieces between `&` are passed over; a piece without `=` is a name with an empty value. What
 * needs no decoding points into `text`, the rest is in the arena. *out is empty unless PAIRS_OK.
 */
enum pairs_rc pairs_parse(
    struct arena *arena, struct str text, const struct pairs_limits *limits, struct pairs *out);

/* The first value of that name; empty when there is none. */
struct str pairs_get(const struct pairs *pairs, struct str name);

/* Is there one of that name? */
bool pairs_has(const struct pairs *pairs, struct str name);

#endif
