/*
 * The embedded engine's log, written in one piece: SQLite writes each page of a group into the
 * write-ahead log by two system calls, its head and its bytes. The writer's log gets methods of our own,
 * which gather what follows one another and hand it to the system at once, before the sync of the commit.
 *
 * What makes it right:
 *  1. Nobody reads a page of the log before its commit is marked in the log's index, and at
 *     synchronous=FULL SQLite marks it only after the sync, which writes what was gathered first.
 *  2. The writer itself may read pages that it wrote and did not commit (a group larger than its cache):
 *     every other call to the file writes what was gathered first, too.
 *  3. A write that fails is told by the sync, or by whichever call came first. All of them undo the group.
 */
#include "base/arena.h"
#include "table/sqlite_engine.h"

#include <stdlib.h>
#include <string.h>

/* As much as SQLite hands to the system at once; of more it would make several. */
enum { LOG_ROOM = 0x1ffff };

static struct log_methods *
log_of(sqlite3_file *file)
{
	return (struct log_methods *)file->pMethods;
}

/* Hands over what was gathered; after a failure nothing of it is left. */
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
	int code = write_out(file);

	return code != SQLITE_OK ? code : log_of(file)->plain->xSync(file, flags);
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

void
log_empty(struct connection *c)
{
	sqlite3_busy_timeout(c->db, 0);
	sqlite3_wal_checkpoint_v2(c->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(c->db, SQLITE_BUSY_MS);
}
