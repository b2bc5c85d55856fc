#include "table/dynamo/pool.h"

#include <aws/common/error.h>
#include <aws/http/connection_manager.h>
#include <aws/io/io.h>
#include <aws/io/socket.h>
#include <aws/io/tls_channel_handler.h>

enum {
	CONNECT_MS = 1000,
	TLS_MS = 1000,
	IDLE_MS = 20 * 1000, /* below what servers allow, so that we are the one who hangs up */
};

/* --- Trust ------------------------------------------------------------------------------------------ */

bool
trust_store_begin(struct trust_store *trust, struct str ca_file)
{
	struct aws_tls_ctx_options options;
	bool named = ca_file.len > 0;

	aws_tls_ctx_options_init_default_client(&options, aws_default_allocator());
	/*
	 * Also for what the credentials chain asks of the network, when the endpoints are plain. Without certificates it
	 * trusts nobody: those of a folder that can't be one.
	 */
	if (aws_tls_ctx_options_override_default_trust_store_from_path(&options,
		named ? NULL : "/dev/null", named ? ca_file.base : NULL) == AWS_OP_SUCCESS)
		trust->context = aws_tls_client_ctx_new(aws_default_allocator(), &options);
	aws_tls_ctx_options_clean_up(&options);
	return trust->context != NULL;
}

void
trust_store_end(struct trust_store *trust)
{
	aws_tls_ctx_release(trust->context);
}

/*
 * The library keeps a failed handshake to itself for half a minute, so as not to tell an attacker when it
 * failed; for the operator's sake it is noted at once.
 */
static void
on_handshake(
    struct aws_channel_handler *handler, struct aws_channel_slot *slot, int error, void *data)
{
	struct trust_store *trust = data;

	(void)handler;
	(void)slot;
	trust->handshake_failed = error != AWS_ERROR_SUCCESS;
}

const char *
trust_store_error(const struct trust_store *trust)
{
	return trust->handshake_failed
		   ? "TLS fails: the server's certificate is not trusted, or of "
		     "another name; look at "
		     "AWS_CA_BUNDLE and the endpoint"
		   : "no connection to DynamoDB in time";
}

const char *
trust_store_error_of(const struct trust_store *trust, int error)
{
	switch (error) {
	case AWS_IO_SOCKET_CONNECTION_REFUSED:
		return "nobody listens there: look at AWS_ENDPOINT_URL_DYNAMODB";
	case AWS_IO_DNS_QUERY_FAILED:
	case AWS_IO_DNS_INVALID_NAME:
	case AWS_IO_DNS_NO_ADDRESS_FOR_HOST:
		return "the name is not known: look at AWS_ENDPOINT_URL_DYNAMODB and AWS_REGION";
	case AWS_IO_SOCKET_NO_ROUTE_TO_HOST:
	case AWS_IO_SOCKET_NETWORK_DOWN:
	case AWS_IO_SOCKET_TIMEOUT:
		return "it can't be reached: look at AWS_ENDPOINT_URL_DYNAMODB and the network";
	case AWS_IO_SOCKET_CLOSED:
		if (!trust->handshake_failed)
			return "the connection is closed at once: look at "
			       "AWS_ENDPOINT_URL_DYNAMODB, http or https";
		/* fallthrough */
	case AWS_IO_TLS_ERROR_NEGOTIATION_FAILURE: return trust_store_error(trust);
	default: return aws_error_name(error);
	}
}

/* --- Pools ------------------------------------------------------------------------------------------ */

struct aws_http_connection_manager *
dynamo_pool_new(struct trust_store *trust, const struct dynamo_endpoint *to,
    struct aws_client_bootstrap *bootstrap, unsigned connections,
    const struct aws_shutdown_callback_options *end)
{
	struct aws_byte_cursor host = aws_byte_cursor_from_array(to->host.base, to->host.len);
	struct aws_tls_connection_options tls;
	struct aws_socket_options socket = {
	    .type = AWS_SOCKET_STREAM, .domain = AWS_SOCKET_IPV4, .connect_timeout_ms = CONNECT_MS};
	struct aws_http_connection_manager_options options = {
	    .bootstrap = bootstrap,
	    .initial_window_size = SIZE_MAX,
	    .socket_options = &socket,
	    .host = host,
	    .port = to->port,
	    .max_connections = connections,
	    .max_connection_idle_in_milliseconds = IDLE_MS,
	    .shutdown_complete_callback = end->shutdown_callback_fn,
	    .shutdown_complete_user_data = end->shutdown_callback_user_data,
	};
	struct aws_http_connection_manager *pool;

	if (to->tls) {
		aws_tls_connection_options_init_from_ctx(&tls, trust->context);
		tls.timeout_ms = TLS_MS;
		aws_tls_connection_options_set_callbacks(&tls, on_handshake, NULL, NULL, trust);
		aws_tls_connection_options_set_server_name(&tls, aws_default_allocator(), &host);
		aws_tls_connection_options_set_alpn_list(&tls, aws_default_allocator(), "http/1.1");
		options.tls_connection_options = &tls;
	}
	pool = aws_http_connection_manager_new(aws_default_allocator(), &options);
	if (to->tls)
		aws_tls_connection_options_clean_up(&tls);
	return pool;
}
