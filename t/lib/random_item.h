#ifndef T_RANDOM_ITEM_H
#define T_RANDOM_ITEM_H

#include "base/arena.h"
#include "table/item.h"

#include <string.h>

/*
 * Random items from a seed, the same on every machine: for round trips and for comparing two
 * engines. They are canonical and valid, and otherwise as nasty as an item may be.
 *
 *	struct chance chance = {.state = seed};
 *	struct item item = random_item(arena, &chance);
 */
struct chance {
	uint64_t state;
};

/* Sebastiano Vigna's splitmix64. */
static inline uint64_t
chance_bits(struct chance *chance)
{
	uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* From 0 to before `end`. */
static inline size_t
chance_below(struct chance *chance, size_t end)
{
	return (size_t)(chance_bits(chance) % end);
}

/* Up to `most` characters of what strings trip over, and now and then a long one. */
static inline struct str
random_string(struct arena *arena, struct chance *chance, size_t most)
{
	static const struct str pieces[] = {STR_INIT("a"), STR_INIT("Z"), STR_INIT("0"),
	    STR_INIT("#"), STR_INIT(" "), STR_INIT("\0"), STR_INIT("\x01"), STR_INIT("\x1f"),
	    STR_INIT("\x7f"), STR_INIT("\""), STR_INIT("\\"), STR_INIT("/"), STR_INIT("\\u0000"),
	    STR_INIT("\n"), STR_INIT("\r\n"), STR_INIT("\t"), STR_INIT("\b\f"), STR_INIT("<&>'"),
	    STR_INIT("{\"S\":"), STR_INIT("é"), STR_INIT("ß"), STR_INIT("߿"), STR_INIT("ࠀ"),
	    STR_INIT("世"), STR_INIT("\xe2\x80\xa8"), STR_INIT("\xed\x9f\xbf"),
	    STR_INIT("\xee\x80\x80"), STR_INIT("\xef\xbf\xbd"), STR_INIT("\xef\xbf\xbf"),
	    STR_INIT("🎉"), STR_INIT("\xf4\x8f\xbf\xbf"), STR_INIT("e\xcc\x81"),
	    STR_INIT("a longer run of plain text")};
	static const size_t lengths[] = {126, 127, 128, 254, 255, 256, 16510, 16511, 16512};
	size_t want = chance_below(chance, most + 1);
	struct str parts[64];

	if (chance_below(chance, 64) == 0) {
		/* Around the lengths at which a stored form changes. */
		size_t len = lengths[chance_below(chance, sizeof(lengths) / sizeof(lengths[0]))];

		return (struct str){memset(arena_alloc(arena, len), 'x', len), len};
	}
	want = want < 64 ? want : 64;
	for (size_t i = 0; i < want; i++)
		parts[i] = pieces[chance_below(chance, sizeof(pieces) / sizeof(pieces[0]))];
	return str_join(arena, parts, want, STR(""));
}

/* Small numbers, large ones, and those at the ends. */
static inline int64_t
random_number(struct chance *chance)
{
	static const int64_t ends[] = {
	    INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, -1, 0, 1};

	if (chance_below(chance, 8) == 0)
		return ends[chance_below(chance, sizeof(ends) / sizeof(ends[0]))];
	return (int64_t)chance_bits(chance) >> chance_below(chance, 64);
}

static inline struct item random_map(
    struct arena *arena, struct chance *chance, unsigned depth, size_t most);

static inline struct value random_list(struct arena *arena, struct chance *chance, unsigned depth);

/* `depth` is how many lists and maps it is in. */
static inline struct value
random_value(struct arena *arena, struct chance *chance, unsigned depth)
{
	struct str members[8], bytes;

	switch (chance_below(chance, depth < ITEM_DEPTH_MAX ? 12 : 9)) {
	case 0: return value_number(random_number(chance));
	case 1: return value_number((int64_t)chance_below(chance, 100) - 50);
	case 2: return value_boolean(chance_below(chance, 2) == 0);
	case 3: return value_null();
	case 4:
		bytes.len = chance_below(chance, 40);
		bytes.base = arena_alloc(arena, bytes.len + sizeof(uint64_t));
		for (size_t i = 0; i < bytes.len; i++)
			((char *)bytes.base)[i] = (char)chance_bits(chance);
		return value_binary(bytes);
	case 5:
		for (size_t i = 0; i < 8; i++)
			members[i] = random_string(arena, chance, 4);
		return value_set(arena, members, 1 + chance_below(chance, 8));
	case 9: return value_map(random_map(arena, chance, depth + 1, 6));
	case 10:
	case 11: return random_list(arena, chance, depth + 1);
	default: return value_string(random_string(arena, chance, 24));
	}
}

static inline struct value
random_list(struct arena *arena, struct chance *chance, unsigned depth)
{
	struct value list = {.kind = VALUE_LIST};

	/* One in sixteen goes as deep as it may. */
	if (depth == 1 && chance_below(chance, 16) == 0) {
		list = value_strings(arena, &STR("bottom"), 1);
		while (++depth <= ITEM_DEPTH_MAX) {
			struct value *inner = arena_copy(arena, &list, sizeof(list));

			list = (struct value){.kind = VALUE_LIST, .list = {inner, 1}};
		}
		return list;
	}
	list.list.count = chance_below(chance, 4);
	list.list.values = ARENA_ARRAY(arena, list.list.count, struct value);
	for (size_t i = 0; i < list.list.count; i++)
		list.list.values[i] = random_value(arena, chance, depth);
	return list;
}

static inline struct item
random_map(struct arena *arena, struct chance *chance, unsigned depth, size_t most)
{
	static const struct str known[] = {STR_INIT("PK"), STR_INIT("SK"), STR_INIT("GSI1PK"),
	    STR_INIT("GSI1SK"), STR_INIT("Title"), STR_INIT("Tags"), STR_INIT("Posts"),
	    STR_INIT("Title2"), STR_INIT("GSI")};
	struct item map = {0};
	size_t count = chance_below(chance, most + 1);

	for (size_t i = 0; i < count; i++) {
		struct str name = known[chance_below(chance, sizeof(known) / sizeof(known[0]))];

		if (chance_below(chance, 3) == 0)
			name = random_string(arena, chance, 8);
		if (name.len != 0)
			item_set(arena, &map, name, random_value(arena, chance, depth));
	}
	return map;
}

/* An item of up to some forty attributes. It need not have keys. */
static inline struct item
random_item(struct arena *arena, struct chance *chance)
{
	return random_map(arena, chance, 0, chance_below(chance, 8) == 0 ? 60 : 12);
}

#endif
