#ifndef SERVER_FOLDER_H
#define SERVER_FOLDER_H

#include "base/str.h"

#include <stddef.h>

struct arena;

/* Folders and files as a whole, for commands. All results are in the arena. */

/* The whole of a file, `most` bytes at most; false with errno when it can't be read: EFBIG for a larger one. */
bool file_read(struct arena *arena, const char *path, size_t most, struct str *out);

/*
 * The same for a file of a folder that somebody else may have filled: a link, which could lead to any file of
 * whoever runs this, is not followed (ELOOP), and what is no file is not waited for (EINVAL).
 */
bool file_read_here(struct arena *arena, const char *path, size_t most, struct str *out);

/*
 * The names of the files in a folder that end so, sorted by bytes; hidden ones are left out. False with
 * errno when it can't be read.
 */
bool folder_list(
    struct arena *arena, const char *path, const char *suffix, const char ***names, size_t *count);

#endif
