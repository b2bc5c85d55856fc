/* Copying a table, at once and in parts, and the sums by which tables are compared. */
#include "lib/tap.h"

#include "base/arena.h"
#include "sqlite_harness.h"
#include "table/copy.h"

enum { ITEMS = 700 };

static void
fill(struct table *table, struct arena *arena, int from, int to)
{
	struct table_call call = {.arena = arena};

	for (int i = from; i < to; i++) {
		struct item item = {0};

		item_set(arena, &item, STR("PK"), value_string(str_fmt(arena, "P#%d", i % 7)));
		item_set(arena, &item, STR("SK"), value_string(str_fmt(arena, "S#%d", i)));
		item_set(arena, &item, STR("N"), value_number(i));
		/* What has expired is copied too. */
		if (i % 5 == 0)
			item_set(arena, &item, TABLE_EXPIRES, value_number(1));
		if (table_put(table, &call, item) != TABLE_OK)
			bail_out("an item can't be put: %s", call.why);
	}
}

static struct table_sum
sum_of(struct table *table, struct arena *arena)
{
	struct table_sum sum;
	struct str why;

	if (table_sum(table, NULL, NULL, NULL, arena, &sum, &why) != TABLE_OK)
		bail_out("no sum: %.*s", STR_ARGS(why));
	return sum;
}

/* Stops a copy after its first page, and keeps its position. */
struct stopper {
	bool stop;
	struct arena *arena;
	struct str cursor;
};

static void
progress(void *context, uint64_t items, struct str cursor)
{
	struct stopper *stopper = context;

	(void)items;
	stopper->stop = true;
	stopper->cursor = str_dup(stopper->arena, cursor);
}

static void
both_ways(struct table *one, struct table *other, struct arena *arena)
{
	struct stopper stopper = {.arena = arena};
	struct copy copy = {.from = one,
	    .to = other,
	    .progress = progress,
	    .context = &stopper,
	    .stop = &stopper.stop};
	struct table_sum a, b;
	struct str why = STR("");
	uint64_t items;

	fill(one, arena, 0, ITEMS);
	a = sum_of(one, arena);
	is_int((int64_t)a.items, ITEMS, "the sum counts every item");
	is_int(table_copy(&copy, arena, &items, &why), TABLE_DEADLINE, "a copy that is stopped");
	ok(items > 0 && items < ITEMS, "has copied a part");
	b = sum_of(other, arena);
	ok(b.items == items && !table_sum_eq(&a, &b), "which has another sum");
	copy.cursor = stopper.cursor;
	copy.stop = NULL;
	is_int(table_copy(&copy, arena, &items, &why), TABLE_OK, "it goes on from there");
	is_int((int64_t)(items + b.items), ITEMS, "and copies the rest, nothing twice");
	b = sum_of(other, arena);
	ok(table_sum_eq(&a, &b), "now both sums are the same");
	is_str(table_sum_text(arena, &a), table_sum_text(arena, &b), "as texts too");
	fill(other, arena, ITEMS, ITEMS + 1);
	copy = (struct copy){.from = other, .to = one};
	is_int(table_copy(&copy, arena, &items, &why), TABLE_OK, "the way back");
	a = sum_of(one, arena);
	b = sum_of(other, arena);
	ok(table_sum_eq(&a, &b) && a.items == ITEMS + 1, "brings what is new");
}

/* Adjacent items that are too many for one transaction. */
static void
large(struct table *one, struct table *other, struct arena *arena)
{
	enum { LARGE = 12, BYTES = 390 * 1000 };
	struct table_call call = {.arena = arena};
	struct copy copy = {.from = one, .to = other};
	struct str text = {arena_alloc(arena, BYTES), BYTES}, why = STR("");
	struct table_sum a, b;
	uint64_t items;

	memset((char *)text.base, 'x', BYTES);
	for (int i = 0; i < LARGE; i++) {
		struct item item = {0};

		item_set(arena, &item, STR("PK"), value_string(STR("LARGE")));
		item_set(arena, &item, STR("SK"), value_string(str_fmt(arena, "S#%d", i)));
		item_set(arena, &item, STR("Text"), value_string(text));
		if (table_put(one, &call, item) != TABLE_OK)
			bail_out("a large item can't be put: %s", call.why);
	}
	is_int(table_copy(&copy, arena, &items, &why), TABLE_OK, "large items are copied");
	a = sum_of(one, arena);
	b = sum_of(other, arena);
	ok(table_sum_eq(&a, &b), "all of them");
}

static void
wrong(struct table *from, struct table *to, struct arena *arena)
{
	struct copy copy = {.from = from, .to = to, .cursor = STR("x")};
	struct str why = STR("");
	uint64_t items;

	is_int(table_copy(&copy, arena, &items, &why), TABLE_BAD_CURSOR, "a cursor of nothing");
	ok(why.len > 0 && items == 0, "is told, and nothing is copied");
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock = clock_system();
	struct sqlite_place places[2];
	struct harness harnesses[] = {sqlite_harness(&places[0]), sqlite_harness(&places[1])};
	struct table *tables[2];

	for (int i = 0; i < 2; i++) {
		tables[i] = harnesses[i].open(harnesses[i].context, &clock);
		if (tables[i] == NULL)
			bail_out("no table");
	}
	both_ways(tables[0], tables[1], arena);
	large(tables[0], tables[1], arena);
	wrong(tables[0], tables[1], arena);
	for (int i = 0; i < 2; i++) {
		table_close(tables[i]);
		harnesses[i].closed(harnesses[i].context);
	}
	arena_free(arena);
	return tap_done();
}
