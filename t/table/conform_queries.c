/* Queries: every operator, hostile keys, both directions, pages. */
#include "suite.h"

/* In their order by bytes: NUL, prefixes of each other, the highest code points. */
static const struct str sorts[] = {
    STR_INIT("\0"),
    STR_INIT("\0\0"),
    STR_INIT("\x01"),
    STR_INIT("A"),
    STR_INIT("a"),
    STR_INIT("a\0"),
    STR_INIT("a\0b"),
    STR_INIT("aa"),
    STR_INIT("ab"),
    STR_INIT("b"),
    STR_INIT("\x7f"),
    STR_INIT("\xc2\x80"),
    STR_INIT("\xc3\xa9"),
    STR_INIT("\xef\xbf\xbf"),
    STR_INIT("\xf0\x90\x80\x80"),
    STR_INIT("\xf4\x8f\xbf\xbf"),
    STR_INIT("\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf"),
};

enum { SORTS = sizeof(sorts) / sizeof(sorts[0]) };

static void
put_key(struct suite *s, struct str pk, struct str sk)
{
	struct item item = {0};

	item_set(s->arena, &item, STR("PK"), value_string(pk));
	item_set(s->arena, &item, STR("SK"), value_string(sk));
	is_rc(try_put(s, item), TABLE_OK, "put");
}

/* What the operator should find, worked out from the list of all sort keys. */
static const char *
expected(struct suite *s, const struct query *query)
{
	struct buf out = {.arena = s->arena};

	for (int i = 0; i < SORTS; i++) {
		struct str sort = sorts[query->descending ? SORTS - 1 - i : i];
		int low = str_cmp(sort, query->low), high = str_cmp(sort, query->high);
		const bool found[] = {[SORT_ANY] = true,
		    [SORT_EQ] = low == 0,
		    [SORT_LT] = low<0, [SORT_LE] = low <= 0, [SORT_GT] = low> 0,
		    [SORT_GE] = low >= 0,
		    [SORT_BETWEEN] = low >= 0 && high <= 0,
		    [SORT_BEGINS] = str_starts(sort, query->low)};

		if (!found[query->op])
			continue;
		if (out.len != 0)
			buf_putc(&out, ' ');
		spell_string(&out, sort);
	}
	return str_cstring(s->arena, buf_str(&out));
}

static const char *
found_by(struct suite *s, const struct query *query)
{
	struct buf out = {.arena = s->arena};
	struct item *found;
	struct str next;
	size_t count;
	enum table_rc rc = table_query(s->table, &s->call, query, &found, &count, &next);

	if (rc != TABLE_OK)
		return spell_rc(rc);
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_putc(&out, ' ');
		spell_string(&out, item_key(&found[i]).sk);
	}
	return next.len == 0 ? str_cstring(s->arena, buf_str(&out)) : "a query with a next page";
}

static void
operators(struct suite *s)
{
	struct str partition = STR("p\0q");

	for (int i = SORTS - 1; i >= 0; i--) {
		put_key(s, partition, sorts[i]);
		put_key(s, STR("p"), sorts[i]);
		put_key(s, STR("p\0"), sorts[i]);
		put_key(s, STR("p\0qq"), sorts[i]);
	}
	for (int op = SORT_ANY; op <= SORT_BEGINS; op++) {
		for (int i = 0; i < SORTS; i++) {
			struct query query = {.partition = partition,
			    .op = (enum sort_op)op,
			    .low = sorts[i],
			    .high = sorts[(i + SORTS) / 2],
			    .limit = 100,
			    .descending = i % 2 == 1};
			struct buf text = {.arena = s->arena};

			spell_query(&text, &query);
			is_text(found_by(s, &query), expected(s, &query), "%.*s",
			    STR_ARGS(buf_str(&text)));
		}
	}
}

/* Operands that are no key themselves. */
static void
operands(struct suite *s)
{
	struct query query = {.partition = STR("o"), .limit = 10};
	static const struct {
		enum sort_op op;
		const char *low, *high, *found;
	} table[] = {
	    {SORT_ANY, "", "", "a ab b"},
	    {SORT_BEGINS, "", "", "a ab b"},
	    {SORT_BEGINS, "a", "", "a ab"},
	    {SORT_BEGINS, "abc", "", ""},
	    {SORT_EQ, "aa", "", ""},
	    {SORT_LT, "aa", "", "a"},
	    {SORT_LE, "aa", "", "a"},
	    {SORT_GT, "aa", "", "ab b"},
	    {SORT_GE, "aa", "", "ab b"},
	    {SORT_BETWEEN, "aa", "az", "ab"},
	    {SORT_BETWEEN, "a", "b", "a ab b"},
	    {SORT_BETWEEN, "aa", "aa", ""},
	};

	put(s, "{PK: 'o', SK: 'b'}");
	put(s, "{PK: 'o', SK: 'a'}");
	put(s, "{PK: 'o', SK: 'ab'}");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		query.op = table[i].op;
		query.low = str_of(table[i].low);
		query.high = str_of(table[i].high);
		is_text(pages_of(s, query), table[i].found, "%s to %s by operator %d finds \"%s\"",
		    table[i].low, table[i].high, (int)table[i].op, table[i].found);
	}
	query = (struct query){.partition = STR("nobody"), .limit = 10};
	is_text(pages_of(s, query), "", "an empty partition has an empty page");
}

static void
items_whole(struct suite *s)
{
	struct query query = {
	    .partition = STR("w"), .op = SORT_EQ, .low = STR("1"), .limit = 1, .consistent = true};
	struct item *found;
	struct str next;
	size_t count;

	put(s, "{PK: 'w', SK: '1', L: [1, {M: null}], Set: set('x')}");
	if (is_rc(table_query(s->table, &s->call, &query, &found, &count, &next), TABLE_OK,
		"a query of one item") &&
	    is_number(count, 1, "finds it"))
		is_text(text_of(s, &found[0]),
		    "{L: [1, {M: null}], PK: 'w', SK: '1', Set: set('x')}", "as a whole");
	check(next.len == 0, "and has no next page");
}

static void
pages(struct suite *s)
{
	static const struct {
		uint32_t limit;
		bool descending;
		const char *pages;
	} table[] = {
	    {1, false, "1 | 2 | 3 | 4 | 5 | 6"},
	    {2, false, "1 2 | 3 4 | 5 6"},
	    {3, false, "1 2 3 | 4 5 6"},
	    {4, false, "1 2 3 4 | 5 6"},
	    {5, false, "1 2 3 4 5 | 6"},
	    {6, false, "1 2 3 4 5 6"},
	    {7, false, "1 2 3 4 5 6"},
	    {1, true, "6 | 5 | 4 | 3 | 2 | 1"},
	    {2, true, "6 5 | 4 3 | 2 1"},
	    {4, true, "6 5 4 3 | 2 1"},
	    {6, true, "6 5 4 3 2 1"},
	};

	for (char c = '1'; c <= '6'; c++) {
		put_key(s, STR("pages"), (struct str){&c, 1});
		put_key(s, STR("pages+"), (struct str){&c, 1});
		put_key(s, STR("page"), (struct str){&c, 1});
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct query query = {.partition = STR("pages"),
		    .limit = table[i].limit,
		    .descending = table[i].descending};

		is_text(pages_of(s, query), table[i].pages,
		    "pages of %u, %s: exact, and none empty", table[i].limit,
		    table[i].descending ? "backwards" : "forwards");
		query.op = SORT_BETWEEN;
		query.low = STR("2");
		query.high = STR("4");
		if (table[i].limit == 2)
			is_text(pages_of(s, query), table[i].descending ? "4 3 | 2" : "2 3 | 4",
			    "and so within bounds");
		query.op = SORT_GT;
		if (table[i].limit == 2)
			is_text(pages_of(s, query), table[i].descending ? "6 5 | 4 3" : "3 4 | 5 6",
			    "of either kind");
	}
}

/* Pages of hostile keys come whole, one by one. */
static void
hostile_pages(struct suite *s)
{
	struct query query = {.partition = STR("p\0q"), .limit = 1};
	struct buf wanted = {.arena = s->arena};

	for (int i = 0; i < SORTS; i++) {
		struct buf text = {.arena = s->arena};

		spell_string(&text, sorts[i]);
		if (i != 0)
			BUF_PUT(&wanted, " | ");
		buf_put(&wanted, str_sub(buf_str(&text), 1, text.len - 2));
	}
	is_text(pages_of(s, query), str_cstring(s->arena, buf_str(&wanted)),
	    "pages of one item each, through hostile keys");
}

/* An engine that answers by the megabyte has to ask again. */
static void
large_pages(struct suite *s)
{
	struct query query = {.partition = STR("large"), .limit = 8};
	struct str text = many(s, 'x', 390 * 1024);

	for (char c = 'a'; c <= 'i'; c++) {
		struct item item = {0};

		item_set(s->arena, &item, STR("PK"), value_string(STR("large")));
		item_set(s->arena, &item, STR("SK"), value_string(str_fmt(s->arena, "%c", c)));
		item_set(s->arena, &item, STR("Text"), value_string(text));
		is_rc(try_put(s, item), TABLE_OK, "put 390 KB");
	}
	is_text(pages_of(s, query), "a b c d e f g h | i", "a page of 3 MB is a page too");
}

void
conform_queries(struct suite *s)
{
	operators(s);
	operands(s);
	items_whole(s);
	pages(s);
	hostile_pages(s);
	large_pages(s);
}
