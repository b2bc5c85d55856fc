#include "table/dynamo/breaker.h"

enum {
	ENOUGH = 4, /* calls in a row: one may have met with a bad connection */
	IN_VAIN_MS =
	    1000, /* who has waited for less may just have come to the end of its own time */
	PROBE_MS = 1000,
};

/* Nearly always there is nothing to write, so that no thread takes the line from another's cache. */
void
dynamo_breaker_served(struct dynamo_breaker *breaker)
{
	if (atomic_load_explicit(&breaker->in_vain, memory_order_relaxed) != 0)
		breaker->in_vain = 0;
}

void
dynamo_breaker_timed_out(struct dynamo_breaker *breaker, int64_t began, int64_t now)
{
	if (now - began < IN_VAIN_MS)
		return;
	/* The first probe comes a second later: those who have waited for a thread until now are sent away first. */
	if (!dynamo_breaker_is_open(breaker))
		breaker->probed = now;
	if (breaker->in_vain++ == 0)
		breaker->since = began;
}

bool
dynamo_breaker_is_open(const struct dynamo_breaker *breaker)
{
	return atomic_load_explicit(&breaker->in_vain, memory_order_relaxed) >= ENOUGH;
}

bool
dynamo_breaker_may_probe(struct dynamo_breaker *breaker, int64_t now)
{
	int_fast64_t last = breaker->probed;

	return now - last >= PROBE_MS &&
	       atomic_compare_exchange_strong(&breaker->probed, &last, now);
}

int64_t
dynamo_breaker_seconds(const struct dynamo_breaker *breaker, int64_t now)
{
	int64_t ms = now - breaker->since;

	return ms < 1000 ? 1 : ms / 1000;
}
