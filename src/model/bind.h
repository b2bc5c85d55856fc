#ifndef MODEL_BIND_H
#define MODEL_BIND_H

#include "model/text_rule.h"
#include "table/item.h"

#include <stddef.h>

struct arena;

/*
 * How a struct lies in an item: a const table that says for each member its attribute and its kind.
 * The same table reads and writes, so that the two can't differ.
 *
 *	static const struct binding tag_bindings[] = {
 *		BIND_NUMBER("Posts", struct tag, posts),
 *		BIND_STRING("Tag", struct tag, name),
 *	};
 *
 * Bindings are sorted by attribute, as items are, and read in one pass; t/model/bindings.t proves the
 * order of each table.
 */
enum binding_kind {
	BINDING_STRING,  /* struct str; S, absent when empty */
	BINDING_NUMBER,  /* int64_t; N, always there */
	BINDING_BOOLEAN, /* bool; BOOL, absent when false */
	BINDING_TIME,    /* int64_t in milliseconds; S as RFC 3339, absent when 0 */
	BINDING_STRINGS, /* struct strings_value; L of S or SS, absent when empty */
	BINDING_CHOICE,  /* an enum; S, one of `names`; the first one's 0 when absent or unknown */
};

struct binding {
	struct str name;
	enum binding_kind kind;
	size_t offset;
	const char *const *names; /* CHOICE: ended by NULL */
	enum text_rule rule;      /* STRING, STRINGS: what forms let people write into it */
};

/* Strings one after another, in the arena of whoever read them. */
struct strings_value {
	const struct str *strings;
	size_t count;
};

#define BINDING(attribute, of, type, member) \
	.name = STR_INIT(attribute), .kind = (of), .offset = offsetof(type, member)
#define BIND_STRING(attribute, type, member)                     \
	{                                                        \
		BINDING(attribute, BINDING_STRING, type, member) \
	}
#define BIND_TEXT(attribute, type, member, text_rule)                                 \
	{                                                                             \
		BINDING(attribute, BINDING_STRING, type, member), .rule = (text_rule) \
	}
#define BIND_NUMBER(attribute, type, member)                     \
	{                                                        \
		BINDING(attribute, BINDING_NUMBER, type, member) \
	}
#define BIND_BOOLEAN(attribute, type, member)                     \
	{                                                         \
		BINDING(attribute, BINDING_BOOLEAN, type, member) \
	}
#define BIND_TIME(attribute, type, member)                     \
	{                                                      \
		BINDING(attribute, BINDING_TIME, type, member) \
	}
#define BIND_STRINGS(attribute, type, member)                     \
	{                                                         \
		BINDING(attribute, BINDING_STRINGS, type, member) \
	}
#define BIND_TEXTS(attribute, type, member, text_rule)                                 \
	{                                                                              \
		BINDING(attribute, BINDING_STRINGS, type, member), .rule = (text_rule) \
	}
#define BIND_CHOICE(attribute, type, member, choices)                                \
	{                                                                            \
		BINDING(attribute, BINDING_CHOICE, type, member), .names = (choices) \
	}

/* A table of bindings with its length, for other rooms to name. */
struct binding_table {
	const struct binding *bindings;
	size_t count;
};
#define BINDINGS(array)                                     \
	{                                                   \
		(array), sizeof(array) / sizeof((array)[0]) \
	}

/*
 * Fills the struct at `out`, zeroed before, from an item. What is missing or of another kind stays
 * empty, and a string that breaks its rule is as text_shown() has it: so no page has to look again at what may be shown.
 * Strings point into the item.
 */
void bind_read(
    struct arena *arena, const struct binding_table *table, const struct item *item, void *out);

/* Sets the item's attributes from the struct at `in`. Strings are not copied. */
void bind_write(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item);

/*
 * The first attribute of an item that breaks its binding's rule, for what did not come through a form: *name is which,
 * and the result what is wanted of it. NULL: none does.
 */
const char *bind_breach(
    const struct binding_table *table, const struct item *item, struct str *name);

/* The number of a name in a list ended by NULL; -1 when it is not there. */
int choice_of(const char *const *names, struct str name);

#endif
