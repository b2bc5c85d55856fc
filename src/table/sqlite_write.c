/* The embedded engine's writers: the queue, the leader, the group. */
#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite_engine.h"

#include <errno.h>
#include <time.h>

enum {
	GROUP_MAX = 256,
	SWEEP_MAX = 1000, /* items of one transaction; whoever wants more asks again */
};

/* --- The group ------------------------------------------------------------------------------- */

static bool
storage_broke(enum table_rc rc)
{
	return rc == TABLE_FULL || rc == TABLE_UNAVAILABLE || rc == TABLE_CORRUPT;
}

/* Every job of the group ends with the storage's failure; what they had found is void. */
static void
fail_group(struct job *group, enum table_rc rc, const char *why, bool unsure)
{
	for (struct job *job = group; job != NULL; job = job->next) {
		job->rc = rc;
		job->wrote = false;
		job->call->unsure = unsure;
		/* The phrase may live in another caller's arena, which ends before this one's. */
		job->call->why = str_cstring(job->call->arena, str_of(why));
		for (size_t i = 0; i < job->count; i++)
			job->writes[i].returned = job->writes[i].failed = NULL;
	}
}

static enum table_rc
commit(struct sqlite_table *t, struct job *group)
{
	struct connection *c = t->writer;
	int code = statement_run(statement(c, SQL_COMMIT));
	enum table_rc rc;

	if (code == SQLITE_DONE)
		return TABLE_OK;
	rc = storage_failed(c, group->call, code);
	/*
	 * When only the sync failed, the transaction may stand in the log and count after a crash. A
	 * full disk is different: the frame that commits was never written.
	 */
	fail_group(group, rc, group->call->why, rc != TABLE_FULL);
	return rc;
}

/*
 * All jobs of the group in one transaction. *undone tells that the storage failed before the commit, so
 * that trying again doubles nothing. True when the table changed.
 */
static bool
perform_group(struct sqlite_table *t, struct job *group, bool *undone)
{
	struct connection *c = t->writer;
	bool wrote = false;
	enum table_rc rc = TABLE_OK;
	int code = statement_run(statement(c, SQL_BEGIN_WRITE));

	*undone = false;
	if (code != SQLITE_DONE) {
		rc = storage_failed(c, group->call, code);
		fail_group(group, rc, group->call->why, false);
		return false;
	}
	for (struct job *job = group; job != NULL; job = job->next) {
		job->wrote = false;
		rc = job_perform(t, job);
		if (storage_broke(rc)) {
			fail_group(group, rc, job->call->why, false);
			*undone = true;
			break;
		}
		wrote = wrote || job->wrote;
	}
	if (!*undone)
		rc = commit(t, group);
	if (rc != TABLE_OK && sqlite3_get_autocommit(c->db) == 0)
		statement_run(statement(c, SQL_ROLLBACK));
	return wrote && rc == TABLE_OK;
}

static bool
perform(struct sqlite_table *t, struct job *group)
{
	bool undone, changed = perform_group(t, group, &undone);
	struct job *next;

	if (!undone || group->next == NULL)
		return changed;
	for (struct job *job = group; job != NULL; job = next) {
		next = job->next;
		job->next = NULL;
		changed = perform_group(t, job, &undone) || changed;
		job->next = next;
	}
	return changed;
}

/* --- The queue -------------------------------------------------------------------------------- */

static void
enqueue(struct sqlite_table *t, struct job *job)
{
	if (t->last != NULL)
		t->last->next = job;
	else
		t->first = job;
	t->last = job;
}

static void
withdraw(struct sqlite_table *t, struct job *job)
{
	struct job **link = &t->first, *before = NULL;

	while (*link != job) {
		before = *link;
		link = &before->next;
	}
	*link = job->next;
	if (t->last == job)
		t->last = before;
	job->next = NULL;
	job->state = JOB_DONE;
	job->rc = TABLE_DEADLINE;
}

static struct job *
take_group(struct sqlite_table *t)
{
	struct job *group = t->first, *last = NULL;
	size_t count = 0;

	for (struct job *job = group; job != NULL && count < GROUP_MAX; job = job->next) {
		job->state = JOB_TAKEN;
		last = job;
		count++;
	}
	if (last == NULL)
		return NULL;
	t->first = last->next;
	if (t->first == NULL)
		t->last = NULL;
	last->next = NULL;
	return group;
}

static void
wake_group(struct job *group)
{
	struct job *next;

	for (struct job *job = group; job != NULL; job = next) {
		/* Once it sees JOB_DONE its caller may be gone, and the job with it. */
		next = job->next;
		job->state = JOB_DONE;
		pthread_cond_signal(&job->wake);
	}
}

/* Writes for all that wait. Called with the queue locked and leading set; comes back the same. */
static void
lead(struct sqlite_table *t, struct job *own)
{
	struct job *group;
	bool locked, changed;

	pthread_mutex_unlock(&t->queue_mutex);
	locked = process_lock(t, own->call->deadline);
	pthread_mutex_lock(&t->queue_mutex);
	if (!locked) {
		withdraw(t, own);
		return;
	}
	group = take_group(t);
	pthread_mutex_unlock(&t->queue_mutex);
	changed = perform(t, group);
	process_unlock(t, changed);
	pthread_mutex_lock(&t->queue_mutex);
	wake_group(group);
}

/* Waits to be done, woken, or out of time. Called with the queue locked. */
static void
wait_turn(struct sqlite_table *t, struct job *job)
{
	int64_t left = job->call->deadline - clock_monotonic(t->table.clock);
	struct timespec until;

	if (job->state == JOB_TAKEN) {
		/* Its fate is in the leader's hands, and only the disk can keep that one waiting. */
		pthread_cond_wait(&job->wake, &t->queue_mutex);
		return;
	}
	if (left <= 0) {
		withdraw(t, job);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += left / 1000;
	until.tv_nsec += left % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	if (pthread_cond_timedwait(&job->wake, &t->queue_mutex, &until) == ETIMEDOUT &&
	    job->state == JOB_QUEUED)
		withdraw(t, job);
}

enum table_rc
sqlite_submit(struct sqlite_table *t, struct job *job)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&job->wake, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_lock(&t->queue_mutex);
	enqueue(t, job);
	while (job->state != JOB_DONE) {
		if (!t->leading && job->state == JOB_QUEUED) {
			t->leading = true;
			lead(t, job);
			t->leading = false;
		} else {
			wait_turn(t, job);
		}
	}
	/* Whoever leaves sees to it that somebody leads. */
	if (!t->leading && t->first != NULL)
		pthread_cond_signal(&t->first->wake);
	pthread_mutex_unlock(&t->queue_mutex);
	pthread_cond_destroy(&job->wake);
	return job->rc;
}

/* --- The engine's calls ------------------------------------------------------------------------- */

enum table_rc
sqlite_write(struct table *table, struct table_call *call, struct write *write)
{
	struct job job = {.kind = JOB_WRITE, .call = call, .writes = write, .count = 1};

	return sqlite_submit((struct sqlite_table *)table, &job);
}

enum table_rc
sqlite_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct job job = {
	    .kind = JOB_TRANSACT, .call = call, .writes = writes, .count = count, .token = token};

	return sqlite_submit((struct sqlite_table *)table, &job);
}

enum table_rc
sqlite_sweep(struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed)
{
	struct job job = {
	    .kind = JOB_SWEEP, .call = call, .limit = limit < SWEEP_MAX ? limit : SWEEP_MAX};
	enum table_rc rc = sqlite_submit((struct sqlite_table *)table, &job);

	*removed = job.removed;
	return rc;
}
