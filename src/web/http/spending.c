#include "web/http/spending.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ticker.h"
#include "model/site/units.h"
#include "web/http/dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { EVERY_MS = 10 * 60 * 1000 };

struct counted {
	_Atomic int64_t read_halves, writes, requests;
};

struct spending {
	struct table *table;
	const struct route *routes;
	size_t count;
	const struct log *log;
	struct ticker *ticker;
	int64_t told_halves, told_writes; /* of the table's own sums: what has been added */
	struct counted each[];            /* by route */
};

struct spending *
spending_new(struct table *table, const struct route *routes, size_t count, const struct log *log)
{
	struct spending *s = calloc(1, sizeof(*s) + count * sizeof(s->each[0]));

	if (s == NULL)
		out_of_memory();
	s->table = table;
	s->routes = routes;
	s->count = count;
	s->log = log;
	return s;
}

void
spending_note(struct spending *s, const struct route *route, const struct table_cost *cost)
{
	struct counted *c;

	if (s == NULL || (cost->read_half_units == 0 && cost->write_units == 0))
		return;
	c = &s->each[route - s->routes];
	c->read_halves += cost->read_half_units;
	c->writes += cost->write_units;
	c->requests++;
}

/* Several rows of routes may have one address. */
static void
join(struct units *units, size_t *count, struct units one)
{
	for (size_t i = 0; i < *count; i++)
		if (str_eq(units[i].what, one.what)) {
			units[i].read_halves += one.read_halves;
			units[i].writes += one.writes;
			units[i].requests += one.requests;
			return;
		}
	units[(*count)++] = one;
}

void
spending_add(struct spending *s)
{
	struct table_call call = {.arena = arena_new(), .background = true};
	struct units *units = ARENA_ARRAY(call.arena, s->count + 1, struct units);
	struct units rest = {.what = UNITS_REST};
	int64_t halves = s->table->spent_halves, writes = s->table->spent_writes;
	size_t count = 0;

	rest.read_halves = halves - s->told_halves;
	rest.writes = writes - s->told_writes;
	for (size_t i = 0; i < s->count; i++) {
		struct units one = {.what = str_of(s->routes[i].pattern),
		    .read_halves = atomic_exchange(&s->each[i].read_halves, 0),
		    .writes = atomic_exchange(&s->each[i].writes, 0),
		    .requests = atomic_exchange(&s->each[i].requests, 0)};

		rest.read_halves -= one.read_halves;
		rest.writes -= one.writes;
		if (one.requests != 0)
			join(units, &count, one);
	}
	s->told_halves = halves;
	s->told_writes = writes;
	/* A request that is under way is counted now, and told of the next time. */
	if (rest.read_halves < 0)
		rest.read_halves = 0;
	if (rest.writes < 0)
		rest.writes = 0;
	if (rest.read_halves != 0 || rest.writes != 0)
		units[count++] = rest;
	if (count != 0 &&
	    units_add(s->table, &call, units, count, clock_now(s->table->clock)) != TABLE_OK)
		log_line(s->log, LOG_WARNING, "What the table costs was not counted for ten minutes: %s.", call.why);
	table_release(s->table, &call);
	arena_free(call.arena);
}

static void
tick(void *context)
{
	spending_add(context);
}

void
spending_start(struct spending *s)
{
	s->ticker = ticker_start(EVERY_MS, tick, s, s->log, "count what the table costs");
}

void
spending_stop(struct spending *s)
{
	if (s == NULL)
		return;
	ticker_stop(s->ticker);
	if (s->ticker != NULL)
		spending_add(s);
	free(s);
}
