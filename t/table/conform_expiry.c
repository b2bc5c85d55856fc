/* Expired items: absent for reads, present for writes, until the sweep. */
#include "suite.h"

#define NOW_SECONDS ((int64_t)(SUITE_NOW / 1000))

static void
put_expiring(struct suite *s, const char *sk, int64_t at)
{
	struct item item = unspell_item(s->arena, "{PK: 'e', GSI1PK: 'e'}");

	item_set(s->arena, &item, STR("SK"), value_string(str_of(sk)));
	item_set(s->arena, &item, STR("GSI1SK"), value_string(str_of(sk)));
	item_set(s->arena, &item, TABLE_EXPIRES, value_number(at));
	is_rc(try_put(s, item), TABLE_OK, "put what expires in %d s", (int)(at - NOW_SECONDS));
}

static void
readers(struct suite *s)
{
	struct query table = {.partition = STR("e"), .limit = 2};
	struct query index = {.index = TABLE_GSI1, .partition = STR("e"), .limit = 2};
	struct key keys[] = {key_of("e", "1"), key_of("e", "2"), key_of("e", "7")};
	struct read batch = {.kind = READ_BATCH, .batch = {keys, 3}};

	put_expiring(s, "1", NOW_SECONDS + 10);
	put_expiring(s, "2", NOW_SECONDS - 10);
	put_expiring(s, "3", NOW_SECONDS + 20);
	put_expiring(s, "4", NOW_SECONDS - 1);
	put_expiring(s, "5", NOW_SECONDS + 1000);
	put_expiring(s, "6", NOW_SECONDS);
	put(s, "{PK: 'e', SK: '7', ExpiresAt: '1', GSI1PK: 'e', GSI1SK: '7'}");
	put(s, "{PK: 'e', SK: '8', GSI1PK: 'e', GSI1SK: '8'}");
	is_text(saw(s, "e", "2"), "nothing", "an expired item is absent");
	is_text(saw(s, "e", "6"), "nothing", "from the very second on");
	check(strcmp(saw(s, "e", "1"), "nothing") != 0, "one that will expire is there");
	check(strcmp(saw(s, "e", "7"), "nothing") != 0, "a string is no time to expire at");
	if (is_rc(table_read(s->table, &s->call, &batch, 1), TABLE_OK, "a batch get"))
		check(batch.items[0] != NULL && batch.items[1] == NULL && batch.items[2] != NULL,
		    "does not see it either");
	is_text(pages_of(s, table), "1 3 | 5 7 | 8", "nor a query, whose pages stay exact");
	table.descending = true;
	is_text(pages_of(s, table), "8 7 | 5 3 | 1", "backwards too");
	is_text(pages_of(s, index), "1 3 | 5 7 | 8", "nor one of an index");
	if (!s->harness->expires_by_clock)
		return;
	pass(s, 15 * SUITE_SECOND);
	is_text(saw(s, "e", "1"), "nothing", "as time passes more is absent");
	is_text(pages_of(s, index), "3 5 | 7 8", "from queries too");
	table.limit = 4;
	is_text(pages_of(s, table), "8 7 5 3", "and what is behind the last page does not count");
	pass(s, -15 * SUITE_SECOND);
}

static void
writers(struct suite *s)
{
	struct write write =
	    put_of(s, "{PK: 'e', SK: '2'}", condition_of(s, COND_MISSING, "PK", NULL));
	struct condition past = *condition_of(s, COND_LT, "ExpiresAt", "0");
	struct change n = change_of(s, CHANGE_ADD, "N", "1");

	is_rc(do_write(s, &write), TABLE_CONDITION, "a condition sees an expired item");
	check(write.failed != NULL, "and shows it");
	past.value = value_number(NOW_SECONDS);
	write.condition = &past;
	write.returns = RETURN_OLD;
	is_rc(do_write(s, &write), TABLE_OK, "one that compares ExpiresAt lets it be replaced");
	check(write.returned != NULL, "and the old item is returned");
	is_text(saw(s, "e", "2"), "{PK: 'e', SK: '2'}", "the new one does not expire");
	is_rc(try_update(s, "e", "4", CHANGES(n)), TABLE_OK, "an update works on an expired item");
	is_text(saw(s, "e", "4"), "nothing", "which stays expired");
	n = change_of(s, CHANGE_REMOVE, "ExpiresAt", NULL);
	try_update(s, "e", "4", CHANGES(n));
	is_text(saw(s, "e", "4"), "{GSI1PK: 'e', GSI1SK: '4', N: 1, PK: 'e', SK: '4'}",
	    "until that is taken from it");
	write = delete_of("e", "6", condition_of(s, COND_EXISTS, "PK", NULL));
	write.returns = RETURN_OLD;
	is_rc(do_write(s, &write), TABLE_OK, "a delete sees an expired item too");
}

static size_t
walked(struct suite *s)
{
	struct str cursor = STR("");
	struct walk_page page;
	size_t count = 0;

	do {
		if (table_walk(s->table, &s->call, cursor, 100, &page) != TABLE_OK)
			return SIZE_MAX;
		count += page.count;
		cursor = page.next;
	} while (cursor.len != 0);
	return count;
}

static void
sweep(struct suite *s)
{
	struct query query = {.partition = STR("x"), .limit = 100};
	struct change_page page;
	size_t before, expired = 0;
	uint32_t removed = 99;

	put(s, "{PK: 'x', SK: '1', ExpiresAt: 1}");
	put(s, "{PK: 'x', SK: '2', ExpiresAt: 2}");
	put(s, "{PK: 'x', SK: '3', ExpiresAt: 3}");
	put(s, "{PK: 'x', SK: '4', ExpiresAt: 9999999999}");
	before = walked(s);
	is_text(pages_of(s, query), "4", "three of four are expired");
	if (!s->harness->sweeps)
		return;
	is_rc(table_changes(s->table, &s->call, STREAM_NOW, 1, &page), TABLE_OK, "from now on");
	is_rc(table_sweep(s->table, &s->call, 2, &removed), TABLE_OK, "a sweep of two");
	is_number(removed, 2, "removes two");
	is_number(walked(s), before - 2, "from the table");
	is_rc(table_sweep(s->table, &s->call, UINT32_MAX, &removed), TABLE_OK,
	    "a sweep of the rest, however much");
	is_number(removed, 1, "removes the third");
	is_number(walked(s), before - 3, "and leaves what is not expired");
	is_rc(table_sweep(s->table, &s->call, 100, &removed), TABLE_OK, "another sweep");
	is_number(removed, 0, "has nothing to do");
	is_text(pages_of(s, query), "4", "a reader saw none of it");
	table_changes(s->table, &s->call, page.next, 100, &page);
	for (size_t i = 0; i < page.count; i++)
		expired += page.records[i].kind == CHANGE_DELETED && page.records[i].expired;
	is_number(expired, 3, "the stream has three removals as expired");
	is_number(page.count, 3, "and no more");
}

void
conform_expiry(struct suite *s)
{
	readers(s);
	writers(s);
	sweep(s);
}
