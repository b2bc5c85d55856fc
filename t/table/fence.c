/* The fence of a table: nobody writes while its item is there, but who is past it. */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"

#include <time.h>

static const struct key fence = {STR_INIT("MOVE"), STR_INIT("STATE")};

struct place {
	struct test_store store;
	struct clock clock;
	struct table *table, *other; /* the same, as two processes have it */
	struct arena *arena;
};

static struct item
item_at(struct arena *arena, struct key key, int64_t expires)
{
	struct item item = {0};

	item_set(arena, &item, STR("PK"), value_string(key.pk));
	item_set(arena, &item, STR("SK"), value_string(key.sk));
	if (expires != 0)
		item_set(arena, &item, TABLE_EXPIRES, value_number(expires));
	return item;
}

/* Closes the fence until then, in seconds; 0: for good. Others see it a moment later at most. */
static void
close_fence(struct place *p, int64_t expires)
{
	struct table_call call = {.arena = p->arena, .past_fence = true};

	if (table_put(p->table, &call, item_at(p->arena, fence, expires)) != TABLE_OK)
		bail_out("no fence: %s", call.why);
	nanosleep(&(struct timespec){.tv_sec = TABLE_FENCE_MS / 1000, .tv_nsec = 100 * 1000 * 1000}, NULL);
}

static void
open_fence(struct place *p)
{
	struct table_call call = {.arena = p->arena, .past_fence = true};
	struct write write = {.kind = WRITE_DELETE, .key = fence};

	if (table_write(p->table, &call, &write) != TABLE_OK)
		bail_out("no end of the fence: %s", call.why);
}

static bool
is_there(struct place *p, struct str pk)
{
	struct table_call call = {.arena = p->arena};
	struct read read = {.kind = READ_GET, .key = {pk, STR("S")}, .consistent = true};

	if (table_read(p->table, &call, &read, 1) != TABLE_OK)
		bail_out("no read: %s", call.why);
	return read.item != NULL;
}

/* Tries to put an item of that name: alone, or in a transaction. */
static enum table_rc
try(struct place *p, struct table *table, const char *name, bool together, bool past)
{
	struct table_call call = {.arena = p->arena, .past_fence = past};
	struct write write = {.kind = WRITE_PUT, .item = item_at(p->arena, (struct key){str_of(name), STR("S")}, 0)};

	return together ? table_transact(table, &call, &write, 1, STR("")) : table_write(table, &call, &write);
}

static void
test_closed(struct place *p)
{
	uint32_t removed;
	struct table_call call = {.arena = p->arena};

	is_int(try(p, p->other, "before", false, false), TABLE_OK, "Without a fence one writes.");
	close_fence(p, 0);
	is_int(try(p, p->table, "one", false, false), TABLE_THROTTLED, "With one nobody does,");
	is_int(try(p, p->other, "two", false, false), TABLE_THROTTLED, "... in no other process,");
	is_int(try(p, p->other, "three", true, false), TABLE_THROTTLED, "... and no transaction is made.");
	ok(!is_there(p, STR("one")) && !is_there(p, STR("two")) && !is_there(p, STR("three")),
	    "Nothing of that was written,");
	ok(is_there(p, STR("before")), "... and reading goes on.");
	is_int(try(p, p->table, "past", true, true), TABLE_OK, "Who is past it writes.");
	if (p->table->engine->sweep != NULL)
		is_int(table_sweep(p->table, &call, 1, &removed), TABLE_THROTTLED, "Nothing is swept.");
	open_fence(p);
	is_int(try(p, p->other, "two", false, false), TABLE_OK, "Without it all write again,");
	is_int(try(p, p->table, "one", true, false), TABLE_OK, "... in all processes.");
}

static void
test_expired(struct place *p)
{
	int64_t now = clock_now(&p->clock) / 1000;

	close_fence(p, now + 3600);
	is_int(try(p, p->other, "later", false, false), TABLE_THROTTLED, "A fence that expires is one until then,");
	close_fence(p, now - 10);
	is_int(try(p, p->other, "later", false, false), TABLE_OK, "... and none from then on.");
}

static void
test_others(struct place *p)
{
	close_fence(p, 0);
	p->other->fence = (struct key){0};
	is_int(try(p, p->other, "free", false, false), TABLE_OK, "A table that is opened without a fence has none.");
}

int
main(void)
{
	struct place p = {.clock = clock_system(), .arena = arena_new()};

	p.table = test_store_open(&p.store, &p.clock);
	p.other = test_store_again(&p.store, &p.clock);
	p.table->fence = p.other->fence = fence;
	test_closed(&p);
	test_expired(&p);
	test_others(&p);
	table_close(p.other);
	test_store_close(&p.store);
	arena_free(p.arena);
	return tap_done();
}
