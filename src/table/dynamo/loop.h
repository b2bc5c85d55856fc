#ifndef TABLE_DYNAMO_LOOP_H
#define TABLE_DYNAMO_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct aws_event_loop_group;
struct aws_shutdown_callback_options;

/*
 * An event loop for the aws libraries that has no thread of its own: whoever waits for what goes on in it
 * runs it meanwhile. So a request and its answer pass from no thread to another.
 *
 * Between dynamo_loop_enter() and dynamo_loop_leave() it is the calling thread's, which its caller sees to:
 * no two at once. While it is nobody's, nothing goes on in it. Only dynamo_loop_wake() is for any thread.
 */
struct dynamo_loop;

/*
 * A group of one such loop, which ends with the group: everything of the libraries that lives in it has to
 * be gone by then. NULL when the system has no more descriptors.
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
 * Waits until something happens, a task is due or this many milliseconds have passed, and hears what has
 * happened, but for the tasks that follow from it. False: nothing had.
 */
bool dynamo_loop_hear(struct dynamo_loop *loop, int64_t milliseconds);

/* Ends the waiting in dynamo_loop_hear(), or the next one. */
void dynamo_loop_wake(struct dynamo_loop *loop);

/* How many sockets it looks after. */
unsigned dynamo_loop_sockets(const struct dynamo_loop *loop);

#endif
