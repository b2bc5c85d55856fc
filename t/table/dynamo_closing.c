/*
 * The engine is closed while the network still owes it answers: to calls of every kind, abandoned
 * at every stage of their requests. Nothing here waits for the clock, so that it may run slowly:
 * t/valgrind.t runs it with valgrind.
 */
#include "bad_network.h"
#include "dynamo_local.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo.h"

#include <pthread.h>

enum { ROUNDS = 3, KINDS = 6, THREADS = KINDS, PATIENT_MS = 60 * 1000 };

/* How long a round's calls wait, in milliseconds: for no connection, for no answer, for some of it. */
static const int64_t timeout[ROUNDS] = {1, 60, 700};

static struct key
key_at(struct arena *arena, int number)
{
	return (struct key){STR("CLOSING"), str_fmt(arena, "%06d", number)};
}

/* --- The calls -------------------------------------------------------------------------------------- */

static enum table_rc
read_both(struct table *table, struct table_call *call, struct key key)
{
	struct read reads[] = {{.kind = READ_BATCH, .batch = {&key, 1}},
	    {.kind = READ_QUERY, .query = {.partition = key.pk, .limit = 10}}};

	return table_read(table, call, reads, 2);
}

static enum table_rc
get(struct table *table, struct table_call *call, struct key key)
{
	struct item *item;

	return table_get(table, call, key, &item);
}

/* With a condition it is sent as a transaction with a token. */
static enum table_rc
claim(struct table *table, struct table_call *call, struct key key)
{
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct write write = {.kind = WRITE_PUT, .condition = &missing};

	item_set(call->arena, &write.item, STR("PK"), value_string(key.pk));
	item_set(call->arena, &write.item, STR("SK"), value_string(key.sk));
	return table_write(table, call, &write);
}

/* It is sent once. */
static enum table_rc
add(struct table *table, struct table_call *call, struct key key)
{
	struct change change = {.op = CHANGE_ADD, .name = STR("N"), .value = value_number(1)};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key,
	    .changes = &change,
	    .change_count = 1,
	    .returns = RETURN_NEW};

	return table_write(table, call, &write);
}

static enum table_rc
changes(struct table *table, struct table_call *call, struct key key)
{
	struct change_page page;

	(void)key;
	return table_changes(table, call, STREAM_OLDEST, 10, &page);
}

static enum table_rc
walk(struct table *table, struct table_call *call, struct key key)
{
	struct walk_page page;

	(void)key;
	return table_walk(table, call, STR(""), 10, &page);
}

static enum table_rc (*const kinds[KINDS])(struct table *, struct table_call *, struct key) = {
    get, read_both, claim, add, changes, walk};

/* --- Threads ---------------------------------------------------------------------------------------- */

struct worker {
	struct table *table;
	struct clock *clock;
	int number;
	unsigned done; /* successful calls */
};

static void *
work(void *data)
{
	struct worker *w = data;
	struct arena *arena = arena_new();

	for (int i = 0; i < ROUNDS; i++) {
		struct table_call call = {
		    .arena = arena, .deadline = clock_monotonic(w->clock) + timeout[i]};

		w->done += kinds[w->number](w->table, &call, key_at(arena, w->number)) == TABLE_OK;
	}
	arena_free(arena);
	return NULL;
}

/* Each kind of call in a thread of its own; returns how many succeeded. */
static unsigned
call_all(struct table *table, struct clock *clock)
{
	struct worker workers[THREADS];
	pthread_t threads[THREADS];
	unsigned done = 0;

	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.table = table, .clock = clock, .number = i};
		pthread_create(&threads[i], NULL, work, &workers[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		done += workers[i].done;
	}
	return done;
}

/* --- Troubles --------------------------------------------------------------------------------------- */

static struct table *
open_table(struct clock *clock, struct arena *arena)
{
	struct table *table;
	struct str why = STR("");

	if (table_dynamo_open(STR("closing"), clock, arena, &table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	table->deadline_ms = PATIENT_MS;
	return table;
}

static void
close_amid(struct child *server, struct clock *clock)
{
	static const struct {
		const char *begin, *end, *sentence;
	} troubles[] = {
	    {"fault stall 100", "calm", "no request is answered"},
	    {"fault hang 100", "calm", "what is done is not answered"},
	    {"fault trickle 100", "calm", "answers come drop by drop"},
	    {"fault truncate 100", "calm", "answers break off"},
	    {"fault expired 100", "calm", "credentials have expired"},
	    {"gone", "back", "nobody is there"},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		struct table *table = open_table(clock, arena);

		bad_network_tell(server, troubles[i].begin);
		is_int(call_all(table, clock), 0, "while %s, all calls are given up",
		    troubles[i].sentence);
		table_close(table);
		bad_network_tell(server, troubles[i].end);
		table = open_table(clock, arena);
		is_int(read_both(table, &(struct table_call){.arena = arena}, key_at(arena, 0)),
		    TABLE_OK, "... the table is closed, and another one works");
		table_close(table);
	}
	arena_free(arena);
}

int
main(void)
{
	struct clock clock = clock_system();
	struct child server;

	dynamo_local_need();
	table_close(dynamo_local_table("closing", &clock));
	bad_network_begin(&server);
	close_amid(&server, &clock);
	child_end(&server);
	return tap_done();
}
