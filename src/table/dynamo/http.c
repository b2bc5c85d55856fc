/*
 * The parts of the aws libraries that make up a client, and their shutdown. Each part reports its
 * own shutdown by a callback from a thread of its own; `alive` counts those that have not.
 */
#include "table/dynamo/http.h"

#include "base/arena.h"
#include "table/dynamo/credentials.h"
#include "table/dynamo/lane.h"
#include "table/dynamo/loop.h"

#include <arpa/inet.h>
#include <aws/auth/auth.h>
#include <aws/common/array_list.h>
#include <aws/common/error.h>
#include <aws/common/string.h>
#include <aws/common/thread.h>
#include <aws/http/connection_manager.h>
#include <aws/http/http.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/io/io.h>
#include <aws/io/socket.h>
#include <aws/io/tls_channel_handler.h>
#include <pthread.h>
#include <s2n.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	CONNECT_MS = 1000,
	TLS_MS = 1000,
	IDLE_MS = 20 * 1000, /* below what servers allow, so that our side closes first */
};

/* --- Trust ------------------------------------------------------------------------------------------ */

/*
 * Trusts the certificates of a file; without one (empty) it trusts none. False: the file is
 * unreadable.
 */
static bool
trust_store_begin(struct trust_store *trust, struct str ca_file)
{
	struct aws_tls_ctx_options options;
	bool named = ca_file.len > 0;

	aws_tls_ctx_options_init_default_client(&options, aws_default_allocator());
	/*
	 * Also for the network requests of the credentials chain when the endpoints are plain.
	 * Without certificates, a directory that can't exist makes it trust none.
	 */
	if (aws_tls_ctx_options_override_default_trust_store_from_path(&options,
		named ? NULL : "/dev/null", named ? ca_file.base : NULL) == AWS_OP_SUCCESS)
		trust->context = aws_tls_client_ctx_new(aws_default_allocator(), &options);
	aws_tls_ctx_options_clean_up(&options);
	return trust->context != NULL;
}

/* To be called when no pool made with it remains. */
static void
trust_store_end(struct trust_store *trust)
{
	aws_tls_ctx_release(trust->context);
}

/*
 * The library delays the report of a failed handshake by half a minute, so that an attacker does
 * not learn when it failed; for the operator's sake it is recorded at once.
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

/* A pool of at most so many connections to an endpoint. NULL on an error of the library. */
static struct aws_http_connection_manager *
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

/* --- The client ------------------------------------------------------------------------------- */

enum {
	RENEW_SECONDS = 5, /* between two requests for other credentials */
	CORES_PER_LOOP = 4,
	LOOPS_MAX = 4,
	SERVICES = 2,
};

struct dynamo_http {
	const struct dynamo_config *config;
	struct aws_event_loop_group *loops;
	struct aws_host_resolver *resolver;
	struct aws_host_resolver_vtable resolving;
	int (*resolve_name)(struct aws_host_resolver *resolver, const struct aws_string *name,
	    aws_on_host_resolved_result_fn *answer, const struct aws_host_resolution_config *config,
	    void *data);
	struct aws_client_bootstrap *bootstrap;
	struct trust_store trust;
	struct aws_http_connection_manager *pools[SERVICES];
	struct dynamo_lanes *lanes; /* more connections to the table's own requests */
	char *host_headers[SERVICES];
	char *region;
	bool credentials_late; /* the first request for credentials has not been answered */

	pthread_mutex_t lock;
	pthread_cond_t gone;
	unsigned alive; /* parts that have not shut down */
	bool closed;    /* the last part to shut down frees the client */
	struct aws_credentials_provider *credentials;
	time_t renewed;
};

/*
 * The libraries are initialised and shut down once in a process, whatever the number of clients.
 * The shutdown joins the threads of closed clients; it is left out while a client is open.
 */
static atomic_uint clients_open;

static void
end_library(void)
{
	if (clients_open != 0)
		return;
	aws_thread_join_all_managed();
	aws_auth_library_clean_up();
}

/*
 * s2n keeps random state for each thread that has used TLS. The thread that initialises the library
 * also shuts it down, which frees its own; that of any other thread is freed when the thread ends.
 */
static pthread_t starter;
static pthread_key_t guest;

static void
end_guest(void *data)
{
	(void)data;
	s2n_cleanup();
}

static void
start_library(void)
{
	aws_auth_library_init(aws_default_allocator());
	starter = pthread_self();
	pthread_key_create(&guest, end_guest);
	atexit(end_library);
}

static time_t
seconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void
part_begun(struct dynamo_http *http)
{
	pthread_mutex_lock(&http->lock);
	http->alive++;
	pthread_mutex_unlock(&http->lock);
}

static void
destroy(struct dynamo_http *http)
{
	for (int i = 0; i < SERVICES; i++)
		free(http->host_headers[i]);
	free(http->region);
	pthread_cond_destroy(&http->gone);
	pthread_mutex_destroy(&http->lock);
	free(http);
}

static void
on_part_gone(void *data)
{
	struct dynamo_http *http = data;
	bool last;

	pthread_mutex_lock(&http->lock);
	last = --http->alive == 0 && http->closed;
	pthread_cond_signal(&http->gone);
	pthread_mutex_unlock(&http->lock);
	if (last)
		destroy(http);
}

static void
wait_for_parts(struct dynamo_http *http, unsigned left)
{
	pthread_mutex_lock(&http->lock);
	while (http->alive > left)
		pthread_cond_wait(&http->gone, &http->lock);
	pthread_mutex_unlock(&http->lock);
}

/* --- Opening ------------------------------------------------------------------------------- */

static struct aws_client_bootstrap *
new_bootstrap(struct dynamo_http *http, struct aws_event_loop_group *loops)
{
	struct aws_client_bootstrap_options options = {
	    .event_loop_group = loops,
	    .host_resolver = http->resolver,
	    .on_shutdown_complete = on_part_gone,
	    .user_data = http,
	};
	struct aws_client_bootstrap *bootstrap =
	    aws_client_bootstrap_new(aws_default_allocator(), &options);

	if (bootstrap != NULL)
		part_begun(http);
	return bootstrap;
}

/*
 * An IP address resolves to itself. The library's resolver would start a thread for it, which
 * sleeps for a second before it ends, and would report it as unknown when nobody listened there.
 */
static int
resolve_host(struct aws_host_resolver *resolver, const struct aws_string *name,
    aws_on_host_resolved_result_fn *answer, const struct aws_host_resolution_config *config,
    void *data)
{
	struct dynamo_http *http =
	    AWS_CONTAINER_OF(resolver->vtable, struct dynamo_http, resolving);
	struct aws_host_address address = {.host = name, .address = name}, room;
	struct aws_array_list list;
	struct in6_addr parsed;

	if (inet_pton(AF_INET6, aws_string_c_str(name), &parsed) == 1)
		address.record_type = AWS_ADDRESS_RECORD_TYPE_AAAA;
	else if (inet_pton(AF_INET, aws_string_c_str(name), &parsed) != 1)
		return http->resolve_name(resolver, name, answer, config, data);
	address.allocator = resolver->allocator;
	aws_array_list_init_static(&list, &room, 1, sizeof(room));
	aws_array_list_push_back(&list, &address);
	answer(resolver, name, 0, &list, data);
	return AWS_OP_SUCCESS;
}

static bool
start_resolver(struct dynamo_http *http, const struct aws_shutdown_callback_options *end)
{
	struct aws_host_resolver_default_options options = {
	    .max_entries = 16, .el_group = http->loops, .shutdown_options = end};

	http->resolver = aws_host_resolver_new_default(aws_default_allocator(), &options);
	if (http->resolver == NULL)
		return false;
	part_begun(http);
	http->resolving = *http->resolver->vtable;
	http->resolve_name = http->resolving.resolve_host;
	http->resolving.resolve_host = resolve_host;
	http->resolver->vtable = &http->resolving;
	return true;
}

static bool
start_loops(struct dynamo_http *http)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN) / CORES_PER_LOOP;
	struct aws_shutdown_callback_options end = {on_part_gone, http};

	cores = cores < 1 ? 1 : cores > LOOPS_MAX ? LOOPS_MAX : cores;
	http->loops =
	    aws_event_loop_group_new_default(aws_default_allocator(), (uint16_t)cores, &end);
	if (http->loops == NULL)
		return false;
	part_begun(http);
	if (!start_resolver(http, &end))
		return false;
	http->bootstrap = new_bootstrap(http, http->loops);
	return http->bootstrap != NULL;
}

bool
dynamo_http_held(const struct dynamo_http *http)
{
	return http != NULL && (http->trust.handshake_failed || http->credentials_late);
}

static const struct dynamo_endpoint *
endpoint(const struct dynamo_http *http, enum dynamo_service service)
{
	return service == DYNAMO_ITEMS ? &http->config->items : &http->config->streams;
}

/* NULL on an error of the library. */
static struct aws_http_connection_manager *
new_pool(struct dynamo_http *http, enum dynamo_service service,
    struct aws_client_bootstrap *bootstrap, unsigned connections)
{
	const struct aws_shutdown_callback_options end = {on_part_gone, http};
	struct aws_http_connection_manager *pool =
	    dynamo_pool_new(&http->trust, endpoint(http, service), bootstrap, connections, &end);

	if (pool != NULL)
		part_begun(http);
	return pool;
}

static bool
start_pool(struct dynamo_http *http, enum dynamo_service service)
{
	const struct dynamo_endpoint *to = endpoint(http, service);
	bool usual = to->port == (to->tls ? 443 : 80);
	bool literal = str_find(to->host, ':') < to->host.len;
	char port[8] = "";

	if (!usual)
		snprintf(port, sizeof(port), ":%u", (unsigned)to->port);
	if (asprintf(&http->host_headers[service], literal ? "[%.*s]%s" : "%.*s%s",
		STR_ARGS(to->host), port) < 0)
		out_of_memory();
	http->pools[service] =
	    new_pool(http, service, http->bootstrap, (http->config->connections + 1) / 2);
	return http->pools[service] != NULL;
}

static bool
equip_lane(struct dynamo_lane *lane, void *data)
{
	struct dynamo_http *http = data;
	struct aws_shutdown_callback_options end = {on_part_gone, http};

	*lane = (struct dynamo_lane){0};
	lane->loops = dynamo_loop_new(&lane->loop, &end);
	if (lane->loops == NULL)
		return false;
	part_begun(http);
	lane->bootstrap = new_bootstrap(http, lane->loops);
	if (lane->bootstrap != NULL)
		lane->pool = new_pool(http, DYNAMO_ITEMS, lane->bootstrap, LANE_CONNECTIONS);
	if (lane->pool != NULL)
		return true;
	if (lane->bootstrap != NULL)
		aws_client_bootstrap_release(lane->bootstrap);
	aws_event_loop_group_release(lane->loops);
	return false;
}

static struct aws_credentials_provider *
new_credentials(struct dynamo_http *http)
{
	const struct aws_credentials_provider_shutdown_options end = {on_part_gone, http};
	struct aws_credentials_provider *provider = dynamo_credentials_new(
	    &http->config->source, http->bootstrap, http->trust.context, &end);

	if (provider != NULL)
		part_begun(http);
	return provider;
}

static bool
find_credentials(struct dynamo_http *http)
{
	http->credentials = new_credentials(http);
	return http->credentials != NULL &&
	       dynamo_credentials_come(http->credentials, &http->credentials_late);
}

struct dynamo_http *
dynamo_http_open(struct arena *arena, const struct dynamo_config *config, const char **why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct dynamo_http *http = calloc(1, sizeof(*http));

	if (http == NULL ||
	    (http->region = strndup(config->region.base, config->region.len)) == NULL)
		out_of_memory();
	http->config = config;
	http->lanes =
	    dynamo_lanes_new(config->connections / 2 / LANE_CONNECTIONS, equip_lane, http);
	pthread_once(&once, start_library);
	/*
	 * Where the library requests the credentials of a web identity; it does not know
	 * AWS_REGION.
	 */
	setenv("AWS_DEFAULT_REGION", http->region, 0);
	clients_open++;
	pthread_mutex_init(&http->lock, NULL);
	pthread_cond_init(&http->gone, NULL);
	*why = NULL;
	if (!start_loops(http))
		*why = "the aws libraries can't start their threads";
	else if (!trust_store_begin(&http->trust, config->ca_file))
		*why =
		    str_fmt(arena, "the certificates in %.*s are unreadable: correct AWS_CA_BUNDLE",
			STR_ARGS(config->ca_file))
			.base;
	else if (!start_pool(http, DYNAMO_ITEMS) || !start_pool(http, DYNAMO_STREAMS))
		*why = "the aws libraries can't make a pool of connections";
	else if (!find_credentials(http))
		*why = config->ca_file.len > 0
			   ? config->source.missing.base
			   : str_fmt(arena,
				 "%.*s; none come by https, as there are no trusted certificates: "
				 "install ca-certificates or set AWS_CA_BUNDLE",
				 STR_ARGS(config->source.missing))
				 .base;
	return http;
}

/* --- Closing ---------------------------------------------------------------------------------- */

/* The last part frees the client, so they are passed as arguments. */
static void
end_loops(struct aws_event_loop_group *loops, struct aws_host_resolver *resolver,
    struct aws_client_bootstrap *bootstrap)
{
	if (bootstrap != NULL)
		aws_client_bootstrap_release(bootstrap);
	if (resolver != NULL)
		aws_host_resolver_release(resolver);
	if (loops != NULL)
		aws_event_loop_group_release(loops);
}

/*
 * Waits for the pools, connection attempts and the credentials, and with them for every exchange.
 * The loops and the resolver then end by themselves; a thread that resolves a name sleeps for up to
 * a second first.
 */
void
dynamo_http_close(struct dynamo_http *http)
{
	struct dynamo_lanes *lanes;
	unsigned base;
	bool last;

	if (http == NULL)
		return;
	for (int i = 0; i < SERVICES; i++) {
		if (http->pools[i] != NULL)
			aws_http_connection_manager_release(http->pools[i]);
	}
	dynamo_lanes_close(http->lanes);
	if (http->credentials != NULL)
		aws_credentials_provider_release(http->credentials);
	base = (unsigned)(http->loops != NULL) + (unsigned)(http->resolver != NULL) +
	       (unsigned)(http->bootstrap != NULL) +
	       dynamo_lanes_count(http->lanes); /* the loop of each lane */
	wait_for_parts(http, base);
	dynamo_lanes_stop(http->lanes);
	clients_open--;
	trust_store_end(&http->trust);
	pthread_mutex_lock(&http->lock);
	lanes = http->lanes;
	http->closed = true;
	last = http->alive == 0;
	pthread_mutex_unlock(&http->lock);
	if (last)
		destroy(http);
	dynamo_lanes_free(lanes);
	if (!last)
		end_loops(http->loops, http->resolver, http->bootstrap);
}

/* --- For exchanges -------------------------------------------------------------------------- */

struct aws_http_connection_manager *
dynamo_http_pool(struct dynamo_http *http, enum dynamo_service service)
{
	return http->pools[service];
}

struct dynamo_lanes *
dynamo_http_lanes(struct dynamo_http *http)
{
	if (http->config->items.tls && !pthread_equal(pthread_self(), starter))
		pthread_setspecific(guest, http);
	return http->lanes;
}

const struct trust_store *
dynamo_http_trust_store(const struct dynamo_http *http)
{
	return &http->trust;
}

struct str
dynamo_http_host(const struct dynamo_http *http, enum dynamo_service service)
{
	return str_of(http->host_headers[service]);
}

struct str
dynamo_http_region(const struct dynamo_http *http)
{
	return str_of(http->region);
}

struct aws_credentials_provider *
dynamo_http_credentials(struct dynamo_http *http)
{
	struct aws_credentials_provider *credentials;

	pthread_mutex_lock(&http->lock);
	credentials = aws_credentials_provider_acquire(http->credentials);
	pthread_mutex_unlock(&http->lock);
	return credentials;
}

void
dynamo_http_renew(struct dynamo_http *http)
{
	struct aws_credentials_provider *old = NULL, *new;
	time_t now = seconds_now();
	bool due;

	pthread_mutex_lock(&http->lock);
	due = http->renewed == 0 || now - http->renewed >= RENEW_SECONDS;
	if (due)
		http->renewed = now;
	pthread_mutex_unlock(&http->lock);
	if (!due || (new = new_credentials(http)) == NULL)
		return;
	pthread_mutex_lock(&http->lock);
	old = http->credentials;
	http->credentials = new;
	pthread_mutex_unlock(&http->lock);
	aws_credentials_provider_release(old);
}
