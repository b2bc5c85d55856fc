#ifndef MODEL_KEY_SERIES_H
#define MODEL_KEY_SERIES_H

#include "model/key.h"

/* The part of the key schema that is about series: collections whose posts say which part they are. */

/* A post in a series; and all of a series, by the ids of its posts. */
struct key key_series_part(struct arena *arena, struct str collection, struct str post);
struct query query_series_parts(struct arena *arena, struct str collection);

/* Among the collections of its post: before all others where they are read newest first. */
void key_index_series_part(
    struct arena *arena, struct item *item, struct str collection, struct str post);

/* The series that a post is in. */
struct query query_series_with(struct arena *arena, struct str post);

#endif
