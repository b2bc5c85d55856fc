/*
 * How many pages of the embedded table's file writes put into its log. And how long items are
 * stored: however one changes, it reads as it was written, and nothing of it is left over.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite_private.h"
#include "table/sqlite/sqlite.h"

#include <sys/stat.h>
#include <unistd.h>

#define NOW INT64_C(1794994200500)

enum { POSTS = 300, TRIES = 100 };

struct place {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
	struct table_call call;
	uint64_t state;
};

/* What is seldom read: revisions. */
static bool
is_unseen(struct key key)
{
	return str_starts(key.sk, STR("REVISION"));
}

static void
opened(struct place *p)
{
	p->table = sqlite_place_open(&p->place, &p->clock);
	if (p->table == NULL)
		bail_out("no table");
	p->table->unseen = is_unseen;
}

/* Made-up words, which compress as prose does. */
static struct str
prose(struct place *p, size_t len)
{
	struct buf text = {.arena = p->arena};

	while (text.len < len) {
		p->state = p->state * 6364136223846793005U + 1442695040888963407U;
		for (uint64_t rest = (p->state >> 33) % 600 * 7919; rest != 0; rest /= 20)
			buf_putc(&text, "etaoinshrdlucmfwypvb"[rest % 20]);
		buf_putc(&text, ' ');
	}
	return str_sub(buf_str(&text), 0, len);
}

static struct item
item_of(struct place *p, int post, const char *sort)
{
	struct item item = {0};

	item_set(p->arena, &item, STR("PK"), value_string(str_fmt(p->arena, "POST#%04d", post)));
	item_set(p->arena, &item, STR("SK"), value_string(str_of(sort)));
	return item;
}

/* In all four indexes, and of the size of a post's head; at a different place in each. */
static struct item
head(struct place *p, int post, int version)
{
	static const int steps[] = {1, 7, 11, 13};
	struct item item = item_of(p, post, "METADATA");

	for (int i = 0; i < 4; i++) {
		item_set(p->arena, &item, table_pk_name((enum table_index)(TABLE_GSI1 + i)),
		    value_string(STR("LIST")));
		item_set(p->arena, &item, table_sk_name((enum table_index)(TABLE_GSI1 + i)),
		    value_string(str_fmt(p->arena, "%04d", post * steps[i] % POSTS)));
	}
	item_set(p->arena, &item, STR("Excerpt"), value_string(prose(p, 700)));
	item_set(p->arena, &item, STR("Revisions"), value_number(version));
	return item;
}

static struct item
body(struct place *p, int post)
{
	struct item item = item_of(p, post, "BODY");

	item_set(p->arena, &item, STR("HTML"), value_string(prose(p, 8200 + p->state % 100)));
	item_set(p->arena, &item, STR("Markdown"), value_string(prose(p, 7600 + p->state % 100)));
	return item;
}

static struct item
revision(struct place *p, int post, int version)
{
	struct item item =
	    item_of(p, post, str_cstring(p->arena, str_fmt(p->arena, "REVISION#%08d", version)));

	item_set(p->arena, &item, STR("Markdown"), value_string(prose(p, 7600)));
	return item;
}

/* --- Pages -------------------------------------------------------------------------------------- */

enum { HEAD = 1, BODY = 2, REVISION = 4 };

static void
save(struct place *p, int post, int version, int what)
{
	struct write writes[3];
	size_t count = 0;

	if (what & HEAD)
		writes[count++] = (struct write){.kind = WRITE_PUT, .item = head(p, post, version)};
	if (what & BODY)
		writes[count++] = (struct write){.kind = WRITE_PUT, .item = body(p, post)};
	if (what & REVISION)
		writes[count++] =
		    (struct write){.kind = WRITE_PUT, .item = revision(p, post, version)};
	if (table_transact(p->table, &p->call, writes, count, STR("")) != TABLE_OK)
		bail_out("no save: %s", p->call.why);
}

/*
 * Pages of the log that TRIES saves of different posts write, in hundredths of a page for each
 * save.
 */
static int64_t
pages_of(struct place *p, int version, int what)
{
	struct connection *writer = ((struct sqlite_table *)p->table)->writer;
	const char *log = str_cstring(p->arena, str_fmt(p->arena, "%s-wal", p->place.path));
	struct arena *arena = p->arena;
	int64_t pages = 0;
	struct stat st;

	p->arena = p->call.arena = arena_new();
	for (int i = 0; i < TRIES; i++) {
		arena_reset(p->arena);
		log_empty(writer);
		save(p, i * 79 % POSTS, version, what);
		if (stat(log, &st) != 0)
			bail_out("no log");
		pages += st.st_size / writer->page_bytes;
	}
	arena_free(p->arena);
	p->arena = p->call.arena = arena;
	return pages * 100 / TRIES;
}

static void
pages(struct place *p)
{
	static const struct {
		const char *what;
		int writes, most; /* hundredths of a page */
	} cases[] = {
	    {"a head that keeps its places in four indexes: a page of each", HEAD, 650},
	    {"a body: the pages that it has", BODY, 460},
	    {"a revision: a page that it shares", REVISION, 450},
	    {"a save of all three: less than 97 KB", HEAD | BODY | REVISION, 1180},
	};

	opened(p);
	for (int i = 0; i < POSTS; i++) {
		save(p, i * 7 % POSTS, 1, HEAD | BODY | REVISION);
		arena_reset(p->arena);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t got = pages_of(p, (int)i + 2, cases[i].writes);

		ok(got <= cases[i].most, "%s (%d.%02d pages)", cases[i].what, (int)got / 100,
		    (int)got % 100);
	}
	table_close(p->table);
}

/* --- Lives -------------------------------------------------------------------------------------- */

static int64_t
rows_packed(struct place *p)
{
	return sqlite_ask(
	    ((struct sqlite_table *)p->table)->writer->db, "SELECT count(*) FROM packed");
}

/* The item is found as written, that many are compressed, and the file is valid. */
static void
is_stored(struct place *p, const struct item *wanted, int64_t packed, const char *after)
{
	struct item *got;
	struct str why = STR("");
	struct key key = {STR("P"), STR("REVISION")};
	struct query query = {.index = TABLE_GSI2, .partition = STR("L"), .limit = 10};
	size_t count = 0;
	struct str next;
	bool same, listed = wanted != NULL && item_get(wanted, STR("GSI2PK")) != NULL;

	same = table_get(p->table, &p->call, key, &got) == TABLE_OK &&
	       (got == NULL) == (wanted == NULL);
	if (same && got != NULL)
		same = str_eq(item_encode(p->arena, got), item_encode(p->arena, wanted));
	ok(same, "%s, it reads as it was written", after);
	ok(table_query(p->table, &p->call, &query, &got, &count, &next) == TABLE_OK &&
		count == (size_t)listed &&
		(!listed || str_eq(item_encode(p->arena, got), item_encode(p->arena, wanted))),
	    "its index says the same");
	is_int(rows_packed(p), packed, "so many are compressed");
	ok(table_sqlite_check(p->table, p->arena, &why) == TABLE_OK, "the file is sound%.*s",
	    STR_ARGS(why));
}

static struct item
life_of(struct place *p, size_t len, bool listed)
{
	struct item item = {0};

	item_set(p->arena, &item, STR("PK"), value_string(STR("P")));
	item_set(p->arena, &item, STR("SK"), value_string(STR("REVISION")));
	item_set(p->arena, &item, STR("Text"), value_string(prose(p, len)));
	if (listed) {
		item_set(p->arena, &item, STR("GSI2PK"), value_string(STR("L")));
		item_set(p->arena, &item, STR("GSI2SK"), value_string(STR("1")));
	}
	return item;
}

static void
lives(struct place *p)
{
	const struct {
		const char *after;
		size_t len;
		bool listed, seen;
		int64_t packed;
	} steps[] = {
	    {"short", 100, false, false, 0},
	    {"grown long", 9000, false, false, 1},
	    {"longer", 90000, false, false, 1},
	    {"of 390 KB", 390000, false, false, 1},
	    {"in an index", 9000, true, false, 0},
	    {"out of it", 9000, false, false, 1},
	    {"short again", 10, false, false, 0},
	    {"long again", 3000, false, false, 1},
	    {"written by a process that knows nothing unseen", 3100, false, true, 0},
	    {"its length changed there", 3200, false, true, 0},
	    {"much longer there", 30000, false, true, 0},
	    {"in an index there", 30000, true, true, 0},
	    {"written by one that does", 3300, false, false, 1},
	};
	struct item item;

	opened(p);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		item = life_of(p, steps[i].len, steps[i].listed);
		p->table->unseen = steps[i].seen ? NULL : is_unseen;
		if (table_put(p->table, &p->call, item) != TABLE_OK)
			bail_out("no write: %s", p->call.why);
		is_stored(p, &item, steps[i].packed, steps[i].after);
	}
	table_close(p->table);
	opened(p);
	is_stored(p, &item, 1, "opened again");
}

/* What takes an item away takes all of it. */
static void
ends(struct place *p)
{
	struct key key = {STR("P"), STR("REVISION")};
	struct write gone = {.kind = WRITE_DELETE, .key = key};
	struct change change = {CHANGE_SET, STR("ExpiresAt"), value_number(NOW / 1000)};
	struct write ends = {
	    .kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1};
	struct write never = {.kind = WRITE_PUT, .item = life_of(p, 5000, false)};
	struct condition none = {.op = COND_MISSING, .name = STR("PK")};
	struct item item = life_of(p, 9000, false);
	struct str why;
	uint32_t removed = 0;

	table_write(p->table, &p->call, &gone);
	is_stored(p, NULL, 0, "deleted");
	table_put(p->table, &p->call, item);
	never.condition = &none;
	is_int(table_write(p->table, &p->call, &never), TABLE_CONDITION, "a write is refused");
	is_stored(p, &item, 1, "after that");
	is_int(table_write(p->table, &p->call, &ends), TABLE_OK, "it is to expire");
	p->clock.fixed_now += 1000;
	is_int(rows_packed(p), 1, "and is there until it is swept");
	table_sweep(p->table, &p->call, 10, &removed);
	is_int(removed, 1, "which it is");
	is_stored(p, NULL, 0, "swept");
	table_put(p->table, &p->call, item);
	is_int(table_sqlite_backup(p->table,
		   str_cstring(p->arena, str_fmt(p->arena, "%s/copy", p->place.folder)), NULL,
		   p->arena, &why),
	    TABLE_OK, "a backup");
	never = (struct write){.kind = WRITE_PUT, .item = item_of(p, 1, "REVISION#1")};
	item_set(p->arena, &never.item, STR("Text"), value_string(prose(p, 5000)));
	table_write(p->table, &p->call, &never);
	is_int(rows_packed(p), 2, "another one");
	is_int(table_sqlite_restore(p->table,
		   str_cstring(p->arena, str_fmt(p->arena, "%s/copy", p->place.folder)), p->arena,
		   &why),
	    TABLE_OK, "the backup is restored");
	is_stored(p, &item, 1, "restored");
}

/* Rows that store_row() would not have written are found. */
static void
damaged_rows(struct place *p)
{
	static const char *const damages[] = {
	    "DELETE FROM packed",
	    "INSERT INTO packed(size, data) VALUES(1, 'x')",
	    "INSERT INTO gsi1(gsi, place, data) VALUES('x', 'y', 'z')",
	    "DELETE FROM gsi2",
	    "UPDATE gsi3 SET data = 'x'",
	    "UPDATE item SET gsi4 = NULL",
	};
	sqlite3 *db = ((struct sqlite_table *)p->table)->writer->db;
	struct str why;

	table_put(p->table, &p->call, head(p, 1, 1));
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		if (sqlite3_exec(db, "SAVEPOINT sound", NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(db, damages[i], NULL, NULL, NULL) != SQLITE_OK)
			bail_out("cannot damage it: %s", sqlite3_errmsg(db));
		ok(row_error(db) != NULL, "%s: %s", damages[i], row_error(db));
		sqlite3_exec(db, "ROLLBACK TO sound; RELEASE sound", NULL, NULL, NULL);
	}
	ok(table_sqlite_check(p->table, p->arena, &why) == TABLE_OK,
	    "without any the file is sound");
}

int
main(void)
{
	struct place p = {.clock = clock_fixed(NOW, 1), .arena = arena_new()};

	p.call.arena = p.arena;
	sqlite_place_make(&p.place);
	pages(&p);
	sqlite_place_remove(&p.place);
	sqlite_place_make(&p.place);
	lives(&p);
	ends(&p);
	damaged_rows(&p);
	table_close(p.table);
	sqlite_place_remove(&p.place);
	arena_free(p.arena);
	return tap_done();
}
