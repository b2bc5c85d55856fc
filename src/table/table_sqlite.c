/*
 * The embedded engine: DynamoDB's table in one SQLite file.
 *
 * Layout. One table `item` with (pk, sk) as its primary key and no rowid; keys are blobs, so they sort
 * by bytes. Beside the keys a row holds the index keys, the expiry, and the item in its binary form
 * (item_binary.c). Each index is a partial, covering index: a query of it reads one run of pages and
 * never looks into the table. `change` is the stream, `token` the idempotency tokens; both are written by
 * the transaction that they tell of.
 *
 * Invariants.
 *  1. A row's columns pk, sk, gsi…, expires say the same as its data. Only store() in sqlite_job.c
 *     writes rows.
 *  2. An index's two columns are both NULL or both not: an item without one of its keys is not in it.
 *  3. Nobody writes or checkpoints without the lock between processes (below).
 *  4. TABLE_OK is answered to a write only after COMMIT, with synchronous=FULL, has returned.
 *  5. A change record exists for every change of an item, and for nothing else.
 *
 * Readers. Each thread takes an idle connection, or opens one, for a call or for as long as it holds a
 * moment (table_hold); reading needs no lock of ours. Readers map the file, read-only: with a million
 * items that makes a get a fifth cheaper. The price is that a disk that fails under a mapped page ends the
 * process instead of the call, and its supervisor starts another. The writer maps nothing.
 *
 * Writers. There is one writing connection and no thread of its own. Who wants to write queues a job; who
 * finds nobody leading leads: it takes the lock between processes, takes all that waits as a group, does
 * the jobs one after another in one transaction, commits once, and wakes them. So 32 writers share one
 * fsync. A job that is still queued when its deadline passes leaves the queue, certainly not done. When
 * the storage fails before the commit, the group is undone and each job is tried alone, so that one
 * job's trouble is not the others'.
 *
 * The lock between processes is an open-file-description lock on `<path>-lock`, held around every
 * transaction that writes and so around every checkpoint, which SQLite does at a commit. Readers never
 * checkpoint, not even when they close. (Two connections that checkpoint at once could corrupt the
 * log in SQLite before 3.51.3.)
 *
 * Version. The lock file is mapped by every process. Who commits adds one to `version` in it, so that
 * asking whether the table has changed costs a load. `writing` is set while the lock is held: who finds it
 * set after taking the lock knows that a writer died and adds one on its behalf. Opening the table takes
 * the lock once, so a restart sees to it.
 */
#include "table/table_sqlite.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite_engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	OPEN_MS = 10000, /* how long opening waits for another process */
	CALL_MS = 5000,  /* the default deadline of a call */
	PROGRESS_STEPS = 10000,
};

static const char *const texts[SQL_STATEMENTS] = {
    [SQL_BEGIN] = "BEGIN",
    [SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_GET] = "SELECT data FROM item WHERE pk = ?1 AND sk = ?2",
    [SQL_INSERT] = "INSERT INTO item(pk, sk, expires, data, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk,"
		   " gsi3sk, gsi4pk, gsi4sk)"
		   " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [SQL_UPDATE] = "UPDATE item SET expires = ?3, data = ?4, gsi1pk = ?5, gsi1sk = ?6, gsi2pk = ?7,"
		   " gsi2sk = ?8, gsi3pk = ?9, gsi3sk = ?10, gsi4pk = ?11, gsi4sk = ?12"
		   " WHERE pk = ?1 AND sk = ?2",
    [SQL_DELETE] = "DELETE FROM item WHERE pk = ?1 AND sk = ?2",
    [SQL_WALK] = "SELECT data FROM item WHERE (pk, sk) > (?1, ?2) ORDER BY pk, sk LIMIT ?3",
    [SQL_CHANGES] = "SELECT seq, at, kind, pk, sk, old, new FROM change WHERE seq > ?1"
		    " ORDER BY seq LIMIT ?2",
    [SQL_CHANGES_ENDS] = "SELECT (SELECT min(seq) FROM change),"
			 " (SELECT seq FROM sqlite_sequence WHERE name = 'change')",
    [SQL_ADD_CHANGE] =
	"INSERT INTO change(at, kind, pk, sk, old, new) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [SQL_TRIM_CHANGES] = "DELETE FROM change WHERE seq IN"
			 " (SELECT seq FROM change WHERE at <= ?1 ORDER BY seq LIMIT ?2)",
    [SQL_GET_TOKEN] = "SELECT digest FROM token WHERE token = ?1 AND at > ?2",
    [SQL_PUT_TOKEN] = "INSERT OR REPLACE INTO token(token, digest, at) VALUES(?1, ?2, ?3)",
    [SQL_TRIM_TOKENS] = "DELETE FROM token WHERE at <= ?1",
    [SQL_EXPIRED] = "SELECT pk, sk FROM item WHERE expires <= ?1 LIMIT ?2",
};

#define INDEX(n)                                                                 \
	"CREATE INDEX gsi" #n " ON item(gsi" #n "pk, gsi" #n "sk, pk, sk, data)" \
	" WHERE gsi" #n "pk IS NOT NULL;"

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE item(pk BLOB NOT NULL, sk BLOB NOT NULL,"
    " gsi1pk BLOB, gsi1sk BLOB, gsi2pk BLOB, gsi2sk BLOB,"
    " gsi3pk BLOB, gsi3sk BLOB, gsi4pk BLOB, gsi4sk BLOB,"
    " expires INTEGER, data BLOB NOT NULL, PRIMARY KEY(pk, sk)) WITHOUT ROWID;" INDEX(1) INDEX(2)
	INDEX(3) INDEX(
	    4) "CREATE INDEX expires ON item(expires) WHERE expires IS NOT NULL;"
	       "CREATE TABLE change(seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL,"
	       " kind INTEGER NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL, old BLOB, new BLOB);"
	       "INSERT INTO sqlite_sequence(name, seq) VALUES('change', 0);"
	       "CREATE TABLE token(token BLOB PRIMARY KEY, digest BLOB NOT NULL, at INTEGER NOT "
	       "NULL)"
	       " WITHOUT ROWID;"
	       "PRAGMA application_id = 1114793043;"
	       "PRAGMA user_version = 1;"
	       "COMMIT;";

_Static_assert(
    SQLITE_TABLE_ID == 1114793043 && SQLITE_TABLE_VERSION == 1, "the schema says the same");

/* --- Connections ---------------------------------------------------------------------------- */

enum table_rc
storage_failed(struct connection *c, struct table_call *call, int code)
{
	/* Without a statement there was no answer; the connection knows why preparing it failed. */
	if (code == SQLITE_ERROR)
		code = sqlite3_extended_errcode(c->db);
	if ((code & 0xff) == SQLITE_NOMEM && code != SQLITE_IOERR_NOMEM)
		out_of_memory();
	if (call != NULL && call->arena != NULL)
		call->why =
		    str_fmt(call->arena, "SQLite: %s (%d)", sqlite3_errmsg(c->db), code).base;
	switch (code & 0xff) {
	case SQLITE_FULL: return TABLE_FULL;
	case SQLITE_INTERRUPT:
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return TABLE_DEADLINE;
	case SQLITE_CORRUPT:
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
	free(c);
}

/* Called every so many steps: a read that outlives its deadline ends with SQLITE_INTERRUPT. */
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
	static const char setup[] = "PRAGMA page_size = 16384;" /* counts only for a new file */
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
		sqlite3_busy_timeout(c->db, 1000);
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

/* --- Opening ----------------------------------------------------------------------------------- */

int64_t
sqlite_ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	int64_t answer = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(st) == SQLITE_ROW)
		answer = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return answer;
}

static const char not_ours[] =
    "not a table of this program, or damaged; name another path or restore a backup";

enum table_rc
explain(struct arena *arena, enum table_rc rc, struct str *why, const char *path, const char *text)
{
	*why = str_fmt(arena, "%s: %s", path, text);
	return rc;
}

/* Makes the schema in an empty file; refuses a file that is not ours. */
static enum table_rc
settle_schema(struct sqlite_table *t, struct arena *arena, struct str *why)
{
	sqlite3 *db = t->writer->db;
	struct table_call call = {.arena = arena};
	int64_t id = sqlite_ask(db, "PRAGMA application_id");
	int code;

	if (id == 0 && sqlite_ask(db, "SELECT count(*) FROM sqlite_schema") == 0) {
		code = sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if (code == SQLITE_OK)
			code = sqlite3_exec(db, schema, NULL, NULL, NULL);
		if (code == SQLITE_OK)
			return TABLE_OK;
	} else if (id == SQLITE_TABLE_ID) {
		if (sqlite_ask(db, "PRAGMA user_version") > SQLITE_TABLE_VERSION)
			return explain(arena, TABLE_INVALID, why, t->path,
			    "made by a newer version of this program; use that version");
		code = sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if (code == SQLITE_OK)
			return TABLE_OK;
	} else {
		code = sqlite3_extended_errcode(db);
		if (id >= 0)
			return explain(arena, TABLE_INVALID, why, t->path,
			    "an SQLite file, but not a table of this program; name another path");
	}
	if ((code & 0xff) == SQLITE_NOTADB)
		return explain(arena, TABLE_CORRUPT, why, t->path,
		    "not a table of this program, or damaged; name another path or restore a "
		    "backup");
	if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN)
		return explain(arena, TABLE_UNAVAILABLE, why, t->path,
		    "can't be written; give this user the file and its folder");
	if ((code & 0xff) == SQLITE_FULL)
		return explain(arena, TABLE_FULL, why, t->path, "the disk is full");
	storage_failed(t->writer, &call, code);
	return explain(arena, TABLE_UNAVAILABLE, why, t->path, call.why);
}

/* A file of another kind is refused before anything is made beside it. An empty one may become ours. */
static enum table_rc
check_header(const char *path, struct arena *arena, struct str *why)
{
	static const char magic[16] = "SQLite format 3";
	char header[100];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? pread(fd, header, sizeof(header), 0) : -1;

	if (fd >= 0)
		close(fd);
	if (got < 0)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	if (got != 0 &&
	    (got < (ssize_t)sizeof(header) || memcmp(header, magic, sizeof(magic)) != 0))
		return explain(arena, TABLE_CORRUPT, why, path, not_ours);
	return TABLE_OK;
}

static enum table_rc
check_path(const char *path, enum table_sqlite_open how, struct arena *arena, struct str *why)
{
	struct stat st;
	int fd;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return explain(arena, TABLE_INVALID, why, path, "a folder, not a file");
		if (access(path, R_OK | W_OK) != 0)
			return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
		return check_header(path, arena, why);
	}
	if (errno != ENOENT)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	if (how == TABLE_OPEN_EXISTING)
		return explain(arena, TABLE_UNAVAILABLE, why, path,
		    "there is no table; make one with `broadsheet seed` or `broadsheet import`");
	/* SQLite would let everybody read it, and what it makes beside it later has the same mode. */
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
	if (fd < 0)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	close(fd);
	return TABLE_OK;
}

static enum table_rc
open_files(struct sqlite_table *t, enum table_sqlite_open how, struct arena *arena, struct str *why)
{
	int flags = SQLITE_OPEN_READWRITE | (how == TABLE_OPEN_CREATE ? SQLITE_OPEN_CREATE : 0);
	int64_t deadline = clock_monotonic(t->table.clock) + OPEN_MS;
	struct str reason;
	enum table_rc rc = check_path(t->path, how, arena, why);

	if (rc == TABLE_OK)
		rc = lock_open(t, deadline, arena, why);
	if (rc != TABLE_OK)
		return rc;
	if (!process_lock(t, deadline))
		return explain(
		    arena, TABLE_DEADLINE, why, t->path, "another process keeps it locked");
	t->writer = connection_open(t, flags, arena, &rc, &reason);
	if (t->writer != NULL)
		rc = settle_schema(t, arena, why);
	else if (rc == TABLE_CORRUPT)
		explain(arena, rc, why, t->path, not_ours);
	else
		*why = str_fmt(arena, "%s: %.*s", t->path, STR_ARGS(reason));
	process_unlock(t, false);
	return rc;
}

static void
sqlite_close_table(struct table *table)
{
	struct sqlite_table *t = (struct sqlite_table *)table;

	while (t->idle != NULL) {
		struct connection *c = t->idle;

		t->idle = c->next;
		connection_close(c);
	}
	if (t->writer != NULL) {
		/* A tidy end leaves one file; when others are busy, the log stays and is no harm. */
		if (process_lock(t, clock_monotonic(table->clock) + 100)) {
			sqlite3_db_config(t->writer->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
			connection_close(t->writer);
			process_unlock(t, false);
		} else {
			connection_close(t->writer);
		}
	}
	lock_close(t);
	pthread_mutex_destroy(&t->readers_mutex);
	pthread_mutex_destroy(&t->queue_mutex);
	free(t->path);
	free(t);
}

static uint64_t
sqlite_version(struct table *table)
{
	return atomic_load(&((struct sqlite_table *)table)->shared->version);
}

static const struct table_engine sqlite_engine = {
    .name = "sqlite",
    .deadline_ms = CALL_MS,
    .read = sqlite_read,
    .write = sqlite_write,
    .transact = sqlite_transact,
    .changes = sqlite_changes,
    .walk = sqlite_walk,
    .hold = sqlite_hold,
    .release = sqlite_release,
    .sweep = sqlite_sweep,
    .version = sqlite_version,
    .close = sqlite_close_table,
};

enum table_rc
table_sqlite_open(const char *path, enum table_sqlite_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why)
{
	struct sqlite_table *t = calloc(1, sizeof(*t));
	enum table_rc rc;

	*table = NULL;
	if (t == NULL || (t->path = strdup(path)) == NULL)
		out_of_memory();
	t->table = (struct table){.engine = &sqlite_engine, .clock = clock};
	t->lock_fd = -1;
	pthread_mutex_init(&t->readers_mutex, NULL);
	pthread_mutex_init(&t->queue_mutex, NULL);
	rc = open_files(t, how, arena, why);
	if (rc != TABLE_OK) {
		sqlite_close_table(&t->table);
		return rc;
	}
	*table = &t->table;
	return TABLE_OK;
}

const char *
table_sqlite_library(void)
{
	return sqlite3_libversion();
}
