/* Items in DynamoDB's JSON, both ways. */
#include "base/arena.h"
#include "table/json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading --------------------------------------------------------------------------------- */

enum { FIRST_ATTRIBUTES = 16, FIRST_VALUES = 8 };

static bool read_value(struct json_reader *in, unsigned depth, struct value *out);

/* Space for one more element after `count`, in an array that is doubled when it is full. */
static void *
room(struct json_reader *in, void *array, size_t count, size_t *capacity, size_t size, size_t first)
{
	size_t had = *capacity;

	if (count < had)
		return array;
	*capacity = had != 0 ? had * 2 : first;
	return arena_grow(in->arena, array, had * size, *capacity * size);
}

static int
compare_names(const void *a, const void *b)
{
	return str_cmp(((const struct attribute *)a)->name, ((const struct attribute *)b)->name);
}

static bool
in_order(const struct item *item)
{
	for (size_t i = 1; i < item->count; i++)
		if (compare_names(&item->attributes[i - 1], &item->attributes[i]) >= 0)
			return false;
	return true;
}

/* DynamoDB writes attributes in any order; our own export writes them sorted. */
static bool
sort_attributes(struct json_reader *in, struct item *item)
{
	if (in_order(item))
		return true;
	qsort(item->attributes, item->count, sizeof(*item->attributes), compare_names);
	return in_order(item) || json_fail(in, "an attribute is there twice");
}

static bool
read_map(struct json_reader *in, unsigned depth, struct item *out)
{
	struct item item = {0};
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		struct attribute attribute = {.name = name};

		if (name.len == 0 || name.len > ITEM_NAME_MAX)
			return json_fail(in, "an attribute's name is empty or too long");
		if (!read_value(in, depth, &attribute.value))
			return false;
		item.attributes = room(in, item.attributes, item.count, &item.capacity,
		    sizeof(*item.attributes), FIRST_ATTRIBUTES);
		item.attributes[item.count++] = attribute;
	}
	if (in->error.why != NULL || !sort_attributes(in, &item))
		return false;
	*out = item;
	return true;
}

static bool
read_list(struct json_reader *in, unsigned depth, struct value *out)
{
	struct value *values = NULL;
	size_t count = 0, capacity = 0;

	json_array(in);
	while (json_element(in)) {
		struct value value;

		if (!read_value(in, depth, &value))
			return false;
		values = room(in, values, count, &capacity, sizeof(*values), FIRST_VALUES);
		values[count++] = value;
	}
	*out = (struct value){.kind = VALUE_LIST, .list = {values, count}};
	return in->error.why == NULL;
}

static bool
read_set(struct json_reader *in, struct value *out)
{
	struct str *members = NULL;
	size_t count = 0, capacity = 0;

	json_array(in);
	while (json_element(in)) {
		members = room(in, members, count, &capacity, sizeof(*members), FIRST_VALUES);
		if (!json_string(in, &members[count++]))
			return false;
	}
	if (in->error.why != NULL)
		return false;
	*out = value_set(in->arena, members, count);
	if (count == 0)
		return json_fail(in, "a set is empty");
	return out->set.count == count || json_fail(in, "a set has a member twice");
}

static bool
read_number(struct json_reader *in, struct value *out)
{
	struct str text;

	*out = value_number(0);
	return json_string(in, &text) &&
	       (str_int(text, &out->number) ||
		   json_fail(in, "a number is not whole or not of 64 bits"));
}

static bool
read_binary(struct json_reader *in, struct value *out)
{
	struct str text;
	unsigned char *bytes;
	size_t room_for, len;

	if (!json_string(in, &text))
		return false;
	room_for = text.len / 4 * 3;
	bytes = arena_alloc(in->arena, room_for);
	if (text.len % 4 != 0 || sodium_base642bin(bytes, room_for, text.base, text.len, NULL, &len,
				     NULL, sodium_base64_VARIANT_ORIGINAL) != 0)
		return json_fail(in, "a binary is not base64");
	*out = value_binary((struct str){(const char *)bytes, len});
	return true;
}

static bool
read_null(struct json_reader *in, struct value *out)
{
	bool flag;

	*out = value_null();
	return json_boolean(in, &flag) && (flag || json_fail(in, "NULL must be true"));
}

static bool
read_nested(struct json_reader *in, unsigned depth, bool map, struct value *out)
{
	if (depth == ITEM_DEPTH_MAX)
		return json_fail(in, "lists and maps are nested too deep");
	if (!map)
		return read_list(in, depth + 1, out);
	*out = value_map((struct item){0});
	return read_map(in, depth + 1, &out->map);
}

/* Reads a value of the named type. */
static bool
read_typed(struct json_reader *in, struct str type, unsigned depth, struct value *out)
{
	switch (type.len == 1 ? type.base[0] : 0) {
	case 'S': *out = value_string((struct str){NULL, 0}); return json_string(in, &out->string);
	case 'N': return read_number(in, out);
	case 'B': return read_binary(in, out);
	case 'L':
	case 'M': return read_nested(in, depth, type.base[0] == 'M', out);
	default: break;
	}
	if (str_eq(type, STR("BOOL"))) {
		*out = value_boolean(false);
		return json_boolean(in, &out->boolean);
	}
	if (str_eq(type, STR("SS")))
		return read_set(in, out);
	if (str_eq(type, STR("NULL")))
		return read_null(in, out);
	return json_fail(in, "there is no such type");
}

/* `depth` is the number of enclosing lists and maps. */
static bool
read_value(struct json_reader *in, unsigned depth, struct value *out)
{
	struct str type;

	if (json_plain_value(in, &type)) {
		*out = value_string(type);
		return true;
	}
	json_object(in);
	if (!json_name(in, &type))
		return json_fail(in, "a value has no type");
	if (!read_typed(in, type, depth, out))
		return false;
	if (json_name(in, &type))
		return json_fail(in, "a value has two types");
	return in->error.why == NULL;
}

bool
json_value(struct json_reader *in, struct value *out)
{
	*out = value_null();
	if (read_value(in, 0, out))
		return true;
	*out = value_null();
	return false;
}

bool
json_item(struct json_reader *in, struct item *out)
{
	*out = (struct item){0};
	return read_map(in, 0, out);
}

bool
item_from_json(struct arena *arena, struct str text, struct item *out, struct json_error *error)
{
	struct json_reader in = json_reader(arena, text);

	if (json_item(&in, out) && json_end(&in))
		return true;
	*out = (struct item){0};
	*error = in.error;
	return false;
}

/* --- Writing --------------------------------------------------------------------------------- */

static void
put_binary(struct buf *out, struct str bytes)
{
	size_t size = sodium_base64_encoded_len(bytes.len, sodium_base64_VARIANT_ORIGINAL);

	buf_putc(out, '"');
	sodium_bin2base64(buf_room(out, size), size, (const unsigned char *)bytes.base, bytes.len,
	    sodium_base64_VARIANT_ORIGINAL);
	out->len += size - 1;
	buf_putc(out, '"');
}

void
value_to_json(struct buf *out, const struct value *value)
{
	switch (value->kind) {
	case VALUE_STRING:
		BUF_PUT(out, "{\"S\":");
		json_put_string(out, value->string);
		break;
	case VALUE_NUMBER:
		BUF_PUT(out, "{\"N\":\"");
		buf_int(out, value->number);
		BUF_PUT(out, "\"");
		break;
	case VALUE_BOOLEAN:
		buf_put(out, value->boolean ? STR("{\"BOOL\":true") : STR("{\"BOOL\":false"));
		break;
	case VALUE_NULL: BUF_PUT(out, "{\"NULL\":true"); break;
	case VALUE_BINARY:
		BUF_PUT(out, "{\"B\":");
		put_binary(out, value->string);
		break;
	case VALUE_MAP:
		BUF_PUT(out, "{\"M\":");
		item_to_json(out, &value->map);
		break;
	case VALUE_LIST:
		BUF_PUT(out, "{\"L\":[");
		for (size_t i = 0; i < value->list.count; i++) {
			if (i != 0)
				buf_putc(out, ',');
			value_to_json(out, &value->list.values[i]);
		}
		buf_putc(out, ']');
		break;
	case VALUE_STRING_SET:
		BUF_PUT(out, "{\"SS\":[");
		for (size_t i = 0; i < value->set.count; i++) {
			if (i != 0)
				buf_putc(out, ',');
			json_put_string(out, value->set.members[i]);
		}
		buf_putc(out, ']');
		break;
	}
	buf_putc(out, '}');
}

void
item_to_json(struct buf *out, const struct item *item)
{
	buf_putc(out, '{');
	for (size_t i = 0; i < item->count; i++) {
		if (i != 0)
			buf_putc(out, ',');
		json_put_string(out, item->attributes[i].name);
		buf_putc(out, ':');
		value_to_json(out, &item->attributes[i].value);
	}
	buf_putc(out, '}');
}

/* --- By the pattern of the item before -------------------------------------------------------- */

/*
 * Items of a list, read by the pattern of the one before. A name that is in the text without
 * escapes is valid, and the same bytes at the same position are the same name; so are all names of
 * an item with the same number of them, and its attributes go to their sorted positions at once. At
 * the first byte that differs from the pattern, the item is read by json_item(), from its
 * beginning.
 */

/* Skips this byte if it is here. */
static bool
take(struct json_reader *in, char c)
{
	if (in->at == in->end || *in->at != c)
		return false;
	in->at++;
	return true;
}

static bool
take_name(struct json_reader *in, struct str name)
{
	const char *at = in->at;

	if ((size_t)(in->end - at) < name.len + sizeof("\"\":") - 1 || at[0] != '"' ||
	    memcmp(at + 1, name.base, name.len) != 0 || at[name.len + 1] != '"' ||
	    at[name.len + 2] != ':')
		return false;
	in->at += name.len + sizeof("\"\":") - 1;
	return true;
}

static bool
read_alike(struct json_reader *in, const struct json_pattern *pattern, struct item *out)
{
	struct attribute *attributes = arena_room(in->arena, pattern->count * sizeof(*attributes));

	for (size_t i = 0; i < pattern->count; i++) {
		struct attribute *attribute = &attributes[pattern->parts[i].place];

		attribute->name = pattern->parts[i].name;
		if (!take(in, i == 0 ? '{' : ',') || !take_name(in, attribute->name) ||
		    !json_value(in, &attribute->value))
			return false;
	}
	if (!take(in, '}'))
		return false;
	*out = (struct item){attributes, pattern->count, pattern->count};
	return true;
}

static bool
is_in(struct str text, struct str part)
{
	uintptr_t at = (uintptr_t)part.base, base = (uintptr_t)text.base;

	return at >= base && at < base + text.len;
}

/* The names are slices of the text, so their addresses give the order in the text. */
static void
remember(const struct json_reader *in, const struct item *item, struct json_pattern *pattern)
{
	pattern->count = 0;
	if (item->count > JSON_PATTERN_MAX)
		return;
	for (size_t place = 0; place < item->count; place++) {
		struct str name = item->attributes[place].name;
		size_t i = place;

		if (!is_in(in->text, name)) {
			pattern->count = 0;
			return;
		}
		for (; i > 0 && pattern->parts[i - 1].name.base > name.base; i--)
			pattern->parts[i] = pattern->parts[i - 1];
		pattern->parts[i].name = name;
		pattern->parts[i].place = place;
		pattern->count++;
	}
}

bool
json_item_like(struct json_reader *in, struct json_pattern *pattern, struct item *out)
{
	const char *start = in->at;

	if (pattern->count != 0 && read_alike(in, pattern, out))
		return true;
	if (in->error.why == NULL)
		in->at = start;
	if (!json_item(in, out))
		return false;
	remember(in, out, pattern);
	return true;
}
