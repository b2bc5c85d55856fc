#ifndef T_TABLE_TABLE_MEMORY_H
#define T_TABLE_TABLE_MEMORY_H

#include "table/table.h"

/*
 * A table in memory, for tests: as plain as can be, so that one can see that it is right. Everything
 * that it ever held stays until table_close(). One lock; safe for threads as far as the clock is.
 */
struct table *table_memory_open(struct clock *clock);

#endif
