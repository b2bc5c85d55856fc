#ifndef SERVER_PASSAGE_H
#define SERVER_PASSAGE_H

#include <stdbool.h>

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

#endif
