#include "dynamo_local.h"

#include "base/arena.h"
#include "table/dynamo/dynamo.h"

#include "child.h"
#include "lib/paths.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_MS = 120 * 1000 };

static _Noreturn void
skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

void
dynamo_local_need(void)
{
	static const char *const words[] = {TOP_SRCDIR "/t/lib/dynamodb-local", NULL};
	struct child server;
	char url[128], key[64];

	/* A database of its own: the server has others, also those of processes that had the same number. */
	snprintf(key, sizeof(key), "local%dt%lld", getpid(), (long long)time(NULL));
	setenv("AWS_REGION", "eu-central-1", 0);
	setenv("AWS_ACCESS_KEY_ID", key, 0);
	setenv("AWS_SECRET_ACCESS_KEY", "local", 0);
	setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
	if (getenv("AWS_ENDPOINT_URL_DYNAMODB") != NULL)
		return;
	/* Its pipes stay open for as long as this process lives. */
	if (!child_start(&server, words) || !child_line(&server, url, sizeof(url)))
		skip("DynamoDB Local does not start here");
	setenv("AWS_ENDPOINT_URL_DYNAMODB", url, 1);
}

/* A connection to the server that the environment names; -1 when there is none. */
static int
dial(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	unsigned port;
	char host[64];
	int fd;

	if (sscanf(getenv("AWS_ENDPOINT_URL_DYNAMODB"), "http://%63[0-9.]:%u", host, &port) != 2 ||
	    inet_pton(AF_INET, host, &at.sin_addr) != 1)
		return -1;
	at.sin_port = htons((uint16_t)port);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
dynamo_local_keep_expired(const char *name)
{
	static const char done[] = "HTTP/1.1 200";
	char body[256], request[1024], answer[sizeof(done) - 1];
	int fd = dial();
	bool kept;

	if (fd < 0)
		return false;
	snprintf(body, sizeof(body),
	    "{\"TableName\":\"%s\",\"TimeToLiveSpecification\":"
	    "{\"AttributeName\":\"ExpiresAt\",\"Enabled\":false}}",
	    name);
	/* Any signature will do, but each key has tables of its own. */
	snprintf(request, sizeof(request),
	    "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
	    "Content-Type: application/x-amz-json-1.0\r\nContent-Length: %zu\r\n"
	    "X-Amz-Target: DynamoDB_20120810.UpdateTimeToLive\r\n"
	    "X-Amz-Date: 20260101T000000Z\r\n"
	    "Authorization: AWS4-HMAC-SHA256 Credential=%s/20260101/%s/dynamodb/aws4_request, "
	    "SignedHeaders=host, Signature=0\r\n\r\n%s",
	    strlen(body), getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_REGION"), body);
	kept = send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request) &&
	       recv(fd, answer, sizeof(answer), MSG_WAITALL) == (ssize_t)sizeof(answer) &&
	       memcmp(answer, done, sizeof(answer)) == 0;
	close(fd);
	return kept;
}

struct table *
dynamo_local_table(const char *name, struct clock *clock)
{
	struct arena *arena = arena_new();
	struct table_dynamo_made made;
	struct table *table = NULL;
	struct str why;

	table_dynamo_delete(str_of(name), clock, arena, &why);
	if (table_dynamo_create(str_of(name), clock, arena, &made, &why) != TABLE_OK ||
	    table_dynamo_open(str_of(name), clock, arena, &table, &why) != TABLE_OK)
		fprintf(stderr, "# %.*s\n", STR_ARGS(why));
	else if (!dynamo_local_keep_expired(name))
		fprintf(stderr, "# %s: DynamoDB Local goes on to delete what expires\n", name);
	arena_free(arena);
	return table;
}

/* A unique name: the server remembers the tokens of deleted tables. */
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
		table->deadline_ms = TIMEOUT_MS;
	return table;
}

struct harness
dynamo_harness(void)
{
	return (struct harness){
	    .name = "dynamodb", .open = open_new, .expires_by_clock = true, .has_version = true};
}
