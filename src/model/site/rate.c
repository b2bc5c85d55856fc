#include "model/site/rate.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

/* After RATE_FREE attempts the delays of a lasting limit grow so many times, up to the longest. */
enum { SLOW_MAX = 14, GROWING = 14 };

static int64_t
window_seconds(const struct rate *rate)
{
	return rate->window != 0 ? rate->window : RATE_WINDOW_SECONDS;
}

static int64_t
window_of(const struct rate *rate, int64_t now)
{
	return now / 1000 / window_seconds(rate);
}

static struct key
key_of(struct arena *arena, const struct rate *rate, int64_t now)
{
	return key_rate(arena, rate->what, rate->who, rate->lasts ? 0 : window_of(rate, now));
}

static int64_t
expires(const struct rate *rate, int64_t now)
{
	return rate->lasts ? now / 1000 + RATE_LASTS_SECONDS
			   : (window_of(rate, now) + 1) * window_seconds(rate);
}

static bool
slows(const struct rate *rate)
{
	return rate->slows || rate->lasts;
}

/* How many attempts are allowed without a wait between them. */
static int64_t
free_tries(const struct rate *rate)
{
	return slows(rate) && (rate->lasts || rate->most > RATE_FREE) ? RATE_FREE : rate->most;
}

/* Up to so many attempts the delay grows with each. */
static int64_t
last_growing(const struct rate *rate)
{
	return rate->lasts ? RATE_FREE + GROWING : rate->most;
}

/* The delay between that many attempts and the next one, in milliseconds. */
static int64_t
delay_behind(int64_t tries)
{
	int64_t most = (int64_t)RATE_DELAY_MAX_SECONDS * 1000;
	int64_t delay = tries < RATE_FREE + GROWING
			    ? ((int64_t)RATE_DELAY_SECONDS * 1000) << (tries - RATE_FREE)
			    : most;

	return delay < most ? delay : most;
}

/* There were that many attempts (or more, by `op`), and the last of them is long enough ago. */
static struct condition
has_waited(struct arena *arena, enum condition_op op, int64_t tries, int64_t now)
{
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);

	both[0] = (struct condition){.op = op, .name = STR("Count"), .value = value_number(tries)};
	both[1] = (struct condition){.op = COND_LE,
	    .name = STR("TriedAt"),
	    .value = value_string(time_format(arena, now - delay_behind(tries)))};
	return (struct condition){.op = COND_ALL, .children = both, .count = 2};
}

/* One more attempt is allowed. */
static const struct condition *
is_open(struct arena *arena, const struct rate *rate, int64_t now)
{
	struct condition *any = ARENA_NEW(arena, struct condition);
	struct condition *children = ARENA_ARRAY(arena, 3 + SLOW_MAX, struct condition);
	int64_t last = last_growing(rate);
	size_t count = 0;

	children[count++] = (struct condition){.op = COND_MISSING, .name = STR("Count")};
	children[count++] = (struct condition){
	    .op = COND_LT, .name = STR("Count"), .value = value_number(free_tries(rate))};
	assert(last - free_tries(rate) <= SLOW_MAX);
	for (int64_t tries = free_tries(rate); tries < last; tries++)
		children[count++] = has_waited(arena, COND_EQ, tries, now);
	if (rate->lasts)
		children[count++] = has_waited(arena, COND_GE, last, now);
	*any = (struct condition){.op = COND_ANY, .children = children, .count = count};
	return any;
}

static struct write
count_some(struct arena *arena, const struct rate *rate, int64_t tries, int64_t now)
{
	struct change *changes = ARENA_ARRAY(arena, 4, struct change);

	changes[0] = (struct change){CHANGE_ADD, STR("Count"), value_number(tries)};
	changes[1] = (struct change){CHANGE_SET, TABLE_EXPIRES, value_number(expires(rate, now))};
	changes[2] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_RATE_LIMIT)};
	changes[3] =
	    (struct change){CHANGE_SET, STR("TriedAt"), value_string(time_format(arena, now))};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_of(arena, rate, now),
	    .changes = changes,
	    .change_count = slows(rate) ? 4 : 3};
}

static struct write
count_one(struct arena *arena, const struct rate *rate, int64_t now)
{
	struct write write = count_some(arena, rate, 1, now);

	write.condition = is_open(arena, rate, now);
	return write;
}

/* Checks, without counting, that an attempt is allowed. */
static struct write
check_one(struct arena *arena, const struct rate *rate, int64_t now)
{
	return (struct write){.kind = WRITE_CHECK,
	    .key = key_of(arena, rate, now),
	    .condition = is_open(arena, rate, now)};
}

static struct write
begin_anew(struct arena *arena, const struct rate *rate, int64_t now)
{
	return (struct write){.kind = WRITE_DELETE,
	    .key = key_of(arena, rate, now),
	    .condition = is_open(arena, rate, now)};
}

void
rate_add(struct plan *plan, const struct rate *rates, size_t count, bool right)
{
	struct arena *arena = plan->call->arena;

	for (size_t i = 0; i < count; i++)
		plan_add(plan,
		    !right             ? count_one(arena, &rates[i], plan->now)
		    : slows(&rates[i]) ? begin_anew(arena, &rates[i], plan->now)
				       : check_one(arena, &rates[i], plan->now),
		    PLAN_TOO_MANY);
}

/* --- The wait --------------------------------------------------------------------------------- */

static uint32_t
rest_of_window(const struct rate *rate, int64_t now)
{
	return (uint32_t)((window_of(rate, now) + 1) * window_seconds(rate) - now / 1000);
}

static uint32_t
wait_for_one(const struct rate *rate, const struct item *item, int64_t now)
{
	int64_t tries = item != NULL ? item_number(item, STR("Count")) : 0, last = now, left;
	uint32_t rest = rest_of_window(rate, now);

	if (tries < free_tries(rate))
		return 0;
	if (!time_parse(item_string(item, STR("TriedAt")), &last) ||
	    (!rate->lasts && tries >= rate->most))
		return rest;
	left = last + delay_behind(tries) - now;
	if (left <= 0)
		return 0;
	left = (left + 999) / 1000;
	return rate->lasts || left < rest ? (uint32_t)left : rest;
}

struct read
rate_read(struct arena *arena, const struct rate *rates, size_t count, int64_t now)
{
	struct key *keys = ARENA_ARRAY(arena, count, struct key);

	for (size_t i = 0; i < count; i++)
		keys[i] = key_of(arena, &rates[i], now);
	return (struct read){.kind = READ_BATCH, .batch = {keys, count}};
}

uint32_t
rate_wait(const struct rate *rates, size_t count, const struct read *answer, int64_t now)
{
	uint32_t longest = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t wait = wait_for_one(&rates[i], answer->items[i], now);

		longest = wait > longest ? wait : longest;
	}
	return longest;
}

int64_t
rate_tries(const struct read *answer, size_t index)
{
	const struct item *item = answer->items[index];

	return item != NULL ? item_number(item, STR("Count")) : 0;
}

uint32_t
rate_wait_now(struct table *table, struct table_call *call, const struct rate *rates, size_t count,
    int64_t now)
{
	struct read read = rate_read(call->arena, rates, count, now);
	uint32_t wait = rest_of_window(&rates[0], now);

	read.consistent = true;
	if (table_read(table, call, &read, 1) == TABLE_OK)
		wait = rate_wait(rates, count, &read, now);
	/* A concurrent attempt succeeded and reset the limit. */
	return wait != 0 ? wait : 1;
}

/* --- Counting --------------------------------------------------------------------------------------- */

static enum table_rc
take(struct table *table, struct table_call *call, const struct rate *rates, size_t count,
    int64_t now, bool right, uint32_t *wait)
{
	struct plan plan = {.table = table, .call = call, .now = now};

	rate_add(&plan, rates, count, right);
	if (plan_commit(&plan) != PLAN_TOO_MANY)
		return plan.failed;
	*wait = rate_wait_now(table, call, rates, count, now);
	return TABLE_CONDITION;
}

enum table_rc
rate_take(struct table *table, struct table_call *call, const struct rate *rates, size_t count,
    int64_t now, uint32_t *wait)
{
	return take(table, call, rates, count, now, false, wait);
}

enum table_rc
rate_charge(struct table *table, struct table_call *call, const struct rate *rate, int64_t tries,
    int64_t now)
{
	struct write write = count_some(call->arena, rate, tries, now);

	return table_write(table, call, &write);
}

enum table_rc
rate_take_right(struct table *table, struct table_call *call, const struct rate *rates,
    size_t count, int64_t now, uint32_t *wait)
{
	return take(table, call, rates, count, now, true, wait);
}

/* The first bytes of an IPv4 or IPv6 address; "unknown" for anything else. */
static struct str
network_of(struct arena *arena, struct str remote, size_t bytes_of_4, size_t bytes_of_6)
{
	const char *text = str_cstring(arena, remote);
	_Alignas(struct in6_addr) unsigned char bytes[sizeof(struct in6_addr)];
	char out[INET6_ADDRSTRLEN];
	bool is_6 = inet_pton(AF_INET6, text, bytes) == 1;

	if (!is_6 && inet_pton(AF_INET, text, bytes) != 1)
		return STR("unknown");
	/*
	 * An IPv4-mapped address, as dual-stack sockets have: otherwise all of IPv4 would be one
	 * network.
	 */
	if (is_6 && IN6_IS_ADDR_V4MAPPED((struct in6_addr *)bytes)) {
		memmove(bytes, bytes + 12, 4);
		is_6 = false;
	}
	if (is_6)
		memset(bytes + bytes_of_6, 0, 16 - bytes_of_6);
	else
		memset(bytes + bytes_of_4, 0, 4 - bytes_of_4);
	if (inet_ntop(is_6 ? AF_INET6 : AF_INET, bytes, out, sizeof(out)) == NULL)
		return STR("unknown");
	return str_dup(arena, str_of(out));
}

struct str
rate_address(struct arena *arena, struct str remote)
{
	return network_of(arena, remote, 4, 8);
}

struct str
rate_network(struct arena *arena, struct str remote)
{
	return network_of(arena, remote, 3, 6);
}
