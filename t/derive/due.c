/*
 * Scheduled posts: when their minute comes nothing is written, and yet all that is derived from them is derived again, once:
 * after a time without a worker, with a clock that jumps, and whatever the worker is killed in.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_post.h"
#include "model/key_work.h"
#include "model/site/work.h"

#include <stdlib.h>

#define FIRST "the-longest-low-water" /* in two days */
#define SECOND "wax-a-jacket"         /* in five days and six hours */
#define CLOSED "before-the-deadline"  /* of a group */

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

static bool
is_due_later(struct seeded *s, const char *id)
{
	return stored(s, key_due(s->arena, str_of(id))) != NULL;
}

/* --- Who asks for a post ------------------------------------------------------------------------------ */

/* In front of the table: how often this post's head was read. */
static struct {
	struct key head;
	int reads;
	bool corrupt; /* and can't be */
	enum table_rc (*inner)(struct table *, struct table_call *, struct read *, size_t);
} spy;

static enum table_rc
spied_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (reads[i].kind == READ_GET && str_eq(reads[i].key.pk, spy.head.pk) &&
		    str_eq(reads[i].key.sk, spy.head.sk)) {
			spy.reads++;
			if (spy.corrupt)
				return TABLE_CORRUPT;
		}
	return spy.inner(table, call, reads, count);
}

/* Works, and counts who asks for the post. The n-th call of the table fails; 0: none. False: it did not come to that. */
static bool
work_spied(struct seeded *s, const char *id, unsigned n, bool corrupt)
{
	struct failing_table front;
	struct table_engine engine;
	struct stream_worker *w;
	enum stream_turn turn = STREAM_WORKED;
	bool failed;

	failing_table_begin(&front, s->table);
	engine = *front.table.engine;
	spy.inner = engine.read;
	spy.head = key_post(s->arena, str_of(id));
	spy.corrupt = corrupt;
	engine.read = spied_read;
	front.table.engine = &engine;
	w = worker_of(&front.table);
	failing_table_arm(&front, n, TABLE_UNAVAILABLE);
	while (turn == STREAM_WORKED)
		turn = stream_worker_turn(w);
	failed = n != 0 && front.calls >= n;
	failing_table_arm(&front, 0, TABLE_OK);
	stream_worker_close(w);
	return failed;
}

static int
asked(struct seeded *s, const char *id)
{
	spy.reads = 0;
	(void)work_spied(s, id, 0, false);
	return spy.reads;
}

/* --- The tests ---------------------------------------------------------------------------------------- */

static void
schedule(struct seeded *s, const char *id, int64_t at)
{
	set(s, key_post(s->arena, str_of(id)), STR("PublishedAt"), value_string(time_format(s->arena, at)));
}

/* A post for a group stands in its author's activity alone. */
static void
schedule_closed(struct seeded *s, int64_t at)
{
	struct str time = time_format(s->arena, at);

	set(s, key_post(s->arena, STR(CLOSED)), STR("GSI1SK"),
	    value_string(STR_CONCAT(s->arena, STR("CLOSED#"), time, STR("#" CLOSED))));
	schedule(s, CLOSED, at);
}

static void
comes(struct seeded *s)
{
	int64_t start = s->clock.fixed_now;

	schedule_closed(s, start + 3 * DAY);
	work(s);
	ok(is_due_later(s, FIRST) && is_due_later(s, SECOND), "scheduled posts are noted");
	ok(is_due_later(s, CLOSED), "... one that is not for everybody, too");
	ok(!is_due_later(s, "the-tide-in-forty-lines-of-c"), "... and no other");
	is_int(differences(s), 0, "... as a rebuild would");

	s->clock.fixed_now = start + 2 * DAY - 1;
	is_int(asked(s, FIRST), 0, "until its moment nobody asks for a post");
	ok(is_due_later(s, FIRST), "... and it is noted still");
	s->clock.fixed_now = start + 2 * DAY;
	ok(asked(s, FIRST) > 0, "in its moment all is derived from it again");
	ok(!is_due_later(s, FIRST), "... and it is noted no more");
	is_int(asked(s, FIRST), 0, "... nor asked for a second time");
	ok(is_due_later(s, SECOND) && is_due_later(s, CLOSED), "... the others wait");
	is_int(differences(s), 0, "... as a rebuild would say");

	s->clock.fixed_now = start + 3 * DAY;
	ok(asked(s, CLOSED) > 0 && !is_due_later(s, CLOSED), "one that is not for everybody comes as well");
}

static void
changes(struct seeded *s)
{
	int64_t now = s->clock.fixed_now;
	struct key head = key_post(s->arena, STR(SECOND));

	schedule(s, SECOND, now + 7 * DAY);
	work(s);
	s->clock.fixed_now = now + 6 * DAY;
	ok(asked(s, SECOND) == 0 && is_due_later(s, SECOND), "one that was put off waits for its new time");
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	work(s);
	ok(!is_due_later(s, SECOND), "one that is unpublished waits for nothing");
	set(s, head, STR("Status"), value_string(STR("published")));
	work(s);
	ok(is_due_later(s, SECOND), "... until it is published again");
	is_int(differences(s), 0, "... as a rebuild would say");
}

/* Longer than the stream is kept, and several at once. */
static void
sleeps(struct seeded *s)
{
	int64_t now = s->clock.fixed_now;

	schedule(s, FIRST, now + 1 * DAY);
	schedule(s, SECOND, now + 2 * DAY);
	work(s);
	s->clock.fixed_now = now + 400 * (int64_t)DAY;
	ok(asked(s, SECOND) > 0, "after a year without a worker a post is derived that was due meanwhile");
	ok(!is_due_later(s, FIRST) && !is_due_later(s, SECOND), "... and so are all");
	is_int(differences(s), 0, "... as a rebuild would");
}

static void
jumps(struct seeded *s)
{
	int64_t now = s->clock.fixed_now;

	schedule(s, FIRST, now + 10 * DAY);
	work(s);
	s->clock.fixed_now = now - 100 * (int64_t)DAY;
	ok(asked(s, FIRST) == 0 && is_due_later(s, FIRST), "a clock that was put back brings nothing");
	s->clock.fixed_now = now + 10 * DAY;
	ok(asked(s, FIRST) > 0 && !is_due_later(s, FIRST), "... and the right time does");
	s->clock.fixed_now = now;
	schedule(s, FIRST, now + 10 * DAY + 1);
	ok(asked(s, FIRST) > 0 && is_due_later(s, FIRST), "what came too early is noted again when it is saved");
	s->clock.fixed_now = now + 11 * DAY;
	ok(asked(s, FIRST) > 0 && !is_due_later(s, FIRST), "... and comes again");
}

/* Fails at each call in turn (on DynamoDB Local at some): the worker after it finishes. */
static void
is_killed(struct seeded *s)
{
	unsigned step = getenv("TEST_STORE") != NULL ? 3 : 1, killed = 0, lost = 0, early = 0;
	bool failed = true;

	for (unsigned n = 1; failed && n < 1000; n += step) {
		schedule(s, FIRST, s->clock.fixed_now + DAY);
		work(s);
		early += !is_due_later(s, FIRST);
		s->clock.fixed_now += DAY;
		spy.reads = 0;
		failed = work_spied(s, FIRST, n, false);
		killed += failed;
		/* Whenever it is noted no more, it has been derived. */
		lost += !is_due_later(s, FIRST) && spy.reads == 0;
		(void)work_spied(s, FIRST, 0, false);
		lost += is_due_later(s, FIRST) || spy.reads == 0;
	}
	ok(killed > 3 && !failed, "a worker was killed in each of its calls (%u)", killed);
	is_int(early, 0, "... after a time was noted");
	is_int(lost, 0, "... and no time was missed");
	is_int(differences(s), 0, "... and nothing differs");
}

static void
is_broken(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct work state;

	schedule(s, FIRST, s->clock.fixed_now + DAY);
	schedule(s, SECOND, s->clock.fixed_now + DAY);
	work(s);
	s->clock.fixed_now += DAY;
	(void)work_spied(s, FIRST, 0, true);
	if (work_load(s->table, &call, &state) != TABLE_OK)
		bail_out("the worker's state can't be read");
	ok(state.parked_count > 0, "a due post that can't be read is parked");
	ok(!is_due_later(s, FIRST), "... and not tried for ever");
	ok(!is_due_later(s, SECOND), "... while the others go on");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	comes(&s);
	changes(&s);
	sleeps(&s);
	jumps(&s);
	is_killed(&s);
	is_broken(&s);
	seeded_close(&s);
	return tap_done();
}
