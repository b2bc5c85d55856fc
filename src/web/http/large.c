#include "web/http/large.h"

#include "base/clock.h"
#include "base/limiter.h"
#include "model/site/rate.h"
#include "model/viewer.h"
#include "web/http/dispatch.h"

#include <assert.h>

enum { RETRY_SECONDS = 5 };

struct limiter *
large_limiter_new(void)
{
	static const struct limiter_bounds bounds = {
	    .at_once = 2, .waiting = 8, .of_one = 2, .timeout_ms = 10 * 1000};

	return limiter_new(&bounds);
}

static enum http_status
refuse(struct response *rs, enum http_status status, uint32_t wait)
{
	bool busy = status == HTTP_UNAVAILABLE;

	rs->why = busy ? "too many large texts at once" : "too many large texts of one person";
	rs->retry_after = wait;
	rs->error_text = busy ? "Other large texts are being worked on just now. Please try again "
				"in a moment."
			      : "These were many large texts in a short time. Please try again a "
				"little later.";
	return status;
}

/* Has that person reached the limit? If the table can't say, they may go on. */
static bool
is_too_often(struct request *rq, uint32_t *wait)
{
	const struct rate rate = {STR("large"), rq->viewer->user.username, LARGE_IN_A_WINDOW};

	return rate_take(rq->table, &rq->call, &rate, 1, rq->now, wait) == TABLE_CONDITION;
}

enum http_status
large_enter(struct request *rq, struct response *rs, size_t bytes)
{
	int64_t begun = clock_monotonic(rq->clock);
	uint32_t wait = 0;

	if (bytes < LARGE_BYTES || rq->site->large == NULL || rq->in_large)
		return HTTP_OK;
	/* Only people who are signed in may send that much, so there is a name. */
	assert(rq->viewer != NULL);
	if (is_too_often(rq, &wait))
		return refuse(rs, HTTP_TOO_MANY, wait);
	if (!limiter_enter(rq->site->large, rq->viewer->user.username))
		return refuse(rs, HTTP_UNAVAILABLE, RETRY_SECONDS);
	rq->in_large = true;
	/* Waiting here does not count towards the table's deadline. */
	rq->call.deadline += clock_monotonic(rq->clock) - begun;
	return HTTP_OK;
}

void
large_leave(struct request *rq)
{
	if (!rq->in_large)
		return;
	rq->in_large = false;
	limiter_leave(rq->site->large, rq->viewer->user.username);
}
