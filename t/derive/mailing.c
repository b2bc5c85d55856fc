/*
 * The publication by mail: a new public post goes to each subscriber once, a letter a week to the others, and nothing else
 * goes to anybody: nothing old, imported, edited, published again or taken back, whatever the worker is killed in, however many
 * work at once, and whatever the clock does.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "derive/letters.h"
#include "derive/mailing.h"
#include "derive/sender.h"
#include "model/key.h"
#include "model/key_outbox.h"
#include "model/post/writing.h"
#include "model/site/mailing.h"
#include "model/site/subscriber.h"

#include <stdlib.h>

enum { MINUTE = 60 * 1000, STEPS_MAX = 2000 };
#define HOUR (INT64_C(60) * MINUTE)
#define DAY (24 * HOUR)

/* --- Who gets letters --------------------------------------------------------------------------------- */

static struct plan
plan_of_test(struct seeded *s, struct table_call *call)
{
	*call = (struct table_call){.arena = s->arena};
	return (struct plan){.table = s->table, .call = call, .clock = &s->clock,
	    .now = s->clock.fixed_now, .by = STR("kofi"), .by_name = STR("Kofi")};
}

static struct subscriber
asks(struct seeded *s, const char *address, enum rhythm rhythm)
{
	struct table_call call;
	struct plan plan = plan_of_test(s, &call);
	struct subscriber subscriber;

	if (subscriber_ask(&plan, str_of(address), rhythm, &subscriber) != PLAN_DONE)
		bail_out("nobody subscribes");
	return subscriber;
}

static struct subscriber
subscribes(struct seeded *s, const char *address, enum rhythm rhythm)
{
	struct table_call call;
	struct plan plan = plan_of_test(s, &call);
	struct subscriber subscriber = asks(s, address, rhythm);

	if (subscriber_confirm(&plan, &subscriber) != PLAN_DONE)
		bail_out("nobody confirms");
	subscriber.status = SUBSCRIBER_CONFIRMED;
	s->clock.fixed_now++;
	return subscriber;
}

static void
leaves(struct seeded *s, const struct subscriber *subscriber)
{
	struct table_call call;
	struct plan plan = plan_of_test(s, &call);

	if (subscriber_end(&plan, subscriber) != PLAN_DONE)
		bail_out("nobody goes");
}

/* --- What is written ---------------------------------------------------------------------------------- */

static struct draft
draft_of(const char *id, enum visibility visibility)
{
	return (struct draft){.post = {.slug = str_of(id),
				  .title = str_of(id),
				  .excerpt = STR("How it begins."),
				  .author = STR("kofi"),
				  .author_name = STR("Kofi"),
				  .kind = KIND_ARTICLE,
				  .status = STATUS_PUBLISHED,
				  .visibility = visibility},
	    .body = {.markdown = STR("Text."), .html = STR("<p>Text.</p>")}};
}

static void
creates(struct seeded *s, struct draft draft)
{
	struct table_call call;
	struct plan plan = plan_of_test(s, &call);

	if (writing_create(&plan, &draft) != PLAN_DONE)
		bail_out("no post is made");
}

static void
publishes(struct seeded *s, const char *id)
{
	creates(s, draft_of(id, VISIBILITY_PUBLIC));
}

static struct written
written_of(struct seeded *s, struct plan *plan, const char *id)
{
	struct written written;
	bool there;

	if (written_get(plan, str_of(id), &written, &there) != TABLE_OK || !there)
		bail_out("no such post");
	(void)s;
	return written;
}

/* Saves it with another status and date; 0: as it is. */
static void
saves(struct seeded *s, const char *id, enum post_status status, int64_t at)
{
	struct table_call call;
	struct plan plan = plan_of_test(s, &call);
	struct written was = written_of(s, &plan, id);
	struct draft draft = {.post = was.post, .body = was.body};

	draft.post.status = status;
	if (at != 0)
		draft.post.published = at;
	if (writing_save(&plan, &was, &draft) != PLAN_DONE)
		bail_out("it can't be saved");
}

/* --- What is mailed ----------------------------------------------------------------------------------- */

/* One step; *busy as there. */
static enum table_rc
step(struct seeded *s, struct table *table, bool *busy)
{
	static const struct settings settings;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	enum table_rc rc = mailing_step(table, &call, &s->clock, &settings, 0, busy);

	table_release(table, &call);
	arena_free(arena);
	return rc;
}

static void
mails(struct seeded *s)
{
	bool busy = true;
	int i = 0;

	while (busy && i++ < STEPS_MAX)
		if (step(s, s->table, &busy) != TABLE_OK)
			bail_out("a step fails");
	if (i >= STEPS_MAX)
		bail_out("mailing finds no end");
}

/* How many letters wait that tell of it. */
static int64_t
waiting_of(struct seeded *s, const char *thing)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_outbox();
	struct item *found;
	size_t count;
	int64_t n = 0;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &found, &count, &query.cursor) != TABLE_OK)
		bail_out("a query fails");
	for (size_t i = 0; i < count; i++)
		n += thing == NULL || str_eq(item_string(&found[i], STR("Thing")), str_of(thing));
	return n;
}

/* A minute and a second later, so that what has appeared is mailed. */
static void
waits(struct seeded *s)
{
	s->clock.fixed_now += MINUTE + 1000;
	mails(s);
}

/* --- The mail server ---------------------------------------------------------------------------------- */

static struct {
	unsigned arrived;
	char to[100], subject[200], text[8000], unsubscribe[400];
} post;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	mail->watch->end = MAIL_SENT;
	if (!mail->watch->hand(mail->watch)) {
		mail->watch->end = MAIL_STOPPED;
		return "it was stopped";
	}
	post.arrived++;
	snprintf(post.to, sizeof(post.to), "%.*s", STR_ARGS(mail->to));
	snprintf(post.subject, sizeof(post.subject), "%.*s", STR_ARGS(mail->subject));
	snprintf(post.text, sizeof(post.text), "%.*s", STR_ARGS(mail->text));
	snprintf(post.unsubscribe, sizeof(post.unsubscribe), "%.*s", STR_ARGS(mail->unsubscribe));
	return NULL;
}

/* The sender as a whole, until it has nothing to do; how many letters arrived. */
static unsigned
sends(struct seeded *s)
{
	static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
	static const struct mail_transport transport = {.send = send_letter};
	static const struct secrets secrets = {.count = 1};
	struct sender *sender = sender_open(&(struct sender_options){.table = s->table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &secrets,
	    .site = SEEDED_ORIGIN,
	    .lease_ms = 1000});
	unsigned before = post.arrived;
	int i = 0;

	while (sender_turn(sender) == SENDER_WORKED && i++ < STEPS_MAX)
		;
	sender_close(sender);
	return post.arrived - before;
}

/* --- Posts -------------------------------------------------------------------------------------------- */

static void
posts(struct seeded *s)
{
	struct subscriber reader = subscribes(s, "reader@example.org", RHYTHM_EACH), ended;

	subscribes(s, "weekly@example.org", RHYTHM_WEEKLY);
	asks(s, "waits@example.org", RHYTHM_EACH);
	ended = subscribes(s, "gone@example.org", RHYTHM_EACH);
	leaves(s, &ended);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "what was there before is not mailed");

	publishes(s, "a-new-post");
	s->clock.fixed_now += MINUTE - 1000;
	mails(s);
	is_int(waiting_of(s, NULL), 0, "for a minute a new post is not mailed");
	subscribes(s, "late@example.org", RHYTHM_EACH);
	s->clock.fixed_now += 2000;
	mails(s);
	is_int(waiting_of(s, NULL), 1, "then it goes to who was confirmed before it, and to nobody else");
	is_int(sends(s), 1, "... it arrives");
	is_str(str_of(post.to), STR("reader@example.org"), "... there");
	is_str(str_of(post.subject), STR("a-new-post"), "... says what it is");
	ok(str_find(str_of(post.text), '\n') != 0 &&
		holds(str_of(post.text), STR("by Kofi")) &&
		holds(str_of(post.text), STR("How it begins.")) &&
		holds(str_of(post.text), STR("https://slack.example/post/a-new-post\n")),
	    "... by whom, how it begins, and where it is");
	ok(holds(str_of(post.text),
	       STR_CONCAT(s->arena, STR("https://slack.example/subscribe/"),
		   subscriber_code(s->arena, &reader), STR("\n"))),
	    "... and the reader's own link");
	is_str(str_of(post.unsubscribe),
	    STR_CONCAT(s->arena, STR("https://slack.example/subscribe/"),
		subscriber_code(s->arena, &reader), STR("/end")),
	    "... one click ends it");
	waits(s);
	is_int(sends(s), 0, "... once");
}

/* Whatever becomes of a post that was mailed, it is not mailed again. */
static void
once(struct seeded *s)
{
	const char *id = "a-new-post";

	saves(s, id, STATUS_PUBLISHED, 0);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "a post that is edited is not mailed");
	saves(s, id, STATUS_UNPUBLISHED, 0);
	waits(s);
	saves(s, id, STATUS_PUBLISHED, 0);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "... nor one that is published again");
	saves(s, id, STATUS_PUBLISHED, s->clock.fixed_now);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "... nor one of another date");
	saves(s, id, STATUS_DRAFT, 0);
	saves(s, id, STATUS_PUBLISHED, 0);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "... nor one that was a draft in between");
	s->clock.fixed_now += 30 * DAY;
	saves(s, id, STATUS_PUBLISHED, s->clock.fixed_now);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "... not even when its letters are forgotten");
}

static void
not_mailed(struct seeded *s)
{
	struct draft draft = draft_of("imported", VISIBILITY_PUBLIC);

	draft.keeps_times = true;
	creates(s, draft);
	creates(s, draft_of("for-followers", VISIBILITY_FOLLOWERS));
	creates(s, draft_of("for-me", VISIBILITY_PRIVATE));
	draft = draft_of("a-static-page", VISIBILITY_PUBLIC);
	draft.post.kind = KIND_PAGE;
	creates(s, draft);
	draft = draft_of("a-draft", VISIBILITY_PUBLIC);
	draft.post.status = STATUS_DRAFT;
	creates(s, draft);
	draft = draft_of("dated-back", VISIBILITY_PUBLIC);
	draft.post.published = s->clock.fixed_now - HOUR;
	creates(s, draft);
	waits(s);
	is_int(waiting_of(s, NULL), 0,
	    "an import, what is not for everybody, pages, drafts and what is dated back are not mailed");
	draft = draft_of("for-followers-first", VISIBILITY_FOLLOWERS);
	creates(s, draft);
	waits(s);
	publishes(s, "after-those");
	waits(s);
	is_int(waiting_of(s, "after-those"), 2, "what comes after them is");
	sends(s);
}

static void
taken_back(struct seeded *s)
{
	struct subscriber leaving = subscribes(s, "leaving@example.org", RHYTHM_EACH);

	publishes(s, "too-early");
	s->clock.fixed_now += MINUTE / 2;
	saves(s, "too-early", STATUS_UNPUBLISHED, 0);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "what is taken back within a minute is not mailed");

	publishes(s, "regretted");
	waits(s);
	is_int(waiting_of(s, "regretted"), 3, "what is taken back later");
	saves(s, "regretted", STATUS_UNPUBLISHED, 0);
	is_int(sends(s), 0, "... is not sent");

	publishes(s, "good-bye");
	waits(s);
	leaves(s, &leaving);
	is_int(sends(s), 2, "who goes while a letter waits gets none");
}

static void
scheduled(struct seeded *s)
{
	struct draft draft = draft_of("tomorrow", VISIBILITY_PUBLIC);

	draft.post.published = s->clock.fixed_now + DAY;
	creates(s, draft);
	draft.post.slug = STR("tomorrow-too");
	creates(s, draft);
	waits(s);
	is_int(waiting_of(s, NULL), 0, "a scheduled post waits");
	s->clock.fixed_now = draft.post.published + 2 * HOUR;
	mails(s);
	ok(waiting_of(s, "tomorrow") == 2 && waiting_of(s, "tomorrow-too") == 2,
	    "... until its time, also when nothing ran just then; and so does one of the same moment");
	is_int(sends(s), 4, "... and is sent");
	publishes(s, "nobody-ran");
	s->clock.fixed_now += 3 * DAY;
	mails(s);
	is_int(waiting_of(s, "nobody-ran"), 0, "what is older than two days is not mailed any more");
	sends(s);
}

static void
jumps(struct seeded *s)
{
	int64_t now = s->clock.fixed_now;

	s->clock.fixed_now += 100 * DAY;
	publishes(s, "from-the-future");
	waits(s);
	sends(s);
	s->clock.fixed_now = now;
	mails(s);
	s->clock.fixed_now += 1000;
	publishes(s, "in-time-again");
	waits(s);
	is_int(waiting_of(s, "in-time-again"), 2, "after a clock that was ahead new posts are mailed");
	is_int(sends(s), 2, "... and sent");
}

/* --- Weeks -------------------------------------------------------------------------------------------- */

static void
weeks(struct seeded *s)
{
	struct mailing_state state;
	struct table_call call = {.arena = s->arena};
	bool there;

	(void)mailing_state_get(s->table, &call, &state, &there);
	is_int(time_date(state.week).weekday, 1, "the next letter of the week is on a Monday");
	ok(state.week > s->clock.fixed_now && state.week <= s->clock.fixed_now + 7 * DAY,
	    "... the next one");
	s->clock.fixed_now = state.week - HOUR;
	publishes(s, "of-this-week");
	waits(s);
	sends(s);
	s->clock.fixed_now = state.week - 1;
	publishes(s, "just-in-time");
	s->clock.fixed_now = state.week;
	mails(s);
	is_int(waiting_of(s, str_cstring(s->arena, str_sub(time_format(s->arena, state.week), 0, 10))),
	    1, "it goes to who wants it");
	is_int(sends(s), 1, "... and arrives");
	is_str(str_of(post.to), STR("weekly@example.org"), "... there");
	is_str(str_of(post.subject), STR("Slack Water: this week"), "... says what it is");
	ok(holds(str_of(post.text), STR("of-this-week\nby Kofi\nhttps://slack.example/post/of-this-week\n")) &&
		holds(str_of(post.text), STR("just-in-time")),
	    "... has what appeared");
	ok(!holds(str_of(post.text), STR("imported")) && !holds(str_of(post.text), STR("regretted")) &&
		!holds(str_of(post.text), STR("for-followers")),
	    "... and nothing else");
	waits(s);
	is_int(sends(s), 2, "each post goes to the others");
	s->clock.fixed_now = state.week + 7 * DAY;
	mails(s);
	is_int(waiting_of(s, NULL), 0, "a week in which nothing appeared has no letter");
	s->clock.fixed_now += 6 * DAY;
	publishes(s, "of-the-third-week");
	waits(s);
	sends(s);
	s->clock.fixed_now += 5 * DAY;
	mails(s);
	is_int(waiting_of(s, NULL), 0, "... and neither has one that is over for days");
}

/* --- Killed, and two at once -------------------------------------------------------------------------- */

enum { MANY = 60 }; /* more than are added at once */

static void
many(struct seeded *s)
{
	for (int i = 0; i < MANY - 2; i++)
		subscribes(s, str_cstring(s->arena, str_fmt(s->arena, "many%d@example.org", i)),
		    RHYTHM_EACH);
}

/* The n-th call of the table fails, and a new worker goes on; for each n. */
static void
killed(struct seeded *s)
{
	struct failing_table failing;
	unsigned n = 1, wrong = 0;
	bool fails = true;

	failing_table_begin(&failing, s->table);
	for (; fails && n < 200; n++) {
		const char *id = str_cstring(s->arena, str_fmt(s->arena, "killed-%u", n));
		bool busy = true;

		publishes(s, id);
		s->clock.fixed_now += MINUTE + 1000;
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		fails = false;
		while (busy && !fails)
			fails = step(s, &failing.table, &busy) != TABLE_OK;
		mails(s);
		wrong += waiting_of(s, id) != MANY;
		is_int(sends(s), MANY, "killed in call %u, and each has one letter", n);
	}
	ok(n > 10, "%u calls", n - 1);
	is_int(wrong, 0, "... after each the letters are complete");
}

/* In front of the table: before its n-th call another worker does all that there is. */
static struct {
	struct seeded *s;
	unsigned left;
	enum table_rc (*read)(struct table *, struct table_call *, struct read *, size_t);
	enum table_rc (*write)(struct table *, struct table_call *, struct write *);
	enum table_rc (*transact)(
	    struct table *, struct table_call *, struct write *, size_t, struct str);
} other;

static void
other_works(void)
{
	if (other.left != 0 && --other.left == 0)
		mails(other.s);
}

static enum table_rc
read_beside(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	other_works();
	return other.read(table, call, reads, count);
}

static enum table_rc
write_beside(struct table *table, struct table_call *call, struct write *write)
{
	other_works();
	return other.write(table, call, write);
}

static enum table_rc
transact_beside(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	other_works();
	return other.transact(table, call, writes, count, token);
}

static void
two(struct seeded *s)
{
	struct failing_table front;
	struct table_engine engine;
	unsigned n = 1;
	bool beside = true;

	failing_table_begin(&front, s->table);
	engine = *front.table.engine;
	other.s = s;
	other.read = engine.read;
	other.write = engine.write;
	other.transact = engine.transact;
	engine.read = read_beside;
	engine.write = write_beside;
	engine.transact = transact_beside;
	front.table.engine = &engine;
	for (; beside && n < 200; n++) {
		const char *id = str_cstring(s->arena, str_fmt(s->arena, "beside-%u", n));
		bool busy = true;

		publishes(s, id);
		s->clock.fixed_now += MINUTE + 1000;
		other.left = n;
		for (int i = 0; busy && i < STEPS_MAX; i++)
			(void)step(s, &front.table, &busy);
		beside = other.left == 0;
		mails(s);
		is_int(sends(s), MANY, "another one works before call %u, and each has one letter", n);
	}
	ok(n > 10, "%u calls", n - 1);
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	worker_begins(&s);
	mails(&s);
	posts(&s);
	once(&s);
	not_mailed(&s);
	taken_back(&s);
	scheduled(&s);
	jumps(&s);
	weeks(&s);
	many(&s);
	killed(&s);
	two(&s);
	seeded_close(&s);
	return tap_done();
}
