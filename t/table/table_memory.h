#ifndef T_TABLE_TABLE_MEMORY_H
#define T_TABLE_TABLE_MEMORY_H

#include "table/table.h"

/*
 * A table in memory, for tests: as simple as possible, so that one can see that it is right. It
 * keeps all memory until table_close(). One lock; thread-safe as far as the clock is.
 */
struct table *table_memory_open(struct clock *clock);

#endif
