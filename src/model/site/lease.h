#ifndef MODEL_SITE_LEASE_H
#define MODEL_SITE_LEASE_H

#include "table/table.h"

/*
 * A lease: one of several processes does some work, as long as it holds the lease of that work, an
 * item, which it renews in time. A process that dies loses it by the clock, and another takes it;
 * so does one that took it with a clock that was far ahead.
 *
 * A lease avoids duplicate work, but does not exclude it: a holder that was stopped for longer than
 * its lease may still believe that it has it. So work under a lease must be idempotent.
 */
struct lease {
	struct str work;   /* "sweep" */
	struct str holder; /* this process; random, so that no other has it */
	int64_t lasts;     /* milliseconds */
	int64_t until;     /* ours up to here; 0: not ours, as far as we know */
};

/*
 * Do we hold the lease now? Takes it if it is free or over, renews it when less than half of it is
 * left, and asks the table only for these two. TABLE_OK: *held is the answer. Otherwise it is
 * unknown, and the rest of the lease still counts.
 */
enum table_rc lease_keep(
    struct table *table, struct table_call *call, struct lease *lease, int64_t now, bool *held);

/* Gives it up, if it is ours, so that others need not wait. */
enum table_rc lease_give(struct table *table, struct table_call *call, struct lease *lease);

#endif
