/*
 * The aws libraries' event loop on epoll, without a thread. What the libraries rely on:
 *
 *  1. Tasks and events run only in the thread whose loop it is (`runner`), in dynamo_loop_run() and
 *     dynamo_loop_hear(); calls from that thread outside of these count as from a task.
 *  2. A task from any other thread goes into `sent`, guarded by `lock`, and `wake` becomes readable; the
 *     runner takes it into its own scheduler.
 *  3. Sockets are watched edge-triggered (EPOLLET). A watch that ends is freed by a task, because events that
 *     were fetched at the same time may still point to it.
 *  4. At the end, all remaining tasks are cancelled.
 */
#include "table/dynamo/loop.h"

#include "base/arena.h"

#include <aws/common/clock.h>
#include <aws/common/error.h>
#include <aws/common/task_scheduler.h>
#include <aws/io/event_loop.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { EVENTS = 32, ROUNDS = 32, NANOS_PER_MS = 1000000 };

struct dynamo_loop {
	struct aws_event_loop base;
	_Atomic(pthread_t) runner; /* 0: nobody */
	struct aws_task_scheduler tasks;
	unsigned sockets;
	int epoll, wake;

	pthread_mutex_t lock;
	struct aws_linked_list sent;
};

/* A watched socket. */
struct watch {
	aws_event_loop_on_event_fn *heard;
	void *data;
	struct aws_io_handle *handle;
	struct aws_task end;
	bool over;
};

static struct dynamo_loop *
loop_of(struct aws_event_loop *base)
{
	return base->impl_data;
}

bool
dynamo_loop_mine(const struct dynamo_loop *loop)
{
	return loop->runner == pthread_self();
}

void
dynamo_loop_enter(struct dynamo_loop *loop)
{
	loop->runner = pthread_self();
}

void
dynamo_loop_leave(struct dynamo_loop *loop)
{
	loop->runner = 0;
}

unsigned
dynamo_loop_sockets(const struct dynamo_loop *loop)
{
	return loop->sockets;
}

void
dynamo_loop_wake(struct dynamo_loop *loop)
{
	/* It fails only when it is readable anyway. */
	ssize_t written = write(loop->wake, &(uint64_t){1}, sizeof(uint64_t));

	(void)written;
}

/* --- Tasks ------------------------------------------------------------------------------------- */

static void
keep_task(struct dynamo_loop *loop, struct aws_task *task, uint64_t when)
{
	if (when == 0)
		aws_task_scheduler_schedule_now(&loop->tasks, task);
	else
		aws_task_scheduler_schedule_future(&loop->tasks, task, when);
}

static void
schedule_future(struct aws_event_loop *base, struct aws_task *task, uint64_t when)
{
	struct dynamo_loop *loop = loop_of(base);

	if (dynamo_loop_mine(loop)) {
		keep_task(loop, task, when);
		return;
	}
	task->timestamp = when;
	pthread_mutex_lock(&loop->lock);
	aws_linked_list_push_back(&loop->sent, &task->node);
	/* With the lock: once the task has run, the loop may have been freed. */
	dynamo_loop_wake(loop);
	pthread_mutex_unlock(&loop->lock);
}

static void
schedule_now(struct aws_event_loop *base, struct aws_task *task)
{
	schedule_future(base, task, 0);
}

static void
cancel_task(struct aws_event_loop *base, struct aws_task *task)
{
	aws_task_scheduler_cancel_task(&loop_of(base)->tasks, task);
}

/* Takes over the tasks of other threads. */
static void
receive(struct dynamo_loop *loop)
{
	struct aws_linked_list list;
	uint64_t count;
	ssize_t got;

	aws_linked_list_init(&list);
	pthread_mutex_lock(&loop->lock);
	got = read(loop->wake, &count, sizeof(count));
	(void)got;
	aws_linked_list_swap_contents(&loop->sent, &list);
	pthread_mutex_unlock(&loop->lock);
	while (!aws_linked_list_empty(&list)) {
		struct aws_task *task =
		    AWS_CONTAINER_OF(aws_linked_list_pop_front(&list), struct aws_task, node);

		keep_task(loop, task, task->timestamp);
	}
}

static uint64_t
nanos_now(void)
{
	uint64_t now = 0;

	aws_high_res_clock_get_ticks(&now);
	return now;
}

void
dynamo_loop_run(struct dynamo_loop *loop)
{
	uint64_t next;

	/* Tasks may schedule tasks, but not forever. */
	for (int i = 0; i < ROUNDS && aws_task_scheduler_has_tasks(&loop->tasks, &next); i++) {
		uint64_t now = next == 0 ? 0 : nanos_now();

		if (next > now)
			return;
		aws_task_scheduler_run_all(&loop->tasks, now);
	}
}

/* --- Sockets ----------------------------------------------------------------------------------- */

static void
free_watch(void *data)
{
	free(data);
}

static void
end_watch(struct aws_task *task, void *data, enum aws_task_status status)
{
	(void)task;
	(void)status;
	free_watch(data);
}

static int
subscribe(struct aws_event_loop *base, struct aws_io_handle *handle, int events,
    aws_event_loop_on_event_fn *heard, void *data)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	struct epoll_event event = {
	    .data.ptr = watch, .events = EPOLLET | EPOLLHUP | EPOLLRDHUP | EPOLLERR};

	if (watch == NULL)
		out_of_memory();
	*watch = (struct watch){.heard = heard, .data = data, .handle = handle};
	if (events & AWS_IO_EVENT_TYPE_READABLE)
		event.events |= EPOLLIN;
	if (events & AWS_IO_EVENT_TYPE_WRITABLE)
		event.events |= EPOLLOUT;
	/* Before the socket is watched: events may come at once. */
	handle->additional_data = watch;
	if (epoll_ctl(loop_of(base)->epoll, EPOLL_CTL_ADD, handle->data.fd, &event) != 0) {
		handle->additional_data = NULL;
		free_watch(watch);
		return aws_raise_error(AWS_ERROR_SYS_CALL_FAILURE);
	}
	loop_of(base)->sockets++;
	return AWS_OP_SUCCESS;
}

static int
unsubscribe(struct aws_event_loop *base, struct aws_io_handle *handle)
{
	struct watch *watch = handle->additional_data;

	if (epoll_ctl(loop_of(base)->epoll, EPOLL_CTL_DEL, handle->data.fd, NULL) != 0)
		return aws_raise_error(AWS_ERROR_SYS_CALL_FAILURE);
	loop_of(base)->sockets--;
	watch->over = true;
	handle->additional_data = NULL;
	aws_task_init(&watch->end, end_watch, watch, "end_watch");
	schedule_now(base, &watch->end);
	return AWS_OP_SUCCESS;
}

static int
events_of(uint32_t epoll)
{
	return ((epoll & EPOLLIN) != 0 ? AWS_IO_EVENT_TYPE_READABLE : 0) |
	       ((epoll & EPOLLOUT) != 0 ? AWS_IO_EVENT_TYPE_WRITABLE : 0) |
	       ((epoll & EPOLLRDHUP) != 0 ? AWS_IO_EVENT_TYPE_REMOTE_HANG_UP : 0) |
	       ((epoll & EPOLLHUP) != 0 ? AWS_IO_EVENT_TYPE_CLOSED : 0) |
	       ((epoll & EPOLLERR) != 0 ? AWS_IO_EVENT_TYPE_ERROR : 0);
}

/* The time until the next task, at most `most`; rounded up, so that the task is due then. */
static int64_t
until_next_task(struct dynamo_loop *loop, int64_t most)
{
	uint64_t next, now;
	int64_t left;

	if (!aws_task_scheduler_has_tasks(&loop->tasks, &next))
		return most;
	now = next == 0 ? 0 : nanos_now();
	left = next <= now ? 0 : (int64_t)((next - now - 1) / NANOS_PER_MS + 1);
	return left < most ? left : most;
}

bool
dynamo_loop_hear(struct dynamo_loop *loop, int64_t milliseconds)
{
	struct epoll_event events[EVENTS];
	int count =
	    epoll_wait(loop->epoll, events, EVENTS, (int)until_next_task(loop, milliseconds));

	for (int i = 0; i < count; i++) {
		struct watch *watch = events[i].data.ptr;

		if (watch == NULL)
			receive(loop);
		else if (!watch->over)
			watch->heard(
			    &loop->base, watch->handle, events_of(events[i].events), watch->data);
	}
	return count > 0;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* There is no thread to start or stop. */
static int
nothing(struct aws_event_loop *base)
{
	(void)base;
	return AWS_OP_SUCCESS;
}

static bool
is_mine(struct aws_event_loop *base)
{
	return dynamo_loop_mine(loop_of(base));
}

static void
free_loop(struct dynamo_loop *loop)
{
	aws_task_scheduler_clean_up(&loop->tasks);
	aws_event_loop_clean_up_base(&loop->base);
	if (loop->wake >= 0)
		close(loop->wake);
	if (loop->epoll >= 0)
		close(loop->epoll);
	pthread_mutex_destroy(&loop->lock);
	free(loop);
}

static void
destroy(struct aws_event_loop *base)
{
	struct dynamo_loop *loop = loop_of(base);

	dynamo_loop_enter(loop);
	receive(loop);
	free_loop(loop);
}

static struct aws_event_loop *
new_loop(struct aws_allocator *allocator, const struct aws_event_loop_options *options, void *data)
{
	static struct aws_event_loop_vtable functions = {
	    .destroy = destroy,
	    .run = nothing,
	    .stop = nothing,
	    .wait_for_stop_completion = nothing,
	    .schedule_task_now = schedule_now,
	    .schedule_task_future = schedule_future,
	    .cancel_task = cancel_task,
	    .subscribe_to_io_events = subscribe,
	    .unsubscribe_from_io_events = unsubscribe,
	    .free_io_event_resources = free_watch,
	    .is_on_callers_thread = is_mine,
	};
	struct dynamo_loop *loop = calloc(1, sizeof(*loop)), **out = data;
	struct epoll_event event = {.events = EPOLLIN};

	if (loop == NULL || aws_event_loop_init_base(&loop->base, allocator, options->clock) != 0 ||
	    aws_task_scheduler_init(&loop->tasks, allocator) != 0)
		out_of_memory();
	loop->base.vtable = &functions;
	loop->base.impl_data = loop;
	pthread_mutex_init(&loop->lock, NULL);
	aws_linked_list_init(&loop->sent);
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (loop->epoll < 0 || loop->wake < 0 ||
	    epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &event) != 0) {
		free_loop(loop);
		aws_raise_error(AWS_ERROR_SYS_CALL_FAILURE);
		return NULL;
	}
	*out = loop;
	return &loop->base;
}

struct aws_event_loop_group *
dynamo_loop_new(struct dynamo_loop **loop, const struct aws_shutdown_callback_options *end)
{
	return aws_event_loop_group_new(
	    aws_default_allocator(), aws_high_res_clock_get_ticks, 1, new_loop, loop, end);
}
