/*
 * The embedded table's file: errors on opening name the reason, damage is found, a backup made
 * during writes is complete, a restore replaces everything, and the stream reports what it has
 * dropped.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

#define NOW INT64_C(1794994200500)
#define DAY_MS INT64_C(86400000)

enum { ITEMS = 300 };

struct bench {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
	struct table_call call;
};

static const char *
path_of(struct bench *bench, const char *name)
{
	return str_cstring(bench->arena, str_fmt(bench->arena, "%s/%s", bench->place.folder, name));
}

static void
put(struct bench *bench, const char *text)
{
	if (table_put(bench->table, &bench->call, unspell_item(bench->arena, text)) != TABLE_OK)
		ok(false, "put %s", text);
}

static size_t
count(struct bench *bench, struct table *table)
{
	struct walk_page page = {.next = STR("")};
	size_t items = 0;

	do {
		if (table_walk(table, &bench->call, page.next, 100, &page) != TABLE_OK)
			return SIZE_MAX;
		items += page.count;
	} while (page.next.len != 0);
	return items;
}

/* A call about the file ended as it should; a failure says why. */
static void
ended(enum table_rc got, enum table_rc wanted, struct str *why, const char *sentence)
{
	ok(got == wanted, "%s: %s %.*s", sentence, spell_rc(got), STR_ARGS(*why));
	if (wanted != TABLE_OK)
		ok(why->len != 0, "and why");
	*why = STR("");
}

/* --- Opening ------------------------------------------------------------------------------------------ */

static void
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail_out("no file at %s", path);
	close(fd);
}

static void
make_other(const char *path, const char *sql)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		bail_out("no database at %s", path);
	sqlite3_close(db);
}

static bool
stands(struct bench *bench, const char *name)
{
	return access(path_of(bench, name), F_OK) == 0;
}

static void
opening(struct bench *bench)
{
	const struct {
		const char *path;
		enum table_open how;
		enum table_rc rc;
		const char *sentence;
		const char *other; /* what is done to a new table first */
	} table[] = {
	    {path_of(bench, "none"), TABLE_OPEN_EXISTING, TABLE_UNAVAILABLE, "no file"},
	    {bench->place.folder, TABLE_OPEN_CREATE, TABLE_INVALID, "a folder"},
	    {path_of(bench, "no/file"), TABLE_OPEN_CREATE, TABLE_UNAVAILABLE, "a missing folder"},
	    {path_of(bench, "text"), TABLE_OPEN_CREATE, TABLE_CORRUPT, "a text"},
	    {path_of(bench, "other"), TABLE_OPEN_CREATE, TABLE_INVALID, "another's database"},
	    {path_of(bench, "nobody's"), TABLE_OPEN_CREATE, TABLE_INVALID, "nobody's database"},
	    {path_of(bench, "newer"), TABLE_OPEN_CREATE, TABLE_INVALID, "a later version's table",
		"PRAGMA user_version = 99"},
	    {path_of(bench, "older"), TABLE_OPEN_CREATE, TABLE_INVALID,
		"an earlier version's table", "PRAGMA user_version = 1"},
	    {path_of(bench, "fresh"), TABLE_OPEN_CREATE, TABLE_OK, "a new file"},
	    {path_of(bench, "fresh"), TABLE_OPEN_EXISTING, TABLE_OK, "that file again"},
	};

	write_file(path_of(bench, "text"),
	    "Dear diary, this is a text and by no means a database at all."
	    " It goes on for more than a hundred bytes, to be sure.");
	make_other(path_of(bench, "other"), "CREATE TABLE t(a); PRAGMA application_id = 7");
	make_other(path_of(bench, "nobody's"), "CREATE TABLE t(a)");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str why = STR("");
		struct table *opened;
		enum table_rc rc;

		if (table[i].other != NULL) {
			table_sqlite_open(table[i].path, TABLE_OPEN_CREATE, &bench->clock,
			    bench->arena, &opened, &why);
			table_close(opened);
			make_other(table[i].path, table[i].other);
		}
		rc = table_sqlite_open(
		    table[i].path, table[i].how, &bench->clock, bench->arena, &opened, &why);
		ok(rc == table[i].rc && (rc == TABLE_OK) == (opened != NULL),
		    "to open %s is %s (%s)", table[i].sentence, spell_rc(table[i].rc),
		    spell_rc(rc));
		if (rc != TABLE_OK)
			ok(str_starts(why, str_of(table[i].path)) &&
				why.len > strlen(table[i].path) + 5,
			    "and says: %.*s", STR_ARGS(why));
		table_close(opened);
	}
	ok(!stands(bench, "text-lock") && !stands(bench, "other-lock") &&
		!stands(bench, "nobody's-lock"),
	    "beside what is another's nothing is made");
}

/* --- Backup and restore --------------------------------------------------------------------------------- */

/* Puts pairs of items in transactions for as long as the backup may take. */
static void *
write_pairs(void *context)
{
	struct bench *bench = context;
	struct arena *arena = arena_new();

	for (int i = 0; i < ITEMS; i++) {
		struct table_call call = {.arena = arena};
		struct write pair[2] = {{.kind = WRITE_PUT}, {.kind = WRITE_PUT}};

		for (int part = 0; part < 2; part++) {
			item_set(arena, &pair[part].item, STR("PK"), value_string(STR("pair")));
			item_set(arena, &pair[part].item, STR("SK"),
			    value_string(str_fmt(arena, "%d#%d", i, part)));
		}
		table_transact(bench->table, &call, pair, 2, STR(""));
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
backing_up(struct bench *bench)
{
	const char *backup = path_of(bench, "backup");
	struct table *copy = NULL;
	struct str why = STR("");
	pthread_t writer;
	size_t items;

	put(bench, "{PK: 'first', SK: '1'}");
	put(bench, "{PK: 'first', SK: '2', GSI1PK: 'g', GSI1SK: '2'}");
	if (pthread_create(&writer, NULL, write_pairs, bench) != 0)
		bail_out("no thread");
	while (count(bench, bench->table) < ITEMS / 4)
		continue;
	ended(table_sqlite_backup(bench->table, backup, NULL, bench->arena, &why), TABLE_OK, &why,
	    "a backup while others write");
	pthread_join(writer, NULL);
	ended(table_sqlite_backup(bench->table, backup, NULL, bench->arena, &why), TABLE_INVALID,
	    &why, "it is not written over");
	ended(table_sqlite_open(
		  backup, TABLE_OPEN_EXISTING, &bench->clock, bench->arena, &copy, &why),
	    TABLE_OK, &why, "it is a table itself");
	if (copy == NULL)
		return;
	items = count(bench, copy);
	ok(items >= 2 && items % 2 == 0, "of one moment, with %zu items", items);
	ended(table_sqlite_check(copy, bench->arena, &why), TABLE_OK, &why, "and sound");
	table_close(copy);
	ok(!stands(bench, "backup-wal") && !stands(bench, "backup-shm"),
	    "and one file again when it is closed");
}

static void
restoring(struct bench *bench)
{
	struct query query = {.index = TABLE_GSI1, .partition = STR("g"), .limit = 10};
	struct table *source = NULL;
	struct change_page before, page;
	struct item *found;
	struct str next, why = STR("");
	size_t items, had;

	table_sqlite_open(path_of(bench, "backup"), TABLE_OPEN_EXISTING, &bench->clock,
	    bench->arena, &source, &why);
	had = count(bench, source);
	table_close(source);
	put(bench, "{PK: 'later', SK: '1', GSI1PK: 'g', GSI1SK: '3'}");
	table_changes(bench->table, &bench->call, STREAM_NOW, 1, &before);
	ended(table_sqlite_restore(bench->table, path_of(bench, "none"), bench->arena, &why),
	    TABLE_UNAVAILABLE, &why, "no backup");
	ended(table_sqlite_restore(bench->table, path_of(bench, "text"), bench->arena, &why),
	    TABLE_INVALID, &why, "no backup of ours");
	ok(count(bench, bench->table) == 2 + 2 * ITEMS + 1, "then everything stays");
	ended(table_sqlite_restore(bench->table, path_of(bench, "backup"), bench->arena, &why),
	    TABLE_OK, &why, "a restore");
	ok(count(bench, bench->table) == had, "brings back what there was");
	ok(table_query(bench->table, &bench->call, &query, &found, &items, &next) == TABLE_OK &&
		items == 1,
	    "its indexes too, and nothing later");
	ok(table_changes(bench->table, &bench->call, before.next, 10, &page) == TABLE_TRIMMED,
	    "who followed the stream learns of it");
	put(bench, "{PK: 'after', SK: '1'}");
	ok(table_changes(bench->table, &bench->call, STREAM_OLDEST, 10, &page) == TABLE_OK &&
		page.count == 1,
	    "and it goes on from there");
	ended(table_sqlite_check(bench->table, bench->arena, &why), TABLE_OK, &why,
	    "the file is sound");
}

/* The stream is kept for a day; the sweep sees to it. */
static void
forgetting(struct bench *bench)
{
	struct change_page first, page;
	uint32_t removed;

	table_changes(bench->table, &bench->call, STREAM_OLDEST, 1, &first);
	put(bench, "{PK: 'day', SK: '1'}");
	bench->clock.fixed_now += DAY_MS / 2;
	put(bench, "{PK: 'day', SK: '2'}");
	table_sweep(bench->table, &bench->call, 100, &removed);
	ok(table_changes(bench->table, &bench->call, first.next, 10, &page) == TABLE_OK &&
		page.count == 2,
	    "after half a day the stream has everything");
	bench->clock.fixed_now += DAY_MS / 2 + 1;
	table_sweep(bench->table, &bench->call, 100, &removed);
	ok(table_changes(bench->table, &bench->call, first.next, 10, &page) == TABLE_TRIMMED,
	    "after a day a position of its beginning is forgotten");
	ok(table_changes(bench->table, &bench->call, STREAM_OLDEST, 10, &page) == TABLE_OK &&
		page.count == 1,
	    "and what is left begins later");
	table_changes(bench->table, &bench->call, STREAM_NOW, 1, &page);
	bench->clock.fixed_now += DAY_MS + 1;
	table_sweep(bench->table, &bench->call, 100, &removed);
	ok(table_changes(bench->table, &bench->call, page.next, 10, &page) == TABLE_OK &&
		page.count == 0,
	    "when all is forgotten its end is still a position");
	put(bench, "{PK: 'day', SK: '3'}");
	ok(table_changes(bench->table, &bench->call, page.next, 10, &page) == TABLE_OK &&
		page.count == 1,
	    "after which comes what is written next");
	ok(count(bench, bench->table) != SIZE_MAX, "the items stay");
}

/* Of a reader who is behind it keeps a week. */
static void
remembering(struct bench *bench)
{
	struct change_page first, page;
	uint32_t removed;

	table_changes(bench->table, &bench->call, STREAM_NOW, 1, &first);
	bench->table->stream_read_to = bench->clock.fixed_now;
	put(bench, "{PK: 'week', SK: '1'}");
	bench->clock.fixed_now += 7 * DAY_MS - 1;
	table_sweep(bench->table, &bench->call, 100, &removed);
	ok(table_changes(bench->table, &bench->call, first.next, 10, &page) == TABLE_OK &&
		page.count == 1,
	    "for a reader who is behind it keeps a week");
	bench->clock.fixed_now += 2;
	put(bench, "{PK: 'week', SK: '2'}");
	table_sweep(bench->table, &bench->call, 100, &removed);
	ok(table_changes(bench->table, &bench->call, first.next, 10, &page) == TABLE_TRIMMED,
	    "and no longer");
	bench->table->stream_read_to = 0;
}

/* --- A file of version 2 ---------------------------------------------------------------------------- */

/* What that version made of the same items: indexes of SQLite's, long items as they are, whole items in the stream. */
static const char version_2[] =
    "PRAGMA journal_mode = DELETE; PRAGMA page_size = 16384;"
    "DROP TABLE gsi1; DROP TABLE gsi2; DROP TABLE gsi3; DROP TABLE gsi4; DROP TABLE packed;"
    "CREATE INDEX gsi1 ON item(gsi1, place, data) WHERE gsi1 IS NOT NULL;"
    "CREATE INDEX gsi2 ON item(gsi2, place, data) WHERE gsi2 IS NOT NULL;"
    "CREATE INDEX gsi3 ON item(gsi3, place, data) WHERE gsi3 IS NOT NULL;"
    "CREATE INDEX gsi4 ON item(gsi4, place, data) WHERE gsi4 IS NOT NULL;"
    "UPDATE item SET data = substr(data, 10, CAST(CAST(substr(data, 2, 8) AS TEXT) AS INTEGER))"
    " WHERE data >= x'80';"
    "DROP TABLE change;"
    "CREATE TABLE change(seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, old BLOB, new BLOB);"
    "INSERT INTO sqlite_sequence(name, seq) VALUES('change', 7);"
    "PRAGMA user_version = 2; VACUUM;";

static const char images[] =
    "INSERT INTO change(at, kind, old, new) SELECT 1, 1, data, data FROM item"
    " WHERE gsi1 IS NOT NULL;"
    "INSERT INTO change(at, kind, old, new) SELECT 2, 2, data, NULL FROM item"
    " WHERE gsi1 IS NOT NULL";

static struct table *
reopened(struct bench *bench, const char *path)
{
	struct str why = STR("");
	struct table *table;

	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &bench->clock, bench->arena, &table, &why) !=
	    TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	return table;
}

static const char *
make_older(struct bench *bench, const char *name, const char *stream)
{
	const char *path = path_of(bench, name);
	struct table *table = reopened(bench, path);
	struct item long_one = unspell_item(bench->arena, "{PK: 'long', SK: 'l'}");
	char text[9000];

	memset(text, 'l', sizeof(text));
	item_set(
	    bench->arena, &long_one, STR("Text"), value_string((struct str){text, sizeof(text)}));
	table_put(table, &bench->call, long_one);
	table_put(table, &bench->call,
	    unspell_item(bench->arena, "{PK: 'o', SK: 'l', N: 1, GSI1PK: 'g', GSI1SK: '1'}"));
	for (int i = 0; i < ITEMS; i++) {
		const char *each = str_cstring(bench->arena,
		    str_fmt(bench->arena, "{PK: 'p%d', SK: '1', GSI4PK: 'g', GSI4SK: '%d'}", i,
			i * 7 % ITEMS));

		table_put(table, &bench->call, unspell_item(bench->arena, each));
	}
	table_close(table);
	make_other(path, version_2);
	make_other(path, stream);
	return path;
}

static size_t
found(struct bench *bench, struct table *table, enum table_index index, bool descending)
{
	struct query query = {
	    .index = index, .partition = STR("g"), .limit = 50, .descending = descending};
	struct item *items;
	size_t count, all = 0;

	do {
		if (table_query(table, &bench->call, &query, &items, &count, &query.cursor) !=
		    TABLE_OK)
			return SIZE_MAX;
		all += count;
	} while (query.cursor.len != 0);
	return all;
}

static void
is_whole(struct bench *bench, struct table *table, size_t items, const char *when)
{
	struct str why = STR("");

	is_int((int64_t)count(bench, table), (int64_t)items, when);
	is_int((int64_t)found(bench, table, TABLE_GSI1, false), 1, "an index finds its item");
	is_int((int64_t)found(bench, table, TABLE_GSI4, true), ITEMS, "another one all of its");
	ended(table_sqlite_check(table, bench->arena, &why), TABLE_OK, &why, "the file is sound");
}

static void
older(struct bench *bench)
{
	const char *path = make_older(bench, "images", images);
	struct change_page page = {.count = 0};
	struct table *table = reopened(bench, path);
	struct write gone = {.kind = WRITE_DELETE, .key = {STR("long"), STR("l")}};
	struct item *item = NULL;

	is_whole(bench, table, ITEMS + 2, "a file of an earlier version has all items");
	is_int(table_changes(table, &bench->call, STR("7"), 10, &page), TABLE_OK,
	    "a position of its stream is good");
	is_int((int64_t)page.count, 2, "for all that comes after it");
	for (size_t i = 0; i < page.count; i++)
		ok(page.records[i].kind == (enum change_kind)(i + 1) &&
			str_eq(page.records[i].key.pk, STR("o")) &&
			str_eq(page.records[i].key.sk, STR("l")),
		    "record %zu says what and of which item", i);
	ok(table_get(table, &bench->call, gone.key, &item) == TABLE_OK && item != NULL &&
		item_string(item, STR("Text")).len == 9000,
	    "a long item is read");
	item_set(bench->arena, item, STR("N"), value_number(2));
	is_int(table_put(table, &bench->call, *item), TABLE_OK, "and written");
	is_int(
	    table_put(table, &bench->call,
		unspell_item(bench->arena, "{PK: 'o', SK: 'l', N: 2, GSI1PK: 'g', GSI1SK: '2'}")),
	    TABLE_OK, "one moves in its index");
	is_whole(bench, table, ITEMS + 2, "then all are there");
	table_close(table);
	table = reopened(bench, path);
	is_int(table_write(table, &bench->call, &gone), TABLE_OK, "opened again, one is deleted");
	is_whole(bench, table, ITEMS + 1, "then one less is there");
	table_close(table);
}

/* A consumer of the stream of such a file has seen all of it; the numbers continue. */
static void
older_stream(struct bench *bench)
{
	struct table *table = reopened(bench, make_older(bench, "quiet", "PRAGMA user_version"));
	struct change_page page = {.count = 0};

	is_int(table_changes(table, &bench->call, STR("7"), 10, &page), TABLE_OK,
	    "in an earlier version's empty stream the last position is good");
	is_int((int64_t)page.count, 0, "nothing comes after it");
	is_int(table_changes(table, &bench->call, STR("6"), 10, &page), TABLE_TRIMMED,
	    "what came before is forgotten");
	table_put(table, &bench->call, unspell_item(bench->arena, "{PK: 'n', SK: 'e'}"));
	is_int(
	    table_changes(table, &bench->call, STR("7"), 10, &page), TABLE_OK, "then it goes on");
	is_int((int64_t)page.count, 1, "with what is written");
	table_close(table);
}

/* A file that was written into is found out, and never crashes a reader. */
static void
damage(struct bench *bench)
{
	char zeros[20000] = {0};
	struct str why = STR("");
	struct table *table = NULL;
	int fd;

	memset(zeros, 0xa5, sizeof(zeros));
	table_close(bench->table);
	fd = open(bench->place.path, O_WRONLY);
	if (fd < 0 || pwrite(fd, zeros, sizeof(zeros), 40000) != sizeof(zeros))
		bail_out("the file can't be damaged");
	close(fd);
	if (table_sqlite_open(bench->place.path, TABLE_OPEN_EXISTING, &bench->clock, bench->arena,
		&table, &why) == TABLE_OK) {
		ended(table_sqlite_check(table, bench->arena, &why), TABLE_CORRUPT, &why,
		    "a damaged file is found out");
		count(bench, table);
	} else {
		ok(why.len != 0, "a damaged file is not opened: %.*s", STR_ARGS(why));
	}
	table_close(table);
}

int
main(void)
{
	static struct bench bench;

	bench.clock = clock_fixed(NOW, 1);
	bench.arena = arena_new();
	bench.call = (struct table_call){.arena = bench.arena};
	sqlite_place_make(&bench.place);
	opening(&bench);
	bench.table = sqlite_place_open(&bench.place, &bench.clock);
	if (bench.table == NULL)
		bail_out("no backup of ours");
	backing_up(&bench);
	restoring(&bench);
	forgetting(&bench);
	remembering(&bench);
	older(&bench);
	older_stream(&bench);
	damage(&bench);
	sqlite_place_remove(&bench.place);
	arena_free(bench.arena);
	return tap_done();
}
