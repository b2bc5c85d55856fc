#include "table/slots.h"

#include "table/rules.h"

#include <assert.h>

/* FNV-1a; `before` is a byte that is in no key, since these are UTF-8. */
static uint32_t
hash_of(uint32_t hash, unsigned char before, struct str text)
{
	hash = (hash ^ before) * 16777619;
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.base[i]) * 16777619;
	return hash;
}

static uint16_t
slot_of(uint32_t hash)
{
	return (uint16_t)(hash ^ hash >> 16);
}

static uint32_t
partition_hash(enum table_index index, struct str partition)
{
	return hash_of(2166136261, (unsigned char)(0xf8 + index), partition);
}

static uint16_t
slot_of_partition(enum table_index index, struct str partition)
{
	return slot_of(partition_hash(index, partition));
}

static uint16_t
slot_of_key(struct key key)
{
	return slot_of(hash_of(partition_hash(TABLE_PRIMARY, key.pk), 0xff, key.sk));
}

/* --- Writing ------------------------------------------------------------------------------------- */

static void
stamp(struct slots *slots, uint64_t version, const struct item *item)
{
	struct key key = item_key(item);
	struct str pk, sk;

	slots->stamps[slot_of_key(key)] = version;
	slots->stamps[slot_of_partition(TABLE_PRIMARY, key.pk)] = version;
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++)
		if (item_index_key(item, (enum table_index)index, &pk, &sk))
			slots->stamps[slot_of_partition((enum table_index)index, pk)] = version;
}

void
slots_stamp(struct slots *slots, uint64_t version, const struct item *old, const struct item *new)
{
	if (old != NULL)
		stamp(slots, version, old);
	if (new != NULL)
		stamp(slots, version, new);
}

void
slots_stamp_all(struct slots *slots, uint64_t version)
{
	slots->all = version;
}

void
slots_count(struct slots *slots, uint64_t version)
{
	if (slots->counted != version)
		slots_stamp_all(slots, version + 1);
	slots->counted = version + 1;
}

/* --- Reading ------------------------------------------------------------------------------------- */

static void
note(struct read_set *set, uint16_t slot)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->slots[i] == slot)
			return;
	if (set->count == READ_SET_MAX)
		set->whole = true;
	else
		set->slots[set->count++] = slot;
}

void
read_set_note(struct read_set *set, const struct read *read)
{
	if (set == NULL)
		return;
	switch (read->kind) {
	case READ_GET: note(set, slot_of_key(read->key)); break;
	case READ_QUERY:
		note(set, slot_of_partition(read->query.index, read->query.partition));
		break;
	case READ_BATCH:
		for (size_t i = 0; i < read->batch.count; i++)
			note(set, slot_of_key(read->batch.keys[i]));
		break;
	}
}

void
read_set_join(struct read_set *set, const struct read_set *other)
{
	if (set == NULL)
		return;
	set->whole = set->whole || other->whole;
	for (size_t i = 0; i < other->count; i++)
		note(set, other->slots[i]);
}

/* Reads in the reverse order of the stores in slots_count() and its caller. */
bool
slots_unchanged(
    const struct slots *slots, const struct read_set *set, uint64_t since, uint64_t version)
{
	if (slots == NULL || set->whole || slots->counted < version || slots->all > since)
		return false;
	for (size_t i = 0; i < set->count; i++)
		if (slots->stamps[set->slots[i]] > since)
			return false;
	return true;
}
