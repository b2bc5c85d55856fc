/*
 * The circuit breaker: when it opens, what it lets through, and what closes it. The time is
 * simulated.
 */
#include "lib/tap.h"

#include "table/dynamo/breaker.h"

enum { T = 1000000, WAIT = 2500 };

/* Calls that begin and end together, and wait in vain; the time when they have. */
static int64_t
wait_in_vain(struct dynamo_breaker *breaker, int calls, int64_t began)
{
	for (int i = 0; i < calls; i++)
		dynamo_breaker_timed_out(breaker, began, began + WAIT);
	return began + WAIT;
}

static void
begins(void)
{
	struct dynamo_breaker breaker = {0};

	ok(!dynamo_breaker_is_open(&breaker),
	    "In the beginning nothing is known to be out of order,");
	wait_in_vain(&breaker, 3, T);
	ok(!dynamo_breaker_is_open(&breaker), "... nor after three calls in vain.");
	dynamo_breaker_served(&breaker);
	wait_in_vain(&breaker, 3, T);
	ok(!dynamo_breaker_is_open(&breaker), "Calls before a good answer are forgotten.");
	for (int i = 0; i < 10; i++)
		dynamo_breaker_timed_out(&breaker, T, T + 900);
	ok(!dynamo_breaker_is_open(&breaker), "Who has not waited for a second does not count.");
	wait_in_vain(&breaker, 1, T);
	ok(dynamo_breaker_is_open(&breaker), "The fourth in a row does.");
	is_int(dynamo_breaker_seconds(&breaker, T + 12900), 12,
	    "It is told since when: since the first of them began.");
	is_int(dynamo_breaker_seconds(&breaker, T), 1, "... That is never no time at all.");
}

static void
probes(void)
{
	struct dynamo_breaker breaker = {0};
	int64_t now = wait_in_vain(&breaker, 4, T);

	ok(!dynamo_breaker_may_probe(&breaker, now + 999), "Nobody asks again within a second,");
	ok(dynamo_breaker_may_probe(&breaker, now + 1000), "... then one does,");
	ok(!dynamo_breaker_may_probe(&breaker, now + 1000), "... and nobody else");
	ok(!dynamo_breaker_may_probe(&breaker, now + 1999), "... for another second.");
	ok(dynamo_breaker_may_probe(&breaker, now + 2000),
	    "Then another one does, while the first may still wait.");
	dynamo_breaker_timed_out(&breaker, now + 1000, now + 3000);
	ok(dynamo_breaker_may_probe(&breaker, now + 3000),
	    "That one waited in vain moves no other.");
	dynamo_breaker_served(&breaker);
	ok(!dynamo_breaker_is_open(&breaker), "The first that is served ends it.");
	wait_in_vain(&breaker, 3, T);
	ok(!dynamo_breaker_is_open(&breaker), "... It takes as many again,");
	now = wait_in_vain(&breaker, 1, T + 60 * 1000);
	ok(dynamo_breaker_is_open(&breaker), "... and begins anew,");
	ok(!dynamo_breaker_may_probe(&breaker, now + 999),
	    "... with a second in which nobody asks.");
}

int
main(void)
{
	begins();
	probes();
	return tap_done();
}
