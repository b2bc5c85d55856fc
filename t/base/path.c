/* The folder of a path, by its text alone; and that it is synced. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/path.h"

#include <errno.h>

static void
folders(struct arena *arena)
{
	static const struct {
		const char *path, *folder;
	} cases[] = {
	    {"name", "."},
	    {"./name", "."},
	    {"a/name", "a"},
	    {"/a/b/name", "/a/b"},
	    {"/name", "/"},
	    {"../name", ".."},
	    {"a/", "a"},
	    {"", "."},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(str_of(path_folder(arena, cases[i].path)), str_of(cases[i].folder),
		    "the folder of \"%s\"", cases[i].path);
}

static void
syncing(struct arena *arena)
{
	ok(path_folder_sync(arena, "/name"),
	    "a folder is synced, whether the file is there or not");
	errno = 0;
	ok(!path_folder_sync(arena, "/no such folder/name") && errno == ENOENT,
	    "one that is missing is an error");
	errno = 0;
	ok(!path_folder_sync(arena, "/dev/null/name") && errno == ENOTDIR,
	    "and so is one that is none");
}

int
main(void)
{
	struct arena *arena = arena_new();

	folders(arena);
	syncing(arena);
	arena_free(arena);
	return tap_done();
}
