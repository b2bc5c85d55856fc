#ifndef TABLE_JSON_H
#define TABLE_JSON_H

#include "base/buf.h"
#include "table/item.h"

/*
 * DynamoDB JSON: `{"PK":{"S":"USER#ada"},"Role":{"S":"author"},"Posts":{"N":"3"}}`. It is what
 * Amazon's tools write, what export and import use, and what people read.
 */

/* Where and why a text is not DynamoDB JSON. */
struct json_error {
	size_t offset;   /* of the byte where reading stopped */
	const char *why; /* a phrase for people */
};

/*
 * Reads one item, with white space around it. The result is canonical, all of it in the arena; strings
 * without escapes may point into `text`. False, with *error filled, for anything else: unknown
 * types, numbers that are not whole or not of 64 bits, an attribute or set member twice, nesting over
 * ITEM_DEPTH_MAX, text behind the item, invalid UTF-8, lone surrogates.
 */
bool item_from_json(
    struct arena *arena, struct str text, struct item *out, struct json_error *error);

/* Writes an item on one line, without white space, attributes in order. */
void item_to_json(struct buf *out, const struct item *item);

/* A JSON string with its quotes. What is not UTF-8 becomes U+FFFD. */
void json_put_string(struct buf *out, struct str s);

#endif
