#ifndef T_TABLE_POWER_CUT_H
#define T_TABLE_POWER_CUT_H

#include <stdbool.h>

/*
 * A disk whose power is cut: of the file of a table and of its log it knows what was synced, of which nothing is lost, while of
 * what was written since then any part may be. It takes fsync() and fdatasync() from the program, and syncs nothing
 * itself. For one table at a time; from many threads.
 */

/* From now on, with all that the table's file and its log contain now. */
void power_watch(const char *path);

/*
 * Leaves at this path, and beside it, what a power cut at this moment might have left: no more than was synced, or all, or of
 * what was not some blocks. True: something was lost.
 */
bool power_cut(const char *to);

#endif
