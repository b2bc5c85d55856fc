/*
 * The stages of an exchange: credentials → a connection of the pool → signed and sent → headers → body →
 * complete. Each is a callback: mostly on the waiting thread itself, which runs the event loop of a lane of
 * its own (lane.h) while it waits, otherwise on a thread of the client.
 *
 *  1. An exchange has two sides, the waiting one and the client's. The client's ends in finish(), once,
 *     whatever happens; the waiting one in exchange_free() or exchange_abandon().
 *  2. `lock` of the group guards `stage`, `abandoned` and `connection`. Nothing of the
 *     library is called with it held but aws_http_connection_close(), which only schedules.
 *  3. `answer` and `status` are the client's until `stage` is one of the last three, then the waiter's.
 *  4. Once abandoned, finish() frees the exchange; until then it wakes the group.
 *  5. The client may be closed once its exchanges are abandoned. What they depend on stays: the pool, by a reference
 *     until it was asked for a connection, and then by the pending answer; the rest, by a reference to the source
 *     of credentials, to the end of finish().
 */
#include "table/dynamo/exchange.h"

#include "base/arena.h"
#include "table/dynamo/crc.h"
#include "table/dynamo/lane.h"
#include "table/dynamo/loop.h"
#include "table/dynamo/sign.h"

#include <aws/common/error.h>
#include <aws/http/connection.h>
#include <aws/http/connection_manager.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- An answer as it comes -------------------------------------------------------------------- */

/*
 * The body of an HTTP answer while it is received, complete only at its end, and the checksum from
 * its headers. It belongs to the thread that does the client's work. Initialise it with zeros; free
 * it with answer_free().
 */
struct answer {
	char *bytes;
	size_t len;

	/* used by answer_add() and answer_header() */
	size_t capacity, expected; /* expected: by the headers */
	bool summed;               /* it carries a checksum */
	uint32_t sum;
};

enum {
	/*
	 * A batch has up to 16 MB of items, and one byte of them may be nine in JSON (an empty
	 * string in a list) or six (a control character). Memory is allocated as the answer
	 * arrives.
	 */
	MOST = 160 * 1024 * 1024,
	GUESS = 4096,
	TRUSTED = 1024 * 1024,
};

/* Notes a header; most say nothing about the body. */
static void
answer_header(struct answer *answer, struct str name, struct str value)
{
	int64_t number;

	if (str_eq_nocase(name, STR("x-amz-crc32")) && str_int(value, &number) && number >= 0 &&
	    number <= UINT32_MAX) {
		answer->summed = true;
		answer->sum = (uint32_t)number;
	} else if (str_eq_nocase(name, STR("content-length")) && str_int(value, &number) &&
		   number >= 0 && number <= TRUSTED) {
		answer->expected = (size_t)number;
	}
}

/* Appends to the body. False when it is larger than any answer of DynamoDB's. */
static bool
answer_add(struct answer *answer, struct str bytes)
{
	size_t want = answer->capacity;

	if (bytes.len > MOST - answer->len)
		return false;
	if (want == 0)
		want = answer->expected != 0 ? answer->expected : GUESS;
	while (want < answer->len + bytes.len)
		want *= 2;
	if (want != answer->capacity) {
		answer->bytes = realloc(answer->bytes, want);
		if (answer->bytes == NULL)
			out_of_memory();
		answer->capacity = want;
	}
	memcpy(answer->bytes + answer->len, bytes.base, bytes.len);
	answer->len += bytes.len;
	return true;
}

/* Is the checksum right? True if there was none. */
static bool
answer_sound(const struct answer *answer)
{
	return !answer->summed || dynamo_crc(answer->bytes, answer->len) == answer->sum;
}

static void
answer_free(struct answer *answer)
{
	free(answer->bytes);
}

/* --- The exchange ----------------------------------------------------------------------------- */

struct exchange_group {
	pthread_mutex_t lock;
	sem_t moved;   /* something has happened since the last wait */
	unsigned refs; /* the waiter, and every exchange that has not finished */
	struct dynamo_lanes *lanes;
	struct dynamo_lane *lane; /* the waiter's until it leaves the group, or NULL */
};

struct exchange {
	struct dynamo_http *http;
	struct exchange_group *group;
	enum dynamo_service service;
	struct dynamo_lane *lane; /* the lane of its connection; NULL: the service's pool */

	enum exchange_stage stage;
	int64_t since; /* when it reached this stage */
	bool abandoned;
	const char *why;
	struct aws_http_connection *connection;
	struct aws_http_message *message;
	struct aws_http_connection_manager *pool; /* held until it is asked for a connection */
	struct aws_credentials_provider *credentials;

	int status;
	struct answer answer;

	struct str target, body; /* into `request` */
	char request[];
};

static int64_t
milliseconds(clockid_t which)
{
	struct timespec ts;

	clock_gettime(which, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t
exchange_now(void)
{
	return milliseconds(CLOCK_MONOTONIC);
}

/* --- Groups --------------------------------------------------------------------------------- */

struct exchange_group *
exchange_group_new(struct dynamo_http *http, enum dynamo_service service)
{
	struct exchange_group *group = calloc(1, sizeof(*group));

	if (group == NULL)
		out_of_memory();
	pthread_mutex_init(&group->lock, NULL);
	sem_init(&group->moved, 0, 0);
	group->refs = 1;
	group->lanes = dynamo_http_lanes(http);
	if (service == DYNAMO_ITEMS)
		group->lane = dynamo_lane_take(group->lanes);
	return group;
}

/* With the lock held, which it releases. */
static void
drop_group(struct exchange_group *group)
{
	bool last = --group->refs == 0;

	pthread_mutex_unlock(&group->lock);
	if (!last)
		return;
	sem_destroy(&group->moved);
	pthread_mutex_destroy(&group->lock);
	free(group);
}

void
exchange_group_leave(struct exchange_group *group)
{
	if (group->lane != NULL)
		dynamo_lane_leave(group->lanes, group->lane);
	pthread_mutex_lock(&group->lock);
	drop_group(group);
}

static void
sleep_until(struct exchange_group *group, int64_t until)
{
	struct timespec ts = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};

	while (sem_clockwait(&group->moved, CLOCK_MONOTONIC, &ts) != 0 && errno == EINTR)
		;
}

/* Waits, and meanwhile does the client's work. */
static void
work_until(struct exchange_group *group, int64_t until)
{
	struct dynamo_loop *loop = group->lane->loop;
	int64_t now;

	dynamo_loop_run(loop);
	while (sem_trywait(&group->moved) != 0 && (now = exchange_now()) < until) {
		dynamo_loop_hear(loop, until - now);
		dynamo_loop_run(loop);
	}
}

void
exchange_wait(struct exchange_group *group, int64_t until)
{
	if (group->lane != NULL)
		work_until(group, until);
	else
		sleep_until(group, until);
	while (sem_trywait(&group->moved) == 0)
		;
}

/* --- The client's side ----------------------------------------------------------------------- */

static struct aws_http_connection_manager *
pool_of(const struct exchange *exchange)
{
	return exchange->lane != NULL ? exchange->lane->pool
				      : dynamo_http_pool(exchange->http, exchange->service);
}

static void
destroy(struct exchange *exchange)
{
	answer_free(&exchange->answer);
	free(exchange);
}

/* The end of the client's side: it does not touch the exchange again. */
static void
finish(struct exchange *exchange, enum exchange_stage stage, const char *why)
{
	struct exchange_group *group = exchange->group;
	struct aws_credentials_provider *credentials = exchange->credentials;
	bool abandoned;

	if (exchange->message != NULL)
		aws_http_message_release(exchange->message);
	exchange->message = NULL;
	if (exchange->pool != NULL)
		aws_http_connection_manager_release(exchange->pool);
	exchange->pool = NULL;
	if (exchange->lane != NULL)
		exchange->lane->under_way--;
	pthread_mutex_lock(&group->lock);
	exchange->stage = stage;
	exchange->why = why;
	abandoned = exchange->abandoned;
	pthread_mutex_unlock(&group->lock);
	/*
	 * Without the lock, for which the waiter would have to wait; our reference keeps the group.
	 */
	sem_post(&group->moved);
	if (group->lane != NULL && !dynamo_loop_mine(group->lane->loop))
		dynamo_loop_wake(group->lane->loop);
	pthread_mutex_lock(&group->lock);
	drop_group(group);
	if (abandoned)
		destroy(exchange);
	aws_credentials_provider_release(credentials);
}

/* Moves to the stage; false once abandoned. */
static bool
move_to(struct exchange *exchange, enum exchange_stage stage)
{
	bool wanted;

	pthread_mutex_lock(&exchange->group->lock);
	exchange->stage = stage;
	exchange->since = exchange_now();
	wanted = !exchange->abandoned;
	pthread_mutex_unlock(&exchange->group->lock);
	return wanted;
}

static int
on_headers(struct aws_http_stream *stream, enum aws_http_header_block block,
    const struct aws_http_header *headers, size_t count, void *data)
{
	struct exchange *exchange = data;

	(void)stream;
	if (block != AWS_HTTP_HEADER_BLOCK_MAIN)
		return AWS_OP_SUCCESS;
	for (size_t i = 0; i < count; i++)
		answer_header(
		    &exchange->answer, slice_of(headers[i].name), slice_of(headers[i].value));
	/*
	 * Headers may come in several calls; the first one sets the stage, which only this thread
	 * writes now.
	 */
	if (exchange->stage != EXCHANGE_ANSWERING)
		move_to(exchange, EXCHANGE_ANSWERING);
	return AWS_OP_SUCCESS;
}

static int
on_body(struct aws_http_stream *stream, const struct aws_byte_cursor *bytes, void *data)
{
	struct exchange *exchange = data;

	(void)stream;
	return answer_add(&exchange->answer, slice_of(*bytes))
		   ? AWS_OP_SUCCESS
		   : aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
}

/* What is wrong with a complete answer, or NULL. */
static const char *
answer_error(const struct exchange *exchange, int error)
{
	if (error != AWS_ERROR_SUCCESS)
		return aws_error_name(error);
	return answer_sound(&exchange->answer) ? NULL : "the answer does not match its checksum";
}

static void
on_complete(struct aws_http_stream *stream, int error, void *data)
{
	struct exchange *exchange = data;
	struct aws_http_connection *connection;
	const char *why = answer_error(exchange, error);

	aws_http_stream_get_incoming_response_status(stream, &exchange->status);
	pthread_mutex_lock(&exchange->group->lock);
	connection = exchange->connection;
	exchange->connection = NULL;
	pthread_mutex_unlock(&exchange->group->lock);
	/* Before the waiter wakes, which may want the connection for its next request. */
	aws_http_connection_manager_release_connection(pool_of(exchange), connection);
	finish(exchange, why == NULL ? EXCHANGE_DONE : EXCHANGE_LOST, why);
}

/* Creates the stream and activates it; on failure nothing of it remains. */
static bool
send_over(struct exchange *exchange, struct aws_http_connection *connection)
{
	struct aws_http_make_request_options options = {
	    .self_size = sizeof(options),
	    .request = exchange->message,
	    .user_data = exchange,
	    .on_response_headers = on_headers,
	    .on_response_body = on_body,
	    .on_complete = on_complete,
	};
	struct aws_http_stream *stream = aws_http_connection_make_request(connection, &options);
	bool sent;

	if (stream == NULL)
		return false;
	sent = aws_http_stream_activate(stream) == AWS_OP_SUCCESS;
	/* The connection holds a reference from here on. */
	aws_http_stream_release(stream);
	return sent;
}

static void
on_connected(struct aws_http_connection *connection, int error, void *data)
{
	struct exchange *exchange = data;
	bool wanted;

	if (connection == NULL) {
		finish(exchange, EXCHANGE_FAILED,
		    trust_store_error_of(dynamo_http_trust_store(exchange->http), error));
		return;
	}
	pthread_mutex_lock(&exchange->group->lock);
	wanted = !exchange->abandoned;
	if (wanted) {
		exchange->stage = EXCHANGE_SENT;
		exchange->since = exchange_now();
		exchange->connection = connection;
	}
	pthread_mutex_unlock(&exchange->group->lock);
	/* Once sent, the exchange may end on another thread at any moment. */
	if (wanted && send_over(exchange, connection))
		return;
	pthread_mutex_lock(&exchange->group->lock);
	exchange->connection = NULL;
	pthread_mutex_unlock(&exchange->group->lock);
	aws_http_connection_manager_release_connection(pool_of(exchange), connection);
	finish(exchange, EXCHANGE_FAILED, "the connection was closed before the request");
}

/*
 * A signature is valid for some minutes, so its time is the system's and not the clock's of the
 * table.
 */
static struct aws_http_message *
sign(struct exchange *exchange, const struct aws_credentials *credentials)
{
	/* Credentials that had to be fetched come on a thread of the client. */
	bool mine = exchange->lane != NULL && dynamo_loop_mine(exchange->lane->loop);
	struct dynamo_signer own = {0};
	struct dynamo_message message = {
	    .host = dynamo_http_host(exchange->http, exchange->service),
	    .region = dynamo_http_region(exchange->http),
	    .target = exchange->target,
	    .body = exchange->body,
	};
	struct aws_http_message *http = dynamo_sign(mine ? &exchange->lane->signer : &own, &message,
	    credentials, milliseconds(CLOCK_REALTIME));

	dynamo_signer_clear(&own);
	return http;
}

static void
on_credentials(struct aws_credentials *credentials, int error, void *data)
{
	struct exchange *exchange = data;
	struct aws_http_connection_manager *pool = exchange->pool;

	(void)error;
	if (!move_to(exchange, EXCHANGE_CONNECTING)) {
		finish(exchange, EXCHANGE_FAILED, "abandoned");
		return;
	}
	if (credentials == NULL) {
		finish(exchange, EXCHANGE_FAILED, "no credentials are to be had");
		return;
	}
	exchange->message = sign(exchange, credentials);
	if (exchange->message == NULL) {
		finish(exchange, EXCHANGE_FAILED, "the request could not be signed");
		return;
	}
	exchange->pool = NULL;
	aws_http_connection_manager_acquire_connection(pool, on_connected, exchange);
	aws_http_connection_manager_release(pool);
}

/* --- The waiting side ------------------------------------------------------------------------- */

struct exchange *
exchange_start(
    struct dynamo_http *http, struct exchange_group *group, const struct exchange_request *request)
{
	struct exchange *exchange =
	    calloc(1, sizeof(*exchange) + request->target.len + request->body.len);

	if (exchange == NULL)
		out_of_memory();
	memcpy(exchange->request, request->target.base, request->target.len);
	memcpy(exchange->request + request->target.len, request->body.base, request->body.len);
	exchange->target = (struct str){exchange->request, request->target.len};
	exchange->body = (struct str){exchange->request + request->target.len, request->body.len};
	exchange->http = http;
	exchange->group = group;
	exchange->service = request->service;
	exchange->since = exchange_now();
	/* If the lane has no free connection, the request uses the common pool. */
	if (group->lane != NULL && request->service == DYNAMO_ITEMS &&
	    group->lane->under_way < LANE_CONNECTIONS) {
		exchange->lane = group->lane;
		exchange->lane->under_way++;
	}
	pthread_mutex_lock(&group->lock);
	group->refs++;
	pthread_mutex_unlock(&group->lock);
	exchange->pool = pool_of(exchange);
	aws_http_connection_manager_acquire(exchange->pool);
	exchange->credentials = dynamo_http_credentials(http);
	if (aws_credentials_provider_get_credentials(
		exchange->credentials, on_credentials, exchange) != AWS_OP_SUCCESS)
		finish(exchange, EXCHANGE_FAILED, "no credentials are to be had");
	return exchange;
}

enum exchange_stage
exchange_stage(struct exchange *exchange, int64_t *since)
{
	enum exchange_stage stage;

	pthread_mutex_lock(&exchange->group->lock);
	stage = exchange->stage;
	*since = exchange->since;
	pthread_mutex_unlock(&exchange->group->lock);
	return stage;
}

struct exchange_answer
exchange_answer(const struct exchange *exchange)
{
	return (struct exchange_answer){
	    .stage = exchange->stage,
	    .status = exchange->status,
	    .body = {exchange->answer.bytes, exchange->answer.len},
	    .why = exchange->why,
	};
}

void
exchange_free(struct exchange *exchange)
{
	destroy(exchange);
}

void
exchange_abandon(struct exchange *exchange)
{
	struct exchange_group *group = exchange->group;
	bool ended;

	pthread_mutex_lock(&group->lock);
	ended = exchange->stage >= EXCHANGE_DONE;
	exchange->abandoned = true;
	if (exchange->connection != NULL)
		aws_http_connection_close(exchange->connection);
	pthread_mutex_unlock(&group->lock);
	if (ended)
		destroy(exchange);
}
