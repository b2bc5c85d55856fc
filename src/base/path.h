#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

struct arena;

/* The folder of a path, ending in NUL, in the arena: "a/b" of "a/b/c", "/" of "/c", "." of "c". */
char *path_folder(struct arena *arena, const char *path);

/* Syncs that folder to the disk, after a file in it was created or renamed. False with errno. */
bool path_folder_sync(struct arena *arena, const char *path);

#endif
