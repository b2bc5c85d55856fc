#include "server/handover.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* --- Between workers -------------------------------------------------------------------------- */

enum { PASSAGE_TRIES = 1000 }; /* a millisecond apart */

bool
passage_open(struct passage *passage)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
		return false;
	*passage = (struct passage){.in = pair[0], .out = pair[1]};
	return true;
}

/*
 * If it is full, or too many descriptors are in flight, the next worker will soon have taken some
 * out.
 */
bool
passage_send(const struct passage *passage, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec iov = {&byte, 1};
	struct msghdr message = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control.space)};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&message);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	for (int tries = 0; tries < PASSAGE_TRIES; tries++) {
		const struct timespec pause = {.tv_nsec = 1000000};

		if (sendmsg(passage->in, &message, MSG_NOSIGNAL) == 1)
			return true;
		if (errno != EAGAIN && errno != ETOOMANYREFS && errno != EINTR)
			break;
		nanosleep(&pause, NULL);
	}
	return false;
}

int
passage_receive(const struct passage *passage)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte;
	struct iovec iov = {&byte, 1};
	struct msghdr message = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control.space)};
	const struct cmsghdr *cmsg;
	int fd = -1;

	if (recvmsg(passage->out, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	cmsg = CMSG_FIRSTHDR(&message);
	if (cmsg != NULL && cmsg->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	return fd;
}

/* --- Between processes ------------------------------------------------------------------------ */

enum {
	TRIES = 2000,   /* a millisecond apart: when the socket's queue is full */
	TIMEOUT = 1000, /* milliseconds: the message comes right after the connection */
	FIRST_ROOM = 256,
};

/* The beginning of an abstract name; the rest is different for each connection. */
static const char prefix[] = "\0broadsheet-connections-";
enum { PREFIX_LEN = sizeof(prefix) - 1 };

/* A message of one byte, with descriptors. */
struct message {
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(HANDOVER_MAX * sizeof(int))];
	} control;
	char byte;
	struct iovec iov;
	struct msghdr head;
};

static void
message_begin(struct message *message, size_t count)
{
	assert(count > 0 && count <= HANDOVER_MAX);
	memset(message, 0, sizeof(*message));
	message->iov = (struct iovec){&message->byte, 1};
	message->head = (struct msghdr){.msg_iov = &message->iov,
	    .msg_iovlen = 1,
	    .msg_control = &message->control,
	    .msg_controllen = CMSG_SPACE(count * sizeof(int))};
}

void
handover_collect(struct handover *handover, const struct passage *passage)
{
	int fd;

	while ((fd = passage_receive(passage)) >= 0) {
		if (handover->count == handover->room) {
			handover->room = handover->room == 0 ? FIRST_ROOM : 2 * handover->room;
			handover->fds =
			    realloc(handover->fds, handover->room * sizeof(*handover->fds));
			if (handover->fds == NULL)
				out_of_memory();
		}
		assert(handover->count < handover->room);
		handover->fds[handover->count++] = fd;
	}
}

/* Connects to the listener, from a name that says what the connection is for; -1, with errno. */
static int
connect_to(int listener)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	struct sockaddr_un name = {.sun_family = AF_UNIX}, to;
	socklen_t len = sizeof(to);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), more;

	memcpy(name.sun_path, prefix, PREFIX_LEN);
	more = snprintf(name.sun_path + PREFIX_LEN, sizeof(name.sun_path) - PREFIX_LEN,
	    "%d-%" PRId64, (int)getpid(), clock_micros());
	if (fd < 0 || getsockname(listener, (struct sockaddr *)&to, &len) < 0 ||
	    bind(fd, (const struct sockaddr *)&name,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + PREFIX_LEN) +
		    (socklen_t)more) < 0)
		goto failed;
	for (int tries = 0; tries < TRIES; tries++) {
		if (connect(fd, (const struct sockaddr *)&to, len) == 0)
			return fd;
		if (errno != EAGAIN)
			break;
		nanosleep(&pause, NULL);
	}
failed:;
	int failure = errno;

	if (fd >= 0)
		close(fd);
	errno = failure;
	return -1;
}

static bool
send_some(int listener, const int *fds, size_t count)
{
	struct message message;
	struct cmsghdr *cmsg;
	int fd = connect_to(listener), failure;
	bool sent;

	if (fd < 0)
		return false;
	message_begin(&message, count);
	cmsg = CMSG_FIRSTHDR(&message.head);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(cmsg), fds, count * sizeof(int));
	sent = sendmsg(fd, &message.head, MSG_NOSIGNAL) == 1;
	failure = errno;
	close(fd);
	errno = failure;
	return sent;
}

void
handover_send(struct handover *handover, int listener, const struct log *log)
{
	size_t sent = 0;

	while (sent < handover->count) {
		size_t left = handover->count - sent,
		       some = left < HANDOVER_MAX ? left : HANDOVER_MAX;

		if (!send_some(listener, handover->fds + sent, some)) {
			log_line(log, LOG_WARNING,
			    "%zu open connections can't wait for the next start: %s. What is sent "
			    "on "
			    "them at this moment is lost.",
			    left, strerror(errno));
			break;
		}
		sent += some;
	}
	if (sent > 0)
		log_line(log, LOG_NOTICE, "%zu open connections wait for the next start.", sent);
	for (size_t i = 0; i < handover->count; i++)
		close(handover->fds[i]);
	free(handover->fds);
	*handover = (struct handover){0};
}

bool
handover_is(int fd, const struct sockaddr_un *from, socklen_t len)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return len > offsetof(struct sockaddr_un, sun_path) + PREFIX_LEN &&
	       memcmp(from->sun_path, prefix, PREFIX_LEN) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

size_t
handover_receive(int fd, int out[HANDOVER_MAX])
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	struct message message;
	const struct cmsghdr *cmsg;
	size_t bytes;

	message_begin(&message, HANDOVER_MAX);
	if (poll(&ready, 1, TIMEOUT) != 1 ||
	    recvmsg(fd, &message.head, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1)
		return 0;
	cmsg = CMSG_FIRSTHDR(&message.head);
	if (cmsg == NULL || cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
		return 0;
	bytes = cmsg->cmsg_len - CMSG_LEN(0);
	/* The kernel gives no more than the buffer holds. */
	assert(bytes <= HANDOVER_MAX * sizeof(int));
	memcpy(out, CMSG_DATA(cmsg), bytes);
	return bytes / sizeof(int);
}
