#ifndef TABLE_DYNAMO_POOL_H
#define TABLE_DYNAMO_POOL_H

#include "table/dynamo/config.h"

#include <stdatomic.h>

struct aws_client_bootstrap;
struct aws_http_connection_manager;
struct aws_shutdown_callback_options;
struct aws_tls_ctx;

/* The trust store of a client, and its last TLS error. Initialise it with zeros. */
struct trust_store {
	struct aws_tls_ctx *context;
	atomic_bool handshake_failed; /* the last one */
};

/*
 * With the certificates of a file; without one (empty) it trusts nobody. False: the file is
 * unreadable.
 */
bool trust_store_begin(struct trust_store *trust, struct str ca_file);

/* To be called when no pool is left that was made with it. */
void trust_store_end(struct trust_store *trust);

/* Why there was no connection in time, and what an error of the library's means: phrases for the log, static. */
const char *trust_store_error(const struct trust_store *trust);
const char *trust_store_error_of(const struct trust_store *trust, int error);

/* A pool of at most so many connections to an endpoint. NULL when the library has its reasons. */
struct aws_http_connection_manager *dynamo_pool_new(struct trust_store *trust,
    const struct dynamo_endpoint *to, struct aws_client_bootstrap *bootstrap, unsigned connections,
    const struct aws_shutdown_callback_options *end);

#endif
