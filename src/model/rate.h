#ifndef MODEL_RATE_H
#define MODEL_RATE_H

#include "table/table.h"

/*
 * How often somebody may try something: counters in the table, one for each window of time, which go by
 * themselves. There is no lock-out: when the window is over, all begins anew.
 */
enum { RATE_WINDOW_SECONDS = 600 };

struct rate {
	struct str what; /* "sign-in" */
	struct str who;  /* an address, a username */
	int64_t most;    /* in a window */
};

/*
 * Counts one try against all of the limits, in one transaction: either all count it, or one of them is
 * reached and none does. TABLE_OK: go on. TABLE_CONDITION: not now; *wait is after how many seconds.
 */
enum table_rc rate_take(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now, uint32_t *wait);

/*
 * Who an address is: an IPv4 address as it is, also from within one of IPv6; of an IPv6 address the network that one
 * customer has (64 bits); "unknown" for what is none. In the arena.
 */
struct str rate_address(struct arena *arena, struct str remote);

#endif
