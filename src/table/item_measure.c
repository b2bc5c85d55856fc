/* What a table asks of an item before it takes it: its size, and what is wrong with it. */
#include "table/item.h"

/* --- Size ---------------------------------------------------------------------------------- */

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

/* --- Flaws --------------------------------------------------------------------------------- */

static const char *value_flaw(const struct value *value, unsigned depth);

/* `depth` is that of the item: 0 for a whole one, 1 for a map in it. */
static const char *
map_flaw(const struct item *map, unsigned depth)
{
	for (size_t i = 0; i < map->count; i++) {
		struct str name = map->attributes[i].name;
		const char *flaw = value_flaw(&map->attributes[i].value, depth);

		if (flaw != NULL)
			return flaw;
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
set_flaw(const struct str *members, size_t count)
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

/* `depth` is how many lists and maps the value is in. */
static const char *
value_flaw(const struct value *value, unsigned depth)
{
	const char *flaw = NULL;

	switch (value->kind) {
	case VALUE_STRING: return str_utf8(value->string) ? NULL : "a string is not UTF-8";
	case VALUE_STRING_SET: return set_flaw(value->set.members, value->set.count);
	case VALUE_MAP:
	case VALUE_LIST:
		if (depth == ITEM_DEPTH_MAX)
			return "lists and maps are nested too deep";
		if (value->kind == VALUE_MAP)
			return map_flaw(&value->map, depth + 1);
		for (size_t i = 0; i < value->list.count && flaw == NULL; i++)
			flaw = value_flaw(&value->list.values[i], depth + 1);
		return flaw;
	case VALUE_NUMBER:
	case VALUE_BOOLEAN:
	case VALUE_NULL:
	case VALUE_BINARY: break;
	}
	return NULL;
}

const char *
item_flaw(const struct item *item)
{
	return map_flaw(item, 0);
}
