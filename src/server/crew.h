#ifndef SERVER_CREW_H
#define SERVER_CREW_H

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
struct crew {
	atomic_uint state; /* how many listen, how many rest, and whether the crew is dismissed */
	sem_t called;
};

/* False, with errno, when the system refuses. */
bool crew_begin(struct crew *crew);
void crew_end(struct crew *crew);

/* The thread listens from now on; it has heard something and works. */
void crew_listen(struct crew *crew);
void crew_heard(struct crew *crew);

/* Does any thread listen? */
bool crew_listens(const struct crew *crew);

/*
 * The thread rests until it is called; then it listens: true. False at once when nobody else
 * listens, or the crew is dismissed.
 */
bool crew_rest(struct crew *crew);

/* Sees to it that some thread listens, if one rests. */
void crew_call(struct crew *crew);

/* Calls all threads; none rests any more. */
void crew_dismiss(struct crew *crew);

#endif
