#ifndef TABLE_DYNAMO_ITERATORS_H
#define TABLE_DYNAMO_ITERATORS_H

#include "table/dynamo/shards.h"

/*
 * An iterator is the service's handle for a position in a shard: opaque, and valid for some
 * minutes. Getting one costs a request, so the last ones are cached by shard and position. An
 * iterator can be used more than once and returns the same records again; so a cached one is right
 * for every reader at that position.
 */
struct shard_iterators *shard_iterators_new(void);
void shard_iterators_free(struct shard_iterators *iterators);

/* Gives the read an iterator, in the arena, if a valid one is cached for its position. */
void shard_iterators_recall(
    struct shard_iterators *iterators, struct arena *arena, struct shard_read *read);

/* Caches an iterator for a position in the read's shard. */
void shard_iterators_remember(struct shard_iterators *iterators, struct arena *arena,
    const struct shard_read *read, struct str place, struct str iterator);

#endif
