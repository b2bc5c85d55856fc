#ifndef T_WEB_MEDIA_PLACE_H
#define T_WEB_MEDIA_PLACE_H

#include "lib/tap.h"
#include "table/sqlite_harness.h"

#include "base/arena.h"
#include "base/clock.h"
#include "web/media/media_store.h"
#include "lib/paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A store of pictures for a test: a table, a folder, and the program that scales pictures. */

static const int64_t NOW = 1795000000000;
enum { FILE_MAX = 3 * 1024 * 1024 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct sqlite_place sqlite;
	struct table *table;
	struct table_call call;
	char media[128], program[256];
	struct media_store *store;
};

/* How many files there are, of whatever name. */
static inline size_t
files(struct place *p)
{
	DIR *directory = opendir(p->media);
	struct dirent *entry;
	size_t count = 0;

	if (directory == NULL)
		return 0;
	while ((entry = readdir(directory)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(directory);
	return count;
}

static inline struct str
content(struct place *p, const struct media *media, struct media_size size)
{
	const struct media_address one = {media->hash, size, media->format};
	struct str path =
	    str_fmt(p->arena, "%s/%.*s", p->media, STR_ARGS(media_file(p->arena, &one)));
	int fd = open(path.base, O_RDONLY);
	struct stat st;
	char *bytes;

	if (fd < 0 || fstat(fd, &st) != 0)
		return STR("");
	bytes = arena_alloc(p->arena, (size_t)st.st_size);
	if (read(fd, bytes, (size_t)st.st_size) != st.st_size)
		bail_out("%s can't be read", path.base);
	close(fd);
	return (struct str){(st.st_mode & 0777) == 0644 ? bytes : NULL, (size_t)st.st_size};
}

static inline void
clear(struct place *p)
{
	DIR *directory = opendir(p->media);
	struct dirent *entry;

	while (directory != NULL && (entry = readdir(directory)) != NULL)
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory != NULL)
		closedir(directory);
}

static inline enum media_rc
add_as(struct place *p, const char *owner, const char *name, struct str bytes, struct media *out)
{
	const struct media_upload upload = {
	    .owner = str_of(owner), .name = str_of(name), .bytes = bytes, .now = NOW};
	enum table_rc failed;

	return media_store_add(p->store, p->table, &p->call, &upload, out, &failed);
}

static inline enum media_rc
add(struct place *p, struct str bytes, struct media *out)
{
	return add_as(p, "noor", "a.jpg", bytes, out);
}

/* Sends what is no good: the answer is that one, and no more files are left than it says. */
static inline void
refused(struct place *p, const char *says, struct str bytes, enum media_rc wanted)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	struct media media;
	enum media_rc rc;
	size_t made = 0;

	clear(p);
	rc = add(p, bytes, &media);
	is_int(rc, wanted, "%s", says);
	if (rc == MEDIA_DONE)
		made = media_sizes((struct media_size){media.width, media.height}, media.format, sizes);
	is_int((int64_t)files(p), (int64_t)made, "... leaves nothing behind");
}

/* Another store on the same folder, with this program. */
static inline void
reopen(struct place *p, const char *program, int64_t timeout_ms)
{
	const struct media_store_options options = {.directory = p->media,
	    .program = program,
	    .file_max = FILE_MAX,
	    .timeout_ms = timeout_ms};

	media_store_free(p->store);
	p->store = media_store_new(&options);
	media_store_prepare(p->store);
}

static inline void
place_open(struct place *p)
{
	*p = (struct place){.arena = arena_new(), .clock = clock_system()};
	sqlite_place_make(&p->sqlite);
	p->table = sqlite_place_open(&p->sqlite, &p->clock);
	if (p->table == NULL)
		bail_out("no table");
	p->call = (struct table_call){.arena = p->arena};
	snprintf(p->media, sizeof(p->media), "%s/media", p->sqlite.folder);
	snprintf(p->program, sizeof(p->program), "%s", TOP_BUILDDIR "/broadsheet-image");
	reopen(p, p->program, 0);
}

static inline void
place_close(struct place *p)
{
	clear(p);
	rmdir(p->media);
	table_release(p->table, &p->call);
	table_close(p->table);
	media_store_free(p->store);
	sqlite_place_remove(&p->sqlite);
	arena_free(p->arena);
}

#endif
