/* Compared by random.t: the memory's table and the embedded one. */
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

	return (struct random_engines){
	    .harnesses = {{.name = "memory", .open = open_memory}, sqlite_harness(&place)},
	    .count = 2,
	};
}
