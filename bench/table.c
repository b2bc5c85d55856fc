/*
 * What the embedded table costs, beside plain SQLite on the same file in the same run, at two sizes.
 *
 *     make bench/table && bench/table [--items FEW,MANY] [--dir DIR] [--writers N]
 *
 * Reads are measured in CPU time of the thread, in rounds that alternate between the sides, and the median
 * of the rounds counts: other loads on the machine then fall on all. There are three sides, with the same
 * pragmas and prepared statements, drawing keys with the skew of a site's readers (nine of ten look at one
 * of the newest thousand posts, the tenth at any), each its own, so that none finds what another has just
 * warmed:
 *
 *	ours	the table: every attribute of every item at hand, typed, in the arena
 *	plain	the same with SQLite alone: a column for each attribute, an index for each query, every
 *		column of every row read and copied into the arena
 *	bytes	the least that is possible: our own rows' bytes copied out and left undecoded
 *
 * Durable writes are measured in time passed, because waiting for the disk is what they do.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/table_sqlite.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 21,
	PER_ROUND = 400,
	QUERY_LIMIT = 20,
	COMMENTS = 21,
	NEWEST = 1000,
	WARM_STEP = 16, /* fewer posts than a page holds */
	KIND_GET = 0,   /* then a query of the table and of each index */
	KIND_PAGE = 6,  /* three gets and a query of 20 in one transaction */
	KINDS = 7,
	WRITERS_MAX = 256,
};

static const char *const kind_names[KINDS] = {"get", "query 20, table", "query 20, GSI1",
    "query 20, GSI2", "query 20, GSI3", "query 20, GSI4", "page: 3 gets and 20"};

/* A connection of the sides that do without the table. */
struct plain {
	sqlite3 *db;
	sqlite3_stmt *get, *queries[5], *begin, *commit, *insert;
};

struct bench {
	struct table *table;
	struct clock clock;
	int64_t posts;
	struct arena *arena;
	struct plain bytes, columns;
	char *sink; /* where the rows' bytes are copied to */
};

/* Every attribute of a post's head and of a comment. */
static const char *const columns[] = {"PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK",
    "GSI3SK", "GSI4PK", "GSI4SK", "Type", "Author", "AuthorName", "Title", "Excerpt", "Kind",
    "Status", "Visibility", "PublishedAt", "CreatedAt", "HTML", "Tags", "Bookmarks", "Comments",
    "Downs", "Likes", "Ratings", "Stars", "Ups", "Words", NULL};

static double
cpu_micros(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "bench/table: %s: %s\n", what, why != NULL ? why : "failed");
	exit(1);
}

/* --- Items --------------------------------------------------------------------------------------- */

static void
set(struct arena *a, struct item *item, const char *name, struct str value)
{
	item_set(a, item, str_of(name), value_string(value));
}

static struct str
post_pk(struct arena *a, int64_t n)
{
	return str_fmt(a, "POST#the-title-of-post-%07lld", (long long)n);
}

/* A post's head: 29 attributes, about 900 bytes, in all four indexes. */
static struct item
head(struct arena *a, int64_t n, int64_t items)
{
	static const char *const numbers[] = {
	    "Bookmarks", "Comments", "Downs", "Likes", "Ratings", "Stars", "Ups", "Words"};
	struct item item = {0};
	struct str time = time_format(a, 1700000000000 + n * 60000);
	struct str place = str_fmt(a, "%.*s#%07lld", STR_ARGS(time), (long long)n);
	struct str tags[] = {STR("harbour"), STR("history"), STR("boats")};

	set(a, &item, "PK", post_pk(a, n));
	set(a, &item, "SK", STR("METADATA"));
	set(a, &item, "GSI1PK", str_fmt(a, "USER#%lld", (long long)(n % (items / 50))));
	set(a, &item, "GSI1SK", STR_CONCAT(a, STR("POST#"), place));
	set(a, &item, "GSI2PK", str_fmt(a, "CATEGORY#%lld", (long long)(n % (items / 50))));
	set(a, &item, "GSI2SK", place);
	set(a, &item, "GSI3PK", STR("POST"));
	set(a, &item, "GSI3SK", place);
	set(a, &item, "GSI4PK", STR("HOT"));
	set(a, &item, "GSI4SK",
	    str_fmt(a, "%012lld#%07lld", (long long)(n * 7919 % items), (long long)n));
	set(a, &item, "Type", STR("Post"));
	set(a, &item, "Author", STR("margarida"));
	set(a, &item, "AuthorName", STR("Margarida Sousa"));
	set(a, &item, "Title", STR("The ferry that nobody ordered, and the town that kept it"));
	set(a, &item, "Excerpt",
	    STR("In the winter of the long fog a ferry came up the river without a pilot, and for "
		"eleven years it has been the only way across. Who pays for it is another "
		"matter."));
	set(a, &item, "Kind", STR("article"));
	set(a, &item, "Status", STR("published"));
	set(a, &item, "Visibility", STR("public"));
	set(a, &item, "PublishedAt", time);
	set(a, &item, "CreatedAt", time);
	item_set(a, &item, STR("Tags"), value_strings(a, tags, 3));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		item_set(a, &item, str_of(numbers[i]), value_number(n % 97 + (int64_t)i));
	return item_copy(a, &item);
}

/* One of the comments that a query of the table itself reads: about 300 bytes. */
static struct item
comment(struct arena *a, int64_t post, int64_t n)
{
	struct item item = {0};

	set(a, &item, "PK", post_pk(a, post));
	set(a, &item, "SK", str_fmt(a, "COMMENT#%04lld", (long long)n));
	set(a, &item, "Type", STR("Comment"));
	set(a, &item, "Author", STR("piet"));
	set(a, &item, "AuthorName", STR("Piet Verhoeven"));
	set(a, &item, "CreatedAt", STR("2026-11-18T09:30:00.123Z"));
	set(a, &item, "HTML",
	    STR("<p>My grandfather had a season ticket for it. He never once went across: he said "
		"that it was enough to know one could.</p>"));
	item_set(a, &item, STR("Ups"), value_number(n));
	return item;
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;

	if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK)
		die("prepare", sqlite3_errmsg(db));
	return st;
}

static void
bind(sqlite3_stmt *st, int at, struct str s)
{
	sqlite3_bind_blob64(st, at, s.base != NULL ? s.base : "", s.len, SQLITE_STATIC);
}

/* An item as a row with a column for each attribute; a list is its strings with commas. */
static void
insert_columns(struct bench *b, struct arena *a, const struct item *item)
{
	sqlite3_stmt *st = b->columns.insert;

	for (int i = 0; columns[i] != NULL; i++) {
		const struct value *v = item_get(item, str_of(columns[i]));
		size_t count;
		const struct str *strings;

		if (v == NULL) {
			sqlite3_bind_null(st, i + 1);
		} else if (v->kind == VALUE_NUMBER) {
			sqlite3_bind_int64(st, i + 1, v->number);
		} else if (v->kind == VALUE_LIST) {
			strings = item_strings(a, item, str_of(columns[i]), &count);
			bind(st, i + 1, str_join(a, strings, count, STR(",")));
		} else {
			bind(st, i + 1, v->string);
		}
	}
	sqlite3_step(st);
	sqlite3_reset(st);
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

/* --- What is measured -------------------------------------------------------------------------- */

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

static struct query
query_of(struct bench *b, int index, int64_t n)
{
	struct arena *a = b->arena;
	struct query q = {
	    .index = (enum table_index)index, .limit = QUERY_LIMIT, .descending = true};

	switch (index) {
	case TABLE_PRIMARY:
		q.partition = post_pk(a, n - n % 40);
		q.op = SORT_BEGINS;
		q.low = STR("COMMENT#");
		break;
	case TABLE_GSI1: q.partition = str_fmt(a, "USER#%lld", (long long)(n % 20)); break;
	case TABLE_GSI2: q.partition = str_fmt(a, "CATEGORY#%lld", (long long)(n % 20)); break;
	case TABLE_GSI3: q.partition = STR("POST"); break;
	default: q.partition = STR("HOT"); break;
	}
	return q;
}

static void
ours(struct bench *b, int kind, int64_t n)
{
	struct table_call call = {.arena = b->arena};
	struct read reads[4];
	size_t count = 1;

	if (kind == KIND_GET) {
		reads[0] =
		    (struct read){.kind = READ_GET, .key = {post_pk(b->arena, n), STR("METADATA")}};
	} else if (kind < KIND_PAGE) {
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
	if (kind != KIND_GET && reads[count - 1].found_count != QUERY_LIMIT)
		die("read", "a query gave fewer than 20 items");
}

/* Our own row: its bytes. */
static void
take_bytes(struct bench *b, sqlite3_stmt *st, size_t *at)
{
	size_t len = (size_t)sqlite3_column_bytes(st, 0);

	memcpy(b->sink + *at, sqlite3_column_blob(st, 0), len);
	*at += len;
}

/* A plain row: each column by its type, texts copied. */
static void
take_columns(struct bench *b, sqlite3_stmt *st, size_t *at)
{
	int count = sqlite3_column_count(st);
	struct value *row = ARENA_ARRAY(b->arena, (size_t)count, struct value);

	(void)at;
	for (int i = 0; i < count; i++) {
		switch (sqlite3_column_type(st, i)) {
		case SQLITE_INTEGER: row[i] = value_number(sqlite3_column_int64(st, i)); break;
		case SQLITE_NULL: break;
		default: {
			const void *base = sqlite3_column_blob(st, i);
			size_t len = (size_t)sqlite3_column_bytes(st, i);

			row[i] = value_string((struct str){arena_copy(b->arena, base, len), len});
		}
		}
	}
}

static size_t
take_rows(struct bench *b, const struct plain *side, sqlite3_stmt *st, size_t limit)
{
	size_t at = 0, rows = 0;

	while (rows < limit && sqlite3_step(st) == SQLITE_ROW) {
		if (side == &b->bytes)
			take_bytes(b, st, &at);
		else
			take_columns(b, st, &at);
		rows++;
	}
	sqlite3_reset(st);
	return rows;
}

static void
plain_get(struct bench *b, struct plain *side, int64_t n)
{
	bind(side->get, 1, post_pk(b->arena, n));
	bind(side->get, 2, STR("METADATA"));
	take_rows(b, side, side->get, 1);
}

static void
plain_query(struct bench *b, struct plain *side, int index, int64_t n)
{
	struct query q = query_of(b, index, n);
	sqlite3_stmt *st = side->queries[index];

	bind(st, 1, q.partition);
	bind(st, 2, q.low);
	bind(st, 3, STR_CONCAT(b->arena, q.low, STR("\xff")));
	/* One more, as the table has to look whether there is a next page. */
	if (take_rows(b, side, st, QUERY_LIMIT + 1) < QUERY_LIMIT)
		die("plain", "a query gave fewer than 20 rows");
}

static void
without_table(struct bench *b, struct plain *side, int kind, int64_t n)
{
	if (kind == KIND_GET) {
		plain_get(b, side, n);
	} else if (kind < KIND_PAGE) {
		plain_query(b, side, kind - 1, n);
	} else {
		sqlite3_step(side->begin);
		sqlite3_reset(side->begin);
		for (int i = 0; i < 3; i++)
			plain_get(b, side, n - i > 0 ? n - i : n);
		plain_query(b, side, TABLE_PRIMARY, n);
		sqlite3_step(side->commit);
		sqlite3_reset(side->commit);
	}
}

static void
bytes(struct bench *b, int kind, int64_t n)
{
	without_table(b, &b->bytes, kind, n);
}

static void
plain(struct bench *b, int kind, int64_t n)
{
	without_table(b, &b->columns, kind, n);
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

struct result {
	double ours, plain, bytes;
};

static struct result
measure(struct bench *b, int kind)
{
	static void (*const sides[3])(struct bench *, int, int64_t) = {ours, plain, bytes};
	double figures[3][ROUNDS];

	/* As in a process that has been running for a while: every page of the file has been seen. */
	for (int side = 0; side < 3; side++)
		for (int64_t n = 0; n < b->posts; n += WARM_STEP) {
			arena_reset(b->arena);
			sides[side](b, kind, n);
		}
	for (int i = 0; i < ROUNDS; i++) {
		for (int side = 0; side < 3; side++) {
			uint64_t seed = ((uint64_t)i * 3 + (uint64_t)side) << 32;

			figures[side][i] = one_round(b, kind, seed, sides[side]);
		}
	}
	for (int i = 0; i < 3; i++)
		qsort(figures[i], ROUNDS, sizeof(double), compare);
	return (struct result){
	    figures[0][ROUNDS / 2], figures[1][ROUNDS / 2], figures[2][ROUNDS / 2]};
}

/* --- A table, and plain connections ------------------------------------------------------------- */

static void
open_plain(struct plain *side, const char *path, const char *select, const char *table)
{
	char sql[2000];

	if (side->db == NULL && sqlite3_open(path, &side->db) != SQLITE_OK)
		die(path, "can't be opened");
	sqlite3_exec(side->db, "PRAGMA cache_size = -16384; PRAGMA mmap_size = 1099511627776", NULL,
	    NULL, NULL);
	side->begin = prepare(side->db, "BEGIN");
	side->commit = prepare(side->db, "COMMIT");
	snprintf(sql, sizeof(sql), "SELECT %s FROM %s WHERE pk = ?1 AND sk = ?2", select, table);
	side->get = prepare(side->db, sql);
	snprintf(sql, sizeof(sql),
	    "SELECT %s FROM %s WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC", select,
	    table);
	side->queries[0] = prepare(side->db, sql);
	for (int i = 1; i <= 4; i++) {
		snprintf(sql, sizeof(sql),
		    "SELECT %s FROM %s WHERE gsi%dpk = ?1 AND gsi%dsk >= ?2 AND gsi%dsk < ?3"
		    " ORDER BY gsi%dsk DESC",
		    select, table, i, i, i, i);
		side->queries[i] = prepare(side->db, sql);
	}
}

/* A table as one would make it with SQLite alone. */
static void
make_columns(struct bench *b, const char *path)
{
	char sql[4000] = "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;"
			 "PRAGMA synchronous = OFF; CREATE TABLE post(";
	char insert[2000] = "INSERT INTO post VALUES(";

	for (int i = 0; columns[i] != NULL; i++) {
		snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), "%s, ", columns[i]);
		snprintf(insert + strlen(insert), sizeof(insert) - strlen(insert), "%s?%d",
		    i != 0 ? ", " : "", i + 1);
	}
	strcat(insert, ")");
	strcat(sql, "PRIMARY KEY(pk, sk)) WITHOUT ROWID;");
	for (int i = 1; i <= 4; i++)
		snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql),
		    "CREATE INDEX by%d ON post(gsi%dpk, gsi%dsk);", i, i, i);
	strcat(sql, "BEGIN");
	if (sqlite3_open(path, &b->columns.db) != SQLITE_OK ||
	    sqlite3_exec(b->columns.db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(path, sqlite3_errmsg(b->columns.db));
	b->columns.insert = prepare(b->columns.db, insert);
}

static void
close_plain(struct plain *side)
{
	sqlite3_finalize(side->get);
	sqlite3_finalize(side->begin);
	sqlite3_finalize(side->commit);
	sqlite3_finalize(side->insert);
	for (int i = 0; i < 5; i++)
		sqlite3_finalize(side->queries[i]);
	sqlite3_close(side->db);
}

static void
remove_files(const char *path)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-lock"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
}

static void
measure_reads(const char *path, int64_t items, struct result *results)
{
	struct bench b = {.clock = clock_system(), .arena = arena_new(), .sink = malloc(1 << 20)};
	char beside[4096];
	struct str why;

	snprintf(beside, sizeof(beside), "%s-plain", path);
	remove_files(path);
	remove_files(beside);
	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &b.clock, b.arena, &b.table, &why) !=
	    TABLE_OK)
		die("open", why.base);
	make_columns(&b, beside);
	fill(&b, items);
	open_plain(&b.bytes, path, "data", "item");
	open_plain(&b.columns, beside, "*", "post");
	for (int kind = 0; kind < KINDS; kind++)
		results[kind] = measure(&b, kind);
	close_plain(&b.bytes);
	close_plain(&b.columns);
	table_close(b.table);
	arena_free(b.arena);
	free(b.sink);
	remove_files(path);
	remove_files(beside);
}

/* --- Durable writes ------------------------------------------------------------------------------ */

struct writer {
	struct table *table;
	struct clock *clock;
	int number, writes;
};

static void *
write_many(void *context)
{
	const struct writer *w = context;
	struct arena *a = arena_new();

	for (int i = 0; i < w->writes; i++) {
		struct table_call call = {
		    .arena = a, .deadline = clock_monotonic(w->clock) + 60000};

		arena_reset(a);
		if (table_put(w->table, &call, comment(a, w->number, i)) != TABLE_OK)
			die("write", call.why);
	}
	arena_free(a);
	return NULL;
}

/* Writes a second, with so many writers at once. */
static double
durable(const char *path, int writers, int writes)
{
	struct clock clock = clock_system();
	struct arena *a = arena_new();
	struct writer w[WRITERS_MAX];
	pthread_t threads[WRITERS_MAX];
	struct table *table;
	struct str why;
	int64_t began;

	remove_files(path);
	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &clock, a, &table, &why) != TABLE_OK)
		die("open", why.base);
	began = clock_micros();
	for (int i = 0; i < writers; i++) {
		w[i] = (struct writer){table, &clock, i, writes / writers};
		if (pthread_create(&threads[i], NULL, write_many, &w[i]) != 0)
			die("thread", NULL);
	}
	for (int i = 0; i < writers; i++)
		pthread_join(threads[i], NULL);
	began = clock_micros() - began;
	table_close(table);
	arena_free(a);
	remove_files(path);
	return writes * 1e6 / (double)began;
}

static void
print_line(const char *name, const struct result *few, const struct result *many)
{
	printf("%-20s %7.2f %7.2f %7.2f %11.2f   %7.2f %7.2f %7.2f %11.2f   %8.2f\n", name,
	    few->ours, few->plain, few->bytes, few->ours / few->plain, many->ours, many->plain,
	    many->bytes, many->ours / many->plain, many->ours / few->ours);
}

static void
print(
    long long few_items, long long many_items, const struct result *few, const struct result *many)
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
	for (int i = 0; i < KINDS; i++)
		print_line(kind_names[i], &few[i], &many[i]);
}

int
main(int argc, char **argv)
{
	struct result few[KINDS], many[KINDS];
	long long few_items = 1000, many_items = 1000000;
	const char *dir = ".";
	int writers = 32;
	char path[4000];
	double one, group;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--items") == 0)
			sscanf(argv[i + 1], "%lld,%lld", &few_items, &many_items);
		else if (strcmp(argv[i], "--dir") == 0)
			dir = argv[i + 1];
		else if (strcmp(argv[i], "--writers") == 0)
			writers = atoi(argv[i + 1]);
	}
	if (few_items < 1000 || many_items < few_items || writers < 1 || writers > WRITERS_MAX)
		die("arguments", "at least 1,000 items; 1 to 256 writers");
	snprintf(path, sizeof(path), "%s/bench-table.db", dir);
	printf("SQLite %s; CPU microseconds of one thread\n\n", sqlite3_libversion());
	measure_reads(path, few_items, few);
	measure_reads(path, many_items, many);
	print(few_items, many_items, few, many);
	one = durable(path, 1, 1000);
	group = durable(path, writers, 1000 * writers);
	printf("\ndurable writes a second in %s: one writer %.0f, %d writers in groups %.0f: "
	       "ratio %.1f\n",
	    dir, one, writers, group, group / one);
	return 0;
}
