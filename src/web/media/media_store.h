#ifndef WEB_MEDIA_MEDIA_STORE_H
#define WEB_MEDIA_MEDIA_STORE_H

#include "model/post/media.h"
#include "model/plan.h"
#include "table/table.h"

/*
 * Where uploaded pictures are: a directory of files that nginx serves, and an item in the table for each
 * picture. For all threads, and for all processes on one machine.
 *
 * Files are made under temporary names, reach the disk, get their names, and then the item is written: it
 * never lacks a file. Deleting goes the other way. A lock on the directory keeps one from coming between
 * the two steps of another. What a crash leaves are files without an item, which harm nobody.
 */
struct media_store;

struct limiter_watcher;

struct media_store_options {
	const char *directory;
	const char *program; /* broadsheet-image; NULL or missing: no pictures are taken */
	size_t file_max;     /* bytes of one upload */
	int64_t timeout_ms;  /* for one picture; 0: 12 seconds */
};

/* Both strings are copied. media_store_free() ends it. */
struct media_store *media_store_new(const struct media_store_options *options);
void media_store_free(struct media_store *store);

/* As limiter_watch(), of the limiter before the pictures. */
unsigned media_store_watch(struct media_store *store, const struct limiter_watcher *watcher);

/* Makes the directory if it is not there, and removes what a crash has left half made. */
void media_store_prepare(struct media_store *store);

/* Can pictures be taken here at all? The program that makes them smaller may not be installed. */
bool media_store_ready(const struct media_store *store);

/* What keeps it from taking pictures: a phrase for whoever runs the site, in the arena; empty: nothing. */
struct str media_store_error(const struct media_store *store, struct arena *arena);

/* The largest upload, in bytes. */
size_t media_store_file_max(const struct media_store *store);

enum media_rc {
	MEDIA_DONE,
	MEDIA_EMPTY,
	MEDIA_TOO_LARGE,
	MEDIA_OTHER_TYPE,
	MEDIA_ANIMATED,
	MEDIA_TOO_MANY_PIXELS,
	MEDIA_DAMAGED,
	MEDIA_TOO_MUCH_WORK, /* it would take, or has taken, more than any picture needs */
	MEDIA_FULL,          /* its owner has as much as one person may have */
	MEDIA_NO_ROOM,       /* the disk is full */
	MEDIA_DRAWING,       /* an SVG where none is taken */
	MEDIA_DRAWING_LARGE, /* an SVG: see web/media/drawing.h */
	MEDIA_DRAWING_BARE,
	MEDIA_DRAWING_ENTITIES,
	MEDIA_BUSY, /* too many others, or two of its owner, are being made smaller: in a moment */
	MEDIA_TOO_OFTEN, /* nobody sends so many in so short a time: said by who hands it over */
	MEDIA_BROKEN,    /* the directory or the program is not as it should be */
	MEDIA_TABLE,     /* the table failed: *failed says how */
};

struct media_upload {
	struct str owner, name, bytes;
	const unsigned char *key; /* media_key_get()'s */
	int64_t now;
	bool portrait;            /* it is to be their portrait: small, and swept when it is not */
	bool drawing;             /* it may be an SVG */
	int64_t
	    most; /* bytes that all that its owner has may take, this one included; 0: any number */
	int64_t *
	    work_ms; /* gets how long it was worked on; NULL: nobody asks. Stays as it is where nothing was done. */
};

/*
 * Takes a picture: makes its files and its item. *out is the item's, in the call's arena; the same picture
 * again is the same item. Nothing is left of what does not become one.
 */
enum media_rc media_store_add(struct media_store *store, struct table *table,
    struct table_call *call, const struct media_upload *upload, struct media *out,
    enum table_rc *failed);

/* The bytes of a picture's file, in the arena. False: it is not here, or has more than `most`. */
bool media_store_read(const struct media_store *store, struct arena *arena,
    const struct media_address *address, size_t most, struct str *out);

/*
 * Takes the item away, then its files. TABLE_OK also when it was gone already. It goes with what the plan
 * holds already, as a line in the log of the staff.
 */
enum table_rc media_store_remove(
    struct media_store *store, struct plan *plan, const struct media *media);

/*
 * One round among the pictures that are swept (model/post/media.h): those that neither a post nor their owner shows go.
 * *more: there may be others for which it is time. A picture whose files are not here is left to the machine that has them.
 */
enum table_rc media_store_clear(struct media_store *store, struct table *table,
    struct table_call *call, int64_t now, bool *more);

#endif
