#ifndef TEXT_CSV_H
#define TEXT_CSV_H

#include "base/buf.h"

/*
 * Lines of comma-separated values (RFC 4180). Each value is quoted, as it may hold anything; one that a spreadsheet would
 * take for a formula gets an apostrophe before it.
 */
void csv_line(struct buf *out, const struct str *values, size_t count);

#endif
