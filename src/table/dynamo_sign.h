#ifndef TABLE_DYNAMO_SIGN_H
#define TABLE_DYNAMO_SIGN_H

#include "base/str.h"

#include <aws/auth/credentials.h>
#include <aws/http/request_response.h>

/* What a request to DynamoDB says, before it is signed. Slices are the caller's. */
struct dynamo_message {
	struct str
	    host; /* as the Host header has it: with the port, unless it is the scheme's own */
	struct str region;
	struct str target; /* "DynamoDB_20120810.GetItem" */
	struct str body;   /* must outlive what is made of it */
};

/*
 * The HTTP request, signed with Signature Version 4 at a time in milliseconds since 1970. The caller
 * ends it with aws_http_message_release(). NULL for credentials that can't
 * sign: anonymous ones.
 */
struct aws_http_message *dynamo_sign(
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now);

/* A cursor of the library's over a slice of ours. */
static inline struct aws_byte_cursor
cursor_of(struct str s)
{
	return aws_byte_cursor_from_array(s.base, s.len);
}

#endif
