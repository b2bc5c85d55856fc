/*
 * How much memory the control groups leave: of both versions, at every level, in containers, or
 * without any.
 */
#include "lib/tap.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/broadsheet-memory-XXXXXX";

/* Writes a file, with the folders above it. */
static void
put(const char *path, const char *text)
{
	char full[512];
	FILE *out;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		mkdir(full, 0700);
		*at = '/';
	}
	out = fopen(full, "w");
	if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0)
		bail_out("%s can't be written", full);
}

static void
is_bound(int64_t limit, int64_t left, const char *sentence)
{
	struct memory_bound bound = memory_bound(root);

	is_int(bound.limit, limit, "%s", sentence);
	is_int(bound.free, left, "... and so much is left");
}

int
main(void)
{
	char command[128];

	if (mkdtemp(root) == NULL)
		bail_out("no temporary folder");
	is_bound(INT64_MAX, INT64_MAX, "without control groups there is no limit");
	put("/proc/self/cgroup", "0::/system.slice/broadsheet.service\n");
	put("/sys/fs/cgroup/system.slice/broadsheet.service/memory.max", "max\n");
	put("/sys/fs/cgroup/system.slice/broadsheet.service/memory.current", "1000\n");
	is_bound(INT64_MAX, INT64_MAX, "\"max\" is none");
	put("/sys/fs/cgroup/system.slice/broadsheet.service/memory.max", "67108864\n");
	put("/sys/fs/cgroup/system.slice/broadsheet.service/memory.current", "60000000\n");
	put("/sys/fs/cgroup/system.slice/broadsheet.service/memory.stat",
	    "anon 20000000\ninactive_file 30000000\nactive_file 5000000\n");
	is_bound(67108864, 67108864 - 60000000 + 35000000,
	    "version 2 has the service's, and files can be taken back");
	put("/sys/fs/cgroup/system.slice/memory.max", "50000000\n");
	put("/sys/fs/cgroup/system.slice/memory.current", "49999000\n");
	is_bound(50000000, 1000, "that of the slice counts where it is less");
	put("/proc/self/cgroup", "5:cpu:/x\n4:memory:/docker/0123\n0::/\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "157286400\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "100000000\n");
	put("/sys/fs/cgroup/memory/memory.stat",
	    "inactive_file 7\ntotal_inactive_file 1000\ntotal_active_file 500\n");
	is_bound(157286400, 57286400 + 1500,
	    "in a container of version 1 the path leads nowhere, and the top is its own");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	is_bound(INT64_MAX, INT64_MAX, "no limit is a number there");
	snprintf(command, sizeof(command), "rm -r '%s'", root);
	if (system(command) != 0)
		bail_out("%s is left", root);
	return tap_done();
}
