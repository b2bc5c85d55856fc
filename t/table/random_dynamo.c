/* Compared by dynamo_random.t: all three engines. */
#include "dynamo_local.h"
#include "random_engines.h"
#include "sqlite_harness.h"
#include "table_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct table *
open_memory(void *context, struct clock *clock)
{
	(void)context;
	return table_memory_open(clock);
}

/* A database of its own for each run: in one that has seen many changes, each further one takes the server longer. */
static struct table *
open_apart(void *context, struct clock *clock)
{
	static unsigned runs;
	char key[64];

	snprintf(key, sizeof(key), "random%dt%lldn%u", getpid(), (long long)time(NULL), ++runs);
	setenv("AWS_ACCESS_KEY_ID", key, 1);
	return dynamo_harness().open(context, clock);
}

struct random_engines
random_engines(void)
{
	static struct sqlite_place place;
	struct harness dynamo = dynamo_harness();

	dynamo.open = open_apart;
	dynamo_local_need();
	return (struct random_engines){
	    .harnesses = {{.name = "memory", .open = open_memory}, sqlite_harness(&place),
		dynamo},
	    .count = 3,
	    .timeless = true,
	};
}
