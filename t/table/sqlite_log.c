/*
 * The embedded table's log stays small: also with many readers at all times, and again after a long
 * read. No reader waits for that.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MB = 1024 * 1024,
	READERS = 6,
	BOUND = 256 * MB, /* less than is written, and more than a busy machine lets it grow to */
	CUT = 17 * MB,    /* the size at which it is truncated */
	TEXT = 60 * 1000,
	KEYS = 200,
	TRIES = 600, /* a tenth of a second apart */
};

struct place {
	struct sqlite_place place;
	struct clock clock;
	struct table *table;
	struct arena *arena;
	atomic_bool stop;
	atomic_uint reads, failed;
};

static int64_t
log_bytes(const struct place *p)
{
	struct stat st;
	char path[128];

	snprintf(path, sizeof(path), "%s-wal", p->place.path);
	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static void
put(struct place *p, int n)
{
	struct table_call call = {.arena = p->arena};
	struct item item = {0};
	char text[TEXT];

	arena_reset(p->arena);
	memset(text, 'a' + n % 26, sizeof(text));
	item_set(p->arena, &item, STR("PK"), value_string(STR("P")));
	item_set(p->arena, &item, STR("SK"), value_string(str_fmt(p->arena, "%d", n % KEYS)));
	item_set(p->arena, &item, STR("Text"), value_string((struct str){text, sizeof(text)}));
	item_set(p->arena, &item, STR("N"), value_number(n));
	if (table_put(p->table, &call, item) != TABLE_OK)
		bail_out("no write: %s", call.why);
}

/* Writes that many bytes, and returns how large the log has been. */
static int64_t
write_much(struct place *p, int64_t bytes)
{
	int64_t most = 0;

	for (int n = 0; (int64_t)n * TEXT < bytes; n++) {
		put(p, n);
		if (log_bytes(p) > most)
			most = log_bytes(p);
	}
	return most;
}

/* Moments that overlap with others', one after another. */
static void *
read_on(void *context)
{
	struct place *p = context;
	struct arena *arena = arena_new();

	while (!p->stop) {
		struct table_call call = {.arena = arena};
		struct item *item;

		arena_reset(arena);
		if (table_hold(p->table, &call) != TABLE_OK)
			p->failed++;
		for (int i = 0; i < 3; i++) {
			const struct key key = {STR("P"), str_fmt(arena, "%d", i * 7)};

			if (table_get(p->table, &call, key, &item) != TABLE_OK)
				p->failed++;
			usleep(300);
		}
		table_release(p->table, &call);
		p->reads++;
	}
	arena_free(arena);
	return NULL;
}

static void
many_readers(struct place *p)
{
	pthread_t threads[READERS];
	int64_t most;

	for (int i = 0; i < READERS; i++)
		if (pthread_create(&threads[i], NULL, read_on, p) != 0)
			bail_out("no thread");
	most = write_much(p, INT64_C(300) * MB);
	p->stop = true;
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	ok(most <= BOUND, "beneath %d readers the log has %d MB at most", READERS,
	    (int)(most / MB));
	ok(p->failed == 0, "and none of %u moments has failed", p->reads);
}

static void
long_reader(struct place *p)
{
	struct table_call held = {.arena = arena_new()}, call = {.arena = arena_new()};
	struct item *item;
	uint32_t removed;

	if (table_hold(p->table, &held) != TABLE_OK ||
	    table_get(p->table, &held, (struct key){STR("P"), STR("1")}, &item) != TABLE_OK)
		bail_out("no moment");
	ok(write_much(p, 90 * MB) >= 80 * MB, "while somebody reads for long, the log grows");
	table_release(p->table, &held);
	/* It was tried in vain a moment ago. */
	for (int tries = 0; tries < TRIES && log_bytes(p) > CUT; tries++) {
		usleep(100 * 1000);
		if (table_sweep(p->table, &call, 10, &removed) != TABLE_OK)
			bail_out("no sweep");
	}
	ok(log_bytes(p) <= CUT, "afterwards a sweep makes it small: %d KB",
	    (int)(log_bytes(p) / 1024));
	write_much(p, 30 * MB);
	ok(log_bytes(p) <= BOUND, "and so it stays: %d MB", (int)(log_bytes(p) / MB));
	arena_free(held.arena);
	arena_free(call.arena);
}

/* A post's head, its text or an earlier one, as large as they are. */
static struct write
part_of_post(struct place *p, const char *sort, size_t bytes, int round)
{
	struct write write = {.kind = WRITE_PUT};
	char *text = arena_room(p->arena, bytes);

	memset(text, 'a' + round % 26, bytes);
	item_set(p->arena, &write.item, STR("PK"), value_string(STR("POST#a")));
	item_set(p->arena, &write.item, STR("SK"), value_string(str_of(sort)));
	item_set(p->arena, &write.item, STR("Text"), value_string((struct str){text, bytes}));
	return write;
}

/* Like a save: a head in all indexes, a text with its HTML, and a revision. The bytes that it adds to the log. */
static int64_t
save(struct place *p, int round)
{
	static const char *const keys[] = {
	    "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK", "GSI4PK", "GSI4SK"};
	struct table_call call = {.arena = p->arena};
	struct write writes[3];
	int64_t before = log_bytes(p);

	arena_reset(p->arena);
	writes[0] = part_of_post(p, "METADATA", 700, round);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		item_set(p->arena, &writes[0].item, str_of(keys[i]), value_string(STR("here")));
	writes[1] = part_of_post(p, "BODY", 15600, round);
	writes[2] = part_of_post(
	    p, str_cstring(p->arena, str_fmt(p->arena, "REVISION#%d", round)), 7600, round);
	if (table_transact(p->table, &call, writes, 3, STR("")) != TABLE_OK)
		bail_out("no save: %s", call.why);
	return log_bytes(p) - before;
}

static void
small_writes(struct place *p)
{
	enum { SAVES = 30, BYTES = 140 * 1000 };
	int64_t sum = 0;

	save(p, 0);
	for (int i = 1; i <= SAVES; i++)
		sum += save(p, i);
	ok(sum / SAVES <= BYTES, "a save adds %d KB to the log, on an average",
	    (int)(sum / SAVES / 1000));
}

int
main(void)
{
	struct place p = {.clock = clock_system(), .arena = arena_new()};

	sqlite_place_make(&p.place);
	p.table = sqlite_place_open(&p.place, &p.clock);
	if (p.table == NULL)
		bail_out("no table");
	small_writes(&p);
	long_reader(&p);
	many_readers(&p);
	table_close(p.table);
	ok(log_bytes(&p) == 0, "a tidy end leaves no log");
	sqlite_place_remove(&p.place);
	arena_free(p.arena);
	return tap_done();
}
