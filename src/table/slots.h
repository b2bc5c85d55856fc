#ifndef TABLE_SLOTS_H
#define TABLE_SLOTS_H

#include "table/table.h"

#include <stdatomic.h>

/*
 * Which part of the table has changed since when, for caches: what was made of a few reads stays valid while others write
 * elsewhere.
 *
 * Every item, every partition of the table and every partition of an index has a slot, found by a hash of its name. A slot
 * holds the version (table_version()) that the last write there has made, so one that two share only makes a cache look
 * again. A reader notes the slots of what it reads in a `struct read_set`, and the version from before the first read: all
 * of it is unchanged while none of the slots holds a later one.
 *
 * Who writes stamps the slots of the item before and after with the version that there will be, then commits, then calls
 * slots_count() and makes that the version, one writer at a time. So whoever knows the new version sees the stamps, and
 * stamps of a write that failed do no harm. A version that was made without slots_count(), by a program that knows no slots
 * or by one that died, may have changed anything: from then on to the next write no read set is valid, nor afterwards
 * one that began before it.
 */
enum { SLOTS = 65536 };

struct slots {
	_Atomic uint64_t counted; /* the last version that has its stamps */
	_Atomic uint64_t all;     /* the last one that may have changed anything */
	_Atomic uint64_t stamps[SLOTS];
};

/* --- For who writes, alone ------------------------------------------------------------------------- */

/* The item's key, its partition, and the partitions of the indexes it is in, before and after; NULL: there is none. */
void slots_stamp(
    struct slots *slots, uint64_t version, const struct item *old, const struct item *new);

/* Anything. */
void slots_stamp_all(struct slots *slots, uint64_t version);

/* All that makes this version is stamped, and it is the one after `version`. */
void slots_count(struct slots *slots, uint64_t version);

/* --- For who reads --------------------------------------------------------------------------------- */

/* Notes what a read depends on; `set` may be NULL. What does not fit makes it depend on everything. */
void read_set_note(struct read_set *set, const struct read *read);
void read_set_join(struct read_set *set, const struct read_set *other);

/*
 * Has nothing of it changed from the version `since` to `version`, which the caller has just asked for? `slots` may be
 * NULL: nobody knows.
 */
bool slots_unchanged(
    const struct slots *slots, const struct read_set *set, uint64_t since, uint64_t version);

#endif
