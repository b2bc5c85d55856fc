#ifndef TABLE_DYNAMO_RECORD_H
#define TABLE_DYNAMO_RECORD_H

#include "table/json.h"
#include "table/table.h"

/*
 * Reads one record of DynamoDB Streams, in the reader's arena; *sequence becomes its sequence number and
 * stays as it is without one. Whether all went well, the reader knows.
 */
struct change_record dynamo_record_read(struct json_reader *in, struct str *sequence);

#endif
