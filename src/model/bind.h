#ifndef MODEL_BIND_H
#define MODEL_BIND_H

#include "base/check.h"
#include "model/text_rule.h"
#include "table/item.h"

#include <stddef.h>

struct arena;

/*
 * The mapping between a struct and an item: a const table with the attribute and kind of each
 * member. The same table reads and writes, so that the two can't differ.
 *
 *	static const struct binding tag_bindings[] = {
 *		BIND_NUMBER(COUNTED, "Posts", struct tag, posts),
 *		BIND_STRING(RECORDED, "Tag", struct tag, name),
 *	};
 *
 * Bindings are sorted by attribute, as items are, and read in one pass; t/model/bindings.t checks
 * the order of each table.
 */
enum binding_kind {
	BINDING_STRING,  /* struct str; S, absent when empty */
	BINDING_NUMBER,  /* int64_t; N, always there */
	BINDING_BOOLEAN, /* bool; BOOL, absent when false */
	BINDING_TIME,    /* int64_t in milliseconds; S as RFC 3339, absent when 0 */
	BINDING_STRINGS, /* struct strings_value; L of S or SS, absent when empty */
	BINDING_CHOICE,  /* an enum; S, one of `names`; the first one's 0 when absent or unknown */
	BINDING_MAP,     /* a struct with bindings of its own; M, always there */
	BINDING_MAPS, /* an array of such structs and, in another member, their count; L of M, absent when empty */
	BINDING_NAMED, /* in no struct: who needs it reads and writes it by its name */
};

/*
 * Where an attribute comes from, and what follows from that: what people wrote is kept in revisions and in files of posts;
 * what is counted no form sets; what is derived can be made again, and neither it nor what is secret is in the data that
 * somebody exports of themselves.
 */
enum binding_mark {
	MARK_WRITTEN = 1, /* by people, in a form or a file: what the thing says */
	MARK_COUNTED,     /* a number of items, by the program */
	MARK_COPIED,      /* a copy of a name, which may be out of date */
	MARK_DERIVED,     /* made from what stands beside it */
	MARK_SECRET,      /* what proves who somebody is, or helps to */
	MARK_RECORDED, /* by the program: ids, times, versions, a status, whose it is and who may see it */
};

struct binding {
	struct str name;
	enum binding_mark mark;
	enum binding_kind kind;
	size_t offset;
	const char *const *names;       /* CHOICE: ended by NULL */
	enum text_rule rule;            /* STRING, STRINGS: what forms let people write into it */
	const struct binding_table *of; /* MAP, MAPS: each struct's own */
	size_t size;                    /* MAP, MAPS: of a struct */
	size_t count_offset;            /* MAPS: where their count lies */
	enum value_kind holds;          /* NAMED */
};

/* An array of strings, in the reader's arena. */
struct strings_value {
	const struct str *strings;
	size_t count;
};

#define BINDING(of_mark, attribute, of, at) \
	.name = STR_INIT(attribute), .mark = MARK_##of_mark, .kind = (of), .offset = (at)
#define BINDING_OF(mark, attribute, of, type, member, wanted) \
	BINDING(mark, attribute, of, OFFSET_OF(type, member, wanted))
#define BIND_STRING(mark, attribute, type, member)                                    \
	{                                                                             \
		BINDING_OF(mark, attribute, BINDING_STRING, type, member, struct str) \
	}
#define BIND_TEXT(mark, attribute, type, member, text_rule)                            \
	{                                                                              \
		BINDING_OF(mark, attribute, BINDING_STRING, type, member, struct str), \
		    .rule = (text_rule)                                                \
	}
#define BIND_NUMBER(mark, attribute, type, member)                                 \
	{                                                                          \
		BINDING_OF(mark, attribute, BINDING_NUMBER, type, member, int64_t) \
	}
#define BIND_BOOLEAN(mark, attribute, type, member)                              \
	{                                                                        \
		BINDING_OF(mark, attribute, BINDING_BOOLEAN, type, member, bool) \
	}
#define BIND_TIME(mark, attribute, type, member)                                 \
	{                                                                        \
		BINDING_OF(mark, attribute, BINDING_TIME, type, member, int64_t) \
	}
#define BIND_STRINGS(mark, attribute, type, member)                                              \
	{                                                                                        \
		BINDING_OF(mark, attribute, BINDING_STRINGS, type, member, struct strings_value) \
	}
#define BIND_TEXTS(mark, attribute, type, member, text_rule)                                      \
	{                                                                                         \
		BINDING_OF(mark, attribute, BINDING_STRINGS, type, member, struct strings_value), \
		    .rule = (text_rule)                                                           \
	}
#define BIND_CHOICE(mark, attribute, type, member, choices)                                       \
	{                                                                                         \
		BINDING(mark, attribute, BINDING_CHOICE,                                          \
		    OFFSET_IF(                                                                    \
			type, member, sizeof(((type *)NULL)->member) == sizeof(int), "no enum")), \
		    .names = (choices)                                                            \
	}
#define BIND_MAP(mark, attribute, type, member, table)                         \
	{                                                                      \
		BINDING(mark, attribute, BINDING_MAP, offsetof(type, member)), \
		    .of = (table), .size = sizeof(((type *)NULL)->member),     \
	}
#define BIND_MAPS(mark, attribute, type, member, count_member, table)           \
	{                                                                       \
		BINDING(mark, attribute, BINDING_MAPS, offsetof(type, member)), \
		    .of = (table), .size = sizeof(*((type *)NULL)->member),     \
		    .count_offset = OFFSET_OF(type, count_member, size_t)       \
	}
#define BIND_NAMED(of_mark, attribute, value)                                               \
	{                                                                                   \
		.name = STR_INIT(attribute), .mark = MARK_##of_mark, .kind = BINDING_NAMED, \
		.holds = VALUE_##value                                                      \
	}

/* A table of bindings with its length, for other files. */
struct binding_table {
	const struct binding *bindings;
	size_t count;
};
#define BINDINGS(array)                                     \
	{                                                   \
		(array), sizeof(array) / sizeof((array)[0]) \
	}

/*
 * Fills the struct at `out`, zeroed before, from an item. A missing attribute, or one of another
 * kind, stays empty, and a string that breaks its rule is as text_shown() returns it: so pages need
 * not check again what may be shown. Strings point into the item.
 */
void bind_read(
    struct arena *arena, const struct binding_table *table, const struct item *item, void *out);

/* Sets the item's attributes from the struct at `in`. Strings are not copied. */
void bind_write(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item);

/* The same; what is empty in the struct is taken out of the item. */
void bind_rewrite(
    struct arena *arena, const struct binding_table *table, const void *in, struct item *item);

/* Copies one member of a struct to another struct; shallow. */
void bind_copy(const struct binding *binding, const void *from, void *to);

/* Is one member of two structs stored as the same? */
bool bind_same(struct arena *arena, const struct binding *binding, const void *a, const void *b);

/* An attribute's binding in one of some tables, which NULL ends; NULL: none has it. */
const struct binding *bind_find(const struct binding_table *const *tables, struct str name);

/*
 * The first attribute of an item, or of a map in it, that breaks its binding's rule, for what did not come through a form:
 * *name is which, and the result what is wanted of it. NULL: none does.
 */
const char *bind_violation(
    const struct binding_table *table, const struct item *item, struct str *name);

/* The number of a name in a list ended by NULL; -1 when it is not there. */
int choice_of(const char *const *names, struct str name);

#endif
