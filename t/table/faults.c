/*
 * The embedded table on a disk that fails: the first system call of a write, then the second, and so on
 * until a run meets no failure; for a while or permanently; with EIO, ENOSPC, at every sync. A write
 * that is answered with TABLE_OK is there, others are not, unless the answer is unsure; no transaction is
 * partial; and when the disk works again, so does the table.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "fault_calls.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <errno.h>

enum { TRIALS_MAX = 3000, PARTS = 4, LARGE_BYTES = 300 * 1024 };

enum deed { DEED_PUT, DEED_TRANSACTION, DEED_LARGE, DEED_READ };

struct trial {
	const char *name;
	enum deed deed;
	enum fault_calls calls;
	int error;
	bool on;         /* all later calls fail too */
	bool reopen;     /* the table is opened anew before each try, its cache cold */
	unsigned stride; /* between tries, in parts of a hundred of n; 0: every n */
};

struct bench {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
	unsigned serial; /* of the writes */
};

static void
reopen(struct bench *bench)
{
	table_close(bench->table);
	bench->table = sqlite_place_open(&bench->place, &bench->clock);
	if (bench->table == NULL)
		bail_out("the table can't be opened again");
}

static struct item
part_of(struct bench *bench, unsigned serial, int part, size_t bytes)
{
	struct item item = {0};
	struct arena *arena = bench->arena;

	item_set(arena, &item, STR("PK"), value_string(str_fmt(arena, "trial %u", serial)));
	item_set(arena, &item, STR("SK"), value_string(str_fmt(arena, "%d", part)));
	item_set(arena, &item, STR("GSI1PK"), value_string(STR("all")));
	item_set(arena, &item, STR("GSI1SK"), value_string(str_fmt(arena, "%u#%d", serial, part)));
	item_set(arena, &item, STR("Data"),
	    value_binary((struct str){arena_alloc(arena, bytes), bytes}));
	return item;
}

static int
parts_in(enum deed deed)
{
	return deed == DEED_PUT ? 1 : PARTS;
}

static enum table_rc
write_parts(struct bench *bench, enum deed deed, unsigned serial, struct table_call *call)
{
	size_t bytes = deed == DEED_LARGE ? LARGE_BYTES : 100;
	struct write writes[PARTS] = {0};

	for (int i = 0; i < PARTS; i++)
		writes[i] =
		    (struct write){.kind = WRITE_PUT, .item = part_of(bench, serial, i, bytes)};
	if (deed == DEED_PUT)
		return table_write(bench->table, call, &writes[0]);
	return table_transact(bench->table, call, writes, PARTS, STR(""));
}

/* How many parts of a write are there; -1 when they can't be read. */
static int
parts_there(struct bench *bench, unsigned serial)
{
	struct table_call call = {.arena = bench->arena};
	struct query query = {.partition = str_fmt(bench->arena, "trial %u", serial), .limit = 100};
	struct item *items;
	struct str next;
	size_t count;

	if (table_query(bench->table, &call, &query, &items, &count, &next) != TABLE_OK) {
		fprintf(stderr, "# the table can't be read: %s\n", call.why);
		return -1;
	}
	return (int)count;
}

static bool
complain(const struct trial *trial, unsigned n, const char *what, enum table_rc rc, int parts)
{
	fprintf(stderr, "# %s, call %u: %s (%s, %d parts)\n", trial->name, n, what, spell_rc(rc),
	    parts);
	return false;
}

/*
 * Is this a right answer to such a failure? To SQLite an unreadable page is corrupt; to us it is
 * not.
 */
static bool
fits(const struct trial *trial, enum table_rc rc)
{
	switch (rc) {
	case TABLE_OK:
	case TABLE_UNAVAILABLE: return true;
	case TABLE_FULL: return trial->error == ENOSPC;
	case TABLE_DEADLINE: return trial->calls == FAULT_LOCK;
	default: return false;
	}
}

/* Does what is there agree with the answer? */
static bool
agrees(const struct trial *trial, struct bench *bench, unsigned n, enum table_rc rc, bool unsure)
{
	int parts = parts_there(bench, bench->serial), all = parts_in(trial->deed);

	if (parts != 0 && parts != all)
		return complain(trial, n, "a write by halves", rc, parts);
	if (rc == TABLE_OK && parts != all)
		return complain(trial, n, "acknowledged, but not there", rc, parts);
	if (rc != TABLE_OK && !unsure && parts != 0)
		return complain(trial, n, "refused for sure, but there", rc, parts);
	return fits(trial, rc) ||
	       complain(trial, n, "an answer that no disk's failure has", rc, parts);
}

/* The disk works again: nothing is lost, and new writes are stored. */
static bool
recovered(const struct trial *trial, struct bench *bench, unsigned n)
{
	struct table_call call = {.arena = bench->arena};
	enum table_rc rc;

	bench->serial++;
	rc = write_parts(bench, DEED_TRANSACTION, bench->serial, &call);
	if (rc != TABLE_OK || parts_there(bench, bench->serial) != PARTS)
		return complain(trial, n, "the table does not work again", rc, 0);
	return true;
}

static bool
write_once(const struct trial *trial, struct bench *bench, unsigned n, bool *struck)
{
	struct table_call call = {.arena = bench->arena};
	enum table_rc rc;
	bool good;

	bench->serial++;
	faults_arm(trial->calls, trial->error, n, trial->on);
	rc = write_parts(bench, trial->deed, bench->serial, &call);
	*struck = faults_disarm() != 0;
	if (rc != TABLE_OK && call.why == NULL)
		return complain(trial, n, "a failure without a reason", rc, 0);
	good = agrees(trial, bench, n, rc, call.unsure);
	if (good && trial->reopen) {
		reopen(bench);
		good = agrees(trial, bench, n, rc, call.unsure);
	}
	return good && recovered(trial, bench, n);
}

/* A read gives what is there, or fails. */
static bool
read_once(const struct trial *trial, struct bench *bench, unsigned n, bool *struck)
{
	struct table_call call = {.arena = bench->arena};
	struct query query = {.index = TABLE_GSI1, .partition = STR("all"), .limit = 4};
	struct item *items;
	struct str next;
	size_t count = 0;
	enum table_rc rc;

	faults_arm(trial->calls, trial->error, n, trial->on);
	rc = table_query(bench->table, &call, &query, &items, &count, &next);
	*struck = faults_disarm() != 0;
	if (rc == TABLE_OK && (count != 4 || items[0].count != 5))
		return complain(trial, n, "a read that gives less than is there", rc, (int)count);
	if (!fits(trial, rc))
		return complain(trial, n, "an answer that no disk's failure has", rc, 0);
	rc = table_query(bench->table, &call, &query, &items, &count, &next);
	if (rc != TABLE_OK || count != 4)
		return complain(trial, n, "no read works any more", rc, (int)count);
	return true;
}

static void
run(const struct trial *trial, struct bench *bench)
{
	bool good = true, struck = true;
	unsigned n, tries = 0, failures = 0;

	reopen(bench);
	for (n = 1; good && struck && n < TRIALS_MAX; n += 1 + n * trial->stride / 100) {
		struct table_call call = {.arena = bench->arena};

		arena_reset(bench->arena);
		if (trial->reopen)
			reopen(bench);
		/* A first write maps and locks things that later ones find done. */
		if (!trial->reopen && trial->deed != DEED_READ)
			write_parts(bench, DEED_PUT, ++bench->serial, &call);
		good = trial->deed == DEED_READ ? read_once(trial, bench, n, &struck)
						: write_once(trial, bench, n, &struck);
		tries++;
		failures += struck;
	}
	ok(good && failures != 0, "%s: %u tries, %u with a failure", trial->name, tries, failures);
	ok(!struck || !good, "and the last one had none left to meet");
}

/* Opening on a disk that fails says so, and succeeds when the disk does. */
static void
opening(struct bench *bench, bool on)
{
	unsigned struck = 1, n, failed = 0;
	bool good = true;

	for (n = 1; good && struck != 0 && n < TRIALS_MAX; n++) {
		struct str why = STR("");
		struct table *table;
		enum table_rc rc;

		arena_reset(bench->arena);
		table_close(bench->table);
		faults_arm(FAULT_ANY, EIO, n, on);
		rc = table_sqlite_open(bench->place.path, TABLE_OPEN_EXISTING, &bench->clock,
		    bench->arena, &table, &why);
		struck = faults_disarm();
		good = (rc == TABLE_OK) == (table != NULL) && (rc == TABLE_OK || why.len != 0);
		failed += rc != TABLE_OK;
		table_close(table);
		bench->table = sqlite_place_open(&bench->place, &bench->clock);
		good = good && bench->table != NULL && parts_there(bench, bench->serial) == PARTS;
	}
	ok(good && failed != 0, "opening fails %u times with a reason, and then succeeds (%s)",
	    failed, on ? "for good" : "one call");
}

int
main(void)
{
	static const struct trial trials[] = {
	    {"put, EIO", DEED_PUT, FAULT_ANY, EIO, false, false, 0},
	    {"put, EIO for good", DEED_PUT, FAULT_ANY, EIO, true, false, 0},
	    {"put into a cold table, EIO", DEED_PUT, FAULT_ANY, EIO, false, true, 0},
	    {"put into a cold table, EIO for good", DEED_PUT, FAULT_ANY, EIO, true, true, 0},
	    {"put, disk full", DEED_PUT, FAULT_WRITE, ENOSPC, false, false, 0},
	    {"put, disk full for good", DEED_PUT, FAULT_WRITE, ENOSPC, true, true, 0},
	    {"put, sync fails", DEED_PUT, FAULT_SYNC, EIO, false, true, 0},
	    {"transaction, EIO", DEED_TRANSACTION, FAULT_ANY, EIO, false, false, 0},
	    {"transaction, EIO for good", DEED_TRANSACTION, FAULT_ANY, EIO, true, true, 0},
	    {"transaction, disk full", DEED_TRANSACTION, FAULT_WRITE, ENOSPC, false, true, 0},
	    {"transaction, disk full for good", DEED_TRANSACTION, FAULT_WRITE, ENOSPC, true, false,
		0},
	    {"transaction, sync fails", DEED_TRANSACTION, FAULT_SYNC, EIO, false, true, 0},
	    {"large transaction, EIO", DEED_LARGE, FAULT_ANY, EIO, false, false, 12},
	    {"large transaction, EIO for good", DEED_LARGE, FAULT_ANY, EIO, true, true, 12},
	    {"large transaction, disk full", DEED_LARGE, FAULT_WRITE, ENOSPC, true, false, 12},
	    {"query, EIO", DEED_READ, FAULT_ANY, EIO, false, true, 0},
	    {"query, EIO for good", DEED_READ, FAULT_ANY, EIO, true, true, 0},
	    {"put, a lock fails", DEED_PUT, FAULT_LOCK, EIO, false, true, 0},
	    {"query, a lock fails", DEED_READ, FAULT_LOCK, EIO, false, true, 0},
	};
	static struct bench bench;
	struct str why = STR("");

	faults_install();
	bench.clock = clock_system();
	bench.arena = arena_new();
	sqlite_place_make(&bench.place);
	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
		if (bench.table == NULL) {
			struct table_call call = {.arena = bench.arena};

			reopen(&bench);
			write_parts(&bench, DEED_TRANSACTION, bench.serial, &call);
		}
		run(&trials[i], &bench);
	}
	recovered(&trials[0], &bench, 0);
	opening(&bench, false);
	opening(&bench, true);
	ok(table_sqlite_check(bench.table, bench.arena, &why) == TABLE_OK,
	    "after all of it SQLite finds the file sound");
	if (why.len != 0)
		tap_show("why", why);
	table_close(bench.table);
	sqlite_place_remove(&bench.place);
	arena_free(bench.arena);
	return tap_done();
}
