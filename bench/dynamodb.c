/*
 * What a request to DynamoDB costs this program, beside Amazon's own client for JavaScript in the same run.
 *
 *     make bench/dynamodb && bench/dynamodb [--rounds N] [--requests N] [--alone KIND]
 *
 * Both speak to one DynamoDB Local (script/dynamodb-local, started here unless AWS_ENDPOINT_URL_DYNAMODB names
 * one), ask for the same items of a kilobyte, and take turns, round by round; the median of the rounds
 * counts. What counts is the CPU time of the whole process, user and system, of all its threads, a request:
 * signing, sending, waiting, checking, parsing. The server's own time is not in it, and neither is the
 * time passed, which is the server's doing. Threads of ours are promises on the other side; they are there before
 * the measurement begins, as a worker's are before a request.
 *
 * With --alone only our side is measured, with one kind of request: for a profiler.
 *
 * bench/dynamodb.js is the other side; script/bootstrap --tests fetches what it needs.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "table/dynamo/dynamo.h"

#include "table/child.h"
#include "table/dynamo_local.h"
#include "lib/paths.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define TABLE "bench"

enum { ITEMS = 400, QUERY_LIMIT = 20, THREADS_MAX = 64, ROUNDS_MAX = 99, KINDS = 3, WIDTHS = 3 };

static const char *const kinds[KINDS] = {"get", "query", "transact"};
static const char *const labels[KINDS] = {"get", "query of 20", "transact of 3"};
static const int share[KINDS] = {1, 2, 4}; /* what costs more is asked less often */
static const int widths[WIDTHS] = {1, 16, 64};

struct bench {
	struct table *table;
	struct clock clock;
	struct child sdk;
	int rounds, requests;
	const char *alone; /* NULL: all kinds, and both sides */
};

/* One measurement of ours: so many requests by so many threads. */
struct run {
	struct bench *bench;
	int kind;
	atomic_int left;
	atomic_uint failed, number;
	pthread_barrier_t together; /* when all are there, at the start, at the end, and to go */
};

static _Noreturn void
die(const char *what, const char *why)
{
	fprintf(stderr, "bench/dynamodb: %s: %s\n", what, why);
	exit(1);
}

/* --- Ours ------------------------------------------------------------------------------------------- */

static struct str
sort_key(struct arena *arena, unsigned n)
{
	return str_fmt(arena, "post-%04u", n % ITEMS);
}

/* Without printf, which would be a part of what is measured. */
static struct str
count_key(struct arena *arena, unsigned n, unsigned i)
{
	struct buf key = {.arena = arena};

	buf_int(&key, n);
	BUF_PUT(&key, "-");
	buf_int(&key, i);
	return buf_str(&key);
}

/* A post's head: a dozen attributes, about a kilobyte. */
static struct item
head_item(struct arena *arena, unsigned n)
{
	static const char *const names[] = {"Title", "Excerpt", "Author", "AuthorName", "Category",
	    "Slug", "Kind", "Status", "Visibility", "PublishedAt"};
	struct item item = {.count = 0};
	struct buf text = {.arena = arena};

	while (text.len < 700)
		buf_fmt(&text, "%u words of an excerpt, ", n);
	item_set(arena, &item, STR("PK"), value_string(STR("BENCH")));
	item_set(arena, &item, STR("SK"), value_string(sort_key(arena, n)));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		item_set(arena, &item, str_of(names[i]),
		    value_string(i == 1 ? buf_str(&text) : str_of(names[i])));
	item_set(arena, &item, STR("Likes"), value_number(n));
	return item;
}

static enum table_rc
ask(struct run *run, struct table_call *call, unsigned n)
{
	struct arena *arena = call->arena;
	struct table *table = run->bench->table;
	struct query query = {.partition = STR("BENCH"), .limit = QUERY_LIMIT};
	struct change more = {.op = CHANGE_SET, .name = STR("Likes"), .value = value_number(n)};
	struct write writes[3];
	struct item *found;
	size_t count;

	call->deadline = clock_monotonic(&run->bench->clock) + 20000;
	if (run->kind == 0)
		return table_get(
		    table, call, (struct key){STR("BENCH"), sort_key(arena, n)}, &found);
	if (run->kind == 1)
		return table_query(table, call, &query, &found, &count, &query.cursor);
	for (unsigned i = 0; i < 3; i++)
		writes[i] = (struct write){.kind = WRITE_UPDATE,
		    .key = {STR("COUNT"), count_key(arena, n, i)},
		    .changes = &more,
		    .change_count = 1};
	return table_transact(table, call, writes, 3, STR(""));
}

static void *
work(void *data)
{
	struct run *run = data;
	struct arena *arena = arena_new();

	pthread_barrier_wait(&run->together);
	pthread_barrier_wait(&run->together);
	while (run->left-- > 0) {
		struct table_call call = {.arena = arena};

		run->failed += ask(run, &call, run->number++) != TABLE_OK;
		table_release(run->bench->table, &call);
		arena_reset(arena);
	}
	pthread_barrier_wait(&run->together);
	pthread_barrier_wait(&run->together);
	arena_free(arena);
	return NULL;
}

static int64_t
cpu_micros(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * INT64_C(1000000) +
	       used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static double
measure_ours(struct bench *bench, int kind, int threads, int requests)
{
	struct run run = {.bench = bench, .kind = kind, .left = requests};
	pthread_t ids[THREADS_MAX];
	int64_t before, used;

	pthread_barrier_init(&run.together, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, work, &run) != 0)
			die("pthread_create", "no thread");
	/* What it takes to begin and to end a thread is no request's. */
	pthread_barrier_wait(&run.together);
	before = cpu_micros();
	pthread_barrier_wait(&run.together);
	pthread_barrier_wait(&run.together);
	used = cpu_micros() - before;
	pthread_barrier_wait(&run.together);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	pthread_barrier_destroy(&run.together);
	if (run.failed != 0)
		die(kinds[kind], "some requests failed");
	return (double)used / requests;
}

/* --- The other side ------------------------------------------------------------------------------------ */

static double
measure_sdk(struct bench *bench, int kind, int width, int requests)
{
	char line[100];

	if (bench->alone != NULL)
		return 0;
	fprintf(bench->sdk.in, "%s %d %d\n", kinds[kind], width, requests);
	fflush(bench->sdk.in);
	if (!child_line(&bench->sdk, line, sizeof(line)))
		die("bench/dynamodb.js", "it ended");
	return atof(line);
}

/* --- All of it ----------------------------------------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return values[count / 2];
}

static void
fill(struct bench *bench)
{
	struct arena *arena = arena_new();

	for (unsigned n = 0; n < ITEMS; n++) {
		struct table_call call = {.arena = arena};

		if (table_put(bench->table, &call, head_item(arena, n)) != TABLE_OK)
			die("put", call.why);
		arena_reset(arena);
	}
	arena_free(arena);
}

static void
run(struct bench *bench)
{
	printf("CPU microseconds a request, median of %d rounds\n\n", bench->rounds);
	printf("%-14s %8s %10s %10s %12s %14s\n", "", "at once", "ours", "SDK", "ours / SDK",
	    "ours / 1 thread");
	for (int kind = 0; kind < KINDS; kind++) {
		double alone = 0;

		if (bench->alone != NULL && strcmp(bench->alone, kinds[kind]) != 0)
			continue;
		for (int w = 0; w < WIDTHS; w++) {
			double ours[ROUNDS_MAX], sdk[ROUNDS_MAX];
			int requests = bench->requests / share[kind];
			double a, b;

			for (int round = 0; round < bench->rounds; round++) {
				ours[round] = measure_ours(bench, kind, widths[w], requests);
				sdk[round] = measure_sdk(bench, kind, widths[w], requests);
			}
			a = median(ours, bench->rounds);
			b = median(sdk, bench->rounds);
			alone = w == 0 ? a : alone;
			printf("%-14s %8d %10.0f %10.0f %12.3f %14.2f\n", labels[kind], widths[w],
			    a, b, a / b, a / alone);
			fflush(stdout);
		}
	}
}

int
main(int argc, char **argv)
{
	struct bench bench = {.clock = clock_system(), .rounds = 5, .requests = 2000};

	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--rounds") == 0)
			bench.rounds = atoi(argv[i + 1]);
		if (strcmp(argv[i], "--requests") == 0)
			bench.requests = atoi(argv[i + 1]);
		if (strcmp(argv[i], "--alone") == 0)
			bench.alone = argv[i + 1];
	}
	if (bench.rounds < 1 || bench.rounds > ROUNDS_MAX || bench.requests < 100)
		die("options", "--rounds from 1 to 99, --requests from 100");
	dynamo_local_need();
	bench.table = dynamo_local_table(TABLE, &bench.clock);
	if (bench.table == NULL)
		die("the table", "it can't be made");
	fill(&bench);
	if (bench.alone == NULL &&
	    !child_start(&bench.sdk,
		(const char *const[]){"node", TOP_SRCDIR "/bench/dynamodb.js", TABLE, NULL}))
		die("bench/dynamodb.js", "node can't be started");
	/* Both sides warm up: connections, and the other one's compiler. */
	for (int kind = 0; kind < KINDS; kind++) {
		measure_ours(&bench, kind, THREADS_MAX, bench.requests / 4);
		measure_sdk(&bench, kind, THREADS_MAX, bench.requests);
	}
	run(&bench);
	if (bench.alone == NULL)
		child_end(&bench.sdk);
	table_close(bench.table);
	return 0;
}
