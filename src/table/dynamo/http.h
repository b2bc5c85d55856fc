#ifndef TABLE_DYNAMO_HTTP_H
#define TABLE_DYNAMO_HTTP_H

#include "table/dynamo/pool.h"

struct aws_credentials_provider;
struct aws_http_connection_manager;
struct dynamo_lanes;

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

/* --- For dynamo_exchange.c ------------------------------------------------------------------ */

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
