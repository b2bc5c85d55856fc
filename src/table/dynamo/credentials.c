/*
 * The command of a profile, `credential_process`, prints its credentials as
 *
 *	{"Version":1, "AccessKeyId":"…", "SecretAccessKey":"…", "SessionToken":"…", "Expiration":"2026-11-18T09:30:00Z"}
 *
 * the last two if they are of a session. The library has such a source, too, but looks for a token by another name. The
 * command may take its time, so it runs in a thread of its own; whoever asked for credentials keeps the source for
 * as long.
 */
#include "table/dynamo/credentials.h"

#include "base/arena.h"
#include "table/dynamo/command.h"
#include "table/dynamo/sign.h"
#include "table/json.h"

#include <aws/common/date_time.h>

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WAIT_SECONDS = 10, COMMAND_SECONDS = 9, KEEP_MS = 15 * 60 * 1000, TOKEN_MAX = 16 * 1024 };

/* --- The command --------------------------------------------------------------------------------------- */

struct errand {
	const struct dynamo_source *source;
	aws_on_get_credentials_callback_fn *callback;
	void *data;
	char said[COMMAND_OUTPUT_MAX];
};

/* NULL for anything but credentials. */
static struct aws_credentials *
read_credentials(struct str text)
{
	struct arena *arena = arena_new();
	struct json_reader in = json_reader(arena, text);
	struct str name, id = {0}, secret = {0}, token = {0}, expires = {0};
	struct aws_credentials *credentials = NULL;
	struct aws_byte_cursor cursor;
	struct aws_date_time time;
	uint64_t until = UINT64_MAX;

	json_object(&in);
	while (json_name(&in, &name)) {
		struct str *into = str_eq(name, STR("AccessKeyId"))       ? &id
				   : str_eq(name, STR("SecretAccessKey")) ? &secret
				   : str_eq(name, STR("SessionToken"))    ? &token
				   : str_eq(name, STR("Expiration"))      ? &expires
									  : NULL;

		if (into != NULL && json_peek(&in) == JSON_STRING)
			json_string(&in, into);
		else
			json_skip(&in);
	}
	cursor = cursor_of(expires);
	if (expires.len != 0 && aws_date_time_init_from_str_cursor(
				    &time, &cursor, AWS_DATE_FORMAT_ISO_8601) == AWS_OP_SUCCESS)
		until = (uint64_t)aws_date_time_as_epoch_secs(&time);
	if (json_end(&in) && id.len != 0 && secret.len != 0)
		credentials = aws_credentials_new(aws_default_allocator(), cursor_of(id),
		    cursor_of(secret), cursor_of(token), until);
	arena_free(arena);
	return credentials;
}

static void *
run_errand(void *data)
{
	struct errand *errand = data;
	aws_on_get_credentials_callback_fn *callback = errand->callback;
	void *to = errand->data;
	ssize_t len =
	    dynamo_command_run(errand->source->command.base, COMMAND_SECONDS, errand->said);
	struct aws_credentials *credentials =
	    len >= 0 ? read_credentials((struct str){errand->said, (size_t)len}) : NULL;

	sodium_memzero(errand->said, sizeof(errand->said));
	free(errand);
	callback(credentials,
	    credentials != NULL ? AWS_ERROR_SUCCESS
				: AWS_AUTH_CREDENTIALS_PROVIDER_PROCESS_SOURCE_FAILURE,
	    to);
	/* Whoever closes the table waits for what is above, at most. */
	if (credentials != NULL)
		aws_credentials_release(credentials);
	return NULL;
}

static int
send_errand(void *source, aws_on_get_credentials_callback_fn callback, void *data)
{
	struct errand *errand = malloc(sizeof(*errand));
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	if (errand == NULL)
		out_of_memory();
	errand->source = source;
	errand->callback = callback;
	errand->data = data;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&thread, &attributes, run_errand, errand);
	pthread_attr_destroy(&attributes);
	if (error == 0)
		return AWS_OP_SUCCESS;
	free(errand);
	callback(NULL, AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE, data);
	return AWS_OP_SUCCESS;
}

/* --- The container's host, with a token that changes ----------------------------------------------------- */

struct container {
	const struct dynamo_source *source;
	struct aws_client_bootstrap *bootstrap;
	struct aws_tls_ctx *tls;
};

static size_t
read_token(const char *path, char *out, size_t room)
{
	FILE *file = fopen(path, "re");
	size_t len = 0;

	if (file == NULL)
		return 0;
	len = fread(out, 1, room, file);
	fclose(file);
	return len;
}

/* The library would keep the first token, so somebody else asks each time; who is asked keeps itself until then. */
static int
ask_container(void *data, aws_on_get_credentials_callback_fn callback, void *to)
{
	const struct container *container = data;
	const struct dynamo_source *source = container->source;
	char text[TOKEN_MAX];
	struct str token = {text, read_token(source->token_file.base, text, sizeof(text))};
	struct aws_credentials_provider_ecs_options options = {
	    .bootstrap = container->bootstrap,
	    .host = cursor_of(source->container.host),
	    .path_and_query = cursor_of(source->container_path),
	    .auth_token = cursor_of(str_trim(token)),
	    .tls_ctx = source->container.tls ? container->tls : NULL,
	    .port = source->container.port,
	};
	struct aws_credentials_provider *provider =
	    aws_credentials_provider_new_ecs(aws_default_allocator(), &options);

	if (provider == NULL ||
	    aws_credentials_provider_get_credentials(provider, callback, to) != AWS_OP_SUCCESS)
		callback(NULL, aws_last_error(), to);
	if (provider != NULL)
		aws_credentials_provider_release(provider);
	sodium_memzero(text, sizeof(text));
	return AWS_OP_SUCCESS;
}

/* --- Whom to ask ----------------------------------------------------------------------------------------- */

/* What others give is kept until it expires. */
static struct aws_credentials_provider *
new_kept(const struct aws_credentials_provider_delegate_options *asked,
    const struct aws_credentials_provider_shutdown_options *end)
{
	struct aws_credentials_provider_cached_options kept = {
	    .shutdown_options = *end,
	    .source = aws_credentials_provider_new_delegate(aws_default_allocator(), asked),
	    .refresh_time_in_milliseconds = KEEP_MS,
	};
	struct aws_credentials_provider *provider;

	if (kept.source == NULL)
		return NULL;
	provider = aws_credentials_provider_new_cached(aws_default_allocator(), &kept);
	aws_credentials_provider_release(kept.source);
	return provider;
}

static struct aws_credentials_provider *
new_container(const struct dynamo_source *source, struct aws_client_bootstrap *bootstrap,
    struct aws_tls_ctx *tls, const struct aws_credentials_provider_shutdown_options *end)
{
	struct container *container = malloc(sizeof(*container));
	struct aws_credentials_provider_delegate_options asked = {
	    .shutdown_options = {free, container},
	    .get_credentials = ask_container,
	    .delegate_user_data = container,
	};

	if (container == NULL)
		out_of_memory();
	*container = (struct container){source, bootstrap, tls};
	return new_kept(&asked, end);
}

struct aws_credentials_provider *
dynamo_credentials_new(const struct dynamo_source *source, struct aws_client_bootstrap *bootstrap,
    struct aws_tls_ctx *tls, const struct aws_credentials_provider_shutdown_options *end)
{
	struct aws_credentials_provider_delegate_options command = {
	    .get_credentials = send_errand, .delegate_user_data = (void *)source};
	struct aws_credentials_provider_chain_default_options chain = {
	    .shutdown_options = *end, .bootstrap = bootstrap, .tls_ctx = tls};

	if (source->command.len != 0)
		return new_kept(&command, end);
	if (source->token_file.len != 0)
		return new_container(source, bootstrap, tls, end);
	return aws_credentials_provider_new_chain_default(aws_default_allocator(), &chain);
}

/* --- The first ones ------------------------------------------------------------------------------------ */

/* What the first look for credentials is waited for with; the later of the two sides frees it. */
struct look {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	unsigned sides;
	bool done, found;
};

static void
look_leave(struct look *look)
{
	bool last = --look->sides == 0;

	pthread_mutex_unlock(&look->lock);
	if (!last)
		return;
	pthread_cond_destroy(&look->ended);
	pthread_mutex_destroy(&look->lock);
	free(look);
}

static void
on_look(struct aws_credentials *credentials, int error, void *data)
{
	struct look *look = data;

	(void)error;
	pthread_mutex_lock(&look->lock);
	look->done = true;
	look->found = credentials != NULL;
	pthread_cond_signal(&look->ended);
	look_leave(look);
}

bool
dynamo_credentials_come(struct aws_credentials_provider *provider, bool *late)
{
	struct look *look = calloc(1, sizeof(*look));
	struct timespec until;
	bool found;

	if (look == NULL)
		out_of_memory();
	pthread_mutex_init(&look->lock, NULL);
	pthread_cond_init(&look->ended, NULL);
	look->sides = 2;
	if (aws_credentials_provider_get_credentials(provider, on_look, look) != AWS_OP_SUCCESS)
		on_look(NULL, 0, look);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_SECONDS;
	pthread_mutex_lock(&look->lock);
	while (!look->done && pthread_cond_timedwait(&look->ended, &look->lock, &until) == 0)
		;
	found = look->found;
	*late = !look->done;
	look_leave(look);
	return found;
}
