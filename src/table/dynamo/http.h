#ifndef TABLE_DYNAMO_HTTP_H
#define TABLE_DYNAMO_HTTP_H

#include "table/dynamo/config.h"

#include <stdatomic.h>

struct aws_credentials_provider;
struct aws_http_connection_manager;
struct aws_tls_ctx;
struct dynamo_lanes;

/* The trust store of a client, and its last TLS error. Initialise it with zeros. */
struct trust_store {
	struct aws_tls_ctx *context;
	atomic_bool handshake_failed; /* the last one */
};

/* Why there was no connection in time, and what an error of the library's means: phrases for the log, static. */
const char *trust_store_error(const struct trust_store *trust);
const char *trust_store_error_of(const struct trust_store *trust, int error);

/*
 * The client: event loops, name resolution, the trust store, a pool of connections to each
 * endpoint, and credentials that renew themselves. One for each table; thread-safe. It must be made
 * in the process that uses it: its threads do not survive fork().
 */
struct dynamo_http;

enum dynamo_service { DYNAMO_ITEMS, DYNAMO_STREAMS };

/*
 * Starts the client and finds the first credentials, in at most ten seconds. The configuration must last
 * until dynamo_http_close(), with which the caller ends the client in any case. *why is a sentence that says
 * what to do when it is of no use; else NULL.
 */
struct dynamo_http *dynamo_http_open(
    struct arena *arena, const struct dynamo_config *config, const char **why);

/* Ends it and waits for its threads; exchanges that were abandoned end with it. NULL is allowed. */
void dynamo_http_close(struct dynamo_http *http);

/*
 * Would closing it take up to half a minute? The library delays a failed handshake for so long.
 * NULL is allowed.
 */
bool dynamo_http_held(const struct dynamo_http *http);

/* --- For exchange.c ------------------------------------------------------------------ */

struct aws_http_connection_manager *dynamo_http_pool(
    struct dynamo_http *http, enum dynamo_service service);

/*
 * Lanes for the table's own requests, in addition to the pool; for the calling thread to take one.
 */
struct dynamo_lanes *dynamo_http_lanes(struct dynamo_http *http);

/* The Host header of a service, and the region; they live as long as the client. */
struct str dynamo_http_host(const struct dynamo_http *http, enum dynamo_service service);
struct str dynamo_http_region(const struct dynamo_http *http);

/* The current credential provider; the caller releases it. */
struct aws_credentials_provider *dynamo_http_credentials(struct dynamo_http *http);

/* For why there is no connection. */
const struct trust_store *dynamo_http_trust_store(const struct dynamo_http *http);

/* The credentials were refused as expired: look for others from the next request on. */
void dynamo_http_renew(struct dynamo_http *http);

#endif
