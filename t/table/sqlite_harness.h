#ifndef T_TABLE_SQLITE_HARNESS_H
#define T_TABLE_SQLITE_HARNESS_H

#include "conformance.h"

/* The embedded engine in a file of a folder of its own, which `closed` removes. For one thread. */
struct sqlite_place {
	char folder[64];
	char path[96];
};

struct harness sqlite_harness(struct sqlite_place *place);

/* A new folder in $TMPDIR, /dev/shm or /tmp; the file is not created yet. Bails out on failure. */
void sqlite_place_make(struct sqlite_place *place);

/* Removes the folder and what is in it. */
void sqlite_place_remove(struct sqlite_place *place);

/* Opens the table in the place, made if need be. Says why and returns NULL when that fails. */
struct table *sqlite_place_open(struct sqlite_place *place, struct clock *clock);

#endif
