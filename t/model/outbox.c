/* The outbox: a letter is added once, and of all who send it one goes on. */
#include "model/site/outbox.h"

#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"

static const int64_t NOW = 1795000000000, DAY = 24 * 60 * 60 * 1000;

struct place {
	struct table *table;
	struct table_call call;
};

static struct letter
letter_to(const char *to, const char *thing, int64_t made)
{
	return (struct letter){
	    .to = str_of(to), .what = STR("reply"), .thing = str_of(thing), .made = made};
}

static size_t
add(struct place *p, const struct letter *letters, size_t count, int64_t now, bool check)
{
	size_t added = 0;

	is_int(outbox_add(p->table, &p->call, letters, count, now, check, &added), TABLE_OK,
	    "the table takes letters");
	return added;
}

/* Those that are due; the indexes of DynamoDB Local are up to date at once. */
static size_t
due(struct place *p, int64_t now, struct letter **out)
{
	size_t count = 0;

	is_int(outbox_due(p->table, &p->call, now, 100, out, &count), TABLE_OK, "the outbox is read");
	return count;
}

static void
is_added_once(struct place *p)
{
	struct letter letters[120], *found;
	struct letter one = letter_to("Unoor", "tides#c1", NOW), old = letter_to("Unoor", "old", NOW - 2 * DAY);

	is_int((int64_t)add(p, &one, 1, NOW, true), 1, "a check counts a letter that is missing,");
	is_int((int64_t)due(p, NOW, &found), 0, "... and adds none");
	is_int((int64_t)add(p, &one, 1, NOW, false), 1, "a letter is added");
	is_int((int64_t)add(p, &one, 1, NOW, false), 0, "... once");
	is_int((int64_t)due(p, NOW - 1, &found), 0, "it is not due before");
	is_int((int64_t)due(p, NOW, &found), 1, "it is due then");
	is_str(found[0].to, STR("Unoor"), "... to whom");
	is_str(found[0].thing, STR("tides#c1"), "... of what");
	is_int(found[0].made, NOW, "... since when");
	is_int((int64_t)add(p, &old, 1, NOW, false), 0, "what is two days old makes no letter");
	for (int i = 0; i < 120; i++)
		letters[i] = letter_to(
		    str_fmt(p->call.arena, "U%03d", i).base, "tides", i == 7 ? NOW - 3 * DAY : NOW + DAY);
	is_int((int64_t)add(p, letters, 120, NOW, false), 119, "many are added at once");
	is_int((int64_t)add(p, letters, 120, NOW, false), 0, "... and again, none");
	is_int((int64_t)due(p, NOW + DAY, &found), 100, "as many are read as one wants");
	is_str(found[0].to, STR("Unoor"), "... the oldest first");
	ok(!str_eq(letter_id(p->call.arena, &letters[0]), letter_id(p->call.arena, &letters[1])),
	    "each has an id of its own");
	is_str(letter_id(p->call.arena, &found[0]), letter_id(p->call.arena, &one),
	    "... which stays the same");
}

static enum table_rc
move(struct place *p, struct letter *letters, size_t count, enum letter_status status, int64_t at)
{
	const struct letter_step step = {.status = status, .due = at, .tries = 1, .why = STR("why")};

	return outbox_move(p->table, &p->call, letters, count, &step, at);
}

static bool
is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CANCELLED;
}

static void
goes_its_way(struct place *p)
{
	struct letter *found, other, two[2];
	struct letter one = letter_to("Upascal", "a", NOW - 100), next = letter_to("Upascal", "b", NOW - 99);

	add(p, &one, 1, NOW, false);
	add(p, &next, 1, NOW, false);
	due(p, NOW - 100, &found);
	one = other = found[0];
	is_int(move(p, &one, 1, LETTER_WAITING, NOW - 90), TABLE_OK, "a letter is put off,");
	ok(one.tries == 1 && one.due == NOW - 90, "... which counts");
	ok(is_late(move(p, &other, 1, LETTER_HANDED, NOW)),
	    "who has read it before can't hand it over any more");
	is_int(other.status, LETTER_WAITING, "... and knows it as it was");
	other = one;
	is_int(move(p, &one, 1, LETTER_HANDED, NOW), TABLE_OK, "it is handed over");
	ok(is_late(move(p, &other, 1, LETTER_HANDED, NOW)), "... by one of two");
	ok(one.handed == NOW && one.due > NOW, "... and looked at again when the answer is late");
	two[0] = one;
	two[1] = next;
	two[1].due = NOW - 99;
	is_int(move(p, two, 2, LETTER_SENT, NOW), TABLE_OK, "two are sent in one mail");
	other = next;
	ok(is_late(move(p, &other, 1, LETTER_HANDED, NOW)), "... and neither again");
	add(p, &one, 1, NOW, false);
	due(p, NOW, &found);
	ok(!str_eq(found[0].to, STR("Upascal")), "what was sent waits no more, and is not added again");
	{
		size_t count;

		is_int(outbox_of(p->table, &p->call, STR("Upascal"), STR("reply"), STR(""), 10,
			   &found, &count),
		    TABLE_OK, "what was written to somebody is read");
		ok(count == 2 && found[0].status == LETTER_SENT && found[0].handed == NOW &&
			found[1].status == LETTER_SENT,
		    "... with what became of it");
		is_str(found[0].why, STR("why"), "... and why");
	}
}

int
main(void)
{
	struct clock clock = clock_fixed(NOW, 1);
	struct place p = {.call = {.arena = arena_new()}};
	struct test_store store;

	p.table = test_store_open(&store, &clock);
	is_added_once(&p);
	goes_its_way(&p);
	test_store_close(&store);
	arena_free(p.call.arena);
	return tap_done();
}
