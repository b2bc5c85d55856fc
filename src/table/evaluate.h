#ifndef TABLE_EVALUATE_H
#define TABLE_EVALUATE_H

#include "table/table.h"

/*
 * Conditions and changes on an item in memory, for an engine that has to evaluate them itself.
 * Requests have passed rules.h.
 */

/* Is the condition (NULL: always) true for the item? NULL stands for a missing item. */
bool condition_holds(const struct condition *condition, const struct item *item);

/*
 * Applies a write to `old` (NULL: missing) and stores the result in *new; values are shared with
 * `old` and the write. NULL in *new after a deletion. Returns NULL, or a phrase that says why the
 * changes don't fit the item.
 */
const char *write_apply(
    struct arena *arena, const struct write *write, const struct item *old, struct item **new);

#endif
