/* Transactions: all or none, and why none; their limits; tokens. */
#include "suite.h"

static void
all(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct write writes[] = {
	    put_of(s, "{PK: 't', SK: 'put'}", condition_of(s, COND_MISSING, "PK", NULL)),
	    update_of("t", "update", &n, 1),
	    delete_of("t", "delete", NULL),
	    check_of("t", "check", condition_of(s, COND_EQ, "N", "7")),
	};
	struct table_cost before = s->call.cost;

	put(s, "{PK: 't', SK: 'delete'}");
	put(s, "{PK: 't', SK: 'check', N: 7}");
	before = s->call.cost;
	is_rc(transact(s, writes, 4, ""), TABLE_OK, "a put, an update, a delete and a check");
	is_number(s->call.cost.round_trips - before.round_trips, 1, "are one round trip");
	is_text(saw(s, "t", "put"), "{PK: 't', SK: 'put'}", "the put is there");
	is_text(saw(s, "t", "update"), "{N: 1, PK: 't', SK: 'update'}", "the update is made");
	is_text(saw(s, "t", "delete"), "nothing", "the deleted is gone");
	is_text(saw(s, "t", "check"), "{N: 7, PK: 't', SK: 'check'}", "the checked is as it was");
	for (size_t i = 0; i < 4; i++)
		is_rc(writes[i].rc, TABLE_OK, "action %zu is OK", i);
}

/* Where a transaction costs no more, they are one: so of those with a false condition among them, any may have been made. */
static void
each(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct write writes[] = {
	    put_of(s, "{PK: 'e', SK: 'put'}", condition_of(s, COND_MISSING, "PK", NULL)),
	    update_of("e", "update", &n, 1),
	    delete_of("e", "delete", NULL),
	};
	enum table_rc rc;

	put(s, "{PK: 'e', SK: 'delete'}");
	is_rc(table_write_each(s->table, &s->call, writes, 3), TABLE_OK, "writes that need not be made together");
	is_text(saw(s, "e", "put"), "{PK: 'e', SK: 'put'}", "the put is there");
	is_text(saw(s, "e", "update"), "{N: 1, PK: 'e', SK: 'update'}", "the update is made");
	is_text(saw(s, "e", "delete"), "nothing", "the deleted is gone");
	rc = table_write_each(s->table, &s->call, writes, 1);
	check(rc == TABLE_CONDITION || rc == TABLE_CANCELLED, "a false condition is told");
}

/* Without conditions, more than an engine sends at once; the second time over what is there. */
static void
each_of_many(struct suite *s)
{
	enum { MANY = 60 };
	struct write writes[MANY];
	int64_t found = 0;

	for (int time = 0; time < 2; time++) {
		for (int i = 0; i < MANY; i++)
			writes[i] = i % 20 == 7 ? delete_of("m", str_fmt(s->arena, "%d", i).base, NULL)
						: put_of(s, str_fmt(s->arena, "{PK: 'm', SK: '%d', N: %d}", i, i + time).base, NULL);
		is_rc(table_write_each(s->table, &s->call, writes, MANY), TABLE_OK, "many writes without conditions");
	}
	for (int i = 0; i < MANY; i++)
		found += str_eq(str_of(saw(s, "m", str_fmt(s->arena, "%d", i).base)),
		    i % 20 == 7 ? STR("nothing") : str_fmt(s->arena, "{N: %d, PK: 'm', SK: '%d'}", i + 1, i));
	is_number(found, MANY, "... are all made");
}

static void
none(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct change bad = change_of(s, CHANGE_ADD, "S", "1");
	struct write writes[] = {
	    put_of(s, "{PK: 'n', SK: '1', New: true}", NULL),
	    put_of(s, "{PK: 'n', SK: '2'}", condition_of(s, COND_MISSING, "PK", NULL)),
	    update_of("n", "3", &n, 1),
	    check_of("n", "4", condition_of(s, COND_EXISTS, "PK", NULL)),
	    delete_of("n", "5", NULL),
	    update_of("n", "6", &bad, 1),
	};
	const enum table_rc reasons[] = {
	    TABLE_OK, TABLE_CONDITION, TABLE_OK, TABLE_CONDITION, TABLE_OK, TABLE_INVALID};
	struct query query = {.partition = STR("n"), .limit = 100};

	put(s, "{PK: 'n', SK: '2', N: 1}");
	put(s, "{PK: 'n', SK: '5'}");
	put(s, "{PK: 'n', SK: '6', S: 's'}");
	is_rc(transact(s, writes, 5, ""), TABLE_CANCELLED, "where two conditions fail");
	for (size_t i = 0; i < 5; i++)
		is_rc(writes[i].rc, reasons[i], "action %zu says so", i);
	is_text(
	    text_of(s, writes[1].failed), "{N: 1, PK: 'n', SK: '2'}", "the failed item is shown");
	check(writes[3].failed == NULL && writes[0].failed == NULL, "or NULL where there is none");
	is_text(pages_of(s, query), "2 5 6", "nothing is made");
	is_rc(transact(s, &writes[4], 2, ""), TABLE_CANCELLED, "where an update does not fit");
	is_rc(writes[4].rc, TABLE_OK, "the other action is not to blame");
	is_rc(writes[5].rc, TABLE_INVALID, "that one is");
	is_text(pages_of(s, query), "2 5 6", "and nothing is made");
}

static void
refused(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct change key = change_of(s, CHANGE_SET, "PK", "'x'");
	const struct condition *there = condition_of(s, COND_EXISTS, "PK", NULL);
	struct write put_1 = put_of(s, "{PK: 'r', SK: '1'}", NULL);
	const struct {
		struct write first, second;
		const char *sentence;
	} table[] = {
	    {put_1, put_1, "two puts of one item"},
	    {put_1, delete_of("r", "1", NULL), "a put and a delete of one item"},
	    {put_1, update_of("r", "1", &n, 1), "a put and an update of one item"},
	    {put_1, check_of("r", "1", there), "a put and a check of one item"},
	    {put_1, put_of(s, "{PK: 'r'}", NULL), "a put without a sort key"},
	    {put_1, put_of(s, "{PK: 'r', SK: '2', X: set()}", NULL), "an empty set"},
	    {put_1, update_of("r", "2", &key, 1), "an update of a key"},
	    {put_1, delete_of("r", "", NULL), "an empty sort key"},
	    {put_1, check_of("r", "2", NULL), "a check of nothing"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct write writes[] = {table[i].first, table[i].second};

		is_rc(transact(s, writes, 2, ""), TABLE_INVALID, "%s", table[i].sentence);
	}
	put_1.returns = RETURN_OLD;
	is_rc(transact(s, &put_1, 1, ""), TABLE_INVALID, "an old item can't be returned");
	is_rc(transact(s, &put_1, 0, ""), TABLE_INVALID, "a transaction of nothing");
	is_text(saw(s, "r", "1"), "nothing", "nothing of it is made");
}

static void
sizes(struct suite *s)
{
	struct write writes[TABLE_BATCH_MAX + 1];
	struct query query = {.partition = STR("100"), .limit = 1000};
	struct str text = many(s, 'x', 390 * 1024);
	struct read read = {.kind = READ_QUERY};

	for (size_t i = 0; i <= TABLE_BATCH_MAX; i++) {
		writes[i] = put_of(s, "{PK: '100'}", NULL);
		item_set(s->arena, &writes[i].item, STR("SK"),
		    value_string(str_fmt(s->arena, "%03zu", i)));
	}
	is_rc(transact(s, writes, 101, ""), TABLE_INVALID, "101 actions are refused");
	is_rc(transact(s, writes, 100, ""), TABLE_OK, "100 are taken");
	read.query = query;
	table_read(s->table, &s->call, &read, 1);
	is_number(read.found_count, 100, "and made");
	for (size_t i = 0; i < 11; i++)
		item_set(s->arena, &writes[i].item, STR("Text"), value_string(text));
	is_rc(transact(s, writes, 11, ""), TABLE_INVALID, "4.2 MB in one transaction are refused");
	is_rc(transact(s, writes, 10, ""), TABLE_OK, "3.8 MB are taken");
	for (size_t i = 0; i < 11; i++) {
		struct change *change = arena_copy(s->arena,
		    &(struct change){CHANGE_SET, STR("Text"), value_string(text)}, sizeof(*change));

		writes[i] = (struct write){.kind = WRITE_UPDATE,
		    .key = {STR("100"), str_fmt(s->arena, "%03zu", i)},
		    .changes = change,
		    .change_count = 1};
	}
	is_rc(transact(s, writes, 11, ""), TABLE_INVALID, "4.2 MB in updates are refused too");
}

void
conform_transactions(struct suite *s)
{
	all(s);
	each(s);
	each_of_many(s);
	none(s);
	refused(s);
	sizes(s);
}

static const char *
counter(struct suite *s)
{
	return saw(s, "k", "counter");
}

void
conform_tokens(struct suite *s)
{
	struct change one = change_of(s, CHANGE_ADD, "N", "1");
	struct change two = change_of(s, CHANGE_ADD, "N", "2");
	const struct condition *free_ = condition_of(s, COND_MISSING, "PK", NULL);
	struct write first[] = {
	    update_of("k", "counter", &one, 1), put_of(s, "{PK: 'k', SK: 'item'}", free_)};
	struct write other[] = {update_of("k", "counter", &two, 1), first[1]};
	struct write later = update_of("k", "counter", &one, 1);
	struct write gone = delete_of("k", "item", NULL);

	is_rc(transact(s, first, 2, "token"), TABLE_OK, "a transaction with a token");
	is_rc(transact(s, first, 2, "token"), TABLE_OK, "the same again is OK");
	is_text(counter(s), "{N: 1, PK: 'k', SK: 'counter'}", "and made once, condition or not");
	is_rc(first[1].rc, TABLE_OK, "each of its actions is OK");
	is_rc(transact(s, other, 2, "token"), TABLE_TOKEN_USED, "another transaction is refused");
	is_rc(transact(s, first, 1, "token"), TABLE_TOKEN_USED, "a shorter one too");
	is_rc(transact(s, first, 2, "token 2"), TABLE_CANCELLED, "another token is another time");
	is_rc(transact(s, first, 2, ""), TABLE_CANCELLED, "and so is none");
	is_text(counter(s), "{N: 1, PK: 'k', SK: 'counter'}", "nothing of that was made");
	is_rc(do_write(s, &gone), TABLE_OK, "what cancelled it goes");
	is_rc(transact(s, first, 2, "token 2"), TABLE_OK, "then it is made with the same token");
	is_rc(transact(s, first, 2, "token 2"), TABLE_OK, "and only once");
	is_rc(transact(s, &later, 1, "123456789012345678901234567890123456"), TABLE_OK,
	    "a token of 36 bytes");
	is_rc(transact(s, &later, 1, "1234567890123456789012345678901234567"), TABLE_INVALID,
	    "one of 37 is refused");
	is_text(counter(s), "{N: 3, PK: 'k', SK: 'counter'}", "the counter counts");
	is_rc(transact(s, &later, 1, "token 3"), TABLE_OK, "one with a third token");
	if (!s->harness->forgets_by_clock)
		return;
	pass(s, (TABLE_TOKEN_SECONDS - 1) * SUITE_SECOND);
	is_rc(transact(s, &later, 1, "token 3"), TABLE_OK, "again after nearly ten minutes");
	is_text(counter(s), "{N: 4, PK: 'k', SK: 'counter'}", "is still known");
	pass(s, 2 * SUITE_SECOND);
	is_rc(transact(s, &later, 1, "token 3"), TABLE_OK, "again after ten minutes");
	is_text(counter(s), "{N: 5, PK: 'k', SK: 'counter'}", "is made anew");
	is_rc(transact(s, other, 1, "token"), TABLE_OK, "the first token is free for another");
	is_text(counter(s), "{N: 7, PK: 'k', SK: 'counter'}", "which is made");
}
