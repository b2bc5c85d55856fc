#ifndef TABLE_JSON_H
#define TABLE_JSON_H

#include "base/buf.h"
#include "table/item.h"

/*
 * DynamoDB JSON: `{"PK":{"S":"USER#ada"},"Role":{"S":"author"},"Posts":{"N":"3"}}`. It is what
 * Amazon's tools write, what export and import use, and what people read.
 */

/* Where and why a text is not what it should be. */
struct json_error {
	size_t offset;   /* of the byte where reading stopped */
	const char *why; /* a phrase for people */
};

/*
 * Reads one item, with white space around it. The result is canonical and valid, all of it in
 * the arena; strings without escapes may point into `text`. False, with *error filled, for anything
 * else: unknown types, numbers that are not whole or not of 64 bits (a minus and digits: "-0" and
 * "007" are fine, "1.0" and "1E2" are not), an attribute or set member twice, an empty set or name,
 * nesting over ITEM_DEPTH_MAX, text behind the item, invalid UTF-8, lone surrogates. *out is then empty.
 */
bool item_from_json(
    struct arena *arena, struct str text, struct item *out, struct json_error *error);

/* Writes an item on one line, without white space, attributes in order. */
void item_to_json(struct buf *out, const struct item *item);

/* Writes a value with its type: `{"S":"author"}`. */
void value_to_json(struct buf *out, const struct value *value);

/* A JSON string with its quotes. What is not UTF-8 becomes U+FFFD. */
void json_put_string(struct buf *out, struct str s);

/* --- Reading other shapes ------------------------------------------------------------------- */

/*
 * A reader for JSON around items, such as an answer of DynamoDB. It walks over the text once, and the
 * caller says at each place what must be there:
 *
 *	struct json_reader in = json_reader(arena, text);
 *
 *	json_object(&in);
 *	while (json_name(&in, &name))
 *		if (str_eq(name, STR("Item")))
 *			json_item(&in, &item);
 *		else
 *			json_skip(&in);
 *	if (!json_end(&in))
 *		... in.error ...
 *
 * Every function moves behind what it read. When something else is there, it returns false, the first
 * such place stays in `error`, and from then on everything returns false: loops end, and one test at
 * the end is enough. Strings point into the text, or into the arena when they had escapes.
 */
struct json_reader {
	struct arena *arena;
	struct str text;
	const char *at, *end;    /* what is still to be read; nothing after an error */
	bool fresh;              /* right behind the opening of an object or an array */
	struct json_error error; /* `why` is NULL while all is well */
};

enum json_kind {
	JSON_NOTHING, /* the end, or no JSON */
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOLEAN,
	JSON_NULL,
};

enum {
	JSON_SKIP_DEPTH = 4 * ITEM_DEPTH_MAX, /* for json_skip(): more than an item's deepest */
	JSON_PATTERN_MAX = 64,                /* attributes of an item that is a pattern */
};

struct json_reader json_reader(struct arena *arena, struct str text);

/* What begins here; moves over white space only. */
enum json_kind json_peek(struct json_reader *in);

/* Enters an object; then json_name() gives name after name, and false behind the last one. */
bool json_object(struct json_reader *in);
bool json_name(struct json_reader *in, struct str *name);

/* Enters an array; then json_element() is true before each element, and false behind the last one. */
bool json_array(struct json_reader *in);
bool json_element(struct json_reader *in);

bool json_string(struct json_reader *in, struct str *out);
bool json_boolean(struct json_reader *in, bool *out);
bool json_null(struct json_reader *in);

/* A number as it is written, of JSON's grammar; and one that is whole and of 64 bits. */
bool json_number(struct json_reader *in, struct str *out);
bool json_int(struct json_reader *in, int64_t *out);

/* An attribute's value with its type; an item, or a map of attributes. */
bool json_value(struct json_reader *in, struct value *out);
bool json_item(struct json_reader *in, struct item *out);

/*
 * An item as json_item() reads it, with less work when it has the names of the one before it in their order:
 * so DynamoDB writes the items of a list. The pattern is for one text, and zeroed at first.
 */
struct json_pattern {
	size_t count; /* 0: there is none */
	struct {
		struct str name; /* in the order of the text, in which it stands as it is */
		size_t place;    /* among the item's attributes */
	} parts[JSON_PATTERN_MAX];
};

bool json_item_like(struct json_reader *in, struct json_pattern *pattern, struct item *out);

/* Moves behind `{"S":"…"}`, if that is here without white space and escapes; else nothing is read. */
bool json_plain_value(struct json_reader *in, struct str *out);

/* Whatever is here. */
bool json_skip(struct json_reader *in);

/* True when nothing but white space is left and nothing was wrong. */
bool json_end(struct json_reader *in);

/* Makes it an error at this place, unless there is one already. Returns false. */
bool json_fail(struct json_reader *in, const char *why);

#endif
