#ifndef TABLE_PATIENCE_H
#define TABLE_PATIENCE_H

#include "table/table.h"

/*
 * Retries for transient failures of the table, so that work of hours is not lost because of a short
 * outage. For commands; a request for a page can't wait that long.
 *
 *	struct patience patience = {0};
 *	do
 *		rc = table_put(table, &call, item);
 *	while (patience_lasts(&patience, rc));
 *
 * Only for operations that may be repeated: a failed one may have been carried out.
 */
struct patience {
	int64_t until; /* by the monotonic clock; 0: nothing has failed yet */
	unsigned tries;
};

/*
 * Should the operation be tried again? If so, it has waited, longer each time, up to five seconds.
 * It gives up one minute after the first failure.
 */
bool patience_lasts(struct patience *patience, enum table_rc rc);

#endif
