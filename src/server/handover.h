#ifndef SERVER_HANDOVER_H
#define SERVER_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

struct log;
struct passage;

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
