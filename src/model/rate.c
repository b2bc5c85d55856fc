#include "model/rate.h"

#include "base/arena.h"
#include "model/key.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

enum { RATES_MAX = 4, TRIES = 5 };

static struct write
count_one(struct arena *arena, const struct rate *rate, int64_t window)
{
	struct change *changes = ARENA_ARRAY(arena, 3, struct change);
	struct condition *either = ARENA_NEW(arena, struct condition);
	struct condition *children = ARENA_ARRAY(arena, 2, struct condition);

	children[0] = (struct condition){.op = COND_MISSING, .name = STR("Count")};
	children[1] = (struct condition){
	    .op = COND_LT, .name = STR("Count"), .value = value_number(rate->most)};
	*either = (struct condition){.op = COND_ANY, .children = children, .count = 2};
	changes[0] = (struct change){CHANGE_ADD, STR("Count"), value_number(1)};
	changes[1] = (struct change){
	    CHANGE_SET, TABLE_EXPIRES, value_number((window + 1) * RATE_WINDOW_SECONDS)};
	changes[2] = (struct change){CHANGE_SET, STR("Type"), value_string(STR("RateLimit"))};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_rate(arena, rate->what, rate->who, window),
	    .changes = changes,
	    .change_count = 3,
	    .condition = either};
}

static bool
is_reached(const struct write *writes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (writes[i].rc == TABLE_CONDITION)
			return true;
	return false;
}

enum table_rc
rate_take(struct table *table, struct table_call *call, const struct rate *rates, size_t count,
    int64_t now, uint32_t *wait)
{
	int64_t seconds = now / 1000, window = seconds / RATE_WINDOW_SECONDS;
	struct write writes[RATES_MAX];
	enum table_rc rc = TABLE_CONFLICT;

	assert(count <= RATES_MAX);
	/* Two who try at the same moment count both. */
	for (int i = 0; i < TRIES && rc == TABLE_CONFLICT; i++) {
		for (size_t n = 0; n < count; n++)
			writes[n] = count_one(call->arena, &rates[n], window);
		rc = table_transact(table, call, writes, count, STR(""));
		if (rc == TABLE_CANCELLED)
			rc = is_reached(writes, count) ? TABLE_CONDITION : TABLE_CONFLICT;
	}
	if (rc == TABLE_CONDITION)
		*wait = (uint32_t)((window + 1) * RATE_WINDOW_SECONDS - seconds);
	return rc;
}

struct str
rate_address(struct arena *arena, struct str remote)
{
	const char *text = str_cstring(arena, remote);
	_Alignas(struct in6_addr) unsigned char bytes[sizeof(struct in6_addr)];
	char out[INET6_ADDRSTRLEN];

	if (inet_pton(AF_INET, text, bytes) == 1)
		return remote;
	if (inet_pton(AF_INET6, text, bytes) != 1)
		return STR("unknown");
	/* One of IPv4 in the other's form, as a socket for both has it: else all of them were one customer. */
	if (IN6_IS_ADDR_V4MAPPED((struct in6_addr *)bytes)) {
		inet_ntop(AF_INET, bytes + 12, out, sizeof(out));
		return str_dup(arena, str_of(out));
	}
	memset(bytes + 8, 0, 8);
	if (inet_ntop(AF_INET6, bytes, out, sizeof(out)) == NULL)
		return STR("unknown");
	return str_dup(arena, str_of(out));
}
