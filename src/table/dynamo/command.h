#ifndef TABLE_DYNAMO_COMMAND_H
#define TABLE_DYNAMO_COMMAND_H

#include "base/str.h"

#include <sys/types.h>

enum { COMMAND_OUTPUT_MAX = 64 * 1024 };

/*
 * Runs a command of the shell's, which ends with a NUL, and waits for what it prints; after so many seconds it is killed.
 * Its input is empty, its errors go where ours go. Gives the number of bytes in `out`; -1 when it can't be run, fails,
 * prints more or takes too long.
 */
ssize_t dynamo_command_run(const char *command, int seconds, char out[COMMAND_OUTPUT_MAX]);

#endif
