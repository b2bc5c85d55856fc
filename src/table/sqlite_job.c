/* The embedded engine's jobs: what one write, transaction, sweep or restore does in its transaction. */
#include "base/arena.h"
#include "base/clock.h"
#include "table/evaluate.h"
#include "table/rules.h"
#include "table/sqlite_engine.h"

#include <sodium.h>

enum {
	CHANGES_KEPT_MS = 24 * 60 * 60 * 1000,
	EXPIRED_KIND =
	    CHANGE_DELETED + 1, /* how `change` tells a sweep's removal from a writer's */
};

/* An item as the table has it: decoded, and the bytes it was decoded from. */
struct stored {
	struct item *item; /* NULL when there is none */
	struct str bytes;
};

static enum table_rc
fetch(struct connection *c, struct table_call *call, struct key key, struct stored *out)
{
	sqlite3_stmt *st = statement(c, SQL_GET);
	enum table_rc rc = TABLE_OK;
	int code;

	*out = (struct stored){.item = NULL};
	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	bind_bytes(st, 1, key.pk);
	bind_bytes(st, 2, key.sk);
	code = sqlite3_step(st);
	if (code == SQLITE_ROW) {
		out->bytes = column_bytes(st, 0);
		out->bytes.base = arena_copy(call->arena, out->bytes.base, out->bytes.len);
		out->item = ARENA_NEW(call->arena, struct item);
		if (!item_decode(call->arena, out->bytes, out->item)) {
			call->why = "a stored item is damaged";
			rc = TABLE_CORRUPT;
		}
	} else if (code != SQLITE_DONE) {
		rc = storage_failed(c, call, code);
	}
	sqlite3_reset(st);
	return rc;
}

/* --- Storing -------------------------------------------------------------------------------------- */

static void
bind_row(sqlite3_stmt *st, const struct item *item, struct str bytes)
{
	const struct value *expires = item_get(item, TABLE_EXPIRES);
	int at = 5;

	if (expires != NULL && expires->kind == VALUE_NUMBER)
		sqlite3_bind_int64(st, 3, expires->number);
	else
		sqlite3_bind_null(st, 3);
	bind_bytes(st, 4, bytes);
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		struct str pk, sk;

		if (item_index_key(item, (enum table_index)index, &pk, &sk)) {
			bind_bytes(st, at++, pk);
			bind_bytes(st, at++, sk);
		} else {
			sqlite3_bind_null(st, at++);
			sqlite3_bind_null(st, at++);
		}
	}
}

static enum table_rc
store_row(struct connection *c, struct table_call *call, struct key key, bool there,
    const struct item *new, struct str bytes)
{
	sqlite3_stmt *st = statement(c, new == NULL ? SQL_DELETE : there ? SQL_UPDATE : SQL_INSERT);
	int code;

	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	bind_bytes(st, 1, key.pk);
	bind_bytes(st, 2, key.sk);
	if (new != NULL)
		bind_row(st, new, bytes);
	code = statement_run(st);
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, call, code);
}

static enum table_rc
add_change(struct sqlite_table *t, struct table_call *call, int kind, struct key key,
    struct str old, struct str new)
{
	struct connection *c = t->writer;
	sqlite3_stmt *st = statement(c, SQL_ADD_CHANGE);
	int code;

	if (st == NULL)
		return storage_failed(c, call, sqlite3_extended_errcode(c->db));
	sqlite3_bind_int64(st, 1, clock_now(t->table.clock));
	sqlite3_bind_int(st, 2, kind);
	bind_bytes(st, 3, key.pk);
	bind_bytes(st, 4, key.sk);
	if (old.base != NULL)
		bind_bytes(st, 5, old);
	else
		sqlite3_bind_null(st, 5);
	if (new.base != NULL)
		bind_bytes(st, 6, new);
	else
		sqlite3_bind_null(st, 6);
	code = statement_run(st);
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, call, code);
}

/* Brings the row from what it was to `new` (NULL: away) and records it; nothing when they are the same. */
static enum table_rc
store(struct sqlite_table *t, struct job *job, struct key key, const struct stored *old,
    const struct item *new)
{
	struct str bytes = {NULL, 0};
	enum change_kind kind = new == NULL         ? CHANGE_DELETED
				: old->item == NULL ? CHANGE_INSERT
						    : CHANGE_MODIFY;
	enum table_rc rc;

	if (new == NULL && old->item == NULL)
		return TABLE_OK;
	if (new != NULL)
		bytes = item_encode(job->call->arena, new);
	/* The stored form is canonical, so the same bytes are the same item. */
	if (new != NULL && old->item != NULL &&str_eq(bytes, old->bytes))
		return TABLE_OK;
	job->wrote = true;
	rc = store_row(t->writer, job->call, key, old->item != NULL, new, bytes);
	if (rc == TABLE_OK)
		rc = add_change(t, job->call, (int)kind, key, old->bytes, bytes);
	return rc;
}

/* --- Writes and transactions ---------------------------------------------------------------------- */

/* What a write will do, found out before anything is done. */
struct plan {
	struct stored old;
	struct item *new;
};

/* Fills the plan and write->rc. The result is TABLE_OK unless the storage failed. */
static enum table_rc
plan_write(struct sqlite_table *t, struct table_call *call, struct write *write, struct plan *plan)
{
	const char *flaw;
	enum table_rc rc = fetch(t->writer, call, write_key(write), &plan->old);

	write->rc = rc;
	if (rc != TABLE_OK)
		return rc;
	if (!condition_holds(write->condition, plan->old.item)) {
		write->rc = TABLE_CONDITION;
		write->failed = plan->old.item;
		return TABLE_OK;
	}
	flaw = write_apply(call->arena, write, plan->old.item, &plan->new);
	if (flaw != NULL) {
		write->rc = TABLE_INVALID;
		call->why = flaw;
	}
	return TABLE_OK;
}

static enum table_rc
perform_write(struct sqlite_table *t, struct job *job)
{
	struct write *write = job->writes;
	struct plan plan = {.new = NULL};
	enum table_rc rc;

	write->returned = write->failed = NULL;
	rc = plan_write(t, job->call, write, &plan);
	if (rc == TABLE_OK && write->rc == TABLE_OK)
		rc = store(t, job, write_key(write), &plan.old, plan.new);
	if (rc != TABLE_OK)
		return rc;
	if (write->rc == TABLE_OK && write->returns == RETURN_OLD)
		write->returned = plan.old.item;
	if (write->rc == TABLE_OK && write->returns == RETURN_NEW)
		write->returned = plan.new;
	return write->rc;
}

/* Has this token been used? TABLE_OK with *used for the same transaction, TABLE_TOKEN_USED for another. */
static enum table_rc
look_up_token(struct sqlite_table *t, struct job *job, struct str digest, bool *used)
{
	sqlite3_stmt *st = statement(t->writer, SQL_GET_TOKEN);
	enum table_rc rc = TABLE_OK;
	int code;

	*used = false;
	if (st == NULL)
		return storage_failed(
		    t->writer, job->call, sqlite3_extended_errcode(t->writer->db));
	bind_bytes(st, 1, job->token);
	sqlite3_bind_int64(st, 2, clock_now(t->table.clock) - TABLE_TOKEN_SECONDS * 1000);
	code = sqlite3_step(st);
	if (code == SQLITE_ROW) {
		*used = str_eq(column_bytes(st, 0), digest);
		rc = *used ? TABLE_OK : TABLE_TOKEN_USED;
	} else if (code != SQLITE_DONE) {
		rc = storage_failed(t->writer, job->call, code);
	}
	sqlite3_reset(st);
	return rc;
}

static enum table_rc
keep_token(struct sqlite_table *t, struct job *job, struct str digest)
{
	sqlite3_stmt *st = statement(t->writer, SQL_PUT_TOKEN);
	int code = SQLITE_ERROR;

	if (st != NULL) {
		bind_bytes(st, 1, job->token);
		bind_bytes(st, 2, digest);
		sqlite3_bind_int64(st, 3, clock_now(t->table.clock));
		code = statement_run(st);
	}
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(t->writer, job->call, code);
}

static enum table_rc
perform_transaction(struct sqlite_table *t, struct job *job)
{
	struct plan *plans = ARENA_ARRAY(job->call->arena, job->count, struct plan);
	struct str digest = {NULL, 0};
	enum table_rc rc = TABLE_OK;
	bool refused = false, used = false;

	if (job->token.len != 0) {
		digest = transaction_digest(job->call->arena, job->writes, job->count);
		rc = look_up_token(t, job, digest, &used);
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
			rc = store(t, job, write_key(&job->writes[i]), &plans[i].old, plans[i].new);
	if (rc == TABLE_OK && job->token.len != 0)
		rc = keep_token(t, job, digest);
	return rc;
}

/* --- The sweep -------------------------------------------------------------------------------------- */

static enum table_rc
sweep_item(struct sqlite_table *t, struct job *job, struct key key)
{
	struct stored old;
	enum table_rc rc = fetch(t->writer, job->call, key, &old);

	if (rc != TABLE_OK || old.item == NULL)
		return rc;
	rc = store_row(t->writer, job->call, key, true, NULL, STR(""));
	if (rc == TABLE_OK)
		rc = add_change(t, job->call, EXPIRED_KIND, key, old.bytes, (struct str){NULL, 0});
	if (rc == TABLE_OK)
		job->removed++;
	return rc;
}

/* Forgets what is too old of the stream and of the tokens. */
static enum table_rc
trim(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	int64_t now = clock_now(t->table.clock);
	sqlite3_stmt *changes = statement(c, SQL_TRIM_CHANGES);
	sqlite3_stmt *tokens = statement(c, SQL_TRIM_TOKENS);
	int code = SQLITE_ERROR;

	if (changes != NULL && tokens != NULL) {
		sqlite3_bind_int64(changes, 1, now - CHANGES_KEPT_MS);
		sqlite3_bind_int64(changes, 2, (int64_t)job->limit * 10);
		code = statement_run(changes);
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
	struct key *keys = ARENA_ARRAY(job->call->arena, job->limit, struct key);
	enum table_rc rc = TABLE_OK;
	uint32_t count = 0;
	int code = SQLITE_DONE;

	if (st == NULL)
		return storage_failed(c, job->call, sqlite3_extended_errcode(c->db));
	job->removed = 0;
	sqlite3_bind_int64(st, 1, clock_now(t->table.clock) / 1000);
	sqlite3_bind_int64(st, 2, job->limit);
	while (count < job->limit && (code = sqlite3_step(st)) == SQLITE_ROW) {
		keys[count].pk = str_dup(job->call->arena, column_bytes(st, 0));
		keys[count++].sk = str_dup(job->call->arena, column_bytes(st, 1));
	}
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		rc = storage_failed(c, job->call, code);
	sqlite3_reset(st);
	for (uint32_t i = 0; i < count && rc == TABLE_OK; i++)
		rc = sweep_item(t, job, keys[i]);
	job->wrote = job->removed != 0;
	return rc == TABLE_OK ? trim(t, job) : rc;
}

/* --- Restoring ---------------------------------------------------------------------------------------- */

/*
 * Everything is replaced and the stream forgets all: who follows it learns from TABLE_TRIMMED that what
 * was derived from it must be made anew. The copy is read through a connection of its own, because a
 * database can't be attached inside a transaction.
 */
static enum table_rc
copy_items(struct sqlite_table *t, struct job *job, sqlite3 *from)
{
	struct connection *c = t->writer;
	sqlite3_stmt *st = NULL;
	enum table_rc rc = TABLE_OK;
	int code = sqlite3_prepare_v2(from, "SELECT data FROM item", -1, &st, NULL);
	struct arena *arena = arena_new();

	while (code == SQLITE_OK && rc == TABLE_OK && (code = sqlite3_step(st)) == SQLITE_ROW) {
		struct str bytes = column_bytes(st, 0);
		struct item item;

		arena_reset(arena);
		code = SQLITE_OK;
		if (!item_decode(arena, bytes, &item))
			rc = TABLE_CORRUPT;
		else
			rc = store_row(c, job->call, item_key(&item), false, &item, bytes);
	}
	if (rc == TABLE_OK && code != SQLITE_DONE) {
		job->call->why = "the backup can't be read";
		rc = TABLE_CORRUPT;
	}
	sqlite3_finalize(st);
	arena_free(arena);
	return rc;
}

static enum table_rc
perform_restore(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	sqlite3 *from = NULL;
	enum table_rc rc;
	int code =
	    sqlite3_open_v2(job->from, &from, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

	if (code != SQLITE_OK) {
		sqlite3_close(from);
		job->call->why = "the backup can't be opened";
		return TABLE_UNAVAILABLE;
	}
	/* The record that is added and forgotten moves the stream on, past every position given out. */
	code = sqlite3_exec(c->db,
	    "DELETE FROM item; INSERT INTO change(at, kind, pk, sk) VALUES(0, 0, x'', x'');"
	    "DELETE FROM change; DELETE FROM token",
	    NULL, NULL, NULL);
	rc = code == SQLITE_OK ? copy_items(t, job, from) : storage_failed(c, job->call, code);
	sqlite3_close(from);
	job->wrote = true;
	return rc;
}

enum table_rc
job_perform(struct sqlite_table *t, struct job *job)
{
	switch (job->kind) {
	case JOB_WRITE: job->rc = perform_write(t, job); break;
	case JOB_TRANSACT: job->rc = perform_transaction(t, job); break;
	case JOB_SWEEP: job->rc = perform_sweep(t, job); break;
	case JOB_RESTORE: job->rc = perform_restore(t, job); break;
	}
	return job->rc;
}

/* --- Tokens -------------------------------------------------------------------------------------------- */

static void
digest_bytes(crypto_generichash_state *state, struct str bytes)
{
	uint64_t len = bytes.len;

	crypto_generichash_update(state, (const unsigned char *)&len, sizeof(len));
	crypto_generichash_update(state, (const unsigned char *)bytes.base, bytes.len);
}

static void
digest_number(crypto_generichash_state *state, uint64_t number)
{
	crypto_generichash_update(state, (const unsigned char *)&number, sizeof(number));
}

static void
digest_value(crypto_generichash_state *state, struct arena *arena, struct value value)
{
	struct attribute attribute = {STR_INIT("v"), value};
	struct item item = {.attributes = &attribute, .count = 1};

	digest_bytes(state, item_encode(arena, &item));
}

static void
digest_condition(crypto_generichash_state *state, struct arena *arena, const struct condition *c)
{
	if (c == NULL) {
		digest_number(state, UINT64_MAX);
		return;
	}
	digest_number(state, c->op);
	digest_bytes(state, c->name);
	switch (c->op) {
	case COND_BETWEEN: digest_value(state, arena, c->high); /* fall through */
	case COND_EQ:
	case COND_NE:
	case COND_LT:
	case COND_LE:
	case COND_GT:
	case COND_GE:
	case COND_BEGINS:
	case COND_CONTAINS: digest_value(state, arena, c->value); break;
	case COND_ALL:
	case COND_ANY:
	case COND_NOT:
		digest_number(state, c->count);
		for (size_t i = 0; i < c->count; i++)
			digest_condition(state, arena, &c->children[i]);
		break;
	case COND_ALWAYS:
	case COND_EXISTS:
	case COND_MISSING: break;
	}
}

struct str
transaction_digest(struct arena *arena, const struct write *writes, size_t count)
{
	enum { DIGEST = 32 };
	crypto_generichash_state state;
	unsigned char *out = arena_alloc(arena, DIGEST);

	crypto_generichash_init(&state, NULL, 0, DIGEST);
	for (size_t i = 0; i < count; i++) {
		const struct write *w = &writes[i];

		digest_number(&state, w->kind);
		if (w->kind == WRITE_PUT) {
			digest_bytes(&state, item_encode(arena, &w->item));
		} else {
			digest_bytes(&state, w->key.pk);
			digest_bytes(&state, w->key.sk);
		}
		digest_number(&state, w->change_count);
		for (size_t j = 0; j < w->change_count; j++) {
			digest_number(&state, w->changes[j].op);
			digest_bytes(&state, w->changes[j].name);
			if (w->changes[j].op != CHANGE_REMOVE)
				digest_value(&state, arena, w->changes[j].value);
		}
		digest_condition(&state, arena, w->condition);
	}
	crypto_generichash_final(&state, out, DIGEST);
	return (struct str){(const char *)out, DIGEST};
}
