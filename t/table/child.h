#ifndef T_TABLE_CHILD_H
#define T_TABLE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A program that serves a test: it reads from a pipe and should end when that does, which happens when
 * the test ends, however it ends.
 */
struct child {
	pid_t pid;
	FILE *in, *out; /* what it reads, what it says */
};

/* Starts it; false when that is not possible. A program that can't be run says nothing. */
bool child_start(struct child *child, const char *const *words);

/* The next line that it says, without its end; false when there is none any more. */
bool child_line(struct child *child, char *line, size_t size);

/* Closes its input and waits for its end. */
void child_end(struct child *child);

#endif
