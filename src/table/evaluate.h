#ifndef TABLE_EVALUATE_H
#define TABLE_EVALUATE_H

#include "table/table.h"

/*
 * Conditions and changes on an item in memory, for an engine that has to do them itself. Requests have
 * passed rules.h.
 */

/* Does the condition (NULL: always) hold for the item? NULL stands for an item that is not there. */
bool condition_holds(const struct condition *condition, const struct item *item);

/*
 * What a write makes of `old` (NULL: not there) in *new; values are shared with `old` and the write.
 * NULL in *new after a deletion. Gives NULL, or a phrase that says why the changes don't fit the item.
 */
const char *write_apply(
    struct arena *arena, const struct write *write, const struct item *old, struct item **new);

#endif
