#ifndef BASE_LIMITER_H
#define BASE_LIMITER_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Limits expensive work in a process: at most `at_once` run, `waiting` queue, and the others are
 * refused.
 *
 * Callers have a name, and names take turns: the next turn goes to the name whose last turn was
 * longest ago, no matter how long others of another name have waited. So nobody gets a larger share
 * by asking more often.
 */
struct limiter;

struct limiter_bounds {
	unsigned at_once; /* work together */
	unsigned waiting; /* wait for their turn */
	unsigned of_one;  /* run or wait under one name, one of them runs; 0: no limit of its own */
	int64_t timeout_ms; /* after waiting this long a caller is refused; 0: never */
};

/*
 * Is told which threads are blocked: `held` is called by a thread that begins to wait or to work
 * inside, and again when it has left. It must be quick.
 */
struct limiter_watcher {
	void (*held)(void *who, bool begins);
	void *who;
};

/* *bounds is copied. The caller frees it with limiter_free(), when nobody is inside. */
struct limiter *limiter_new(const struct limiter_bounds *bounds);
void limiter_free(struct limiter *limiter);

/* To be called while nobody is inside. *watcher is copied. Returns how many threads the limiter may hold. */
unsigned limiter_watch(struct limiter *limiter, const struct limiter_watcher *watcher);

/*
 * Waits for a turn of `who`, whose bytes must not change until limiter_leave(). False when too many
 * wait already, or it took too long; otherwise the caller must call limiter_leave() with the same
 * name.
 */
bool limiter_enter(struct limiter *limiter, struct str who);
void limiter_leave(struct limiter *limiter, struct str who);

/* How many have entered so far. */
uint64_t limiter_count(struct limiter *limiter);

/* How many wait at this moment. */
unsigned limiter_waiting(struct limiter *limiter);

#endif
