/*
 * Items of a list, read by the pattern of the one before. A name that stands in the text as it is, without
 * escapes, is good, and the same bytes in the same place are the same name; so are all the names of an item with
 * as many of them, and its attributes go to their sorted places at once. The first byte that is not as
 * foreseen gives the item to json_item(), from its beginning.
 */
#include "table/json.h"

#include "base/arena.h"

/* Moves behind this byte, if it is here. */
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

/* The names as slices of the text tell their order there by where they are. */
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
