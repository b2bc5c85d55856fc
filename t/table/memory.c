/* The suite on the table in memory: the witness itself keeps the contract. */
#include "conformance.h"
#include "table_memory.h"

static struct table *
open_table(void *context, struct clock *clock)
{
	(void)context;
	return table_memory_open(clock);
}

int
main(void)
{
	const struct harness harness = {.name = "memory",
	    .open = open_table,
	    .expires_by_clock = true,
	    .stamps_by_clock = true,
	    .forgets_by_clock = true,
	    .sweeps = true,
	    .has_version = true};

	return conformance(&harness);
}
