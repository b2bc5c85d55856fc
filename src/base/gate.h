#ifndef BASE_GATE_H
#define BASE_GATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What is dear is done by a few at once; a few more may wait; whoever comes then is sent away. For all
 * threads of a process.
 */
struct gate;

/* gate_free() ends it; nobody may be inside. */
struct gate *gate_new(unsigned at_once, unsigned waiting);
void gate_free(struct gate *gate);

/* Waits for a place. False when too many wait already; else gate_leave() is owed. */
bool gate_enter(struct gate *gate);
void gate_leave(struct gate *gate);

/* How many have entered so far. */
uint64_t gate_count(struct gate *gate);

#endif
