#include "power_cut.h"

#include "lib/tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 2, BLOCK = 4096 };

struct image {
	char *bytes;
	size_t size;
};

static struct {
	pthread_mutex_t lock;
	char paths[FILES][128];
	struct image synced[FILES];
	uint64_t random;
	unsigned cuts;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER, .random = 88172645463325252u};

/* Nothing when there is no such file. */
static struct image
read_file(int fd)
{
	struct image image = {.bytes = NULL};
	struct stat st;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st) != 0)
		return image;
	image.bytes = malloc((size_t)st.st_size + 1);
	if (image.bytes == NULL)
		bail_out("no memory for a file");
	while (image.size < (size_t)st.st_size && n > 0) {
		n = pread(fd, image.bytes + image.size, (size_t)st.st_size - image.size,
		    (off_t)image.size);
		image.size += n > 0 ? (size_t)n : 0;
	}
	return image;
}

static struct image
read_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct image image = read_file(fd);

	if (fd >= 0)
		close(fd);
	return image;
}

/* --- What is synced ----------------------------------------------------------------------------------- */

static int
sync_file(int fd)
{
	char link[64], path[256];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	pthread_mutex_lock(&disk.lock);
	for (int i = 0; i < FILES; i++)
		if (disk.paths[i][0] != '\0' && strcmp(path, disk.paths[i]) == 0) {
			free(disk.synced[i].bytes);
			disk.synced[i] = read_file(fd);
		}
	pthread_mutex_unlock(&disk.lock);
	return 0;
}

/* Declared by unistd.h, defined here for SQLite. */
int
fsync(int fd)
{
	return sync_file(fd);
}

int
fdatasync(int fd)
{
	return sync_file(fd);
}

void
power_watch(const char *path)
{
	pthread_mutex_lock(&disk.lock);
	snprintf(disk.paths[0], sizeof(disk.paths[0]), "%s", path);
	snprintf(disk.paths[1], sizeof(disk.paths[1]), "%s-wal", path);
	for (int i = 0; i < FILES; i++) {
		free(disk.synced[i].bytes);
		disk.synced[i] = read_path(disk.paths[i]);
	}
	pthread_mutex_unlock(&disk.lock);
}

/* --- What is left ------------------------------------------------------------------------------------- */

static uint64_t
draw(uint64_t below)
{
	disk.random ^= disk.random << 13;
	disk.random ^= disk.random >> 7;
	disk.random ^= disk.random << 17;
	return disk.random % below;
}

/* Of what is written and not synced none, all, or each block by chance; lost ones remain as they were, or empty. */
static struct image
left_of(const struct image *synced, const struct image *written, unsigned kind, bool *lost)
{
	size_t most = written->size > synced->size ? written->size : synced->size;
	struct image left = {.bytes = calloc(1, most + 1), .size = synced->size};

	if (left.bytes == NULL)
		bail_out("no memory for a file");
	if (synced->size != 0)
		memcpy(left.bytes, synced->bytes, synced->size);
	if (kind != 0)
		left.size = kind == 1 || draw(2) != 0 ? written->size : synced->size;
	for (size_t at = 0; at < written->size; at += BLOCK) {
		size_t len = written->size - at < BLOCK ? written->size - at : BLOCK;

		if (memcmp(left.bytes + at, written->bytes + at, len) == 0)
			continue;
		if (kind == 1 || (kind == 2 && at < left.size && draw(2) != 0))
			memcpy(left.bytes + at, written->bytes + at, len);
		else
			*lost = true;
	}
	return left;
}

bool
power_cut(const char *to)
{
	char path[256];
	bool lost = false;
	unsigned kind;

	pthread_mutex_lock(&disk.lock);
	kind = disk.cuts++ % 3;
	for (int i = 0; i < FILES; i++) {
		struct image written = read_path(disk.paths[i]);
		struct image left = left_of(&disk.synced[i], &written, kind, &lost);
		FILE *file;

		snprintf(path, sizeof(path), "%s%s", to, i == 0 ? "" : "-wal");
		file = fopen(path, "wb");
		if (file == NULL || fwrite(left.bytes, 1, left.size, file) != left.size ||
		    fclose(file) != 0)
			bail_out("%s is not written", path);
		free(written.bytes);
		free(left.bytes);
	}
	pthread_mutex_unlock(&disk.lock);
	return lost;
}
