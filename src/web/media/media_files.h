#ifndef WEB_MEDIA_MEDIA_FILES_H
#define WEB_MEDIA_MEDIA_FILES_H

#include "web/media/image_head.h"
#include "web/media/media_store.h"

struct gate;

/* The files of one picture, from nothing to their names. For media_store.c. */
struct media_files {
	struct arena *arena;
	int directory; /* a descriptor of one's own, which media_files_end() closes; -1: not open */
	struct image_head head;
	struct media_address address; /* of the largest */

	struct media_size sizes[MEDIA_SIZES_MAX]; /* the largest first */
	struct str temporary[MEDIA_SIZES_MAX];    /* names; empty: none */
	int outs[MEDIA_SIZES_MAX];
	size_t count;
	int64_t bytes; /* of all, once they are made */
};

/* Which files there are to be of a picture with that head. Nothing is opened. */
void media_files_plan(
    struct media_files *f, struct arena *arena, const struct image_head *head, struct str hash);

/* Are they all there, under their names? */
bool media_files_here(struct media_files *f);

/* Makes them under temporary names, when it is its owner's turn at the gate, and brings them to the disk. */
enum media_rc media_files_make(struct media_files *f, const struct media_upload *upload,
    const char *program, int64_t patience_ms, struct gate *gate);

/* Gives them their names, all or none. */
enum media_rc media_files_name(struct media_files *f);

/* Ends it; files without a name of their own are removed. */
void media_files_end(struct media_files *f);

/* Removes the files of a picture; those that are not there do not matter. */
void media_files_unlink(int directory, struct arena *arena, const struct media_address *whole);

/* Makes the directory if it is not there. */
void media_files_directory(const char *path);

/* Removes temporary files that a crash has left. */
void media_files_sweep(const char *directory);

/* What became of what the system refused: errno as an answer. */
enum media_rc media_system_failed(void);

#endif
