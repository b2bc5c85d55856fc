#ifndef T_MODEL_WRITING_CASES_H
#define T_MODEL_WRITING_CASES_H

#include "../table/conformance.h"
#include "model/writing.h"

/* What every engine must make of writing; a main() hands its harness over. */
int writing_cases(const struct harness *harness);

/* A table with two people, two categories, and nothing written. */
struct desk_place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct writings w;
};

/*
 * Is the table whole? Walks all of it and says, on its own account and not by the program's: every head
 * in the indexes where docs/table.md wants it, with the items that follow from it and no others, and
 * every counter equal to what it counts. NULL, or what is wrong, in the arena.
 */
const char *table_flaw(struct arena *arena, struct table *table);

#endif
