#ifndef DERIVE_STREAM_WORKER_H
#define DERIVE_STREAM_WORKER_H

#include "base/str.h"
#include "table/table.h"

struct log;

/*
 * The stream worker: keeps everything that is derived (derive/derivation.h) in line with the facts, a moment after these
 * have changed. One process works, which holds a lease; any number stand by.
 *
 * It reads the stream of changes from its stored position. A record is a hint: of up to a thousand of them the subjects
 * are collected, each once, and derived from the facts as they are now, several at once; then the position is stored,
 * on the condition of the one before, which puts all of it on the disk. So a worker that is killed anywhere leaves
 * nothing but work to be done again, and two that both believe to have the lease do no harm.
 *
 * What fails five times is parked, and the others go on. A table that has no position yet, or whose stream no longer
 * has what follows it, is made anew as a whole (derive/rebuild.h), between the changes that come.
 */
struct stream_worker_options {
	struct table *table;
	const struct log *log;
	struct str site;  /* its address */
	int lease_ms;     /* 0: the default, 15 s */
	int idle_ms;      /* how long to wait when there was nothing to do; 0: the default */
	bool alone;       /* in its process, which is to take little memory */
	struct str without; /* a derivation that others see to; empty: none */
};

struct stream_worker;

/* Starts its thread; NULL, and it is logged, when there is none. The options' table and log outlive it. */
struct stream_worker *stream_worker_start(const struct stream_worker_options *options);

/* Ends between two subjects, and gives up the lease. NULL is allowed. */
void stream_worker_stop(struct stream_worker *worker);

/* --- Without a thread --------------------------------------------------------------------------------- */

enum stream_turn {
	STREAM_WORKED,    /* there may be more */
	STREAM_IDLE,      /* nothing waits */
	STREAM_STANDS_BY, /* another process works */
	STREAM_FAILED,    /* the table did: later again */
};

/* What the thread does, one batch at a time. Closing gives up the lease. */
struct stream_worker *stream_worker_open(const struct stream_worker_options *options);
enum stream_turn stream_worker_turn(struct stream_worker *worker);
void stream_worker_close(struct stream_worker *worker);

#endif
