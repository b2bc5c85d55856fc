/* What the index holds of a text, as an item; its terms are a list (text/term_list.h). */
#include "derive/search_private.h"

#include "base/arena.h"
#include "base/buf.h"

void
search_record_from_item(struct arena *arena, const struct item *item, struct search_record *out)
{
	size_t capacity = 64;
	struct term_list terms;

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
	    .version = item_number(item, STR("Version")),
	    .waiting = item_number(item, STR("Waiting"))};
	term_list_begin(&terms, item_binary(item, STR("Terms")));
	out->kind = terms.kind;
	out->length = terms.length;
	out->uses = ARENA_ARRAY(arena, capacity, struct term_use);
	while (term_list_next(&terms)) {
		out->uses[out->count++] = (struct term_use){str_dup(arena, terms.use.term), terms.use.frequency};
		if (out->count == capacity) {
			out->uses = arena_grow(arena, out->uses, capacity * sizeof(*out->uses),
			    2 * capacity * sizeof(*out->uses));
			capacity *= 2;
		}
	}
}

struct item
search_record_to_item(struct arena *arena, struct key key, enum item_kind kind,
    const struct search_record *record)
{
	struct item item = {0};
	struct buf terms = {.arena = arena};

	term_list_write(&terms, record->kind, record->length, record->uses, record->count);
	key_set(arena, &item, key, kind);
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
	if (record->waiting != 0)
		item_set(arena, &item, STR("Waiting"), value_number(record->waiting));
	if (record->whole)
		item_set(arena, &item, STR("Whole"), value_boolean(true));
	return item;
}

struct search_record
search_record_copy(struct arena *arena, const struct search_record *record)
{
	struct search_record copy = *record;

	copy.language = str_dup(arena, record->language);
	copy.uses = ARENA_ARRAY(arena, record->count + 1, struct term_use);
	for (size_t i = 0; i < record->count; i++)
		copy.uses[i] = (struct term_use){
		    str_dup(arena, record->uses[i].term), record->uses[i].frequency};
	return copy;
}

struct term_use *
search_record_union(struct arena *arena, const struct search_record *a, const struct search_record *b,
    size_t *count)
{
	struct term_use *both = ARENA_ARRAY(arena, a->count + b->count + 1, struct term_use);
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
