#include "model/bind.h"

#include "base/arena.h"
#include "base/clock.h"

#include <string.h>

int
choice_of(const char *const *names, struct str name)
{
	for (int i = 0; names[i] != NULL; i++)
		if (str_eq(str_of(names[i]), name))
			return i;
	return -1;
}

static struct strings_value
read_strings(struct arena *arena, const struct value *value)
{
	struct str *strings;
	size_t count = 0;

	if (value->kind == VALUE_STRING_SET)
		return (struct strings_value){value->set.members, value->set.count};
	if (value->kind != VALUE_LIST)
		return (struct strings_value){NULL, 0};
	strings = ARENA_ARRAY(arena, value->list.count, struct str);
	for (size_t i = 0; i < value->list.count; i++)
		if (value->list.values[i].kind == VALUE_STRING)
			strings[count++] = value->list.values[i].string;
	return (struct strings_value){strings, count};
}

/* Reads a list of maps into structs; other values in it are left out. */
static void
read_maps(struct arena *arena, const struct binding *b, const struct value *value, char *out)
{
	size_t count = 0;
	char *structs;

	if (value->kind != VALUE_LIST)
		return;
	structs = arena_array(arena, value->list.count, b->size);
	for (size_t i = 0; i < value->list.count; i++)
		if (value->list.values[i].kind == VALUE_MAP)
			bind_read(
			    arena, b->of, &value->list.values[i].map, structs + b->size * count++);
	memcpy(out + b->offset, &structs, sizeof(structs));
	*(size_t *)(void *)(out + b->count_offset) = count;
}

static void
read_one(struct arena *arena, const struct binding *b, const struct value *value, void *out)
{
	void *member = (char *)out + b->offset;
	int choice;

	switch (b->kind) {
	case BINDING_STRING:
		if (value->kind == VALUE_STRING)
			*(struct str *)member = text_shown(arena, b->rule, value->string);
		return;
	case BINDING_NUMBER:
		if (value->kind == VALUE_NUMBER)
			*(int64_t *)member = value->number;
		return;
	case BINDING_BOOLEAN:
		*(bool *)member = value->kind == VALUE_BOOLEAN && value->boolean;
		return;
	case BINDING_TIME:
		if (value->kind == VALUE_STRING)
			time_parse(value->string, (int64_t *)member);
		return;
	case BINDING_STRINGS: *(struct strings_value *)member = read_strings(arena, value); return;
	case BINDING_CHOICE:
		choice = value->kind == VALUE_STRING ? choice_of(b->names, value->string) : -1;
		*(int *)member = choice >= 0 ? choice : 0;
		return;
	case BINDING_MAP:
		if (value->kind == VALUE_MAP)
			bind_read(arena, b->of, &value->map, member);
		return;
	case BINDING_MAPS: read_maps(arena, b, value, out); return;
	case BINDING_NAMED: return;
	}
}

/*
 * str_cmp() of two names, the most frequent operation here. Equal names mostly are the same string
 * of the program; others differ early.
 */
static inline int
compare(struct str a, struct str b)
{
	size_t shared = a.len < b.len ? a.len : b.len;

	if (a.base == b.base)
		shared = 0;
	for (size_t i = 0; i < shared; i++)
		if (a.base[i] != b.base[i])
			return (unsigned char)a.base[i] - (unsigned char)b.base[i];
	return (a.len > b.len) - (a.len < b.len);
}

/* Names are unique and sorted, and each binding has what its type needs. */
static bool
bindings_ok(const struct binding_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct binding *b = &table->bindings[i];
		bool maps = b->kind == BINDING_MAP || b->kind == BINDING_MAPS;

		if (i != 0 && compare(b[-1].name, b->name) >= 0)
			return false;
		if (b->name.len == 0 || b->mark == 0 || maps != (b->of != NULL) ||
		    maps != (b->size != 0) || (b->kind == BINDING_CHOICE) != (b->names != NULL))
			return false;
	}
	return true;
}

void
bind_read(
    struct arena *arena, const struct binding_table *table, const struct item *item, void *out)
{
	const struct binding *b = table->bindings, *end = b + table->count;
	const struct attribute *a = item->attributes, *last = a + item->count;

	assert_whole(bindings_ok(table));
	/* Both sides are sorted by name, so one pass suffices. */
	while (a != last && b != end) {
		int order = compare(a->name, b->name);

		if (order == 0)
			read_one(arena, b, &a->value, out);
		a += order <= 0;
		b += order >= 0;
	}
}

static struct value
map_of(struct arena *arena, const struct binding_table *table, const void *in)
{
	struct item map = {.count = 0};

	bind_write(arena, table, in, &map);
	return value_map(map);
}

static void
write_maps(struct arena *arena, const struct binding *b, const char *in, struct item *item)
{
	struct value list = {.kind = VALUE_LIST};
	const char *structs;

	memcpy(&structs, in + b->offset, sizeof(structs));
	list.list.count = *(const size_t *)(const void *)(in + b->count_offset);
	if (list.list.count == 0)
		return;
	list.list.values = ARENA_ARRAY(arena, list.list.count, struct value);
	for (size_t i = 0; i < list.list.count; i++)
		list.list.values[i] = map_of(arena, b->of, structs + b->size * i);
	item_set(arena, item, b->name, list);
}

static void
write_one(struct arena *arena, const struct binding *b, const void *in, struct item *item)
{
	const void *member = (const char *)in + b->offset;
	const struct strings_value *strings = member;
	int64_t number;

	switch (b->kind) {
	case BINDING_STRING:
		if (((const struct str *)member)->len != 0)
			item_set(arena, item, b->name, value_string(*(const struct str *)member));
		return;
	case BINDING_NUMBER:
		item_set(arena, item, b->name, value_number(*(const int64_t *)member));
		return;
	case BINDING_BOOLEAN:
		if (*(const bool *)member)
			item_set(arena, item, b->name, value_boolean(true));
		return;
	case BINDING_TIME:
		number = *(const int64_t *)member;
		if (number != 0)
			item_set(arena, item, b->name, value_string(time_format(arena, number)));
		return;
	case BINDING_STRINGS:
		if (strings->count != 0)
			item_set(arena, item, b->name,
			    value_strings(arena, strings->strings, strings->count));
		return;
	case BINDING_CHOICE:
		item_set(
		    arena, item, b->name, value_string(str_of(b->names[*(const int *)member])));
		return;
	case BINDING_MAP: item_set(arena, item, b->name, map_of(arena, b->of, member)); return;
	case BINDING_MAPS: write_maps(arena, b, in, item); return;
	case BINDING_NAMED: return;
	}
}

void
bind_write(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item)
{
	assert_whole(bindings_ok(table));
	for (size_t i = 0; i < table->count; i++)
		write_one(arena, &table->bindings[i], in, item);
}

void
bind_rewrite(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item)
{
	for (size_t i = 0; i < table->count; i++)
		item_remove(item, table->bindings[i].name);
	bind_write(arena, table, in, item);
}

/* The size of the member itself. */
static size_t
member_size(const struct binding *b)
{
	switch (b->kind) {
	case BINDING_STRING: return sizeof(struct str);
	case BINDING_NUMBER: return sizeof(int64_t);
	case BINDING_BOOLEAN: return sizeof(bool);
	case BINDING_TIME: return sizeof(int64_t);
	case BINDING_STRINGS: return sizeof(struct strings_value);
	case BINDING_CHOICE: return sizeof(int);
	case BINDING_MAP: return b->size;
	case BINDING_MAPS: return sizeof(void *);
	case BINDING_NAMED: break;
	}
	return 0;
}

void
bind_copy(const struct binding *b, const void *from, void *to)
{
	memcpy((char *)to + b->offset, (const char *)from + b->offset, member_size(b));
	if (b->kind == BINDING_MAPS)
		memcpy((char *)to + b->count_offset, (const char *)from + b->count_offset,
		    sizeof(size_t));
}

const struct binding *
bind_find(const struct binding_table *const *tables, struct str name)
{
	for (; *tables != NULL; tables++)
		for (size_t i = 0; i < (*tables)->count; i++)
			if (str_eq((*tables)->bindings[i].name, name))
				return &(*tables)->bindings[i];
	return NULL;
}

bool
bind_same(struct arena *arena, const struct binding *binding, const void *a, const void *b)
{
	struct item of_a = {.count = 0}, of_b = {.count = 0};

	write_one(arena, binding, a, &of_a);
	write_one(arena, binding, b, &of_b);
	return item_eq(&of_a, &of_b);
}

static bool
keeps(enum text_rule rule, const struct value *value)
{
	if (value->kind == VALUE_STRING)
		return text_keeps(rule, value->string);
	for (size_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++)
		if (!keeps(rule, &value->list.values[i]))
			return false;
	for (size_t i = 0; value->kind == VALUE_STRING_SET && i < value->set.count; i++)
		if (!text_keeps(rule, value->set.members[i]))
			return false;
	return true;
}

/* Derived attributes are computed, so no rule of a form applies to them. */
static bool
has_rule(const struct binding *b)
{
	return b->mark != MARK_DERIVED && (b->of != NULL || b->rule != TEXT_ANY);
}

static const char *
maps_violation(const struct binding *b, const struct value *value, struct str *name)
{
	const char *wants = NULL;

	if (value->kind == VALUE_MAP)
		return bind_violation(b->of, &value->map, name);
	for (size_t i = 0; value->kind == VALUE_LIST && i < value->list.count && wants == NULL; i++)
		if (value->list.values[i].kind == VALUE_MAP)
			wants = bind_violation(b->of, &value->list.values[i].map, name);
	return wants;
}

const char *
bind_violation(const struct binding_table *table, const struct item *item, struct str *name)
{
	const char *wants = NULL;

	for (size_t i = 0; i < table->count && wants == NULL; i++) {
		const struct binding *b = &table->bindings[i];
		const struct value *value = has_rule(b) ? item_get(item, b->name) : NULL;

		if (value == NULL)
			continue;
		if (b->of != NULL) {
			wants = maps_violation(b, value, name);
		} else if (!keeps(b->rule, value)) {
			*name = b->name;
			wants = text_wants(b->rule);
		}
	}
	return wants;
}
