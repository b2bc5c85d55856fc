#include "table/item.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Items are small; a new one has space for this many attributes before it is reallocated. */
enum { FIRST_CAPACITY = 16, LINEAR_MAX = 64 };

/* --- Values ------------------------------------------------------------------------------- */

static int
compare_members(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct value
value_set(struct arena *arena, const struct str *members, size_t count)
{
	struct str *sorted;
	size_t kept = 0;

	if (count == 0)
		return (struct value){.kind = VALUE_STRING_SET};
	sorted = arena_copy(arena, members, count * sizeof(*members));
	qsort(sorted, count, sizeof(*sorted), compare_members);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || !str_eq(sorted[kept - 1], sorted[i]))
			sorted[kept++] = sorted[i];
	return (struct value){.kind = VALUE_STRING_SET, .set = {sorted, kept}};
}

struct value
value_strings(struct arena *arena, const struct str *strings, size_t count)
{
	struct value *values = ARENA_ARRAY(arena, count, struct value);

	for (size_t i = 0; i < count; i++)
		values[i] = value_string(strings[i]);
	return (struct value){.kind = VALUE_LIST, .list = {values, count}};
}

bool
value_eq(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_STRING:
	case VALUE_BINARY: return str_eq(a->string, b->string);
	case VALUE_NUMBER: return a->number == b->number;
	case VALUE_BOOLEAN: return a->boolean == b->boolean;
	case VALUE_NULL: return true;
	case VALUE_MAP: return item_eq(&a->map, &b->map);
	case VALUE_LIST:
		if (a->list.count != b->list.count)
			return false;
		for (size_t i = 0; i < a->list.count; i++)
			if (!value_eq(&a->list.values[i], &b->list.values[i]))
				return false;
		return true;
	case VALUE_STRING_SET:
		if (a->set.count != b->set.count)
			return false;
		for (size_t i = 0; i < a->set.count; i++)
			if (!str_eq(a->set.members[i], b->set.members[i]))
				return false;
		return true;
	}
	return false;
}

struct value
value_copy(struct arena *arena, const struct value *value)
{
	struct value copy = *value;

	switch (value->kind) {
	case VALUE_STRING:
	case VALUE_BINARY: copy.string = str_dup(arena, value->string); break;
	case VALUE_MAP: copy.map = item_copy(arena, &value->map); break;
	case VALUE_LIST:
		copy.list.values = ARENA_ARRAY(arena, value->list.count, struct value);
		for (size_t i = 0; i < value->list.count; i++)
			copy.list.values[i] = value_copy(arena, &value->list.values[i]);
		break;
	case VALUE_STRING_SET:
		copy.set.members = ARENA_ARRAY(arena, value->set.count, struct str);
		for (size_t i = 0; i < value->set.count; i++)
			copy.set.members[i] = str_dup(arena, value->set.members[i]);
		break;
	case VALUE_NUMBER:
	case VALUE_BOOLEAN:
	case VALUE_NULL: break;
	}
	return copy;
}

/* --- Items -------------------------------------------------------------------------------- */

/* The index of the name, or where it would be inserted; *found tells which. */
static size_t
position(const struct item *item, struct str name, bool *found)
{
	size_t low = 0, high = item->count;

	*found = false;
	/* Most items are built in order: check the end first. */
	if (high != 0 && str_cmp(item->attributes[high - 1].name, name) < 0)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(item->attributes[middle].name, name);

		if (order == 0) {
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
make_room(struct arena *arena, struct item *item)
{
	size_t capacity = item->capacity != 0 ? item->capacity * 2 : FIRST_CAPACITY;
	struct attribute *attributes;

	if (item->count < item->capacity)
		return;
	if (capacity <= item->count)
		capacity = item->count * 2;
	if (item->capacity != 0) {
		attributes = arena_grow(arena, item->attributes,
		    item->capacity * sizeof(*attributes), capacity * sizeof(*attributes));
	} else {
		/*
		 * The array of a decoded item has no spare capacity, so it is never extended in
		 * place.
		 */
		attributes = ARENA_ARRAY(arena, capacity, struct attribute);
		if (item->count != 0)
			memcpy(attributes, item->attributes, item->count * sizeof(*attributes));
	}
	item->attributes = attributes;
	item->capacity = capacity;
}

void
item_set(struct arena *arena, struct item *item, struct str name, struct value value)
{
	bool found;
	size_t at = position(item, name, &found);

	if (!found) {
		make_room(arena, item);
		memmove(item->attributes + at + 1, item->attributes + at,
		    (item->count - at) * sizeof(*item->attributes));
		item->count++;
		item->attributes[at].name = name;
	}
	item->attributes[at].value = value;
}

bool
item_remove(struct item *item, struct str name)
{
	bool found;
	size_t at = position(item, name, &found);

	if (!found)
		return false;
	item->count--;
	memmove(item->attributes + at, item->attributes + at + 1,
	    (item->count - at) * sizeof(*item->attributes));
	return true;
}

/* An empty name sorts before all others, and is refused elsewhere. */
static inline unsigned
first_byte(struct str name)
{
	return name.len != 0 ? (unsigned char)name.base[0] : 0;
}

const struct value *
item_get(const struct item *item, struct str name)
{
	bool found;
	size_t at;

	/*
	 * Up to some dozens of names, a linear scan of first bytes beats a binary search, whose
	 * every step waits for memory.
	 */
	if (item->count != 0 && item->count <= LINEAR_MAX && name.len != 0) {
		const struct attribute *a = item->attributes, *end = a + item->count;

		while (a != end && first_byte(a->name) < first_byte(name))
			a++;
		for (; a != end && first_byte(a->name) == first_byte(name); a++)
			if (str_eq(a->name, name))
				return &a->value;
		return NULL;
	}
	at = position(item, name, &found);
	return found ? &item->attributes[at].value : NULL;
}

/* The value if it is of this type, else NULL. */
static const struct value *
get_kind(const struct item *item, struct str name, enum value_kind kind)
{
	const struct value *value = item_get(item, name);

	return value != NULL && value->kind == kind ? value : NULL;
}

struct str
item_string(const struct item *item, struct str name)
{
	const struct value *value = get_kind(item, name, VALUE_STRING);

	return value != NULL ? value->string : (struct str){NULL, 0};
}

struct str
item_binary(const struct item *item, struct str name)
{
	const struct value *value = get_kind(item, name, VALUE_BINARY);

	return value != NULL ? value->string : (struct str){NULL, 0};
}

int64_t
item_number(const struct item *item, struct str name)
{
	const struct value *value = get_kind(item, name, VALUE_NUMBER);

	return value != NULL ? value->number : 0;
}

bool
item_boolean(const struct item *item, struct str name)
{
	const struct value *value = get_kind(item, name, VALUE_BOOLEAN);

	return value != NULL && value->boolean;
}

const struct str *
item_strings(struct arena *arena, const struct item *item, struct str name, size_t *count)
{
	const struct value *value = item_get(item, name);
	struct str *strings;

	*count = 0;
	if (value == NULL)
		return NULL;
	if (value->kind == VALUE_STRING_SET) {
		*count = value->set.count;
		return value->set.members;
	}
	if (value->kind != VALUE_LIST)
		return NULL;
	strings = ARENA_ARRAY(arena, value->list.count, struct str);
	for (size_t i = 0; i < value->list.count; i++)
		if (value->list.values[i].kind == VALUE_STRING)
			strings[(*count)++] = value->list.values[i].string;
	return strings;
}

bool
item_eq(const struct item *a, const struct item *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!str_eq(a->attributes[i].name, b->attributes[i].name) ||
		    !value_eq(&a->attributes[i].value, &b->attributes[i].value))
			return false;
	return true;
}

struct item
item_copy(struct arena *arena, const struct item *item)
{
	struct item copy = item_shallow(arena, item);

	for (size_t i = 0; i < copy.count; i++) {
		copy.attributes[i].name = str_dup(arena, copy.attributes[i].name);
		copy.attributes[i].value = value_copy(arena, &copy.attributes[i].value);
	}
	return copy;
}

struct item
item_shallow(struct arena *arena, const struct item *item)
{
	struct attribute *attributes = NULL;

	if (item->count != 0)
		attributes =
		    arena_copy(arena, item->attributes, item->count * sizeof(*item->attributes));
	return (struct item){attributes, item->count, item->count};
}

/* --- Size ------------------------------------------------------------------------------------- */

static size_t
number_size(int64_t number)
{
	size_t digits = 0;
	int64_t left = number;

	if (number == 0)
		return 1;
	while (left % 10 == 0)
		left /= 10;
	for (; left != 0; left /= 10)
		digits++;
	return (digits + 1) / 2 + 1 + (number < 0);
}

static size_t
value_size(const struct value *value)
{
	size_t size = 3;

	switch (value->kind) {
	case VALUE_STRING:
	case VALUE_BINARY: return value->string.len;
	case VALUE_NUMBER: return number_size(value->number);
	case VALUE_BOOLEAN:
	case VALUE_NULL: return 1;
	case VALUE_MAP: return size + value->map.count + item_size(&value->map);
	case VALUE_LIST:
		for (size_t i = 0; i < value->list.count; i++)
			size += 1 + value_size(&value->list.values[i]);
		return size;
	case VALUE_STRING_SET:
		size = 0;
		for (size_t i = 0; i < value->set.count; i++)
			size += value->set.members[i].len;
		return size;
	}
	return 0;
}

size_t
item_size(const struct item *item)
{
	size_t size = 0;

	for (size_t i = 0; i < item->count; i++)
		size += item->attributes[i].name.len + value_size(&item->attributes[i].value);
	return size;
}

/* --- Validity ------------------------------------------------------------------------------ */

static const char *value_error(const struct value *value, unsigned depth);

/* `depth` is that of the item: 0 for a whole one, 1 for a map in it. */
static const char *
map_error(const struct item *map, unsigned depth)
{
	for (size_t i = 0; i < map->count; i++) {
		struct str name = map->attributes[i].name;
		const char *error = value_error(&map->attributes[i].value, depth);

		if (error != NULL)
			return error;
		if (name.len == 0)
			return "an attribute has an empty name";
		if (name.len > ITEM_NAME_MAX)
			return "an attribute's name is too long";
		if (!str_utf8(name))
			return "an attribute's name is not UTF-8";
		if (i != 0 && str_cmp(map->attributes[i - 1].name, name) >= 0)
			return "attributes are not in order";
	}
	return NULL;
}

static const char *
members_error(const struct str *members, size_t count)
{
	if (count == 0)
		return "a set is empty";
	for (size_t i = 0; i < count; i++) {
		if (!str_utf8(members[i]))
			return "a set's member is not UTF-8";
		if (i != 0 && str_cmp(members[i - 1], members[i]) >= 0)
			return "a set's members are not in order";
	}
	return NULL;
}

/* `depth` is the number of enclosing lists and maps. */
static const char *
value_error(const struct value *value, unsigned depth)
{
	const char *error = NULL;

	switch (value->kind) {
	case VALUE_STRING: return str_utf8(value->string) ? NULL : "a string is not UTF-8";
	case VALUE_STRING_SET: return members_error(value->set.members, value->set.count);
	case VALUE_MAP:
	case VALUE_LIST:
		if (depth == ITEM_DEPTH_MAX)
			return "lists and maps are nested too deep";
		if (value->kind == VALUE_MAP)
			return map_error(&value->map, depth + 1);
		for (size_t i = 0; i < value->list.count && error == NULL; i++)
			error = value_error(&value->list.values[i], depth + 1);
		return error;
	case VALUE_NUMBER:
	case VALUE_BOOLEAN:
	case VALUE_NULL:
	case VALUE_BINARY: break;
	}
	return NULL;
}

const char *
item_error(const struct item *item)
{
	return map_error(item, 0);
}
