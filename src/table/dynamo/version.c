/*
 * The table's version, for caches (table/slots.h). The writes of other processes can't be seen, so each second is
 * another version, before which anything may have changed. Our own writes count at once, and stamp the slots
 * of what they change, as far as it is known without having read it:
 *
 *  - A check, and a write of what no cache depends on, change nothing.
 *  - What is put where nothing was is in the partitions that its keys say.
 *  - What is updated is in the partitions in which the writer knows it (write.places), and those that the update sets.
 *  - Every other write may have changed any partition, as the item may have been in it.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/evaluate.h"
#include "table/rules.h"
#include "table/slots.h"

#include <pthread.h>
#include <stdlib.h>

struct dynamo_version {
	pthread_mutex_t mutex; /* of who changes what follows */
	_Atomic int64_t second;
	_Atomic uint64_t number;
	struct slots slots;
};

void
dynamo_version_begin(struct dynamo *db)
{
	struct dynamo_version *v = calloc(1, sizeof(*v));

	if (v == NULL)
		out_of_memory();
	pthread_mutex_init(&v->mutex, NULL);
	v->number = v->slots.counted = 1;
	db->version = v;
	db->table.slots = &v->slots;
}

void
dynamo_version_end(struct dynamo *db)
{
	pthread_mutex_destroy(&db->version->mutex);
	free(db->version);
}

/* What is stamped by now becomes the next version. With the mutex. */
static void
count(struct dynamo_version *v)
{
	slots_count(&v->slots, v->number);
	v->number++;
}

uint64_t
dynamo_version(struct table *table)
{
	struct dynamo_version *v = ((struct dynamo *)table)->version;
	int64_t second = clock_now(table->clock) / 1000;

	if (v->second == second)
		return v->number;
	pthread_mutex_lock(&v->mutex);
	if (v->second != second) {
		slots_stamp_all(&v->slots, v->number + 1);
		count(v);
		v->second = second;
	}
	pthread_mutex_unlock(&v->mutex);
	return v->number;
}

/* --- Our own writes -------------------------------------------------------------------------------- */

/* Is nothing there before it? */
static bool
creates(const struct write *write)
{
	const struct condition *c = write->condition;

	return write->kind == WRITE_PUT && c != NULL && c->op == COND_MISSING &&
	       str_eq(c->name, table_pk_name(TABLE_PRIMARY));
}

/* Stamps the places of an item that is updated, before and after. */
static void
stamp_update(struct slots *slots, uint64_t version, struct arena *arena, const struct write *write)
{
	struct item before = item_shallow(arena, write->places), *after;

	item_set(arena, &before, table_pk_name(TABLE_PRIMARY), value_string(write->key.pk));
	item_set(arena, &before, table_sk_name(TABLE_PRIMARY), value_string(write->key.sk));
	if (write_apply(arena, write, &before, &after) != NULL)
		slots_stamp_all(slots, version);
	else
		slots_stamp(slots, version, &before, after);
}

static void
stamp(struct slots *slots, uint64_t version, struct arena *arena, const struct write *write)
{
	if (creates(write))
		slots_stamp(slots, version, NULL, &write->item);
	else if (write->kind == WRITE_UPDATE && write->places != NULL)
		stamp_update(slots, version, arena, write);
	else
		slots_stamp_all(slots, version);
}

void
dynamo_version_written(
    struct dynamo *db, struct arena *arena, const struct write *writes, size_t write_count)
{
	struct dynamo_version *v = db->version;
	bool seen = false;

	pthread_mutex_lock(&v->mutex);
	for (size_t i = 0; i < write_count; i++)
		if (writes[i].kind != WRITE_CHECK &&
		    table_is_seen(&db->table, write_key(&writes[i]))) {
			stamp(&v->slots, v->number + 1, arena, &writes[i]);
			seen = true;
		}
	if (seen)
		count(v);
	pthread_mutex_unlock(&v->mutex);
}
