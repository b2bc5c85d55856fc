#ifndef TABLE_SQLITE_SQLITE_H
#define TABLE_SQLITE_SQLITE_H

#include "table/driver.h"

/* The embedded engine: the table in one file of this machine. Its design opens sqlite.c. */

extern const struct table_driver table_driver_sqlite;

/*
 * Opens the table in the file at `path` for this process; threads share it. The clock must outlive it.
 * The caller ends it with table_close(). On failure *table is NULL and *why, in the arena, is a
 * sentence for an operator that names the file and says what to do.
 *
 * An open table does not survive fork(): open it in the child. Open a file once in a process: a second opening
 * looks at it first, and closing it drops the locks that the first one has.
 */
enum table_rc table_sqlite_open(const char *path, enum table_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why);

/*
 * Writes a snapshot of the table to a new file, readable by this user only, while others read and
 * write. The file appears under its name when it is complete and on disk. Fails with TABLE_INVALID
 * if `to` exists already. The watch may be NULL; cancelled by it: TABLE_DEADLINE. *why as above.
 */
enum table_rc table_sqlite_backup(struct table *table, const char *to,
    const struct table_watch *watch, struct arena *arena, struct str *why);

/*
 * Replaces the table by the content of the backup at `from`, in one transaction: others see the
 * table before or after, never in between. The backup is only read. *why as above.
 */
enum table_rc table_sqlite_restore(
    struct table *table, const char *from, struct arena *arena, struct str *why);

/* The version of the SQLite that this program runs with. */
const char *table_sqlite_library(void);

/* Reads the whole file and its structure; *why names the first thing that is wrong. */
enum table_rc table_sqlite_check(struct table *table, struct arena *arena, struct str *why);

#endif
