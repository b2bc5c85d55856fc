/*
 * The queue of writers at its limits: groups that hold fewer than wait, two tables on one file that
 * take the lock from each other, and calls whose deadline passes before their turn. None is
 * forgotten, and answers are true.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite_private.h"

#include <pthread.h>

enum { TABLES = 2, WRITERS = 24, TURNS = 60, SMALL_GROUP = 3, IMPATIENT = 4 };

struct writer {
	struct table *table;
	struct clock *clock;
	pthread_barrier_t *start;
	int number, done, late, wrong;
};

static void *
count_up(void *context)
{
	struct writer *w = context;
	struct arena *arena = arena_new();

	pthread_barrier_wait(w->start);
	for (int i = 0; i < TURNS; i++) {
		bool hurry = (w->number + i) % IMPATIENT == 0;
		struct table_call call = {
		    .arena = arena, .deadline = clock_monotonic(w->clock) + (hurry ? 1 : 60000)};
		struct change add = {
		    .op = CHANGE_ADD, .name = STR("Count"), .value = value_number(1)};
		struct write write = {.kind = WRITE_UPDATE,
		    .key = {STR("counter"), STR("METADATA")},
		    .changes = &add,
		    .change_count = 1};
		enum table_rc rc = table_write(w->table, &call, &write);

		if (rc == TABLE_OK)
			w->done++;
		else if (rc == TABLE_DEADLINE && !call.unsure)
			w->late++;
		else
			w->wrong++;
		/* Those without a deadline succeeded. */
		if (!hurry && rc != TABLE_OK)
			w->wrong++;
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
all_count(struct table *const tables[TABLES], struct clock *clock, struct writer sum[1])
{
	struct writer w[WRITERS];
	pthread_t threads[WRITERS];
	pthread_barrier_t start;

	*sum = (struct writer){.table = tables[0]};
	pthread_barrier_init(&start, NULL, WRITERS);
	for (int i = 0; i < WRITERS; i++) {
		w[i] = (struct writer){tables[i % TABLES], clock, &start, .number = i};
		if (pthread_create(&threads[i], NULL, count_up, &w[i]) != 0)
			bail_out("no thread");
	}
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(threads[i], NULL);
		sum->done += w[i].done;
		sum->late += w[i].late;
		sum->wrong += w[i].wrong;
	}
	pthread_barrier_destroy(&start);
}

int
main(void)
{
	struct clock clock = clock_system();
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct sqlite_place place;
	struct table *tables[TABLES];
	struct writer sum;
	struct item *counter;

	sqlite_place_make(&place);
	for (int i = 0; i < TABLES; i++) {
		tables[i] = sqlite_place_open(&place, &clock);
		if (tables[i] == NULL)
			bail_out("no table");
		((struct sqlite_table *)tables[i])->group_max = SMALL_GROUP;
	}
	all_count(tables, &clock, &sum);
	is_int(sum.wrong, 0, "writers are served, unless their own time was over");
	is_int(sum.done + sum.late, WRITERS * TURNS, "each call has one answer");
	is_int(table_get(tables[0], &call, (struct key){STR("counter"), STR("METADATA")}, &counter),
	    TABLE_OK, "the counter is there");
	is_int(counter != NULL ? item_number(counter, STR("Count")) : -1, sum.done,
	    "and counts the calls that were told so, and no other");
	for (int i = 0; i < TABLES; i++)
		table_close(tables[i]);
	sqlite_place_remove(&place);
	arena_free(arena);
	return tap_done();
}
