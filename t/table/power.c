/*
 * The power is cut while many write to the embedded table, most of whom could make their write again and so wait for no
 * sync (struct table_call, can_be_lost): what was acknowledged to the others is there, with all that was acknowledged
 * before it; and so is each change that a reader of the stream has seen.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "power_cut.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum {
	THREADS = 4,
	WRITES = 400,
	KEPT_EVERY = 11,
	CUT_EVERY = 8,
	TIMEOUT_MS = 120 * 1000,
	TEXT = 3000
};

/* A write that was acknowledged, and how many had been when it began. */
struct ack {
	int thread, number;
	size_t behind;
	bool kept;
};

static struct {
	struct table *table;
	struct clock clock;
	pthread_mutex_t lock;
	struct ack acks[THREADS * WRITES];
	size_t count;
	char path[128]; /* of what a power cut leaves */
	char read[32];  /* how far the stream was read */
	unsigned cuts, lossy;
	bool kept, recorded;
} test = {.lock = PTHREAD_MUTEX_INITIALIZER, .kept = true, .recorded = true};

static struct key
key_of(struct arena *arena, const struct ack *ack)
{
	return (struct key){
	    str_fmt(arena, "thread%d", ack->thread), str_fmt(arena, "%06d", ack->number)};
}

/* --- What is left ------------------------------------------------------------------------------------- */

static bool
is_there(struct table *table, struct arena *arena, const struct ack *ack)
{
	struct table_call call = {.arena = arena};
	struct item *item;

	return table_get(table, &call, key_of(arena, ack), &item) == TABLE_OK && item != NULL;
}

/* Whether all is there that has to be, of the first so many acknowledgements. */
static bool
all_there(struct table *table, struct arena *arena, size_t count)
{
	size_t covered = 0;
	bool all = true;

	for (size_t i = 0; i < count; i++)
		if (test.acks[i].kept && test.acks[i].behind > covered)
			covered = test.acks[i].behind;
	for (size_t i = 0; i < count; i++)
		if (i < covered || test.acks[i].kept)
			all = is_there(table, arena, &test.acks[i]) && all;
	return all;
}

/* Now and then somebody reads the stream to its end. */
static void
read_stream(struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct change_page page = {.count = 1, .next = STREAM_OLDEST};

	while (page.count != 0)
		if (table_changes(test.table, &call, page.next, TABLE_CHANGES_MAX, &page) !=
		    TABLE_OK)
			bail_out("the stream can't be read");
	snprintf(test.read, sizeof(test.read), "%.*s", STR_ARGS(page.next));
}

static void
cut(void)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct change_page page;
	struct table *left;
	struct str why;
	size_t count;

	pthread_mutex_lock(&test.lock);
	count = test.count;
	pthread_mutex_unlock(&test.lock);
	if (test.cuts++ % 2 == 0)
		read_stream(arena);
	test.lossy += power_cut(test.path);
	if (table_sqlite_open(test.path, TABLE_OPEN_EXISTING, &test.clock, arena, &left, &why) !=
	    TABLE_OK)
		bail_out("after a power cut: %.*s", STR_ARGS(why));
	left->deadline_ms = TIMEOUT_MS;
	test.kept = all_there(left, arena, count) && test.kept;
	test.recorded =
	    table_changes(left, &call, str_of(test.read), 1, &page) == TABLE_OK && test.recorded;
	table_close(left);
	for (size_t i = 0; i < 3; i++) {
		static const char *const ends[] = {"-wal", "-shm", "-lock"};

		unlink(str_fmt(arena, "%s%s", test.path, ends[i]).base);
	}
	arena_free(arena);
}

/* --- Writing ------------------------------------------------------------------------------------------ */

static void *
write_on(void *context)
{
	int thread = *(const int *)context;
	static const char text[TEXT];

	for (int n = 0; n < WRITES; n++) {
		struct arena *arena = arena_new();
		struct ack ack = {.thread = thread, .number = n, .kept = n % KEPT_EVERY == 0};
		struct table_call call = {.arena = arena, .can_be_lost = !ack.kept};
		struct item item = {0};

		item_set(arena, &item, STR("PK"), value_string(key_of(arena, &ack).pk));
		item_set(arena, &item, STR("SK"), value_string(key_of(arena, &ack).sk));
		item_set(arena, &item, STR("Text"), value_binary((struct str){text, TEXT}));
		pthread_mutex_lock(&test.lock);
		ack.behind = test.count;
		pthread_mutex_unlock(&test.lock);
		if (table_put(test.table, &call, item) != TABLE_OK)
			bail_out("a write fails: %s", call.why);
		pthread_mutex_lock(&test.lock);
		test.acks[test.count++] = ack;
		pthread_mutex_unlock(&test.lock);
		arena_free(arena);
		if (thread == 0 && n % CUT_EVERY == 0)
			cut();
	}
	return NULL;
}

int
main(void)
{
	struct sqlite_place place;
	pthread_t ids[THREADS];
	int numbers[THREADS];

	test.clock = clock_system();
	sqlite_place_make(&place);
	snprintf(test.path, sizeof(test.path), "%s/left.db", place.folder);
	test.table = sqlite_place_open(&place, &test.clock);
	if (test.table == NULL)
		bail_out("there is no table");
	test.table->deadline_ms = TIMEOUT_MS;
	power_watch(place.path);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&ids[i], NULL, write_on, &numbers[i]) != 0)
			bail_out("there is no thread");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	table_close(test.table);
	sqlite_place_remove(&place);
	is_int(test.cuts, WRITES / CUT_EVERY, "the power was cut so often");
	ok(test.lossy > 0, "... and took something with it, %u times", test.lossy);
	ok(test.kept, "what was acknowledged is there, with all that was acknowledged before");
	ok(test.recorded, "... and so is what the stream has told of");
	return tap_done();
}
