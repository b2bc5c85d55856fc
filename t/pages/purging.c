/*
 * What somebody has left in the last hour, day or week is purged, or all of it; what is older stays. It comes back when that
 * is wanted. A purge that is restored meanwhile takes nothing more, and several who work it off count each thing once.
 */
#include "lib/failing_table.h"
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key.h"
#include "model/key_staff.h"
#include "model/people/purge.h"
#include "model/post/count.h"
#include "model/reader/comment.h"

#include <pthread.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define POST_ID "the-tide-in-forty-lines-of-c"
#define PURGE "/admin/users/pascal/purge"
#define HOUR INT64_C(3600000)

enum { SAID = 4, WORKERS = 4 };

/* What he says, and how long before the purge; the last of it in the last hour. */
static const struct {
	const char *text;
	int64_t hours_later;
} said[SAID] = {
    {"Eight days ago.", 0},
    {"Three days ago.", 5 * 24},
    {"Two hours ago.", 3 * 24 - 2},
    {"Just now.", 2},
};

static struct post_stats
numbers(struct seeded *s)
{
	struct item stats = seeded_item(s, "POST#" POST_ID, "STATS");
	struct read shards = count_read(s->arena, STR(POST_ID));
	struct table_call call = {.arena = s->arena};
	struct post_stats now;

	shards.consistent = true;
	if (table_read(s->table, &call, &shards, 1) != TABLE_OK)
		bail_out("the shards can't be read");
	count_take(s->arena, &stats, &shards, &now);
	table_release(s->table, &call);
	return now;
}

static void
says_things(struct seeded *s)
{
	for (int i = 0; i < SAID; i++) {
		struct browser b;

		s->clock.fixed_now += said[i].hours_later * HOUR + 60000;
		b = browser_of(s, "pascal");
		get(&b, WRITE);
		SUBMIT(&b, WRITE, "do", "send", "text", said[i].text);
		if (i != SAID - 1)
			continue;
		submit_form(
		    &b, TIDE, "/react/" POST_ID, (const char *const[]){"like", "off", NULL});
		is_int(submit_form(&b, TIDE, "/react/" POST_ID,
			   (const char *const[]){"like", "like", NULL}),
		    HTTP_SEE_OTHER, "he likes it");
	}
	s->clock.fixed_now += 60000;
}

/* How many of those are there for a stranger, from the oldest: what is left is the older part. */
static int
left(struct seeded *s)
{
	struct str page = visit(s, STR(TIDE "?comments=newest")).body;
	int count = 0, after = 0;

	for (int i = 0; i < SAID; i++) {
		bool there = holds(page, str_of(said[i].text));

		count += there && !after;
		after += !there;
	}
	return count;
}

static void
goes_on(struct browser *admin, int wanted)
{
	for (int i = 0; i < 20 && left(admin->s) != wanted; i++) {
		get(admin, PURGE);
		SUBMIT(admin, PURGE, "do", "on");
	}
	for (int i = 0; i < 20 && (get(admin, PURGE), says(admin, "coming back")); i++)
		SUBMIT(admin, PURGE, "do", "on");
}

static void
span(struct seeded *s, const char *hours, const char *says_what, int stays)
{
	struct browser admin = browser_of(s, "marta"), pascal = browser_of(s, "pascal");
	struct post_stats before = numbers(s);

	get(&admin, PURGE);
	ok(says(&admin, says_what), "of the %s would go: %s", hours, says_what);
	is_int(SUBMIT(&admin, PURGE, "hours", hours, "name", "kofi"), HTTP_UNPROCESSABLE,
	    "not without his name");
	is_int(left(s), SAID, "... and nothing goes");
	get(&admin, PURGE);
	is_int(SUBMIT(&admin, PURGE, "hours", hours, "name", "pascal"), HTTP_SEE_OTHER,
	    "with it, it does");
	goes_on(&admin, stays);
	is_int(left(s), stays, "what is older stays");
	is_int(numbers(s).comments, before.comments - (SAID - stays), "... and counts");
	is_int(numbers(s).likes, before.likes - 1, "his like does not");
	is_int(get(&pascal, "/account"), HTTP_SEE_OTHER, "he is out");
	get(&admin, PURGE);
	is_int(SUBMIT(&admin, PURGE, "do", "restore"), HTTP_SEE_OTHER, "it is restored");
	goes_on(&admin, SAID);
	is_int(left(s), SAID, "... all of it");
	is_int(numbers(s).comments, before.comments, "... to be counted");
	is_int(numbers(s).likes, before.likes, "... the like, too");
}

static void
begin(struct seeded *s, struct table_call *call)
{
	struct plan plan = {.table = s->table,
	    .call = call,
	    .clock = &s->clock,
	    .now = s->clock.fixed_now,
	    .by = STR("marta")};
	struct item item = seeded_item(s, "USER#pascal", "METADATA");
	struct user user;

	user_from_item(s->arena, &item, &user);
	is_int(purge_begin(&plan, &user, plan.now - HOUR), PLAN_DONE, "a purge begins");
	is_int(purge_begin(&plan, &user, plan.now - HOUR), PLAN_CHANGED, "... once");
}

static enum plan_rc
round_of(struct table *table, struct table_call *call, struct clock *clock, bool *done)
{
	struct plan plan = {.table = table, .call = call, .clock = clock, .now = clock->fixed_now};

	return purge_round(&plan, STR("pascal"), done);
}

static void
restores(struct seeded *s, struct table_call *call)
{
	struct plan plan = {.table = s->table,
	    .call = call,
	    .clock = &s->clock,
	    .now = s->clock.fixed_now,
	    .by = STR("marta")};
	bool done = false;

	purge_restore(&plan, STR("pascal"));
	for (int i = 0; i < 20 && !done; i++)
		round_of(s->table, call, &s->clock, &done);
}

/* Between the look at the purge and what it takes, somebody restores it. */
static void
restored_meanwhile(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct failing_table failing;
	const struct change change = {CHANGE_SET, STR("State"), value_string(STR("restoring"))};
	const struct write write = {.kind = WRITE_UPDATE,
	    .key = key_purge(s->arena, STR("pascal")),
	    .changes = &change,
	    .change_count = 1};
	bool done;

	begin(s, &call);
	failing_table_begin(&failing, s->table);
	failing.behind = &write;
	round_of(&failing.table, &call, &s->clock, &done);
	is_int(left(s), SAID, "what is restored meanwhile goes no further");
	restores(s, &call);
	table_release(s->table, &call);
}

static void
set_status(struct seeded *s, struct key key, const char *status)
{
	struct item item =
	    seeded_item(s, str_cstring(s->arena, key.pk), str_cstring(s->arena, key.sk));

	item_set(s->arena, &item, STR("Status"), value_string(str_of(status)));
	seeded_put(s, &item, 1);
}

/* Between the look at what there is and its removal, somebody else removes it: it is counted down once. */
static void
taken_meanwhile(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct failing_table failing;
	struct str page = visit(s, STR(TIDE "?comments=newest")).body;
	struct str id = part(page, "id=\"c-", "\"");
	const struct change change = {CHANGE_SET, STR("Status"), value_string(STR("deleted"))};
	const struct write write = {.kind = WRITE_UPDATE,
	    .key = key_comment(s->arena, STR(POST_ID), id),
	    .changes = &change,
	    .change_count = 1};
	int64_t before = numbers(s).comments;
	bool done;

	failing_table_begin(&failing, s->table);
	begin(s, &call);
	round_of(&failing.table, &call, &s->clock, &done);
	restores(s, &call);
	begin(s, &call);
	failing.behind = &write;
	failing.behind_skips = failing.calls - failing.writes - 1;
	round_of(&failing.table, &call, &s->clock, &done);
	ok(failing.behind == NULL && failing.writes > 1, "somebody else is in between");
	is_int(numbers(s).comments, before, "what somebody else has taken is not counted again");
	set_status(s, write.key, "visible");
	restores(s, &call);
	is_int(left(s), SAID, "... and all is as it was");
	is_int(numbers(s).comments, before, "... in number, too");
	table_release(s->table, &call);
}

struct worker {
	pthread_t thread;
	struct seeded *s;
	pthread_barrier_t *start;
};

static void *
work(void *context)
{
	struct worker *worker = context;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct clock clock = worker->s->clock;
	bool done = false;

	pthread_barrier_wait(worker->start);
	for (int i = 0; i < 5 && !done; i++)
		round_of(worker->s->table, &call, &clock, &done);
	table_release(worker->s->table, &call);
	arena_free(arena);
	return NULL;
}

static void
several_at_once(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct worker workers[WORKERS];
	struct post_stats before = numbers(s);
	pthread_barrier_t start;
	struct item purge;

	begin(s, &call);
	pthread_barrier_init(&start, NULL, WORKERS);
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){.s = s, .start = &start};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			bail_out("no thread");
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_barrier_destroy(&start);
	purge = seeded_item(s, "PURGE#pascal", "METADATA");
	is_int(item_number(&purge, STR("Removed")), 2, "several at once take each thing once");
	is_int(numbers(s).comments, before.comments - 1, "... and count it once");
	is_int(numbers(s).likes, before.likes - 1, "... the like, too");
	restores(s, &call);
	is_int(numbers(s).comments, before.comments, "restored, all is as it was");
	table_release(s->table, &call);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	says_things(&s);
	is_int(left(&s), SAID, "pascal has said something");
	span(&s, "hour", "1 comment, 1 like", 3);
	span(&s, "day", "2 comments, 1 like", 2);
	span(&s, "week", "3 comments, 1 like", 1);
	restored_meanwhile(&s);
	taken_meanwhile(&s);
	several_at_once(&s);
	browsers_close(&s);
	return tap_done();
}
