#include "server/media.h"

#include "base/arena.h"

#include <limits.h>
#include <unistd.h>

/* broadsheet-image lies beside this program, wherever that is. */
struct media_store *
media_open(const struct config *config, struct arena *arena)
{
	struct media_store_options options = {
	    .directory = config->media.base, .file_max = (size_t)config->upload_bytes};
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
	size_t slash = len > 0 && (size_t)len < sizeof(path) ? (size_t)len : 0;

	while (slash > 0 && path[slash - 1] != '/')
		slash--;
	if (slash != 0)
		options.program = str_fmt(arena, "%.*sbroadsheet-image", (int)slash, path).base;
	return media_store_new(&options);
}
