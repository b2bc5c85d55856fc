#ifndef CLI_OUT_FILE_H
#define CLI_OUT_FILE_H

#include "base/str.h"

#include <stdio.h>

/*
 * A file that is written atomically: without a name, synced to disk, then renamed over an existing
 * one. However the program ends before, nothing is left. Only this user can read it.
 */
struct out_file {
	FILE *stream; /* write to this */
	const char *path;
	struct arena *arena;
	char *
	    temporary; /* its name meanwhile, where the file system has no nameless files; or NULL */
};

/* `path` must outlive it. False, with *why in the arena, when it can't be made. */
bool out_file_open(struct out_file *out, const char *path, struct arena *arena, struct str *why);

/* Completes it; false if some of it could not be written, and then nothing has changed. */
bool out_file_commit(struct out_file *out, struct str *why);

/* Ends it and leaves all as it was. */
void out_file_abandon(struct out_file *out);

#endif
