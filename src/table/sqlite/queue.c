/* The embedded engine's queue of writers: who waits, who leads, who is woken. */
#include "base/check.h"
#include "base/clock.h"
#include "table/sqlite/sqlite_private.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	GATHER_MAX_US = 5000,
	FIRST_BIT =
	    31, /* of the job that finds the queue empty; others share one with their group */
};

#define ANYBODY FUTEX_BITSET_MATCH_ANY

/* --- Sleeping and waking ------------------------------------------------------------------- */

/* False on a timeout. */
static bool
sleep_while(_Atomic uint32_t *word, uint32_t value, uint32_t bits, const struct timespec *until)
{
	return syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, until, NULL, bits) == 0 ||
	       errno != ETIMEDOUT;
}

static void
wake(_Atomic uint32_t *word, uint32_t bits)
{
	syscall(SYS_futex, word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, bits);
}

/*
 * All jobs sleep on one futex, each on its own bits, and a woken one has its result and needs no
 * lock. So a group is woken by one system call, and its threads start on all processors at once.
 */
static void
wake_jobs(struct sqlite_table *t, uint32_t bits)
{
	atomic_fetch_add(&t->wakes, 1);
	wake(&t->wakes, bits);
}

/* That much later, by the clock of the kernel's timeouts. */
static struct timespec
time_from_now(int64_t micros)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	micros += ts.tv_nsec / 1000;
	ts.tv_sec += micros / 1000000;
	ts.tv_nsec = micros % 1000000 * 1000;
	return ts;
}

/* --- The queue -------------------------------------------------------------------------------- */

/* With the mutex: while jobs wait, there is a leader, or the first of them is to lead. */
static bool
queue_ok(const struct sqlite_table *t)
{
	return (t->first == NULL) == (t->queued == 0) && (t->last == NULL) == (t->queued == 0) &&
	       (t->last == NULL || t->last->next == NULL) && (t->leading || t->queued == 0) &&
	       (t->leading || t->gathering == 0);
}

/* The count is that of the queue, and only the first of it is to lead. */
static bool
queue_whole(const struct sqlite_table *t)
{
	size_t count = 0;

	for (const struct job *job = t->first; job != NULL; job = job->next, count++)
		if (job->state != JOB_QUEUED && (job->state != JOB_LEADS || job != t->first))
			return false;
	return count == t->queued;
}

static void
enqueue(struct sqlite_table *t, struct job *job)
{
	job->bit = 1U << (t->first == NULL ? FIRST_BIT : t->taken % FIRST_BIT);
	if (t->last != NULL)
		t->last->next = job;
	else
		t->first = job;
	t->last = job;
	t->queued++;
	if (!t->leading) {
		t->leading = true;
		job->state = JOB_LEADS;
	} else if (t->queued >= t->expected && t->gathering != 0) {
		t->gathering = 0;
		wake(&t->gathering, ANYBODY);
	}
	assert(queue_ok(t));
	assert_whole(queue_whole(t));
}

static void
withdraw(struct sqlite_table *t, struct job *job)
{
	struct job **link = &t->first, *before = NULL;

	assert(queue_ok(t) && t->queued != 0);
	while (*link != job) {
		before = *link;
		link = &before->next;
	}
	*link = job->next;
	if (t->last == job)
		t->last = before;
	t->queued--;
	job->next = NULL;
	job->state = JOB_DONE;
	job->rc = TABLE_DEADLINE;
}

static struct job *
take_group(struct sqlite_table *t, size_t *count)
{
	struct job *group = t->first, *last = NULL;

	assert(queue_ok(t) && group != NULL && group->state == JOB_LEADS);
	*count = 0;
	for (struct job *job = group; job != NULL && *count < t->group_max; job = job->next) {
		job->state = JOB_TAKEN;
		last = job;
		++*count;
	}
	t->first = last->next;
	if (t->first == NULL)
		t->last = NULL;
	t->queued -= *count;
	t->taken++;
	last->next = NULL;
	return group;
}

/* Whoever stops leading makes the next one lead. */
static void
pass_on(struct sqlite_table *t)
{
	t->leading = t->first != NULL;
	if (t->leading) {
		t->first->state = JOB_LEADS;
		wake_jobs(t, t->first->bit);
	}
	assert(queue_ok(t));
	assert_whole(queue_whole(t));
}

/* --- Leading ---------------------------------------------------------------------------------- */

/*
 * The jobs that the last group woke mostly return at once. Waiting for them, at most for a quarter
 * of what a group takes, makes one group of two. A single writer never waits.
 */
static void
gather(struct sqlite_table *t)
{
	struct timespec until;

	if (t->queued >= t->expected)
		return;
	until = time_from_now(
	    t->group_micros / 4 < GATHER_MAX_US ? t->group_micros / 4 : GATHER_MAX_US);
	t->gathering = 1;
	pthread_mutex_unlock(&t->queue_mutex);
	sleep_while(&t->gathering, 1, ANYBODY, &until);
	pthread_mutex_lock(&t->queue_mutex);
	t->gathering = 0;
}

/* The leader itself is awake: a group of its own job alone needs no waking. */
static void
answer(struct sqlite_table *t, struct job *group, const struct job *own)
{
	struct job *next;
	uint32_t bits = 0;

	for (struct job *job = group; job != NULL; job = next) {
		/* Once the caller sees JOB_DONE, it may free the job. */
		next = job->next;
		bits |= job != own ? job->bit : 0;
		job->state = JOB_DONE;
	}
	if (bits != 0)
		wake_jobs(t, bits);
}

/* Writes all that wait, `own` among them. */
static void
lead(struct sqlite_table *t, struct job *own)
{
	struct job *group = NULL;
	int64_t began, took = 0;
	size_t count = 0;
	bool changed;

	pthread_mutex_lock(&t->queue_mutex);
	gather(t);
	pthread_mutex_unlock(&t->queue_mutex);
	if (process_lock(t, own->call->deadline)) {
		began = clock_micros();
		pthread_mutex_lock(&t->queue_mutex);
		group = take_group(t, &count);
		pthread_mutex_unlock(&t->queue_mutex);
		changed = group_perform(t, group);
		log_settle(t);
		took = clock_micros() - began;
		process_unlock(t, changed);
	}
	pthread_mutex_lock(&t->queue_mutex);
	if (group == NULL) {
		withdraw(t, own);
	} else {
		t->expected = count + t->queued;
		t->group_micros = took;
	}
	pass_on(t);
	pthread_mutex_unlock(&t->queue_mutex);
	answer(t, group, own);
}

/* Waits until the job is done, is to lead, or has timed out. */
static void
wait_turn(struct sqlite_table *t, struct job *job)
{
	int64_t left = job->call->deadline - clock_monotonic(t->table.clock);
	struct timespec until = time_from_now(left > 0 ? left * 1000 : 0);

	for (;;) {
		uint32_t wakes = t->wakes, state = job->state;

		if (state == JOB_LEADS || state == JOB_DONE)
			return;
		/*
		 * Once it is taken, its result depends on the leader, which waits only for the
		 * disk.
		 */
		if (sleep_while(&t->wakes, wakes, job->bit, state == JOB_QUEUED ? &until : NULL))
			continue;
		pthread_mutex_lock(&t->queue_mutex);
		if (job->state == JOB_QUEUED)
			withdraw(t, job);
		pthread_mutex_unlock(&t->queue_mutex);
	}
}

enum table_rc
sqlite_submit(struct sqlite_table *t, struct job *job)
{
	pthread_mutex_lock(&t->queue_mutex);
	enqueue(t, job);
	pthread_mutex_unlock(&t->queue_mutex);
	if (job->state != JOB_LEADS)
		wait_turn(t, job);
	if (job->state == JOB_LEADS)
		lead(t, job);
	return job->rc;
}
