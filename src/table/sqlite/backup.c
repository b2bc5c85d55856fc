/* The embedded engine as a file: backup, restore, check. */
#include "table/sqlite/sqlite.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/path.h"
#include "table/sqlite/sqlite_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
	WATCH_STEPS = 100 * 1000,
	WAIT_MS = 60 * 1000, /* how long a restore waits for writers */
};

/* --- Backup ------------------------------------------------------------------------------------- */

static int
on_watch(void *context)
{
	const struct table_watch *watch = context;

	return !watch->go_on(watch->context);
}

/* Syncs a file, and its entry in the directory, to the disk. */
static bool
settle_file(struct arena *arena, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool done = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return done && path_folder_sync(arena, path);
}

/* Renames a file, unless the new name exists. */
static bool
rename_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	/*
	 * Some file systems don't support this; there a link and an unlink do the same in two
	 * steps.
	 */
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (access(to, F_OK) == 0) {
		errno = EEXIST;
		return false;
	}
	return rename(from, to) == 0;
}

/*
 * A URI of the file by which SQLite does not lock it. Our own lock (make_part()) excludes
 * everybody; and on NFS, where both kinds of locks are the same, SQLite would wait for it.
 */
static const char *
unlocked(struct arena *arena, const char *file)
{
	struct buf out = {.arena = arena};

	buf_put(&out, STR("file:"));
	for (size_t i = 0; file[i] != '\0'; i++) {
		/*
		 * Characters that are valid in a path but not in a URI; two slashes at the start
		 * would be a host.
		 */
		if (strchr("%?#", file[i]) != NULL || (i == 0 && file[i] == '/'))
			buf_fmt(&out, "%%%02X", (unsigned)file[i]);
		else
			buf_put(&out, (struct str){&file[i], 1});
	}
	buf_put(&out, STR("?nolock=1"));
	return str_cstring(arena, buf_str(&out));
}

/* Copies the table into an empty file. */
static enum table_rc
copy_into(struct sqlite_table *t, const char *file, const struct table_watch *watch,
    struct arena *arena, struct str *why)
{
	struct table_call call = {.arena = arena};
	enum table_rc rc = TABLE_OK;
	struct connection *c =
	    connection_open(t, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, arena, &rc, why);
	char *sql;
	int code;

	if (c == NULL)
		return rc;
	if (watch != NULL)
		sqlite3_progress_handler(c->db, WATCH_STEPS, on_watch, (void *)(uintptr_t)watch);
	/* In one read transaction, so a snapshot; it blocks neither readers nor writers. */
	sql = sqlite3_mprintf("VACUUM INTO %Q", unlocked(arena, file));
	if (sql == NULL)
		out_of_memory();
	code = sqlite3_exec(c->db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	if (code != SQLITE_OK) {
		rc = storage_failed(c, &call, code);
		*why = str_of(call.why);
	}
	connection_close(c);
	return rc;
}

/* The name of an incomplete copy: the final name, this, and six random characters. */
static const char part_mark[] = ".broadsheet-part-";
static const char journal_mark[] = "-journal";
enum { PART_CHANCE = 6 };

/* Locks a copy, as its maker does. NULL and -1: somebody makes it, or it is gone. */
static int
lock_part(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Removes interrupted copies from the folder: ours by their names, and not locked by a maker. */
static void
clear_parts(struct arena *arena, const char *to)
{
	DIR *list = opendir(path_folder(arena, to));
	const struct dirent *entry;

	while (list != NULL && (entry = readdir(list)) != NULL) {
		const char *mark = strstr(entry->d_name, part_mark);
		size_t len = mark != NULL ? strlen(mark) - strlen(part_mark) : 0;
		bool journal = len == PART_CHANCE + strlen(journal_mark) &&
			       str_ends(str_of(mark), STR("-journal"));
		size_t part = strlen(entry->d_name) - (journal ? strlen(journal_mark) : 0);
		char *name;
		int fd;

		if (len != PART_CHANCE && !journal)
			continue;
		name = str_cstring(arena, (struct str){entry->d_name, part});
		fd = lock_part(dirfd(list), name);
		if (fd < 0 && faccessat(dirfd(list), name, F_OK, 0) == 0)
			continue;
		unlinkat(dirfd(list), entry->d_name, 0);
		if (fd >= 0) {
			unlinkat(dirfd(list),
			    str_cstring(arena, str_fmt(arena, "%s%s", name, journal_mark)), 0);
			unlinkat(dirfd(list), name, 0);
			close(fd);
		}
	}
	if (list != NULL)
		closedir(list);
}

/* An empty file for a copy, locked; *path is its name. */
static int
make_part(struct arena *arena, const char *to, char **path)
{
	struct stat st;
	int fd;

	for (;;) {
		*path = str_cstring(arena, str_fmt(arena, "%s%sXXXXXX", to, part_mark));
		fd = mkostemp(*path, O_CLOEXEC);
		if (fd < 0)
			return -1;
		/* Between the two calls another process may have removed it. */
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && st.st_nlink != 0)
			return fd;
		close(fd);
	}
}

enum table_rc
table_sqlite_backup(struct table *table, const char *to, const struct table_watch *watch,
    struct arena *arena, struct str *why)
{
	char *part;
	enum table_rc rc;
	int fd;

	if (access(to, F_OK) == 0)
		return explain(arena, TABLE_INVALID, why, to, "there already; name another file");
	clear_parts(arena, to);
	fd = make_part(arena, to, &part);
	if (fd < 0)
		return explain(arena, TABLE_UNAVAILABLE, why, to, strerror(errno));
	rc = copy_into((struct sqlite_table *)table, part, watch, arena, why);
	close(fd);
	if (rc != TABLE_OK) {
		unlink(part);
		return explain(arena, rc, why, to, str_cstring(arena, *why));
	}
	if (settle_file(arena, part) && rename_new(part, to) && settle_file(arena, to))
		return TABLE_OK;
	rc = errno == EEXIST ? TABLE_INVALID : errno == ENOSPC ? TABLE_FULL : TABLE_UNAVAILABLE;
	explain(arena, rc, why, to, strerror(errno));
	unlink(part);
	return rc;
}

/* --- Restore and check -------------------------------------------------------------------------- */

/* What SQLite finds wrong in a file; in the arena, or NULL. */
static const char *
unsound(sqlite3 *db, struct arena *arena)
{
	static const struct str heading = STR_INIT("*** in database main ***\n");
	const char *error = NULL;
	sqlite3_stmt *st = NULL;
	struct str text;

	if (sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &st, NULL) != SQLITE_OK ||
	    sqlite3_step(st) != SQLITE_ROW)
		error = str_cstring(arena, str_of(sqlite3_errmsg(db)));
	if (error == NULL && !str_eq(column_bytes(st, 0), STR("ok"))) {
		text = column_bytes(st, 0);
		/* Skips the heading. */
		if (str_starts(text, heading))
			text = str_sub(text, heading.len, text.len);
		error = str_cstring(arena, text);
	}
	sqlite3_finalize(st);
	return error == NULL ? row_error(db) : error;
}

/* Is the open file a valid table of ours? */
static enum table_rc
check_open(sqlite3 *db, const char *from, struct arena *arena, struct str *why)
{
	int64_t id = sqlite_ask(db, "PRAGMA application_id");
	int code = sqlite3_errcode(db);
	const char *error;

	if (id < 0 && code != SQLITE_NOTADB)
		return explain(arena, code == SQLITE_CORRUPT ? TABLE_CORRUPT : TABLE_UNAVAILABLE,
		    why, from, sqlite3_errmsg(db));
	if (id != SQLITE_TABLE_ID)
		return explain(arena, TABLE_INVALID, why, from, "no backup of this program");
	if (sqlite_ask(db, "PRAGMA user_version") > SQLITE_TABLE_VERSION)
		return explain(arena, TABLE_INVALID, why, from,
		    "made by a newer version of this program; use that version");
	error = unsound(db, arena);
	return error == NULL ? TABLE_OK : explain(arena, TABLE_CORRUPT, why, from, error);
}

/* Opens the backup at `from` read-only, and reads all of it to check it. */
static enum table_rc
open_backup(const char *from, struct arena *arena, struct connection *c, struct str *why)
{
	int code = sqlite3_open_v2(from, &c->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

	if (access(from, R_OK) != 0)
		return explain(arena, TABLE_UNAVAILABLE, why, from, strerror(errno));
	if (code != SQLITE_OK)
		return explain(arena, TABLE_UNAVAILABLE, why, from, sqlite3_errmsg(c->db));
	return check_open(c->db, from, arena, why);
}

enum table_rc
table_sqlite_restore(struct table *table, const char *from, struct arena *arena, struct str *why)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	struct table_call call = {
	    .arena = arena, .deadline = clock_monotonic(table->clock) + WAIT_MS};
	struct job job = {.kind = JOB_RESTORE, .call = &call, .from = calloc(1, sizeof(*job.from))};
	enum table_rc rc;

	if (job.from == NULL)
		out_of_memory();
	rc = open_backup(from, arena, job.from, why);

	if (rc == TABLE_OK) {
		/* Checking a large backup may have taken long. */
		call.deadline = clock_monotonic(table->clock) + WAIT_MS;
		rc = sqlite_submit(t, &job);
		if (rc != TABLE_OK)
			explain(arena, rc, why, t->path,
			    call.why != NULL ? call.why : table_rc_text(rc));
	}
	connection_close(job.from);
	return rc;
}

enum table_rc
table_sqlite_check(struct table *table, struct arena *arena, struct str *why)
{
	struct sqlite_table *t = (struct sqlite_table *)table;
	enum table_rc rc = TABLE_OK;
	struct connection *c = connection_open(t, SQLITE_OPEN_READWRITE, arena, &rc, why);
	const char *error;

	if (c == NULL)
		return rc;
	error = unsound(c->db, arena);
	if (error != NULL)
		rc = explain(arena, TABLE_CORRUPT, why, t->path, error);
	connection_close(c);
	return rc;
}

/* --- Restoring ---------------------------------------------------------------------------------------- */

/*
 * Everything is replaced and the stream is emptied: its consumers get TABLE_TRIMMED and rebuild
 * what they derive from it. The copy is read through a connection of its own, because a database
 * can't be attached inside a transaction.
 */
static enum table_rc
copy_items(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	sqlite3_stmt *st = NULL;
	enum table_rc rc = TABLE_OK;
	int code = sqlite3_prepare_v2(job->from->db, "SELECT data FROM item", -1, &st, NULL);
	struct table_call row = {.arena = arena_new()};

	while (code == SQLITE_OK && rc == TABLE_OK && (code = sqlite3_step(st)) == SQLITE_ROW) {
		struct stored none = {.packed = 0};
		struct row_form form;
		struct item item;
		struct key key;

		arena_reset(row.arena);
		code = SQLITE_OK;
		rc = column_item(job->from, &row, st, 0, &item, NULL);
		if (rc != TABLE_OK)
			continue;
		key = item_key(&item);
		none.place = place_of(row.arena, key.pk, key.sk);
		row_form(t, row.arena, none.place, &item, &form);
		rc = store_row(c, &row, &none, &item, &form);
	}
	if (row.why != NULL)
		job->call->why = str_cstring(job->call->arena, str_of(row.why));
	if (rc == TABLE_OK && code != SQLITE_DONE) {
		job->call->why = "the backup can't be read";
		rc = TABLE_CORRUPT;
	}
	sqlite3_finalize(st);
	arena_free(row.arena);
	return rc;
}

enum table_rc
job_restore(struct sqlite_table *t, struct job *job)
{
	struct connection *c = t->writer;
	enum table_rc rc;
	/* The record without a key advances the stream past every position given out. */
	int code = sqlite3_exec(c->db,
	    "DELETE FROM item; DELETE FROM gsi1; DELETE FROM gsi2; DELETE FROM gsi3;"
	    "DELETE FROM gsi4; DELETE FROM packed; INSERT INTO change(at, kind) VALUES(0, 0);"
	    "DELETE FROM change WHERE seq < (SELECT max(seq) FROM change); DELETE FROM token",
	    NULL, NULL, NULL);

	rc = code == SQLITE_OK ? copy_items(t, job) : storage_failed(c, job->call, code);
	slots_stamp_all(t->slots, next_version(t));
	job->wrote = true;
	return rc;
}
