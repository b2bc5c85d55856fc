/*
 * Signature Version 4, for the one form that requests to DynamoDB have: a POST of / without a query, with
 * these headers and no others signed, in this order:
 *
 *	content-length  content-type  host  x-amz-date  [x-amz-security-token]  x-amz-target
 *
 * The signature is the HMAC of a text that names the time, the scope and the hash of the canonical
 * request, under a key that is derived from the secret, the day, the region and the service. The parts are
 * hashed one by one, without assembling them. aws-c-auth signs requests of any form, and takes three times
 * as long.
 */
#include "table/dynamo/sign.h"

#include <aws/io/stream.h>

/*
 * OpenSSL's deprecated functions for SHA-256: those that replaced them cost more than the hash
 * itself.
 */
#define OPENSSL_API_COMPAT 10100
#include <openssl/sha.h>

#include <sodium.h>
#include <string.h>
#include <time.h>

#define HASH SHA256_DIGEST_LENGTH
#define SECRET_MAX 1024
#define DAY_SECONDS 86400
#define CONTENT_TYPE STR("application/x-amz-json-1.0")

struct signing {
	const struct dynamo_message *message;
	const struct dynamo_signer *signer;
	struct str token;  /* of a session, or empty */
	struct str stamp;  /* its first eight characters are the day */
	struct str length; /* of the body */
	struct str names;  /* of the signed headers */
};

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

/* As lowercase hexadecimal digits. They are sent in the open, so the time taken may be seen. */
static struct str
put_hex(char hex[2 * HASH], const unsigned char bytes[HASH])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < HASH; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	return (struct str){hex, 2 * HASH};
}

static struct str
finish_hash(SHA256_CTX *hash, char hex[2 * HASH])
{
	unsigned char bytes[HASH];

	SHA256_Final(bytes, hash);
	return put_hex(hex, bytes);
}

static struct str
hash_request(const struct signing *s, char hex[2 * HASH])
{
	SHA256_CTX hash;
	char room[2 * HASH];
	struct str body;

	SHA256_Init(&hash);
	add(&hash, s->message->body);
	body = finish_hash(&hash, room);
	SHA256_Init(&hash);
	add(&hash, STR("POST\n/\n\n"));
	add_line(&hash, STR("content-length:"), s->length);
	add_line(&hash, STR("content-type:"), CONTENT_TYPE);
	add_line(&hash, STR("host:"), s->message->host);
	add_line(&hash, STR("x-amz-date:"), s->stamp);
	if (s->token.len != 0)
		add_line(&hash, STR("x-amz-security-token:"), s->token);
	add_line(&hash, STR("x-amz-target:"), s->message->target);
	add_line(&hash, STR("\n"), s->names);
	add(&hash, body);
	return finish_hash(&hash, hex);
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

/* False for a secret that no service issues. */
static bool
derive_key(struct str secret, struct str day, struct str region, unsigned char key[HASH])
{
	const struct str steps[] = {day, region, STR("dynamodb"), STR("aws4_request")};
	char first[SECRET_MAX + 4] = "AWS4";
	struct str with = {first, secret.len + 4};

	if (secret.len == 0 || secret.len > SECRET_MAX)
		return false;
	memcpy(first + 4, secret.base, secret.len);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		mac(key, with, &steps[i], 1);
		with = (struct str){(const char *)key, HASH};
	}
	sodium_memzero(first, secret.len + 4);
	return true;
}

void
dynamo_signer_clear(struct dynamo_signer *signer)
{
	aws_credentials_release(signer->credentials);
	sodium_memzero(signer, sizeof(*signer));
}

/* Updates the stamp and the key for this time and these credentials; false when they can't sign. */
static bool
prepare(struct dynamo_signer *signer, const struct aws_credentials *credentials, struct str region,
    int64_t seconds)
{
	bool same_day = signer->seconds / DAY_SECONDS == seconds / DAY_SECONDS;
	struct tm tm;

	if (signer->seconds != seconds || signer->credentials == NULL) {
		gmtime_r(&(time_t){seconds}, &tm);
		strftime(signer->stamp, sizeof(signer->stamp), "%Y%m%dT%H%M%SZ", &tm);
		signer->seconds = seconds;
	}
	/* While they are held, no others can have the same address. */
	if (signer->credentials == credentials && same_day)
		return true;
	aws_credentials_release(signer->credentials);
	signer->credentials = NULL;
	if (!derive_key(slice_of(aws_credentials_get_secret_access_key(credentials)),
		(struct str){signer->stamp, 8}, region, signer->key))
		return false;
	aws_credentials_acquire(credentials);
	signer->credentials = credentials;
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
	add_header(http, STR("Content-Length"), s->length);
	add_header(http, STR("X-Amz-Target"), s->message->target);
	add_header(http, STR("X-Amz-Date"), s->stamp);
	if (s->token.len != 0)
		add_header(http, STR("X-Amz-Security-Token"), s->token);
	add_header(http, STR("Authorization"), authorization);
	add_header(http, STR("User-Agent"), STR("broadsheet"));
	aws_http_message_set_body_stream(http, stream);
	aws_input_stream_release(stream);
	return http;
}

/* Concatenates the parts; empty when they do not fit. */
static struct str
join(char *room, size_t size, const struct str *parts, size_t count)
{
	size_t len = 0;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].len > size - len)
			return STR("");
		memcpy(room + len, parts[i].base, parts[i].len);
		len += parts[i].len;
	}
	return (struct str){room, len};
}

/* The value of the header of that name. */
static struct str
authorization(const struct signing *s, struct str id, char *room, size_t size)
{
	const struct str region = s->message->region, day = {s->stamp.base, 8};
	unsigned char signature[HASH];
	char hash[2 * HASH], hex[2 * HASH];

	mac(signature, (struct str){(const char *)s->signer->key, HASH},
	    (const struct str[]){STR("AWS4-HMAC-SHA256\n"), s->stamp, STR("\n"), day, STR("/"),
		region, STR("/dynamodb/aws4_request\n"), hash_request(s, hash)},
	    8);
	return join(room, size,
	    (const struct str[]){STR("AWS4-HMAC-SHA256 Credential="), id, STR("/"), day, STR("/"),
		region, STR("/dynamodb/aws4_request, SignedHeaders="), s->names,
		STR(", Signature="), put_hex(hex, signature)},
	    10);
}

struct aws_http_message *
dynamo_sign(struct dynamo_signer *signer, const struct dynamo_message *message,
    const struct aws_credentials *credentials, int64_t now)
{
	char digits[STR_DECIMAL], *const end = digits + sizeof(digits), room[1024];
	const char *length = str_put_decimal(end, (int64_t)message->body.len);
	struct signing s = {
	    .message = message,
	    .signer = signer,
	    .token = slice_of(aws_credentials_get_session_token(credentials)),
	    .length = {length, (size_t)(end - length)},
	    .stamp = {signer->stamp, sizeof(signer->stamp) - 1},
	    .names = STR("content-length;content-type;host;x-amz-date;x-amz-target"),
	};
	struct str text;

	if (s.token.len != 0)
		s.names = STR("content-length;content-type;host;x-amz-date;"
			      "x-amz-security-token;x-amz-target");
	if (!prepare(signer, credentials, message->region, now / 1000))
		return NULL;
	text = authorization(
	    &s, slice_of(aws_credentials_get_access_key_id(credentials)), room, sizeof(room));
	return text.len != 0 ? message_of(&s, text) : NULL;
}
