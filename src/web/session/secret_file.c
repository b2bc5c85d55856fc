#include "web/session/secret_file.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 8192 };

static const char head[] = "# The secret of a publication: it opens what lies sealed in the table. "
			   "Keep a copy of this file apart from\n"
			   "# the table's backups. Newest first; `broadsheet secret rotate` writes "
			   "it. See broadsheet(1).\n";

static enum secret_file_rc
failed(struct arena *arena, const char *path, struct str *why)
{
	*why = str_fmt(arena, "%s: %s", path, strerror(errno));
	return SECRET_FILE_WRONG;
}

/* --- Reading ---------------------------------------------------------------------------------------- */

/* One line; false when it is invalid. */
static bool
take_line(struct str line, struct secrets *out)
{
	struct str digits, word = str_cut(line, ' ', &digits);
	unsigned char key[SECRET_BYTES];
	bool next = str_eq(word, STR("next"));
	size_t len;

	digits = str_trim(digits);
	if ((!next && !str_eq(word, STR("key"))) || out->prepared ||
	    out->count >= (next ? SECRETS_MAX + 1 : SECRETS_MAX) ||
	    digits.len != 2 * SECRET_BYTES ||
	    sodium_hex2bin(key, sizeof(key), digits.base, digits.len, NULL, &len, NULL) != 0 ||
	    len != SECRET_BYTES)
		return false;
	memcpy(out->keys[out->count++], key, SECRET_BYTES);
	out->prepared = next;
	sodium_memzero(key, sizeof(key));
	return true;
}

static enum secret_file_rc
take(struct arena *arena, const char *path, struct str text, struct secrets *out, struct str *why)
{
	for (unsigned number = 1; text.len != 0; number++) {
		struct str line = str_trim(str_cut(text, '\n', &text));

		if (line.len == 0 || line.base[0] == '#' || take_line(line, out))
			continue;
		*why = str_fmt(arena,
		    "%s:%u: this should be \"key\" and 64 hexadecimal digits, up to %d such lines, "
		    "and at the end perhaps one with \"next\"",
		    path, number, (int)SECRETS_MAX);
		return SECRET_FILE_WRONG;
	}
	if (out->count > out->prepared)
		return SECRET_FILE_DONE;
	*why = str_fmt(arena, "%s: there is no key in it", path);
	return SECRET_FILE_WRONG;
}

enum secret_file_rc
secret_file_read(struct arena *arena, const char *path, struct secrets *out, struct str *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[FILE_MAX];
	enum secret_file_rc rc;
	ssize_t len;

	*out = (struct secrets){.count = 0};
	if (fd < 0 && errno == ENOENT)
		return SECRET_FILE_MISSING;
	if (fd < 0)
		return failed(arena, path, why);
	len = read(fd, text, sizeof(text));
	rc = len < 0 ? failed(arena, path, why)
		     : take(arena, path, (struct str){text, (size_t)len}, out, why);
	close(fd);
	sodium_memzero(text, sizeof(text));
	return rc;
}

/* --- Writing ---------------------------------------------------------------------------------------- */

static bool
write_keys(int fd, const struct secrets *secrets)
{
	char line[8 + 2 * SECRET_BYTES + 2];
	bool done = write(fd, head, sizeof(head) - 1) == (ssize_t)sizeof(head) - 1;

	for (size_t i = 0; i < secrets->count && done; i++) {
		bool next = secrets->prepared && i + 1 == secrets->count;
		size_t len = next ? 5 : 4;

		memcpy(line, next ? "next " : "key ", len);
		sodium_bin2hex(line + len, sizeof(line) - len, secrets->keys[i], SECRET_BYTES);
		len += 2 * SECRET_BYTES;
		line[len++] = '\n';
		done = write(fd, line, len) == (ssize_t)len;
	}
	sodium_memzero(line, sizeof(line));
	return done;
}

/* Whoever serves the site must be able to read it, whoever created it. */
static bool
give_away(int fd, const struct stat *like)
{
	return geteuid() != 0 || fchown(fd, like->st_uid, like->st_gid) == 0;
}

/* Writes a file next to it, complete and synced; its name in *name. */
static bool
write_beside(struct arena *arena, const char *path, const struct secrets *secrets, const char *like,
    char **name)
{
	struct stat about;
	bool done;
	int fd;

	*name = str_cstring(arena, str_fmt(arena, "%s.XXXXXX", path));
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0)
		return false;
	done = stat(like, &about) == 0 && write_keys(fd, secrets) && fchmod(fd, 0400) == 0 &&
	       give_away(fd, &about) && fsync(fd) == 0;
	close(fd);
	if (!done)
		unlink(*name);
	return done;
}

enum secret_file_rc
secret_file_create(
    struct arena *arena, const char *path, const struct secrets *secrets, struct str *why)
{
	char *name;
	enum secret_file_rc rc = SECRET_FILE_DONE;

	if (!write_beside(arena, path, secrets, path_folder(arena, path), &name))
		return failed(arena, path, why);
	if (link(name, path) != 0)
		rc = errno == EEXIST ? SECRET_FILE_MISSING : failed(arena, path, why);
	unlink(name);
	(void)path_folder_sync(arena, path);
	return rc;
}

enum secret_file_rc
secret_file_replace(
    struct arena *arena, const char *path, const struct secrets *secrets, struct str *why)
{
	enum secret_file_rc rc = SECRET_FILE_DONE;
	char *name;

	if (!write_beside(arena, path, secrets, path, &name))
		return failed(arena, path, why);
	if (rename(name, path) != 0) {
		rc = failed(arena, path, why);
		unlink(name);
	}
	(void)path_folder_sync(arena, path);
	return rc;
}

/* --- While the site runs ---------------------------------------------------------------------------- */

struct secret_watch {
	pthread_mutex_t mutex;
	struct secrets secrets;
	const struct log *log;
	char *path;
	struct clock clock;
	struct stat seen;
	int64_t looked; /* by the monotonic clock */
};

struct secret_watch *
secret_watch_new(const char *path, const struct secrets *secrets, const struct log *log)
{
	struct secret_watch *watch = calloc(1, sizeof(*watch));

	if (watch == NULL || (watch->path = strdup(path)) == NULL)
		out_of_memory();
	watch->clock = clock_system();
	watch->secrets = *secrets;
	watch->log = log;
	pthread_mutex_init(&watch->mutex, NULL);
	return watch;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void
look(struct secret_watch *watch)
{
	struct secrets found;
	struct arena *arena;
	struct str why;
	struct stat now;

	/* If the file is missing, or is just being replaced, the known keys stay. */
	if (stat(watch->path, &now) != 0 || is_same(&now, &watch->seen))
		return;
	watch->seen = now;
	arena = arena_new();
	switch (secret_file_read(arena, watch->path, &found, &why)) {
	case SECRET_FILE_DONE:
		if (found.count != watch->secrets.count ||
		    sodium_memcmp(found.keys, watch->secrets.keys, sizeof(found.keys)) != 0)
			log_line(watch->log, LOG_NOTICE,
			    "The secret has been read again: %s has %zu %s.", watch->path,
			    found.count, found.count == 1 ? "key" : "keys");
		watch->secrets = found;
		break;
	case SECRET_FILE_WRONG:
		log_line(watch->log, LOG_ERROR,
		    "The secret stays as it was when this process read it: %.*s", STR_ARGS(why));
		break;
	case SECRET_FILE_MISSING: break;
	}
	sodium_memzero(&found, sizeof(found));
	arena_free(arena);
}

void
secret_watch_get(struct secret_watch *watch, struct secrets *out)
{
	int64_t now;

	pthread_mutex_lock(&watch->mutex);
	now = clock_monotonic(&watch->clock);
	if (now - watch->looked >= SECRET_WATCH_MS || watch->looked == 0) {
		watch->looked = now;
		look(watch);
	}
	*out = watch->secrets;
	pthread_mutex_unlock(&watch->mutex);
}

void
secret_watch_free(struct secret_watch *watch)
{
	if (watch == NULL)
		return;
	sodium_memzero(&watch->secrets, sizeof(watch->secrets));
	pthread_mutex_destroy(&watch->mutex);
	free(watch->path);
	free(watch);
}
