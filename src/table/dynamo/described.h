#ifndef TABLE_DYNAMO_DESCRIBED_H
#define TABLE_DYNAMO_DESCRIBED_H

#include "table/json.h"

/*
 * Parse the service's descriptions of a table into a struct table_dynamo_description, whose slices
 * and sentences are in the reader's arena. False for an invalid answer; json_end() of the reader
 * reports it as well.
 */

/*
 * The answer to DescribeTable: everything except time to live and recovery, and whether the table
 * is one of ours.
 */
bool dynamo_described(struct json_reader *in, void *into);

/* The answer to DescribeTimeToLive, and a warning if it is not ours. */
bool dynamo_described_expiry(struct json_reader *in, void *into);

/* The answer to DescribeContinuousBackups: the recovery. */
bool dynamo_described_recovery(struct json_reader *in, void *into);

#endif
