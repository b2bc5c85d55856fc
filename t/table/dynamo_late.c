/*
 * Credentials that come late: the request that needed them has been abandoned, and the table is
 * being closed. That moment lasts microseconds, so the linker wraps functions of ours around two
 * others.
 */
#include "bad_network.h"
#include "dynamo_local.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo.h"
#include "table/dynamo/sign.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { TRIES = 20, TIMEOUT_MS = 1000 };

static pthread_t caller;
static atomic_bool waiting, closing;
static sem_t go_on;

struct aws_http_message *__real_dynamo_sign(struct dynamo_signer *signer,
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now);
struct aws_http_message *__wrap_dynamo_sign(struct dynamo_signer *signer,
    const struct dynamo_message *message, const struct aws_credentials *credentials, int64_t now);
void __real_aws_credentials_provider_release(struct aws_credentials_provider *provider);
void __wrap_aws_credentials_provider_release(struct aws_credentials_provider *provider);

/* In one of the client's threads: the credentials have come, a connection is asked for next. */
struct aws_http_message *
__wrap_dynamo_sign(struct dynamo_signer *signer, const struct dynamo_message *message,
    const struct aws_credentials *credentials, int64_t now)
{
	if (!pthread_equal(pthread_self(), caller) && !atomic_exchange(&waiting, true))
		sem_wait(&go_on);
	return __real_dynamo_sign(signer, message, credentials, now);
}

/* Closing the table releases the pools first, and then the source of credentials. */
void
__wrap_aws_credentials_provider_release(struct aws_credentials_provider *provider)
{
	bool last = closing && pthread_equal(pthread_self(), caller);

	__real_aws_credentials_provider_release(provider);
	if (last)
		sem_post(&go_on);
}

/* A call whose second attempt takes new credentials, which come and then wait; on a busy machine not the first one. */
static void
give_up_waiting(struct table *table, struct clock *clock)
{
	struct arena *arena = arena_new();

	for (int i = 0; i < TRIES && !waiting; i++) {
		struct table_call call = {
		    .arena = arena, .deadline = clock_monotonic(clock) + TIMEOUT_MS};
		struct item *item;

		table_get(table, &call, (struct key){STR("LATE"), STR("LATE")}, &item);
	}
	ok(waiting, "a request is given up that has its credentials, but no connection yet");
	arena_free(arena);
}

int
main(void)
{
	struct clock clock = clock_system();
	struct arena *arena = arena_new();
	struct child server;
	struct table *table;
	struct str why;

	waiting = true; /* not yet */
	caller = pthread_self();
	dynamo_local_need();
	table_close(dynamo_local_table("late", &clock));
	bad_network_begin(&server);
	setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI",
	    str_fmt(arena, "%s/role", getenv("AWS_ENDPOINT_URL_DYNAMODB")).base, 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere", 1);
	setenv("AWS_CONFIG_FILE", "/nowhere", 1);
	setenv("AWS_MAX_ATTEMPTS", "2", 1);
	unsetenv("AWS_ACCESS_KEY_ID");
	unsetenv("AWS_SECRET_ACCESS_KEY");
	sem_init(&go_on, 0, 0);
	if (table_dynamo_open(STR("late"), &clock, arena, &table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	waiting = false;
	bad_network_tell(&server, "fault expired 100");
	give_up_waiting(table, &clock);
	closing = true;
	table_close(table);
	bad_network_tell(&server, "calm");
	closing = false;
	is_int(table_dynamo_open(STR("late"), &clock, arena, &table, &why), TABLE_OK,
	    "the table is closed while it waits, then it goes on, and another one works");
	table_close(table);
	child_end(&server);
	arena_free(arena);
	return tap_done();
}
