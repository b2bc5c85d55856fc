#ifndef T_TABLE_CONFORMANCE_H
#define T_TABLE_CONFORMANCE_H

#include "base/clock.h"
#include "table/table.h"

/*
 * What every engine must do, tested only against the contract in table.h. An engine's test is a
 * main() that passes a harness: how to get an empty table, and what the contract leaves open.
 */
struct harness {
	const char *name;
	/* A new, empty table that reads this clock; the suite ends it with table_close(). NULL: failed. */
	struct table *(*open)(void *context, struct clock *clock);
	/* After the table was closed; may be NULL. */
	void (*closed)(void *context);
	void *context;
	bool
	    expires_by_clock; /* expiry for readers follows the table's clock: all engines of ours */
	bool stamps_by_clock;  /* the times in the stream do so too */
	bool forgets_by_clock; /* so does the life of a token */
	bool sweeps;           /* table_sweep() removes, rather than leaving it to the engine */
	bool holds;            /* table_hold() shows one moment */
	bool has_version;      /* table_version() works */
};

/* Runs the suite, prints TAP and its plan; what main() returns. */
int conformance(const struct harness *harness);

#endif
