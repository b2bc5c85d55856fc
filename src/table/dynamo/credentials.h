#ifndef TABLE_DYNAMO_CREDENTIALS_H
#define TABLE_DYNAMO_CREDENTIALS_H

#include "table/dynamo/config.h"

#include <aws/auth/credentials.h>

/*
 * A caching credential provider: the library's chain, or the command of a profile. The source must
 * last as long as the provider, of whose end `end` tells. NULL if the library refuses.
 */
struct aws_credentials_provider *dynamo_credentials_new(const struct dynamo_source *source,
    struct aws_client_bootstrap *bootstrap, struct aws_tls_ctx *tls,
    const struct aws_credentials_provider_shutdown_options *end);

/* Waits for the first credentials. False: there are none, or (*late) they did not come in time. */
bool dynamo_credentials_come(struct aws_credentials_provider *provider, bool *late);

#endif
