/* Limits: a request at a limit is accepted, one beyond it is refused and changes nothing. */
#include "suite.h"

static struct item
item_at(struct suite *s, struct str pk, struct str sk)
{
	struct item item = {0};

	item_set(s->arena, &item, STR("PK"), value_string(pk));
	item_set(s->arena, &item, STR("SK"), value_string(sk));
	return item;
}

static void
keys(struct suite *s)
{
	struct str a = STR("a");
	const struct {
		struct str pk, sk;
		enum table_rc rc;
		const char *sentence;
	} table[] = {
	    {many(s, 'p', TABLE_PK_MAX), a, TABLE_OK, "a partition key of 2,048 bytes"},
	    {many(s, 'p', TABLE_PK_MAX + 1), a, TABLE_INVALID, "one of 2,049"},
	    {a, many(s, 's', TABLE_SK_MAX), TABLE_OK, "a sort key of 1,024 bytes"},
	    {a, many(s, 's', TABLE_SK_MAX + 1), TABLE_INVALID, "one of 1,025"},
	    {STR(""), a, TABLE_INVALID, "an empty partition key"},
	    {a, STR(""), TABLE_INVALID, "an empty sort key"},
	    {STR("\0"), STR("\0\0"), TABLE_OK, "keys of NUL alone"},
	    {STR("\xc3\xa9"), STR("\xf4\x8f\xbf\xbf"), TABLE_OK, "keys outside of ASCII"},
	    {STR("\xff"), a, TABLE_INVALID, "a partition key that is not UTF-8"},
	    {a, STR("\xed\xa0\x80"), TABLE_INVALID, "a sort key with a surrogate"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct item item = item_at(s, table[i].pk, table[i].sk), *found = NULL;
		struct key key = {table[i].pk, table[i].sk};
		struct change change = change_of(s, CHANGE_ADD, "N", "1");
		struct write update = {
		    .kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1};
		struct write delete = {.kind = WRITE_DELETE, .key = key};

		is_rc(try_put(s, item), table[i].rc, "put: %s", table[i].sentence);
		is_rc(do_write(s, &update), table[i].rc, "update: %s", table[i].sentence);
		is_rc(table_get(s->table, &s->call, key, &found), table[i].rc, "get: %s",
		    table[i].sentence);
		check((found != NULL) == (table[i].rc == TABLE_OK), "it is there or not");
		is_rc(do_write(s, &delete), table[i].rc, "delete: %s", table[i].sentence);
	}
}

static void
key_attributes(struct suite *s)
{
	static const char *const bad[] = {"{PK: 'a'}", "{SK: 'a'}", "{}", "{PK: 1, SK: 'a'}",
	    "{PK: 'a', SK: binary 'a'}", "{PK: 'a', SK: null}"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_rc(try_put(s, unspell_item(s->arena, bad[i])), TABLE_INVALID, "%s is no item",
		    bad[i]);
}

static void
values(struct suite *s)
{
	static const char *const bad[] = {"{PK: 'a', SK: 'b', X: set()}",
	    "{PK: 'a', SK: 'b', X: '\\xc0\\x80'}", "{PK: 'a', SK: 'b', X: [{Y: set()}]}",
	    "{PK: 'a', SK: 'b', X: [{Y: '\\xfe'}]}", "{PK: 'a', SK: 'b', '': 1}",
	    "{PK: 'a', SK: 'b', '\\xff': 1}", "{PK: 'a', SK: 'b', X: set('\\xff')}"};
	struct str members[] = {STR("b"), STR("a"), STR("b"), STR("")};
	struct item item = item_at(s, STR("a"), STR("b"));

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_rc(try_put(s, unspell_item(s->arena, bad[i])), TABLE_INVALID, "%s is refused",
		    bad[i]);
	is_text(saw(s, "a", "b"), "nothing", "and none of them is there");
	item_set(s->arena, &item, STR("Set"), value_set(s->arena, members, 4));
	is_rc(try_put(s, item), TABLE_OK, "a set in disorder and with a repeat");
	is_text(saw(s, "a", "b"), "{PK: 'a', SK: 'b', Set: set('', 'a', 'b')}",
	    "is sorted and without repeats");
}

static void
sizes(struct suite *s)
{
	struct item item = item_at(s, STR("big"), STR("1"));
	struct change grow = change_of(s, CHANGE_SET, "Z", "'z'");
	struct change shrink = change_of(s, CHANGE_REMOVE, "Text", NULL);
	size_t rest;

	item_set(s->arena, &item, STR("Text"), value_string(STR("")));
	rest = ITEM_SIZE_MAX - item_size(&item);
	item_set(s->arena, &item, STR("Text"), value_string(many(s, 't', rest + 1)));
	is_rc(try_put(s, item), TABLE_INVALID, "an item of 400 KB and a byte is refused");
	is_text(saw(s, "big", "1"), "nothing", "and not there");
	item_set(s->arena, &item, STR("Text"), value_string(many(s, 't', rest)));
	is_number(item_size(&item), ITEM_SIZE_MAX, "an item of 400 KB");
	is_rc(try_put(s, item), TABLE_OK, "is taken");
	is_text(saw(s, "big", "1"), text_of(s, &item), "and comes back whole");
	is_rc(try_update(s, "big", "1", CHANGES(grow)), TABLE_INVALID,
	    "an update can't make it larger");
	is_text(saw(s, "big", "1"), text_of(s, &item), "and leaves it as it was");
	is_rc(try_update(s, "big", "1", CHANGES(grow, shrink)), TABLE_OK,
	    "what one change adds another may take away");
	is_text(saw(s, "big", "1"), "{PK: 'big', SK: '1', Z: 'z'}", "and so it is");
}

/* `depth` lists or maps in each other, in turn. */
static struct value
nested(struct suite *s, int depth)
{
	struct value value = value_number(1);

	for (int i = 0; i < depth; i++) {
		struct value *inner = arena_copy(s->arena, &value, sizeof(value));
		struct item map = {0};

		if (i % 2 == 0) {
			value = (struct value){.kind = VALUE_LIST, .list = {inner, 1}};
			continue;
		}
		item_set(s->arena, &map, STR("M"), *inner);
		value = value_map(map);
	}
	return value;
}

/*
 * The largest batch, with what is longest in transfer: control characters, six bytes each in JSON.
 */
static void
large_batch(struct suite *s)
{
	enum { ITEMS = 40, BYTES = 400 * 1000 };
	struct key keys[ITEMS];
	struct read read = {.kind = READ_BATCH, .batch = {keys, ITEMS}};
	struct value text = value_string(many(s, '\1', BYTES));
	unsigned whole = 0;

	for (int i = 0; i < ITEMS; i++) {
		struct item item = item_at(s, STR("large"), str_fmt(s->arena, "%02d", i));

		item_set(s->arena, &item, STR("Text"), text);
		keys[i] = item_key(&item);
		is_rc(try_put(s, item), TABLE_OK, "a large item");
	}
	is_rc(table_read(s->table, &s->call, &read, 1), TABLE_OK, "16 MB are read at once");
	for (int i = 0; i < ITEMS && read.items != NULL; i++)
		whole += read.items[i] != NULL &&
			 str_eq(item_string(read.items[i], STR("Text")), text.string);
	is_number(whole, ITEMS, "and all of it");
}

static void
depths(struct suite *s)
{
	struct item item = item_at(s, STR("deep"), STR("1"));
	struct change change = {.op = CHANGE_SET, .name = STR("Deep")};

	item_set(s->arena, &item, STR("Deep"), nested(s, ITEM_DEPTH_MAX + 1));
	is_rc(try_put(s, item), TABLE_INVALID, "32 lists and maps in each other are refused");
	change.value = nested(s, ITEM_DEPTH_MAX + 1);
	is_rc(try_update(s, "deep", "1", CHANGES(change)), TABLE_INVALID, "by an update too");
	is_text(saw(s, "deep", "1"), "nothing", "nothing is there");
	item_set(s->arena, &item, STR("Deep"), nested(s, ITEM_DEPTH_MAX));
	is_rc(try_put(s, item), TABLE_OK, "31 are taken");
	is_text(saw(s, "deep", "1"), text_of(s, &item), "and come back");
	change.value = nested(s, ITEM_DEPTH_MAX);
	change.name = STR("More");
	is_rc(try_update(s, "deep", "1", CHANGES(change)), TABLE_OK, "by an update too");
}

static void
queries(struct suite *s)
{
	const struct {
		struct query query;
		enum table_rc rc;
		const char *sentence;
	} table[] = {
	    {{.partition = STR("q"), .limit = 1}, TABLE_OK, "a limit of 1"},
	    {{.partition = STR("q"), .limit = TABLE_QUERY_MAX}, TABLE_OK, "a limit of 1,000"},
	    {{.partition = STR("q")}, TABLE_INVALID, "a limit of 0"},
	    {{.partition = STR("q"), .limit = TABLE_QUERY_MAX + 1}, TABLE_INVALID, "1,001"},
	    {{.partition = STR(""), .limit = 1}, TABLE_INVALID, "an empty partition"},
	    {{.partition = many(s, 'q', TABLE_PK_MAX + 1), .limit = 1}, TABLE_INVALID,
		"a partition of 2,049 bytes"},
	    {{.partition = STR("q"),
		 .limit = 1,
		 .op = SORT_BETWEEN,
		 .low = STR("b"),
		 .high = STR("a")},
		TABLE_INVALID, "between b and a"},
	    {{.partition = STR("q"),
		 .limit = 1,
		 .op = SORT_BETWEEN,
		 .low = STR("b"),
		 .high = STR("b")},
		TABLE_OK, "between b and b"},
	    {{.partition = STR("q"), .limit = 1, .op = SORT_BEGINS}, TABLE_OK, "an empty prefix"},
	    {{.partition = STR("q"), .limit = 1, .index = TABLE_GSI1, .consistent = true},
		TABLE_INVALID, "consistent on an index"},
	    {{.partition = STR("q"), .limit = 1, .consistent = true}, TABLE_OK,
		"consistent on the table"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct item *found;
		struct str next;
		size_t count;

		is_rc(table_query(s->table, &s->call, &table[i].query, &found, &count, &next),
		    table[i].rc, "a query: %s", table[i].sentence);
	}
}

void
conform_limits(struct suite *s)
{
	keys(s);
	key_attributes(s);
	values(s);
	sizes(s);
	large_batch(s);
	depths(s);
	queries(s);
}
