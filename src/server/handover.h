#ifndef SERVER_HANDOVER_H
#define SERVER_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

struct log;
struct passage;

/*
 * The way of open connections from a program that ends to the one that is started next on the same socket.
 *
 * A web server that keeps a connection may write on it at any moment, and what it wrote on one that is just being closed
 * is lost: it can't know whether a POST has been done, and doesn't repeat it. So when somebody else holds the socket
 * while the program restarts, the connections wait there as well: the program that ends connects to the socket that it
 * listened on, and sends them through that connection. It stands in the socket's own queue, with all who connect
 * meanwhile, until the next program accepts it. It is known by its sender's name, and by their being the same user.
 */
enum { HANDOVER_MAX = 253 /* descriptors of a message; the kernel takes no more */ };

struct handover {
	int *fds;
	size_t count, room;
};

/* Takes out of the passage what is in it. */
void handover_collect(struct handover *handover, const struct passage *passage);

/* Sends what was collected to whoever accepts next on the listener, and closes it here, whether that went well or not. */
void handover_send(struct handover *handover, int listener, const struct log *log);

/* Is a connection that was just accepted, from that address, one that handover_send() made? */
bool handover_is(int fd, const struct sockaddr_un *from, socklen_t len);

/* Takes out what came through it; how many they are. The caller closes `fd`. */
size_t handover_receive(int fd, int out[HANDOVER_MAX]);

#endif
