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
 * What one signature leaves for the next: the time as it is written, good for a second, and the key, good for
 * a day and the same credentials. It is for one region and one thread at a time; zeroed at first, and ended
 * with dynamo_signer_clear(), after which it is so again.
 */
struct dynamo_signer {
	const struct aws_credentials *credentials; /* whose the key is; NULL: there is none */
	unsigned char key[32];
	int64_t seconds; /* of the stamp, since 1970; of the key, its day */
	char stamp[17];  /* 20150830T123600Z */
};

void dynamo_signer_clear(struct dynamo_signer *signer);

/*
 * The HTTP request, signed with Signature Version 4 at a time in milliseconds since 1970. The caller
 * ends it with aws_http_message_release(). NULL for credentials that can't
 * sign: anonymous ones.
 */
struct aws_http_message *dynamo_sign(struct dynamo_signer *signer,
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now);

/* A cursor of the library's over a slice of ours, and the other way round. */
static inline struct aws_byte_cursor
cursor_of(struct str s)
{
	return aws_byte_cursor_from_array(s.base, s.len);
}

static inline struct str
slice_of(struct aws_byte_cursor cursor)
{
	return (struct str){(const char *)cursor.ptr, cursor.len};
}

#endif
