#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include "table/table.h"
#include "virtual.h"

/*
 * A simulation of Amazon DynamoDB's limits, in front of a table that has none, in virtual time:
 *
 *  - A partition of the table or of an index serves 1,000 write units and 3,000 read units a second. It has what
 *    it has not used of the last second, and no more. A request that finds one empty is throttled.
 *  - A transaction costs its items twice, each index that it changes once (twice where the item goes from one
 *    partition to another), also when it is refused. A check costs as much as a write.
 *  - A transaction holds its items, checked ones included, for 10 ms, and is then acknowledged. One that meets an item
 *    that is held is cancelled (TransactionConflict).
 *  - A request takes 2 ms before it is served, a read 1 ms more.
 *
 * The engine's own retries are simulated as well, by the same rule (dynamo_pause_ms()).
 */
struct service;

/* In front of `inner`, which lasts longer. Its table's engine is `inner`'s for all that has no limits. */
struct service *service_new(struct virtual_time *time, struct table *inner, struct clock *clock);
void service_free(struct service *service);
struct table *service_table(struct service *service);

/* Without limits and in no time: to prepare something. */
void service_enforce(struct service *service, bool enforced);

/* What was refused since the last time this was asked, before retries; and where most of that was, in the service. */
struct service_report {
	uint64_t transactions, conflicts, throttled;
	struct str item;      /* that most transactions met while it was held */
	struct str partition; /* that throttled most */
	uint64_t item_conflicts, partition_throttled;
	struct str busiest; /* the partition of which most was written */
	double busiest_units; /* in all */
};
void service_report(struct service *service, struct service_report *out);

#endif
