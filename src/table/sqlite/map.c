/*
 * The embedded engine's mapping: the file as memory, one for all readers of a process.
 *
 * SQLite can map a file itself, but stops at 2 GB, which a million items exceed; it maps
 * separately for each connection; and each reader drops its mapping after every write, and takes the faults of
 * every page again. So we supply the pages. An open file's methods are public: a reader's file gets a copy
 * of its own with three replaced: xFetch, xUnfetch and xShmLock.
 *
 * Why it is correct:
 *  1. SQLite fetches a page only when the log has no later version that the reader may see, and no
 *     checkpoint writes over a page that a reader may still see. That is its own contract for xFetch.
 *  2. The mapping is shared, so it shows all writes, of any process.
 *  3. The file grows into the mapping, which is longer than any table we expect; pages beyond
 *     its end, or beyond the end of the file, are not supplied, and SQLite reads them.
 *  4. The file never shrinks: nobody vacuums it, and a checkpoint truncates it at the table's own end.
 *
 * Locks. A reader takes a lock of SQLite's at the start of its snapshot and releases it at the end. All
 * threads of a process do so in turn, under a mutex of SQLite's and with a system call, and to sleep for that
 * microsecond costs more than the reads of any page. So they first take a mutex of ours, which spins for a
 * while.
 */
#include "table/sqlite/sqlite_private.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAP_BYTES (INT64_C(64) << 30)

/* Closing a file drops SQLite's locks on it, so this comes before SQLite opens it. */
void
map_open(struct sqlite_table *t)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);
	void *base;

	if (fd < 0)
		return;
	base = mmap(NULL, MAP_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	/* Without address space, or on a file system without mappings, SQLite reads. */
	if (base != MAP_FAILED)
		t->map.base = base;
	t->map.turn = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
}

void
map_close(struct sqlite_table *t)
{
	if (t->map.base != NULL)
		munmap(t->map.base, MAP_BYTES);
}

/* The pages stay in the system's cache, and are mapped again when they are read. */
void
map_shed(struct sqlite_table *t)
{
	if (t->map.base != NULL)
		madvise(t->map.base, MAP_BYTES, MADV_DONTNEED);
}

static int
on_fetch(sqlite3_file *file, sqlite3_int64 at, int len, void **page)
{
	const struct map_methods *methods = (const struct map_methods *)file->pMethods;
	struct file_map *map = methods->map;
	sqlite3_int64 size = atomic_load_explicit(&map->size, memory_order_relaxed);
	int code;

	*page = NULL;
	if (at + len > size) {
		code = methods->plain->xFileSize(file, &size);
		if (code != SQLITE_OK)
			return code;
		if (size > MAP_BYTES)
			size = MAP_BYTES;
		atomic_store_explicit(&map->size, size, memory_order_relaxed);
	}
	if (at + len <= size)
		*page = map->base + at;
	return SQLITE_OK;
}

static int
on_unfetch(sqlite3_file *file, sqlite3_int64 at, void *page)
{
	(void)file, (void)at, (void)page;
	return SQLITE_OK;
}

static int
on_lock(sqlite3_file *file, int at, int count, int flags)
{
	const struct map_methods *methods = (const struct map_methods *)file->pMethods;
	struct file_map *map = methods->map;
	int code;

	pthread_mutex_lock(&map->turn);
	code = methods->plain->xShmLock(file, at, count, flags);
	pthread_mutex_unlock(&map->turn);
	return code;
}

void
map_reads(struct sqlite_table *t, struct connection *c)
{
	sqlite3_file *file = NULL;

	if (t->map.base == NULL ||
	    sqlite3_file_control(c->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
	    file->pMethods->iVersion < 3)
		return;
	c->methods = (struct map_methods){*file->pMethods, file->pMethods, &t->map};
	c->methods.own.xShmLock = on_lock;
	c->methods.own.xFetch = on_fetch;
	c->methods.own.xUnfetch = on_unfetch;
	file->pMethods = &c->methods.own;
	/* Any size but 0 makes it fetch; the actual size is managed here. */
	sqlite3_exec(c->db, "PRAGMA mmap_size = 1", NULL, NULL, NULL);
}
