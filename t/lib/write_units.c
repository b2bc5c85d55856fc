#include "write_units.h"

#include "tap.h"

#include "base/arena.h"

static int64_t
kilobytes(const struct item *item)
{
	return item != NULL ? ((int64_t)item_size(item) + 1023) / 1024 : 0;
}

static int64_t
larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The item as it is stored; NULL: there is none. */
static struct item *
stored(struct write_units *units, struct arena *arena, const struct write *write)
{
	struct table_call call = {.arena = arena};
	struct read read = {.kind = READ_GET,
	    .key = write->kind == WRITE_PUT ? item_key(&write->item) : write->key,
	    .consistent = true};

	if (table_read(units->front.inner, &call, &read, 1) != TABLE_OK)
		bail_out("what is written can't be read: %s", call.why != NULL ? call.why : "");
	table_release(units->front.inner, &call);
	return read.item;
}

static struct key
place(const struct item *item, enum table_index index)
{
	return item != NULL ? (struct key){item_string(item, table_pk_name(index)),
				  item_string(item, table_sk_name(index))}
			    : (struct key){STR(""), STR("")};
}

static bool
is_same(struct key a, struct key b)
{
	return str_eq(a.pk, b.pk) && str_eq(a.sk, b.sk);
}

static int64_t
of_indexes(const struct item *was, const struct item *is)
{
	int64_t all = 0;

	for (enum table_index i = TABLE_GSI1; i <= TABLE_GSI4; i++) {
		bool before = place(was, i).pk.len != 0, after = place(is, i).pk.len != 0;

		if (before && after && is_same(place(was, i), place(is, i)))
			all += larger(kilobytes(was), kilobytes(is));
		else
			all += (before ? kilobytes(was) : 0) + (after ? kilobytes(is) : 0);
	}
	return all;
}

static void
count(struct write_units *units, const struct write *write, const struct item *was,
    const struct item *is, int64_t times)
{
	int64_t all = times * larger(larger(kilobytes(was), kilobytes(is)), 1);

	if (write->kind != WRITE_CHECK)
		all += of_indexes(was, is);
	units->units += all;
}

static enum table_rc
units_transact(struct table *table, struct table_call *call, struct write *writes, size_t count_of,
    struct str token)
{
	struct write_units *units = (struct write_units *)table;
	struct table *inner = units->front.inner;
	struct item **was = ARENA_ARRAY(call->arena, count_of, struct item *);
	enum table_rc rc;

	for (size_t i = 0; i < count_of; i++)
		was[i] = stored(units, call->arena, &writes[i]);
	rc = inner->engine->transact(inner, call, writes, count_of, token);
	for (size_t i = 0; i < count_of; i++)
		count(units, &writes[i], was[i], stored(units, call->arena, &writes[i]), 2);
	return rc;
}

static enum table_rc
units_write(struct table *table, struct table_call *call, struct write *write)
{
	struct write_units *units = (struct write_units *)table;
	struct table *inner = units->front.inner;
	struct item *was = stored(units, call->arena, write);
	enum table_rc rc = inner->engine->write(inner, call, write);

	count(units, write, was, stored(units, call->arena, write), 1);
	return rc;
}

void
write_units_begin(struct write_units *units, struct table *inner)
{
	*units = (struct write_units){.units = 0};
	failing_table_begin(&units->front, inner);
	units->engine = *units->front.table.engine;
	units->engine.transact = units_transact;
	units->engine.write = units_write;
	units->front.table.engine = &units->engine;
}
