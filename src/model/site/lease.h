#ifndef MODEL_SITE_LEASE_H
#define MODEL_SITE_LEASE_H

#include "table/table.h"

/*
 * One of several processes does what only one should: it holds the lease of that work, an item, for a
 * while, and renews it in time. Who dies loses it by the clock, and another takes it; so does who took it by a clock
 * that was far ahead.
 *
 * A lease keeps work from being done twice, not harm from it: a holder that was stopped for longer than
 * its lease may still think itself one. So what is done under a lease must be harmless when done twice.
 */
struct lease {
	struct str work;   /* "sweep" */
	struct str holder; /* this process; by chance, so that no other has it */
	int64_t lasts;     /* milliseconds */
	int64_t until;     /* ours up to here; 0: not ours, as far as we know */
};

/*
 * Is the lease ours at this moment? Takes it when it is free or over, renews it when less than half of it
 * is left, and asks the table only for these two. TABLE_OK: *held says. Anything else: nobody knows, and
 * what is left of the lease still counts.
 */
enum table_rc lease_keep(
    struct table *table, struct table_call *call, struct lease *lease, int64_t now, bool *held);

/* Gives it up, if it is ours, so that others need not wait. */
enum table_rc lease_give(struct table *table, struct table_call *call, struct lease *lease);

#endif
