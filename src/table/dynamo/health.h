#ifndef TABLE_DYNAMO_HEALTH_H
#define TABLE_DYNAMO_HEALTH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Does DynamoDB serve anybody? When it does not, each call finds out by waiting, and with more readers than threads
 * the waits add up. So what calls have found is kept for all threads: after a few in a row that waited in vain
 * the store is out of order, and whoever can't wait need not try. One call a second may all the same, and the first
 * good answer to anybody is the end of it.
 *
 * Times are milliseconds of CLOCK_MONOTONIC. All zeros is a beginning. No call blocks.
 */
struct dynamo_health {
	atomic_uint in_vain;       /* calls in a row */
	atomic_int_fast64_t since; /* when the first of them began */
	atomic_int_fast64_t
	    probed; /* when the last call was let through; before that, when it began to be out of order */
};

/* Somebody was served. */
void dynamo_health_served(struct dynamo_health *health);

/* A call that began then has ended, and was not served. One that gave up soon says nothing. */
void dynamo_health_in_vain(struct dynamo_health *health, int64_t began, int64_t now);

bool dynamo_health_is_out(const struct dynamo_health *health);

/* While it is out of order: may this call go all the same? At most one a second may. */
bool dynamo_health_may_probe(struct dynamo_health *health, int64_t now);

/* While it is out of order: for how many seconds, at least one. */
int64_t dynamo_health_seconds(const struct dynamo_health *health, int64_t now);

#endif
