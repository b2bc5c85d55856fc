/*
 * The embedded engine's idempotency tokens: what a transaction requested, remembered for ten
 * minutes.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite_private.h"

#include <sodium.h>

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

enum table_rc
token_look_up(struct sqlite_table *t, struct job *job, bool *used)
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
		*used = str_eq(column_bytes(st, 0), job->digest);
		rc = *used ? TABLE_OK : TABLE_TOKEN_USED;
	} else if (code != SQLITE_DONE) {
		rc = storage_failed(t->writer, job->call, code);
	}
	sqlite3_reset(st);
	return rc;
}

enum table_rc
token_keep(struct sqlite_table *t, struct job *job)
{
	sqlite3_stmt *st = statement(t->writer, SQL_PUT_TOKEN);
	int code = SQLITE_ERROR;

	if (st != NULL) {
		bind_bytes(st, 1, job->token);
		bind_bytes(st, 2, job->digest);
		sqlite3_bind_int64(st, 3, clock_now(t->table.clock));
		code = statement_run(st);
	}
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(t->writer, job->call, code);
}
