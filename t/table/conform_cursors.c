/* A cursor belongs to its query, and survives what is written meanwhile. */
#include "suite.h"

static enum table_rc
page(struct suite *s, struct query query, struct read *read)
{
	*read = (struct read){.kind = READ_QUERY, .query = query};
	return table_read(s->table, &s->call, read, 1);
}

static const char *
first_of(struct suite *s, struct read *read)
{
	return read->found_count == 0 ? "" : str_cstring(s->arena, item_key(&read->found[0]).sk);
}

static void
belongs(struct suite *s)
{
	struct query query = {.partition = STR("c"), .limit = 2}, other;
	struct str cursor;
	struct read read;
	char *damaged;

	for (char c = '1'; c <= '6'; c++) {
		struct str n = {&c, 1};
		struct item item = unspell_item(s->arena, "{PK: 'c', GSI1PK: 'c', GSI2PK: 'c'}");

		item_set(s->arena, &item, STR("SK"), value_string(n));
		item_set(s->arena, &item, STR("GSI1SK"), value_string(n));
		item_set(s->arena, &item, STR("GSI2SK"), value_string(n));
		is_rc(try_put(s, item), TABLE_OK, "put");
	}
	is_rc(page(s, query, &read), TABLE_OK, "a first page");
	query.cursor = cursor = read.next;
	check(cursor.len != 0, "has a next one");
	is_rc(page(s, query, &read), TABLE_OK, "which its cursor finds");
	is_text(first_of(s, &read), "3", "behind the first");
	other = query;
	other.limit = 3;
	is_rc(page(s, other, &read), TABLE_OK, "the next page may be longer");
	is_text(first_of(s, &read), "3", "and begins at the same place");
	other = query;
	other.partition = STR("d");
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not in another partition");
	other = query;
	other.descending = true;
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not in the other direction");
	other = query;
	other.index = TABLE_GSI1;
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not in an index");
	is_rc(
	    page(s, (struct query){.partition = STR("c"), .limit = 2, .index = TABLE_GSI1}, &read),
	    TABLE_OK, "a first page of an index");
	other.cursor = read.next;
	is_rc(page(s, other, &read), TABLE_OK, "has a next one");
	other.index = TABLE_GSI2;
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "but not in another index");
	other.index = TABLE_PRIMARY;
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "nor in the table");
	for (size_t len = 1; len < cursor.len; len += 1 + cursor.len / 16) {
		other = query;
		other.cursor = str_sub(cursor, 0, len);
		is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not when cut to %zu bytes", len);
	}
	other = query;
	other.cursor = STR_CONCAT(s->arena, cursor, STR("x"));
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not with a byte behind");
	damaged = str_cstring(s->arena, cursor);
	damaged[0] ^= 0x55;
	other.cursor = (struct str){damaged, cursor.len};
	is_rc(page(s, other, &read), TABLE_BAD_CURSOR, "not with its first byte changed");
}

static void
garbage(struct suite *s)
{
	struct str texts[] = {STR("x"), STR("\0"), STR("oldest"), STR("0"), STR("-1"),
	    STR("\xff\xff"), STR("%s%n"), STR("18446744073709551616:"), many(s, 'z', 10000)};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct query query = {.partition = STR("c"), .limit = 2, .cursor = texts[i]};
		struct read read;

		is_rc(page(s, query, &read), TABLE_BAD_CURSOR, "garbage %zu is no cursor", i);
		query.index = TABLE_GSI3;
		is_rc(page(s, query, &read), TABLE_BAD_CURSOR, "nor one of an index");
	}
}

/* A cursor names a place, not an item. */
static void
survives(struct suite *s)
{
	struct query query = {.partition = STR("c"), .limit = 2};
	struct write gone = delete_of("c", "2", NULL);
	struct read read;

	page(s, query, &read);
	query.cursor = read.next;
	is_rc(do_write(s, &gone), TABLE_OK, "the last item of a page goes");
	is_rc(page(s, query, &read), TABLE_OK, "its cursor stays");
	is_text(first_of(s, &read), "3", "and goes on where it was");
	put(s, "{PK: 'c', SK: '0'}");
	put(s, "{PK: 'c', SK: '25'}");
	is_rc(page(s, query, &read), TABLE_OK, "what comes before is not seen");
	is_text(first_of(s, &read), "25", "what comes behind is");
	gone = delete_of("c", "25", NULL);
	do_write(s, &gone);
	for (char c = '3'; c <= '6'; c++) {
		gone.key.sk = (struct str){&c, 1};
		do_write(s, &gone);
	}
	is_rc(page(s, query, &read), TABLE_OK, "when all the rest is gone");
	is_number(read.found_count, 0, "the page is empty");
	check(read.next.len == 0, "and the last");
}

void
conform_cursors(struct suite *s)
{
	belongs(s);
	garbage(s);
	survives(s);
}
