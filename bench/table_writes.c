/* Durable writes, measured in time passed: waiting for the disk is what they do. */
#include "table.h"
#include "table/sqlite/sqlite_private.h"

#include <pthread.h>

struct writer {
	struct table *table;
	struct clock *clock;
	pthread_barrier_t *start;
	int number, writes;
};

/* What it writes is made before all start, so that only writing is measured. */
static void *
write_many(void *context)
{
	const struct writer *w = context;
	struct arena *made = arena_new(), *a = arena_new();
	struct item *items = ARENA_ARRAY(made, (size_t)w->writes, struct item);

	for (int i = 0; i < w->writes; i++)
		items[i] = comment(made, w->number, i);
	pthread_barrier_wait(w->start);
	pthread_barrier_wait(w->start);
	for (int i = 0; i < w->writes; i++) {
		struct table_call call = {
		    .arena = a, .deadline = clock_monotonic(w->clock) + 60000};

		arena_reset(a);
		if (table_put(w->table, &call, items[i]) != TABLE_OK)
			die("write", call.why);
	}
	arena_free(a);
	arena_free(made);
	return NULL;
}

/* Microseconds that all the writers take. */
static int64_t
write_all(struct table *table, struct clock *clock, int writers, int writes)
{
	struct writer w[WRITERS_MAX];
	pthread_t threads[WRITERS_MAX];
	pthread_barrier_t start;
	int64_t began;

	pthread_barrier_init(&start, NULL, (unsigned)writers + 1);
	for (int i = 0; i < writers; i++) {
		w[i] = (struct writer){table, clock, &start, i, writes / writers};
		if (pthread_create(&threads[i], NULL, write_many, &w[i]) != 0)
			die("thread", NULL);
	}
	/* All are ready; and off. */
	pthread_barrier_wait(&start);
	began = clock_micros();
	pthread_barrier_wait(&start);
	for (int i = 0; i < writers; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	return clock_micros() - began;
}

double
durable(const char *path, int writers, int writes, size_t group_max)
{
	struct clock clock = clock_system();
	struct arena *a = arena_new();
	struct table *table;
	struct str why;
	int64_t took;

	remove_files(path);
	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &clock, a, &table, &why) != TABLE_OK)
		die("open", why.base);
	((struct sqlite_table *)table)->group_max = group_max;
	took = write_all(table, &clock, writers, writes);
	table_close(table);
	arena_free(a);
	remove_files(path);
	return writes * 1e6 / (double)took;
}
