/* The stream of changes, and the walk. */
#include "suite.h"

/* attempts that suffice for an engine whose stream lags */
enum { PATIENCE = 100 };

/*
 * The changes after *position until there are `wanted` or no more come, one a line; *position
 * moves.
 */
static const char *
changes(struct suite *s, struct str *position, uint32_t limit, size_t wanted)
{
	static const char *const kinds[] = {
	    [CHANGE_INSERT] = "insert ", [CHANGE_MODIFY] = "modify ", [CHANGE_DELETED] = "delete "};
	struct buf out = {.arena = s->arena};
	size_t count = 0;

	for (int empty = 0; empty < PATIENCE && (count < wanted || empty == 0);) {
		struct change_page page;
		enum table_rc rc = table_changes(s->table, &s->call, *position, limit, &page);

		if (rc != TABLE_OK)
			return spell_rc(rc);
		if (page.count > limit || page.next.len == 0)
			return "a page that is too long or has no next position";
		for (size_t i = 0; i < page.count; i++) {
			struct change_record *record = &page.records[i];

			if (count++ != 0)
				BUF_PUT(&out, "; ");
			buf_put(&out, str_of(kinds[record->kind]));
			spell_key(&out, record->key);
			buf_put(&out, record->expired ? STR(" expired") : STR(""));
		}
		*position = page.next;
		empty += page.count == 0;
	}
	return str_cstring(s->arena, buf_str(&out));
}

#define A1 "{N: 1, PK: 'a', SK: '1'}"
#define A2 "{N: 2, PK: 'a', SK: '1'}"
#define STORY "insert 'a' / '1'; modify 'a' / '1'; delete 'a' / '1'"

static void
one_item(struct suite *s)
{
	struct change add = change_of(s, CHANGE_ADD, "N", "1");
	struct change zero = change_of(s, CHANGE_ADD, "N", "0");
	struct write gone = delete_of("a", "1", NULL);
	struct str position = STREAM_OLDEST, now, middle;

	is_text(changes(s, &position, 10, 0), "", "an empty table has no changes");
	is_rc(try_update(s, "a", "1", CHANGES(add)), TABLE_OK, "an item is made");
	middle = position;
	is_text(changes(s, &middle, 10, 1), "insert 'a' / '1'", "from there on it is seen");
	put(s, A1);
	is_rc(try_update(s, "a", "1", CHANGES(zero)), TABLE_OK, "what changes nothing");
	put(s, A2);
	do_write(s, &gone);
	is_rc(do_write(s, &gone), TABLE_OK, "a delete of nothing");
	is_text(changes(s, &middle, 10, 2), "modify 'a' / '1'; delete 'a' / '1'",
	    "is no change; the others are");
	is_text(changes(s, &position, 10, 3), STORY, "an earlier position sees all of them");
	position = STREAM_OLDEST;
	is_text(changes(s, &position, 1, 3), STORY, "and so does the oldest, one by one");
	is_text(changes(s, &position, 1, 0), "", "then no more comes");
	now = STREAM_NOW;
	is_text(changes(s, &now, 10, 0), "", "from now on there is nothing yet");
	put(s, A1);
	is_text(changes(s, &now, 10, 1), "insert 'a' / '1'", "until something is written");
	is_text(changes(s, &position, 10, 1), "insert 'a' / '1'",
	    "which every position at the end sees");
}

static void
refusals(struct suite *s)
{
	const struct condition *none = condition_of(s, COND_MISSING, "PK", NULL);
	struct write failing[] = {put_of(s, "{PK: 'a', SK: 'x'}", NULL), put_of(s, A2, none)};
	struct change bad = change_of(s, CHANGE_ADD, "SK1", "'1'");
	struct str position = STREAM_NOW;

	changes(s, &position, 10, 0);
	is_rc(do_write(s, &failing[1]), TABLE_CONDITION, "a write that fails");
	is_rc(try_update(s, "a", "1", CHANGES(bad)), TABLE_INVALID, "one that is refused");
	is_rc(transact(s, failing, 2, ""), TABLE_CANCELLED, "and a transaction that is cancelled");
	is_text(changes(s, &position, 10, 0), "", "leave nothing in the stream");
}

static void
transactions(struct suite *s)
{
	struct change add = change_of(s, CHANGE_ADD, "N", "1");
	struct write writes[] = {update_of("a", "1", &add, 1),
	    check_of("a", "2", condition_of(s, COND_MISSING, "PK", NULL)),
	    delete_of("a", "3", NULL)};
	struct str position = STREAM_NOW;

	changes(s, &position, 10, 0);
	is_rc(transact(s, writes, 3, "stream"), TABLE_OK, "a transaction");
	is_rc(transact(s, writes, 3, "stream"), TABLE_OK, "told twice");
	is_text(changes(s, &position, 10, 1), "modify 'a' / '1'",
	    "is in the stream once, with what it changed");
}

static void
records(struct suite *s)
{
	struct change_page page;
	struct str position = STREAM_NOW;

	table_changes(s->table, &s->call, position, 1, &page);
	put(s, "{PK: 'rec', SK: 'ord', ExpiresAt: 1}");
	is_rc(table_changes(s->table, &s->call, page.next, TABLE_CHANGES_MAX, &page), TABLE_OK,
	    "a page of 1,000 changes");
	if (is_number(page.count, 1, "has the one")) {
		if (s->harness->stamps_by_clock)
			is_number(page.records[0].time, SUITE_NOW, "with its time");
		check(!page.records[0].expired, "made by a writer, expired or not");
	}
	is_rc(table_changes(s->table, &s->call, page.next, TABLE_CHANGES_MAX + 1, &page),
	    TABLE_INVALID, "1,001 are refused");
	is_rc(table_changes(s->table, &s->call, STREAM_OLDEST, 0, &page), TABLE_INVALID,
	    "and so are none");
}

static void
positions(struct suite *s)
{
	struct str bad[] = {STR(""), STR("x"), STR("Oldest"), STR("now "), STR("-1"), STR("\0"),
	    STR("999999999"), STR("99999999999999999999999999"), STR("\xff"), many(s, '1', 5000)};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct change_page page;

		is_rc(table_changes(s->table, &s->call, bad[i], 10, &page), TABLE_BAD_CURSOR,
		    "position %zu is none of the stream", i);
	}
}

void
conform_stream(struct suite *s)
{
	one_item(s);
	refusals(s);
	transactions(s);
	records(s);
	positions(s);
}

/* --- The walk ----------------------------------------------------------------------------------- */

enum { WALKED = 57 };

/* Walks in steps and counts how often each of the items comes; true when it is once. */
static bool
walk(struct suite *s, uint32_t limit)
{
	unsigned seen[WALKED] = {0};
	struct str cursor = STR("");
	struct walk_page page;
	bool once = true;

	for (int steps = 0; steps == 0 || cursor.len != 0; steps++) {
		if (steps > 10 * WALKED ||
		    table_walk(s->table, &s->call, cursor, limit, &page) != TABLE_OK)
			return false;
		for (size_t i = 0; i < page.count; i++) {
			int64_t n = item_number(&page.items[i], STR("N"));

			if (n < 0 || n >= WALKED)
				return false;
			seen[n]++;
		}
		cursor = page.next;
	}
	for (int i = 0; i < WALKED; i++)
		once = once && seen[i] == 1;
	return once;
}

/* However many are asked for, a step brings no more than fits in memory. */
static void
large_items(struct suite *s)
{
	enum { LARGE = 9, BYTES = 390 * 1024 };
	char *text = arena_room(s->arena, BYTES);
	struct walk_page page = {.next = STR("")};
	size_t found = 0, most = 0;
	enum table_rc rc;

	memset(text, 'x', BYTES);
	for (int i = 0; i < LARGE; i++) {
		struct item item = unspell_item(s->arena, "{SK: 'large'}");

		item_set(s->arena, &item, STR("PK"), value_string(str_fmt(s->arena, "large%d", i)));
		item_set(s->arena, &item, STR("Text"), value_string((struct str){text, BYTES}));
		is_rc(try_put(s, item), TABLE_OK, "put");
	}
	do {
		size_t bytes = 0;

		rc = table_walk(s->table, &s->call, page.next, 100, &page);
		for (size_t i = 0; rc == TABLE_OK && i < page.count; i++) {
			bytes += item_size(&page.items[i]);
			found += str_eq(item_key(&page.items[i]).sk, STR("large"));
		}
		most = bytes > most ? bytes : most;
	} while (rc == TABLE_OK && page.next.len != 0);
	check(rc == TABLE_OK && found == LARGE, "a walk sees all large items");
	check(most >= BYTES && most < TABLE_WALK_BYTES + ITEM_SIZE_MAX,
	    "and in no step more than a megabyte, and what exceeds it");
}

void
conform_walk(struct suite *s)
{
	struct walk_page page;

	is_rc(
	    table_walk(s->table, &s->call, STR(""), 10, &page), TABLE_OK, "an empty table's walk");
	check(page.count == 0 && page.next.len == 0, "is over at once");
	for (int i = 0; i < WALKED; i++) {
		struct item item = unspell_item(s->arena, "{GSI1PK: 'w'}");

		item_set(s->arena, &item, STR("PK"),
		    value_string(str_fmt(s->arena, "%c%c", i % 3, 'a' + i % 7)));
		item_set(s->arena, &item, STR("SK"), value_string(str_fmt(s->arena, "%d", i)));
		item_set(s->arena, &item, STR("N"), value_number(i));
		item_set(s->arena, &item, STR("GSI1SK"), value_string(STR("same")));
		if (i % 5 == 0)
			item_set(s->arena, &item, TABLE_EXPIRES, value_number(i));
		is_rc(try_put(s, item), TABLE_OK, "put");
	}
	check(walk(s, 1), "a walk of single steps sees everything once, expired or not");
	check(walk(s, 10), "and so does one by ten");
	check(walk(s, WALKED), "one of just so many");
	check(walk(s, 1000), "and one of a thousand");
	is_rc(table_walk(s->table, &s->call, STR("\x01nonsense"), 10, &page), TABLE_BAD_CURSOR,
	    "garbage is no place to go on");
	large_items(s);
}
