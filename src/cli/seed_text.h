#ifndef CLI_SEED_TEXT_H
#define CLI_SEED_TEXT_H

#include "table/item.h"

/*
 * The placeholders of seed files, which docs/table.md lists: `@{-3d4h}` is a time, `@id{-3d:7}` an id,
 * `@hot{-3d:12}` a score, all counted from `now` (milliseconds).
 *
 * Replaces those in every string of the item, at any depth. The new strings are in the arena. False when
 * one can't be read: *why, in the arena, quotes it.
 */
bool seed_expand(struct arena *arena, int64_t now, struct item *item, struct str *why);

/* The same for one string. */
bool seed_expand_text(
    struct arena *arena, int64_t now, struct str text, struct str *out, struct str *why);

#endif
