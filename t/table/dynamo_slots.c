/* The slots of the distributed table: what of the caches is outdated by a write of our own, and by the next second. */
#include "dynamo_local.h"
#include "lib/tap.h"
#include "spell.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "table/slots.h"

enum { TIMEOUT_MS = 60000 };

struct bench {
	struct clock clock;
	struct table *table;
	struct arena *arena;
};

#define QUERY(i, p)                                                                                \
	{                                                                                          \
		.kind = READ_QUERY, .query = {.index = (i), .partition = STR_INIT(p), .limit = 9 } \
	}
static const struct read reads[] = {
    {.kind = READ_GET, .key = {STR_INIT("a"), STR_INIT("1")}},
    QUERY(TABLE_PRIMARY, "a"),
    QUERY(TABLE_GSI1, "p"),
    QUERY(TABLE_GSI1, "q"),
    QUERY(TABLE_GSI2, "p"),
    {.kind = READ_GET, .key = {STR_INIT("a"), STR_INIT("2")}},
};
enum { READS = sizeof(reads) / sizeof(reads[0]) };

static bool
is_unseen(struct key key)
{
	return str_eq(key.pk, STR("unseen"));
}

static void
must(enum table_rc rc)
{
	if (rc != TABLE_OK)
		bail_out("the table fails: %s", table_rc_text(rc));
}

/* Notes all reads, each by itself. */
static uint64_t
note_all(struct bench *b, struct read_set *sets)
{
	uint64_t since = table_version(b->table);

	for (size_t i = 0; i < READS; i++) {
		sets[i] = (struct read_set){.count = 0};
		read_set_note(&sets[i], &reads[i]);
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
static const struct condition missing = {.op = COND_MISSING, .name = STR_INIT("PK")};
static const struct condition present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
static const struct change plain[] = {{CHANGE_SET, STR_INIT("N"), {.kind = VALUE_NUMBER, .number = 1}}};
static const struct change to_q[] = {
    {CHANGE_SET, STR_INIT("GSI1PK"), {.kind = VALUE_STRING, .string = STR_INIT("q")}}};

/* One after another on the item a/1, or on what the case says. */
static void
of_writes(struct bench *b)
{
	const struct item in_p = unspell_item(b->arena, "{" P "}");
	const struct {
		struct write write;
		const char *outdated, *what;
	} cases[] = {
	    {{WRITE_PUT, .item = unspell_item(b->arena, "{PK: 'a', SK: '1', " P "}"),
		 .condition = &missing},
		"xxx...", "an item where none was"},
	    {{WRITE_UPDATE, .key = reads[0].key, .changes = plain, .change_count = 1},
		"xxxxxx", "an update of what may be anywhere"},
	    {{WRITE_UPDATE, .key = reads[0].key, .changes = plain, .change_count = 1,
		 .places = &in_p},
		"xxx...", "an update of what the writer knows"},
	    {{WRITE_UPDATE, .key = reads[0].key, .changes = to_q, .change_count = 1,
		 .places = &in_p},
		"xxxx..", "one that takes it elsewhere"},
	    {{WRITE_PUT, .item = unspell_item(b->arena, "{PK: 'a', SK: '1', " P "}")}, "xxxxxx",
		"an item in place of another"},
	    {{WRITE_DELETE, .key = reads[0].key}, "xxxxxx", "one that goes"},
	    {{WRITE_PUT, .item = unspell_item(b->arena, "{PK: 'unseen', SK: '1'}")}, "......",
		"what nothing depends on"},
	    {{WRITE_PUT, .item = unspell_item(b->arena, "{PK: 'c', SK: '1'}"), .condition = &missing},
		"......", "an item elsewhere"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct table_call call = {.arena = b->arena};
		struct write write = cases[i].write;
		struct read_set sets[READS], later[READS];
		uint64_t since = note_all(b, sets), then;

		must(table_write(b->table, &call, &write));
		then = note_all(b, later);
		is_str(outdated(b, sets, since), str_of(cases[i].outdated), "%s: what is outdated",
		    cases[i].what);
		is_str(outdated(b, later, then), STR("......"), "... not what is read behind it");
	}
}

static void
of_checks(struct bench *b)
{
	struct table_call call = {.arena = b->arena};
	struct write both[] = {
	    {.kind = WRITE_PUT, .item = unspell_item(b->arena, "{PK: 'a', SK: '2'}"), .condition = &missing},
	    {.kind = WRITE_CHECK, .key = {STR("c"), STR("1")}, .condition = &present}};
	struct read_set sets[READS];
	uint64_t since = note_all(b, sets);

	must(table_transact(b->table, &call, both, 2, STR("")));
	is_str(outdated(b, sets, since), STR(".x...x"), "what a transaction checks is unchanged");
}

static void
of_time(struct bench *b)
{
	struct read_set sets[READS];
	uint64_t since = note_all(b, sets);

	b->clock.fixed_now += 999;
	is_str(outdated(b, sets, since), STR("......"), "for a second nothing is outdated");
	b->clock.fixed_now++;
	is_str(outdated(b, sets, since), STR("xxxxxx"), "... then others may have written anything");
	since = note_all(b, sets);
	is_str(outdated(b, sets, since), STR("......"), "... before that, not since");
}

int
main(void)
{
	struct bench b = {.clock = clock_fixed(INT64_C(1700000000000), 1), .arena = arena_new()};

	dynamo_local_need();
	b.table = dynamo_local_table("slots", &b.clock);
	if (b.table == NULL)
		bail_out("no table");
	b.table->deadline_ms = TIMEOUT_MS;
	b.table->unseen = is_unseen;
	of_writes(&b);
	of_checks(&b);
	of_time(&b);
	table_close(b.table);
	arena_free(b.arena);
	return tap_done();
}
