#ifndef CLI_POSTS_H
#define CLI_POSTS_H

#include "cli/command.h"
#include "text/post_file.h"

/*
 * `broadsheet export posts DIR` and `broadsheet import posts DIR`: posts as a folder of Markdown files, one
 * of each, with the pictures that they show in DIR/media. docs/posts.md describes the folder.
 */
enum outcome posts_export(struct invocation *in, struct table *table, const char *folder);
enum outcome posts_import(struct invocation *in, struct table *table, const char *folder);

/*
 * Copies the files of a picture, in all its sizes, from one media directory to another, where they are not
 * there. *copied is how many pictures of those names there are in `from`. False with errno.
 */
bool posts_copy_picture(
    struct arena *arena, const char *from, const char *to, struct str hash, size_t *copied);

#endif
