#include "table/dynamo_sign.h"

#include <aws/auth/signable.h>
#include <aws/auth/signing.h>
#include <aws/auth/signing_config.h>
#include <aws/auth/signing_result.h>
#include <aws/common/date_time.h>
#include <aws/io/stream.h>

#include <inttypes.h>
#include <stdio.h>

struct signing {
	struct aws_http_message *http;
	bool done;
};

/* Called before aws_sign_request_aws() returns, since the credentials are there already. */
static void
on_signed(struct aws_signing_result *result, int error, void *data)
{
	struct signing *signing = data;

	signing->done =
	    error == AWS_ERROR_SUCCESS && aws_apply_signing_result_to_http_request(signing->http,
					      aws_default_allocator(), result) == AWS_OP_SUCCESS;
}

static void
add_header(struct aws_http_message *http, struct str name, struct str value)
{
	aws_http_message_add_header(
	    http, (struct aws_http_header){.name = cursor_of(name), .value = cursor_of(value)});
}

static struct aws_http_message *
unsigned_message(const struct dynamo_message *message)
{
	struct aws_http_message *http = aws_http_message_new_request(aws_default_allocator());
	struct aws_byte_cursor body = cursor_of(message->body);
	struct aws_input_stream *stream =
	    aws_input_stream_new_from_cursor(aws_default_allocator(), &body);
	char length[24];

	snprintf(length, sizeof(length), "%zu", message->body.len);
	aws_http_message_set_request_method(http, cursor_of(STR("POST")));
	aws_http_message_set_request_path(http, cursor_of(STR("/")));
	add_header(http, STR("Host"), message->host);
	add_header(http, STR("Content-Type"), STR("application/x-amz-json-1.0"));
	add_header(http, STR("Content-Length"), str_of(length));
	add_header(http, STR("X-Amz-Target"), message->target);
	add_header(http, STR("User-Agent"), STR("broadsheet"));
	aws_http_message_set_body_stream(http, stream);
	aws_input_stream_release(stream);
	return http;
}

struct aws_http_message *
dynamo_sign(
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now)
{
	struct signing signing = {.http = unsigned_message(message)};
	struct aws_signing_config_aws config = {
	    .config_type = AWS_SIGNING_CONFIG_AWS,
	    .algorithm = AWS_SIGNING_ALGORITHM_V4,
	    .signature_type = AWS_ST_HTTP_REQUEST_HEADERS,
	    .region = cursor_of(message->region),
	    .service = cursor_of(STR("dynamodb")),
	    .flags = {.use_double_uri_encode = 1, .should_normalize_uri_path = 1},
	    .signed_body_header = AWS_SBHT_NONE,
	    .credentials = credentials,
	};
	struct aws_signable *signable =
	    aws_signable_new_http_request(aws_default_allocator(), signing.http);

	aws_date_time_init_epoch_millis(&config.date, (uint64_t)now);
	if (aws_sign_request_aws(aws_default_allocator(), signable,
		(const struct aws_signing_config_base *)&config, on_signed,
		&signing) != AWS_OP_SUCCESS)
		signing.done = false;
	aws_signable_destroy(signable);
	if (signing.done)
		return signing.http;
	aws_http_message_release(signing.http);
	return NULL;
}
