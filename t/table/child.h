#ifndef T_TABLE_CHILD_H
#define T_TABLE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A server for a test: it reads from a pipe and should end when that is closed, which happens when
 * the test ends, however it ends.
 */
struct child {
	pid_t pid;
	FILE *in, *out; /* its input, its output */
};

/* Starts it; false when that is not possible. A program that can't be run says nothing. */
bool child_start(struct child *child, const char *const *words);

/* Its next line of output, without the line end; false at the end. */
bool child_line(struct child *child, char *line, size_t size);

/* Closes its input and waits for its end. */
void child_end(struct child *child);

#endif
