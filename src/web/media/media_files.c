#include "web/media/media_files.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/gate.h"
#include "web/media/image_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMPORARY ".new-"

enum {
	CPU_SECONDS = 10,
	STALE_SECONDS = 3600, /* a temporary file this old is nobody's any more */
};

/* The web server comes in by name only, whatever the umask, and lists nothing. */
void
media_files_directory(const char *path)
{
	if (mkdir(path, 0711) == 0)
		chmod(path, 0711);
}

enum media_rc
media_system_failed(void)
{
	return errno == ENOSPC || errno == EDQUOT ? MEDIA_NO_ROOM : MEDIA_BROKEN;
}

void
media_files_plan(
    struct media_files *f, struct arena *arena, const struct image_head *head, struct str hash)
{
	struct media_size sizes[MEDIA_SIZES_MAX];

	*f = (struct media_files){.arena = arena, .directory = -1, .head = *head};
	f->address = (struct media_address){hash, media_whole(image_head_seen(head)), head->format};
	f->count = media_sizes(f->address.size, sizes);
	for (size_t i = 0; i < f->count; i++) {
		f->sizes[i] = sizes[f->count - 1 - i];
		f->outs[i] = -1;
	}
}

static const char *
file_name(struct arena *arena, const struct media_address *whole, struct media_size size)
{
	const struct media_address one = {whole->hash, size, whole->format};

	return str_cstring(arena, media_file(arena, &one));
}

bool
media_files_here(struct media_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (faccessat(
			f->directory, file_name(f->arena, &f->address, f->sizes[i]), F_OK, 0) != 0)
			return false;
	return true;
}

/* --- Making ------------------------------------------------------------------------------------------- */

static enum media_rc
open_files(struct media_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		unsigned char chance[8];
		char hex[sizeof(chance) * 2 + 1];
		struct str name;

		randombytes_buf(chance, sizeof(chance));
		name = str_fmt(f->arena, TEMPORARY "%s",
		    sodium_bin2hex(hex, sizeof(hex), chance, sizeof(chance)));
		f->outs[i] =
		    openat(f->directory, name.base, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (f->outs[i] < 0)
			return media_system_failed();
		f->temporary[i] = name;
	}
	return MEDIA_DONE;
}

static enum media_rc
run(struct media_files *f, struct str bytes, const char *program, int64_t patience_ms)
{
	const struct image_job job = {.program = program,
	    .seconds = CPU_SECONDS,
	    .patience_ms = patience_ms,
	    .bytes = bytes,
	    .head = &f->head,
	    .sizes = f->sizes,
	    .outs = f->outs,
	    .count = f->count};

	switch (image_child_run(&job)) {
	case IMAGE_EXIT_DONE: return MEDIA_DONE;
	case IMAGE_EXIT_DAMAGED: return MEDIA_DAMAGED;
	case IMAGE_EXIT_FULL: return MEDIA_NO_ROOM;
	case IMAGE_EXIT_KILLED: return MEDIA_TOO_MUCH_WORK;
	case IMAGE_EXIT_BROKEN: break;
	}
	return MEDIA_BROKEN;
}

/* Onto the disk, readable for the web server. */
static enum media_rc
settle(struct media_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct stat st;

		if (fstat(f->outs[i], &st) != 0 || fchmod(f->outs[i], 0644) != 0 ||
		    fsync(f->outs[i]) != 0)
			return media_system_failed();
		if (st.st_size == 0)
			return MEDIA_BROKEN;
		f->bytes += st.st_size;
	}
	return MEDIA_DONE;
}

enum media_rc
media_files_make(struct media_files *f, const struct media_upload *upload, const char *program,
    int64_t patience_ms, struct gate *gate)
{
	enum media_rc rc;
	int64_t begun;

	if (!gate_enter(gate, upload->owner))
		return MEDIA_BUSY;
	begun = clock_micros();
	rc = open_files(f);
	if (rc == MEDIA_DONE)
		rc = run(f, upload->bytes, program, patience_ms);
	if (upload->work_ms != NULL)
		*upload->work_ms = (clock_micros() - begun) / 1000;
	gate_leave(gate, upload->owner);
	return rc == MEDIA_DONE ? settle(f) : rc;
}

enum media_rc
media_files_name(struct media_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (renameat(f->directory, f->temporary[i].base, f->directory,
			file_name(f->arena, &f->address, f->sizes[i])) != 0)
			goto failed;
		f->temporary[i] = STR("");
	}
	if (fsync(f->directory) == 0)
		return MEDIA_DONE;
failed:;
	enum media_rc rc = media_system_failed();

	media_files_unlink(f->directory, f->arena, &f->address);
	return rc;
}

void
media_files_end(struct media_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->outs[i] >= 0)
			close(f->outs[i]);
		if (f->temporary[i].len != 0)
			unlinkat(f->directory, f->temporary[i].base, 0);
	}
	if (f->directory >= 0)
		close(f->directory);
}

/* --- Removing ----------------------------------------------------------------------------------------- */

void
media_files_unlink(int directory, struct arena *arena, const struct media_address *whole)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	size_t count = media_sizes(whole->size, sizes);

	for (size_t i = 0; i < count; i++)
		unlinkat(directory, file_name(arena, whole, sizes[i]), 0);
}

void
media_files_sweep(const char *path)
{
	DIR *directory = opendir(path);
	time_t now = time(NULL);
	struct dirent *entry;
	struct stat st;

	while (directory != NULL && (entry = readdir(directory)) != NULL)
		if (strncmp(entry->d_name, TEMPORARY, sizeof(TEMPORARY) - 1) == 0 &&
		    fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    now - st.st_mtime > STALE_SECONDS)
			unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory != NULL)
		closedir(directory);
}
