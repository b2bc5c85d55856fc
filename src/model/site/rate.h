#ifndef MODEL_SITE_RATE_H
#define MODEL_SITE_RATE_H

#include "model/plan.h"

/*
 * How often somebody may try something: counters in the table, one for each window of time, which go by
 * themselves. There is no lock-out: when the window is over, all begins anew.
 *
 * One that lasts has no window: each try waits twice as long as the one before it until it is a day, and goes on so until
 * somebody is right, or nobody has tried for a month.
 *
 * Where a secret is guessed, the limit slows down before it stops: behind the first tries each waits twice as long as
 * the one before it, counted from the last that was made. What is refused counts nowhere, so that asking too soon does
 * not make the wait longer. Whoever was right begins anew.
 */
enum { RATE_WINDOW_SECONDS = 600, RATE_FREE = 5, RATE_DELAY_SECONDS = 15 };
enum { RATE_DELAY_MAX_SECONDS = 86400, RATE_LASTS_SECONDS = 30 * 86400 };

struct rate {
	struct str what; /* "sign-in" */
	struct str who;  /* an address, a username */
	int64_t most;    /* in a window */
	bool slows;      /* behind RATE_FREE of them: 15 s, 30 s, 1 min, 2 min, ... */
	bool lasts;      /* it slows, and has no end; `most` means nothing */
};

/*
 * Counts one try against all of the limits, in one transaction: either all count it, or one of them is
 * reached and none does. TABLE_OK: go on. TABLE_CONDITION: not now; *wait is after how many seconds.
 */
enum table_rc rate_take(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now, uint32_t *wait);

/*
 * The same for a try that is known to be right: it is no guess and does not count, but there must be room for it, and
 * where a limit slows, it begins anew. It must be made before anybody is told, as of many guesses at once all would be
 * made else.
 */
enum table_rc rate_take_right(struct table *table, struct table_call *call,
    const struct rate *rates, size_t count, int64_t now, uint32_t *wait);

/*
 * Counts so many tries at once, past the limit, too: of work of which nobody knew how much it was before it was done.
 */
enum table_rc rate_charge(struct table *table, struct table_call *call, const struct rate *rate,
    int64_t tries, int64_t now);

/*
 * The same in pieces, for who saves a trip: the limits are read with something else, so that who has to wait is told
 * before anything is done, and counted with something else. The count decides, as others try meanwhile: nobody may be
 * told how a try ended before it is counted, and to be counted must take as long for the wrong as for the right.
 */
struct read rate_read(struct arena *arena, const struct rate *rates, size_t count, int64_t now);
/* After how many seconds there may be one more try; 0: now. */
uint32_t rate_wait(const struct rate *rates, size_t count, const struct read *answer, int64_t now);
/* How many tries the answer has of the limit at `index`. */
int64_t rate_tries(const struct read *answer, size_t index);
/* A write for each limit, for a try that is known to be `right` or not. PLAN_TOO_MANY when one is reached. */
void rate_add(struct plan *plan, const struct rate *rates, size_t count, bool right);
/* How long, when they have: asks the table. At least a second. */
uint32_t rate_wait_now(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now);

/*
 * Who an address is: an IPv4 address as it is, also from within one of IPv6; of an IPv6 address the network that one
 * customer has (64 bits); "unknown" for what is none. In the arena.
 */
struct str rate_address(struct arena *arena, struct str remote);
/* The network about it that one customer may have, too: the first 24 bits of IPv4, 48 of IPv6. */
struct str rate_network(struct arena *arena, struct str remote);

#endif
