#ifndef TABLE_RULES_H
#define TABLE_RULES_H

#include "table/table.h"

/*
 * The table's limits, in one place, so that all engines refuse the same. table.c checks every
 * request against them before an engine sees it; an engine applies rules_item() to the result of an
 * update.
 *
 * Each function returns NULL if the rules are kept, otherwise a phrase for the log.
 */

const char *rules_key(struct key key);

/* An item as a whole: its keys, its index keys, its size, its content. */
const char *rules_item(const struct item *item);

const char *rules_read(const struct read *read);

/* A write on its own; `in_transaction` forbids returned items and allows checks. */
const char *rules_write(const struct write *write, bool in_transaction);

/* The writes of a transaction together. May sort keys in the scratch arena. */
const char *rules_transaction(
    struct arena *scratch, const struct write *writes, size_t count, struct str token);

/* The key that a write is about. */
struct key write_key(const struct write *write);

/* Is the item past its ExpiresAt? One without a number there never is. */
bool item_expired(const struct item *item, int64_t now_ms);

/* Both key attributes of an index; false when the item is not in it. */
bool item_index_key(
    const struct item *item, enum table_index index, struct str *pk, struct str *sk);

#endif
