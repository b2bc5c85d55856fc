#include "web/http/asset.h"

#include "base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HASH_BYTES = 16, SHOWN_BYTES = 8, FILE_MAX = 4 << 20 };

struct asset {
	struct str name, url, content;
};

struct assets {
	struct arena *arena;
	struct asset *assets;
	size_t count, capacity;
};

/* The whole file, in the scratch arena; false with errno when it can't be read. */
static bool
read_file(int fd, struct arena *scratch, struct str *out)
{
	struct stat st;
	char *base;
	size_t got = 0;

	if (fstat(fd, &st) != 0)
		return false;
	if (st.st_size > FILE_MAX) {
		errno = EFBIG;
		return false;
	}
	base = arena_alloc(scratch, (size_t)st.st_size);
	while (got < (size_t)st.st_size) {
		ssize_t n = read(fd, base + got, (size_t)st.st_size - got);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	*out = (struct str){base, got};
	return true;
}

/* "style.css" as "/static/style.<hash>.css" */
static struct str
address(struct arena *arena, struct str name, struct str content)
{
	unsigned char hash[HASH_BYTES];
	char hex[SHOWN_BYTES * 2 + 1];
	size_t dot = name.len;

	while (dot > 0 && name.base[dot - 1] != '.')
		dot--;
	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)content.base, content.len, NULL, 0);
	sodium_bin2hex(hex, sizeof(hex), hash, SHOWN_BYTES);
	return str_fmt(arena, "/static/%.*s%s.%.*s", STR_ARGS(str_sub(name, 0, dot)), hex,
	    STR_ARGS(str_sub(name, dot, name.len)));
}

static bool
add(struct assets *a, int directory, const char *name, struct arena *scratch)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	struct str content;
	struct stat st;
	bool good;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		close(fd);
		return true;
	}
	good = read_file(fd, scratch, &content);
	close(fd);
	if (!good)
		return false;
	if (a->count == a->capacity) {
		size_t more = a->capacity != 0 ? a->capacity * 2 : 16;

		a->assets = arena_grow(a->arena, a->assets, a->capacity * sizeof(*a->assets),
		    more * sizeof(*a->assets));
		a->capacity = more;
	}
	a->assets[a->count].name = str_dup(a->arena, str_of(name));
	a->assets[a->count].content = str_dup(a->arena, content);
	a->assets[a->count].url = address(a->arena, str_of(name), content);
	a->count++;
	return true;
}

struct assets *
assets_load(const char *directory, struct arena *arena, struct str *why)
{
	struct assets *a;
	struct dirent *entry;
	DIR *dir = opendir(directory);

	if (dir == NULL) {
		*why = str_fmt(arena, "%s: %s", directory, strerror(errno));
		return NULL;
	}
	a = calloc(1, sizeof(*a));
	if (a == NULL)
		out_of_memory();
	a->arena = arena_new();
	while ((entry = readdir(dir)) != NULL) {
		struct arena *scratch;
		bool good;

		if (entry->d_name[0] == '.')
			continue;
		scratch = arena_new();
		good = add(a, dirfd(dir), entry->d_name, scratch);
		arena_free(scratch);
		if (!good) {
			*why =
			    str_fmt(arena, "%s/%s: %s", directory, entry->d_name, strerror(errno));
			closedir(dir);
			assets_free(a);
			return NULL;
		}
	}
	closedir(dir);
	return a;
}

void
assets_free(struct assets *assets)
{
	if (assets == NULL)
		return;
	arena_free(assets->arena);
	free(assets);
}

struct str
asset_url(const struct assets *assets, struct str name)
{
	for (size_t i = 0; assets != NULL && i < assets->count; i++)
		if (str_eq(assets->assets[i].name, name))
			return assets->assets[i].url;
	return STR("/static/missing");
}

bool
asset_find(const struct assets *assets, struct str url, struct str *content)
{
	for (size_t i = 0; assets != NULL && i < assets->count; i++)
		if (str_eq(assets->assets[i].url, url)) {
			*content = assets->assets[i].content;
			return true;
		}
	return false;
}
