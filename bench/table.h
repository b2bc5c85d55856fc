#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

/* What the rooms of bench/table share; table.c says what is measured. */

#include "base/arena.h"
#include "base/clock.h"
#include "table/sqlite/sqlite.h"

#include <sqlite3.h>

enum {
	QUERY_LIMIT = 20,
	COMMENTS = 21,
	READ_A_GET = 0,  /* then a query of the table and of each index */
	READ_A_PAGE = 6, /* three gets and a query of 20 in one transaction */
	KINDS = 7,
	WRITERS_MAX = 256,
};

/* A connection of the sides that do without the table. */
struct plain {
	sqlite3 *db;
	sqlite3_stmt *get, *queries[5], *begin, *commit, *insert;
};

struct bench {
	const char *path, *beside; /* of the table, and of a database for the same items */
	struct table *table;
	struct clock clock;
	int64_t posts;
	struct arena *arena;
	struct plain bytes, columns;
	char *sink; /* where the rows' bytes are copied to */
};

/* --- table.c --- */

/* Says what failed and ends the process. */
__attribute__((noreturn)) void die(const char *what, const char *why);

/* Takes away a table's file and those beside it. */
void remove_files(const char *path);

/* --- table_items.c --- */

/* The partition of the post `n`, in the arena. */
struct str post_pk(struct arena *a, int64_t n);

/* A post's head: 29 attributes, about 900 bytes, in all four indexes. */
struct item head(struct arena *a, int64_t n, int64_t items);

/* One of the comments that a query of the table itself reads: about 300 bytes. */
struct item comment(struct arena *a, int64_t post, int64_t n);

/* The query that a visitor of the post `n` makes. */
struct query query_of(struct bench *b, int index, int64_t n);

/* --- table_plain.c: SQLite without the table --- */

/* The table's own rows, and a database of one's own for the same items; the latter is made. */
void open_bytes(struct bench *b);
void make_columns(struct bench *b);
void insert_columns(struct bench *b, struct arena *a, const struct item *item);
void open_columns(struct bench *b);
void close_plain(struct plain *side);

/* What a visitor of the post `n` reads, by each. */
void bytes(struct bench *b, int kind, int64_t n);
void plain(struct bench *b, int kind, int64_t n);

/* --- table_saves.c --- */

/* Prints what a save of a post writes; and into which trees, if that is wanted. */
void saves(const char *dir, bool explained);

/* --- table_writes.c --- */

/* Durable writes a second into a new table at `path`, by so many writers at once, so many a commit. */
double durable(const char *path, int writers, int writes, size_t group_max);

#endif
