#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, TEXT_BYTES = 16 * 1024, SPARE = 4 * 1024 * 1024 };

/* Version 1 has a little less than INT64_MAX for "no limit". */
static const int64_t NO_LIMIT = INT64_C(1) << 60;

/* The file names of each version of control groups. */
static const struct version {
	const char *folder, *limit, *used, *stat;
	const char *cached[2]; /* lines of stat: page cache, which the kernel can reclaim */
} versions[] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat",
	{"total_inactive_file", "total_active_file"}},
    {"/sys/fs/cgroup", "memory.max", "memory.current", "memory.stat",
	{"inactive_file", "active_file"}},
};

/* Reads a file, truncated at `size`; false when it can't be read. */
static bool
read_text(char *text, size_t size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, size - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* -1 when there is no number. */
static int64_t
read_number(const char *folder, const char *name)
{
	char path[PATH_BYTES + 64], text[64], *end;
	long long number;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!read_text(text, sizeof(text), path))
		return -1;
	number = strtoll(text, &end, 10);
	return end != text ? number : -1;
}

/* The number after that name at the start of a line, or 0. */
static int64_t
line_number(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (; text != NULL; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, name, len) == 0 && text[len] == ' ')
			return strtoll(text + len, NULL, 10);
	}
	return 0;
}

/* One control group. */
static void
look_at(const struct version *version, const char *folder, struct memory_bound *bound)
{
	int64_t limit = read_number(folder, version->limit);
	int64_t free = limit - read_number(folder, version->used);
	char path[PATH_BYTES + 64], stat[TEXT_BYTES];

	if (limit < 0 || limit >= NO_LIMIT)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, version->stat);
	if (read_text(stat, sizeof(stat), path))
		for (int i = 0; i < 2; i++)
			free += line_number(stat, version->cached[i]);
	if (limit < bound->limit)
		bound->limit = limit;
	if (free < bound->free)
		bound->free = free;
}

/*
 * The group and all its parents. In a container the path may not exist, and the topmost group is
 * the container's.
 */
static void
look_up(
    const char *root, const struct version *version, const char *group, struct memory_bound *bound)
{
	char folder[PATH_BYTES];
	size_t top = (size_t)snprintf(folder, sizeof(folder), "%s%s", root, version->folder);

	if (top + strlen(group) >= sizeof(folder))
		return;
	memcpy(folder + top, group, strlen(group) + 1);
	for (;;) {
		char *slash = strrchr(folder, '/');

		look_at(version, folder, bound);
		if (slash == NULL || slash < folder + top)
			return;
		*slash = '\0';
	}
}

struct memory_bound
memory_bound(const char *root)
{
	struct memory_bound bound = {INT64_MAX, INT64_MAX};
	char path[PATH_BYTES], text[TEXT_BYTES], *rest, *line;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	if (!read_text(text, sizeof(text), path))
		return bound;
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		/* "4:memory,cpu:/system.slice", or "0::/system.slice" of version 2. */
		char *controllers = strchr(line, ':');
		char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

		if (group == NULL)
			continue;
		*group++ = '\0';
		if (controllers[1] == '\0')
			look_up(root, &versions[1], group, &bound);
		else if (strstr(controllers, "memory") != NULL)
			look_up(root, &versions[0], group, &bound);
	}
	return bound;
}

bool
memory_fits(size_t bytes)
{
	/* Memory that is mapped and not touched costs nothing, but RLIMIT_AS counts it. */
	void *mapped =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapped == MAP_FAILED)
		return false;
	munmap(mapped, bytes);
	return memory_bound("").free >= (int64_t)bytes + SPARE;
}
