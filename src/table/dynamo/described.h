#ifndef TABLE_DYNAMO_DESCRIBED_H
#define TABLE_DYNAMO_DESCRIBED_H

#include "table/json.h"

/*
 * Read what the service tells of a table into a struct table_dynamo_description, whose slices and sentences
 * are then in the reader's arena. False when it makes no sense; so does the reader say by json_end().
 */

/* The answer to DescribeTable: all but expiry and recovery, and whether the table is one of ours. */
bool dynamo_described(struct json_reader *in, void *into);

/* The answer to DescribeTimeToLive: the expiry, and a warning when it is not ours. */
bool dynamo_described_expiry(struct json_reader *in, void *into);

/* The answer to DescribeContinuousBackups: the recovery. */
bool dynamo_described_recovery(struct json_reader *in, void *into);

#endif
