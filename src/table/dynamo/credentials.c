/*
 * The command of a profile, `credential_process`, prints its credentials as
 *
 *	{"Version":1, "AccessKeyId":"…", "SecretAccessKey":"…", "SessionToken":"…", "Expiration":"2026-11-18T09:30:00Z"}
 *
 * the last two only for a session. The library has such a source, too, but expects the token under another name. The
 * command may take long, so it runs in a thread of its own, and each request for credentials holds a reference to
 * the source until it is answered.
 */
#include "table/dynamo/credentials.h"

#include "base/arena.h"
#include "table/dynamo/sign.h"
#include "table/json.h"

#include <aws/common/date_time.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- Running a command ------------------------------------------------------------------------ */

enum { COMMAND_OUTPUT_MAX = 64 * 1024 };

enum { PAUSE_MS = 10 };

/*
 * In a process group of its own, so that its children can be killed with it. Signal handlers are
 * reset.
 */
static bool
start(const char *command, int out, pid_t *pid)
{
	char *words[] = {"/bin/sh", "-c", (char *)command, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	int error;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(
	    &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	error = posix_spawn(pid, words[0], &files, &attributes, words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return error == 0;
}

static int64_t
milliseconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Reads until the end; -1 for too much, or too late. */
static ssize_t
read_all(int in, int64_t until, char out[COMMAND_OUTPUT_MAX])
{
	struct pollfd wait = {.fd = in, .events = POLLIN};
	size_t len = 0;

	for (;;) {
		int64_t left = until - milliseconds_now();
		ssize_t got;

		if (left <= 0 || len == COMMAND_OUTPUT_MAX)
			return -1;
		if (poll(&wait, 1, (int)left) <= 0)
			continue;
		got = read(in, out + len, COMMAND_OUTPUT_MAX - len);
		if (got == 0)
			return (ssize_t)len;
		if (got < 0 && errno != EINTR)
			return -1;
		len += got > 0 ? (size_t)got : 0;
	}
}

/* Waits for its end, kills it when it is late, and returns whether it succeeded. */
static bool
ended_well(pid_t pid, int64_t until)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	int status = -1;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		if (milliseconds_now() >= until)
			kill(-pid, SIGKILL);
		nanosleep(&pause, NULL);
	}
	return got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/*
 * Runs a shell command, which ends with a NUL, and waits for its output; it is killed after this
 * many seconds. Its standard input is empty, its standard error is ours. Returns the number of
 * bytes in `out`; -1 if it can't be run, fails, prints more or takes too long.
 */
static ssize_t
dynamo_command_run(const char *command, int seconds, char out[COMMAND_OUTPUT_MAX])
{
	int64_t until = milliseconds_now() + (int64_t)seconds * 1000;
	int pipe_ends[2];
	ssize_t len = -1;
	pid_t pid;

	if (pipe2(pipe_ends, O_CLOEXEC) != 0)
		return -1;
	if (start(command, pipe_ends[1], &pid)) {
		close(pipe_ends[1]);
		len = read_all(pipe_ends[0], until, out);
		/* Its output counts only once it has ended successfully. */
		if (!ended_well(pid, len < 0 ? 0 : until))
			len = -1;
	} else {
		close(pipe_ends[1]);
	}
	close(pipe_ends[0]);
	return len;
}

enum { WAIT_SECONDS = 10, COMMAND_SECONDS = 9, KEEP_MS = 15 * 60 * 1000, TOKEN_MAX = 16 * 1024 };

/* --- The command of a profile ----------------------------------------------------------------- */

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
	/* Whoever closes the table waits for the provider to be released. */
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

/*
 * The library would keep the first token, so each request makes a new provider, which holds a
 * reference to itself until it has answered.
 */
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

/* --- The provider ----------------------------------------------------------------------------- */

/* Caches the credentials of another provider until they expire. */
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

/* A wait for the first credentials; whichever of the two sides is last frees it. */
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
