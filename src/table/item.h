#ifndef TABLE_ITEM_H
#define TABLE_ITEM_H

#include "base/str.h"

struct arena;

/*
 * An item of the table: attributes by name, each with a typed value. Items live in an arena, and so
 * does all that they point to. An item is canonical when its attributes, and those of every map in
 * it, are sorted by name without repeats, and every set is sorted without repeats; the functions here
 * make and keep canonical items, and compare and encode nothing else.
 */
enum value_kind {
	VALUE_STRING,     /* S: UTF-8; may hold NUL */
	VALUE_NUMBER,     /* N: a 64-bit integer; decimals are stored as strings */
	VALUE_BOOLEAN,    /* BOOL */
	VALUE_NULL,       /* NULL */
	VALUE_BINARY,     /* B */
	VALUE_LIST,       /* L */
	VALUE_MAP,        /* M */
	VALUE_STRING_SET, /* SS: never empty */
};

struct attribute;

struct item {
	struct attribute *attributes;
	size_t count;
	size_t capacity; /* room for this many; 0 for what a decoder made */
};

struct value {
	enum value_kind kind;
	union {
		struct str string; /* STRING and BINARY */
		int64_t number;
		bool boolean;
		struct {
			struct value *values;
			size_t count;
		} list;
		struct item map;
		struct {
			struct str *members;
			size_t count;
		} set;
	};
};

struct attribute {
	struct str name;
	struct value value;
};

enum {
	ITEM_SIZE_MAX = 400 * 1024, /* of an item, by item_size() */
	ITEM_DEPTH_MAX = 31,        /* of lists and maps within each other; a value is the 32nd */
	ITEM_NAME_MAX = 65535,      /* bytes of an attribute's name */
};

/* --- Values ------------------------------------------------------------------------------- */

/* The string is not copied. */
static inline struct value
value_string(struct str s)
{
	return (struct value){.kind = VALUE_STRING, .string = s};
}

static inline struct value
value_binary(struct str s)
{
	return (struct value){.kind = VALUE_BINARY, .string = s};
}

static inline struct value
value_number(int64_t n)
{
	return (struct value){.kind = VALUE_NUMBER, .number = n};
}

static inline struct value
value_boolean(bool b)
{
	return (struct value){.kind = VALUE_BOOLEAN, .boolean = b};
}

static inline struct value
value_null(void)
{
	return (struct value){.kind = VALUE_NULL};
}

static inline struct value
value_map(struct item map)
{
	return (struct value){.kind = VALUE_MAP, .map = map};
}

/* A set of the members, sorted and without repeats, in the arena; the bytes are not copied. */
struct value value_set(struct arena *arena, const struct str *members, size_t count);

/* A list of strings, in the arena; the bytes are not copied. */
struct value value_strings(struct arena *arena, const struct str *strings, size_t count);

/* Same kind and same content. */
bool value_eq(const struct value *a, const struct value *b);

/* A copy of everything that it points to. */
struct value value_copy(struct arena *arena, const struct value *value);

/* --- Items -------------------------------------------------------------------------------- */

/* Sets the attribute, in sorted order; the name and the value are not copied. */
void item_set(struct arena *arena, struct item *item, struct str name, struct value value);

/* Removes the attribute; false if there was none. */
bool item_remove(struct item *item, struct str name);

/* The attribute's value, or NULL. */
const struct value *item_get(const struct item *item, struct str name);

/*
 * The same for callers who know the kind: a missing attribute, or one of another kind, is empty, 0,
 * false.
 */
struct str item_string(const struct item *item, struct str name);
struct str item_binary(const struct item *item, struct str name);
int64_t item_number(const struct item *item, struct str name);
bool item_boolean(const struct item *item, struct str name);

/* The members of a set, or the strings of a list; *count is 0 for anything else. */
const struct str *item_strings(
    struct arena *arena, const struct item *item, struct str name, size_t *count);

bool item_eq(const struct item *a, const struct item *b);
struct item item_copy(struct arena *arena, const struct item *item);

/* A copy whose attribute array is its own and whose values are shared: for changing an item. */
struct item item_shallow(struct arena *arena, const struct item *item);

/*
 * The bytes that DynamoDB would count: names and values; a number by its digits, 3 and one for each
 * element for a list or a map.
 */
size_t item_size(const struct item *item);

/*
 * What keeps the item out of a table, apart from its size and its keys: a string that is not UTF-8, an
 * empty set, a name that is empty or over ITEM_NAME_MAX, nesting too deep, what is not canonical. NULL
 * when nothing does; else a phrase for people.
 */
const char *item_error(const struct item *item);

/* --- The stored form ----------------------------------------------------------------------- */

/*
 * The compact binary form, as the opening comment of item_binary.c describes it. The bytes are in the
 * arena. The item must be canonical and valid.
 */
struct str item_encode(struct arena *arena, const struct item *item);

/*
 * Reads that form. Strings of the result point into `bytes`, which must live as long; arrays are in
 * the arena. False for anything that item_encode() would not have written; then *out is empty.
 */
bool item_decode(struct arena *arena, struct str bytes, struct item *out);

#endif
