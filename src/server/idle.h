#ifndef SERVER_IDLE_H
#define SERVER_IDLE_H

#include "server/handover.h"

#include <stddef.h>
#include <stdint.h>

struct log;
struct log_lines;

/*
 * The idle connections, and their way from one worker process to the next.
 *
 * A connection that the web server keeps open uses a descriptor here and no thread. A readable one
 * is given to one thread, which owns the descriptor until it gives it back. When descriptors run
 * out, the connection that has been idle for longest is closed for a new one.
 *
 * All functions are thread-safe, except idle_new() and idle_free().
 */
struct idle;

enum idle_mode {
	IDLE_SERVE,     /* take new connections, and wait */
	IDLE_HAND_OVER, /* give everything to the next worker, what is unfinished when it is done */
	IDLE_FINISH, /* no successor: answer what has been sent already; the threads end when it is quiet */
};

/*
 * A half-received request, or a half-sent answer: no thread waits for the rest. It is the first
 * member of a larger struct.
 */
struct unfinished {
	bool sends;    /* it is an answer: it goes on when the peer takes more */
	int64_t since; /* when it was first waited for; the owner sets it to 0 before */
	size_t bytes;  /* that it holds */
	/* Ends whatever this is a part of; its connection is closed already. */
	void (*drop)(struct unfinished *u);

	/* idle.c's own. */
	int fd;
	struct unfinished *next, *before;
};

/* As many descriptors as the system lets this process have, which are its limit from now on. */
int idle_descriptors(void);

/*
 * Waits on the listener, on the passage and on nothing else yet. `listener` is non-blocking; both stay
 * the caller's. `timeout` is how many milliseconds a request, or its answer, may be unfinished. NULL, with errno, when
 * the system refuses.
 */
struct idle *idle_new(
    int listener, const struct passage *passage, int64_t timeout, const struct log *log);
void idle_free(struct idle *idle);

/* What there is to know of a thread. It begins as {.lines = ...}. */
struct idle_seat {
	struct log_lines *lines; /* written out before the thread waits */
	bool quick;              /* what it has last taken was not worth an idle_yield() */
	unsigned streak;         /* how many it has taken without a pause */
	bool in_reserve;         /* it works only while others are held up */
};

/*
 * Adds `count` spare threads. To be called once, before any of them takes. They sleep in
 * idle_take(); each thread that idle_held() reports as blocked wakes one, and when it continues,
 * one goes back to sleep. So requests that wait for expensive work delay no others, and the number
 * of working threads stays the same.
 */
void idle_reserve(struct idle *idle, unsigned count);
void idle_held(struct idle *idle, bool begins);

/*
 * A connection with something to read, seldom with nothing, which is now the caller's; -1 when the thread is to
 * end. *unfinished is what was kept with it, or NULL. Only as many threads wait for events as are needed; see
 * server/listener.h.
 */
int idle_take(struct idle *idle, struct idle_seat *seat, struct unfinished **unfinished);

/*
 * To be called before work that may take more than some microseconds: another thread listens from
 * then on.
 */
void idle_yield(struct idle *idle, struct idle_seat *seat);

/*
 * To be called before the threads start, and then ten times a second by somebody who never takes: does for threads what
 * they did not know they should (idle_yield()), gives up what has been unfinished for too long, and tells the time.
 */
void idle_tick(struct idle *idle, int64_t now);

/*
 * Gives back a connection that idle_take() gave, to be waited on (or handed on, as the mode has it). What came while
 * it was the caller's is not missed; what has come before and may not have been read to its end is `more`.
 */
void idle_give(struct idle *idle, int fd, bool more);

/*
 * The same in the midst of a request or an answer: *unfinished is kept with the connection, for whoever takes it next.
 * It is dropped instead when it has taken too long; and where all that is kept takes too much memory, the oldest is.
 */
void idle_keep(struct idle *idle, int fd, struct unfinished *unfinished, bool more);

/*
 * Changes the mode, once, from IDLE_SERVE. For IDLE_FINISH, connections that wait to be accepted are
 * accepted first when `accept_rest` is set: nobody else will.
 */
void idle_leave(struct idle *idle, enum idle_mode mode, bool accept_rest);

#endif
