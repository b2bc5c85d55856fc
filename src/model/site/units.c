#include "model/site/units.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_staff.h"
#include "model/kinds.h"

#include <stdlib.h>

enum {
	DAY_BYTES = 10, /* 2026-11-19 */
	MONTH_BYTES = 7,
	DAY_KEPT_S = 40 * 24 * 60 * 60,
	MONTH_KEPT_S = 400 * 24 * 60 * 60,
	AT_ONCE = TABLE_BATCH_MAX / 2,
	CHANGES = 5,
	WRITE_WORTH = 10, /* a write unit costs as much as so many read halves */
};

static struct write
addition(struct arena *arena, struct str period, const struct units *u, int64_t until)
{
	struct change *changes = ARENA_ARRAY(arena, CHANGES, struct change);

	changes[0] = (struct change){CHANGE_ADD, STR("Reads"), value_number(u->read_halves)};
	changes[1] = (struct change){CHANGE_ADD, STR("Writes"), value_number(u->writes)};
	changes[2] = (struct change){CHANGE_ADD, STR("Requests"), value_number(u->requests)};
	changes[3] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_UNITS)};
	changes[4] = (struct change){CHANGE_SET_IF_ABSENT, TABLE_EXPIRES, value_number(until)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_units(arena, period, u->what),
	    .changes = changes,
	    .change_count = CHANGES};
}

enum table_rc
units_add(
    struct table *table, struct table_call *call, const struct units *units, size_t count, int64_t now)
{
	struct str time = time_format(call->arena, now);
	struct write *writes = ARENA_ARRAY(call->arena, 2 * AT_ONCE, struct write);
	enum table_rc rc = TABLE_OK;

	for (size_t from = 0; rc == TABLE_OK && from < count; from += AT_ONCE) {
		size_t n = 0;

		for (size_t i = from; i < count && i < from + AT_ONCE; i++) {
			writes[n++] = addition(
			    call->arena, str_sub(time, 0, DAY_BYTES), &units[i], now / 1000 + DAY_KEPT_S);
			writes[n++] = addition(
			    call->arena, str_sub(time, 0, MONTH_BYTES), &units[i], now / 1000 + MONTH_KEPT_S);
		}
		rc = table_transact(table, call, writes, n, STR(""));
	}
	return rc;
}

void
units_reads(struct arena *arena, int64_t now, struct read reads[UNITS_READS])
{
	struct str time = time_format(arena, now);

	reads[UNITS_TODAY] = (struct read){
	    .kind = READ_QUERY, .query = query_units(arena, str_sub(time, 0, DAY_BYTES))};
	reads[UNITS_MONTH] = (struct read){
	    .kind = READ_QUERY, .query = query_units(arena, str_sub(time, 0, MONTH_BYTES))};
	reads[UNITS_TODAY].query.limit = reads[UNITS_MONTH].query.limit = TABLE_QUERY_MAX;
}

static int64_t
worth(const struct units *u)
{
	return u->read_halves + WRITE_WORTH * u->writes;
}

static int
dearest_first(const void *a, const void *b)
{
	int64_t one = worth(a), other = worth(b);

	return one != other ? (one < other ? 1 : -1)
			    : str_cmp(((const struct units *)a)->what, ((const struct units *)b)->what);
}

struct units *
units_take(struct arena *arena, const struct read *read, struct units *all)
{
	struct units *units = ARENA_ARRAY(arena, read->found_count, struct units);

	*all = (struct units){0};
	for (size_t i = 0; i < read->found_count; i++) {
		const struct item *item = &read->found[i];

		units[i] = (struct units){.what = item_key(item).sk,
		    .read_halves = item_number(item, STR("Reads")),
		    .writes = item_number(item, STR("Writes")),
		    .requests = item_number(item, STR("Requests"))};
		all->read_halves += units[i].read_halves;
		all->writes += units[i].writes;
		all->requests += units[i].requests;
	}
	if (read->found_count != 0)
		qsort(units, read->found_count, sizeof(*units), dearest_first);
	return units;
}
