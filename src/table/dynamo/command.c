#include "table/dynamo/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 10 };

/* In a group of its own, so that what it starts itself can be ended with it. Signals are as a program expects them. */
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

/* All that comes until the end; -1 for too much, or too late. */
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

/* Waits for its end, kills it when it is too late for that, and tells whether all was well. */
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

ssize_t
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
		/* What it printed counts only once it has ended: it may yet say that it failed. */
		if (!ended_well(pid, len < 0 ? 0 : until))
			len = -1;
	} else {
		close(pipe_ends[1]);
	}
	close(pipe_ends[0]);
	return len;
}
