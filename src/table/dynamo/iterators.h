#ifndef TABLE_DYNAMO_ITERATORS_H
#define TABLE_DYNAMO_ITERATORS_H

#include "table/dynamo/shards.h"

/*
 * An iterator is a place in a shard as the service hands it out: opaque, and good for some minutes.
 * Asking for one costs a request, so the last ones are remembered, each under its shard and place. An
 * iterator may be used more than once and gives the same records again; so a remembered one is right
 * for every reader who stands at that place.
 */
struct shard_iterators *shard_iterators_new(void);
void shard_iterators_free(struct shard_iterators *iterators);

/* Gives the read an iterator, in the arena, if one is known for its place that is still good. */
void shard_iterators_recall(
    struct shard_iterators *iterators, struct arena *arena, struct shard_read *read);

/* Keeps an iterator for a place in the read's shard. */
void shard_iterators_remember(struct shard_iterators *iterators, struct arena *arena,
    const struct shard_read *read, struct str place, struct str iterator);

#endif
