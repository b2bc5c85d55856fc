/*
 * The last time known to the table: stored once an hour, doubted when the clock is a day ahead,
 * confirmed.
 */
#include "model/site/last_known_time.h"

#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

static const int64_t NOW = 1795000000000, HOUR = 60 * 60 * 1000, DAY = 24 * HOUR;

struct place {
	struct table *table;
	struct table_call call;
	struct last_known_time known;
};

static bool
trusted(struct place *p, int64_t now)
{
	bool trusted = false;

	is_int(last_known_time_check(p->table, &p->call, &p->known, now, &trusted), TABLE_OK,
	    "the table answers");
	return trusted;
}

static void
save(struct place *p, const char *sk)
{
	struct item item = {0};

	item_set(p->call.arena, &item, STR("PK"), value_string(STR("POST#one")));
	item_set(p->call.arena, &item, STR("SK"), value_string(str_of(sk)));
	if (table_put(p->table, &p->call, item) != TABLE_OK)
		bail_out("%s", p->call.why);
}

/* Another process, which knows nothing yet. */
static void
anew(struct place *p)
{
	p->known = (struct last_known_time){.arena = p->known.arena};
}

static void
goes_by(struct place *p)
{
	uint32_t asked;

	ok(trusted(p, NOW), "a table that knows no time believes the clock,");
	asked = p->call.cost.requests;
	ok(trusted(p, NOW + HOUR - 1), "... and goes on to,");
	is_int(p->call.cost.requests, asked, "... for an hour without being asked;");
	ok(trusted(p, NOW + HOUR), "then it is,");
	is_int(p->call.cost.requests, asked + 2, "... and told.");
	anew(p);
	ok(trusted(p, NOW + HOUR + DAY), "A day later is no wonder,");
	ok(!trusted(p, NOW + HOUR + 2 * DAY + 1), "... more than that is one,");
	is_int(p->known.ms, NOW + HOUR + DAY, "... and it says what it knew.");
	ok(trusted(p, NOW + 2 * HOUR + DAY), "When the clock is right again, so is all.");
}

static void
is_confirmed(struct place *p)
{
	int64_t later = NOW + 365 * DAY;

	anew(p);
	ok(!trusted(p, later), "A year later nobody believes the clock.");
	save(p, "COMMENT#one");
	ok(!trusted(p, later), "Something that is written does not change that,");
	save(p, "REVISION#00000001");
	ok(trusted(p, later + 1), "... a post that is saved does,");
	anew(p);
	ok(trusted(p, later + 2), "... for all.");
	later += 30 * DAY;
	ok(!trusted(p, later), "So it is once more;");
	is_int(last_known_time_set(p->table, &p->call, later), TABLE_OK, "an operator");
	ok(trusted(p, later), "... says that it is right.");
	ok(trusted(p, NOW), "A clock that goes back is believed,");
	anew(p);
	ok(trusted(p, NOW + HOUR), "... also by others,");
	ok(!trusted(p, later), "... and where it was before is a jump again.");
}

int
main(void)
{
	struct clock clock = clock_system();
	struct place p = {.call = {.arena = arena_new()}, .known = {.arena = arena_new()}};
	struct test_store store;

	p.table = test_store_open(&store, &clock);
	goes_by(&p);
	is_confirmed(&p);
	test_store_close(&store);
	arena_free(p.known.arena);
	arena_free(p.call.arena);
	return tap_done();
}
