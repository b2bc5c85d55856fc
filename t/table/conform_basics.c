/* Gets, puts, deletes, batches; what a write returns; what calls cost; time running out. */
#include "suite.h"

#define RICH                                                                                       \
	"{Binary: binary 'a\\x00\\xff', Empty: '', False: false, Least: -9223372036854775808, "    \
	"List: [1, 'two', [], {Deep: {Deeper: null}}], Map: {}, Most: 9223372036854775807, "       \
	"Nothing: null, PK: 'rich', SK: 'a', String: 'na\\xc3\\xafve\\x00', Tags: set('x', 'y'), " \
	"True: true, Zero: 0}"

static void
puts_and_deletes(struct suite *s)
{
	struct write write = delete_of("a", "none", NULL);
	struct item *item = NULL;

	is_text(saw(s, "a", "1"), "nothing", "an empty table has no item");
	put(s, "{PK: 'a', SK: '1', N: 1, Old: true}");
	is_text(saw(s, "a", "1"), "{N: 1, Old: true, PK: 'a', SK: '1'}", "a put is read again");
	put(s, "{PK: 'a', SK: '1', N: 2}");
	is_text(saw(s, "a", "1"), "{N: 2, PK: 'a', SK: '1'}", "a put replaces the item as a whole");
	is_text(saw(s, "a", "2"), "nothing", "another sort key is another item");
	is_text(saw(s, "b", "1"), "nothing", "and so is another partition key");
	put(s, RICH);
	is_text(saw(s, "rich", "a"), RICH, "every kind of value comes back as it was");
	is_rc(do_write(s, &write), TABLE_OK, "what is not there can be deleted");
	write = delete_of("a", "1", NULL);
	is_rc(do_write(s, &write), TABLE_OK, "what is there too");
	is_text(saw(s, "a", "1"), "nothing", "and then it is gone");
	is_rc(table_get(s->table, &s->call, key_of("rich", "a"), &item), TABLE_OK, "table_get()");
	is_text(text_of(s, item), RICH, "gives the item");
	is_rc(table_get(s->table, &s->call, key_of("a", "1"), &item), TABLE_OK, "or nothing");
	check(item == NULL, "as NULL");
}

static void
batches(struct suite *s)
{
	struct key keys[TABLE_BATCH_MAX + 1];
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, 4}};

	put(s, "{PK: 'b', SK: '1'}");
	put(s, "{PK: 'b', SK: '3'}");
	put(s, "{PK: 'c', SK: '1'}");
	keys[0] = key_of("c", "1");
	keys[1] = key_of("b", "2");
	keys[2] = key_of("b", "3");
	keys[3] = key_of("b", "1");
	if (is_rc(table_read(s->table, &s->call, &read, 1), TABLE_OK, "a batch get")) {
		is_text(text_of(s, read.items[0]), "{PK: 'c', SK: '1'}",
		    "answers in the order of keys");
		check(read.items[1] == NULL, "with NULL where there is no item");
		is_text(text_of(s, read.items[2]), "{PK: 'b', SK: '3'}", "the third");
		is_text(text_of(s, read.items[3]), "{PK: 'b', SK: '1'}", "the fourth");
	}
	keys[3] = keys[0];
	is_rc(table_read(s->table, &s->call, &read, 1), TABLE_INVALID,
	    "a batch with a key twice is refused");
	for (size_t i = 0; i <= TABLE_BATCH_MAX; i++)
		keys[i] = (struct key){STR("b"), str_fmt(s->arena, "%zu", i)};
	read.batch.count = TABLE_BATCH_MAX;
	if (is_rc(table_read(s->table, &s->call, &read, 1), TABLE_OK, "a batch of 100 keys")) {
		check(read.items[1] != NULL && read.items[3] != NULL && read.items[0] == NULL &&
			  read.items[99] == NULL,
		    "finds what is there");
	}
	read.batch.count = TABLE_BATCH_MAX + 1;
	is_rc(table_read(s->table, &s->call, &read, 1), TABLE_INVALID, "one of 101 is refused");
	read.batch.count = 0;
	is_rc(table_read(s->table, &s->call, &read, 1), TABLE_INVALID, "and so is one of none");
}

static void
several_reads(struct suite *s)
{
	struct key key = key_of("b", "1");
	struct read reads[] = {
	    {.kind = READ_GET, .key = key_of("b", "3")},
	    {.kind = READ_QUERY, .query = {.partition = STR("b"), .limit = 10}},
	    {.kind = READ_BATCH, .batch = {&key, 1}},
	};
	struct table_cost before = s->call.cost;

	is_rc(table_read(s->table, &s->call, reads, 3), TABLE_OK, "three reads in one call");
	is_text(text_of(s, reads[0].item), "{PK: 'b', SK: '3'}", "the get's answer");
	is_number(reads[1].found_count, 2, "the query's answer");
	is_text(text_of(s, reads[2].items[0]), "{PK: 'b', SK: '1'}", "the batch get's answer");
	is_number(s->call.cost.requests - before.requests, 3, "that counts as three requests");
	is_number(s->call.cost.round_trips - before.round_trips, 1, "and one round trip");
	reads[1].query.limit = 0;
	is_rc(table_read(s->table, &s->call, reads, 3), TABLE_INVALID,
	    "one bad read among several fails them all");
}

static void
old_and_new(struct suite *s)
{
	struct change one = change_of(s, CHANGE_ADD, "N", "1");
	struct write write = put_of(s, "{PK: 'r', SK: '1', N: 1}", NULL);
	struct table_cost before = s->call.cost;

	write.returns = RETURN_OLD;
	is_rc(do_write(s, &write), TABLE_OK, "a put that returns the old item");
	check(write.returned == NULL, "gives NULL when there was none");
	is_number(s->call.cost.requests - before.requests, 1, "a write counts as one request");
	is_number(s->call.cost.round_trips - before.round_trips, 1, "and one round trip");
	write = put_of(s, "{PK: 'r', SK: '1', N: 2}", NULL);
	write.returns = RETURN_OLD;
	do_write(s, &write);
	is_text(text_of(s, write.returned), "{N: 1, PK: 'r', SK: '1'}", "and what there was else");
	write = update_of("r", "1", &one, 1);
	write.returns = RETURN_NEW;
	do_write(s, &write);
	is_text(
	    text_of(s, write.returned), "{N: 3, PK: 'r', SK: '1'}", "an update returns the new");
	write.returns = RETURN_OLD;
	do_write(s, &write);
	is_text(text_of(s, write.returned), "{N: 3, PK: 'r', SK: '1'}", "or the old");
	write.returns = RETURN_NONE;
	do_write(s, &write);
	check(write.returned == NULL, "or nothing");
	write = delete_of("r", "1", NULL);
	write.returns = RETURN_OLD;
	do_write(s, &write);
	is_text(text_of(s, write.returned), "{N: 5, PK: 'r', SK: '1'}", "a delete returns the old");
	do_write(s, &write);
	check(write.returned == NULL, "and NULL when there was none");
	write.returns = RETURN_NEW;
	is_rc(do_write(s, &write), TABLE_INVALID, "a delete has nothing new to return");
	write = put_of(s, "{PK: 'r', SK: '1'}", NULL);
	write.returns = RETURN_NEW;
	is_rc(do_write(s, &write), TABLE_INVALID, "a put knows the new item itself");
	write = update_of("r", "2", &one, 1);
	write.returns = RETURN_OLD;
	do_write(s, &write);
	check(write.returned == NULL, "an update that makes the item returns NULL for the old");
}

static void
failed_items(struct suite *s)
{
	const struct condition *there = condition_of(s, COND_EXISTS, "PK", NULL);
	const struct condition *free_ = condition_of(s, COND_MISSING, "PK", NULL);
	struct write write = put_of(s, "{PK: 'f', SK: '1', By: 'first'}", free_);

	is_rc(do_write(s, &write), TABLE_OK, "a put of a free key");
	check(write.failed == NULL, "has no failed item");
	write = put_of(s, "{PK: 'f', SK: '1', By: 'second'}", free_);
	is_rc(do_write(s, &write), TABLE_CONDITION, "a second one fails");
	is_text(text_of(s, write.failed), "{By: 'first', PK: 'f', SK: '1'}", "and says on what");
	is_text(saw(s, "f", "1"), "{By: 'first', PK: 'f', SK: '1'}", "nothing changed");
	write = delete_of("f", "2", there);
	is_rc(do_write(s, &write), TABLE_CONDITION, "a delete of what must be there fails");
	check(write.failed == NULL, "and its failed item is NULL");
	write = check_of("f", "1", there);
	is_rc(do_write(s, &write), TABLE_INVALID, "a check alone is no write");
}

static void
deadlines(struct suite *s)
{
	struct write write = put_of(s, "{PK: 'd', SK: '1'}", NULL);
	struct read read = {.kind = READ_GET, .key = key_of("d", "1")};
	struct change_page changes;
	struct walk_page walk;
	uint32_t removed;

	s->call.deadline = SUITE_NOW - 1;
	is_rc(table_read(s->table, &s->call, &read, 1), TABLE_DEADLINE, "a read that is late");
	is_rc(do_write(s, &write), TABLE_DEADLINE, "a write that is late");
	check(!s->call.unsure, "was surely not made");
	is_rc(transact(s, &write, 1, ""), TABLE_DEADLINE, "a transaction that is late");
	is_rc(table_changes(s->table, &s->call, STREAM_OLDEST, 1, &changes), TABLE_DEADLINE,
	    "a read of the stream that is late");
	is_rc(table_walk(s->table, &s->call, STR(""), 1, &walk), TABLE_DEADLINE, "a late walk");
	if (s->harness->sweeps)
		is_rc(table_sweep(s->table, &s->call, 1, &removed), TABLE_DEADLINE, "a late sweep");
	s->call.deadline = 0;
	is_text(saw(s, "d", "1"), "nothing", "what came too late was not made");
	s->call.deadline = SUITE_NOW + 60 * SUITE_SECOND;
	is_rc(do_write(s, &write), TABLE_OK, "with time left it is");
	s->call.deadline = 0;
	is_text(saw(s, "d", "1"), "{PK: 'd', SK: '1'}", "and it is there");
}

static bool
is_unseen(struct key key)
{
	return str_eq(key.pk, STR("unseen"));
}

static void
versions(struct suite *s)
{
	struct write both[] = {{.kind = WRITE_PUT}, {.kind = WRITE_PUT}};
	uint64_t before = table_version(s->table);

	if (!s->harness->has_version) {
		is_number(before, 0, "an engine that can't tell has the version 0");
		return;
	}
	check(before != 0, "the table has a version");
	check(table_version(s->table) == before, "that stays as long as nothing is written");
	saw(s, "a", "1");
	check(table_version(s->table) == before, "or only read");
	put(s, "{PK: 'v', SK: '1'}");
	check(table_version(s->table) != before, "and changes with a write");
	s->table->unseen = is_unseen;
	before = table_version(s->table);
	put(s, "{PK: 'unseen', SK: '1'}");
	check(table_version(s->table) == before, "but not with one of what is unseen");
	both[0].item = unspell_item(s->arena, "{PK: 'unseen', SK: '2'}");
	both[1].item = unspell_item(s->arena, "{PK: 'v', SK: '2'}");
	is_rc(transact(s, both, 2, ""), TABLE_OK, "a transaction of both");
	check(table_version(s->table) != before, "changes it");
	s->table->unseen = NULL;
	before = table_version(s->table);
	put(s, "{PK: 'unseen', SK: '3'}");
	check(table_version(s->table) != before, "and where nothing is unseen every write does");
}

static void
holds(struct suite *s)
{
	struct table_call other = {.arena = s->arena};

	put(s, "{PK: 'h', SK: '1', N: 1}");
	is_rc(table_hold(s->table, &s->call), TABLE_OK, "a call may hold the table");
	is_text(saw(s, "h", "1"), "{N: 1, PK: 'h', SK: '1'}", "and read it");
	is_rc(table_put(s->table, &other, unspell_item(s->arena, "{PK: 'h', SK: '1', N: 2}")),
	    TABLE_OK, "while another call writes");
	if (s->harness->holds)
		is_text(saw(s, "h", "1"), "{N: 1, PK: 'h', SK: '1'}", "it sees one moment");
	table_release(s->table, &s->call);
	is_text(saw(s, "h", "1"), "{N: 2, PK: 'h', SK: '1'}", "released, it sees what is new");
	is_rc(table_hold(s->table, &s->call), TABLE_OK, "held again");
	saw(s, "h", "1");
	put(s, "{PK: 'h', SK: '1', N: 3}");
	is_text(saw(s, "h", "1"), "{N: 3, PK: 'h', SK: '1'}", "its own write ends the hold");
	table_release(s->table, &other);
}

static void
words(void)
{
	for (int rc = TABLE_OK; rc <= TABLE_CORRUPT; rc++)
		check(strlen(table_rc_text((enum table_rc)rc)) > 1, "%s has a phrase",
		    spell_rc((enum table_rc)rc));
	check(str_eq(table_pk_name(TABLE_PRIMARY), STR("PK")) &&
		  str_eq(table_sk_name(TABLE_PRIMARY), STR("SK")) &&
		  str_eq(table_pk_name(TABLE_GSI1), STR("GSI1PK")) &&
		  str_eq(table_sk_name(TABLE_GSI4), STR("GSI4SK")),
	    "the keys of the indexes have their names");
}

void
conform_basics(struct suite *s)
{
	puts_and_deletes(s);
	batches(s);
	several_reads(s);
	old_and_new(s);
	failed_items(s);
	deadlines(s);
	versions(s);
	holds(s);
	words();
}
