#include "server/listener.h"

#include "base/log.h"
#include "base/str.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* --- The socket ------------------------------------------------------------------------------- */

enum {
	BACKLOG = 4096, /* the kernel reduces it to its own limit */
	FIRST_PASSED_FD = 3,
};

/* Is the descriptor a listening UNIX socket? *why is set when it is not. */
static bool
is_listening(int fd, const char **why)
{
	struct sockaddr_storage address = {0};
	socklen_t len = sizeof(address);
	int listening = 0;
	socklen_t size = sizeof(listening);

	*why = "it is no listening socket";
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0 || listening == 0)
		return false;
	/* Whoever connects is trusted as the web server, so never over a network. */
	*why = "it is no UNIX socket";
	return getsockname(fd, (struct sockaddr *)&address, &len) == 0 &&
	       address.ss_family == AF_UNIX;
}

static bool
take_over(struct listener *out, int fd, const char *from, const struct log *log)
{
	const char *why;
	int flags;

	if (!is_listening(fd, &why)) {
		log_line(log, LOG_ERROR, "Descriptor %d from %s can't be used: %s.", fd, from, why);
		return false;
	}
	flags = fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	out->fd = fd;
	log_line(log, LOG_NOTICE, "Listening on descriptor %d from %s.", fd, from);
	return true;
}

/* How many sockets systemd passes to this process. */
static int64_t
passed_by_systemd(void)
{
	int64_t pid, count;

	if (!str_int(str_of(getenv("LISTEN_PID")), &pid) || pid != getpid() ||
	    !str_int(str_of(getenv("LISTEN_FDS")), &count))
		return 0;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return count;
}

/*
 * Only one program at a time may find the path stale and replace it. The lock file stays: removing
 * it would let two programs hold a lock each.
 */
static int
lock_path(const char *path)
{
	char name[sizeof(((struct sockaddr_un *)0)->sun_path) + sizeof(".lock")];
	int fd;

	snprintf(name, sizeof(name), "%s.lock", path);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		errno = EADDRINUSE;
		return -1;
	}
	return fd;
}

/* Removes a stale socket: 0, or an errno. Only one that refuses connections is removed. */
static int
remove_stale(const struct sockaddr_un *address)
{
	struct stat st;
	int fd, rc;

	if (lstat(address->sun_path, &st) < 0)
		return errno == ENOENT ? 0 : errno;
	if (!S_ISSOCK(st.st_mode))
		return EEXIST;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	rc = connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ? 0 : errno;
	close(fd);
	if (rc != ECONNREFUSED)
		return EADDRINUSE;
	return unlink(address->sun_path) < 0 ? errno : 0;
}

/* Binds and listens; 0, or an errno. The umask gives the right mode from the first moment. */
static int
make_socket(struct listener *out, const struct sockaddr_un *address, const char *path)
{
	struct stat st;
	mode_t before;
	int rc;

	out->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (out->fd < 0)
		return errno;
	before = umask(0117);
	rc = bind(out->fd, (const struct sockaddr *)address, sizeof(*address)) < 0 ? errno : 0;
	umask(before);
	if (rc != 0)
		return rc;
	if (lstat(address->sun_path, &st) < 0 || listen(out->fd, BACKLOG) < 0)
		return errno;
	out->device = st.st_dev;
	out->inode = st.st_ino;
	out->path = path;
	return 0;
}

static bool
listen_at(struct listener *out, const char *path, const struct log *log)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int rc = ENAMETOOLONG;

	if (strlen(path) < sizeof(address.sun_path)) {
		memcpy(address.sun_path, path, strlen(path));
		out->lock_fd = lock_path(path);
		rc = out->lock_fd < 0 ? errno : remove_stale(&address);
		if (rc == 0)
			rc = make_socket(out, &address, path);
	}
	if (rc == 0) {
		log_line(log, LOG_NOTICE, "Listening on %s.", path);
		return true;
	}
	if (rc == EADDRINUSE)
		log_line(log, LOG_ERROR, "%s: another server listens there.", path);
	else
		log_line(log, LOG_ERROR, "%s: %s.", path, strerror(rc));
	listener_close(out);
	return false;
}

bool
listener_open(struct listener *out, const char *path, const struct log *log)
{
	const char *why;
	int64_t passed = passed_by_systemd();

	*out = (struct listener){.fd = -1, .lock_fd = -1};
	if (passed > 1)
		log_line(log, LOG_WARNING, "systemd passes %d sockets; only the first is used.",
		    (int)passed);
	if (passed > 0) {
		out->kept = true;
		return take_over(out, FIRST_PASSED_FD, "systemd", log);
	}
	if (path != NULL)
		return listen_at(out, path, log);
	if (is_listening(STDIN_FILENO, &why))
		return take_over(out, STDIN_FILENO, "the program that started this one", log);
	log_line(log, LOG_ERROR,
	    "There is no socket to listen on: name one, or start this program "
	    "from systemd or spawn-fcgi.");
	return false;
}

void
listener_close(struct listener *listener)
{
	struct stat st;

	if (listener->path != NULL && lstat(listener->path, &st) == 0 &&
	    st.st_dev == listener->device && st.st_ino == listener->inode)
		unlink(listener->path);
	if (listener->fd >= 0)
		close(listener->fd);
	if (listener->lock_fd >= 0)
		close(listener->lock_fd);
	*listener = (struct listener){.fd = -1, .lock_fd = -1};
}

/* --- Listening threads ------------------------------------------------------------------------ */

/* The parts of the state; there are at most some hundreds of threads. */
enum {
	LISTENING = 1,
	RESTING = 1 << 12,
	DISMISSED = 1 << 24,
};

static unsigned
listening(unsigned state)
{
	return state % RESTING;
}

static unsigned
resting(unsigned state)
{
	return state % DISMISSED / RESTING;
}

bool
listeners_begin(struct listeners *listeners)
{
	atomic_init(&listeners->state, 0);
	return sem_init(&listeners->called, 0, 0) == 0;
}

void
listeners_end(struct listeners *listeners)
{
	/* No thread listens or sleeps. */
	assert(atomic_load(&listeners->state) % DISMISSED == 0);
	sem_destroy(&listeners->called);
}

void
listeners_listen(struct listeners *listeners)
{
	unsigned before = atomic_fetch_add(&listeners->state, LISTENING);

	assert(listening(before) + resting(before) < RESTING - 1);
	(void)before;
}

void
listeners_heard(struct listeners *listeners)
{
	unsigned before = atomic_fetch_sub(&listeners->state, LISTENING);

	assert(listening(before) > 0);
	(void)before;
}

bool
listeners_listens(const struct listeners *listeners)
{
	return listening(atomic_load(&listeners->state)) > 0;
}

bool
listeners_rest(struct listeners *listeners)
{
	unsigned state = atomic_load(&listeners->state);

	do {
		if (listening(state) == 0 || state >= DISMISSED)
			return false;
	} while (!atomic_compare_exchange_weak(&listeners->state, &state, state + RESTING));
	while (sem_wait(&listeners->called) < 0)
		;
	return true;
}

/* Calls a thread and counts it as listening, so that nobody else needs to call one. */
static bool
call_one(struct listeners *listeners, bool although_heard)
{
	unsigned state = atomic_load(&listeners->state);

	do {
		if (resting(state) == 0 || (listening(state) > 0 && !although_heard))
			return false;
	} while (
	    !atomic_compare_exchange_weak(&listeners->state, &state, state - RESTING + LISTENING));
	sem_post(&listeners->called);
	return true;
}

void
listeners_call(struct listeners *listeners)
{
	call_one(listeners, false);
}

void
listeners_dismiss(struct listeners *listeners)
{
	atomic_fetch_or(&listeners->state, DISMISSED);
	while (call_one(listeners, true))
		;
	assert(resting(atomic_load(&listeners->state)) == 0);
}
