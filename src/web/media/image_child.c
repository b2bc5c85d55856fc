#include "web/media/image_child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors for the child are first moved up here, so that none is where another is to go. */
enum { ABOVE = 64, FIRST_OUT = 3, ARGUMENTS = 5, TEXT_MAX = 48 };

struct plumbing {
	int in, outs[MEDIA_SIZES_MAX];
};

static int
moved_up(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
}

static void
close_all(struct plumbing *p, size_t outs)
{
	if (p->in >= 0)
		close(p->in);
	for (size_t i = 0; i < outs; i++)
		if (p->outs[i] >= 0)
			close(p->outs[i]);
}

/* A nameless file with these bytes, positioned at its start; -1 with errno. */
static int
file_of(struct str bytes)
{
	int fd = memfd_create("picture", MFD_CLOEXEC), up;
	size_t written = 0;

	while (fd >= 0 && written < bytes.len) {
		ssize_t n = write(fd, bytes.base + written, bytes.len - written);

		if (n < 0) {
			close(fd);
			return -1;
		}
		written += (size_t)n;
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
		return -1;
	up = moved_up(fd);
	close(fd);
	return up;
}

static bool
open_all(const struct image_job *job, struct plumbing *p)
{
	bool good;

	*p = (struct plumbing){.in = file_of(job->bytes)};
	good = p->in >= 0;
	for (size_t i = 0; i < job->count; i++) {
		p->outs[i] = moved_up(job->outs[i]);
		good = good && p->outs[i] >= 0;
	}
	if (!good)
		close_all(p, job->count);
	return good;
}

/* --- Start ------------------------------------------------------------------------------------ */

static bool
spawn(const struct image_job *job, const struct plumbing *p, char *const *arguments, pid_t *pid)
{
	char *const nothing[] = {NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, p->in, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	for (size_t i = 0; i < job->count; i++)
		posix_spawn_file_actions_adddup2(&files, p->outs[i], FIRST_OUT + (int)i);
	posix_spawn_file_actions_addclosefrom_np(&files, FIRST_OUT + (int)job->count);
	posix_spawn_file_actions_addchdir_np(&files, "/");
	/* The server's threads block signals; the child does not. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(pid, job->program, &files, &attributes, arguments, nothing);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return rc == 0;
}

static bool
start(const struct image_job *job, const struct plumbing *p, pid_t *pid)
{
	char texts[ARGUMENTS + MEDIA_SIZES_MAX][TEXT_MAX];
	char *arguments[ARGUMENTS + MEDIA_SIZES_MAX + 1] = {NULL};
	size_t count = ARGUMENTS + job->count;

	snprintf(texts[0], TEXT_MAX, "broadsheet-image");
	snprintf(texts[1], TEXT_MAX, "%u", job->seconds);
	snprintf(texts[2], TEXT_MAX, "%s", media_extension(job->head->format));
	snprintf(texts[3], TEXT_MAX, "%" PRId64 "x%" PRId64, job->head->stored.width,
	    job->head->stored.height);
	snprintf(texts[4], TEXT_MAX, "%d", job->head->orientation);
	for (size_t i = 0; i < job->count; i++)
		snprintf(texts[ARGUMENTS + i], TEXT_MAX, "%" PRId64 "x%" PRId64,
		    job->sizes[i].width, job->sizes[i].height);
	for (size_t i = 0; i < count; i++)
		arguments[i] = texts[i];
	return spawn(job, p, arguments, pid);
}

/* --- End -------------------------------------------------------------------------------------- */

/* Waits for the child to end; false when it did not in time. */
static bool
ended_in_time(pid_t pid, int64_t timeout_ms)
{
	int64_t deadline = clock_micros() / 1000 + timeout_ms;
	struct pollfd wait = {.fd = pidfd_open(pid, 0), .events = POLLIN};
	int rc = -1;

	while (wait.fd >= 0 && rc < 0) {
		int64_t left = deadline - clock_micros() / 1000;

		rc = poll(&wait, 1, left > 0 ? (int)left : 0);
		if (rc < 0 && errno != EINTR)
			break;
	}
	if (wait.fd >= 0)
		close(wait.fd);
	return rc > 0;
}

static enum image_exit
wait_for(pid_t pid, int64_t timeout_ms)
{
	int status;

	/* It has not been waited for, so the pid is still its own. */
	if (!ended_in_time(pid, timeout_ms))
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return IMAGE_EXIT_BROKEN;
	if (!WIFEXITED(status))
		return IMAGE_EXIT_KILLED;
	switch (WEXITSTATUS(status)) {
	case IMAGE_EXIT_DONE: return IMAGE_EXIT_DONE;
	case IMAGE_EXIT_DAMAGED: return IMAGE_EXIT_DAMAGED;
	case IMAGE_EXIT_FULL: return IMAGE_EXIT_FULL;
	default: return IMAGE_EXIT_BROKEN;
	}
}

enum image_exit
image_child_run(const struct image_job *job)
{
	struct plumbing p;
	enum image_exit result = IMAGE_EXIT_BROKEN;
	pid_t pid;

	if (!open_all(job, &p))
		return errno == ENOSPC ? IMAGE_EXIT_FULL : IMAGE_EXIT_BROKEN;
	if (start(job, &p, &pid))
		result = wait_for(pid, job->timeout_ms);
	close_all(&p, job->count);
	return result;
}
