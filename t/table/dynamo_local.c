#include "dynamo_local.h"

#include "base/arena.h"
#include "table/table_dynamo.h"

#include "child.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE_MS = 60 * 1000 };

static _Noreturn void
skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

void
dynamo_local_need(void)
{
	static const char *const words[] = {TOP_SRCDIR "/script/dynamodb-local", "--bound", NULL};
	struct child server;
	char url[128];

	setenv("AWS_REGION", "eu-central-1", 0);
	setenv("AWS_ACCESS_KEY_ID", "local", 0);
	setenv("AWS_SECRET_ACCESS_KEY", "local", 0);
	setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
	if (getenv("AWS_ENDPOINT_URL_DYNAMODB") != NULL)
		return;
	/* Its pipes stay open for as long as this process lives. */
	if (!child_start(&server, words) || !child_line(&server, url, sizeof(url)))
		skip("DynamoDB Local does not start here");
	setenv("AWS_ENDPOINT_URL_DYNAMODB", url, 1);
}

struct table *
dynamo_local_table(const char *name, struct clock *clock)
{
	struct arena *arena = arena_new();
	struct table *table = NULL;
	struct str why;

	table_dynamo_delete(str_of(name), clock, arena, &why);
	if (table_dynamo_create(str_of(name), clock, arena, &why) != TABLE_OK ||
	    table_dynamo_open(str_of(name), clock, arena, &table, &why) != TABLE_OK)
		fprintf(stderr, "# %.*s\n", STR_ARGS(why));
	arena_free(arena);
	return table;
}

/* A name for each: the server remembers the tokens of tables that are gone. */
static struct table *
open_new(void *context, struct clock *clock)
{
	static unsigned number;
	char name[32];
	struct table *table;

	(void)context;
	snprintf(name, sizeof(name), "conformance-%u", ++number);
	table = dynamo_local_table(name, clock);
	/* A busy machine is no failure: a test of deadlines sets its own. */
	if (table != NULL)
		table->deadline_ms = PATIENCE_MS;
	return table;
}

struct harness
dynamo_harness(void)
{
	return (struct harness){
	    .name = "dynamodb", .open = open_new, .expires_by_clock = true, .has_version = true};
}
