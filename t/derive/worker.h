#ifndef T_DERIVE_WORKER_H
#define T_DERIVE_WORKER_H

#include "lib/tap.h"
#include "t/pages/seeded.h"

#include "base/log.h"
#include "derive/rebuild.h"
#include "derive/stream_worker.h"

/* The stream worker in a test: run until nothing waits, and held against a rebuild. */

static struct str worker_without; /* a derivation; empty: it does all */

/* For tests of other derivations: the index is most of what a worker writes, and searching.c and killed.c have that. */
static inline void
worker_leaves_search(void)
{
	worker_without = STR("search");
}

static inline struct stream_worker *
worker_of(struct table *table)
{
	static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

	return stream_worker_open(&(struct stream_worker_options){.table = table,
	    .log = &quiet,
	    .site = SEEDED_ORIGIN,
	    .lease_ms = 1000,
	    .without = worker_without});
}

/* Until nothing waits. */
static inline void
work(struct seeded *s)
{
	enum { TURNS_MAX = 10000 };
	struct stream_worker *w = worker_of(s->table);
	int i = 0;

	while (i++ < TURNS_MAX && stream_worker_turn(w) != STREAM_IDLE)
		;
	if (i >= TURNS_MAX)
		bail_out("the worker finds no end");
	stream_worker_close(w);
}

/* As if it had begun just now, with nothing to derive from what there is: letters are of what comes from here on. */
static inline void
worker_begins(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	const struct work_state nowhere = {.position = STR("")};
	struct work_state here = {.letters_from = s->clock.fixed_now};
	struct change_page page;

	if (table_changes(s->table, &call, STREAM_NOW, 1, &page) != TABLE_OK)
		bail_out("the stream can't be read");
	here.position = page.next;
	if (work_store(s->table, &call, &nowhere, &here) != TABLE_OK)
		bail_out("no position is stored");
}

/* For whoever looks why a test fails. */
static inline void
tell_difference(void *context, const struct derivation *derivation, struct str subject, struct str first)
{
	(void)context;
	printf("# differs: %.*s of %.*s: %.*s\n", STR_ARGS(derivation->name), STR_ARGS(subject), STR_ARGS(first));
}

/* How many items differ from what should be derived. */
static inline int64_t
differences(struct seeded *s)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = s->arena};
	struct derive derive = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .site = SEEDED_ORIGIN,
	    .check = true};
	struct rebuild *r = arena_alloc(s->arena, sizeof(*r));
	bool done = false;

	*r = (struct rebuild){.derive = &derive,
	    .arena = arena,
	    .state = rebuild_all_but(s->arena, worker_without, 1),
	    .tell = tell_difference};
	while (!done)
		if (rebuild_step(r, &done) != TABLE_OK)
			bail_out("a check fails: %s", call.why != NULL ? call.why : "");
	arena_free(arena);
	return derive.differences;
}

/* Sets one attribute past the program. */
static inline void
set(struct seeded *s, struct key key, struct str name, struct value value)
{
	struct table_call call = {.arena = s->arena};
	const struct change change = {CHANGE_SET, name, value};
	struct write write = {
	    .kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1};

	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("a write fails");
}

/* NULL: it is not there. */
static inline struct item *
stored(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct item *item;

	if (table_get(s->table, &call, key, &item) != TABLE_OK)
		bail_out("a read fails");
	return item;
}

#endif
