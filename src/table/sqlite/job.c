/*
 * The embedded engine's jobs: what a write, transaction, sweep or restore does in its transaction.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/evaluate.h"
#include "table/rules.h"
#include "table/sqlite/sqlite_private.h"

enum {
	CHANGES_KEPT_MS = 24 * 60 * 60 * 1000,
	CHANGES_KEPT_DAYS_MAX = 7, /* for a reader who is behind */
	EXPIRED_KIND =
	    CHANGE_DELETED + 1, /* distinguishes a sweep's removal from a writer's in `change` */
};

/* What a write will do, determined before anything is done. */
struct plan {
	struct stored old;
	struct item *new;
	struct row_form form; /* a put's is made before its turn */
};

static enum table_rc
fetch(struct connection *c, struct table_call *call, struct str place, struct stored *out)
{
	sqlite3_stmt *st = statement(c, SQL_GET);
	enum table_rc rc = TABLE_OK;
	int code;

	*out = (struct stored){.place = place};
	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	bind_place(st, 1, place);
	code = sqlite3_step(st);
	if (code == SQLITE_ROW) {
		out->item = ARENA_NEW(call->arena, struct item);
		rc = column_item(c, call, st, 0, out->item, out);
	} else if (code != SQLITE_DONE) {
		rc = storage_failed(c, call, code);
	}
	sqlite3_reset(st);
	return rc;
}

enum table_rc
job_fence(struct sqlite_table *t, struct table_call *call, bool *closed)
{
	const struct key key = t->table.fence;
	struct stored stored = {0};
	enum table_rc rc = TABLE_OK;

	if (key.pk.len != 0)
		rc = fetch(t->writer, call, place_of(call->arena, key.pk, key.sk), &stored);
	*closed = stored.item != NULL && !item_expired(stored.item, clock_now(t->table.clock));
	return rc;
}

/* --- Storing -------------------------------------------------------------------------------------- */

/*
 * A record holds only the key, as an item of two attributes: images of the whole item, before and
 * after, were most of what a save wrote.
 */
static enum table_rc
add_change(struct sqlite_table *t, struct table_call *call, int kind, struct str place)
{
	struct connection *c = t->writer;
	sqlite3_stmt *st = statement(c, SQL_ADD_CHANGE);
	struct attribute names[2] = {{.name = STR("PK")}, {.name = STR("SK")}};
	const struct item record = {.attributes = names, .count = 2};
	struct key key;
	int code;

	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	if (!place_key(place, &key))
		return unreadable(call);
	names[0].value = value_string(key.pk);
	names[1].value = value_string(key.sk);
	sqlite3_bind_int64(st, 1, clock_now(t->table.clock));
	sqlite3_bind_int(st, 2, kind);
	bind_bytes(st, 3, item_encode(call->arena, &record));
	code = statement_run(st);
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, call, code);
}

/*
 * Notes that the version will change, and which slots, unless the version does not cover this item.
 */
static void
note_change(
    struct sqlite_table *t, struct job *job, const struct stored *old, const struct item *new)
{
	struct key key;

	if (place_key(old->place, &key) && !table_is_seen(&t->table, key))
		return;
	slots_stamp(t->slots, next_version(t), old->item, new);
	job->wrote = true;
}

/*
 * Replaces the old row by the planned one and records the change; nothing when they are the same.
 */
static enum table_rc
store(struct sqlite_table *t, struct job *job, struct plan *plan)
{
	const struct stored *old = &plan->old;
	const struct item *new = plan->new;
	struct row_form *form = &plan->form;
	enum change_kind kind = new == NULL         ? CHANGE_DELETED
				: old->item == NULL ? CHANGE_INSERT
						    : CHANGE_MODIFY;
	enum table_rc rc;

	if (new == NULL && old->item == NULL)
		return TABLE_OK;
	if (new != NULL && form->bytes.base == NULL)
		row_form(t, job->call->arena, old->place, new, form);
	/* The stored form is canonical, so the same bytes are the same item. */
	if (new != NULL && old->item != NULL &&str_eq(form->bytes, old->bytes))
		return TABLE_OK;
	note_change(t, job, old, new);
	rc = store_row(t->writer, job->call, old, new, new != NULL ? form : NULL);
	if (rc == TABLE_OK)
		rc = add_change(t, job->call, (int)kind, old->place);
	return rc;
}

/* --- Writes and transactions ---------------------------------------------------------------------- */

void
job_prepare(struct sqlite_table *t, struct job *job)
{
	struct arena *arena = job->call->arena;

	job->plans = ARENA_ARRAY(arena, job->count, struct plan);
	for (size_t i = 0; i < job->count; i++) {
		struct write *write = &job->writes[i];
		struct key key = write_key(write);

		job->plans[i] = (struct plan){.old.place = place_of(arena, key.pk, key.sk)};
		if (write->kind == WRITE_PUT)
			row_form(
			    t, arena, job->plans[i].old.place, &write->item, &job->plans[i].form);
	}
	if (job->token.len != 0)
		job->digest = transaction_digest(arena, job->writes, job->count);
}

/* Fills the plan and write->rc. The result is TABLE_OK unless the storage failed. */
static enum table_rc
plan_write(struct sqlite_table *t, struct table_call *call, struct write *write, struct plan *plan)
{
	const char *error;
	enum table_rc rc = fetch(t->writer, call, plan->old.place, &plan->old);

	write->rc = rc;
	if (rc != TABLE_OK)
		return rc;
	if (!condition_holds(write->condition, plan->old.item)) {
		write->rc = TABLE_CONDITION;
		write->failed = plan->old.item;
		return TABLE_OK;
	}
	error = write_apply(call->arena, write, plan->old.item, &plan->new);
	if (error != NULL) {
		write->rc = TABLE_INVALID;
		call->why = error;
	}
	return TABLE_OK;
}

static enum table_rc
perform_write(struct sqlite_table *t, struct job *job)
{
	struct write *write = job->writes;
	struct plan *plan = job->plans;
	enum table_rc rc;

	write->returned = write->failed = NULL;
	rc = plan_write(t, job->call, write, plan);
	if (rc == TABLE_OK && write->rc == TABLE_OK)
		rc = store(t, job, plan);
	if (rc != TABLE_OK)
		return rc;
	if (write->rc == TABLE_OK && write->returns == RETURN_OLD)
		write->returned = plan->old.item;
	if (write->rc == TABLE_OK && write->returns == RETURN_NEW)
		write->returned = plan->new;
	return write->rc;
}

static enum table_rc
perform_transaction(struct sqlite_table *t, struct job *job)
{
	struct plan *plans = job->plans;
	enum table_rc rc = TABLE_OK;
	bool refused = false, used = false;

	if (job->token.len != 0) {
		rc = token_look_up(t, job, &used);
		if (rc != TABLE_OK || used)
			return rc;
	}
	for (size_t i = 0; i < job->count; i++) {
		job->writes[i].failed = NULL;
		rc = plan_write(t, job->call, &job->writes[i], &plans[i]);
		if (rc != TABLE_OK)
			return rc;
		refused = refused || job->writes[i].rc != TABLE_OK;
	}
	if (refused)
		return TABLE_CANCELLED;
	for (size_t i = 0; i < job->count && rc == TABLE_OK; i++)
		if (job->writes[i].kind != WRITE_CHECK)
			rc = store(t, job, &plans[i]);
	if (rc == TABLE_OK && job->token.len != 0)
		rc = token_keep(t, job);
	return rc;
}

/* --- The sweep -------------------------------------------------------------------------------------- */

static enum table_rc
sweep_item(struct sqlite_table *t, struct job *job, struct str place)
{
	struct stored old;
	enum table_rc rc = fetch(t->writer, job->call, place, &old);

	if (rc != TABLE_OK || old.item == NULL)
		return rc;
	rc = store_row(t->writer, job->call, &old, NULL, NULL);
	if (rc == TABLE_OK)
		rc = add_change(t, job->call, EXPIRED_KIND, place);
	if (rc == TABLE_OK) {
		note_change(t, job, &old, NULL);
		job->removed++;
	}
	return rc;
}

/* Records up to this time have been kept for long enough. */
static int64_t
changes_end(const struct sqlite_table *t)
{
	int64_t now = clock_now(t->table.clock), end = now - CHANGES_KEPT_MS;
	int64_t read_to = t->table.stream_read_to;
	int64_t most = now - (int64_t)CHANGES_KEPT_DAYS_MAX * CHANGES_KEPT_MS;

	if (read_to == 0 || read_to > end)
		return end;
	return read_to > most ? read_to - 1 : most;
}

/* Removes old records of the stream and old tokens. */
static enum table_rc
trim(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	int64_t now = clock_now(t->table.clock);
	sqlite3_stmt *changes = statement(c, SQL_TRIM_CHANGES);
	sqlite3_stmt *newest = statement(c, SQL_EMPTY_CHANGE);
	sqlite3_stmt *tokens = statement(c, SQL_TRIM_TOKENS);
	int code = SQLITE_ERROR;

	if (changes != NULL && newest != NULL && tokens != NULL) {
		sqlite3_bind_int64(changes, 1, changes_end(t));
		sqlite3_bind_int64(changes, 2, (int64_t)job->limit * 10);
		sqlite3_bind_int64(newest, 1, changes_end(t));
		code = statement_run(changes);
		if (code == SQLITE_DONE)
			code = statement_run(newest);
		if (code == SQLITE_DONE) {
			sqlite3_bind_int64(tokens, 1, now - TABLE_TOKEN_SECONDS * 1000);
			code = statement_run(tokens);
		}
	}
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, job->call, code);
}

static enum table_rc
perform_sweep(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	sqlite3_stmt *st = statement(c, SQL_EXPIRED);
	struct str *places = ARENA_ARRAY(job->call->arena, job->limit, struct str);
	enum table_rc rc = TABLE_OK;
	uint32_t count = 0;
	int code = SQLITE_DONE;

	if (st == NULL)
		return storage_failed(c, job->call, sqlite3_extended_errcode(c->db));
	job->removed = 0;
	sqlite3_bind_int64(st, 1, clock_now(t->table.clock) / 1000);
	sqlite3_bind_int64(st, 2, job->limit);
	while (count < job->limit && (code = sqlite3_step(st)) == SQLITE_ROW)
		places[count++] = str_dup(job->call->arena, column_bytes(st, 0));
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		rc = storage_failed(c, job->call, code);
	sqlite3_reset(st);
	for (uint32_t i = 0; i < count && rc == TABLE_OK; i++)
		rc = sweep_item(t, job, places[i]);
	return rc == TABLE_OK ? trim(t, job) : rc;
}

enum table_rc
job_perform(struct sqlite_table *t, struct job *job)
{
	switch (job->kind) {
	case JOB_WRITE: job->rc = perform_write(t, job); break;
	case JOB_TRANSACT: job->rc = perform_transaction(t, job); break;
	case JOB_SWEEP: job->rc = perform_sweep(t, job); break;
	case JOB_RESTORE: job->rc = job_restore(t, job); break;
	}
	return job->rc;
}
