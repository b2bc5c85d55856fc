#include "table/dynamo/breaker.h"

enum {
	ENOUGH = 4,        /* calls in a row: one may have had a bad connection */
	IN_VAIN_MS = 1000, /* a call that waited for less may just have reached its own deadline */
	PROBE_MS = 1000,
};

/* Mostly there is nothing to write, so the cache line stays shared among threads. */
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
	/*
	 * The first probe comes a second later, so that those who wait for a thread are refused
	 * first.
	 */
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
