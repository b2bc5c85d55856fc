#ifndef T_WRITE_UNITS_H
#define T_WRITE_UNITS_H

#include "failing_table.h"

/*
 * Counts what is written as Amazon does: in a transaction each item twice, be it written or only
 * checked, and once for each index that has it, before or after; a kilobyte or a part of one is a
 * unit, of the larger of both. An index in which an item changes its place counts both. DynamoDB
 * Local counts otherwise.
 */
struct write_units {
	struct failing_table front; /* its table is what is tested gets */
	struct table_engine engine;
	int64_t units;
};

void write_units_begin(struct write_units *units, struct table *inner);

#endif
