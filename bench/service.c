#include "service.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/evaluate.h"
#include "table/rules.h"
#include "table/slots.h"

#include <stdlib.h>
#include <string.h>

enum {
	WRITE_UNITS = 1000,
	READ_UNITS = 3000,
	REQUEST_US = 2000,
	READ_US = 1000,
	HELD_US = 10000,
	ATTEMPTS = 4, /* of the engine, unless AWS_MAX_ATTEMPTS says otherwise */
	BUCKETS = 1 << 18,
	KINDS_OF_UNITS = 2,
};
enum unit { WRITES, READS };

/* A partition of the table or of an index, or an item that transactions hold. */
struct place {
	struct place *next;
	struct str name;
	double left[KINDS_OF_UNITS];
	int64_t filled; /* when `left` was right */
	int64_t held;   /* of an item: until then */
	uint64_t refused;
	double written;
};

struct service {
	struct table table; /* what the program gets */
	struct table_engine engine;
	struct virtual_time *time;
	struct table *inner;
	struct arena *arena; /* of the places */
	bool enforced;
	struct service_report report;
	struct place *buckets[BUCKETS];
};

/* --- Places ------------------------------------------------------------------------------------------- */

static struct place *
place_of(struct service *s, enum table_index index, struct str pk, struct str sk)
{
	static const char *const names[] = {"", "GSI1 ", "GSI2 ", "GSI3 ", "GSI4 "};
	uint64_t hash = UINT64_C(14695981039346656037);
	struct str parts[] = {str_of(names[index]), pk, sk.len != 0 ? STR(" / ") : STR(""), sk};
	struct place **at;

	for (size_t p = 0; p < 4; p++)
		for (size_t i = 0; i < parts[p].len; i++)
			hash = (hash ^ (unsigned char)parts[p].base[i]) * UINT64_C(1099511628211);
	for (at = &s->buckets[hash % BUCKETS]; *at != NULL; at = &(*at)->next) {
		struct str rest = (*at)->name;
		bool same = true;

		for (size_t p = 0; p < 4 && same; p++) {
			same = str_starts(rest, parts[p]);
			rest = same ? str_sub(rest, parts[p].len, rest.len) : rest;
		}
		if (same && rest.len == 0)
			return *at;
	}
	*at = ARENA_NEW(s->arena, struct place);
	**at = (struct place){.name = str_join(s->arena, parts, 4, STR("")),
	    .left = {[WRITES] = WRITE_UNITS, [READS] = READ_UNITS},
	    .filled = virtual_now(s->time)};
	return *at;
}

static double
left(struct service *s, struct place *p, enum unit unit)
{
	static const double most[KINDS_OF_UNITS] = {[WRITES] = WRITE_UNITS, [READS] = READ_UNITS};
	int64_t now = virtual_now(s->time);

	for (int u = 0; u < KINDS_OF_UNITS; u++) {
		p->left[u] += most[u] * (double)(now - p->filled) / 1e6;
		p->left[u] = p->left[u] > most[u] ? most[u] : p->left[u];
	}
	p->filled = now;
	return p->left[unit];
}

/* What a request takes of the partitions. */
struct bill {
	struct charge {
		struct place *place;
		double units;
	} charges[TABLE_BATCH_MAX * 10];
	size_t count;
};

static void
charge(struct bill *bill, struct place *place, double units)
{
	bill->charges[bill->count++] = (struct charge){place, units};
}

/* Takes all of it, or nothing when one has nothing left. */
static bool
pay(struct service *s, const struct bill *bill, enum unit unit)
{
	for (size_t i = 0; i < bill->count; i++)
		if (left(s, bill->charges[i].place, unit) <= 0) {
			bill->charges[i].place->refused++;
			s->report.throttled++;
			return false;
		}
	for (size_t i = 0; i < bill->count; i++) {
		bill->charges[i].place->left[unit] -= bill->charges[i].units;
		bill->charges[i].place->written += unit == WRITES ? bill->charges[i].units : 0;
	}
	return true;
}

static double
units_of(size_t bytes, size_t unit)
{
	return bytes == 0 ? 1 : (double)((bytes + unit - 1) / unit);
}

/* --- Retries, as the engine makes them ------------------------------------------------------------------ */

/* Pauses before another attempt; false: that was the last, or time is up. */
static bool
try_again(struct service *s, const struct table_call *call, unsigned *attempts)
{
	uint32_t chance;

	if (++*attempts > ATTEMPTS)
		return false;
	s->table.clock->random(s->table.clock, &chance, sizeof(chance));
	virtual_sleep(s->time, 1000 * dynamo_pause_ms(chance, *attempts - 1));
	return clock_monotonic(s->table.clock) < call->deadline;
}

/* --- Reads -------------------------------------------------------------------------------------------- */

static void
bill_item(struct service *s, struct bill *bill, struct key key, const struct item *item, bool whole)
{
	double units = units_of(item != NULL ? item_size(item) : 0, 4096);

	charge(bill, place_of(s, TABLE_PRIMARY, key.pk, STR("")), whole ? units : units / 2);
}

static void
bill_read(struct service *s, struct bill *bill, const struct read *r)
{
	size_t bytes = 0;

	switch (r->kind) {
	case READ_GET: bill_item(s, bill, r->key, r->item, r->consistent); break;
	case READ_BATCH:
		for (size_t i = 0; i < r->batch.count; i++)
			bill_item(s, bill, r->batch.keys[i], r->items[i], r->consistent);
		break;
	case READ_QUERY:
		for (size_t i = 0; i < r->found_count; i++)
			bytes += item_size(&r->found[i]);
		charge(bill, place_of(s, r->query.index, r->query.partition, STR("")),
		    units_of(bytes, 4096) / (r->query.consistent ? 1 : 2));
	}
}

static enum table_rc
service_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct service *s = (struct service *)table;
	struct bill *bill = ARENA_NEW(call->arena, struct bill);
	unsigned attempts = 1;
	enum table_rc rc;

	virtual_sleep(s->time, s->enforced ? REQUEST_US + READ_US : 0);
	rc = s->inner->engine->read(s->inner, call, reads, count);
	if (rc != TABLE_OK || !s->enforced)
		return rc;
	for (size_t i = 0; i < count; i++) {
		bill->count = 0;
		bill_read(s, bill, &reads[i]);
		/* Only what was throttled is asked for again; the others wait for it. */
		while (!pay(s, bill, READS)) {
			if (!try_again(s, call, &attempts))
				return TABLE_THROTTLED;
			virtual_sleep(s->time, REQUEST_US + READ_US);
		}
	}
	return TABLE_OK;
}

/* --- Writes ------------------------------------------------------------------------------------------- */

/* Each index whose image of the item changes, in its partition before and after. */
static void
bill_indexes(struct service *s, struct bill *bill, const struct item *old, const struct item *new)
{
	for (int i = TABLE_GSI1; i <= TABLE_GSI4; i++) {
		struct str pk[2] = {STR(""), STR("")}, sk[2] = {STR(""), STR("")};
		bool was = old != NULL && item_index_key(old, (enum table_index)i, &pk[0], &sk[0]);
		bool is = new != NULL && item_index_key(new, (enum table_index)i, &pk[1], &sk[1]);
		bool moves = was && is && (!str_eq(pk[0], pk[1]) || !str_eq(sk[0], sk[1]));

		if (was && (!is || moves))
			charge(bill, place_of(s, (enum table_index)i, pk[0], STR("")),
			    units_of(item_size(old), 1024));
		if (is)
			charge(bill, place_of(s, (enum table_index)i, pk[1], STR("")),
			    units_of(item_size(new), 1024));
	}
}

/* The first of them that a transaction holds, or NULL. */
static struct place *
held(struct service *s, const struct write *writes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct key key = write_key(&writes[i]);
		struct place *place = place_of(s, TABLE_PRIMARY, key.pk, key.sk);

		if (place->held > virtual_now(s->time))
			return place;
	}
	return NULL;
}

static void
hold(struct service *s, const struct write *writes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct key key = write_key(&writes[i]);

		place_of(s, TABLE_PRIMARY, key.pk, key.sk)->held = virtual_now(s->time) + HELD_US;
	}
}

/* What is written, in the base `times` and in the indexes once. */
static enum table_rc
bill_writes(struct service *s, struct table_call *call, const struct write *writes, size_t count,
    double times, struct bill *base, struct bill *all)
{
	struct key *keys = ARENA_ARRAY(call->arena, count, struct key);
	struct read read = {.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = write_key(&writes[i]);
	rc = s->inner->engine->read(s->inner, call, &read, 1);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct item *new = read.items[i];
		size_t bytes = new != NULL ? item_size(new) : 0;
		struct place *place = place_of(s, TABLE_PRIMARY, keys[i].pk, STR(""));

		if (writes[i].kind != WRITE_CHECK)
			(void)write_apply(call->arena, &writes[i], read.items[i], &new);
		if (new != NULL && item_size(new) > bytes)
			bytes = item_size(new);
		charge(base, place, times * units_of(bytes, 1024));
		charge(all, place, times * units_of(bytes, 1024));
		if (writes[i].kind != WRITE_CHECK)
			bill_indexes(s, all, read.items[i], new);
	}
	return rc;
}

/* One attempt; TABLE_CONFLICT and TABLE_THROTTLED are worth another one. */
static enum table_rc
attempt(struct service *s, struct table_call *call, struct write *writes, size_t count, bool alone)
{
	struct bill *base = ARENA_NEW(call->arena, struct bill);
	struct bill *all = ARENA_NEW(call->arena, struct bill);
	struct place *met;
	enum table_rc rc;

	virtual_sleep(s->time, REQUEST_US);
	rc = bill_writes(s, call, writes, count, alone ? 1 : 2, base, all);
	if (rc != TABLE_OK)
		return rc;
	s->report.transactions++;
	met = held(s, writes, count);
	if (met != NULL) {
		s->report.conflicts++;
		met->refused++;
		return pay(s, base, WRITES) ? TABLE_CONFLICT : TABLE_THROTTLED;
	}
	if (!pay(s, all, WRITES))
		return TABLE_THROTTLED;
	rc = alone ? s->inner->engine->write(s->inner, call, writes)
		   : s->inner->engine->transact(s->inner, call, writes, count, STR(""));
	if (rc == TABLE_OK && !alone) {
		hold(s, writes, count);
		virtual_sleep(s->time, HELD_US);
	}
	return rc;
}

static enum table_rc
service_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct service *s = (struct service *)table;
	unsigned attempts = 1;
	enum table_rc rc;

	if (!s->enforced)
		return s->inner->engine->transact(s->inner, call, writes, count, token);
	do
		rc = attempt(s, call, writes, count, false);
	while ((rc == TABLE_CONFLICT || rc == TABLE_THROTTLED) && try_again(s, call, &attempts));
	return rc;
}

/* A single write is a transaction, too, unless what it returns is wanted (table/dynamo/write.c). */
static enum table_rc
service_write(struct table *table, struct table_call *call, struct write *write)
{
	struct service *s = (struct service *)table;
	unsigned attempts = 1;
	enum table_rc rc;

	if (!s->enforced)
		return s->inner->engine->write(s->inner, call, write);
	do
		rc = attempt(s, call, write, 1, write->returns != RETURN_NONE);
	while ((rc == TABLE_CONFLICT || rc == TABLE_THROTTLED) && try_again(s, call, &attempts));
	return rc != TABLE_CANCELLED ? rc : write->rc;
}

/* As the engine has it: each second is another version. */
static uint64_t
service_version(struct table *table)
{
	return (uint64_t)(clock_now(table->clock) / 1000) + 1;
}

/* --- All of it ---------------------------------------------------------------------------------------- */

struct service *
service_new(struct virtual_time *time, struct table *inner, struct clock *clock)
{
	struct service *s = calloc(1, sizeof(*s));

	if (s == NULL)
		out_of_memory();
	s->arena = arena_new();
	s->time = time;
	s->inner = inner;
	s->engine = *inner->engine;
	s->engine.fold_ms = 30000;
	s->engine.deadline_ms = 5000;
	s->engine.read = service_read;
	s->engine.write = service_write;
	s->engine.transact = service_transact;
	s->engine.version = service_version;
	s->engine.hold = NULL;
	s->table = (struct table){
	    .engine = &s->engine, .clock = clock, .unseen = inner->unseen};
	return s;
}

void
service_free(struct service *s)
{
	arena_free(s->arena);
	free(s);
}

struct table *
service_table(struct service *s)
{
	return &s->table;
}

void
service_enforce(struct service *s, bool enforced)
{
	s->enforced = enforced;
}

void
service_report(struct service *s, struct service_report *out)
{
	*out = s->report;
	s->report = (struct service_report){.transactions = 0};
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct place *p = s->buckets[i]; p != NULL; p = p->next) {
			bool item = p->held != 0;
			uint64_t *most = item ? &out->item_conflicts : &out->partition_throttled;

			if (p->refused > *most) {
				*most = p->refused;
				*(item ? &out->item : &out->partition) = p->name;
			}
			if (p->written > out->busiest_units) {
				out->busiest_units = p->written;
				out->busiest = p->name;
			}
			p->refused = 0;
			p->written = 0;
		}
}
