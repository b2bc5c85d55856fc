#ifndef TABLE_DYNAMO_SHARDS_H
#define TABLE_DYNAMO_SHARDS_H

#include "table/dynamo/dynamo_private.h"

/*
 * The requests of DynamoDB Streams: which shards there are, and what is in one of them.
 *
 * A place in a shard is a text: `-` is the oldest that it still has, `-` and milliseconds the same of a shard that had
 * shown nothing by that time, `=` and a number is its beginning, the number being its first, a number is behind the
 * record with that sequence number, `@` and milliseconds is what has been written since that time.
 */
struct shard {
	struct str id, parent; /* parent: empty when it has none */
	struct str first;      /* its first sequence number; empty when that is not told */
	bool closed;           /* no more will be written to it */
};

struct shards {
	struct shard *base;
	size_t count, capacity;
};

/* All shards that the stream still has. */
enum table_rc shards_list(struct dynamo *db, struct table_call *call, struct shards *out);

/* One shard to be read from. */
struct shard_read {
	struct str shard, place;
	uint32_t limit;

	/* The answer, in the call's arena. */
	struct change_record *records;
	size_t count;
	struct str next; /* the place behind them */
	bool exhausted;  /* the shard is closed, and this was its end */

	/* shards.c's own. */
	struct str iterator;
	size_t capacity;
	bool stale; /* the iterator has expired */
	bool whole; /* the place is `@`, but the reading begins where the shard does */
};

/* Reads from several shards at once. TABLE_TRIMMED when one has lost what follows its place. */
enum table_rc shards_read(
    struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count);

/* Makes sure that `@now_ms` means from this moment on, for as long as this process lives. */
enum table_rc shards_mark(
    struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count);

/*
 * An iterator is the service's handle for a position in a shard: opaque, and valid for some
 * minutes. Getting one costs a request, so the last ones are cached by shard and position. An
 * iterator can be used more than once and returns the same records again; so a cached one is right
 * for every reader at that position.
 */
struct shard_iterators *shard_iterators_new(void);
void shard_iterators_free(struct shard_iterators *iterators);

#endif
