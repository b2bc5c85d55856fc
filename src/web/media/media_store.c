#include "web/media/media_store.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/limiter.h"
#include "model/key.h"
#include "model/people/portrait.h"
#include "model/post/media.h"
#include "model/site/settings.h"
#include "web/media/drawing.h"
#include "web/media/image_child.h"
#include "web/media/image_head.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- The files of one picture -------------------------------------------------------------------- */

/* The files of a picture, from planning to their final names. */
struct media_files {
	struct arena *arena;
	int directory; /* its own descriptor, which media_files_end() closes; -1: not open */
	struct image_head head;
	struct str drawing;           /* of an SVG, what its file is to hold */
	struct media_address address; /* of the largest */

	struct media_size sizes[MEDIA_SIZES_MAX]; /* the largest first */
	struct str temporary[MEDIA_SIZES_MAX];    /* temporary names, or empty */
	int outs[MEDIA_SIZES_MAX];
	size_t count;
	int64_t bytes; /* of all files, once they exist */
};

#define TEMPORARY ".new-"

enum {
	CPU_SECONDS = 10,
	STALE_SECONDS = 3600, /* a temporary file this old was left by a crash */
};

/*
 * Creates the directory if it is missing. The web server may open files by name, whatever the
 * umask, but not list them.
 */
static void
media_files_directory(const char *path)
{
	if (mkdir(path, 0711) == 0)
		chmod(path, 0711);
}

/* A system error as a result. */
static enum media_rc
media_system_failed(void)
{
	return errno == ENOSPC || errno == EDQUOT ? MEDIA_NO_ROOM : MEDIA_BROKEN;
}

/* Determines the files for a picture with that header. Opens nothing. */
static void
media_files_plan(struct media_files *f, struct arena *arena, const struct image_head *head,
    struct str hash, bool portrait)
{
	struct media_size sizes[MEDIA_SIZES_MAX];

	*f = (struct media_files){.arena = arena, .directory = -1, .head = *head};
	f->address = (struct media_address){
	    hash, media_whole(image_head_seen(head), portrait), head->format};
	f->count = media_sizes(f->address.size, head->format, sizes);
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

/* Do all of them exist under their final names? */
static bool
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
write_drawing(const struct media_files *f)
{
	for (size_t at = 0; at < f->drawing.len;) {
		ssize_t n = write(f->outs[0], f->drawing.base + at, f->drawing.len - at);

		if (n < 0 && errno != EINTR)
			return media_system_failed();
		at += n > 0 ? (size_t)n : 0;
	}
	return MEDIA_DONE;
}

static enum media_rc
run(struct media_files *f, struct str bytes, const char *program, int64_t timeout_ms)
{
	const struct image_job job = {.program = program,
	    .seconds = CPU_SECONDS,
	    .timeout_ms = timeout_ms,
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

/* Syncs it to the disk, readable for the web server. */
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

/*
 * Makes them under temporary names, when it is its owner's turn at the limiter, and syncs them to
 * the disk.
 */
static enum media_rc
media_files_make(struct media_files *f, const struct media_upload *upload, const char *program,
    int64_t timeout_ms, struct limiter *limiter)
{
	enum media_rc rc;
	int64_t begun;

	if (!limiter_enter(limiter, upload->owner))
		return MEDIA_BUSY;
	begun = clock_micros();
	rc = open_files(f);
	if (rc == MEDIA_DONE)
		rc = f->drawing.len != 0 ? write_drawing(f) : run(f, upload->bytes, program, timeout_ms);
	if (upload->work_ms != NULL)
		*upload->work_ms = (clock_micros() - begun) / 1000;
	limiter_leave(limiter, upload->owner);
	return rc == MEDIA_DONE ? settle(f) : rc;
}

/* Removes the files of a picture, as far as they exist. */
static void
media_files_unlink(int directory, struct arena *arena, const struct media_address *whole)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	size_t count = media_sizes(whole->size, whole->format, sizes);

	for (size_t i = 0; i < count; i++)
		unlinkat(directory, file_name(arena, whole, sizes[i]), 0);
}

/* Renames them to their final names, all or none. */
static enum media_rc
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

/* Removes files that still have temporary names, and closes the directory. */
static void
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

/* Removes temporary files left by a crash. */
static void
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

/* --- The store ----------------------------------------------------------------------------------- */

enum {
	TIMEOUT_MS = 12 * 1000,
	NAME_MAX_BYTES = 128, /* of a file's name, as stored */
};

/*
 * A picture may take half a gigabyte for a moment. Nobody has more than one in progress and one
 * waiting.
 */
static const struct limiter_bounds one_by_one = {
    .at_once = 1, .waiting = 6, .of_one = 2, .timeout_ms = 15 * 1000};

struct media_store {
	struct arena *arena; /* of what lives as long */
	char *directory, *program;
	size_t file_max;
	int64_t timeout_ms;
	struct limiter *limiter;
};

struct media_store *
media_store_new(const struct media_store_options *options)
{
	struct arena *arena = arena_new();
	struct media_store *store = ARENA_NEW(arena, struct media_store);

	*store = (struct media_store){.arena = arena,
	    .directory = str_cstring(arena, str_of(options->directory)),
	    .program =
		options->program != NULL ? str_cstring(arena, str_of(options->program)) : NULL,
	    .file_max = options->file_max,
	    .timeout_ms = options->timeout_ms != 0 ? options->timeout_ms : TIMEOUT_MS,
	    .limiter = limiter_new(&one_by_one)};
	return store;
}

unsigned
media_store_watch(struct media_store *store, const struct limiter_watcher *watcher)
{
	return limiter_watch(store->limiter, watcher);
}

void
media_store_prepare(struct media_store *store)
{
	media_files_directory(store->directory);
	media_files_sweep(store->directory);
}

void
media_store_free(struct media_store *store)
{
	if (store == NULL)
		return;
	limiter_free(store->limiter);
	arena_free(store->arena);
}

bool
media_store_ready(const struct media_store *store)
{
	return store != NULL && store->program != NULL && access(store->program, X_OK) == 0;
}

struct str
media_store_error(const struct media_store *store, struct arena *arena)
{
	if (access(store->directory, W_OK | X_OK) != 0)
		return str_fmt(arena, "%s: %s", store->directory, strerror(errno));
	if (!media_store_ready(store))
		return STR("broadsheet-image is not installed, so none can be uploaded");
	return STR("");
}

size_t
media_store_file_max(const struct media_store *store)
{
	return store->file_max;
}

static int
open_directory(const struct media_store *store)
{
	return open(store->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool
media_store_read(const struct media_store *store, struct arena *arena,
    const struct media_address *address, size_t most, struct str *out)
{
	const char *name = str_cstring(arena, media_file(arena, address));
	int directory = open_directory(store);
	int fd = directory < 0 ? -1 : openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	size_t size = 0;
	char *bytes;
	ssize_t got = 1;

	if (directory >= 0)
		close(directory);
	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (uintmax_t)status.st_size <= most)
		size = (size_t)status.st_size;
	bytes = arena_alloc(arena, size);
	*out = (struct str){bytes, 0};
	while (out->len < size && got > 0) {
		got = read(fd, bytes + out->len, size - out->len);
		if (got > 0)
			out->len += (size_t)got;
		else if (got < 0 && errno == EINTR)
			got = 1;
	}
	close(fd);
	return size != 0 && out->len == size;
}

/*
 * Waits until no other process is between a file and its item; closing the descriptor releases the
 * lock.
 */
static int
lock_directory(const struct media_store *store)
{
	int fd = open_directory(store);

	while (fd >= 0 && flock(fd, LOCK_EX) != 0)
		if (errno != EINTR) {
			close(fd);
			return -1;
		}
	return fd;
}

/* --- Adding a picture ------------------------------------------------------------------------- */

static enum media_rc
rc_of(enum image_verdict verdict)
{
	switch (verdict) {
	case IMAGE_GOOD: return MEDIA_DONE;
	case IMAGE_EMPTY: return MEDIA_EMPTY;
	case IMAGE_OTHER: return MEDIA_OTHER_TYPE;
	case IMAGE_ANIMATED: return MEDIA_ANIMATED;
	case IMAGE_LARGE: return MEDIA_TOO_MANY_PIXELS;
	case IMAGE_LABORIOUS: return MEDIA_TOO_MUCH_WORK;
	case IMAGE_DAMAGED: break;
	}
	return MEDIA_DAMAGED;
}

/* What it says of itself; of an SVG all of it, written anew. */
static enum media_rc
read_head(struct arena *arena, const struct media_upload *upload, struct image_head *head,
    struct str *drawing)
{
	struct buf clean = {.arena = arena};

	*drawing = STR("");
	if (!drawing_is(upload->bytes))
		return rc_of(image_head_read(upload->bytes, head));
	if (!upload->drawing)
		return MEDIA_DRAWING;
	*head = (struct image_head){.format = MEDIA_SVG, .orientation = 1};
	switch (drawing_clean(upload->bytes, &clean, &head->stored)) {
	case DRAWING_GOOD: *drawing = buf_str(&clean); return MEDIA_DONE;
	case DRAWING_LARGE: return MEDIA_DRAWING_LARGE;
	case DRAWING_BARE: return MEDIA_DRAWING_BARE;
	case DRAWING_ENTITIES: return MEDIA_DRAWING_ENTITIES;
	case DRAWING_DAMAGED: break;
	}
	return MEDIA_DAMAGED;
}

/* Writes and counts the item. MEDIA_DONE also if it exists: it is the same picture. */
static enum media_rc
note(struct table *table, struct table_call *call, struct media *media, int64_t most,
    enum table_rc *failed)
{
	struct plan plan = {.table = table, .call = call};

	plan_add(&plan, media_put(call->arena, media), PLAN_ALREADY);
	plan_add(
	    &plan, media_quota_change(call->arena, media->owner, media->bytes, most), PLAN_FULL);
	switch (plan_commit(&plan)) {
	case PLAN_DONE: break;
	case PLAN_ALREADY: media_from_item(call->arena, plan.found, media); break;
	case PLAN_FULL: return MEDIA_FULL;
	default: *failed = plan.failed; return MEDIA_TABLE;
	}
	*failed = TABLE_OK;
	return MEDIA_DONE;
}

/* Renames the files and writes the item. Under the lock. */
static enum media_rc
publish(struct media_files *files, struct table *table, struct table_call *call, int64_t most,
    struct media *media, enum table_rc *failed)
{
	enum media_rc rc = media_files_name(files);

	if (rc != MEDIA_DONE)
		return rc;
	media->bytes = files->bytes;
	/* Making the files took time; the item gets a deadline of its own. */
	call->deadline = 0;
	rc = note(table, call, media, most, failed);
	/* If the item may have been written, the files stay. */
	if (rc != MEDIA_DONE && !call->unsure)
		media_files_unlink(files->directory, files->arena, &files->address);
	return rc;
}

static enum media_rc
make_and_publish(struct media_store *store, struct media_files *files, struct table *table,
    struct table_call *call, const struct media_upload *upload, struct media *out,
    enum table_rc *failed)
{
	enum media_rc rc =
	    media_files_make(files, upload, store->program, store->timeout_ms, store->limiter);
	int lock;

	if (rc != MEDIA_DONE)
		return rc;
	*out = (struct media){.hash = files->address.hash,
	    .owner = upload->owner,
	    .name = str_shortened(upload->name, NAME_MAX_BYTES),
	    .format = files->address.format,
	    .width = files->address.size.width,
	    .height = files->address.size.height,
	    .created = upload->now,
	    .portrait = upload->portrait};
	lock = lock_directory(store);
	if (lock < 0)
		return media_system_failed();
	rc = publish(files, table, call, upload->most, out, failed);
	close(lock);
	return rc;
}

/*
 * In whose name it is a picture: a portrait has another name than the same file in a text, which is larger. No username
 * has a blank.
 */
static struct str
named_for(struct arena *arena, const struct media_upload *upload)
{
	return upload->portrait ? STR_CONCAT(arena, upload->owner, STR(" portrait")) : upload->owner;
}

/*
 * Does it exist (*item), perhaps under its older name without a key (*hash)? If not, has its owner
 * any quota left?
 */
static enum media_rc
look(struct table *table, struct table_call *call, const struct media_upload *upload,
    struct str *hash, struct item **item, enum table_rc *failed)
{
	struct str before = media_hash_before(call->arena, named_for(call->arena, upload), upload->bytes);
	struct read reads[3] = {{.kind = READ_GET, .key = key_media(call->arena, *hash)},
	    {.kind = READ_GET, .key = media_quota_key(call->arena, upload->owner)},
	    {.kind = READ_GET, .key = key_media(call->arena, before)}};
	struct media_quota quota;

	*failed = table_read(table, call, reads, 3);
	if (*failed != TABLE_OK)
		return MEDIA_TABLE;
	*item = reads[0].item;
	if (*item == NULL && reads[2].item != NULL) {
		*item = reads[2].item;
		*hash = before;
	}
	quota = media_quota_from_item(call->arena, reads[1].item);
	if (!quota.counted)
		*failed = media_quota_count(table, call, upload->owner, &quota);
	if (*failed != TABLE_OK)
		return MEDIA_TABLE;
	return *item == NULL && upload->most != 0 && quota.bytes >= upload->most ? MEDIA_FULL
										 : MEDIA_DONE;
}

enum media_rc
media_store_add(struct media_store *store, struct table *table, struct table_call *call,
    const struct media_upload *upload, struct media *out, enum table_rc *failed)
{
	struct media_files files;
	struct image_head head;
	struct item *item = NULL;
	struct str hash, drawing;
	enum media_rc rc;

	*failed = TABLE_OK;
	if (!media_store_ready(store))
		return MEDIA_BROKEN;
	if (upload->bytes.len > store->file_max)
		return MEDIA_TOO_LARGE;
	rc = read_head(call->arena, upload, &head, &drawing);
	if (rc != MEDIA_DONE)
		return rc;
	/* An SVG is named for what is kept of it, which may be less one day. */
	hash = media_hash(call->arena, upload->key, named_for(call->arena, upload),
	    drawing.len != 0 ? drawing : upload->bytes);
	/* One of several pictures: those before it took time. */
	call->deadline = 0;
	rc = look(table, call, upload, &hash, &item, failed);
	if (rc != MEDIA_DONE)
		return rc;
	media_files_plan(&files, call->arena, &head, hash, upload->portrait);
	files.drawing = drawing;
	files.directory = open_directory(store);
	if (files.directory < 0)
		return media_system_failed();
	if (item != NULL)
		media_from_item(call->arena, item, out);
	/* An item without files, as after a move to another machine, gets them again. */
	if (item == NULL || !media_files_here(&files))
		rc = make_and_publish(store, &files, table, call, upload, out, failed);
	media_files_end(&files);
	return rc;
}

/* --- Removing a picture ----------------------------------------------------------------------- */

/* The item, in a plan that has `away` for it; then the files. */
static enum table_rc
take_away(struct media_store *store, struct plan *plan, const struct media *media,
    struct write away, enum plan_rc refusal)
{
	const struct media_address address = media_address_of(media);
	struct arena *arena = plan->call->arena;
	int lock = lock_directory(store);
	enum plan_rc rc;

	/* Without the lock, the item and its files could diverge. */
	if (lock < 0)
		return TABLE_UNAVAILABLE;
	plan_add(plan, away, refusal);
	if (media_quota_has(media->owner))
		plan_add(
		    plan, media_quota_change(arena, media->owner, -media->bytes, 0), PLAN_CHANGED);
	rc = plan_commit(plan);
	if (rc == PLAN_DONE || rc == PLAN_NOT_THERE)
		media_files_unlink(lock, arena, &address);
	close(lock);
	return rc == PLAN_TABLE ? plan->failed : TABLE_OK;
}

enum table_rc
media_store_remove(struct media_store *store, struct plan *plan, const struct media *media)
{
	return take_away(store, plan, media, media_delete(plan->call->arena, media->hash),
	    PLAN_NOT_THERE);
}

/* --- Pictures that are swept ------------------------------------------------------------------ */

static bool
is_here(struct media_store *store, struct arena *arena, const struct media *media)
{
	const struct media_address address = media_address_of(media);
	int fd = open_directory(store);
	bool here = fd >= 0 && faccessat(fd, media_file(arena, &address).base, F_OK, 0) == 0;

	if (fd >= 0)
		close(fd);
	return here;
}

/* Does no post show it, nor the site, nor its owner as their portrait or cover? `reads` are answered: its uses, and its owner. */
static bool
is_unused(struct arena *arena, const struct media *media, const struct settings *settings,
    const struct read reads[2])
{
	struct user owner;

	if (settings_show(settings, media->hash))
		return false;
	if (reads[0].found_count != 0 || reads[1].item == NULL)
		return reads[0].found_count == 0;
	user_from_item(arena, reads[1].item, &owner);
	return !portrait_is(&owner, media->hash) && !cover_is(&owner, media->hash);
}

enum table_rc
media_store_clear(struct media_store *store, struct table *table, struct table_call *call,
    int64_t now, bool *more)
{
	struct arena *arena = call->arena;
	struct read left = media_left(arena, now);
	struct read reads[MEDIA_LEFT_AT_ONCE * 2 + 1], *site;
	struct media media[MEDIA_LEFT_AT_ONCE];
	struct settings settings;
	enum table_rc rc = table_read(table, call, &left, 1);

	*more = rc == TABLE_OK && left.found_count == MEDIA_LEFT_AT_ONCE;
	for (size_t i = 0; rc == TABLE_OK && i < left.found_count; i++) {
		media_from_item(arena, &left.found[i], &media[i]);
		reads[2 * i] = (struct read){
		    .kind = READ_QUERY, .query = query_media_uses(arena, media[i].hash)};
		reads[2 * i].query.limit = 1;
		reads[2 * i + 1] =
		    (struct read){.kind = READ_GET, .key = key_user(arena, media[i].owner)};
	}
	if (rc != TABLE_OK || left.found_count == 0)
		return rc;
	site = &reads[2 * left.found_count];
	*site = (struct read){.kind = READ_GET, .key = key_site_settings()};
	rc = table_read(table, call, reads, 2 * left.found_count + 1);
	if (rc == TABLE_OK)
		settings_from_item(arena, site->item, &settings);
	for (size_t i = 0; rc == TABLE_OK && i < left.found_count; i++) {
		struct write later = media_left_later(arena, &media[i], now);
		struct plan plan = {.table = table, .call = call, .now = now};

		if (is_unused(arena, &media[i], &settings, &reads[2 * i]) && is_here(store, arena, &media[i]))
			rc = take_away(store, &plan, &media[i],
			    media_sweep(arena, media[i].hash), PLAN_CHANGED);
		else
			rc = table_write(table, call, &later);
		/* Changed by somebody else meanwhile. */
		if (rc == TABLE_CONDITION)
			rc = TABLE_OK;
	}
	return rc;
}
