#ifndef T_TABLE_MEMORY_RULES_H
#define T_TABLE_MEMORY_RULES_H

#include "table/table.h"

/*
 * The meaning of conditions and updates, written a second time, from the comments of table.h: a
 * reference with which the engines' own evaluators are compared. It shares nothing with them but
 * the items.
 */

/* Is the condition true of the item? The condition may be NULL (true), the item too (missing). */
bool rule_holds(const struct condition *condition, const struct item *item);

/*
 * The item that an update makes of `old` (NULL: of nothing), in the arena. TABLE_INVALID, with *why,
 * when a change doesn't fit or the result is no item of a table.
 */
enum table_rc rule_update(struct arena *arena, const struct item *old, const struct write *write,
    struct item *out, const char **why);

/* Do readers see the item no longer at `now` milliseconds? */
bool rule_expired(const struct item *item, int64_t now);

/* The sort key matches what a query asks of it. */
bool rule_matches(const struct query *query, struct str sort);

/* Is the item in the index? If so, where. Every item is in TABLE_PRIMARY. */
bool rule_in_index(
    const struct item *item, enum table_index index, struct str *partition, struct str *sort);

#endif
