#include "table/dynamo/health.h"

enum {
	ENOUGH = 4, /* calls in a row: one may have met with a bad connection */
	IN_VAIN_MS =
	    1000, /* who has waited for less may just have come to the end of its own time */
	PROBE_MS = 1000,
};

/* Nearly always there is nothing to write, so that no thread takes the line from another's cache. */
void
dynamo_health_served(struct dynamo_health *health)
{
	if (atomic_load_explicit(&health->in_vain, memory_order_relaxed) != 0)
		health->in_vain = 0;
}

void
dynamo_health_in_vain(struct dynamo_health *health, int64_t began, int64_t now)
{
	if (now - began < IN_VAIN_MS)
		return;
	/* The first probe comes a second later: those who have waited for a thread until now are sent away first. */
	if (!dynamo_health_is_out(health))
		health->probed = now;
	if (health->in_vain++ == 0)
		health->since = began;
}

bool
dynamo_health_is_out(const struct dynamo_health *health)
{
	return atomic_load_explicit(&health->in_vain, memory_order_relaxed) >= ENOUGH;
}

bool
dynamo_health_may_probe(struct dynamo_health *health, int64_t now)
{
	int_fast64_t last = health->probed;

	return now - last >= PROBE_MS &&
	       atomic_compare_exchange_strong(&health->probed, &last, now);
}

int64_t
dynamo_health_seconds(const struct dynamo_health *health, int64_t now)
{
	int64_t ms = now - health->since;

	return ms < 1000 ? 1 : ms / 1000;
}
