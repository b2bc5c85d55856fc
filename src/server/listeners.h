#ifndef SERVER_LISTENERS_H
#define SERVER_LISTENERS_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * Which threads listen for what comes, and which rest. To wake a thread costs as much as a ready page does,
 * and each event wakes one of those that listen. So as long as answers take no time, one thread listens and
 * answers, and the others rest; one of them is called before anything that may take long.
 *
 *   A thread works, listens or rests. It begins to rest only while another one listens, and whoever begins
 *   long work while nobody listens calls one that rests. So what comes is heard at once, or as soon as
 *   some quick work is done.
 *
 * All functions are safe for threads, except the first two.
 */
struct listeners {
	atomic_uint state; /* how many listen, how many rest, and whether all are dismissed */
	sem_t called;
};

/* False, with errno, when the system refuses. */
bool listeners_begin(struct listeners *listeners);
void listeners_end(struct listeners *listeners);

/* The thread listens from now on; it has heard something and works. */
void listeners_listen(struct listeners *listeners);
void listeners_heard(struct listeners *listeners);

/* Does any thread listen? */
bool listeners_listens(const struct listeners *listeners);

/*
 * The thread rests until it is called; then it listens: true. False at once when nobody else
 * listens, or all are dismissed.
 */
bool listeners_rest(struct listeners *listeners);

/* Sees to it that some thread listens, if one rests. */
void listeners_call(struct listeners *listeners);

/* Calls all threads; none rests any more. */
void listeners_dismiss(struct listeners *listeners);

#endif
