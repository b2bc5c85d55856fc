#include "server/folder.h"

#include "base/arena.h"
#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

/* Reads the file to its end and closes it. */
static bool
read_all(struct arena *arena, int fd, size_t most, struct str *out)
{
	struct buf text = {.arena = arena};
	ssize_t got;

	while ((got = read(fd, buf_room(&text, READ_BYTES), READ_BYTES)) > 0 && text.len <= most)
		text.len += (size_t)got;
	if (got > 0)
		errno = EFBIG;
	close(fd);
	*out = buf_str(&text);
	return got == 0;
}

bool
file_read(struct arena *arena, const char *path, size_t most, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && read_all(arena, fd, most, out);
}

bool
file_read_here(struct arena *arena, const char *path, size_t most, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat about;

	if (fd < 0)
		return false;
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
		close(fd);
		errno = EINVAL;
		return false;
	}
	return read_all(arena, fd, most, out);
}

/* By bytes, so independent of the locale. */
static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool
folder_list(
    struct arena *arena, const char *path, const char *suffix, const char ***names, size_t *count)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	size_t capacity = 64;

	*count = 0;
	if (folder == NULL)
		return false;
	*names = ARENA_ARRAY(arena, capacity, const char *);
	while ((entry = readdir(folder)) != NULL) {
		struct str name = str_of(entry->d_name);

		if (entry->d_name[0] == '.' || !str_ends(name, str_of(suffix)))
			continue;
		if (*count == capacity) {
			*names = arena_grow(arena, *names, capacity * sizeof(**names),
			    2 * capacity * sizeof(**names));
			capacity *= 2;
		}
		(*names)[(*count)++] = str_cstring(arena, name);
	}
	closedir(folder);
	qsort(*names, *count, sizeof(**names), by_bytes);
	return true;
}
