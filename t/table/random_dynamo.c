/* Compared by dynamo_random.t: all three engines. */
#include "dynamo_local.h"
#include "random_engines.h"
#include "sqlite_harness.h"
#include "table_memory.h"

static struct table *
open_memory(void *context, struct clock *clock)
{
	(void)context;
	return table_memory_open(clock);
}

struct random_engines
random_engines(void)
{
	static struct sqlite_place place;

	dynamo_local_need();
	return (struct random_engines){
	    .harnesses = {{.name = "memory", .open = open_memory}, sqlite_harness(&place),
		dynamo_harness()},
	    .count = 3,
	    .timeless = true,
	    .operations = 20000,
	    .once = true,
	};
}
