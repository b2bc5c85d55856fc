/* The four indexes: which items are in them, in which order, and what writes change. */
#include "suite.h"

static struct query
in(enum table_index index, const char *partition)
{
	return (struct query){.index = index, .partition = str_of(partition), .limit = 100};
}

static void
sparse(struct suite *s)
{
	put(s, "{PK: 's', SK: '1', GSI1PK: 'x'}");
	put(s, "{PK: 's', SK: '2', GSI1SK: 'x'}");
	put(s, "{PK: 's', SK: '3', GSI1PK: 'x', GSI1SK: 'b'}");
	put(s, "{PK: 's', SK: '4', GSI1PK: 'x', GSI1SK: 'a', GSI4PK: 'x', GSI4SK: 'z'}");
	put(s, "{PK: 's', SK: '5', GSI1PK: 'x', GSI2SK: 'b'}");
	is_text(pages_of(s, in(TABLE_GSI1, "x")), "4 3",
	    "an index has what has both its keys, by them");
	is_text(pages_of(s, in(TABLE_GSI2, "x")), "", "and nothing else");
	is_text(pages_of(s, in(TABLE_GSI4, "x")), "4", "an item may be in several");
	is_text(pages_of(s, in(TABLE_GSI1, "s")), "", "an index knows its own keys only");
}

/* An index holds items of all partitions, in the order of its sort keys' bytes. */
static void
order(struct suite *s)
{
	static const char *const items[] = {"{PK: 'o3', SK: '1', GSI3PK: 'o', GSI3SK: 'a'}",
	    "{PK: 'o2', SK: '2', GSI3PK: 'o', GSI3SK: 'a\\x00'}",
	    "{PK: 'o1', SK: '3', GSI3PK: 'o', GSI3SK: 'aa'}",
	    "{PK: 'o4', SK: '4', GSI3PK: 'o', GSI3SK: 'b'}",
	    "{PK: 'o4', SK: '5', GSI3PK: 'o', GSI3SK: '\\xef\\xbf\\xbf'}",
	    "{PK: 'o0', SK: '6', GSI3PK: 'o', GSI3SK: '\\xf0\\x9f\\x98\\x80'}",
	    "{PK: 'o9', SK: '7', GSI3PK: 'o\\x00', GSI3SK: 'b'}"};
	struct query query = in(TABLE_GSI3, "o");

	for (size_t i = sizeof(items) / sizeof(items[0]); i-- > 0;)
		put(s, items[i]);
	is_text(pages_of(s, query), "1 2 3 4 5 6", "an index sorts by bytes");
	query.limit = 2;
	is_text(pages_of(s, query), "1 2 | 3 4 | 5 6", "and comes in exact pages");
	query.descending = true;
	is_text(pages_of(s, query), "6 5 | 4 3 | 2 1", "backwards too");
	query.limit = 3;
	query.op = SORT_BEGINS;
	query.low = STR("a");
	is_text(pages_of(s, query), "3 2 1", "or those with a prefix");
	query.op = SORT_BETWEEN;
	query.low = STR("aa");
	query.high = STR("\xef\xbf\xbf");
	is_text(pages_of(s, query), "5 4 3", "or those between two");
	query.op = SORT_LT;
	is_text(pages_of(s, query), "2 1", "or those below one");
	query.op = SORT_GE;
	query.descending = false;
	is_text(pages_of(s, query), "3 4 5 | 6", "or those above");
	query.op = SORT_EQ;
	is_text(pages_of(s, query), "3", "or just one");
}

/* Items with equal sort keys have no order, but each comes once, whatever the page. */
static void
ties(struct suite *s)
{
	struct query query = in(TABLE_GSI2, "tie");

	for (int i = 0; i < 5; i++) {
		struct item item = unspell_item(s->arena, "{GSI2PK: 'tie', GSI2SK: 'same'}");
		struct str name = str_fmt(s->arena, "%d", i);

		item_set(
		    s->arena, &item, STR("PK"), value_string(STR_CONCAT(s->arena, STR("t"), name)));
		item_set(s->arena, &item, STR("SK"), value_string(name));
		is_rc(try_put(s, item), TABLE_OK, "put");
	}
	for (uint32_t limit = 1; limit <= 3; limit++) {
		unsigned seen = 0;
		const char *pages;

		query.limit = limit;
		pages = pages_of(s, query);
		for (const char *c = pages; *c != '\0'; c++)
			if (*c >= '0' && *c <= '4')
				seen += 1U << (4 * (*c - '0'));
		is_number(seen, 0x11111, "five equal sort keys by %u: %s", limit, pages);
	}
}

static void
membership(struct suite *s)
{
	struct change join[] = {
	    change_of(s, CHANGE_SET, "GSI1PK", "'m'"), change_of(s, CHANGE_SET, "GSI1SK", "'1'")};
	struct change move = change_of(s, CHANGE_SET, "GSI1PK", "'n'");
	struct change later = change_of(s, CHANGE_SET, "GSI1SK", "'9'");
	struct change leave = change_of(s, CHANGE_REMOVE, "GSI1SK", NULL);
	struct change touch = change_of(s, CHANGE_SET, "Text", "'new'");
	struct write gone = delete_of("i", "a", NULL);
	struct item *found;
	struct str next;
	size_t count;

	put(s, "{PK: 'i', SK: 'a'}");
	put(s, "{PK: 'i', SK: 'b', GSI1PK: 'm', GSI1SK: '5'}");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b", "at first one is in");
	is_rc(try_update(s, "i", "a", join, 2), TABLE_OK, "an update gives keys");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "a b", "and the item is in");
	is_rc(try_update(s, "i", "a", CHANGES(later)), TABLE_OK, "another changes the sort key");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b a", "and the item moves within");
	try_update(s, "i", "a", CHANGES(touch));
	{
		struct query query = in(TABLE_GSI1, "m");

		table_query(s->table, &s->call, &query, &found, &count, &next);
	}
	is_text(count == 2 ? text_of(s, &found[1]) : "?",
	    "{GSI1PK: 'm', GSI1SK: '9', PK: 'i', SK: 'a', Text: 'new'}",
	    "an index shows the whole item as it is now");
	is_rc(try_update(s, "i", "a", CHANGES(move)), TABLE_OK, "another changes the partition");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b", "and the item leaves the one");
	is_text(pages_of(s, in(TABLE_GSI1, "n")), "a", "and is in the other");
	is_rc(try_update(s, "i", "a", CHANGES(leave)), TABLE_OK, "a key is taken away");
	is_text(pages_of(s, in(TABLE_GSI1, "n")), "", "and the item is out");
	try_update(s, "i", "a", join, 2);
	put(s, "{PK: 'i', SK: 'a'}");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b", "a put without keys takes it out");
	put(s, "{PK: 'i', SK: 'a', GSI1PK: 'm', GSI1SK: '7'}");
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b a", "a put with keys puts it in");
	do_write(s, &gone);
	is_text(pages_of(s, in(TABLE_GSI1, "m")), "b", "a delete takes it out");
}

static void
bad_keys(struct suite *s)
{
	static const struct {
		enum change_op op;
		const char *name, *value;
	} changes[] = {{CHANGE_SET, "GSI1PK", "1"}, {CHANGE_SET, "GSI1SK", "''"},
	    {CHANGE_SET, "GSI4SK", "binary 'b'"}, {CHANGE_SET_IF_ABSENT, "GSI3PK", "null"},
	    {CHANGE_ADD, "GSI2SK", "1"}, {CHANGE_SET_ADD, "GSI3PK", "set('a')"}};
	static const char *const items[] = {"{PK: 'k', SK: '1', GSI1PK: 1, GSI1SK: 'a'}",
	    "{PK: 'k', SK: '1', GSI1PK: 'a', GSI1SK: 1}",
	    "{PK: 'k', SK: '1', GSI2PK: '', GSI2SK: 'a'}",
	    "{PK: 'k', SK: '1', GSI3PK: 'a', GSI3SK: ''}",
	    "{PK: 'k', SK: '1', GSI4PK: 'a', GSI4SK: null}",
	    "{PK: 'k', SK: '1', GSI4PK: ['a'], GSI4SK: 'a'}", "{PK: 'k', SK: '1', GSI1SK: 1}",
	    "{PK: 'k', SK: '1', GSI2PK: ''}"};
	struct item item = unspell_item(s->arena, "{PK: 'k', SK: '1', GSI1PK: 'a', GSI1SK: 'a'}");

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		is_rc(try_put(s, unspell_item(s->arena, items[i])), TABLE_INVALID, "%s is refused",
		    items[i]);
	is_text(saw(s, "k", "1"), "nothing", "and not there");
	put(s,
	    "{PK: 'k', SK: '1', GSI1PK: 'a', GSI1SK: 'a', GSI2PK: 'a', GSI3SK: 'a', GSI4PK: 'a'}");
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct change change =
		    change_of(s, changes[i].op, changes[i].name, changes[i].value);

		is_rc(try_update(s, "k", "1", CHANGES(change)), TABLE_INVALID,
		    "an update of %s to %s is refused", changes[i].name, changes[i].value);
	}
	item_set(s->arena, &item, STR("GSI1PK"), value_string(many(s, 'p', TABLE_PK_MAX + 1)));
	is_rc(
	    try_put(s, item), TABLE_INVALID, "an index's partition key of 2,049 bytes is refused");
	item_set(s->arena, &item, STR("GSI1PK"), value_string(many(s, 'p', TABLE_PK_MAX)));
	item_set(s->arena, &item, STR("GSI1SK"), value_string(many(s, 's', TABLE_SK_MAX + 1)));
	is_rc(try_put(s, item), TABLE_INVALID, "an index's sort key of 1,025 bytes is refused");
	item_set(s->arena, &item, STR("GSI1SK"), value_string(many(s, 's', TABLE_SK_MAX)));
	is_rc(try_put(s, item), TABLE_OK, "2,048 and 1,024 bytes are taken");
	{
		struct query query = {.index = TABLE_GSI1,
		    .partition = many(s, 'p', TABLE_PK_MAX),
		    .op = SORT_EQ,
		    .low = many(s, 's', TABLE_SK_MAX),
		    .limit = 1};

		is_text(pages_of(s, query), "1", "and found");
	}
}

void
conform_indexes(struct suite *s)
{
	sparse(s);
	order(s);
	ties(s);
	membership(s);
	bad_keys(s);
}
