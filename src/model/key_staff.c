#include "model/key_staff.h"

#include "base/arena.h"
#include "base/clock.h"

static void
set_index(
    struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

struct key
key_appeal(struct arena *arena, struct str username, struct str about)
{
	return (struct key){
	    STR_CONCAT(arena, STR("USER#"), username), STR_CONCAT(arena, STR("APPEAL#"), about)};
}

void
key_index_appeal(struct arena *arena, struct item *item, struct str username, int64_t created)
{
	set_index(arena, item, TABLE_GSI3, STR("APPEAL"),
	    STR_CONCAT(arena, time_format(arena, created), STR("#"), username));
}

struct query
query_appeals(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("APPEAL")};
}

struct key
key_address_block(struct str range)
{
	return (struct key){STR("ADDRESSBLOCK"), range};
}

struct query
query_address_blocks(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("ADDRESSBLOCK")};
}

static struct str
of_purge(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("PURGE#"), username);
}

struct key
key_purge(struct arena *arena, struct str username)
{
	return (struct key){of_purge(arena, username), STR("METADATA")};
}

struct key
key_purged(struct arena *arena, struct str username, struct key was)
{
	return (struct key){of_purge(arena, username),
	    STR_CONCAT(arena, STR("ITEM#"), was.pk, STR("#"), was.sk)};
}

void
key_index_purge(struct arena *arena, struct item *item, struct str username, int64_t next)
{
	set_index(arena, item, TABLE_GSI3, STR("PURGE"),
	    STR_CONCAT(arena, time_format(arena, next), STR("#"), username));
}

struct query
query_purged(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_purge(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("ITEM#"),
	    .consistent = true};
}

struct query
query_purges_due(struct arena *arena, int64_t now)
{
	return (struct query){.index = TABLE_GSI3,
	    .partition = STR("PURGE"),
	    .op = SORT_LT,
	    .low = time_format(arena, now + 1)};
}

struct query
query_trace(struct arena *arena, struct str username, enum trace part)
{
	static const char *const prefixes[TRACES] = {"POST#", "CLOSED#", "DRAFT#", "COMMENT#",
	    "HELD#", "RATING#", "COLLECTION#", "LIKE#", "VOTE#", "FLAG#", "SESSION#", "MEDIA#"};

	return (struct query){.index = TABLE_GSI1,
	    .partition = STR_CONCAT(arena, STR("USER#"), username),
	    .op = SORT_BEGINS,
	    .low = str_of(prefixes[part])};
}

struct key
key_units(struct arena *arena, struct str period, struct str route)
{
	return (struct key){STR_CONCAT(arena, STR("UNITS#"), period), route};
}

struct query
query_units(struct arena *arena, struct str period)
{
	return (struct query){
	    .index = TABLE_PRIMARY, .partition = key_units(arena, period, STR("")).pk};
}
