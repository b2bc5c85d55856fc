/*
 * The fence (struct table). A condition on its item in each write would make all of them conflict with one another, and cost
 * two units each. So a process looks at the item, and begins attempts for TABLE_FENCE_MS from when it began to look: whoever
 * closes the fence waits that long, and for what was sent at the last moment.
 */
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/exchange.h"

bool
dynamo_fence_passed(struct dynamo *db, struct table_call *call, enum table_rc *rc)
{
	struct read read = {.kind = READ_GET, .key = db->table.fence, .consistent = true};
	int64_t now = exchange_now();

	if (read.key.pk.len == 0 || call->past_fence || now < db->open_until)
		return true;
	*rc = dynamo_read_at(db, call, &read, 1, clock_now(db->table.clock));
	if (*rc == TABLE_OK && read.item != NULL) {
		*rc = TABLE_THROTTLED;
		call->why = table_fenced;
	}
	if (*rc == TABLE_OK)
		db->open_until = now + TABLE_FENCE_MS;
	return *rc == TABLE_OK;
}
