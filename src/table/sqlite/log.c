/*
 * The embedded engine's write-ahead log, written in one piece: SQLite writes each page of a group into the
 * write-ahead log by two system calls, its head and its bytes. The writer's log gets methods of our own,
 * which gather consecutive writes and pass them to the system in one call, before the sync of the commit.
 *
 * Why it is correct:
 *  1. Nobody reads a page of the log before its commit is marked in the log's index, and at
 *     synchronous=FULL SQLite marks it only after the sync, which writes what was gathered first.
 *  2. The writer itself may read pages that it wrote and did not commit (a group larger than its cache):
 *     every other call to the file writes what was gathered first, too.
 *  3. A write that fails is reported by the sync, or by whichever call came first. All of them undo the group.
 *
 * Commits without a sync. Those of a group that can be lost are written out, and not synced; the next sync, of any process,
 * is of the whole file. So a power cut takes the last commits of the log and no others: each frame has a checksum of all
 * before it. Two syncs are never spared: that of the log's head when it begins anew, without which frames of its former
 * contents could be taken for new ones, and those of a checkpoint, before it writes to the table's file. When a sync has failed
 * that was also for earlier commits, the system may have dropped them, and nothing behind them would be found after a
 * power cut. So nobody writes before a checkpoint has put all into the table's file, and the log begins anew.
 *
 * Its size. SQLite resets the log only when all of it is checkpointed and nobody reads it; with many readers, or a slow
 * one, that may never happen, and the log grows. So the leading writer sees to it: from LOG_BYTES on, it holds the lock
 * between processes, so that no writer adds to the log; earlier readers end soon, and new ones find everything in the
 * file and read that. No reader waits, and writers wait no longer than LOG_WAIT_MS beside the copying. As long as a slow
 * reader stays, this is retried at times, and the log grows meanwhile.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* as much as SQLite writes with one call; more would be several */
enum { LOG_ROOM = 0x1ffff };

enum { LOG_HEAD = 32 /* bytes, which SQLite writes by themselves */ };

enum {
	LOG_BYTES = 16 * 1024 * 1024,
	LOG_FAR_TOO_LARGE =
	    4 * LOG_BYTES, /* the file is truncated at once, not with the next write */
	LOG_WAIT_MS = 50,
	LOG_PAUSE_MS =
	    500, /* after a failed attempt, unless it grows by LOG_BYTES; then twice that, */
	LOG_VAIN_MAX = 4, /* and so on, so many times */
};

static struct log_methods *
log_of(sqlite3_file *file)
{
	return (struct log_methods *)file->pMethods;
}

/* Writes what was gathered; after a failure it is discarded. */
static int
write_out(sqlite3_file *file)
{
	struct log_methods *log = log_of(file);
	int len = log->len;

	log->len = 0;
	return len == 0 ? SQLITE_OK : log->plain->xWrite(file, log->bytes, len, log->at);
}

static int
on_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
	struct log_methods *log = log_of(file);
	int code = SQLITE_OK;

	if (at != log->at + log->len || len > LOG_ROOM - log->len)
		code = write_out(file);
	if (code != SQLITE_OK || len > LOG_ROOM)
		return code != SQLITE_OK ? code : log->plain->xWrite(file, bytes, len, at);
	if (log->len == 0)
		log->at = at;
	memcpy(log->bytes + log->len, bytes, (size_t)len);
	log->len += len;
	return SQLITE_OK;
}

static int
on_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
	int code = write_out(file);

	return code != SQLITE_OK ? code : log_of(file)->plain->xRead(file, bytes, len, at);
}

static int
on_sync(sqlite3_file *file, int flags)
{
	struct log_methods *log = log_of(file);
	bool head = log->at == 0 && log->len == LOG_HEAD;
	int code = write_out(file);

	if (code != SQLITE_OK || (log->spares && !head))
		return code;
	code = log->plain->xSync(file, flags);
	log->synced = code == SQLITE_OK;
	return code;
}

static int
on_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	int code = write_out(file);

	return code != SQLITE_OK ? code : log_of(file)->plain->xTruncate(file, size);
}

static int
on_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	int code = write_out(file);

	return code != SQLITE_OK ? code : log_of(file)->plain->xFileSize(file, size);
}

/* Whatever is still here was never committed. */
static int
on_close(sqlite3_file *file)
{
	file->pMethods = log_of(file)->plain;
	return file->pMethods->xClose(file);
}

void
log_gathers(struct connection *c)
{
	sqlite3_file *file = NULL;

	if (sqlite3_file_control(c->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) != SQLITE_OK ||
	    file == NULL || file->pMethods == NULL || file->pMethods == &c->log.own)
		return;
	if (c->log.bytes == NULL && (c->log.bytes = malloc(LOG_ROOM)) == NULL)
		out_of_memory();
	c->log = (struct log_methods){
	    .own = *file->pMethods, .plain = file->pMethods, .bytes = c->log.bytes};
	c->log.own.xWrite = on_write;
	c->log.own.xRead = on_read;
	c->log.own.xSync = on_sync;
	c->log.own.xTruncate = on_truncate;
	c->log.own.xFileSize = on_file_size;
	c->log.own.xClose = on_close;
	file->pMethods = &c->log.own;
}

/* --- Its size -------------------------------------------------------------------------------- */

/* Replaces SQLite's own checkpoint after each commit beyond some size. */
static int
on_commit(void *context, sqlite3 *db, const char *name, int frames)
{
	struct connection *c = context;

	(void)db, (void)name;
	c->log_frames = frames;
	return SQLITE_OK;
}

void
log_limit(struct connection *c)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "PRAGMA journal_size_limit = %d", LOG_BYTES);
	sqlite3_exec(c->db, sql, NULL, NULL, NULL);
	sqlite3_wal_hook(c->db, on_commit, c);
	c->page_bytes = sqlite_ask(c->db, "PRAGMA page_size");
}

/* SQLITE_OK when all of the log is in the file and the log is reset. */
static int
checkpoint(struct connection *c, int mode, int wait_ms)
{
	int code;

	sqlite3_busy_timeout(c->db, wait_ms);
	code = sqlite3_wal_checkpoint_v2(c->db, "main", mode, NULL, NULL);
	sqlite3_busy_timeout(c->db, SQLITE_BUSY_MS);
	if (code == SQLITE_OK)
		c->log_frames = 0;
	return code;
}

void
log_empty(struct connection *c)
{
	checkpoint(c, SQLITE_CHECKPOINT_TRUNCATE, 0);
}

/* A sync that was for the end of the log, too, has failed. */
static void
suspect(struct sqlite_table *t, int code)
{
	if ((code & 0xff) == SQLITE_IOERR && t->shared->log == LOG_AHEAD)
		t->shared->log = LOG_SUSPECT;
}

void
log_settle(struct sqlite_table *t)
{
	struct connection *c = t->writer;
	int64_t bytes = c->log_frames * c->page_bytes, now;
	int code;

	if (bytes < LOG_BYTES)
		return;
	now = clock_monotonic(c->clock);
	if (c->log_vain != 0 && now < c->log_again && bytes < c->log_large)
		return;
	code = checkpoint(c,
	    bytes < LOG_FAR_TOO_LARGE ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_TRUNCATE,
	    LOG_WAIT_MS);
	if (code == SQLITE_OK) {
		c->log_vain = 0;
		return;
	}
	suspect(t, code);
	/* A long read, such as a backup. */
	c->log_again = now + (LOG_PAUSE_MS << c->log_vain);
	c->log_large = bytes + ((int64_t)LOG_BYTES << c->log_vain);
	if (c->log_vain < LOG_VAIN_MAX)
		c->log_vain++;
}

/* --- Commits ---------------------------------------------------------------------------------- */

int
log_commit(struct sqlite_table *t, bool synced)
{
	struct connection *c = t->writer;
	int code;

	if (!synced)
		t->shared->log = LOG_AHEAD; /* before anybody can read what is committed */
	c->log.spares = !synced;
	c->log.synced = false;
	code = statement_run(statement(c, SQL_COMMIT));
	c->log.spares = false;
	/* A commit that has changed nothing is not synced either. */
	if (synced && c->log.synced && code == SQLITE_DONE)
		t->shared->log = LOG_ON_DISK;
	else if (synced)
		suspect(t, code);
	return code;
}

bool
log_sound(struct sqlite_table *t)
{
	if (t->shared->log != LOG_SUSPECT)
		return true;
	if (checkpoint(t->writer, SQLITE_CHECKPOINT_RESTART, LOG_WAIT_MS) == SQLITE_OK)
		t->shared->log = LOG_ON_DISK;
	return t->shared->log == LOG_ON_DISK;
}

enum table_rc
log_reach_disk(struct sqlite_table *t, struct connection *c, struct table_call *call)
{
	sqlite3_file *file = NULL;

	if (t->shared->log == LOG_ON_DISK)
		return TABLE_OK;
	if (sqlite3_file_control(c->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK &&
	    file != NULL && file->pMethods != NULL &&
	    file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK)
		return TABLE_OK;
	call->why = "the log can't be synced";
	return TABLE_UNAVAILABLE;
}
