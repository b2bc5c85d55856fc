/*
 * Conversations with DynamoDB, and the one place where requests are tried again.
 *
 *  1. An attempt ends with an answer, or FAILED (the request was not sent), or LOST (it may have been
 *     carried out). A stage that lasts longer than half of the time that was left at the attempt's start
 *     counts as FAILED or LOST, so that there is time for another attempt on another connection.
 *  2. FAILED, LOST and temporary refusals are retried after a pause with full jitter, at most
 *     `attempts` times and never after the deadline. A permanent refusal is final.
 *  3. The result of a write that is LOST is unknown until an answer comes. It is retried only if it
 *     is idempotent; see write.c.
 *  4. When one conversation has failed, the others are abandoned.
 *  5. While the circuit breaker is open (breaker.h), a page's call is not made, and a running one is ended: otherwise,
 *     with more readers than threads, each would wait for the waits of those before it. A command's call, which may
 *     take longer, is completed. An answer that reports an outage does not count as service.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/exchange.h"

#include <inttypes.h>

enum {
	STAGE_LEAST_MS = 400,
	PAGE_MS = 5000,  /* a call with a longer deadline is not a page's */
	GLANCE_MS = 200, /* how often a waiting call checks whether the breaker has opened */
};

/* What all conversations of a call share. */
struct round {
	struct dynamo *db;
	struct table_call *call;
	struct exchange_group *group;
	int64_t began, deadline; /* by exchange_now() */
	bool firm;               /* it is completed even while the breaker is open */
	bool served;             /* DynamoDB has answered at least one request */
};

static void
end(struct talk *talk, enum table_rc rc, const char *why)
{
	talk->over = true;
	talk->rc = rc;
	talk->why = why;
}

static int64_t
pause_before(struct round *round, unsigned attempts)
{
	uint32_t chance;

	round->db->table.clock->random(round->db->table.clock, &chance, sizeof(chance));
	return dynamo_pause_ms(chance, attempts);
}

/* Retries after a pause, or ends with this rc after the last attempt. */
static void
again(struct round *round, struct talk *talk, enum table_rc rc, const char *why)
{
	if (talk->attempts >= round->db->config.attempts) {
		end(talk, rc, why);
		return;
	}
	talk->rc = rc; /* in case the deadline comes first */
	talk->why = why;
	talk->due = exchange_now() + pause_before(round, talk->attempts);
}

static void
ask(struct round *round, struct talk *talk, int64_t now)
{
	static const struct str versions[] = {[DYNAMO_ITEMS] = STR_INIT("DynamoDB_20120810."),
	    [DYNAMO_STREAMS] = STR_INIT("DynamoDBStreams_20120810.")};
	struct exchange_request request = {
	    .service = talk->service,
	    .target =
		STR_CONCAT(round->call->arena, versions[talk->service], str_of(talk->operation)),
	    .body = talk->body,
	};
	enum table_rc rc;

	if (talk->writes && !dynamo_fence_passed(round->db, round->call, &rc)) {
		end(talk, rc, round->call->why);
		return;
	}
	talk->attempts++;
	/* Without a second attempt there is no need to save time for it. */
	talk->timeout = (round->deadline - now) / (talk->writes && talk->once ? 1 : 2);
	if (talk->timeout < STAGE_LEAST_MS)
		talk->timeout = STAGE_LEAST_MS;
	talk->exchange = exchange_start(round->db->http, round->group, &request);
}

/* --- What comes back --------------------------------------------------------------------------- */

/* No answer came to an attempt that may have been carried out. */
static void
lost(struct round *round, struct talk *talk, const char *why)
{
	if (talk->writes)
		talk->unsure = true;
	if (talk->writes && talk->once)
		end(talk, TABLE_UNAVAILABLE, why);
	else
		again(round, talk, TABLE_UNAVAILABLE, why);
}

static void
served(struct round *round)
{
	round->served = true;
	dynamo_breaker_served(&round->db->breaker);
}

static const char *
words_of(struct arena *arena, int status, const struct dynamo_refusal *refusal)
{
	struct str said = STR("");

	/* An error that does not look like DynamoDB's comes from some other server. */
	if (refusal->code.len == 0 && status < 500)
		return str_fmt(arena,
		    "an answer with status %d comes that is not DynamoDB's: look at "
		    "AWS_ENDPOINT_URL_DYNAMODB",
		    status)
		    .base;
	if (refusal->message.len > 0)
		said = str_fmt(arena, refusal->advice != NULL ? " (%.*s)" : ": %.*s",
		    STR_ARGS(refusal->message));
	return str_fmt(arena, "DynamoDB answers %d %.*s%.*s%s%s", status, STR_ARGS(refusal->code),
	    STR_ARGS(said), refusal->advice != NULL ? ": " : "",
	    refusal->advice != NULL ? refusal->advice : "")
	    .base;
}

static void
refused(struct round *round, struct talk *talk, int status, struct str body)
{
	struct arena *arena = round->call->arena;
	struct dynamo_refusal refusal;
	const char *why;

	dynamo_refusal_read(arena, status, body, &refusal);
	why = words_of(arena, status, &refusal);
	if (refusal.unsure) {
		lost(round, talk, why);
		return;
	}
	served(round);
	if (refusal.remedy == REMEDY_RENEW)
		dynamo_http_renew(round->db->http);
	if (refusal.remedy != REMEDY_NONE && talk->attempts < round->db->config.attempts) {
		again(round, talk, refusal.rc, why);
		return;
	}
	/* It was refused, but an earlier attempt that was lost may have succeeded. */
	if (refusal.rc == TABLE_CONDITION || refusal.rc == TABLE_CANCELLED)
		talk->unsure = false;
	end(talk, refusal.rc, why);
	if (talk->refused != NULL)
		talk->refused(talk, &refusal);
}

static void
heard(struct round *round, struct talk *talk, struct str body)
{
	served(round);
	/* Whatever became of the attempts before. */
	talk->unsure = false;
	talk->rc = TABLE_OK;
	talk->why = NULL;
	talk->requests++;
	switch (talk->hear(talk, body)) {
	case TURN_END: talk->over = true; return;
	case TURN_NEXT:
		talk->attempts = 0;
		talk->due = 0;
		return;
	case TURN_LATER:
		again(round, talk, TABLE_THROTTLED,
		    talk->writes ? "DynamoDB leaves writes unprocessed" : "DynamoDB leaves keys unprocessed");
		return;
	}
}

/* The exchange has ended: takes its answer and frees it. */
static void
take(struct round *round, struct talk *talk)
{
	struct exchange_answer answer = exchange_answer(talk->exchange);
	struct str body = str_dup(round->call->arena, answer.body);

	exchange_free(talk->exchange);
	talk->exchange = NULL;
	if (answer.stage == EXCHANGE_DONE && answer.status == 200)
		heard(round, talk, body);
	else if (answer.stage == EXCHANGE_DONE)
		refused(round, talk, answer.status, body);
	else if (answer.stage == EXCHANGE_LOST)
		lost(round, talk, answer.why);
	else
		again(round, talk, TABLE_UNAVAILABLE, answer.why);
}

/* --- Waiting ------------------------------------------------------------------------------------- */

static void
give_up(struct talk *talk)
{
	int64_t since;

	if (talk->exchange == NULL)
		return;
	if (talk->writes && exchange_stage(talk->exchange, &since) != EXCHANGE_CONNECTING)
		talk->unsure = true;
	exchange_abandon(talk->exchange);
	talk->exchange = NULL;
}

/* Checks an attempt under way; returns the time of the next check, 0 for at once. */
static int64_t
look(struct round *round, struct talk *talk, int64_t now)
{
	int64_t since;
	enum exchange_stage stage = exchange_stage(talk->exchange, &since);

	if (stage >= EXCHANGE_DONE) {
		take(round, talk);
		return 0;
	}
	if (stage == EXCHANGE_ANSWERING)
		return round->deadline;
	if (now < since + talk->timeout)
		return since + talk->timeout;
	exchange_abandon(talk->exchange);
	talk->exchange = NULL;
	if (stage == EXCHANGE_CONNECTING)
		again(round, talk, TABLE_UNAVAILABLE,
		    trust_store_error(dynamo_http_trust_store(round->db->http)));
	else
		lost(round, talk, "no answer from DynamoDB in time");
	return 0;
}

/*
 * Advances every conversation as far as possible; returns the time until which there is nothing to
 * do.
 */
static int64_t
step(struct round *round, struct talk *talks, size_t count, int64_t now)
{
	int64_t next = round->deadline;

	for (size_t i = 0; i < count; i++) {
		int64_t then;

		if (talks[i].over)
			continue;
		if (talks[i].exchange == NULL && talks[i].due <= now)
			ask(round, &talks[i], now);
		then = talks[i].exchange != NULL ? look(round, &talks[i], now) : talks[i].due;
		if (then < next)
			next = then;
	}
	return next;
}

/* The first that has failed, or NULL. *left: some are still running. */
static struct talk *
failed(struct talk *talks, size_t count, bool *left)
{
	*left = false;
	for (size_t i = 0; i < count; i++) {
		if (talks[i].over && talks[i].rc != TABLE_OK)
			return &talks[i];
		if (!talks[i].over)
			*left = true;
	}
	return NULL;
}

static const char *
out_of_order(struct round *round)
{
	return str_fmt(round->call->arena,
	    "DynamoDB has served no call for %" PRId64 " s; one call a second is let through",
	    dynamo_breaker_seconds(&round->db->breaker, exchange_now()))
	    .base;
}

/* The deadline has passed, or the breaker is open. */
static enum table_rc
out_of_time(struct round *round, struct talk *talks, size_t count, bool hopeless)
{
	const char *last = NULL;

	for (size_t i = 0; i < count; i++) {
		if (talks[i].over)
			continue;
		last = talks[i].why != NULL ? talks[i].why : last;
		give_up(&talks[i]);
		round->call->unsure |= talks[i].unsure;
	}
	if (hopeless)
		round->call->why = out_of_order(round);
	else if (last == NULL)
		round->call->why = "no answer from DynamoDB in time";
	else
		round->call->why = str_fmt(
		    round->call->arena, "no time for another attempt; the last one: %s", last)
				       .base;
	return TABLE_DEADLINE;
}

static enum table_rc
settle(struct round *round, struct talk *talks, size_t count, struct talk *bad)
{
	struct table_cost *cost = &round->call->cost;
	uint32_t longest = 1;

	for (size_t i = 0; i < count; i++) {
		give_up(&talks[i]);
		/* table.c counts one for each; this adds those that answers and retries caused. */
		if (talks[i].requests > 1)
			cost->requests += talks[i].requests - 1;
		if (talks[i].requests > longest)
			longest = talks[i].requests;
	}
	cost->round_trips += longest - 1;
	if (bad == NULL)
		return TABLE_OK;
	round->call->why = bad->why;
	round->call->unsure = bad->unsure;
	return bad->rc;
}

/* May the call begin? Also says whether it is completed whatever happens. */
static bool
admit(struct round *round)
{
	struct dynamo_breaker *breaker = &round->db->breaker;
	bool out = dynamo_breaker_is_open(breaker);

	round->firm = round->deadline - round->began > PAGE_MS ||
		      (out && dynamo_breaker_may_probe(breaker, round->began));
	return !out || round->firm;
}

/* Runs until the call ends, one way or another. */
static enum table_rc
hold(struct round *round, struct talk *talks, size_t count)
{
	int64_t now = round->began;
	struct talk *bad;
	bool left, hopeless = false;

	while ((bad = failed(talks, count, &left)) == NULL && left && now < round->deadline &&
	       !hopeless) {
		int64_t next = step(round, talks, count, now);

		/* An answer that has arrived counts all the same. */
		hopeless = !round->firm && dynamo_breaker_is_open(&round->db->breaker);
		if (!round->firm && next > now + GLANCE_MS)
			next = now + GLANCE_MS;
		if (!hopeless && next > now)
			exchange_wait(round->group, next);
		now = exchange_now();
	}
	if (!round->served && (bad != NULL || left))
		dynamo_breaker_timed_out(&round->db->breaker, round->began, now);
	if (bad == NULL && left)
		return out_of_time(round, talks, count, hopeless);
	return settle(round, talks, count, bad);
}

enum table_rc
dynamo_talk(struct dynamo *db, struct table_call *call, struct talk *talks, size_t count)
{
	int64_t now = exchange_now();
	struct round round = {
	    .db = db,
	    .call = call,
	    .began = now,
	    .deadline = now + call->deadline - clock_monotonic(db->table.clock),
	};
	enum table_rc rc;

	if (!admit(&round)) {
		call->why = out_of_order(&round);
		return TABLE_UNAVAILABLE;
	}
	for (size_t i = 0; i < count; i++) {
		talks[i].db = db;
		talks[i].call = call;
	}
	round.group = exchange_group_new(db->http, talks[0].service);
	rc = hold(&round, talks, count);
	exchange_group_leave(round.group);
	return rc;
}
