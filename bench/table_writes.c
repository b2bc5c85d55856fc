/* Durable writes, measured in time passed: waiting for the disk is what they do. */
#include "table.h"
#include "table/sqlite_engine.h"

#include <pthread.h>

struct writer {
	struct table *table;
	struct clock *clock;
	int number, writes;
};

static void *
write_many(void *context)
{
	const struct writer *w = context;
	struct arena *a = arena_new();

	for (int i = 0; i < w->writes; i++) {
		struct table_call call = {
		    .arena = a, .deadline = clock_monotonic(w->clock) + 60000};

		arena_reset(a);
		if (table_put(w->table, &call, comment(a, w->number, i)) != TABLE_OK)
			die("write", call.why);
	}
	arena_free(a);
	return NULL;
}

double
durable(const char *path, int writers, int writes, size_t group_max)
{
	struct clock clock = clock_system();
	struct arena *a = arena_new();
	struct writer w[WRITERS_MAX];
	pthread_t threads[WRITERS_MAX];
	struct table *table;
	struct str why;
	int64_t began;

	remove_files(path);
	if (table_sqlite_open(path, TABLE_OPEN_CREATE, &clock, a, &table, &why) != TABLE_OK)
		die("open", why.base);
	((struct sqlite_table *)table)->group_max = group_max;
	began = clock_micros();
	for (int i = 0; i < writers; i++) {
		w[i] = (struct writer){table, &clock, i, writes / writers};
		if (pthread_create(&threads[i], NULL, write_many, &w[i]) != 0)
			die("thread", NULL);
	}
	for (int i = 0; i < writers; i++)
		pthread_join(threads[i], NULL);
	began = clock_micros() - began;
	table_close(table);
	arena_free(a);
	remove_files(path);
	return writes * 1e6 / (double)began;
}
