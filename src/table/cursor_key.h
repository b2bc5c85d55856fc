#ifndef TABLE_CURSOR_KEY_H
#define TABLE_CURSOR_KEY_H

#include "table/table.h"

/*
 * The cursor of a query: where its last item stood. Both engines use this one form, so that a cursor
 * outlives a move from one to the other:
 *
 *     a byte: the index, plus 8 when descending
 *     PK, SK, and for an index its partition and sort key: each as two bytes of length, high one
 *     first, and the bytes
 *
 * It is plain bytes; what a browser is to see is sealed by the web layer.
 */
struct cursor_key {
	struct key key;   /* of the item in the table */
	struct str place; /* its sort key in the index; the same as key.sk for the table itself */
};

/* The cursor after `item`, a result of `query`, in the arena. */
struct str cursor_key_write(
    struct arena *arena, const struct query *query, const struct item *item);

/*
 * The same after a position at which this query need not have an item: for continuing in several
 * partitions at the same position. `place` is a sort key of the query's index, `key` the item's key
 * in the table.
 */
struct str cursor_key_make(
    struct arena *arena, const struct query *query, struct key key, struct str place);

/*
 * Decodes the query's cursor; slices point into it. False if it is not a cursor, or is one of
 * another query: another index, partition or direction, or a position outside the query's range.
 */
bool cursor_key_read(const struct query *query, struct cursor_key *out);

/* Is this sort key in the query's range? */
bool query_covers(const struct query *query, struct str sk);

#endif
