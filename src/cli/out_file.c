#include "cli/out_file.h"

#include "base/arena.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 100 };

static bool
fail(struct out_file *out, struct str *why)
{
	*why = str_fmt(out->arena, "%s: %s", out->path, strerror(errno));
	return false;
}

bool
out_file_open(struct out_file *out, const char *path, struct arena *arena, struct str *why)
{
	int fd;

	*out = (struct out_file){.path = path, .arena = arena};
	fd = open(path_folder(arena, path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		out->temporary = str_cstring(arena, str_fmt(arena, "%s.XXXXXX", path));
		fd = mkostemp(out->temporary, O_CLOEXEC);
	}
	if (fd < 0)
		return fail(out, why);
	out->stream = fdopen(fd, "w");
	if (out->stream == NULL)
		out_of_memory();
	return true;
}

/* Gives the nameless file a new, unique name. */
static bool
name_it(struct out_file *out)
{
	char *self =
	    str_cstring(out->arena, str_fmt(out->arena, "/proc/self/fd/%d", fileno(out->stream)));

	for (int i = 0; i < TRIES; i++) {
		char *name = str_cstring(
		    out->arena, str_fmt(out->arena, "%s.%d-%d", out->path, (int)getpid(), i));

		if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
			out->temporary = name;
			return true;
		}
		if (errno != EEXIST)
			return false;
	}
	return false;
}

bool
out_file_commit(struct out_file *out, struct str *why)
{
	bool done = fflush(out->stream) == 0 && !ferror(out->stream) &&
		    fsync(fileno(out->stream)) == 0 && (out->temporary != NULL || name_it(out)) &&
		    rename(out->temporary, out->path) == 0;

	if (!done) {
		fail(out, why);
		out_file_abandon(out);
		return false;
	}
	fclose(out->stream);
	(void)path_folder_sync(out->arena, out->path);
	return true;
}

void
out_file_abandon(struct out_file *out)
{
	fclose(out->stream);
	if (out->temporary != NULL)
		unlink(out->temporary);
}
