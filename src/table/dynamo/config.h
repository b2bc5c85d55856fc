#ifndef TABLE_DYNAMO_CONFIG_H
#define TABLE_DYNAMO_CONFIG_H

#include "base/str.h"

struct arena;

/* A server: a name or an address, the latter of IPv6 without its brackets. */
struct dynamo_endpoint {
	struct str host; /* a NUL follows */
	uint16_t port;
	bool tls;
};

/* The credential providers: the library's chain finds all but two by itself. */
struct dynamo_source {
	struct str command; /* of the profile, which prints them; or empty */
	/*
	 * The file with the authorization token for the container's host, which changes; or empty.
	 */
	struct str token_file;
	struct dynamo_endpoint container;
	struct str container_path;
	struct str missing; /* what to do when none come: a sentence for an operator */
};

/*
 * Where DynamoDB is and how to connect to it, by the conventions of Amazon's SDKs: what works with
 * the `aws` command works here. Not the credentials themselves, only where they come from.
 */
struct dynamo_config {
	struct str table;
	struct str region;
	struct dynamo_endpoint items;   /* the table's own requests */
	struct dynamo_endpoint streams; /* its stream's */
	struct str ca_file; /* PEM; empty when there is none, and neither endpoint speaks TLS */
	struct dynamo_source source;
	unsigned attempts;    /* at one request, the first one counted */
	unsigned connections; /* at most, to one endpoint */
};

/* getenv(), or a test's replacement. */
typedef const char *dynamo_environment(const char *name);

/*
 * Reads the environment: DYNAMODB_TABLE where `table` is empty; AWS_REGION, AWS_DEFAULT_REGION, else the region of the
 * profile AWS_PROFILE in AWS_CONFIG_FILE or ~/.aws/config; AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS,
 * AWS_ENDPOINT_URL; AWS_CA_BUNDLE; AWS_MAX_ATTEMPTS; DYNAMODB_CONNECTIONS; and where credentials come from. All of the
 * result is in the arena. False, *why a sentence that says what to do, when something is missing or makes no sense.
 */
bool dynamo_config_read(struct arena *arena, dynamo_environment *environment, struct str table,
    struct dynamo_config *out, const char **why);

#endif
