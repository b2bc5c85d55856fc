/* The embedded engine's writes: the calls, and a group of jobs in one transaction. */
#include "base/arena.h"
#include "table/sqlite/sqlite_private.h"

enum { SWEEP_MAX = 1000 /* items of one transaction; for more, the caller calls again */ };

/* --- The group ------------------------------------------------------------------------------- */

static bool
storage_broke(enum table_rc rc)
{
	return rc == TABLE_FULL || rc == TABLE_UNAVAILABLE || rc == TABLE_CORRUPT;
}

/* Every job of the group ends with the storage's failure; earlier results are void. */
static void
fail_group(struct job *group, enum table_rc rc, const char *why, bool unsure)
{
	for (struct job *job = group; job != NULL; job = job->next) {
		job->rc = rc;
		job->wrote = false;
		job->call->unsure = unsure;
		/* The text may be in another caller's arena, which ends before this one's. */
		job->call->why = str_cstring(job->call->arena, str_of(why));
		for (size_t i = 0; i < job->count; i++)
			job->writes[i].returned = job->writes[i].failed = NULL;
	}
}

/* Unless it is nothing but what can be lost. */
static bool
wants_sync(const struct job *group)
{
	for (const struct job *job = group; job != NULL; job = job->next)
		if (!job->call->can_be_lost)
			return true;
	return false;
}

static enum table_rc
commit(struct sqlite_table *t, struct job *group)
{
	struct connection *c = t->writer;
	int code = log_commit(t, wants_sync(group));
	enum table_rc rc;

	if (code == SQLITE_DONE)
		return TABLE_OK;
	rc = storage_failed(c, group->call, code);
	/*
	 * If only the sync failed, the transaction may be in the log and count after a crash. On a
	 * full disk the commit frame was never written.
	 */
	fail_group(group, rc, group->call->why, rc != TABLE_FULL);
	return rc;
}

static void
refuse(struct job *job)
{
	job->rc = TABLE_THROTTLED;
	job->call->why = table_fenced;
	for (size_t i = 0; i < job->count; i++)
		job->writes[i].rc = job->kind == JOB_TRANSACT ? TABLE_OK : TABLE_THROTTLED;
}

/*
 * Does all jobs of the group in one transaction. *undone: the storage failed before the commit, so
 * a retry is safe. True when the version is to change.
 */
static bool
perform_group(struct sqlite_table *t, struct job *group, bool *undone)
{
	struct connection *c = t->writer;
	bool wrote = false, closed;
	enum table_rc rc = TABLE_OK;
	int code = statement_run(statement(c, SQL_BEGIN_WRITE));

	*undone = false;
	if (code != SQLITE_DONE) {
		rc = storage_failed(c, group->call, code);
		fail_group(group, rc, group->call->why, false);
		return false;
	}
	rc = job_fence(t, group->call, &closed);
	if (rc != TABLE_OK) {
		fail_group(group, rc, group->call->why, false);
		*undone = true;
	}
	for (struct job *job = group; !*undone && job != NULL; job = job->next) {
		job->wrote = false;
		if (closed && !job->call->past_fence) {
			refuse(job);
			continue;
		}
		rc = job_perform(t, job);
		if (storage_broke(rc)) {
			fail_group(group, rc, job->call->why, false);
			*undone = true;
		}
		wrote = wrote || job->wrote;
	}
	if (!*undone)
		rc = commit(t, group);
	/* Only what is in the file that others will find is acknowledged. */
	if (rc == TABLE_OK && !place_kept(t, group->call)) {
		fail_group(group, TABLE_UNAVAILABLE, group->call->why, true);
		return true;
	}
	if (rc != TABLE_OK && sqlite3_get_autocommit(c->db) == 0)
		statement_run(statement(c, SQL_ROLLBACK));
	return wrote && rc == TABLE_OK;
}

bool
group_perform(struct sqlite_table *t, struct job *group)
{
	bool undone, changed;
	struct job *next;

	if (!place_kept(t, group->call)) {
		fail_group(group, TABLE_UNAVAILABLE, group->call->why, false);
		return false;
	}
	if (!log_sound(t)) {
		fail_group(group, TABLE_UNAVAILABLE, "the disk has failed to keep the log", false);
		return false;
	}
	changed = perform_group(t, group, &undone);
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

/* --- The engine's calls ------------------------------------------------------------------------- */

enum table_rc
sqlite_write(struct table *table, struct table_call *call, struct write *write)
{
	struct job job = {.kind = JOB_WRITE, .call = call, .writes = write, .count = 1};

	job_prepare((struct sqlite_table *)table, &job);
	return sqlite_submit((struct sqlite_table *)table, &job);
}

enum table_rc
sqlite_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct job job = {
	    .kind = JOB_TRANSACT, .call = call, .writes = writes, .count = count, .token = token};

	job_prepare((struct sqlite_table *)table, &job);
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
