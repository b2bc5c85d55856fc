#include "model/key_subscriber.h"

#include "base/arena.h"
#include "base/clock.h"

struct key
key_subscriber(struct arena *arena, struct str hash)
{
	return (struct key){STR_CONCAT(arena, STR("SUBSCRIBER#"), hash), STR("METADATA")};
}

struct key
key_subscriber_counts(void)
{
	return (struct key){STR("SUBSCRIBERS"), STR("COUNTS")};
}

static struct str
partition(struct arena *arena, struct str list)
{
	return STR_CONCAT(arena, STR("SUBSCRIBERS#"), list);
}

struct query
query_subscribers(struct arena *arena, struct str list)
{
	return (struct query){.index = TABLE_GSI3, .partition = partition(arena, list)};
}

bool
query_subscribers_between(
    struct arena *arena, struct str list, struct str after, int64_t until, struct query *out)
{
	*out = query_subscribers(arena, list);
	out->op = SORT_BETWEEN;
	/* No place begins with another one. */
	out->low = STR_CONCAT(arena, after, STR("!"));
	out->high = time_format(arena, until + 1);
	return str_cmp(out->low, out->high) <= 0;
}

struct str
key_subscriber_place(const struct item *item)
{
	return item_string(item, table_sk_name(TABLE_GSI3));
}

void
key_index_subscriber(
    struct arena *arena, struct item *item, struct str list, int64_t time, struct str hash)
{
	item_set(arena, item, table_pk_name(TABLE_GSI3), value_string(partition(arena, list)));
	item_set(arena, item, table_sk_name(TABLE_GSI3),
	    value_string(STR_CONCAT(arena, time_format(arena, time), STR("#"), hash)));
}

/* --- Mailings ------------------------------------------------------------------------------------------ */

struct key
key_mailing(struct arena *arena, struct str what, struct str thing)
{
	return (struct key){STR_CONCAT(arena, STR("MAILING#"), what), thing};
}

struct key
key_mailing_state(void)
{
	return (struct key){STR("MAILING"), STR("STATE")};
}

struct query
query_mailings(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("MAILED")};
}

void
key_index_mailing(struct arena *arena, struct item *item, int64_t made, struct str thing)
{
	item_set(arena, item, table_pk_name(TABLE_GSI3), value_string(STR("MAILED")));
	item_set(arena, item, table_sk_name(TABLE_GSI3),
	    value_string(STR_CONCAT(arena, time_format(arena, made), STR("#"), thing)));
}
