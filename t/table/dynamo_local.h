#ifndef T_TABLE_DYNAMO_LOCAL_H
#define T_TABLE_DYNAMO_LOCAL_H

#include "conformance.h"

/*
 * DynamoDB Local for a test: the server in AWS_ENDPOINT_URL_DYNAMODB, or one that is started for
 * this process and ends with it. Sets the environment that the engine reads. Without a server the
 * test program ends here, skipped.
 */
void dynamo_local_need(void);

/* A table of this name with nothing in it, open; in place of one that was there. */
struct table *dynamo_local_table(const char *name, struct clock *clock);

/*
 * Makes the server keep expired items of a table. Otherwise it deletes them now and then, by its
 * own clock: for a test with a fixed time in the past, that is nearly everything. False when it
 * refuses.
 */
bool dynamo_local_keep_expired(const char *name);

/* For the conformance suite: each opening is a new table. */
struct harness dynamo_harness(void);

#endif
