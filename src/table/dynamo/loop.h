#ifndef TABLE_DYNAMO_LOOP_H
#define TABLE_DYNAMO_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct aws_event_loop_group;
struct aws_shutdown_callback_options;

/*
 * An event loop for the aws libraries without a thread of its own: it is run by the thread that
 * waits for its events. So a request and its answer are not passed between threads.
 *
 * Between dynamo_loop_enter() and dynamo_loop_leave() it belongs to the calling thread; the caller
 * makes sure that no two enter. At other times nothing happens in it. Only dynamo_loop_wake() can
 * be called by any thread.
 */
struct dynamo_loop;

/*
 * A group of one such loop, which ends with the group: all library objects in it must have ended
 * before. NULL when the system has no more file descriptors.
 */
struct aws_event_loop_group *dynamo_loop_new(
    struct dynamo_loop **loop, const struct aws_shutdown_callback_options *end);

void dynamo_loop_enter(struct dynamo_loop *loop);
void dynamo_loop_leave(struct dynamo_loop *loop);

/* Is it the calling thread's now? */
bool dynamo_loop_mine(const struct dynamo_loop *loop);

/* Runs the tasks that are due. */
void dynamo_loop_run(struct dynamo_loop *loop);

/*
 * Waits until an event arrives, a task is due or this many milliseconds have passed, and handles
 * the events, but not the tasks that they schedule. False: there were none.
 */
bool dynamo_loop_hear(struct dynamo_loop *loop, int64_t milliseconds);

/* Interrupts the current or the next dynamo_loop_hear(). */
void dynamo_loop_wake(struct dynamo_loop *loop);

/* How many sockets it looks after. */
unsigned dynamo_loop_sockets(const struct dynamo_loop *loop);

#endif
