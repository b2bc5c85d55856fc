#ifndef TABLE_DYNAMO_REQUEST_H
#define TABLE_DYNAMO_REQUEST_H

#include "base/buf.h"
#include "table/cursor_key.h"
#include "table/table.h"

/*
 * The table's requests as DynamoDB's JSON, in the arena. The same request gives the same bytes, so that
 * a transaction that is sent again matches its token.
 *
 * Every request asks for the units that it consumes.
 */

struct str dynamo_request_get(struct arena *arena, struct str table, const struct read *read);

/* The keys whose place in `wanted` is true. */
struct str dynamo_request_batch(
    struct arena *arena, struct str table, const struct read *read, const bool *wanted);

/* Puts and deletes without conditions; and what an answer has left of them (struct dynamo_response, `unwritten`). */
struct str dynamo_request_write_batch(
    struct arena *arena, struct str table, const struct write *writes, size_t count);
struct str dynamo_request_unwritten(struct arena *arena, struct str unwritten);

/* At most `limit` items, after `start` unless that is NULL. */
struct str dynamo_request_query(struct arena *arena, struct str table, const struct query *query,
    uint32_t limit, const struct cursor_key *start);

/* At most `limit` items of the whole table, after `start` unless that is NULL. */
struct str dynamo_request_scan(
    struct arena *arena, struct str table, uint32_t limit, const struct key *start);

/* PutItem, UpdateItem or DeleteItem; *operation is which. */
struct str dynamo_request_write(
    struct arena *arena, struct str table, const struct write *write, const char **operation);

/* TransactWriteItems. */
struct str dynamo_request_transact(struct arena *arena, struct str table,
    const struct write *writes, size_t count, struct str token);

/* Is there a CHANGE_ADD in the write? */
bool write_has_sum(const struct write *write);

#endif
