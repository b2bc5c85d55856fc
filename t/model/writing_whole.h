#ifndef T_MODEL_WRITING_WHOLE_H
#define T_MODEL_WRITING_WHOLE_H

#include "table/table.h"

/*
 * Is the table consistent? Walks all of it and checks, by rules of its own and not by the
 * program's: every head in the indexes where docs/table.md wants it, with the items that follow
 * from it and no others, and every counter equal to what it counts. NULL, or what is wrong, in the
 * arena.
 */
const char *table_error(struct arena *arena, struct table *table);

#endif
