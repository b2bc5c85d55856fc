#ifndef TABLE_PATIENCE_H
#define TABLE_PATIENCE_H

#include "table/table.h"

/*
 * Trouble that may pass, waited out: so that work of hours is not lost for a moment in which the table takes no more.
 * For commands; whoever waits for a page has no time for it.
 *
 *	struct patience patience = {0};
 *
 *	do
 *		rc = table_put(table, &call, item);
 *	while (patience_lasts(&patience, rc));
 *
 * Only for what does no harm when it is done twice: what has failed may have been carried out.
 */
struct patience {
	int64_t until; /* by the monotonic clock; 0: nothing has failed yet */
	unsigned tries;
};

/*
 * Is it worth another try? Then it has waited, each time for longer, up to five seconds. It lasts for a minute from
 * the first failure on.
 */
bool patience_lasts(struct patience *patience, enum table_rc rc);

#endif
