#include "server/passage.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { TRIES = 1000 }; /* a millisecond apart */

bool
passage_open(struct passage *passage)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
		return false;
	*passage = (struct passage){.in = pair[0], .out = pair[1]};
	return true;
}

/* Full, or with too many descriptors under way, it is a moment's matter: the next worker takes them out. */
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
	for (int tries = 0; tries < TRIES; tries++) {
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
