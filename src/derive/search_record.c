/*
 * What the index holds of a text, as an item. Terms are sorted, and written as
 *
 *	a byte: the kind; a byte: the length's code
 *	for each term how many bytes it has in common with the one before it, how many follow, and these bytes; how often it is there
 *
 * all numbers as two bytes, the lower one first, but for those of bytes, which are one.
 */
#include "derive/search_private.h"

#include "base/arena.h"
#include "base/buf.h"

static void
put_use(struct buf *buf, struct str before, const struct search_use *use)
{
	size_t same = 0;

	while (same < before.len && same < use->term.len && before.base[same] == use->term.base[same])
		same++;
	buf_putc(buf, (char)same);
	buf_putc(buf, (char)(use->term.len - same));
	buf_put(buf, str_sub(use->term, same, SIZE_MAX));
	buf_putc(buf, (char)(use->frequency & 0xff));
	buf_putc(buf, (char)(use->frequency >> 8));
}

/* False: there is no more. */
static bool
read_use(struct arena *arena, struct str *rest, struct str before, struct search_use *out)
{
	const unsigned char *at = (const unsigned char *)rest->base;
	size_t same, more;
	char *term;

	if (rest->len < 4)
		return false;
	same = at[0];
	more = at[1];
	if (same > before.len || rest->len < 4 + more)
		return false;
	term = arena_room(arena, same + more + 1);
	if (same != 0)
		memcpy(term, before.base, same);
	memcpy(term + same, at + 2, more);
	out->term = (struct str){term, same + more};
	out->frequency = at[2 + more] | (uint32_t)at[3 + more] << 8;
	*rest = str_sub(*rest, 4 + more, SIZE_MAX);
	return true;
}

void
search_record_from_item(struct arena *arena, const struct item *item, struct search_record *out)
{
	size_t capacity = 64;
	struct str rest, before = STR("");

	*out = (struct search_record){0};
	if (item == NULL)
		return;
	*out = (struct search_record){.there = true,
	    .whole = item_boolean(item, STR("Whole")),
	    .number = (uint64_t)item_number(item, STR("Number")),
	    .language = item_string(item, STR("Language")),
	    .counted = item_get(item, STR("Words")) != NULL,
	    .words = item_number(item, STR("Words")),
	    .after = (int32_t)item_number(item, STR("After")),
	    .facts = (uint64_t)item_number(item, STR("Facts")),
	    .version = item_number(item, STR("Version"))};
	rest = item_binary(item, STR("Terms"));
	if (rest.len < 2)
		return;
	out->kind = (uint8_t)rest.base[0];
	out->length = (uint8_t)rest.base[1];
	rest = str_sub(rest, 2, SIZE_MAX);
	out->uses = ARENA_ARRAY(arena, capacity, struct search_use);
	while (read_use(arena, &rest, before, &out->uses[out->count])) {
		before = out->uses[out->count++].term;
		if (out->count == capacity) {
			out->uses = arena_grow(arena, out->uses, capacity * sizeof(*out->uses),
			    2 * capacity * sizeof(*out->uses));
			capacity *= 2;
		}
	}
}

struct item
search_record_to_item(struct arena *arena, struct key key, const struct search_record *record)
{
	struct item item = {0};
	struct buf terms = {.arena = arena};

	buf_putc(&terms, (char)record->kind);
	buf_putc(&terms, (char)record->length);
	for (size_t i = 0; i < record->count; i++)
		put_use(&terms, i != 0 ? record->uses[i - 1].term : STR(""), &record->uses[i]);
	key_set(arena, &item, key, ITEM_SEARCH_INDEXED);
	item_set(arena, &item, STR("Number"), value_number((int64_t)record->number));
	item_set(arena, &item, STR("Terms"), value_binary(buf_str(&terms)));
	item_set(arena, &item, STR("Version"), value_number(record->version));
	if (record->counted) {
		item_set(arena, &item, STR("Language"), value_string(record->language));
		item_set(arena, &item, STR("Words"), value_number(record->words));
	}
	if (record->after != 0)
		item_set(arena, &item, STR("After"), value_number(record->after));
	item_set(arena, &item, STR("Facts"), value_number((int64_t)record->facts));
	if (record->whole)
		item_set(arena, &item, STR("Whole"), value_boolean(true));
	return item;
}

struct search_record
search_record_copy(struct arena *arena, const struct search_record *record)
{
	struct search_record copy = *record;

	copy.language = str_dup(arena, record->language);
	copy.uses = ARENA_ARRAY(arena, record->count + 1, struct search_use);
	for (size_t i = 0; i < record->count; i++)
		copy.uses[i] = (struct search_use){
		    str_dup(arena, record->uses[i].term), record->uses[i].frequency};
	return copy;
}

struct search_use *
search_record_union(struct arena *arena, const struct search_record *a, const struct search_record *b,
    size_t *count)
{
	struct search_use *both = ARENA_ARRAY(arena, a->count + b->count + 1, struct search_use);
	size_t i = 0, j = 0;

	*count = 0;
	while (i < a->count || j < b->count) {
		int order = i == a->count ? 1 : j == b->count ? -1 : str_cmp(a->uses[i].term, b->uses[j].term);

		both[(*count)++] = order < 0 ? a->uses[i] : b->uses[j];
		i += order <= 0;
		j += order >= 0;
	}
	return both;
}
