#ifndef T_TABLE_DYNAMO_LOCAL_H
#define T_TABLE_DYNAMO_LOCAL_H

#include "conformance.h"

/*
 * DynamoDB Local for a test: the server that AWS_ENDPOINT_URL_DYNAMODB names, else one that is started
 * for this process and ends with it. Sets the environment that the engine reads. A test program that
 * can't have one ends here, skipped.
 */
void dynamo_local_need(void);

/* A table of this name with nothing in it, open; in place of one that was there. */
struct table *dynamo_local_table(const char *name, struct clock *clock);

/*
 * Has the server keep what expires in a table. Else it deletes it now and then, and by its own clock: for a
 * test whose clock stands still on a day that has passed, that is nearly everything. False when it won't.
 */
bool dynamo_local_keep_expired(const char *name);

/* For the conformance suite: each opening is a new table. */
struct harness dynamo_harness(void);

#endif
