/*
 * The event loop that a waiting thread runs: tasks of its own thread, of other threads and of
 * later; sockets; and closing it, which cancels every task.
 */
#include "lib/tap.h"

#include "table/dynamo/lane.h"
#include "table/dynamo/loop.h"

#include <aws/common/clock.h>
#include <aws/common/task_scheduler.h>
#include <aws/common/thread.h>
#include <aws/io/event_loop.h>
#include <aws/io/io.h>

#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONG_MS = 60 * 1000, SHORT_NS = 5 * 1000 * 1000 };

static struct dynamo_loop *loop;
static struct aws_event_loop *base;

/* What became of a task. */
struct fate {
	struct aws_task task;
	int ran, cancelled;
	bool at_home; /* in the thread whose loop it is */
	struct fate *next;
};

static void
happen(struct aws_task *task, void *data, enum aws_task_status status)
{
	struct fate *fate = data;

	(void)task;
	fate->ran += status == AWS_TASK_STATUS_RUN_READY;
	fate->cancelled += status == AWS_TASK_STATUS_CANCELED;
	fate->at_home = aws_event_loop_thread_is_callers_thread(base);
	if (fate->next != NULL)
		aws_event_loop_schedule_task_now(base, &fate->next->task);
}

static struct fate
fate_new(struct fate *next)
{
	return (struct fate){.next = next};
}

static void
schedule(struct fate *fate, uint64_t in_nanos)
{
	uint64_t now;

	aws_task_init(&fate->task, happen, fate, "fate");
	aws_event_loop_current_clock_time(base, &now);
	if (in_nanos == 0)
		aws_event_loop_schedule_task_now(base, &fate->task);
	else
		aws_event_loop_schedule_task_future(base, &fate->task, now + in_nanos);
}

/* Runs the loop until the number is not 0. */
static void
run_until(const int *done)
{
	dynamo_loop_run(loop);
	while (*done == 0) {
		dynamo_loop_hear(loop, LONG_MS);
		dynamo_loop_run(loop);
	}
}

static void *
schedule_elsewhere(void *data)
{
	schedule(data, 0);
	return NULL;
}

static void
test_tasks(void)
{
	struct fate second = fate_new(NULL), first = fate_new(&second), later = fate_new(NULL),
		    sent = fate_new(NULL), never = fate_new(NULL);
	pthread_t other;

	ok(!dynamo_loop_mine(loop), "a loop is nobody's at first");
	dynamo_loop_enter(loop);
	ok(dynamo_loop_mine(loop), "and then the thread's that enters");
	aws_task_init(&second.task, happen, &second, "second");
	schedule(&first, 0);
	dynamo_loop_run(loop);
	is_int(first.ran, 1, "a task runs");
	is_int(second.ran, 1, "and so does the one that it makes, at once");
	schedule(&never, (uint64_t)LONG_MS * 1000000);
	dynamo_loop_run(loop);
	is_int(never.ran, 0, "a task of later does not run now");
	schedule(&later, SHORT_NS);
	run_until(&later.ran);
	is_int(later.ran, 1, "but when its time has come, though the wait could be longer");
	aws_event_loop_cancel_task(base, &never.task);
	is_int(never.cancelled, 1, "a task that is cancelled is told so");
	pthread_create(&other, NULL, schedule_elsewhere, &sent);
	run_until(&sent.ran);
	pthread_join(other, NULL);
	ok(sent.at_home, "a task of another thread ends the wait, and runs in the loop's");
	dynamo_loop_wake(loop);
	ok(dynamo_loop_hear(loop, LONG_MS), "a wake ends the wait that comes after it");
	ok(!dynamo_loop_hear(loop, 0), "and no other");
}

/* --- Sockets ----------------------------------------------------------------------------------- */

struct ears {
	int heard, events;
	struct aws_io_handle *give_up; /* when something is heard */
};

static void
on_event(struct aws_event_loop *from, struct aws_io_handle *handle, int events, void *data)
{
	struct ears *ears = data;

	(void)handle;
	ears->heard++;
	ears->events |= events;
	if (ears->give_up != NULL)
		aws_event_loop_unsubscribe_from_io_events(from, ears->give_up);
	ears->give_up = NULL;
}

static void
test_sockets(void)
{
	struct ears a = {0}, b = {0};
	struct aws_io_handle at[2];
	int pair[2], other[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, other) != 0)
		bail_out("no sockets");
	at[0] = (struct aws_io_handle){.data.fd = pair[0]};
	at[1] = (struct aws_io_handle){.data.fd = other[0]};
	aws_event_loop_subscribe_to_io_events(
	    base, &at[0], AWS_IO_EVENT_TYPE_READABLE, on_event, &a);
	aws_event_loop_subscribe_to_io_events(
	    base, &at[1], AWS_IO_EVENT_TYPE_READABLE, on_event, &b);
	is_int(dynamo_loop_sockets(loop), 2, "two sockets are looked after");
	is_int(write(pair[1], "x", 1), 1, "something is written");
	run_until(&a.heard);
	is_int(a.events, AWS_IO_EVENT_TYPE_READABLE, "and heard on the other end");
	ok(!dynamo_loop_hear(loop, 0), "once, though it has not been read");
	/* Both at once, and whichever comes first gives up the other. */
	a = (struct ears){.give_up = &at[1]};
	b = (struct ears){.give_up = &at[0]};
	close(pair[1]);
	close(other[1]);
	dynamo_loop_hear(loop, LONG_MS);
	is_int(a.heard + b.heard, 1, "what is given up is not heard of any more");
	ok(((a.events | b.events) & AWS_IO_EVENT_TYPE_CLOSED) != 0,
	    "an end that is closed is told");
	is_int(dynamo_loop_sockets(loop), 1, "and one socket is left");
	aws_event_loop_unsubscribe_from_io_events(base, &at[a.heard != 0 ? 0 : 1]);
	dynamo_loop_run(loop);
	close(pair[0]);
	close(other[0]);
}

/* --- The end ------------------------------------------------------------------------------------- */

static void
on_gone(void *data)
{
	sem_post(data);
}

/* --- Lanes: what can't be had now may be had later. ----------------------------------------------- */

static bool poor = true;
static sem_t lane_gone;

static bool
equip(struct dynamo_lane *lane, void *data)
{
	(void)data;
	*lane = (struct dynamo_lane){0};
	if (poor)
		return false;
	lane->loops = dynamo_loop_new(
	    &lane->loop, &(struct aws_shutdown_callback_options){on_gone, &lane_gone});
	return lane->loops != NULL;
}

static void
test_lanes(void)
{
	struct dynamo_lanes *lanes = dynamo_lanes_new(2, equip, NULL);
	struct dynamo_lane *lane;

	sem_init(&lane_gone, 0, 0);
	ok(dynamo_lane_take(lanes) == NULL,
	    "there is no lane while nothing is left to make one of");
	poor = false;
	lane = dynamo_lane_take(lanes);
	if (ok(lane != NULL, "there is one when there is something again"))
		dynamo_lane_leave(lanes, lane);
	dynamo_lanes_stop(lanes);
	dynamo_lanes_free(lanes);
	while (sem_wait(&lane_gone) != 0)
		;
	sem_destroy(&lane_gone);
}

int
main(void)
{
	struct fate left = fate_new(NULL), far = fate_new(NULL), sent = fate_new(&far);
	struct aws_event_loop_group *group;
	pthread_t other;
	sem_t gone;

	aws_io_library_init(aws_default_allocator());
	sem_init(&gone, 0, 0);
	group = dynamo_loop_new(&loop, &(struct aws_shutdown_callback_options){on_gone, &gone});
	base = aws_event_loop_group_get_loop_at(group, 0);
	test_tasks();
	test_sockets();
	schedule(&left, (uint64_t)LONG_MS * 1000000);
	dynamo_loop_leave(loop);
	ok(!dynamo_loop_mine(loop), "the loop is nobody's again");
	aws_task_init(&far.task, happen, &far, "far");
	pthread_create(&other, NULL, schedule_elsewhere, &sent);
	pthread_join(other, NULL);
	is_int(sent.ran, 0, "nothing goes on in a loop of nobody's");
	aws_event_loop_group_release(group);
	while (sem_wait(&gone) != 0)
		;
	is_int(left.cancelled, 1, "at the end a task of later is cancelled");
	is_int(sent.cancelled, 1, "and one that another thread has sent");
	is_int(far.cancelled, 1, "and what they make in turn");
	ok(left.at_home && sent.at_home, "by a thread whose loop it then is");
	test_lanes();
	aws_thread_join_all_managed();
	aws_io_library_clean_up();
	sem_destroy(&gone);
	return tap_done();
}
