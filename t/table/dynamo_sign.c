/*
 * Signature Version 4, which DynamoDB Local does not check. The expected values come from a second
 * implementation, which also gives the signing key of Amazon's own example.
 */
#include "lib/tap.h"

#include "table/dynamo/sign.h"

#include <aws/auth/auth.h>

/* 2015-08-30 12:36:00 UTC, the moment of Amazon's examples. */
#define EXAMPLE_MS INT64_C(1440938160000)

#define KEY_ID "AKIDEXAMPLE"
#define SECRET "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
#define PREFIX "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/"
#define HEADERS "content-length;content-type;host;x-amz-date"

static const struct {
	const char *sentence;
	struct dynamo_message message;
	struct str token;
	struct str authorization;
	const char *secret; /* NULL: SECRET */
} cases[] = {
    {"a get",
	{STR_INIT("dynamodb.us-east-1.amazonaws.com"), STR_INIT("us-east-1"),
	    STR_INIT("DynamoDB_20120810.GetItem"), STR_INIT("{\"TableName\":\"news\"}")},
	STR_INIT(""),
	STR_INIT(
	    PREFIX "us-east-1/dynamodb/aws4_request, SignedHeaders=" HEADERS ";x-amz-target, "
		   "Signature=05578e4f7060f2724f7a7a354754774ed184ae726093413016b6281cc1a40779")},
    {"a session's token",
	{STR_INIT("dynamodb.us-east-1.amazonaws.com"), STR_INIT("us-east-1"),
	    STR_INIT("DynamoDB_20120810.GetItem"), STR_INIT("{\"TableName\":\"news\"}")},
	STR_INIT("AQoDYXdzEPT//////////wEXAMPLE=="),
	STR_INIT(
	    PREFIX "us-east-1/dynamodb/aws4_request, SignedHeaders=" HEADERS
		   ";x-amz-security-token;x-amz-target, "
		   "Signature=4c8ad2c33dabb812e85bf237048f2a983d13978e9126400a83ec2c7575b9821f")},
    {"an empty body",
	{STR_INIT("dynamodb.eu-central-1.amazonaws.com"), STR_INIT("eu-central-1"),
	    STR_INIT("DynamoDB_20120810.ListTables"), STR_INIT("")},
	STR_INIT(""),
	STR_INIT(
	    PREFIX "eu-central-1/dynamodb/aws4_request, SignedHeaders=" HEADERS ";x-amz-target, "
		   "Signature=c7f2a6f3a1c2f8aa9a9c08a30c84f75c7507fc37f5552b3f4f9c8e3408ecc7e0")},
    {"a port, and text beyond ASCII",
	{STR_INIT("127.0.0.1:8000"), STR_INIT("eu-central-1"),
	    STR_INIT("DynamoDBStreams_20120810.GetRecords"), STR_INIT("{\"x\":\"Grüße 🎉\"}")},
	STR_INIT(""),
	STR_INIT(
	    PREFIX "eu-central-1/dynamodb/aws4_request, SignedHeaders=" HEADERS ";x-amz-target, "
		   "Signature=3842d6c23799d9896fc02b1e0d55d81c5a338d022ebde801b775af2d6998c300")},
    {"a secret longer than a block of the hash",
	{STR_INIT("dynamodb.us-east-1.amazonaws.com"), STR_INIT("us-east-1"),
	    STR_INIT("DynamoDB_20120810.GetItem"), STR_INIT("{\"TableName\":\"news\"}")},
	STR_INIT(""),
	STR_INIT(
	    PREFIX "us-east-1/dynamodb/aws4_request, SignedHeaders=" HEADERS ";x-amz-target, "
		   "Signature=3816a6ef797a56596c5ad7d1a257491fb87c840d1688ad000c22783642c2e3fe"),
	SECRET SECRET},
};

static struct str
header_of(struct aws_http_message *http, const char *name)
{
	struct aws_byte_cursor value = {0};

	aws_http_headers_get(
	    aws_http_message_get_headers(http), aws_byte_cursor_from_c_str(name), &value);
	return (struct str){(const char *)value.ptr, value.len};
}

static struct aws_credentials *
credentials_of(const char *secret, struct str token)
{
	return aws_credentials_new(aws_default_allocator(), cursor_of(STR(KEY_ID)),
	    cursor_of(str_of(secret)), cursor_of(token), UINT64_MAX);
}

/* A signer that has signed before gives what a new one gives. */
static void
same_as_new(struct dynamo_signer *used, struct aws_credentials *credentials, int64_t now,
    const char *sentence)
{
	struct dynamo_signer new = {0};
	struct aws_http_message *a = dynamo_sign(used, &cases[0].message, credentials, now);
	struct aws_http_message *b = dynamo_sign(&new, &cases[0].message, credentials, now);

	is_str(header_of(a, "Authorization"), header_of(b, "Authorization"), "%s", sentence);
	is_str(header_of(a, "X-Amz-Date"), header_of(b, "X-Amz-Date"), "with its date");
	aws_http_message_release(a);
	aws_http_message_release(b);
	dynamo_signer_clear(&new);
}

static void
used_signers(void)
{
	struct aws_credentials *first = credentials_of(SECRET, STR(""));
	struct aws_credentials *second = credentials_of("another", STR(""));
	struct dynamo_signer signer = {0};

	same_as_new(&signer, first, EXAMPLE_MS, "the first signature");
	same_as_new(&signer, first, EXAMPLE_MS + 999, "another one in the same second");
	same_as_new(&signer, first, EXAMPLE_MS + 1000, "one a second later");
	same_as_new(&signer, first, EXAMPLE_MS + INT64_C(86400000), "one a day later");
	same_as_new(&signer, first, EXAMPLE_MS, "one after the clock was set back");
	same_as_new(&signer, second, EXAMPLE_MS, "one with other credentials");
	aws_credentials_release(second);
	second = credentials_of("a third", STR(""));
	same_as_new(&signer, second, EXAMPLE_MS, "one with new ones after those were let go");
	same_as_new(&signer, first, EXAMPLE_MS, "one with the first again");
	dynamo_signer_clear(&signer);
	aws_credentials_release(first);
	aws_credentials_release(second);
}

int
main(void)
{
	aws_auth_library_init(aws_default_allocator());
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *secret = cases[i].secret != NULL ? cases[i].secret : SECRET;
		struct aws_credentials *credentials = credentials_of(secret, cases[i].token);
		struct dynamo_signer signer = {0};
		struct aws_http_message *http =
		    dynamo_sign(&signer, &cases[i].message, credentials, EXAMPLE_MS);

		if (ok(http != NULL, "%s can be signed", cases[i].sentence)) {
			is_str(header_of(http, "Authorization"), cases[i].authorization,
			    "%s has its signature", cases[i].sentence);
			is_str(header_of(http, "X-Amz-Date"), STR("20150830T123600Z"), "its date");
			is_str(header_of(http, "X-Amz-Security-Token"), cases[i].token,
			    "and its token, if there is one");
		}
		aws_http_message_release(http);
		aws_credentials_release(credentials);
		dynamo_signer_clear(&signer);
	}
	used_signers();
	aws_auth_library_clean_up();
	return tap_done();
}
