/*
 * Signature Version 4, for the one form that requests to DynamoDB have: a POST of / without a query, with
 * these headers and no others signed, in this order:
 *
 *	content-length  content-type  host  x-amz-date  [x-amz-security-token]  x-amz-target
 *
 * The signature is the HMAC of a text that names the time, the scope and the hash of the canonical
 * request, under a key that is derived from the secret, the day, the region and the service. The hash is
 * taken of the parts as they come, so nothing of it has to be put together. aws-c-auth signs requests
 * of any form, at three times the work.
 */
#include "table/dynamo_sign.h"

#include <aws/io/stream.h>

/* OpenSSL's own functions for SHA-256: what has come in their place costs more than the hash itself. */
#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define HASH SHA256_DIGEST_LENGTH
#define SECRET_MAX 1024
#define CONTENT_TYPE STR("application/x-amz-json-1.0")

struct signing {
	const struct dynamo_message *message;
	struct str token;  /* of a session; empty: none */
	char stamp[20];    /* 20150830T123600Z, whose first eight are the day */
	char length[24];   /* of the body */
	const char *names; /* of the headers that are signed */
};

static struct str
slice_of(struct aws_byte_cursor cursor)
{
	return (struct str){(const char *)cursor.ptr, cursor.len};
}

/* --- Hashes ------------------------------------------------------------------------------------------ */

static void
add(SHA256_CTX *hash, struct str text)
{
	SHA256_Update(hash, text.base, text.len);
}

static void
add_line(SHA256_CTX *hash, struct str name, struct str value)
{
	add(hash, name);
	add(hash, value);
	add(hash, STR("\n"));
}

/* As small hexadecimal digits, with a NUL behind. */
static void
finish_hash(SHA256_CTX *hash, char hex[2 * HASH + 1])
{
	unsigned char bytes[HASH];

	SHA256_Final(bytes, hash);
	sodium_bin2hex(hex, 2 * HASH + 1, bytes, sizeof(bytes));
}

static void
hash_request(const struct signing *s, char hex[2 * HASH + 1])
{
	SHA256_CTX hash;
	char body[2 * HASH + 1];

	SHA256_Init(&hash);
	add(&hash, s->message->body);
	finish_hash(&hash, body);
	SHA256_Init(&hash);
	add(&hash, STR("POST\n/\n\n"));
	add_line(&hash, STR("content-length:"), str_of(s->length));
	add_line(&hash, STR("content-type:"), CONTENT_TYPE);
	add_line(&hash, STR("host:"), s->message->host);
	add_line(&hash, STR("x-amz-date:"), str_of(s->stamp));
	if (s->token.len != 0)
		add_line(&hash, STR("x-amz-security-token:"), s->token);
	add_line(&hash, STR("x-amz-target:"), s->message->target);
	add_line(&hash, STR("\n"), str_of(s->names));
	add(&hash, str_of(body));
	finish_hash(&hash, hex);
}

/* --- The key ----------------------------------------------------------------------------------------- */

/* Begins a hash with the key, XORed with `pad` and filled up to a block. */
static void
add_padded(SHA256_CTX *hash, const unsigned char key[SHA256_CBLOCK], unsigned char pad)
{
	unsigned char block[SHA256_CBLOCK];

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = key[i] ^ pad;
	SHA256_Init(hash);
	SHA256_Update(hash, block, sizeof(block));
	sodium_memzero(block, sizeof(block));
}

/* The HMAC of some parts under a key. */
static void
mac(unsigned char out[HASH], struct str key, const struct str *parts, size_t count)
{
	unsigned char block[SHA256_CBLOCK] = {0}, inner[HASH];
	SHA256_CTX hash;

	if (key.len > sizeof(block))
		SHA256((const unsigned char *)key.base, key.len, block);
	else
		memcpy(block, key.base, key.len);
	add_padded(&hash, block, 0x36);
	for (size_t i = 0; i < count; i++)
		add(&hash, parts[i]);
	SHA256_Final(inner, &hash);
	add_padded(&hash, block, 0x5c);
	SHA256_Update(&hash, inner, sizeof(inner));
	SHA256_Final(out, &hash);
	sodium_memzero(block, sizeof(block));
	sodium_memzero(&hash, sizeof(hash));
}

/* False for a secret that no service gives. */
static bool
derive_key(const struct signing *s, struct str secret, unsigned char key[HASH])
{
	const struct str steps[] = {
	    {s->stamp, 8}, s->message->region, STR("dynamodb"), STR("aws4_request")};
	char first[SECRET_MAX + 4] = "AWS4";
	struct str with = {first, secret.len + 4};

	if (secret.len == 0 || secret.len > SECRET_MAX)
		return false;
	memcpy(first + 4, secret.base, secret.len);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		mac(key, with, &steps[i], 1);
		with = (struct str){(const char *)key, HASH};
	}
	sodium_memzero(first, sizeof(first));
	return true;
}

/* --- The message ------------------------------------------------------------------------------------- */

static void
add_header(struct aws_http_message *http, struct str name, struct str value)
{
	aws_http_message_add_header(
	    http, (struct aws_http_header){.name = cursor_of(name), .value = cursor_of(value)});
}

static struct aws_http_message *
message_of(const struct signing *s, struct str authorization)
{
	struct aws_http_message *http = aws_http_message_new_request(aws_default_allocator());
	struct aws_byte_cursor body = cursor_of(s->message->body);
	struct aws_input_stream *stream =
	    aws_input_stream_new_from_cursor(aws_default_allocator(), &body);

	aws_http_message_set_request_method(http, cursor_of(STR("POST")));
	aws_http_message_set_request_path(http, cursor_of(STR("/")));
	add_header(http, STR("Host"), s->message->host);
	add_header(http, STR("Content-Type"), CONTENT_TYPE);
	add_header(http, STR("Content-Length"), str_of(s->length));
	add_header(http, STR("X-Amz-Target"), s->message->target);
	add_header(http, STR("X-Amz-Date"), str_of(s->stamp));
	if (s->token.len != 0)
		add_header(http, STR("X-Amz-Security-Token"), s->token);
	add_header(http, STR("Authorization"), authorization);
	add_header(http, STR("User-Agent"), STR("broadsheet"));
	aws_http_message_set_body_stream(http, stream);
	aws_input_stream_release(stream);
	return http;
}

struct aws_http_message *
dynamo_sign(
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now)
{
	const struct str id = slice_of(aws_credentials_get_access_key_id(credentials));
	struct signing s = {
	    .message = message,
	    .token = slice_of(aws_credentials_get_session_token(credentials)),
	};
	unsigned char key[HASH], signature[HASH];
	char hash[2 * HASH + 1], hex[2 * HASH + 1], authorization[1024];
	const time_t seconds = now / 1000;
	struct tm tm;
	int len;

	gmtime_r(&seconds, &tm);
	strftime(s.stamp, sizeof(s.stamp), "%Y%m%dT%H%M%SZ", &tm);
	snprintf(s.length, sizeof(s.length), "%zu", message->body.len);
	s.names =
	    s.token.len != 0
		? "content-length;content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
		: "content-length;content-type;host;x-amz-date;x-amz-target";
	if (!derive_key(&s, slice_of(aws_credentials_get_secret_access_key(credentials)), key))
		return NULL;
	hash_request(&s, hash);
	mac(signature, (struct str){(const char *)key, HASH},
	    (const struct str[]){STR("AWS4-HMAC-SHA256\n"), str_of(s.stamp), STR("\n"),
		{s.stamp, 8}, STR("/"), message->region, STR("/dynamodb/aws4_request\n"),
		str_of(hash)},
	    8);
	sodium_memzero(key, sizeof(key));
	sodium_bin2hex(hex, sizeof(hex), signature, sizeof(signature));
	len = snprintf(authorization, sizeof(authorization),
	    "AWS4-HMAC-SHA256 Credential=%.*s/%.8s/%.*s/dynamodb/aws4_request, "
	    "SignedHeaders=%s, Signature=%s",
	    STR_ARGS(id), s.stamp, STR_ARGS(message->region), s.names, hex);
	if (len < 0 || (size_t)len >= sizeof(authorization))
		return NULL;
	return message_of(&s, (struct str){authorization, (size_t)len});
}
