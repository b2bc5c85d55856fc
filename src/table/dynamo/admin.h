#ifndef TABLE_DYNAMO_ADMIN_H
#define TABLE_DYNAMO_ADMIN_H

#include "table/dynamo/dynamo.h"
#include "table/dynamo/engine.h"

/*
 * Requests about the whole table. They return TABLE_UNAVAILABLE if there is no such table, with
 * *missing true unless it is NULL.
 */
enum table_rc dynamo_describe(struct dynamo *db, struct table_call *call,
    struct table_dynamo_description *out, bool *missing);
/* Adds to a description whether point-in-time recovery is on, where the service tells. */
void dynamo_describe_recovery(
    struct dynamo *db, struct table_call *call, struct table_dynamo_description *out);
enum table_rc dynamo_create(
    struct dynamo *db, struct table_call *call, struct table_dynamo_made *out);
enum table_rc dynamo_delete(struct dynamo *db, struct table_call *call);

#endif
