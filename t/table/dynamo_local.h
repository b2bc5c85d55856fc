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

/* For the conformance suite: each opening is a new table. */
struct harness dynamo_harness(void);

#endif
