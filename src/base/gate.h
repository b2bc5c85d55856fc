#ifndef BASE_GATE_H
#define BASE_GATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What is dear is done by a few at once; a few more may wait; whoever comes then is sent away. For all
 * threads of a process.
 */
struct gate;

/* Who wants to know which threads are held up: `held` is called by a thread that begins to wait or to work inside, and
 * again when it has left. It must be quick. */
struct gate_watcher {
	void (*held)(void *who, bool begins);
	void *who;
};

/* gate_free() ends it; nobody may be inside. */
struct gate *gate_new(unsigned at_once, unsigned waiting);
void gate_free(struct gate *gate);

/* To be called before anybody enters. *watcher is copied. Returns how many threads the gate may hold. */
unsigned gate_watch(struct gate *gate, const struct gate_watcher *watcher);

/* Waits for a place. False when too many wait already; else gate_leave() is owed. */
bool gate_enter(struct gate *gate);
void gate_leave(struct gate *gate);

/* How many have entered so far. */
uint64_t gate_count(struct gate *gate);

#endif
