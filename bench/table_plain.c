/* The sides of bench/table that do without the table: plain SQLite, and the table's own bytes. */
#include "table.h"

#include <stdio.h>
#include <string.h>

/* Every attribute of a post's head and of a comment. */
static const char *const columns[] = {"PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK",
    "GSI3SK", "GSI4PK", "GSI4SK", "Type", "Author", "AuthorName", "Title", "Excerpt", "Kind",
    "Status", "Visibility", "PublishedAt", "CreatedAt", "HTML", "Tags", "Bookmarks", "Comments",
    "Downs", "Likes", "Ratings", "Stars", "Ups", "Words", NULL};

/* --- Opening and filling --- */

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
	sqlite3_bind_text64(
	    st, at, s.base != NULL ? s.base : "", s.len, SQLITE_STATIC, SQLITE_UTF8);
}

/* The statements of both, which differ in how a row's key is asked for. */
static void
prepare_reads(struct plain *side, const char *get, const char *const queries[5])
{
	sqlite3_exec(side->db, "PRAGMA cache_size = -16384; PRAGMA mmap_size = 1099511627776", NULL,
	    NULL, NULL);
	side->begin = prepare(side->db, "BEGIN");
	side->commit = prepare(side->db, "COMMIT");
	side->get = prepare(side->db, get);
	for (int i = 0; i < 5; i++)
		side->queries[i] = prepare(side->db, queries[i]);
}

#define RANGE(table, of) \
	"SELECT data FROM " table " WHERE " of " >= ?1 AND " of " < ?2 ORDER BY " of " DESC"

void
open_bytes(struct bench *b)
{
	static const char *const queries[] = {RANGE("item", "place"), RANGE("gsi1", "gsi"),
	    RANGE("gsi2", "gsi"), RANGE("gsi3", "gsi"), RANGE("gsi4", "gsi")};

	if (sqlite3_open(b->path, &b->bytes.db) != SQLITE_OK)
		die(b->path, "can't be opened");
	prepare_reads(&b->bytes, "SELECT data FROM item WHERE place = ?1", queries);
}

#define PARTITION(pk, sk)                                                                          \
	"SELECT * FROM post WHERE " pk " = ?1 AND " sk " >= ?2 AND " sk " < ?3 ORDER BY " sk " DE" \
	"SC"

void
open_columns(struct bench *b)
{
	static const char *const queries[] = {PARTITION("pk", "sk"), PARTITION("gsi1pk", "gsi1sk"),
	    PARTITION("gsi2pk", "gsi2sk"), PARTITION("gsi3pk", "gsi3sk"),
	    PARTITION("gsi4pk", "gsi4sk")};

	prepare_reads(&b->columns, "SELECT * FROM post WHERE pk = ?1 AND sk = ?2", queries);
}

/* A table as one would make it with SQLite alone. */
void
make_columns(struct bench *b)
{
	char sql[4000] = "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"
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
	if (sqlite3_open(b->beside, &b->columns.db) != SQLITE_OK ||
	    sqlite3_exec(b->columns.db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(b->beside, sqlite3_errmsg(b->columns.db));
	b->columns.insert = prepare(b->columns.db, insert);
}

void
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

/* An item as a row with a column for each attribute; a list is its strings with commas. */
void
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

/* --- Reading --- */

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

/* A place in the table's own rows; their key is one column. */
static struct str
place(struct bench *b, struct str partition, struct str sort)
{
	return STR_CONCAT(b->arena, partition, STR("\xff"), sort);
}

static void
plain_get(struct bench *b, struct plain *side, int64_t n)
{
	struct str pk = post_pk(b->arena, n), sk = STR("METADATA");

	if (side == &b->bytes) {
		bind(side->get, 1, place(b, pk, sk));
	} else {
		bind(side->get, 1, pk);
		bind(side->get, 2, sk);
	}
	take_rows(b, side, side->get, 1);
}

static void
plain_query(struct bench *b, struct plain *side, int index, int64_t n)
{
	struct query q = query_of(b, index, n);
	sqlite3_stmt *st = side->queries[index];

	struct str end = STR_CONCAT(b->arena, q.low, STR("\xff"));

	if (side == &b->bytes) {
		bind(st, 1, place(b, q.partition, q.low));
		bind(st, 2, place(b, q.partition, end));
	} else {
		bind(st, 1, q.partition);
		bind(st, 2, q.low);
		bind(st, 3, end);
	}
	/* One more, as the table has to look whether there is a next page. */
	if (take_rows(b, side, st, QUERY_LIMIT + 1) < QUERY_LIMIT)
		die("plain", "a query gave fewer than 20 rows");
}

static void
without_table(struct bench *b, struct plain *side, int kind, int64_t n)
{
	if (kind == READ_A_GET) {
		plain_get(b, side, n);
	} else if (kind < READ_A_PAGE) {
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

void
bytes(struct bench *b, int kind, int64_t n)
{
	without_table(b, &b->bytes, kind, n);
}

void
plain(struct bench *b, int kind, int64_t n)
{
	without_table(b, &b->columns, kind, n);
}
