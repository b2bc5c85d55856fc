#ifndef T_FAILING_TABLE_H
#define T_FAILING_TABLE_H

#include "table/table.h"

/*
 * An engine in front of another that fails when a test says so, and counts; or that makes a
 * concurrent write after the next read. Calls of table_hold() count as well, since an engine may
 * fail there.
 */
struct failing_table {
	struct table table; /* what is tested gets this */
	struct table *inner;
	enum table_rc rc; /* what a call fails with */
	unsigned fail_at; /* the n-th call from now; 0: none */
	bool for_good;    /* and all after it, as for a process that was killed there */
	unsigned calls, writes;
	size_t got; /* bytes of items that reads have brought */
	/* Written by somebody else after the next read, once; or after so many more. */
	const struct write *behind;
	unsigned behind_skips;
};

/* In front of `inner`, which the caller still owns. */
void failing_table_begin(struct failing_table *failing, struct table *inner);

/* From now on the n-th call fails, and no other; 0: none does. Counts start again. */
void failing_table_arm(struct failing_table *failing, unsigned n, enum table_rc rc);

#endif
