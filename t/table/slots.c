/*
 * The slots of the embedded table: which reads a write outdates, and which it does not; writers
 * that name no slots; and, with concurrent writers, that what counts as unchanged is.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/slots.h"
#include "table/sqlite/sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOW = 1700000000 };

struct bench {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
};

static void
open_bench(struct bench *b)
{
	*b = (struct bench){.clock = clock_fixed(NOW * INT64_C(1000), 1), .arena = arena_new()};
	sqlite_place_make(&b->place);
	b->table = sqlite_place_open(&b->place, &b->clock);
	if (b->table == NULL)
		bail_out("no table");
}

static void
close_bench(struct bench *b)
{
	table_close(b->table);
	sqlite_place_remove(&b->place);
	arena_free(b->arena);
}

static void
must(enum table_rc rc)
{
	if (rc != TABLE_OK)
		bail_out("the table fails: %s", table_rc_text(rc));
}

static void
put(struct bench *b, const char *text)
{
	struct table_call call = {.arena = b->arena};

	must(table_put(b->table, &call, unspell_item(b->arena, text)));
}

/* --- What a write outdates --------------------------------------------------------------------------- */

static const struct key a1_b1[] = {{STR_INIT("a"), STR_INIT("1")}, {STR_INIT("b"), STR_INIT("1")}};

#define QUERY(i, p)                                                                                \
	{                                                                                          \
		.kind = READ_QUERY, .query = {.index = (i), .partition = STR_INIT(p), .limit = 9 } \
	}
static const struct read reads[] = {
    {.kind = READ_GET, .key = {STR_INIT("a"), STR_INIT("1")}},
    QUERY(TABLE_PRIMARY, "a"),
    {.kind = READ_BATCH, .batch = {a1_b1, 2}},
    QUERY(TABLE_GSI1, "p"),
    QUERY(TABLE_GSI1, "q"),
    QUERY(TABLE_GSI2, "p"),
    {.kind = READ_GET, .key = {STR_INIT("a"), STR_INIT("2")}},
};
enum { READS = sizeof(reads) / sizeof(reads[0]) };
static const char *const read_names[READS] = {
    "a/1", "all of a", "a/1 and b/1", "GSI1 p", "GSI1 q", "GSI2 p", "a/2"};

/* Notes all reads, each by itself. */
static uint64_t
note_all(struct bench *b, struct read_set *sets)
{
	uint64_t since = table_version(b->table);

	for (size_t i = 0; i < READS; i++) {
		struct table_call call = {.arena = b->arena, .noted = &sets[i]};
		struct read read = reads[i];

		sets[i] = (struct read_set){.count = 0};
		must(table_read(b->table, &call, &read, 1));
	}
	return since;
}

/* 'x' for each read that is outdated, '.' for one that is not. */
static struct str
outdated(struct bench *b, const struct read_set *sets, uint64_t since)
{
	struct buf out = {.arena = b->arena};

	for (size_t i = 0; i < READS; i++)
		buf_putc(
		    &out, slots_unchanged(b->table->slots, &sets[i], since, table_version(b->table))
			      ? '.'
			      : 'x');
	return buf_str(&out);
}

#define P "GSI1PK: 'p', GSI1SK: '1'"
#define Q "GSI1PK: 'q', GSI1SK: '1'"

static void
of_writes(struct bench *b)
{
	static const struct {
		const char *before, *after, *outdated, *what; /* NULL: it is not there */
	} cases[] = {
	    {NULL, "{PK: 'a', SK: '1'}", "xxx....", "an item that is new"},
	    {NULL, "{PK: 'a', SK: '1', " P "}", "xxxx...", "one in an index"},
	    {"{PK: 'a', SK: '1', " P "}", "{PK: 'a', SK: '1', N: 1, " P "}", "xxxx...",
		"an item whose place in an index stays"},
	    {"{PK: 'a', SK: '1', " P "}", "{PK: 'a', SK: '1', " Q "}", "xxxxx..",
		"one that goes to another partition of the index"},
	    {"{PK: 'a', SK: '1', " Q "}", "{PK: 'a', SK: '1'}", "xxx.x..",
		"one that leaves the index"},
	    {"{PK: 'a', SK: '1', " P ", GSI2PK: 'p', GSI2SK: '1'}", NULL, "xxxx.x.",
		"one that goes from two indexes"},
	    {"{PK: 'a', SK: '1', " P "}", "{PK: 'a', SK: '1', " P "}", ".......",
		"one that is written as it was"},
	    {NULL, "{PK: 'a', SK: '2'}", ".x....x", "one beside it"},
	    {NULL, "{PK: 'c', SK: '1'}", ".......", "one elsewhere"},
	    {NULL, "{PK: 'p', SK: '1'}", ".......",
		"one in a partition of the table that is called as that of an index"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct table_call call = {.arena = b->arena};
		struct read_set sets[READS];
		uint64_t since;

		if (cases[i].before != NULL)
			put(b, cases[i].before);
		since = note_all(b, sets);
		if (cases[i].after != NULL) {
			put(b, cases[i].after);
		} else {
			struct item old = unspell_item(b->arena, cases[i].before);
			struct write write = {.kind = WRITE_DELETE, .key = item_key(&old)};

			must(table_write(b->table, &call, &write));
		}
		is_str(outdated(b, sets, since), str_of(cases[i].outdated), "%s: what is outdated",
		    cases[i].what);
		if (cases[i].after != NULL) {
			struct item new = unspell_item(b->arena, cases[i].after);
			struct write write = {.kind = WRITE_DELETE, .key = item_key(&new)};

			must(table_write(b->table, &call, &write));
		}
	}
	ok(READS == sizeof(read_names) / sizeof(read_names[0]), "of %s, %s and others",
	    read_names[0], read_names[1]);
}

static void
of_other_writes(struct bench *b)
{
	struct table_call call = {.arena = b->arena};
	struct write both[] = {{.kind = WRITE_PUT}, {.kind = WRITE_PUT}};
	const struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct read_set sets[READS];
	uint32_t removed;
	uint64_t since;

	put(b, "{PK: 'a', SK: '1', ExpiresAt: 1699999999, " P "}");
	since = note_all(b, sets);
	must(table_sweep(b->table, &call, 10, &removed));
	is_str(outdated(b, sets, since), STR("xxxx..."), "what the sweep removes is outdated");
	since = note_all(b, sets);
	both[0].item = unspell_item(b->arena, "{PK: 'c', SK: '2', " Q "}");
	both[1].item = unspell_item(b->arena, "{PK: 'a', SK: '2'}");
	must(table_transact(b->table, &call, both, 2, STR("")));
	is_str(outdated(b, sets, since), STR(".x..x.x"), "what a transaction writes is outdated");
	since = note_all(b, sets);
	both[0].item = unspell_item(b->arena, "{PK: 'c', SK: '2'}");
	both[1].condition = &missing;
	is_int(
	    table_transact(b->table, &call, both, 2, STR("")), TABLE_CANCELLED, "one that fails");
	is_str(outdated(b, sets, since), STR("......."), "... outdates nothing");
	put(b, "{PK: 'c', SK: '3'}");
	is_str(outdated(b, sets, since), STR("......."), "... nor does it with the next write");
}

static void
too_much(struct bench *b)
{
	struct read_set set = {.count = 0}, more = {.count = 0};
	uint64_t version = table_version(b->table);

	for (int i = 0; i < READ_SET_MAX; i++)
		read_set_note(
		    &set, &(struct read){.key = {STR("many"), str_fmt(b->arena, "%d", i)}});
	ok(slots_unchanged(b->table->slots, &set, version, version), "many reads are noted");
	for (int i = 0; i < READ_SET_MAX; i++)
		read_set_note(
		    &more, &(struct read){.key = {STR("more"), str_fmt(b->arena, "%d", i)}});
	read_set_join(&set, &more);
	ok(!slots_unchanged(b->table->slots, &set, version, version),
	    "too many depend on the whole table");
	ok(!slots_unchanged(NULL, &more, version, version), "without slots nobody knows");
}

/* --- Who may have written anything ------------------------------------------------------------------- */

/* What an older version of this program knows of the lock file. */
struct old_page {
	char magic[16];
	_Atomic uint64_t version;
	_Atomic uint32_t writing;
};

static void
of_strangers(struct bench *b)
{
	struct str path = str_fmt(b->arena, "%s-lock", b->place.path);
	int fd = open(str_cstring(b->arena, path), O_RDWR | O_CLOEXEC);
	struct old_page *page =
	    mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct read_set sets[READS], later[READS];
	uint64_t since, then;

	if (page == MAP_FAILED)
		bail_out("the lock file can't be mapped");
	put(b, "{PK: 'c', SK: '4'}");
	since = note_all(b, sets);
	page->version++;
	is_str(outdated(b, sets, since), STR("xxxxxxx"),
	    "an older version of the program, which stamps nothing, outdates everything");
	then = note_all(b, later);
	put(b, "{PK: 'c', SK: '4', N: 1}");
	is_str(outdated(b, sets, since), STR("xxxxxxx"), "... for good");
	then = note_all(b, later);
	put(b, "{PK: 'c', SK: '4', N: 2}");
	is_str(outdated(b, later, then), STR("......."), "what is read after that is not outdated");
	since = note_all(b, sets);
	page->writing = 1;
	put(b, "{PK: 'c', SK: '4', N: 3}");
	is_str(outdated(b, sets, since), STR("xxxxxxx"),
	    "a writer that died may have changed anything");
	munmap(page, sizeof(*page));
	close(fd);
}

static void
of_restoring(struct bench *b)
{
	struct str backup = str_fmt(b->arena, "%s.backup", b->place.path), why = STR("");
	const char *path = str_cstring(b->arena, backup);
	struct read_set sets[READS];
	uint64_t since;

	must(table_sqlite_backup(b->table, path, NULL, b->arena, &why));
	since = note_all(b, sets);
	must(table_sqlite_restore(b->table, path, b->arena, &why));
	is_str(outdated(b, sets, since), STR("xxxxxxx"), "a backup that is restored does, too");
	unlink(path);
}

/* --- Beneath writers ----------------------------------------------------------------------------------- */

enum { WRITERS = 2, READERS = 3, WRITES = 1500, WRITES_MAX = 200 * WRITES, PARTS = 12 };

struct storm {
	struct bench *b;
	atomic_uint writing, wrong, kept, outdated;
};

struct part {
	struct storm *storm;
	unsigned number;
};

/* Until readers have met both, however seldom they get a turn. */
static bool
goes_on(const struct storm *storm, unsigned n)
{
	return n < WRITES || (n < WRITES_MAX && (storm->kept == 0 || storm->outdated == 0));
}

/* Items go from one partition of the index to another, and in and out of it. */
static void *
writer(void *arg)
{
	struct part *part = arg;
	struct arena *arena = arena_new();

	for (unsigned n = 0; goes_on(part->storm, n); n++) {
		struct table_call call = {.arena = arena};
		unsigned at = (n * 7 + part->number) % PARTS;
		struct str text =
		    n % 5 == 0 ? str_fmt(arena, "{PK: 'w%u', SK: '%u', N: %u}", at % 4, at, n)
			       : str_fmt(arena,
				     "{PK: 'w%u', SK: '%u', N: %u, GSI1PK: 'g%u', GSI1SK: '%u'}",
				     at % 4, at, n, n % 6, at);

		must(table_put(
		    part->storm->b->table, &call, unspell_item(arena, str_cstring(arena, text))));
		arena_reset(arena);
	}
	part->storm->writing--;
	arena_free(arena);
	return NULL;
}

/* Two dependent reads of one moment, as text: a partition of the table, and then one of the index. */
static struct str
read_text(struct bench *b, struct arena *arena, unsigned n, struct read_set *set)
{
	struct table_call call = {.arena = arena, .noted = set};
	struct read read = {
	    .kind = READ_QUERY, .query = {.partition = str_fmt(arena, "w%u", n % 4), .limit = 100}};
	struct buf out = {.arena = arena};

	must(table_hold(b->table, &call));
	for (int trip = 0; trip < 2; trip++) {
		must(table_read(b->table, &call, &read, 1));
		for (size_t i = 0; i < read.found_count; i++)
			spell_item(&out, &read.found[i]);
		read.query.index = TABLE_GSI1;
		read.query.partition = str_fmt(arena, "g%u", n % 6);
	}
	table_release(b->table, &call);
	return buf_str(&out);
}

static void *
reader(void *arg)
{
	struct storm *storm = arg;
	struct table *table = storm->b->table;
	struct arena *arena = arena_new();

	for (unsigned n = 0; storm->writing != 0; n++) {
		struct read_set set = {.count = 0};
		uint64_t since = table_version(table), later;
		struct str text = read_text(storm->b, arena, n, &set), again;

		later = table_version(table);
		if (slots_unchanged(table->slots, &set, since, later)) {
			again = read_text(storm->b, arena, n, NULL);
			/* Still unchanged after that, it must be the same. */
			if (slots_unchanged(table->slots, &set, since, table_version(table)))
				storm->wrong += !str_eq(again, text);
			storm->kept += later != since;
		} else {
			storm->outdated++;
		}
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
beneath_writers(struct bench *b)
{
	struct storm storm = {.b = b, .writing = WRITERS};
	struct part parts[WRITERS];
	pthread_t ids[WRITERS + READERS];

	for (unsigned i = 0; i < WRITERS + READERS; i++) {
		if (i < WRITERS)
			parts[i] = (struct part){&storm, i};
		if (pthread_create(&ids[i], NULL, i < WRITERS ? writer : reader,
			i < WRITERS ? (void *)&parts[i] : &storm) != 0)
			bail_out("no thread");
	}
	for (unsigned i = 0; i < WRITERS + READERS; i++)
		pthread_join(ids[i], NULL);
	is_int(storm.wrong, 0, "beneath writers, what is called unchanged is");
	ok(storm.kept > 0 && storm.outdated > 0,
	    "some was, through writes of other things, and some not");
}

int
main(void)
{
	struct bench b;

	open_bench(&b);
	/* Who has written to a new file is unknown; from its first write on it is known. */
	put(&b, "{PK: 'c', SK: '0'}");
	of_writes(&b);
	of_other_writes(&b);
	too_much(&b);
	of_strangers(&b);
	of_restoring(&b);
	beneath_writers(&b);
	close_bench(&b);
	return tap_done();
}
