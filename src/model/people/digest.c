#include "model/people/digest.h"

#include "base/arena.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/key_outbox.h"
#include "model/kinds.h"

enum { MONDAY = 1, HOUR = 7, HOUR_MS = 60 * 60 * 1000, WEEK = 7 };

static const struct binding bindings[] = {
    BIND_TIME(RECORDED, "NextAt", struct digest, next),
    BIND_STRING(RECORDED, "Username", struct digest, username),
};
const struct binding_table digest_bindings = BINDINGS(bindings);

static int64_t
monday(const struct zone *zone, struct date day, int days)
{
	return zone_utc(zone, time_of_day(day.year, day.month, day.day + days) + HOUR * HOUR_MS);
}

int64_t
digest_after(const struct zone *zone, int64_t now)
{
	struct date today = zone_date(zone, now);
	int days = (MONDAY - today.weekday + WEEK) % WEEK;
	int64_t next = monday(zone, today, days);

	return next > now ? next : monday(zone, today, days + WEEK);
}

struct read
digest_read(struct arena *arena, struct str username)
{
	return (struct read){
	    .kind = READ_GET, .key = key_digest(arena, username), .consistent = true};
}

bool
digest_wanted(const struct read *answer)
{
	return answer->item != NULL;
}

static struct item
item_of(struct arena *arena, const struct digest *digest)
{
	struct item item = {0};

	key_set(arena, &item, key_digest(arena, digest->username), ITEM_DIGEST);
	key_index_digest(arena, &item, digest->next, digest->username);
	bind_write(arena, &digest_bindings, digest, &item);
	return item;
}

enum plan_rc
digest_set(struct plan *plan, struct str username, bool wanted, int64_t next)
{
	const struct digest digest = {.username = username, .next = next};

	if (wanted)
		plan_create(plan, item_of(plan->call->arena, &digest), PLAN_DONE);
	else
		plan_add(plan,
		    (struct write){
			.kind = WRITE_DELETE, .key = key_digest(plan->call->arena, username)},
		    PLAN_DONE);
	return plan_commit(plan);
}

enum table_rc
digest_due(struct table *table, struct table_call *call, int64_t now, uint32_t limit,
    struct digest **out, size_t *count)
{
	struct query query = query_digests_due(call->arena, now);
	struct item *found;
	struct str next;
	enum table_rc rc;

	query.limit = limit;
	rc = table_query(table, call, &query, &found, count, &next);
	if (rc != TABLE_OK)
		return rc;
	*out = ARENA_ARRAY(call->arena, *count, struct digest);
	for (size_t i = 0; i < *count; i++)
		bind_read(call->arena, &digest_bindings, &found[i], &(*out)[i]);
	return TABLE_OK;
}

enum table_rc
digest_advance(struct table *table, struct table_call *call, const struct digest *was, int64_t next)
{
	const struct digest is = {.username = was->username, .next = next};
	const struct condition same = {.op = COND_EQ,
	    .name = STR("NextAt"),
	    .value = value_string(time_format(call->arena, was->next))};
	struct write write = {
	    .kind = WRITE_PUT, .item = item_of(call->arena, &is), .condition = &same};

	return table_write(table, call, &write);
}
