#include "model/site/work.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_work.h"
#include "model/kinds.h"

static const struct binding state[] = {
    BIND_NUMBER(RECORDED, "Handled", struct work_state, handled),
    BIND_TIME(RECORDED, "LettersFrom", struct work_state, letters_from),
    BIND_STRING(RECORDED, "Position", struct work_state, position),
    BIND_NUMBER(RECORDED, "Recent", struct work_state, recent),
    BIND_TIME(RECORDED, "RecentFrom", struct work_state, recent_from),
    BIND_NUMBER(RECORDED, "RecentMicros", struct work_state, recent_micros),
    BIND_TIME(RECORDED, "RecordAt", struct work_state, record_at),
    BIND_TIME(RECORDED, "StoredAt", struct work_state, stored_at),
    BIND_NUMBER(RECORDED, "Written", struct work_state, written),
};
const struct binding_table work_state_bindings = BINDINGS(state);

static const struct binding derived[] = {
    BIND_NUMBER(RECORDED, "Differences", struct work_derived, differences),
    BIND_NUMBER(RECORDED, "Items", struct work_derived, items),
    BIND_STRING(RECORDED, "Name", struct work_derived, name),
    BIND_TIME(RECORDED, "RebuiltAt", struct work_derived, rebuilt_at),
    BIND_NUMBER(RECORDED, "Version", struct work_derived, version),
};
const struct binding_table work_derived_bindings = BINDINGS(derived);

static const struct binding parked[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct work_parked, created),
    BIND_STRING(RECORDED, "Derivation", struct work_parked, derivation),
    BIND_STRING(RECORDED, "Subject", struct work_parked, subject),
    BIND_STRING(RECORDED, "Why", struct work_parked, why),
};
const struct binding_table work_parked_bindings = BINDINGS(parked);

static const struct binding rebuild[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct work_rebuild, begun),
    BIND_NUMBER(RECORDED, "Differences", struct work_rebuild, differences),
    BIND_NUMBER(RECORDED, "Items", struct work_rebuild, items),
    BIND_STRINGS(RECORDED, "Names", struct work_rebuild, names),
};
/* A cursor is bytes, which no struct's binding holds. */
const struct binding_table work_rebuild_bindings = BINDINGS(rebuild);

enum { OWN, PARKED, LEASE, MAIL_LEASE };

/* --- Throughput -------------------------------------------------------------------------------------- */

enum { MINUTE_MS = 60 * 1000, KEPT_MS = MINUTE_MS / 2 };

/* After a minute half a minute is kept of it, as if the records had come evenly. */
void
work_count(struct work_state *s, int64_t now, int64_t records, int64_t micros)
{
	int64_t lasted = now - s->recent_from;

	/* A clock may have been set back. */
	if (lasted < 0)
		s->recent = s->recent_micros = 0;
	if (lasted < 0 || lasted > MINUTE_MS) {
		s->recent = s->recent * KEPT_MS / lasted;
		s->recent_micros = s->recent_micros * KEPT_MS / lasted;
		s->recent_from = now - KEPT_MS;
	}
	s->recent += records;
	s->recent_micros += micros;
}

struct work_pace
work_pace(const struct work_state *s, int64_t now)
{
	int64_t lasted = now - s->recent_from, micros = s->recent_micros;

	return (struct work_pace){
	    .a_minute = lasted > 0 ? s->recent * MINUTE_MS / lasted : 0,
	    .a_second = micros > 0 ? s->recent * 1000 * 1000 / micros : 0,
	};
}

/* --- Reading ----------------------------------------------------------------------------------------- */

static void
take(struct arena *arena, const struct item *item, struct work *out)
{
	const struct value *cursor = item_get(item, STR("Cursor"));

	if (kind_is(item, ITEM_WORK_STATE)) {
		bind_read(arena, &work_state_bindings, item, &out->state);
	} else if (kind_is(item, ITEM_WORK_DERIVED)) {
		bind_read(
		    arena, &work_derived_bindings, item, &out->derived[out->derived_count++]);
	} else if (kind_is(item, ITEM_WORK_PARKED)) {
		bind_read(arena, &work_parked_bindings, item, &out->parked[out->parked_count++]);
	} else if (kind_is(item, ITEM_SENDER_STATE)) {
		bind_read(arena, &sender_state_bindings, item, &out->sender);
	} else if (kind_is(item, ITEM_WORK_REBUILD)) {
		bind_read(arena, &work_rebuild_bindings, item, &out->rebuild);
		if (cursor != NULL && cursor->kind == VALUE_BINARY)
			out->rebuild.cursor = cursor->string;
		out->rebuilding = true;
	}
}

void
work_state_from_item(struct arena *arena, const struct item *item, struct work_state *out)
{
	*out = (struct work_state){.position = STR("")};
	if (item != NULL)
		bind_read(arena, &work_state_bindings, item, out);
}

enum table_rc
work_handled_to(struct table *table, struct table_call *call, int64_t *time)
{
	struct read read = {.kind = READ_GET, .key = key_work_state()};
	enum table_rc rc = table_read(table, call, &read, 1);
	struct work_state work;

	work_state_from_item(call->arena, rc == TABLE_OK ? read.item : NULL, &work);
	*time = work.record_at;
	return rc;
}

void
work_reads(struct read reads[WORK_READS])
{
	reads[OWN] = (struct read){.kind = READ_QUERY, .query = query_work()};
	reads[OWN].query.limit = TABLE_QUERY_MAX;
	reads[PARKED] = (struct read){.kind = READ_QUERY, .query = query_work_parked()};
	reads[PARKED].query.limit = WORK_PARKED_MAX;
	reads[OWN].query.consistent = reads[PARKED].query.consistent = true;
	reads[LEASE] = (struct read){
	    .kind = READ_GET, .key = key_lease(WORK_LEASE), .consistent = true};
	reads[MAIL_LEASE] = (struct read){
	    .kind = READ_GET, .key = key_lease(SENDER_LEASE), .consistent = true};
}

static bool
is_held(const struct read *lease, int64_t now)
{
	return lease->item != NULL && item_number(lease->item, STR("Until")) > now;
}

void
work_take(struct arena *arena, const struct read reads[WORK_READS], int64_t now, struct work *out)
{
	*out = (struct work){.parked_more = reads[PARKED].next.len != 0,
	    .led = is_held(&reads[LEASE], now),
	    .sends = is_held(&reads[MAIL_LEASE], now),
	    .derived = ARENA_ARRAY(arena, reads[OWN].found_count, struct work_derived),
	    .parked = ARENA_ARRAY(arena, reads[PARKED].found_count, struct work_parked)};
	for (size_t r = OWN; r <= PARKED; r++)
		for (size_t i = 0; i < reads[r].found_count; i++)
			take(arena, &reads[r].found[i], out);
}

enum table_rc
work_load(struct table *table, struct table_call *call, struct work *out)
{
	struct read reads[WORK_READS];
	enum table_rc rc;

	work_reads(reads);
	rc = table_read(table, call, reads, WORK_READS);
	if (rc == TABLE_OK)
		work_take(call->arena, reads, clock_now(table->clock), out);
	return rc;
}

const struct work_derived *
work_find_derived(const struct work *work, struct str name)
{
	for (size_t i = 0; i < work->derived_count; i++)
		if (str_eq(work->derived[i].name, name))
			return &work->derived[i];
	return NULL;
}

/* --- Writing ----------------------------------------------------------------------------------------- */

enum table_rc
work_store(struct table *table, struct table_call *call, const struct work_state *was,
    const struct work_state *is)
{
	const struct condition
	    nowhere = {.op = COND_MISSING, .name = STR("Position")},
	    there = {.op = COND_EQ, .name = STR("Position"), .value = value_string(was->position)};
	struct write write = {
	    .kind = WRITE_PUT, .condition = was->position.len != 0 ? &there : &nowhere};

	key_set(call->arena, &write.item, key_work_state(), ITEM_WORK_STATE);
	bind_write(call->arena, &work_state_bindings, is, &write.item);
	return table_write(table, call, &write);
}

static struct key
key_of_parked(struct arena *arena, const struct work_parked *p)
{
	return key_work_parked(arena, p->derivation, p->subject);
}

enum table_rc
work_take_over(struct table *table, struct table_call *call, struct table *from,
    const struct write *guard)
{
	struct read read = {.kind = READ_GET, .key = key_work_state(), .consistent = true};
	enum table_rc rc = table_read(from, call, &read, 1);
	struct work_state is;
	struct change changes[2];
	struct write writes[] = {
	    *guard, {.kind = WRITE_UPDATE, .key = key_work_state(), .changes = changes, .change_count = 2}};

	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	work_state_from_item(call->arena, read.item, &is);
	/* The first moment that there is, in place of none: else it would begin at the present one. */
	changes[0] = (struct change){CHANGE_SET, STR("LettersFrom"),
	    value_string(time_format(call->arena, is.letters_from != 0 ? is.letters_from : 1))};
	changes[1] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_WORK_STATE)};
	call->past_fence = true;
	rc = table_transact(table, call, writes, 2, STR(""));
	call->past_fence = false;
	return rc;
}

enum table_rc
work_forget(struct table *table, struct table_call *call)
{
	struct write write = {.kind = WRITE_DELETE, .key = key_work_state()};
	enum table_rc rc;

	call->past_fence = true;
	rc = table_write(table, call, &write);
	call->past_fence = false;
	return rc;
}

enum table_rc
work_park(struct table *table, struct table_call *call, const struct work_parked *p)
{
	struct item item = {0};

	key_set(call->arena, &item, key_of_parked(call->arena, p), ITEM_WORK_PARKED);
	bind_write(call->arena, &work_parked_bindings, p, &item);
	return table_put(table, call, item);
}

enum table_rc
work_unpark(struct table *table, struct table_call *call, const struct work_parked *p)
{
	struct write write = {.kind = WRITE_DELETE, .key = key_of_parked(call->arena, p)};

	return table_write(table, call, &write);
}

/* The rebuild is where `was` left it: of the same begin, and as far. */
static const struct condition *
still(struct arena *arena, const struct work_rebuild *was)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	if (was == NULL) {
		all[0] = (struct condition){.op = COND_MISSING, .name = STR("PK")};
		return all;
	}
	all[0] = (struct condition){.op = COND_ALL, .children = all + 1, .count = 2};
	all[1] = (struct condition){.op = COND_EQ,
	    .name = STR("CreatedAt"),
	    .value = value_string(time_format(arena, was->begun))};
	all[2] = was->cursor.len != 0
		     ? (struct condition){.op = COND_EQ,
			   .name = STR("Cursor"),
			   .value = value_binary(was->cursor)}
		     : (struct condition){.op = COND_MISSING, .name = STR("Cursor")};
	return all;
}

enum table_rc
work_store_rebuild(struct table *table, struct table_call *call, const struct work_rebuild *was,
    const struct work_rebuild *is)
{
	struct arena *arena = call->arena;
	struct write write = {.kind = is != NULL ? WRITE_PUT : WRITE_DELETE,
	    .key = key_work_rebuild(),
	    .condition = still(arena, was)};

	if (is != NULL) {
		key_set(arena, &write.item, key_work_rebuild(), ITEM_WORK_REBUILD);
		bind_write(arena, &work_rebuild_bindings, is, &write.item);
		if (is->cursor.len != 0)
			item_set(arena, &write.item, STR("Cursor"), value_binary(is->cursor));
	}
	return table_write(table, call, &write);
}

enum table_rc
work_note_derived(struct table *table, struct table_call *call, const struct work_derived *d)
{
	struct item item = {0};

	key_set(call->arena, &item, key_work_derived(call->arena, d->name), ITEM_WORK_DERIVED);
	bind_write(call->arena, &work_derived_bindings, d, &item);
	return table_put(table, call, item);
}
