#ifndef BASE_GATE_H
#define BASE_GATE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What costs much is done by a few at once; a few more may wait; whoever comes then is sent away. For all threads of a
 * process.
 *
 * Who comes has a name, and those with one name take turns with the others: whose turn was longest ago is next, however
 * many of another name have waited longer. So nobody gets more of it by asking more often.
 */
struct gate;

struct gate_bounds {
	unsigned at_once; /* work together */
	unsigned waiting; /* wait for their turn */
	unsigned
	    of_one; /* work or wait under one name, one at a time works; 0: as many as there are places */
	int64_t patience_ms; /* who has waited so long is sent away; 0: nobody is */
};

/* Who wants to know which threads are held up: `held` is called by a thread that begins to wait or to work inside, and
 * again when it has left. It must be quick. */
struct gate_watcher {
	void (*held)(void *who, bool begins);
	void *who;
};

/* *bounds is copied. gate_free() ends it; nobody may be inside. */
struct gate *gate_new(const struct gate_bounds *bounds);
void gate_free(struct gate *gate);

/* To be called while nobody is inside. *watcher is copied. Returns how many threads the gate may hold. */
unsigned gate_watch(struct gate *gate, const struct gate_watcher *watcher);

/*
 * Waits for a turn of `who`, whose bytes stay as they are until gate_leave(). False when too many wait already, or it
 * took too long; else gate_leave() with the same name is owed.
 */
bool gate_enter(struct gate *gate, struct str who);
void gate_leave(struct gate *gate, struct str who);

/* How many have entered so far. */
uint64_t gate_count(struct gate *gate);

/* How many wait at this moment. */
unsigned gate_waiting(struct gate *gate);

#endif
