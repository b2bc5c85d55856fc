/* The keys of letters: see key.h. */
#include "model/key_outbox.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

static const struct str outbox = STR_INIT("OUTBOX");

struct key
key_letter(struct arena *arena, struct str to, struct str what, struct str thing)
{
	return (struct key){STR_CONCAT(arena, STR("OUTBOX#"), to), STR_CONCAT(arena, what, STR("#"), thing)};
}

struct key
key_outbox(struct arena *arena, int64_t due, struct key letter)
{
	struct str to = str_sub(letter.pk, outbox.len + 1, letter.pk.len);

	return (struct key){
	    outbox, STR_CONCAT(arena, time_format(arena, due), STR("#"), to, STR("#"), letter.sk)};
}

struct query
query_outbox_due(struct arena *arena, int64_t now)
{
	struct query query = query_outbox();

	query.op = SORT_LT;
	query.low = time_format(arena, now + 1);
	return query;
}

struct query
query_outbox(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = outbox};
}

struct query
query_letters(struct arena *arena, struct str to, struct str what, struct str thing)
{
	struct key key = key_letter(arena, to, what, thing);

	return (struct query){
	    .index = TABLE_PRIMARY, .partition = key.pk, .op = SORT_BEGINS, .low = key.sk};
}

struct key
key_digest(struct arena *arena, struct str username)
{
	return (struct key){key_user(arena, username).pk, STR("DIGEST")};
}

void
key_index_digest(struct arena *arena, struct item *item, int64_t next, struct str username)
{
	item_set(arena, item, table_pk_name(TABLE_GSI3), value_string(STR("DIGEST")));
	item_set(arena, item, table_sk_name(TABLE_GSI3),
	    value_string(STR_CONCAT(arena, time_format(arena, next), STR("#"), username)));
}

struct query
query_digests_due(struct arena *arena, int64_t now)
{
	return (struct query){.index = TABLE_GSI3,
	    .partition = STR("DIGEST"),
	    .op = SORT_LT,
	    .low = time_format(arena, now + 1)};
}

struct key
key_sender_state(void)
{
	return (struct key){STR("WORK"), STR("MAIL")};
}
