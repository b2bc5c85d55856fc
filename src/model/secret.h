#ifndef MODEL_SECRET_H
#define MODEL_SECRET_H

#include "table/table.h"

enum { SECRET_BYTES = 32 };

/*
 * The site's secret, which seals cursors and forms. Made from the clock's randomness when the table has
 * none; when two processes start at once, one makes it and both get the same. *made, which may be NULL,
 * says whether it was this one. A secret of another form is TABLE_CORRUPT.
 */
enum table_rc secret_get(struct table *table, struct table_call *call, struct clock *clock,
    unsigned char secret[SECRET_BYTES], bool *made);

#endif
