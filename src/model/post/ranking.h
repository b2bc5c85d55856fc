#ifndef MODEL_POST_RANKING_H
#define MODEL_POST_RANKING_H

#include "base/str.h"

struct arena;

/*
 * Scores of rankings, as the digits that begin a sort key. docs/table.md tells what each is for.
 */

/*
 * HOT, 12 digits: ten times the engagement is worth 22 hours. A post's score changes only when its
 * engagement does. `published` is in milliseconds.
 */
struct str ranking_hot(struct arena *arena, int64_t published, int64_t engagement);

#endif
