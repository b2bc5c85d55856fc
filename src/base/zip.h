#ifndef BASE_ZIP_H
#define BASE_ZIP_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * Writes a ZIP file (APPNOTE.TXT 6.3.3) at the end of a buffer: for each file a header and its bytes, then the directory of all
 * of them. Without ZIP64: up to 65,535 files and 4 GB in all. The same files at the same time are the same bytes.
 *
 *	struct zip zip;
 *	zip_begin(&zip, &out, time);
 *	zip_add(&zip, STR("mimetype"), STR("application/epub+zip"), false);
 *	zip_end(&zip);
 */
struct zip {
	struct buf *out;
	size_t begin;         /* where the file begins in the buffer */
	struct buf directory; /* in the buffer's arena */
	uint16_t count, date, time;
};

/* `ms`: when all files were changed, as the directory says, in UTC. */
void zip_begin(struct zip *zip, struct buf *out, int64_t ms);

/* A file; `name` is ASCII. Deflated, if that makes it smaller and is wanted. */
void zip_add(struct zip *zip, struct str name, struct str bytes, bool deflated);

void zip_end(struct zip *zip);

#endif
