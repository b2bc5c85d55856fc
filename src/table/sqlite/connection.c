/* The embedded engine's connections: their setup, their prepared statements, their errors. */
#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite_private.h"

#include <errno.h>
#include <stdlib.h>

enum { PROGRESS_STEPS = 10000 };

#define ADD_INDEX(n) "INSERT INTO gsi" #n "(gsi, place, data) VALUES(?1, ?2, ?3)"
#define PUT_INDEX(n) "UPDATE gsi" #n " SET data = ?3 WHERE gsi = ?1 AND place = ?2"
#define DROP_INDEX(n) "DELETE FROM gsi" #n " WHERE gsi = ?1 AND place = ?2"

static const char *const texts[SQL_STATEMENTS] = {
    [SQL_BEGIN] = "BEGIN",
    [SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_GET] = "SELECT data FROM item WHERE place = ?1",
    [SQL_INSERT] = "INSERT INTO item(place, expires, data, gsi1, gsi2, gsi3, gsi4)"
		   " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_UPDATE] = "UPDATE item SET expires = ?2, data = ?3, gsi1 = ?4, gsi2 = ?5, gsi3 = ?6,"
		   " gsi4 = ?7 WHERE place = ?1",
    [SQL_DELETE] = "DELETE FROM item WHERE place = ?1",
    [SQL_ADD_GSI1] = ADD_INDEX(1),
    [SQL_ADD_GSI2] = ADD_INDEX(2),
    [SQL_ADD_GSI3] = ADD_INDEX(3),
    [SQL_ADD_GSI4] = ADD_INDEX(4),
    [SQL_PUT_GSI1] = PUT_INDEX(1),
    [SQL_PUT_GSI2] = PUT_INDEX(2),
    [SQL_PUT_GSI3] = PUT_INDEX(3),
    [SQL_PUT_GSI4] = PUT_INDEX(4),
    [SQL_DROP_GSI1] = DROP_INDEX(1),
    [SQL_DROP_GSI2] = DROP_INDEX(2),
    [SQL_DROP_GSI3] = DROP_INDEX(3),
    [SQL_DROP_GSI4] = DROP_INDEX(4),
    [SQL_GET_PACKED] = "SELECT size, data FROM packed WHERE id = ?1",
    [SQL_INSERT_PACKED] = "INSERT INTO packed(size, data) VALUES(?2, ?3)",
    [SQL_UPDATE_PACKED] = "UPDATE packed SET size = ?2, data = ?3 WHERE id = ?1",
    [SQL_DELETE_PACKED] = "DELETE FROM packed WHERE id = ?1",
    [SQL_WALK] = "SELECT data FROM item WHERE place > ?1 ORDER BY place LIMIT ?2",
    [SQL_CHANGES] = "SELECT seq, at, kind, key FROM change WHERE seq > ?1 AND key IS NOT NULL"
		    " ORDER BY seq LIMIT ?2",
    [SQL_CHANGES_ENDS] = "SELECT (SELECT min(seq) FROM change WHERE key IS NOT NULL),"
			 " (SELECT max(seq) FROM change)",
    [SQL_ADD_CHANGE] = "INSERT INTO change(at, kind, key) VALUES(?1, ?2, ?3)",
    [SQL_TRIM_CHANGES] = "DELETE FROM change WHERE seq IN (SELECT seq FROM change WHERE at <= ?1"
			 " AND seq < (SELECT max(seq) FROM change) ORDER BY seq LIMIT ?2)",
    [SQL_EMPTY_CHANGE] = "UPDATE change SET key = NULL WHERE at <= ?1 AND key IS NOT NULL"
			 " AND seq = (SELECT max(seq) FROM change)"
			 " AND seq = (SELECT min(seq) FROM change)",
    [SQL_GET_TOKEN] = "SELECT digest FROM token WHERE token = ?1 AND at > ?2",
    [SQL_PUT_TOKEN] = "INSERT OR REPLACE INTO token(token, digest, at) VALUES(?1, ?2, ?3)",
    [SQL_TRIM_TOKENS] = "DELETE FROM token WHERE at <= ?1",
    [SQL_EXPIRED] = "SELECT place FROM item WHERE expires <= ?1 LIMIT ?2",
};

static struct str
why_failed(struct arena *arena, sqlite3 *db, int code)
{
	const char *path = sqlite3_db_filename(db, "main");

	if ((code & 0xff) == SQLITE_FULL && path != NULL)
		return str_fmt(arena, "the disk of %s is full", path);
	return str_fmt(arena, "SQLite: %s (%d)", sqlite3_errmsg(db), code);
}

/*
 * Could one of its files not be read? To SQLite that is corruption; but a disk that does not answer
 * may recover. The files keep the number of their last error, so a connection that has had one must
 * not be used again.
 */
static bool
is_unread(struct connection *c)
{
	sqlite3_file *log = NULL;
	int of_table = 0, of_log = 0;

	sqlite3_file_control(c->db, "main", SQLITE_FCNTL_LAST_ERRNO, &of_table);
	sqlite3_file_control(c->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (log != NULL && log->pMethods != NULL)
		log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
	return of_table == EIO || of_log == EIO;
}

enum table_rc
storage_failed(struct connection *c, struct table_call *call, int code)
{
	/* Without a statement there is no result; the connection knows why preparing it failed. */
	if (code == SQLITE_ERROR)
		code = sqlite3_extended_errcode(c->db);
	if ((code & 0xff) == SQLITE_NOMEM && code != SQLITE_IOERR_NOMEM)
		out_of_memory();
	if (call != NULL && call->arena != NULL)
		call->why = why_failed(call->arena, c->db, code).base;
	switch (code & 0xff) {
	case SQLITE_FULL: return TABLE_FULL;
	case SQLITE_INTERRUPT:
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return TABLE_DEADLINE;
	case SQLITE_CORRUPT:
		c->unwell = is_unread(c);
		if (!c->unwell)
			return TABLE_CORRUPT;
		if (call != NULL)
			call->why = "the disk can't be read (SQLite: an input/output error)";
		return TABLE_UNAVAILABLE;
	case SQLITE_NOTADB: return TABLE_CORRUPT;
	default: return TABLE_UNAVAILABLE;
	}
}

sqlite3_stmt *
statement(struct connection *c, enum statement which)
{
	if (c->statements[which] == NULL)
		sqlite3_prepare_v3(c->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
		    &c->statements[which], NULL);
	return c->statements[which];
}

int
statement_run(sqlite3_stmt *st)
{
	int code = st != NULL ? sqlite3_step(st) : SQLITE_ERROR;

	if (st != NULL)
		sqlite3_reset(st);
	return code;
}

void
bind_bytes(sqlite3_stmt *st, int at, struct str bytes)
{
	/* A NULL pointer would bind NULL, which is not the empty blob. */
	sqlite3_bind_blob64(st, at, bytes.base != NULL ? bytes.base : "", bytes.len, SQLITE_STATIC);
}

/* Keys are UTF-8, which has no byte 0xff. */
static const struct str between = STR_INIT("\xff");

struct str
place_of(struct arena *arena, struct str partition, struct str sort)
{
	return STR_CONCAT(arena, partition, between, sort);
}

bool
place_key(struct str place, struct key *key)
{
	key->pk = str_cut(place, between.base[0], &key->sk);
	return key->pk.len != 0 && key->sk.len != 0;
}

void
bind_place(sqlite3_stmt *st, int at, struct str place)
{
	sqlite3_bind_text64(st, at, place.base, place.len, SQLITE_STATIC, SQLITE_UTF8);
}

struct str
column_bytes(sqlite3_stmt *st, int at)
{
	const char *base = sqlite3_column_blob(st, at);

	return (struct str){base, (size_t)sqlite3_column_bytes(st, at)};
}

void
connection_close(struct connection *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < SQL_STATEMENTS; i++)
		sqlite3_finalize(c->statements[i]);
	for (size_t i = 0; i < sizeof(c->queries) / sizeof(c->queries[0][0][0]); i++)
		sqlite3_finalize((&c->queries[0][0][0])[i]);
	sqlite3_close(c->db);
	free(c->log.bytes);
	free(c);
}

/* Called every so many steps: a read past its deadline ends with SQLITE_INTERRUPT. */
static int
on_progress(void *context)
{
	const struct connection *c = context;

	return c->deadline != 0 && clock_monotonic(c->clock) >= c->deadline;
}

struct connection *
connection_open(
    struct sqlite_table *t, int flags, struct arena *arena, enum table_rc *rc, struct str *why)
{
	static const char setup[] = "PRAGMA page_size = 8192;" /* counts only for a new file */
				    "PRAGMA synchronous = FULL;"
				    "PRAGMA cache_size = -16384;"
				    "PRAGMA temp_store = MEMORY;"
				    "PRAGMA cell_size_check = 1;"
				    "PRAGMA trusted_schema = 0";
	struct connection *c = calloc(1, sizeof(*c));
	struct table_call call = {.arena = arena};
	int code;

	if (c == NULL)
		out_of_memory();
	c->clock = t->table.clock;
	code = sqlite3_open_v2(t->path, &c->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code == SQLITE_OK) {
		sqlite3_extended_result_codes(c->db, 1);
		sqlite3_busy_timeout(c->db, SQLITE_BUSY_MS);
		sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
		sqlite3_progress_handler(c->db, PROGRESS_STEPS, on_progress, c);
		code = sqlite3_exec(c->db, setup, NULL, NULL, NULL);
	}
	if (code == SQLITE_OK)
		return c;
	*rc = storage_failed(c, &call, code);
	*why = str_of(call.why);
	connection_close(c);
	return NULL;
}
