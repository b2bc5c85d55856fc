#ifndef SERVER_HANDOVER_H
#define SERVER_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

struct log;

/* --- Between workers ---------------------------------------------------------------------------- */

/*
 * The passage hands open connections over from a worker that ends to the next one. It is a pair of
 * sockets, through which descriptors are sent with whatever is unread in them; they belong to
 * whichever worker takes them out. The supervisor creates it once; every worker inherits it.
 */
struct passage {
	int in, out;
};

/* False, with errno, when the system refuses. */
bool passage_open(struct passage *passage);

/* Puts a connection in; the caller still closes its own descriptor. False, with errno, when it can't. */
bool passage_send(const struct passage *passage, int fd);

/* Takes a connection out, which is then the caller's; -1 when there is none. */
int passage_receive(const struct passage *passage);

/* --- Between processes -------------------------------------------------------------------------- */

/*
 * Hands open connections over from a process that ends to the next one on the same socket.
 *
 * A web server may write to a kept connection at any moment, and what it wrote to one that is just
 * being closed is lost: it can't know whether a POST was processed, and doesn't repeat it. So if
 * another process holds the socket while the program restarts, the connections wait there as well:
 * the process that ends connects to the socket that it listened on, and sends them through that
 * connection. It waits in the socket's own queue, like any other connection, until the next process
 * accepts it. It is recognised by its sender's name, and by their being the same user.
 */
enum { HANDOVER_MAX = 253 /* descriptors of a message; the kernel takes no more */ };

struct handover {
	int *fds;
	size_t count, room;
};

/* Collects the connections from the passage. */
void handover_collect(struct handover *handover, const struct passage *passage);

/*
 * Sends what was collected to the process that accepts next on the listener, and closes it here,
 * whether that succeeded or not.
 */
void handover_send(struct handover *handover, int listener, const struct log *log);

/* Is a connection that was just accepted, from that address, one that handover_send() made? */
bool handover_is(int fd, const struct sockaddr_un *from, socklen_t len);

/* Takes out what came through it; how many they are. The caller closes `fd`. */
size_t handover_receive(int fd, int out[HANDOVER_MAX]);

#endif
