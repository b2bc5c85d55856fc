#ifndef TABLE_DYNAMO_ENDPOINT_H
#define TABLE_DYNAMO_ENDPOINT_H

#include "base/str.h"

struct arena;

/* A server: a name or an address, the latter of IPv6 without its brackets. */
struct dynamo_endpoint {
	struct str host; /* a NUL follows */
	uint16_t port;
	bool tls;
};

/*
 * Reads `https://host[:port]` or `http://…`, where the host may be `[::1]`; *path is what follows, with its slash, or
 * empty. All of it is in the arena. False when the text is none.
 */
bool dynamo_endpoint_read(
    struct arena *arena, struct str url, struct dynamo_endpoint *out, struct str *path);

#endif
