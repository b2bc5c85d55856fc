/* The keys of series: see key.h. */
#include "model/key_series.h"

#include "base/arena.h"

/* No id of a collection begins with a tilde, or sorts after one. */
static const struct str among = STR_INIT("COLLECTION#~");

static struct str
of_series(struct arena *arena, struct str collection)
{
	return STR_CONCAT(arena, STR("SERIES#"), collection);
}

static struct str
about(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("ABOUT#"), post);
}

struct key
key_series_part(struct arena *arena, struct str collection, struct str post)
{
	return (struct key){of_series(arena, collection), post};
}

struct query
query_series_parts(struct arena *arena, struct str collection)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = of_series(arena, collection)};
}

void
key_index_series_part(
    struct arena *arena, struct item *item, struct str collection, struct str post)
{
	item_set(arena, item, table_pk_name(TABLE_GSI2), value_string(about(arena, post)));
	item_set(arena, item, table_sk_name(TABLE_GSI2),
	    value_string(STR_CONCAT(arena, among, collection)));
}

struct query
query_series_with(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = about(arena, post),
	    .op = SORT_BEGINS,
	    .low = among};
}
