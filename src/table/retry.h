#ifndef TABLE_RETRY_H
#define TABLE_RETRY_H

#include "table/table.h"

/*
 * Retries for transient failures of the table, so that work of hours is not lost because of a short
 * outage. For commands; a request for a page can't wait that long.
 *
 *	struct retry retry = {0};
 *	do
 *		rc = table_put(table, &call, item);
 *	while (retry_again(&retry, rc));
 *
 * Only for operations that may be repeated: a failed one may have been carried out.
 */
struct retry {
	int64_t until; /* by the monotonic clock; 0: nothing has failed yet */
	unsigned tries;
};

/*
 * Should the operation be tried again? If so, it has waited, longer each time, up to five seconds.
 * It gives up one minute after the first failure.
 */
bool retry_again(struct retry *retry, enum table_rc rc);

#endif
