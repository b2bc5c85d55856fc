#ifndef MODEL_SITE_RATE_H
#define MODEL_SITE_RATE_H

#include "model/plan.h"

/*
 * Rate limits: counters in the table, one for each window of time, which expire. There is no
 * lock-out: when the window is over, counting starts again.
 *
 * A limit that lasts has no window: the delay doubles with each attempt until it is a day, and
 * stays so until somebody is right, or nobody has tried for a month.
 *
 * Where a secret is guessed, the limit delays attempts before it refuses them: after the first ones
 * the delay doubles with each, counted from the last counted attempt. Refused attempts are not
 * counted, so that trying too soon does not make the delay longer. A correct attempt resets the
 * delay.
 */
enum { RATE_WINDOW_SECONDS = 600, RATE_FREE = 5, RATE_DELAY_SECONDS = 15 };
enum { RATE_DELAY_MAX_SECONDS = 86400, RATE_LASTS_SECONDS = 30 * 86400, RATE_DAY_SECONDS = 86400 };

struct rate {
	struct str what; /* "sign-in" */
	struct str who;  /* an address, a username */
	int64_t most;    /* in a window */
	bool slows;      /* after RATE_FREE of them: 15 s, 30 s, 1 min, 2 min, ... */
	int64_t window;  /* in seconds; 0: RATE_WINDOW_SECONDS */
	bool lasts;      /* it slows, and has no end; `most` means nothing */
};

/*
 * Counts one attempt against all of the limits, in one transaction: either all count it, or one of
 * them is reached and none does. TABLE_OK: continue. TABLE_CONDITION: refused; *wait is the number
 * of seconds to wait.
 */
enum table_rc rate_take(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now, uint32_t *wait);

/*
 * The same for an attempt that is known to be right: it is not counted, but it is refused if a
 * limit is reached, and resets delays. It must be made before anybody is told, since otherwise many
 * concurrent guesses would all be checked.
 */
enum table_rc rate_take_right(struct table *table, struct table_call *call,
    const struct rate *rates, size_t count, int64_t now, uint32_t *wait);

/*
 * Counts this many attempts at once, even past the limit: for work whose amount was not known
 * before it was done.
 */
enum table_rc rate_charge(struct table *table, struct table_call *call, const struct rate *rate,
    int64_t tries, int64_t now);

/*
 * The same in pieces, to save a round trip: the limits are read together with something else, so
 * that a refused attempt costs nothing, and counted together with something else. The count
 * decides, as others try concurrently: nobody may be told the result of an attempt before it is
 * counted, and counting must take as long for a wrong as for a right one.
 */
struct read rate_read(struct arena *arena, const struct rate *rates, size_t count, int64_t now);
/* In how many seconds the next attempt is permitted; 0: now. */
uint32_t rate_wait(const struct rate *rates, size_t count, const struct read *answer, int64_t now);
/* How many tries the answer has of the limit at `index`. */
int64_t rate_tries(const struct read *answer, size_t index);
/* A write for each limit, for a try that is known to be `right` or not. PLAN_TOO_MANY when one is reached. */
void rate_add(struct plan *plan, const struct rate *rates, size_t count, bool right);
/* How long, when they have: asks the table. At least a second. */
uint32_t rate_wait_now(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now);

/*
 * The client for rate limits: an IPv4 address as it is, also if mapped into IPv6; of an IPv6
 * address the network that one customer has (64 bits); "unknown" for an invalid one. In the arena.
 */
struct str rate_address(struct arena *arena, struct str remote);
/* The network about it that one customer may have, too: the first 24 bits of IPv4, 48 of IPv6. */
struct str rate_network(struct arena *arena, struct str remote);

#endif
