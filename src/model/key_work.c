/* The keys of the stream worker: see key.h. */
#include "model/key_work.h"

#include "base/arena.h"
#include "model/key.h"

struct key
key_work_state(void)
{
	return (struct key){STR("WORK"), STR("STATE")};
}

struct key
key_work_rebuild(void)
{
	return (struct key){STR("WORK"), STR("REBUILD")};
}

struct key
key_work_derived(struct arena *arena, struct str name)
{
	return (struct key){STR("WORK"), STR_CONCAT(arena, STR("DERIVED#"), name)};
}

struct key
key_work_parked(struct arena *arena, struct str name, struct str subject)
{
	return (struct key){STR("PARKED"), STR_CONCAT(arena, name, STR("#"), subject)};
}

struct key
key_copied(struct arena *arena, struct str subject)
{
	struct str both = STR_CONCAT(arena, STR("COPIED#"), subject);

	return (struct key){both, both};
}

struct key
key_due(struct arena *arena, struct str post)
{
	return (struct key){key_post(arena, post).pk, STR("DUE")};
}

void
key_index_due(struct arena *arena, struct item *item, struct str post, int64_t published)
{
	item_set(arena, item, table_pk_name(TABLE_GSI3), value_string(STR("DUE")));
	item_set(arena, item, table_sk_name(TABLE_GSI3),
	    value_string(STR_CONCAT(arena, time_format(arena, published), STR("#"), post)));
}

struct query
query_due(struct arena *arena, int64_t now)
{
	return (struct query){.index = TABLE_GSI3,
	    .partition = STR("DUE"),
	    .op = SORT_LT,
	    .low = STR_CONCAT(arena, time_format(arena, now), STR("$"))};
}

struct key
key_move(void)
{
	return (struct key){STR("MOVE"), STR("STATE")};
}

/* Each in a partition of its own. */
struct key
key_move_mark(struct arena *arena, unsigned number, struct str holder)
{
	return (struct key){str_fmt(arena, "MOVE#%u", number), STR_CONCAT(arena, STR("MARK#"), holder)};
}

bool
key_is_move_mark(struct key key, struct str holder, unsigned *number)
{
	int64_t n;

	if (!str_starts(key.pk, STR("MOVE#")) || !str_starts(key.sk, STR("MARK#")) ||
	    !str_eq(str_sub(key.sk, 5, key.sk.len), holder) ||
	    !str_int(str_sub(key.pk, 5, key.pk.len), &n) || n < 0 || n > UINT16_MAX)
		return false;
	*number = (unsigned)n;
	return true;
}

struct query
query_work(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("WORK")};
}

struct query
query_work_parked(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("PARKED")};
}

bool
key_is_work(struct key key)
{
	return str_eq(key.pk, STR("WORK")) || str_eq(key.pk, STR("PARKED")) ||
	       str_eq(key.pk, STR("MOVE")) || str_starts(key.pk, STR("MOVE#")) ||
	       str_eq(key.pk, key_lease(STR("")).pk);
}
