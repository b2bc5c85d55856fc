/*
 * The embedded table's file: what can't be opened says why, what is damaged is found, a backup made among
 * writes is whole, a restore replaces everything, and the stream tells what it has forgotten.
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
		enum table_sqlite_open how;
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

/* The stream keeps a day; the sweep sees to it. */
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
	ok(count(bench, bench->table) != SIZE_MAX, "the items stay");
}

/* A file that was written into is found out, and never crashes a reader. */
/* An earlier version kept the item before and after in each record, and had larger pages. */
static void
older(struct bench *bench)
{
	const char *path = path_of(bench, "images");
	struct change_page page = {.count = 0};
	struct str why = STR("");
	struct table *table;

	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &bench->clock, bench->arena, &table, &why) !=
	    TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	table_put(table, &bench->call, unspell_item(bench->arena, "{PK: 'o', SK: 'l', N: 1}"));
	table_close(table);
	make_other(path,
	    "PRAGMA journal_mode = DELETE; PRAGMA page_size = 16384; VACUUM;"
	    "INSERT INTO change(at, kind, old, new) SELECT 0, 1, data, data FROM item;"
	    "INSERT INTO change(at, kind, old, new) SELECT 0, 2, data, NULL FROM item");
	ended(
	    table_sqlite_open(path, TABLE_OPEN_EXISTING, &bench->clock, bench->arena, &table, &why),
	    TABLE_OK, &why, "a file of an earlier version");
	is_int(table_changes(table, &bench->call, STREAM_OLDEST, 10, &page), TABLE_OK,
	    "and its stream is read");
	is_int((int64_t)page.count, 3, "as a whole");
	for (size_t i = 0; i < page.count; i++)
		ok(page.records[i].kind == (enum change_kind)i &&
			str_eq(page.records[i].key.pk, STR("o")) &&
			str_eq(page.records[i].key.sk, STR("l")),
		    "record %zu says what and of which item", i);
	table_close(table);
}

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
	older(&bench);
	damage(&bench);
	sqlite_place_remove(&bench.place);
	arena_free(bench.arena);
	return tap_done();
}
