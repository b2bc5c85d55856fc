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
