/* TLS to DynamoDB: an untrusted certificate, and one of another name, are refused. */
#include "lib/tap.h"

#include "base/arena.h"
#include "child.h"
#include "dynamo_local.h"
#include "table/dynamo/dynamo.h"
#include "lib/paths.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* An authority, and two servers that it vouches for: this one, and one of another name. */
static const char certificates[] =
    "set -e; cd \"$0\"; exec 2>openssl.log; "
    "key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'; "
    "openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=authority; "
    "openssl req -x509 $key -keyout x.key -out other.pem -days 2 -subj /CN=stranger; "
    "for name in localhost elsewhere; do "
    "openssl req $key -keyout $name.key -out $name.csr -subj /CN=$name; "
    "echo subjectAltName=DNS:$name >$name.ext; "
    "openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 "
    "-extfile $name.ext -out $name.pem; done; echo done";

static const struct {
	const char *sentence;
	const char *server; /* whose certificate it shows */
	const char *bundle; /* what the client trusts */
	enum table_rc rc;
} cases[] = {
    {"a trusted certificate of the right name", "localhost", "ca.pem", TABLE_OK},
    {"a certificate of another authority", "localhost", "other.pem", TABLE_UNAVAILABLE},
    {"a certificate of another name", "elsewhere", "ca.pem", TABLE_UNAVAILABLE},
};

static unsigned
sockets(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		struct stat st;

		count += fstat(atoi(entry->d_name), &st) == 0 && S_ISSOCK(st.st_mode);
	}
	closedir(folder);
	return count;
}

/* In a thread that does a handshake, and ends: it leaks nothing that the sanitizer would see. */
static void *
open_elsewhere(void *clock)
{
	struct arena *arena = arena_new();
	struct table *table;
	struct str why;

	is_int(table_dynamo_open(STR("tls"), clock, arena, &table, &why), TABLE_OK,
	    "and another thread opens it");
	table_close(table);
	arena_free(arena);
	return NULL;
}

static void
try_case(const char *upstream, const char *folder, size_t i, unsigned before, struct clock *clock)
{
	struct arena *arena = arena_new();
	char *key = str_cstring(arena, str_fmt(arena, "%s/%s.key", folder, cases[i].server));
	char *pem = str_cstring(arena, str_fmt(arena, "%s/%s.pem", folder, cases[i].server));
	struct child server;
	struct table *table;
	struct str why = STR("");
	pthread_t thread;
	char port[16];

	if (!child_start(&server, (const char *const[]){"node", TOP_SRCDIR "/t/fault/dynamodb.js",
				      upstream, key, pem, NULL}) ||
	    !child_line(&server, port, sizeof(port)))
		bail_out("the server with TLS does not start");
	setenv("AWS_ENDPOINT_URL_DYNAMODB", str_fmt(arena, "https://localhost:%s", port).base, 1);
	setenv("AWS_CA_BUNDLE", str_fmt(arena, "%s/%s", folder, cases[i].bundle).base, 1);
	is_int(table_dynamo_open(STR("tls"), clock, arena, &table, &why), cases[i].rc, "%s",
	    cases[i].sentence);
	ok((table != NULL) == (cases[i].rc == TABLE_OK), "and %s",
	    cases[i].rc == TABLE_OK ? "the table is open" : "there is no table");
	ok(cases[i].rc == TABLE_OK || strstr(why.base, "TLS") != NULL, "the reason: %.*s",
	    STR_ARGS(why));
	ok(cases[i].rc == TABLE_OK || sockets() > before,
	    "which is told while the library still holds the connection back");
	if (table != NULL && pthread_create(&thread, NULL, open_elsewhere, clock) == 0)
		pthread_join(thread, NULL);
	table_close(table);
	child_end(&server);
	arena_free(arena);
}

int
main(void)
{
	struct clock clock = clock_system();
	char folder[] = "/tmp/broadsheet-tls-XXXXXX", line[64], upstream[64];
	struct child openssl;
	unsigned before;

	dynamo_local_need();
	snprintf(upstream, sizeof(upstream), "%s", getenv("AWS_ENDPOINT_URL_DYNAMODB"));
	table_close(dynamo_local_table("tls", &clock));
	if (mkdtemp(folder) == NULL ||
	    !child_start(&openssl, (const char *const[]){"sh", "-c", certificates, folder, NULL}) ||
	    !child_line(&openssl, line, sizeof(line)) || access(TOP_SRCDIR "/t/fault", R_OK) != 0) {
		printf("1..0 # SKIP no certificates can be made without openssl\n");
		return 0;
	}
	child_end(&openssl);
	before = sockets();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		try_case(upstream, folder, i, before, &clock);
	if (child_start(&openssl, (const char *const[]){"rm", "-rf", folder, NULL}))
		child_end(&openssl);
	return tap_done();
}
