/*
 * What the embedded table costs, beside plain SQLite on the same file in the same run, at two sizes.
 *
 *     make bench/table && bench/table [--items FEW,MANY] [--dir DIR] [--writers N] [--saves explained]
 *
 * Reads are measured in CPU time of the thread, in rounds that alternate between the sides and the sizes,
 * and the median of the rounds counts: other loads on the machine then fall on all. There are three sides,
 * all with prepared statements, caches of one size and the file mapped as far as they can, drawing keys with the skew of a site's readers (nine of ten look at one
 * of the newest thousand posts, the tenth at any), each its own, so that none finds what another has just
 * warmed:
 *
 *	ours	the table: every attribute of every item at hand, typed, in the arena
 *	plain	the same with SQLite alone: a column for each attribute, an index for each query, every
 *		column of every row read and copied into the arena
 *	bytes	the least that is possible: our own rows' bytes copied out and left undecoded
 *
 * Durable writes are measured in time passed, because waiting for the disk is what they do, in rounds too.
 * FEW 0 leaves the reads out. What a save of a post writes is counted, too: see table_saves.c.
 */
#include "table.h"
#include "table/sqlite/sqlite_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 21,
	PER_ROUND = 400,
	NEWEST = 1000,
	WARM_STEP = 16, /* fewer posts than a page holds */
	WRITES = 200,   /* of each writer in a round */
};

static const char *const kind_names[KINDS] = {"get", "query 20, table", "query 20, GSI1",
    "query 20, GSI2", "query 20, GSI3", "query 20, GSI4", "page: 3 gets and 20"};

static double
cpu_micros(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

void
die(const char *what, const char *why)
{
	fprintf(stderr, "bench/table: %s: %s\n", what, why != NULL ? why : "failed");
	exit(1);
}

void
remove_files(const char *path)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-lock"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
}

/* Posts, one in forty with its comments, until there are so many items. */
static void
fill(struct bench *b, int64_t items)
{
	struct write writes[TABLE_BATCH_MAX];
	struct arena *a = arena_new();
	int64_t made = 0;

	while (made < items) {
		struct table_call call = {
		    .arena = a, .deadline = clock_monotonic(&b->clock) + 60000};
		size_t count = 0;

		arena_reset(a);
		while (count + 1 + COMMENTS <= TABLE_BATCH_MAX && made + (int64_t)count < items) {
			writes[count++] =
			    (struct write){.kind = WRITE_PUT, .item = head(a, b->posts, items)};
			for (int i = 0; b->posts % 40 == 0 && i < COMMENTS; i++)
				writes[count++] = (struct write){
				    .kind = WRITE_PUT, .item = comment(a, b->posts, i)};
			b->posts++;
		}
		made += (int64_t)count;
		if (table_transact(b->table, &call, writes, count, STR("")) != TABLE_OK)
			die("fill", call.why);
		for (size_t i = 0; i < count; i++)
			insert_columns(b, a, &writes[i].item);
	}
	sqlite3_exec(b->columns.db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
	arena_free(a);
}

/* --- What is measured --- */

static int64_t
draw(uint64_t *state, int64_t posts)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	z ^= z >> 31;
	if (z % 10 != 0 && posts > NEWEST)
		return posts - 1 - (int64_t)(z / 10 % NEWEST);
	return (int64_t)(z / 10 % (uint64_t)posts);
}

static void
ours(struct bench *b, int kind, int64_t n)
{
	struct table_call call = {.arena = b->arena};
	struct read reads[4];
	size_t count = 1;

	if (kind == READ_A_GET) {
		reads[0] =
		    (struct read){.kind = READ_GET, .key = {post_pk(b->arena, n), STR("METADATA")}};
	} else if (kind < READ_A_PAGE) {
		reads[0] = (struct read){.kind = READ_QUERY, .query = query_of(b, kind - 1, n)};
	} else {
		for (int i = 0; i < 3; i++)
			reads[i] = (struct read){.kind = READ_GET,
			    .key = {post_pk(b->arena, n - i > 0 ? n - i : n), STR("METADATA")}};
		reads[3] =
		    (struct read){.kind = READ_QUERY, .query = query_of(b, TABLE_PRIMARY, n)};
		count = 4;
	}
	if (table_read(b->table, &call, reads, count) != TABLE_OK)
		die("read", call.why);
	if (kind != READ_A_GET && reads[count - 1].found_count != QUERY_LIMIT)
		die("read", "a query gave fewer than 20 items");
}

static double
one_round(struct bench *b, int kind, uint64_t seed, void (*side)(struct bench *, int, int64_t))
{
	double began = cpu_micros();

	for (int i = 0; i < PER_ROUND; i++) {
		arena_reset(b->arena);
		side(b, kind, draw(&seed, b->posts));
	}
	return (cpu_micros() - began) / PER_ROUND;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *figures)
{
	qsort(figures, ROUNDS, sizeof(double), compare);
	return figures[ROUNDS / 2];
}

struct result {
	double ours, plain, bytes;
};

/* What each side costs at each size. */
static void
measure(struct bench *sizes[2], int kind, struct result results[2])
{
	static void (*const sides[3])(struct bench *, int, int64_t) = {ours, plain, bytes};
	double figures[2][3][ROUNDS];

	/* As in a process that has been running for a while: every page of the file has been seen. */
	for (int i = 0; i < 6; i++)
		for (int64_t n = 0; n < sizes[i / 3]->posts; n += WARM_STEP) {
			arena_reset(sizes[i / 3]->arena);
			sides[i % 3](sizes[i / 3], kind, n);
		}
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < 6; i++) {
			uint64_t seed = ((uint64_t)round * 6 + (uint64_t)i) << 32;

			figures[i / 3][i % 3][round] =
			    one_round(sizes[i / 3], kind, seed, sides[i % 3]);
		}
	for (int i = 0; i < 2; i++)
		results[i] = (struct result){
		    median(figures[i][0]), median(figures[i][1]), median(figures[i][2])};
}

static struct bench *
make_tables(struct arena *a, const char *path, int64_t items)
{
	struct bench *b = ARENA_NEW(a, struct bench);
	struct str why;

	*b = (struct bench){.clock = clock_system(),
	    .arena = arena_new(),
	    .sink = malloc(1 << 20),
	    .path = path,
	    .beside = str_cstring(a, str_fmt(a, "%s-plain", path))};
	remove_files(b->path);
	remove_files(b->beside);
	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &b->clock, b->arena, &b->table, &why) !=
	    TABLE_OK)
		die("open", why.base);
	make_columns(b);
	fill(b, items);
	open_bytes(b);
	open_columns(b);
	return b;
}

static void
drop_tables(struct bench *b)
{
	close_plain(&b->bytes);
	close_plain(&b->columns);
	table_close(b->table);
	arena_free(b->arena);
	free(b->sink);
	remove_files(b->path);
	remove_files(b->beside);
}

static void
print_line(const char *name, const struct result *few, const struct result *many)
{
	printf("%-20s %7.2f %7.2f %7.2f %11.2f   %7.2f %7.2f %7.2f %11.2f   %8.2f\n", name,
	    few->ours, few->plain, few->bytes, few->ours / few->plain, many->ours, many->plain,
	    many->bytes, many->ours / many->plain, many->ours / few->ours);
}

static void
print_heading(long long few_items, long long many_items)
{
	char title[64];

	snprintf(title, sizeof(title), "%lld items", few_items);
	printf("%-20s %-35s   ", "", title);
	snprintf(title, sizeof(title), "%lld items", many_items);
	printf("%-35s   %8s\n", title, "many");
	printf("%-20s", "");
	for (int i = 0; i < 2; i++)
		printf(" %7s %7s %7s %11s  ", "ours", "plain", "bytes", "ours/plain");
	printf(" %8s\n", "/ few");
}

static void
reads(const char *dir, long long few_items, long long many_items)
{
	struct arena *a = arena_new();
	struct bench *sizes[2];
	struct result results[2];

	sizes[0] = make_tables(a, str_cstring(a, str_fmt(a, "%s/bench-few.db", dir)), few_items);
	sizes[1] = make_tables(a, str_cstring(a, str_fmt(a, "%s/bench-many.db", dir)), many_items);
	printf("SQLite %s; CPU microseconds of one thread\n\n", sqlite3_libversion());
	print_heading(few_items, many_items);
	for (int kind = 0; kind < KINDS; kind++) {
		measure(sizes, kind, results);
		print_line(kind_names[kind], &results[0], &results[1]);
	}
	drop_tables(sizes[0]);
	drop_tables(sizes[1]);
	arena_free(a);
}

static void
writes(const char *dir, int writers)
{
	double one[ROUNDS], each[ROUNDS], group[ROUNDS];
	struct arena *a = arena_new();
	const char *path = str_cstring(a, str_fmt(a, "%s/bench-writes.db", dir));

	for (int round = 0; round < ROUNDS; round++) {
		one[round] = durable(path, 1, WRITES, SQLITE_GROUP_MAX);
		each[round] = durable(path, writers, WRITES, 1);
		group[round] = durable(path, writers, WRITES * writers, SQLITE_GROUP_MAX);
	}
	printf("\ndurable writes a second in %s\n"
	       "  %d writers, in groups     %8.0f\n"
	       "  %d writers, a commit each %8.0f   ratio %.1f\n"
	       "  one writer                %8.0f   ratio %.1f\n",
	    dir, writers, median(group), writers, median(each), median(group) / median(each),
	    median(one), median(group) / median(one));
	arena_free(a);
}

int
main(int argc, char **argv)
{
	long long few_items = 1000, many_items = 1000000;
	const char *dir = ".";
	bool explained = false;
	int writers = 32;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--items") == 0)
			sscanf(argv[i + 1], "%lld,%lld", &few_items, &many_items);
		else if (strcmp(argv[i], "--dir") == 0)
			dir = argv[i + 1];
		else if (strcmp(argv[i], "--writers") == 0)
			writers = atoi(argv[i + 1]);
		else if (strcmp(argv[i], "--saves") == 0)
			explained = strcmp(argv[i + 1], "explained") == 0;
	}
	if ((few_items != 0 && few_items < 1000) || many_items < few_items || writers < 1 ||
	    writers > WRITERS_MAX)
		die("arguments", "at least 1,000 items, or 0 to leave reads out; 1 to 256 writers");
	if (few_items != 0)
		reads(dir, few_items, many_items);
	saves(dir, explained);
	writes(dir, writers);
	return 0;
}
