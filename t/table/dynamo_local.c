#include "dynamo_local.h"

#include "base/arena.h"
#include "table/table_dynamo.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void
skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

/* Runs the script with a pipe for its input, which closes when this process ends, however it does. */
static void
start(char *url, size_t size)
{
	int in[2], out[2];
	FILE *answer;

	if (pipe(in) != 0 || pipe(out) != 0)
		skip("no pipes");
	switch (fork()) {
	case -1: skip("no processes");
	case 0:
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		execl(TOP_SRCDIR "/script/dynamodb-local", "dynamodb-local", "--bound", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	/* in[1] stays open for as long as this process lives. */
	answer = fdopen(out[0], "r");
	if (answer == NULL || fgets(url, (int)size, answer) == NULL)
		skip("DynamoDB Local does not start here");
	fclose(answer);
	url[strcspn(url, "\n")] = '\0';
}

void
dynamo_local_need(void)
{
	char url[128];

	setenv("AWS_REGION", "eu-central-1", 0);
	setenv("AWS_ACCESS_KEY_ID", "local", 0);
	setenv("AWS_SECRET_ACCESS_KEY", "local", 0);
	setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
	if (getenv("AWS_ENDPOINT_URL_DYNAMODB") != NULL)
		return;
	start(url, sizeof(url));
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
		printf("# %.*s\n", STR_ARGS(why));
	arena_free(arena);
	return table;
}

static struct table *
open_new(void *context, struct clock *clock)
{
	(void)context;
	return dynamo_local_table("conformance", clock);
}

struct harness
dynamo_harness(void)
{
	return (struct harness){.name = "dynamodb", .open = open_new, .expires_by_clock = true};
}
