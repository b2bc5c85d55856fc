/* The embedded engine's row among the drivers. */
#include "table/sqlite/sqlite.h"

#include "base/arena.h"
#include "base/path.h"
#include "table/copy.h"

#include <string.h>
#include <sys/stat.h>

/* Creating a file needs its folder; the engine's own message would name the lock file. */
static bool
folder_is_there(const char *path, struct arena *arena, struct str *why)
{
	const char *folder = path_folder(arena, path);
	struct stat st;

	if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	*why = str_fmt(
	    arena, "%s: there is no folder %s; make it, or name another store", path, folder);
	return false;
}

static enum table_rc
open_file(struct str name, enum table_open how, struct clock *clock, struct arena *arena,
    struct table **table, struct str *why)
{
	*table = NULL;
	if (!folder_is_there(name.base, arena, why))
		return TABLE_UNAVAILABLE;
	return table_sqlite_open(name.base, how, clock, arena, table, why);
}

static enum table_rc
create_file(struct str name, struct clock *clock, struct arena *arena, struct table_made *out,
    struct str *why)
{
	struct table *table;
	struct stat st;
	enum table_rc rc;

	*out = (struct table_made){.table = true};
	/* An interrupted creation leaves an empty file. */
	if (lstat(name.base, &st) == 0 && st.st_size != 0) {
		*why = str_fmt(arena, "%s: there already; name another store", name.base);
		return TABLE_INVALID;
	}
	rc = open_file(name, TABLE_OPEN_CREATE, clock, arena, &table, why);
	table_close(table);
	return rc;
}

static enum table_rc
describe_file(struct str name, struct clock *clock, struct arena *arena,
    struct table_description *out, struct str *why)
{
	struct table *table;
	struct table_sum sum;
	struct stat st = {0};
	enum table_rc rc = open_file(name, TABLE_OPEN_EXISTING, clock, arena, &table, why);

	if (rc == TABLE_OK)
		rc = table_sum(table, NULL, NULL, NULL, arena, &sum, why);
	table_close(table);
	if (rc != TABLE_OK)
		return rc;
	/* After closing, which may have added the last writes. */
	(void)stat(name.base, &st);
	*out = (struct table_description){
	    .name = name,
	    .facts = {{"items", .number = sum.items}, {"bytes", .number = sum.bytes},
		{"file", .number = (uint64_t)st.st_size},
		{"digest", .text = table_sum_text(arena, &sum)}},
	    .count = 4,
	};
	return TABLE_OK;
}

static struct str
by_hand(struct str name, struct arena *arena)
{
	return str_fmt(arena,
	    "a table in a file is not deleted so; stop what uses it, then remove %s and what lies "
	    "beside it: -lock, -wal, -shm",
	    name.base);
}

const struct table_driver table_driver_sqlite = {
    .prefix = "sqlite",
    .is_file = true,
    .library = table_sqlite_library,
    .open = open_file,
    .create = create_file,
    .describe = describe_file,
    .by_hand = by_hand,
    .backup = table_sqlite_backup,
    .restore = table_sqlite_restore,
    .check = table_sqlite_check,
};
