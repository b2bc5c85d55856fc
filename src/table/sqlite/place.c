/*
 * The embedded engine's files and their paths: if somebody removes or replaces one of them while it
 * is in use, the open file remains, and writes to it would be lost when it is closed.
 */
#include "base/arena.h"
#include "table/sqlite/sqlite_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const ends[TABLE_FILES] = {"", "-wal", "-shm", "-lock"};

static char *
file_path(struct sqlite_table *t, struct arena *arena, size_t file)
{
	return str_cstring(arena, str_fmt(arena, "%s%s", t->path, ends[file]));
}

bool
place_note(struct sqlite_table *t, struct arena *arena)
{
	int moved = 0;

	for (size_t i = 0; i < TABLE_FILES; i++) {
		t->paths[i] = strdup(file_path(t, arena, i));
		if (t->paths[i] == NULL)
			out_of_memory();
		if (stat(t->paths[i], &t->files[i]) != 0)
			return false;
	}
	/*
	 * SQLite knows which file it has open; the others are next to it and have just been opened.
	 */
	sqlite3_file_control(t->writer->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	t->noted = moved == 0;
	return t->noted;
}

const char *
place_lost(struct sqlite_table *t)
{
	struct stat now;

	if (!t->noted)
		return NULL;
	for (size_t i = 0; i < TABLE_FILES; i++)
		if (stat(t->paths[i], &now) != 0 || now.st_ino != t->files[i].st_ino ||
		    now.st_dev != t->files[i].st_dev)
			return t->paths[i];
	return NULL;
}

static void
tell(struct sqlite_table *t, struct str sentence)
{
	if (t->table.tell != NULL)
		t->table.tell(t->table.tell_context, sentence);
}

bool
place_kept(struct sqlite_table *t, struct table_call *call)
{
	const char *lost = place_lost(t);

	if (lost != NULL)
		call->why =
		    str_fmt(call->arena, "%s was removed or replaced while it was in use", lost)
			.base;
	if ((lost != NULL) == t->lost)
		return lost == NULL;
	t->lost = lost != NULL;
	if (lost == NULL) {
		tell(t, str_fmt(call->arena, "%s and its files are back: writes go on.", t->path));
		return true;
	}
	/* So that the log does no harm to another file at our path when we end, or are killed. */
	log_empty(t->writer);
	tell(t,
	    str_fmt(call->arena,
		"%s was removed or replaced while it was in use: nothing is written any more. Stop "
		"Broadsheet, put the file back, or `broadsheet restore` a backup into a new table, "
		"and "
		"start again.",
		lost));
	return false;
}

void
place_forget(struct sqlite_table *t)
{
	for (size_t i = 0; i < TABLE_FILES; i++)
		free(t->paths[i]);
}
