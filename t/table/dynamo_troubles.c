/*
 * The distributed engine and one failure of the network at a time, made by t/fault/dynamodb.js:
 * what is reported, what the table has, and that everything works again afterwards. Many at once
 * are in t/table/dynamo_faults.c.
 */
#include "lib/tap.h"

#include "bad_network.h"
#include "base/arena.h"
#include "base/clock.h"
#include "dynamo_local.h"
#include "table/dynamo/dynamo.h"

#include <pthread.h>
#include <time.h>

enum {
	DEADLINE_MS = 2500,
	/* What an answer may come late; far less than the server's silence. */
	GRACE_MS = 12 * 1000,
	KEYS = 12,
	PATIENT_MS = 60 * 1000,
};

struct stage {
	struct table *table;
	struct clock clock;
	struct child server;
	struct arena *arena;
};

static struct key
key_at(struct stage *s, const char *what, int number)
{
	return (struct key){str_of(what), str_fmt(s->arena, "%06d", number)};
}

/* A call with that time limit. */
static struct table_call
call_of(struct stage *s, int64_t ms)
{
	return (struct table_call){.arena = s->arena, .deadline = clock_monotonic(&s->clock) + ms};
}

static enum table_rc
get_within(struct stage *s, struct table_call *call, int64_t ms)
{
	struct item *item;

	*call = call_of(s, ms);
	return table_get(s->table, call, key_at(s, "ITEM", 0), &item);
}

static struct item
item_at(struct stage *s, struct key key, int64_t version)
{
	struct item item = {0};

	item_set(s->arena, &item, STR("PK"), value_string(key.pk));
	item_set(s->arena, &item, STR("SK"), value_string(key.sk));
	item_set(s->arena, &item, STR("Version"), value_number(version));
	return item;
}

static void
put(struct stage *s, struct key key, int64_t version)
{
	struct table_call call = call_of(s, PATIENT_MS);

	if (table_put(s->table, &call, item_at(s, key, version)) != TABLE_OK)
		bail_out("an item can't be put: %s", call.why);
}

/* The version of an item; -1 when it is not there. */
static int64_t
version_at(struct stage *s, struct key key)
{
	struct table_call call = call_of(s, PATIENT_MS);
	struct read read = {.kind = READ_GET, .consistent = true, .key = key};

	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("an item can't be read: %s", call.why);
	return read.item != NULL ? item_number(read.item, STR("Version")) : -1;
}

/* --- Outages ------------------------------------------------------------------------------------ */

/* Nobody listens, nobody answers, and then everything works again. */
static void
outages(struct stage *s)
{
	static const struct {
		const char *before, *after, *sentence;
	} cases[] = {{"gone", "back", "with nobody there"},
	    {"fault stall 100", "calm", "with no answer"},
	    {"fault throttle 100", "calm", "with nothing but throttling"},
	    {"fault trickle 100", "calm", "with an answer drop by drop"},
	    {"fault reset 100", "calm", "with connections that are reset"}};
	struct table_call call;
	double slow = bad_network_slowness(1);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t took, began = clock_micros();
		enum table_rc rc;

		bad_network_tell(&s->server, cases[i].before);
		rc = get_within(s, &call, DEADLINE_MS);
		took = clock_micros() - began;
		ok(rc == TABLE_UNAVAILABLE || rc == TABLE_DEADLINE || rc == TABLE_THROTTLED,
		    "%s a read fails: %s", cases[i].sentence, call.why);
		slow = bad_network_slowness(slow);
		ok((double)took / 1000 < (DEADLINE_MS + GRACE_MS) * slow, "within the deadline");
		bad_network_tell(&s->server, cases[i].after);
		is_int(get_within(s, &call, DEADLINE_MS), TABLE_OK, "and then it works again");
	}
}

/* When DynamoDB does not work, calls of pages fail at once, and those of commands wait. */
static void
order(struct stage *s)
{
	double slow = bad_network_slowness(1);
	struct table_call call;
	long stalled;

	bad_network_tell(&s->server, "fault stall 100");
	for (int i = 0; i < 4; i++)
		is_int(get_within(s, &call, 1200), TABLE_DEADLINE, "a read waits in vain");
	stalled = bad_network_number(&s->server, "count");
	is_int(get_within(s, &call, DEADLINE_MS), TABLE_UNAVAILABLE, "then one is refused");
	ok(strstr(call.why, "DynamoDB has served no call for") != NULL, "and told why: %s",
	    call.why);
	ok((double)call.cost.micros < 1000 * 1000 * bad_network_slowness(slow), "at once");
	is_int(bad_network_number(&s->server, "count"), stalled, "and nothing was sent");
	bad_network_tell(&s->server, "calm");
	is_int(get_within(s, &call, PATIENT_MS), TABLE_OK, "one that has time is not");
	is_int(get_within(s, &call, DEADLINE_MS), TABLE_OK, "and when it is served so are all");
}

/* --- What comes late ------------------------------------------------------------------------------ */

static void
let_go(struct stage *s)
{
	while (bad_network_number(&s->server, "held") > 0)
		nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
}

/* A write is sent twice, as the network keeps the first; that comes after the next write was acknowledged. */
static void
late_twins(struct stage *s)
{
	enum { SORTS = 3 };
	struct change change = {.op = CHANGE_SET, .name = STR("Version"), .value = value_number(1)};
	struct write writes[SORTS] = {
	    {.kind = WRITE_PUT, .item = item_at(s, key_at(s, "LATE", 0), 1)},
	    {.kind = WRITE_UPDATE,
		.key = key_at(s, "LATE", 1),
		.changes = &change,
		.change_count = 1},
	    {.kind = WRITE_DELETE, .key = key_at(s, "LATE", 2)},
	};
	static const char *const sorts[SORTS] = {"put", "update", "delete"};

	for (int i = 0; i < SORTS; i++) {
		struct table_call call = call_of(s, PATIENT_MS);

		bad_network_tell(&s->server, "once held");
		is_int(table_write(s->table, &call, &writes[i]), TABLE_OK,
		    "the %s is made by its second attempt", sorts[i]);
		put(s, key_at(s, "LATE", i), 2);
	}
	ok(bad_network_number(&s->server, "held") > 0, "the first ones have yet to come");
	let_go(s);
	for (int i = 0; i < SORTS; i++)
		is_int(version_at(s, key_at(s, "LATE", i)), 2,
		    "the %s that comes late changes nothing", sorts[i]);
}

/* --- What is left ----------------------------------------------------------------------------------- */

/* Every other item exists; DynamoDB answers for a few keys at a time, and sometimes for none. */
static void
left_keys(struct stage *s)
{
	struct key keys[KEYS];
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, KEYS}};
	struct table_call call = call_of(s, PATIENT_MS);
	unsigned wrong = 0;

	for (int i = 0; i < KEYS; i++) {
		/* Not in their order. */
		keys[i] = key_at(s, "LEFT", i * 5 % KEYS);
		if (i % 2 == 0)
			put(s, keys[i], i);
	}
	bad_network_tell(&s->server, "fault unprocessed 100");
	is_int(table_read(s->table, &call, &read, 1), TABLE_OK,
	    "a batch is read in many pieces: %s", call.why != NULL ? call.why : "");
	for (int i = 0; i < KEYS && read.items != NULL; i++)
		wrong += i % 2 == 0 ? read.items[i] == NULL ||
					  item_number(read.items[i], STR("Version")) != i
				    : read.items[i] != NULL;
	ok(read.items != NULL && wrong == 0, "each of its items is in its place");
	ok(call.cost.round_trips > 4, "after %u round trips", call.cost.round_trips);
	bad_network_tell(&s->server, "calm");
	bad_network_tell(&s->server, "fault starved 100");
	call = call_of(s, PATIENT_MS);
	is_int(table_read(s->table, &call, &read, 1), TABLE_THROTTLED,
	    "one of which all is left for ever is given up");
	is_str(str_of(call.why), STR("DynamoDB leaves keys unprocessed"), "with these words");
	bad_network_tell(&s->server, "calm");
}

/* Of what a batch writes the service may leave some, too. */
static void
left_unwritten(struct stage *s)
{
	struct write writes[KEYS];
	struct table_call call = call_of(s, PATIENT_MS);
	unsigned wrong = 0;

	for (int i = 0; i < KEYS; i++) {
		struct key key = key_at(s, "UNWRITTEN", i);

		writes[i] = (struct write){.kind = WRITE_PUT};
		item_set(s->arena, &writes[i].item, STR("PK"), value_string(key.pk));
		item_set(s->arena, &writes[i].item, STR("SK"), value_string(key.sk));
		item_set(s->arena, &writes[i].item, STR("Version"), value_number(i));
	}
	bad_network_tell(&s->server, "fault unprocessed 100");
	is_int(table_write_each(s->table, &call, writes, KEYS), TABLE_OK, "a batch is written in many pieces: %s",
	    call.why != NULL ? call.why : "");
	bad_network_tell(&s->server, "calm");
	for (int i = 0; i < KEYS; i++) {
		struct item *item = NULL;

		call = call_of(s, PATIENT_MS);
		wrong += table_get(s->table, &call, key_at(s, "UNWRITTEN", i), &item) != TABLE_OK || item == NULL ||
			 item_number(item, STR("Version")) != i;
	}
	is_int(wrong, 0, "... each of them once");
	bad_network_tell(&s->server, "fault starved 100");
	call = call_of(s, PATIENT_MS);
	is_int(table_write_each(s->table, &call, writes, KEYS), TABLE_THROTTLED,
	    "one of which all is left for ever is given up");
	is_str(str_of(call.why), STR("DynamoDB leaves writes unprocessed"), "with these words");
	bad_network_tell(&s->server, "calm");
}

/* --- What is gathered -------------------------------------------------------------------------------- */

enum { READERS = 8, ROUNDS = 40 };

/* One of the threads of a background job. */
struct reader {
	struct stage *s;
	pthread_t thread;
	int number, rounds;
	unsigned wrong;
};

/* Each reads three keys of left_keys(), of which others read some, too; every other item is not there, and one key is asked for twice. */
static void *
read_in_background(void *context)
{
	struct reader *r = context;
	struct stage s = *r->s;

	s.arena = arena_new();
	for (int round = 0; round < r->rounds; round++) {
		struct table_call call = call_of(&s, PATIENT_MS);
		int first = (r->number + round) % KEYS;
		struct read reads[3] = {{.key = key_at(&s, "LEFT", first)}, {.key = key_at(&s, "LEFT", (first + 5) % KEYS)},
		    {.key = key_at(&s, "LEFT", first)}};

		call.background = true;
		for (int i = 0; i < 3; i++)
			reads[i].consistent = true;
		r->wrong += table_read(s.table, &call, reads, 3) != TABLE_OK;
		for (int i = 0; i < 3; i++) {
			int number = i == 1 ? (first + 5) % KEYS : first;

			r->wrong += number % 2 != 0
					? reads[i].item != NULL
					: reads[i].item == NULL || item_number(reads[i].item, STR("Version")) != number * 5 % KEYS;
		}
		arena_reset(s.arena);
	}
	arena_free(s.arena);
	return NULL;
}

/* What is wrong with all that is read at once. */
static int64_t
read_at_once(struct stage *s, int rounds)
{
	struct reader readers[READERS];
	int64_t wrong = 0;

	for (int i = 0; i < READERS; i++) {
		readers[i] = (struct reader){.s = s, .number = i, .rounds = rounds};
		if (pthread_create(&readers[i].thread, NULL, read_in_background, &readers[i]) != 0)
			bail_out("no thread");
	}
	for (int i = 0; i < READERS; i++) {
		pthread_join(readers[i].thread, NULL);
		wrong += readers[i].wrong;
	}
	return wrong;
}

/* The items of left_keys(), read by many threads: each has what it asked for, also when the request for all of them fails. */
static void
gathered(struct stage *s)
{
	is_int(read_at_once(s, ROUNDS), 0, "gets of several threads are read together");
	bad_network_tell(&s->server, "fault unprocessed 30");
	is_int(read_at_once(s, ROUNDS), 0, "... in pieces, if need be");
	bad_network_tell(&s->server, "calm");
	bad_network_tell(&s->server, "fault starved 100");
	is_int(read_at_once(s, 1), 0, "... and each by itself, if that fails");
	bad_network_tell(&s->server, "calm");
}

/* A table is closed while the network still owes answers. */
static void
close_early(struct stage *s)
{
	struct table_call call;

	bad_network_tell(&s->server, "fault stall 100");
	for (int i = 0; i < 4; i++)
		is_int(get_within(s, &call, 50), TABLE_DEADLINE, "a read is given up");
	table_close(s->table);
	ok(true, "and the table closed with the requests under way");
}

int
main(void)
{
	struct stage s = {.clock = clock_system(), .arena = arena_new()};
	struct str why;

	dynamo_local_need();
	table_close(dynamo_local_table("troubles", &s.clock));
	bad_network_begin(&s.server);
	if (table_dynamo_open(STR("troubles"), &s.clock, s.arena, &s.table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	outages(&s);
	order(&s);
	late_twins(&s);
	left_keys(&s);
	left_unwritten(&s);
	gathered(&s);
	close_early(&s);
	child_end(&s.server);
	arena_free(s.arena);
	return tap_done();
}
