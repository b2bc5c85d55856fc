#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How much memory the control groups leave to this process, version 1 or 2: who takes more is killed, without an error
 * that could be answered. Bytes; INT64_MAX where there is no limit.
 */
struct memory_bound {
	int64_t limit; /* the least of those that hold here */
	int64_t
	    free; /* until the first of them is reached; what the system can take back counts as free */
};

/* `root` stands before /proc and /sys: "", or a test's folder. */
struct memory_bound memory_bound(const char *root);

/* Can so many bytes more be used at this moment? A little has to be left for everybody else. */
bool memory_fits(size_t bytes);

#endif
