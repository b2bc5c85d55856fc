#ifndef TABLE_DYNAMO_COMMAND_H
#define TABLE_DYNAMO_COMMAND_H

#include "base/str.h"

#include <sys/types.h>

enum { COMMAND_OUTPUT_MAX = 64 * 1024 };

/*
 * Runs a shell command, which ends with a NUL, and waits for its output; it is killed after this
 * many seconds. Its standard input is empty, its standard error is ours. Returns the number of
 * bytes in `out`; -1 if it can't be run, fails, prints more or takes too long.
 */
ssize_t dynamo_command_run(const char *command, int seconds, char out[COMMAND_OUTPUT_MAX]);

#endif
