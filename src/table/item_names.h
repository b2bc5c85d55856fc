#ifndef TABLE_ITEM_NAMES_H
#define TABLE_ITEM_NAMES_H

#include "base/str.h"

/*
 * The names that the stored form writes as one byte: those of docs/table.md. This is the dictionary of
 * version 1 and part of that format: once an item was stored, not one name may be added, moved or
 * taken away; see item_binary.c. A name that is not here is spelled out, which costs its length.
 *
 * In bytewise order, so that codes compare like the names that they stand for.
 */
enum { ITEM_NAMES = 102 };

extern const struct str item_names[ITEM_NAMES];

/* The name's place, or ITEM_NAMES. */
size_t item_name_code(struct str name);

#endif
