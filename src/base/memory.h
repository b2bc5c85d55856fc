#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How much memory the control groups, version 1 or 2, leave to this process: one that uses more is
 * killed, without an error that could be handled. In bytes; INT64_MAX if there is no limit.
 */
struct memory_bound {
	int64_t limit; /* the least of those that hold here */
	int64_t free;  /* until the first limit is reached; reclaimable memory counts as free */
};

/* `root` is prepended to /proc and /sys: "", or a directory of a test. */
struct memory_bound memory_bound(const char *root);

/* Can this many more bytes be used now? Some memory must be left for other processes. */
bool memory_fits(size_t bytes);

#endif
