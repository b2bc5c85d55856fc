#include "model/site/lease.h"

#include "base/arena.h"
#include "model/key.h"

static struct condition
is_ours(const struct lease *lease)
{
	return (struct condition){
	    .op = COND_EQ, .name = STR("Holder"), .value = value_string(lease->holder)};
}

/*
 * Takes or renews the lease. Condition: it is ours, nobody's, expired, or ends later than any lease
 * taken now could, which means that it was taken while a clock was wrong. The limit is twice the
 * length, since the clocks of two machines may differ.
 */
static struct write
take(struct arena *arena, const struct lease *lease, int64_t now)
{
	struct condition *any = ARENA_ARRAY(arena, 5, struct condition);
	struct write write = {.kind = WRITE_PUT, .condition = &any[0]};
	int64_t until = now + lease->lasts;

	any[0] = (struct condition){.op = COND_ANY, .children = any + 1, .count = 4};
	any[1] = (struct condition){.op = COND_MISSING, .name = STR("PK")};
	any[2] = is_ours(lease);
	any[3] =
	    (struct condition){.op = COND_LE, .name = STR("Until"), .value = value_number(now)};
	any[4] = (struct condition){
	    .op = COND_GT, .name = STR("Until"), .value = value_number(now + 2 * lease->lasts)};
	key_set(arena, &write.item, key_lease(lease->work), ITEM_LEASE);
	item_set(arena, &write.item, STR("Holder"), value_string(lease->holder));
	item_set(arena, &write.item, STR("Until"), value_number(until));
	/* Much later than Until, which is exact. */
	item_set(arena, &write.item, TABLE_EXPIRES, value_number(until / 1000 + 24 * 60 * 60));
	return write;
}

/* A lease that ends too late was taken while our clock was wrong, and may be another's by now. */
static bool
is_held(const struct lease *lease, int64_t now)
{
	return now < lease->until && lease->until - now <= 2 * lease->lasts;
}

enum table_rc
lease_keep(
    struct table *table, struct table_call *call, struct lease *lease, int64_t now, bool *held)
{
	struct write write;
	enum table_rc rc;

	*held = is_held(lease, now);
	if (*held && lease->until - now > lease->lasts / 2)
		return TABLE_OK;
	write = take(call->arena, lease, now);
	rc = table_write(table, call, &write);
	if (rc == TABLE_OK)
		lease->until = now + lease->lasts;
	else if (rc == TABLE_CONDITION)
		lease->until = 0;
	*held = is_held(lease, now);
	return rc == TABLE_CONDITION ? TABLE_OK : rc;
}

enum table_rc
lease_give(struct table *table, struct table_call *call, struct lease *lease)
{
	const struct condition ours = is_ours(lease);
	struct write write = {
	    .kind = WRITE_DELETE, .key = key_lease(lease->work), .condition = &ours};
	enum table_rc rc;

	if (lease->until == 0)
		return TABLE_OK;
	lease->until = 0;
	rc = table_write(table, call, &write);
	return rc == TABLE_CONDITION ? TABLE_OK : rc;
}
