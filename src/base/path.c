#include "base/path.h"

#include "base/str.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

char *
path_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return str_cstring(arena, STR("."));
	if (slash == path)
		return str_cstring(arena, STR("/"));
	return str_cstring(arena, (struct str){path, (size_t)(slash - path)});
}

bool
path_folder_sync(struct arena *arena, const char *path)
{
	int folder = open(path_folder(arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done = folder >= 0 && fsync(folder) == 0;

	if (folder >= 0)
		close(folder);
	return done;
}
