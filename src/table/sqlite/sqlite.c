/*
 * The embedded engine: DynamoDB's table in one SQLite file.
 *
 * Layout. One table `item` without rowid. Its key is the item's *place*: PK, a byte 0xff, which is
 * not in UTF-8, and SK, so that places sort by partition and in it by the sort key's bytes, and one comparison of
 * text suffices (SQLite compares a text by one memcmp, a blob or a second column more slowly). A row holds its
 * places in the indexes, made likewise, its expiry, and the item (row.c). Each index is a table `gsi1` … `gsi4` by
 * the place in the index and that of the item, and has a copy of the item: a query of it reads one run of pages
 * and nothing else. It is not one of SQLite's indexes, because these delete a row and insert it again, which
 * touches more pages than writing it in place. `packed` has what
 * some rows hold compressed. `change` is the stream, `token` the idempotency tokens; both are written by the
 * transaction that they are about. The newest record of the stream stays, without its key when it is too old, as
 * the number of the next one follows from it.
 *
 * Invariants.
 *  1. A row's columns place, gsi…, expires agree with its data, and so do the indexes. Only store_row() in row.c
 *     writes rows; row_error() finds rows that it would not have written.
 *  2. A place in an index is NULL when the item lacks one of its two keys, and so is not in the index.
 *  3. Nobody writes or checkpoints without the lock between processes (below).
 *  4. TABLE_OK is answered to a write only after COMMIT, with synchronous=FULL, has returned; to one that can be lost
 *     (struct table_call) after a COMMIT without the sync. A sync is of the whole log. So a power cut takes nothing but
 *     the log's last commits, all of which can be lost.
 *  5. A change record exists for every change of an item, and for nothing else. None is given out before it is on the
 *     disk: else its number could come again, for another change, and whoever had read it would miss that.
 *
 * Readers. Each thread takes an idle connection, or opens one, for a call or for as long as it holds a
 * snapshot (table_hold); reading needs no lock of ours, only SQLite's. All readers see the file
 * through one read-only mapping of their process (map.c), so that no page is copied. The
 * drawback: if the disk fails under a mapped page, the process ends instead of the call, and its supervisor
 * starts another. The writer maps nothing.
 *
 * Writers. There is one writing connection and no thread of its own. A writer prepares all that
 * does not depend on the table and queues a job; if nobody leads, it leads: it takes the lock between
 * processes, takes all waiting jobs as a group, does them one after another in one transaction, commits
 * once, passes the lead to the first job that has come meanwhile, and wakes its group, with one system call.
 * So 32 writers share one fsync; for that, a leader waits a moment for those of the group before, who mostly
 * return. A job that is still queued at its deadline leaves the queue, and is certainly not done. When the
 * storage fails before the commit, the group is rolled back and each job is tried alone, so that one failing
 * job does not affect the others.
 *
 * The lock between processes is an open-file-description lock on `<path>-lock`, held around every
 * transaction that writes and so around every checkpoint, which SQLite does at a commit. Readers never
 * checkpoint, not even when they close. (Two connections that checkpoint at once could corrupt the
 * log in SQLite before 3.51.3.)
 *
 * Place. The leader checks before a group and after its commit whether the files at the table's paths are still those
 * that are open (place.c). When one was removed or replaced, writes fail, the last group's as unsure, and the log
 * says so; open readers continue.
 *
 * Version. The lock file is mapped by every process. A commit increments `version` in it, unless no
 * cached page depends on what was written, so that checking whether the table has changed costs a load. The slots
 * in the same file tell what has changed (table/slots.h). `writing` is set while the lock is held: a process that
 * finds it set after taking the lock knows that a writer died, increments the version and stamps all slots.
 * Opening the table takes the lock once, so a restart does that. Older versions of this program increment the
 * version as well, and stamp no slot; slots_count() detects that.
 */
#include "table/sqlite/sqlite.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/path.h"
#include "table/sqlite/sqlite_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	OPEN_MS = 10000, /* how long opening waits for another process */
	CALL_MS = 5000,  /* the default deadline of a call */
};

#define GSI(n)                                                                               \
	"CREATE TABLE gsi" #n "(gsi TEXT NOT NULL, place TEXT NOT NULL, data BLOB NOT NULL," \
	" PRIMARY KEY(gsi, place)) WITHOUT ROWID"
#define PACKED \
	"CREATE TABLE packed(id INTEGER PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL);"
#define CHANGE                                                                                     \
	"CREATE TABLE change(seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL," \
	" key BLOB);"
#define MARKS "PRAGMA application_id = 1114793043; PRAGMA user_version = 3;"

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE item(place TEXT NOT NULL PRIMARY KEY, gsi1 TEXT, gsi2 TEXT, gsi3 TEXT, gsi4 TEXT,"
    " expires INTEGER, data BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX expires ON item(expires) WHERE expires IS NOT NULL;"
    "CREATE TABLE token(token BLOB PRIMARY KEY, digest BLOB NOT NULL, at INTEGER NOT NULL)"
    " WITHOUT ROWID;" GSI(1) ";" GSI(2) ";" GSI(3) ";" GSI(4) ";" PACKED CHANGE MARKS "COMMIT;";

_Static_assert(
    SQLITE_TABLE_ID == 1114793043 && SQLITE_TABLE_VERSION == 3, "the marks say the same");

/*
 * Upgrades a file of version 2, in a moment, however large it is. An index of SQLite's, of (gsi1,
 * place, data), becomes a table without rowid of the same three columns: both have the same tree,
 * to the byte, so only the schema changes. Records of changes are dropped; one without a key
 * continues their numbering. Items stay as they are until they are written again.
 */
#define INDEX_TO_TABLE(n)                                                        \
	"UPDATE sqlite_schema SET type = 'table', tbl_name = name, sql = '" GSI( \
	    n) "'"                                                               \
	       " WHERE type = 'index' AND name = 'gsi" #n "';"

static const char upgrade[] =
    "BEGIN IMMEDIATE;" PACKED "ALTER TABLE change RENAME TO was;" CHANGE
    "INSERT INTO change SELECT seq, at, kind, coalesce(new, old) FROM was;"
    "INSERT OR IGNORE INTO change SELECT seq, 0, 0, NULL FROM sqlite_sequence"
    " WHERE name = 'was' AND seq > 0;"
    "DROP TABLE was;"
    "PRAGMA writable_schema = ON;" INDEX_TO_TABLE(1) INDEX_TO_TABLE(2) INDEX_TO_TABLE(3)
	INDEX_TO_TABLE(4) MARKS "COMMIT;"
				"PRAGMA writable_schema = RESET;";

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
static const char another_program[] =
    "an SQLite file, but not a table of this program; name another path";

/* Reading the schema opens the log, also when the journal mode was another one. */
static const char write_ahead[] = "PRAGMA journal_mode = WAL; SELECT count(*) FROM sqlite_schema";

enum table_rc
explain(struct arena *arena, enum table_rc rc, struct str *why, const char *path, const char *text)
{
	*why = str_fmt(arena, "%s: %s", path, text);
	return rc;
}

/* If the disk is not mounted, creating a new table would be the wrong advice. */
static const char no_table[] =
    "there is no table; if the site is new, make one with `broadsheet table create`; if it is "
    "not, look whether the disk is mounted, or restore a backup";

/* Creates the schema in an empty file if allowed; refuses a file that is not ours. */
static enum table_rc
settle_schema(struct sqlite_table *t, enum table_open how, struct arena *arena, struct str *why)
{
	sqlite3 *db = t->writer->db;
	struct table_call call = {.arena = arena};
	int64_t id = sqlite_ask(db, "PRAGMA application_id");
	int code;

	if (id == 0 && sqlite_ask(db, "SELECT count(*) FROM sqlite_schema") == 0) {
		if (how == TABLE_OPEN_EXISTING)
			return explain(arena, TABLE_UNAVAILABLE, why, t->path, no_table);
		code = sqlite3_exec(db, write_ahead, NULL, NULL, NULL);
		if (code == SQLITE_OK)
			code = sqlite3_exec(db, schema, NULL, NULL, NULL);
		t->table.made = code == SQLITE_OK;
		if (code == SQLITE_OK)
			return TABLE_OK;
	} else if (id == SQLITE_TABLE_ID) {
		int64_t version = sqlite_ask(db, "PRAGMA user_version");

		if (version > SQLITE_TABLE_VERSION)
			return explain(arena, TABLE_INVALID, why, t->path,
			    "made by a newer version of this program; use that version");
		if (version >= 0 && version < SQLITE_TABLE_UPGRADED)
			return explain(arena, TABLE_INVALID, why, t->path,
			    "made by an older version of this program; name another path and"
			    " restore this file into it");
		code = sqlite3_exec(db, write_ahead, NULL, NULL, NULL);
		if (code == SQLITE_OK && version < SQLITE_TABLE_VERSION)
			code = sqlite3_exec(db, upgrade, NULL, NULL, NULL);
		if (code == SQLITE_OK)
			return TABLE_OK;
	} else {
		code = sqlite3_extended_errcode(db);
		if (id >= 0)
			return explain(arena, TABLE_INVALID, why, t->path, another_program);
	}
	if ((code & 0xff) == SQLITE_NOTADB)
		return explain(arena, TABLE_CORRUPT, why, t->path, not_ours);
	if ((code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN)
		return explain(arena, TABLE_UNAVAILABLE, why, t->path,
		    "can't be written; give this user the file and its folder");
	if ((code & 0xff) == SQLITE_FULL)
		return explain(arena, TABLE_FULL, why, t->path, "the disk is full");
	storage_failed(t->writer, &call, code);
	return explain(arena, TABLE_UNAVAILABLE, why, t->path, call.why);
}

/* Offsets in the header of an SQLite file; numbers are big-endian. */
enum { AT_SCHEMA = 40, AT_APPLICATION = 68 };

static uint32_t
header_number(const char *header, size_t at)
{
	const unsigned char *b = (const unsigned char *)header + at;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/*
 * A file of another kind is refused before anything is created next to it. An empty one is
 * accepted.
 */
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
	if (got == 0)
		return TABLE_OK;
	if (got < (ssize_t)sizeof(header) || memcmp(header, magic, sizeof(magic)) != 0)
		return explain(arena, TABLE_CORRUPT, why, path, not_ours);
	/* A file without an application id and a schema is accepted. */
	if (header_number(header, AT_APPLICATION) != SQLITE_TABLE_ID &&
	    (header_number(header, AT_APPLICATION) != 0 || header_number(header, AT_SCHEMA) != 0))
		return explain(arena, TABLE_INVALID, why, path, another_program);
	return TABLE_OK;
}

/*
 * The first command is often run by root, but the site is served by another user. SQLite does the
 * same with the files that it creates next to the table.
 */
void
sqlite_hand_over(int fd, const char *path, struct arena *arena)
{
	struct stat st;

	if (geteuid() != 0)
		return;
	if (stat(path_folder(arena, path), &st) != 0 || fchown(fd, st.st_uid, st.st_gid) != 0)
		return; /* then it is root's, as requested */
}

static enum table_rc
check_path(const char *path, enum table_open how, struct arena *arena, struct str *why)
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
		return explain(arena, TABLE_UNAVAILABLE, why, path, no_table);
	/*
	 * SQLite would make it readable by everybody, and gives the files next to it the same mode.
	 */
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
	if (fd < 0)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	sqlite_hand_over(fd, path, arena);
	close(fd);
	return TABLE_OK;
}

static enum table_rc
open_files(struct sqlite_table *t, enum table_open how, struct arena *arena, struct str *why)
{
	int flags = SQLITE_OPEN_READWRITE | (how == TABLE_OPEN_CREATE ? SQLITE_OPEN_CREATE : 0);
	int64_t deadline = clock_monotonic(t->table.clock) + OPEN_MS;
	struct str reason;
	enum table_rc rc = check_path(t->path, how, arena, why);

	if (rc == TABLE_OK)
		rc = lock_open(t, deadline, arena, why);
	if (rc != TABLE_OK)
		return rc;
	map_open(t);
	if (!process_lock(t, deadline))
		return explain(
		    arena, TABLE_DEADLINE, why, t->path, "another process keeps it locked");
	t->writer = connection_open(t, flags, arena, &rc, &reason);
	if (t->writer != NULL)
		rc = settle_schema(t, how, arena, why);
	else if (rc == TABLE_CORRUPT)
		explain(arena, rc, why, t->path, not_ours);
	else
		*why = str_fmt(arena, "%s: %.*s", t->path, STR_ARGS(reason));
	if (rc == TABLE_OK && !place_note(t, arena))
		rc = explain(arena, TABLE_UNAVAILABLE, why, t->path,
		    "removed or replaced while it was opened");
	if (rc == TABLE_OK) {
		log_gathers(t->writer);
		log_limit(t->writer);
	}
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
		/*
		 * A clean shutdown leaves one file; when others are busy, the log stays and does no
		 * harm.
		 */
		if (process_lock(t, clock_monotonic(table->clock) + 100)) {
			/*
			 * SQLite keeps the log when the file has moved; the next file at its path
			 * would use it.
			 */
			if (place_lost(t) != NULL)
				log_empty(t->writer);
			sqlite3_db_config(t->writer->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
			connection_close(t->writer);
			process_unlock(t, false);
		} else {
			connection_close(t->writer);
		}
	}
	map_close(t);
	lock_close(t);
	place_forget(t);
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

static void
sqlite_shed(struct table *table)
{
	map_shed((struct sqlite_table *)table);
}

static const struct table_engine sqlite_engine = {
    .name = "sqlite",
    .at_once = 8, /* which share the syncs of their commits */
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
    .shed = sqlite_shed,
    .close = sqlite_close_table,
};

/*
 * Turns off SQLite's memory statistics, which take one lock for all threads; only possible before
 * its first use.
 */
static void
count_nothing(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum table_rc
table_sqlite_open(const char *path, enum table_open how, struct clock *clock, struct arena *arena,
    struct table **table, struct str *why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct sqlite_table *t = calloc(1, sizeof(*t));
	enum table_rc rc;

	*table = NULL;
	pthread_once(&once, count_nothing);
	if (t == NULL || (t->path = strdup(path)) == NULL)
		out_of_memory();
	t->table = (struct table){.engine = &sqlite_engine, .clock = clock};
	t->lock_fd = -1;
	t->group_max = SQLITE_GROUP_MAX;
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
