#include "sqlite_harness.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void
sqlite_place_make(struct sqlite_place *place)
{
	const char *parent = getenv("TMPDIR");

	/* In memory if possible: fdatasync() on a busy disk takes most of the time. */
	if (parent == NULL)
		parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(place->folder, sizeof(place->folder), "%s/table-XXXXXX", parent);
	if (mkdtemp(place->folder) == NULL) {
		perror(place->folder);
		exit(255);
	}
	snprintf(place->path, sizeof(place->path), "%s/table.db", place->folder);
}

void
sqlite_place_remove(struct sqlite_place *place)
{
	DIR *folder = opendir(place->folder);
	struct dirent *entry;
	char path[512];

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", place->folder, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(path);
	}
	if (folder != NULL)
		closedir(folder);
	rmdir(place->folder);
}

struct table *
sqlite_place_open(struct sqlite_place *place, struct clock *clock)
{
	struct arena *arena = arena_new();
	struct table *table;
	struct str why;

	if (table_sqlite_open(place->path, TABLE_OPEN_CREATE, clock, arena, &table, &why) !=
	    TABLE_OK)
		fprintf(stderr, "# %.*s\n", STR_ARGS(why));
	arena_free(arena);
	return table;
}

static struct table *
open_new(void *context, struct clock *clock)
{
	sqlite_place_make(context);
	return sqlite_place_open(context, clock);
}

/* Whatever a test did, the file is sound after it. */
static void
closed(void *context)
{
	struct sqlite_place *place = context;
	struct clock clock = clock_system();
	struct table *table = sqlite_place_open(place, &clock);
	struct arena *arena = arena_new();
	struct str why = STR("it was not opened");

	if (table == NULL || table_sqlite_check(table, arena, &why) != TABLE_OK) {
		fprintf(stderr, "# the file is not sound: %.*s\n", STR_ARGS(why));
		exit(255);
	}
	table_close(table);
	arena_free(arena);
	sqlite_place_remove(place);
}

struct harness
sqlite_harness(struct sqlite_place *place)
{
	return (struct harness){.name = "sqlite",
	    .open = open_new,
	    .closed = closed,
	    .context = place,
	    .expires_by_clock = true,
	    .stamps_by_clock = true,
	    .forgets_by_clock = true,
	    .sweeps = true,
	    .holds = true,
	    .has_version = true};
}
