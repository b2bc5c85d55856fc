/*
 * The embedded engine's lock between processes, and what they share. Both are the file
 * `<path>-lock`: one byte of it is locked around every write, and every process maps it. Its first
 * page has the version, which is all that older versions of this program know; the slots come after
 * it.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	WAIT_MIN_US = 100,
	WAIT_MAX_US = 5000,
	FIRST_FREE_FD = 3, /* 0 to 2 are standard input, output and error, even if closed */
};

static const char page_magic[16] = "broadsheet-lock";

static int
set_lock(int fd, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};

	return fcntl(fd, F_OFD_SETLK, &lock);
}

/* There is no lock call with a time limit, so we poll, with growing pauses. */
static bool
wait_for_lock(struct sqlite_table *t, int64_t deadline)
{
	long wait_us = WAIT_MIN_US;

	while (set_lock(t->lock_fd, F_WRLCK) != 0) {
		struct timespec pause = {.tv_nsec = wait_us * 1000};

		if ((errno != EAGAIN && errno != EACCES && errno != EINTR) ||
		    clock_monotonic(t->table.clock) >= deadline)
			return false;
		nanosleep(&pause, NULL);
		wait_us = wait_us * 2 < WAIT_MAX_US ? wait_us * 2 : WAIT_MAX_US;
	}
	return true;
}

uint64_t
next_version(const struct sqlite_table *t)
{
	return atomic_load(&t->shared->version) + 1;
}

/* Increments the version, after stamping what it changes. */
static void
count_version(struct sqlite_table *t)
{
	slots_count(t->slots, atomic_load(&t->shared->version));
	atomic_fetch_add(&t->shared->version, 1);
}

bool
process_lock(struct sqlite_table *t, int64_t deadline)
{
	if (!wait_for_lock(t, deadline))
		return false;
	/* A writer that died may have committed without incrementing the version. */
	if (atomic_exchange(&t->shared->writing, 1) != 0) {
		slots_stamp_all(t->slots, next_version(t));
		count_version(t);
	}
	return true;
}

void
process_unlock(struct sqlite_table *t, bool changed)
{
	if (changed)
		count_version(t);
	atomic_store(&t->shared->writing, 0);
	set_lock(t->lock_fd, F_UNLCK);
}

static int
open_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660), high;

	if (fd < 0 || fd >= FIRST_FREE_FD)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
	close(fd);
	return high;
}

/*
 * Extends a file: the first page if it is new, and the slots if an older version made it. With
 * writes, because a hole in a mapped file would kill the process on a full disk.
 */
static bool
fill_file(int fd)
{
	union {
		struct shared_page page;
		char bytes[4096];
	} first = {.page.version = 1};
	static const char zeros[4096];
	off_t size = lseek(fd, 0, SEEK_END);

	memcpy(first.page.magic, page_magic, sizeof(page_magic));
	if (size < (off_t)sizeof(first)) {
		if (pwrite(fd, &first, sizeof(first), 0) != (ssize_t)sizeof(first))
			return false;
		size = sizeof(first);
	}
	while (size < (off_t)sizeof(struct shared_file)) {
		size_t lacking = sizeof(struct shared_file) - (size_t)size;
		ssize_t n =
		    pwrite(fd, zeros, lacking < sizeof(zeros) ? lacking : sizeof(zeros), size);

		if (n <= 0)
			return false;
		size += n;
	}
	return true;
}

enum table_rc
lock_open(struct sqlite_table *t, int64_t deadline, struct arena *arena, struct str *why)
{
	char *path = str_cstring(arena, str_fmt(arena, "%s-lock", t->path));
	struct shared_file *mapped;

	t->lock_fd = open_file(path);
	if (t->lock_fd < 0)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	sqlite_hand_over(t->lock_fd, path, arena);
	if (!wait_for_lock(t, deadline))
		return explain(
		    arena, TABLE_DEADLINE, why, t->path, "another process keeps it locked");
	if (!fill_file(t->lock_fd))
		return explain(arena, errno == ENOSPC ? TABLE_FULL : TABLE_UNAVAILABLE, why, path,
		    strerror(errno));
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, t->lock_fd, 0);
	if (mapped == MAP_FAILED)
		return explain(arena, TABLE_UNAVAILABLE, why, path, strerror(errno));
	t->shared = &mapped->page;
	t->slots = &mapped->slots;
	t->table.slots = t->slots;
	if (memcmp(t->shared->magic, page_magic, sizeof(page_magic)) != 0)
		return explain(arena, TABLE_INVALID, why, path, "not a lock file of this program");
	set_lock(t->lock_fd, F_UNLCK);
	return TABLE_OK;
}

void
lock_close(struct sqlite_table *t)
{
	if (t->shared != NULL)
		munmap(t->shared, sizeof(struct shared_file));
	if (t->lock_fd >= 0)
		close(t->lock_fd);
}
