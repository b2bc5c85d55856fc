#ifndef TABLE_DYNAMO_BREAKER_H
#define TABLE_DYNAMO_BREAKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A circuit breaker for DynamoDB. During an outage each call finds out only by waiting, and with
 * more requests than threads the waits add up. So results of calls are shared by all threads: after
 * a few in a row that waited in vain the breaker opens, and calls that can't wait fail at once. One
 * call a second is let through as a probe, and the first success of any call closes the breaker.
 *
 * Times are milliseconds of CLOCK_MONOTONIC. Initialise it with zeros. No function blocks.
 */
struct dynamo_breaker {
	atomic_uint in_vain;       /* calls in a row */
	atomic_int_fast64_t since; /* when the first of them began */
	atomic_int_fast64_t
	    probed; /* when the last probe was let through; before that, when it opened */
};

/* Somebody was served. */
void dynamo_breaker_served(struct dynamo_breaker *breaker);

/* A call that began then has ended, and was not served. One that failed quickly does not count. */
void dynamo_breaker_timed_out(struct dynamo_breaker *breaker, int64_t began, int64_t now);

bool dynamo_breaker_is_open(const struct dynamo_breaker *breaker);

/* While it is open: may this call go as the probe? At most one a second may. */
bool dynamo_breaker_may_probe(struct dynamo_breaker *breaker, int64_t now);

/* While it is open: for how many seconds so far, at least one. */
int64_t dynamo_breaker_seconds(const struct dynamo_breaker *breaker, int64_t now);

#endif
