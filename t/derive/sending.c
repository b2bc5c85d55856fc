/*
 * The sender: each letter is sent once, whatever fails or is killed when and however many send; what a mail server does
 * not take now is tried again later, what it refuses is not; and what is in the letter of the week.
 */
#include "lib/failing_table.h"
#include "t/derive/worker.h"

#include "derive/letters.h"
#include "derive/sender.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_outbox.h"
#include "model/key_post.h"
#include "model/key_work.h"
#include "model/people/digest.h"
#include "model/post/post.h"

enum { MINUTE = 60 * 1000, TURNS_MAX = 1000 };
#define HOUR (INT64_C(60) * MINUTE)
#define DAY (24 * HOUR)

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

/* --- The mail server ---------------------------------------------------------------------------------- */

/* How it answers, and what has arrived there. */
static struct {
	enum mail_end end;
	bool late;   /* it answers so behind the last byte */
	unsigned asked, arrived;
	char to[100], text[8000], id[100], unsubscribe[400];
	void (*meanwhile)(void); /* called right before the last byte */
} post;

static void
keep(char *to, size_t size, struct str text)
{
	snprintf(to, size, "%.*s", STR_ARGS(text));
}

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	post.asked++;
	mail->watch->end = post.end;
	if (post.end != MAIL_SENT && post.end != MAIL_UNSURE && !post.late)
		return "it is said before";
	if (post.meanwhile != NULL)
		post.meanwhile();
	if (!mail->watch->hand(mail->watch)) {
		mail->watch->end = MAIL_STOPPED;
		return "it was stopped";
	}
	if (post.end != MAIL_SENT)
		return "it is said behind it";
	post.arrived++;
	keep(post.to, sizeof(post.to), mail->to);
	keep(post.text, sizeof(post.text), mail->text);
	keep(post.id, sizeof(post.id), mail->id);
	keep(post.unsubscribe, sizeof(post.unsubscribe), mail->unsubscribe);
	return NULL;
}

static void
answers(enum mail_end end, bool late)
{
	post.end = end;
	post.late = late;
	post.asked = post.arrived = 0;
}

/* --- The sender --------------------------------------------------------------------------------------- */

static struct sender *
sender_of(struct table *table)
{
	static const struct mail_transport transport = {.send = send_letter};
	static const struct secrets secrets = {.count = 1};

	return sender_open(&(struct sender_options){.table = table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &secrets,
	    .site = SEEDED_ORIGIN,
	    .lease_ms = 1000});
}

/* Until it has nothing to do, or can't. */
static enum sender_turn
send_all(struct seeded *s)
{
	struct sender *sender = sender_of(s->table);
	enum sender_turn turn = SENDER_WORKED;

	for (int i = 0; i < TURNS_MAX && turn == SENDER_WORKED; i++)
		turn = sender_turn(sender);
	sender_close(sender);
	return turn;
}

static struct letter
letter_of(const char *thing, int64_t made)
{
	return (struct letter){
	    .to = STR("Unoor"), .what = STR("week"), .thing = str_of(thing), .made = made};
}

static void
add(struct seeded *s, const char *thing)
{
	struct table_call call = {.arena = s->arena};
	const struct letter letter = letter_of(thing, clock_now(&s->clock));
	size_t added;

	if (outbox_add(s->table, &call, &letter, 1, clock_now(&s->clock), false, &added) != TABLE_OK ||
	    added != 1)
		bail_out("a letter is not added");
}

static struct letter
fetch_letter(struct seeded *s, const char *thing)
{
	struct letter letter = letter_of(thing, 0);
	struct item *item =
	    stored(s, key_letter(s->arena, letter.to, letter.what, letter.thing));

	if (item == NULL)
		bail_out("the letter is gone");
	bind_read(s->arena, &letter_bindings, item, &letter);
	return letter;
}

static int64_t
state_of(struct seeded *s, struct str attribute)
{
	return item_number(stored(s, key_sender_state()), attribute);
}

/* --- What becomes of letters --------------------------------------------------------------------------- */

static void
sends(struct seeded *s)
{
	char id[100];

	answers(MAIL_SENT, false);
	add(s, "a");
	is_int(send_all(s), SENDER_IDLE, "all that waits is sent");
	is_int(post.arrived, 1, "... and arrives");
	is_str(str_of(post.to), STR("noor@example.org"), "... at the person's address");
	is_str(str_of(post.id), letter_id(s->arena, &(struct letter){.to = STR("Unoor"),
		.what = STR("week"), .thing = STR("a")}), "... with its id");
	is_int(fetch_letter(s, "a").status, LETTER_SENT, "... and is noted as sent");
	is_int(state_of(s, STR("Sent")), 1, "... and counted");
	send_all(s);
	is_int(post.arrived, 1, "it is not sent again");

	strcpy(id, post.id);
	set(s, key_user(s->arena, STR("noor")), STR("Status"), value_string(STR("disabled")));
	add(s, "b");
	send_all(s);
	is_int(post.arrived, 1, "who is shut out meanwhile gets none");
	is_int(fetch_letter(s, "b").status, LETTER_DROPPED, "... and it is dropped");
	set(s, key_user(s->arena, STR("noor")), STR("Status"), value_string(STR("active")));
	add(s, "c");
	send_all(s);
	ok(post.arrived == 2 && strcmp(id, post.id) != 0, "another letter has another id");
}

static void
is_paused(struct seeded *s)
{
	answers(MAIL_SENT, false);
	set(s, key_site_settings(), STR("MailPaused"), value_boolean(true));
	add(s, "paused");
	is_int(send_all(s), SENDER_IDLE, "while letters are paused");
	is_int(post.asked, 0, "... none is sent");
	set(s, key_site_settings(), STR("MailPaused"), value_boolean(false));
	send_all(s);
	is_int(post.arrived, 1, "... and then it is");
}

/* Those to subscribers alone wait, and are in nobody's way. */
static void
subscribers_are_paused(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	const struct letter letter = {.to = STR("Sabc"),
	    .what = STR("post"),
	    .thing = STR("nothing-of-this-name"),
	    .made = clock_now(&s->clock)};
	struct key key = key_letter(s->arena, letter.to, letter.what, letter.thing);
	size_t added;

	answers(MAIL_SENT, false);
	set(s, key_site_settings(), STR("SubscribersPaused"), value_boolean(true));
	if (outbox_add(s->table, &call, &letter, 1, letter.made, false, &added) != TABLE_OK)
		bail_out("a letter is not added");
	add(s, "to a member");
	is_int(send_all(s), SENDER_IDLE, "while letters to subscribers are paused");
	is_int(post.arrived, 1, "... those to members are sent");
	is_str(item_string(stored(s, key), STR("Status")), STR("waiting"), "... and those wait");
	set(s, key_site_settings(), STR("SubscribersPaused"), value_boolean(false));
	s->clock.fixed_now += 11 * MINUTE;
	send_all(s);
	is_str(item_string(stored(s, key), STR("Status")), STR("dropped"),
	    "ten minutes later they are seen to: nobody gets this one");
}

static void
is_refused(struct seeded *s)
{
	answers(MAIL_REFUSED, false);
	add(s, "refused");
	send_all(s);
	is_int(fetch_letter(s, "refused").status, LETTER_REFUSED, "what is refused");
	is_str(fetch_letter(s, "refused").why, STR("it is said before"), "... is noted, with why");
	s->clock.fixed_now += DAY;
	send_all(s);
	is_int(post.asked, 1, "... and not tried again");
	answers(MAIL_REFUSED, true);
	add(s, "refused later");
	send_all(s);
	is_int(fetch_letter(s, "refused later").status, LETTER_REFUSED,
	    "what is refused behind its last byte is refused as well");
}

static void
is_put_off(struct seeded *s, bool late)
{
	const char *thing = late ? "put off behind" : "put off before";
	int64_t begun = clock_now(&s->clock);
	unsigned tries = 0;

	answers(MAIL_LATER, late);
	add(s, thing);
	is_int(send_all(s), SENDER_IDLE, "a letter that is put off, %s its last byte,",
	    late ? "behind" : "before");
	is_int(fetch_letter(s, thing).status, LETTER_WAITING, "... waits");
	s->clock.fixed_now += MINUTE - 1;
	send_all(s);
	is_int(post.asked, 1, "... not for less than a minute");
	s->clock.fixed_now += 1;
	send_all(s);
	is_int(post.asked, 2, "... and is tried again");
	is_int(fetch_letter(s, thing).due - clock_now(&s->clock), 2 * MINUTE,
	    "... the next time after two");
	for (; tries < 100 && fetch_letter(s, thing).status == LETTER_WAITING; tries++) {
		s->clock.fixed_now = fetch_letter(s, thing).due;
		send_all(s);
	}
	is_int(fetch_letter(s, thing).status, LETTER_REFUSED, "it is given up");
	ok(clock_now(&s->clock) - begun > DAY && clock_now(&s->clock) - begun <= 2 * DAY &&
		tries > 10 && tries < 30,
	    "... in the course of the second day, after %u tries", tries + 2);
	add(s, late ? "taken in the end" : "taken");
	send_all(s);
	s->clock.fixed_now += MINUTE;
	answers(MAIL_SENT, false);
	send_all(s);
	is_int(post.arrived, 1, "one that is taken the second time arrives once");
}

static void
is_unsure(struct seeded *s)
{
	answers(MAIL_UNSURE, false);
	add(s, "unsure");
	send_all(s);
	is_int(fetch_letter(s, "unsure").status, LETTER_UNSURE,
	    "what the server may have without having said so is unsure");
	answers(MAIL_SENT, false);
	s->clock.fixed_now += DAY;
	send_all(s);
	is_int(post.asked, 0, "... and not sent again");
	ok(state_of(s, STR("Unsure")) == 1, "... but counted");
}

static void
is_down(struct seeded *s)
{
	answers(MAIL_DOWN, false);
	add(s, "down 1");
	add(s, "down 2");
	is_int(send_all(s), SENDER_DOWN, "without a mail server");
	is_int(post.asked, 1, "... one letter is tried, and the others wait");
	is_int(fetch_letter(s, "down 1").tries, 0, "... nothing is counted against it");
	ok(item_string(stored(s, key_sender_state()), STR("DownSince")).len != 0,
	    "... and it is noted since when");
	answers(MAIL_SENT, false);
	send_all(s);
	is_int(post.arrived, 2, "... when it is back all are sent");
	ok(item_string(stored(s, key_sender_state()), STR("DownSince")).len == 0,
	    "... and that is noted");
}

static void
is_unknown(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct letter letter = letter_of("x", clock_now(&s->clock));
	size_t added;

	letter.what = STR("of-a-later-version");
	answers(MAIL_SENT, false);
	if (outbox_add(s->table, &call, &letter, 1, clock_now(&s->clock), false, &added) != TABLE_OK)
		bail_out("a letter is not added");
	add(s, "known");
	is_int(send_all(s), SENDER_IDLE, "a letter that this version can't write");
	is_int(post.arrived, 1, "... does not hold up the others");
}

/* --- What is killed when -------------------------------------------------------------------------------- */

/*
 * The sender's calls of the table fail, from each in turn on, as if it was killed there; or that one alone.
 */
static void
is_killed(struct seeded *s, bool for_good)
{
	struct failing_table failing;
	unsigned killed = 0, twice = 0, lost = 0, unsure = 0;
	bool whole = false;

	failing_table_begin(&failing, s->table);
	failing.for_good = for_good;
	for (unsigned n = 1; !whole && n < 200; n++, killed++) {
		const char *thing = str_fmt(s->arena, "killed %s at %u", for_good ? "for good" : "once", n).base;
		struct sender *sender = sender_of(&failing.table);
		unsigned after;

		answers(MAIL_SENT, false);
		add(s, thing);
		failing_table_arm(&failing, n, for_good ? TABLE_UNAVAILABLE : TABLE_CORRUPT);
		while (sender_turn(sender) == SENDER_WORKED)
			;
		whole = failing.calls < n;
		after = post.arrived;
		failing_table_arm(&failing, 0, TABLE_OK);
		sender_close(sender);
		/* Its lease is over. */
		s->clock.fixed_now += MINUTE;
		send_all(s);
		s->clock.fixed_now += HOUR;
		send_all(s);
		twice += post.arrived > 1;
		lost += post.arrived == 0;
		unsure += fetch_letter(s, thing).status == LETTER_UNSURE;
		if (fetch_letter(s, thing).status == LETTER_UNSURE)
			ok(after == 1, "what is unsure was with the server");
	}
	ok(killed > 5 && whole, "a sender was killed in each of its calls (%u)", killed);
	is_int(twice, 0, "... and no letter arrived twice");
	is_int(lost, 0, "... and none did not arrive");
	ok(unsure <= 1, "... and at most of one it can't be known");
}

/* The program ends right behind the last byte: before the server has it, or after. */
static void
ends_there(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct letter letter;
	const struct letter_step step = {.status = LETTER_HANDED, .tries = 1};

	answers(MAIL_SENT, false);
	add(s, "ends there");
	letter = fetch_letter(s, "ends there");
	if (outbox_move(s->table, &call, &letter, 1, &step, clock_now(&s->clock)) != TABLE_OK)
		bail_out("a letter is not handed over");
	send_all(s);
	is_int(post.asked, 0, "a letter that is with the server is left alone");
	is_int(fetch_letter(s, "ends there").status, LETTER_HANDED, "... for a while");
	s->clock.fixed_now += LETTER_ANSWER_MS;
	send_all(s);
	is_int(fetch_letter(s, "ends there").status, LETTER_UNSURE, "... then it is unsure");
	is_int(post.asked, 0, "... and never sent again");
}

/* Another sender, which believes to have the lease, does all its work while the first is about to end a letter. */
static struct seeded *both_of;
static void
other_sender(void)
{
	struct table_call call = {.arena = both_of->arena};
	struct write free_lease = {.kind = WRITE_DELETE, .key = key_lease(SENDER_LEASE)};

	post.meanwhile = NULL;
	if (table_write(both_of->table, &call, &free_lease) != TABLE_OK)
		bail_out("the lease stays");
	send_all(both_of);
}

static void
two_at_once(struct seeded *s)
{
	answers(MAIL_SENT, false);
	add(s, "two at once");
	both_of = s;
	post.meanwhile = other_sender;
	send_all(s);
	is_int(post.asked, 2, "two send one letter at once:");
	is_int(post.arrived, 1, "... one ends it");
	is_int(fetch_letter(s, "two at once").status, LETTER_SENT, "... and it is sent");
}

static void
stands_by(struct seeded *s)
{
	struct sender *a = sender_of(s->table), *b;

	is_int(sender_turn(a), SENDER_IDLE, "a sender has the lease");
	b = sender_of(s->table);
	is_int(sender_turn(b), SENDER_STANDS_BY, "... and a second one stands by");
	sender_close(a);
	is_int(sender_turn(b), SENDER_IDLE, "... until it is given up");
	sender_close(b);
}

/* --- The letter of the week ----------------------------------------------------------------------------- */

static void
want_week(struct seeded *s, const char *username, bool wanted, int64_t next)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .clock = &s->clock, .now = clock_now(&s->clock)};

	is_int(digest_set(&plan, str_of(username), wanted, next), PLAN_DONE, "%s %s a letter each week",
	    username, wanted ? "wants" : "wants no more");
}

/* A post of the week, by lowri, becomes one for followers: its title. */
static const char *
closes(struct seeded *s)
{
	const struct item *head = stored(s, key_post(s->arena, STR("what-a-redshank-knows")));
	struct item item = {.count = 0};
	struct post closed;

	post_from_item(s->arena, head, &closed);
	closed.visibility = VISIBILITY_FOLLOWERS;
	post_to_item(s->arena, &closed, &item);
	key_set(s->arena, &item, item_key(head), ITEM_POST);
	key_index_post(s->arena, &item, &closed);
	seeded_put(s, &item, 1);
	return str_cstring(s->arena, closed.title);
}

/* They have what is for followers, if they are. */
static void
of_followers(struct seeded *s)
{
	const char *title = closes(s), *at;

	answers(MAIL_SENT, false);
	want_week(s, "noor", false, 0);
	want_week(s, "noor", true, clock_now(&s->clock));
	send_all(s);
	at = strstr(post.text, "FROM THOSE WHOM YOU FOLLOW");
	ok(at != NULL && strstr(at, title) != NULL && strstr(strstr(at, title) + 1, title) == NULL,
	    "what is for followers is in the letter of who follows, once");
	want_week(s, "noor", false, 0);
	want_week(s, "marta", true, clock_now(&s->clock));
	send_all(s);
	is_int(post.arrived, 2, "another one");
	ok(strstr(post.text, title) == NULL, "... who does not has a letter without it");
	want_week(s, "marta", false, 0);
}

static void
of_the_week(struct seeded *s)
{
	int64_t next;

	time_parse(SEEDED_NOW, &s->clock.fixed_now);
	next = digest_after(NULL, clock_now(&s->clock));
	is_str(time_format(s->arena, next), STR("2026-11-23T07:00:00.000Z"),
	    "the next one comes on Monday at seven");
	is_int(digest_after(NULL, next - 1), next, "... until then");
	is_int(digest_after(NULL, next), next + 7 * DAY, "... and then a week later");
	answers(MAIL_SENT, false);
	want_week(s, "noor", true, next);
	want_week(s, "noor", true, next + DAY);
	send_all(s);
	is_int(post.asked, 0, "before that nothing is sent");
	/* The seed's posts are of the days before. */
	set(s, key_follow(s->arena, STR("noor"), STR("lowri")), STR("Status"), value_string(STR("active")));
	want_week(s, "noor", false, 0);
	want_week(s, "noor", true, clock_now(&s->clock));
	send_all(s);
	is_int(post.arrived, 1, "when it is due it is sent");
	ok(strstr(post.text, "Hello Noor") != NULL, "... to that person");
	ok(strstr(post.text, "\nNEW\n") != NULL || strstr(post.text, "WHOM YOU FOLLOW") != NULL,
	    "... with what was published");
	ok(strstr(post.text, "\nhttps://slack.example/post/") != NULL, "... and where it is");
	ok(strstr(post.text, "by Noor") == NULL, "... and nothing of their own");
	ok(str_starts(str_of(post.unsubscribe), STR("https://slack.example/letters/")) &&
		strstr(post.text, post.unsubscribe) != NULL,
	    "... and the link that ends it");
	send_all(s);
	is_int(post.arrived, 1, "... once");
	s->clock.fixed_now = next - 1;
	send_all(s);
	is_int(post.asked, 1, "... and none until Monday");
	s->clock.fixed_now = next;
	send_all(s);
	is_int(post.asked + (stored(s, key_letter(s->arena, STR("Unoor"), STR("week"),
					   STR("2026-11-23"))) != NULL), 3,
	    "... then the next");
	want_week(s, "noor", false, 0);
	s->clock.fixed_now = next + 7 * DAY;
	send_all(s);
	ok(stored(s, key_letter(s->arena, STR("Unoor"), STR("week"), STR("2026-11-30"))) == NULL,
	    "who wants none any more gets none");
	/* A site that was closed for a month. */
	want_week(s, "noor", true, next);
	s->clock.fixed_now = next + 30 * DAY;
	send_all(s);
	ok(stored(s, key_letter(s->arena, STR("Unoor"), STR("week"), STR("2026-12-21"))) == NULL,
	    "what was missed for days is not made up for");
	is_str(item_string(stored(s, key_digest(s->arena, STR("noor"))), STR("NextAt")),
	    STR("2026-12-28T07:00:00.000Z"), "... and the next one comes in its time");
}

/* --- Where letters begin ------------------------------------------------------------------------------- */

static void
forget_worker(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};

	if (work_forget(s->table, &call) != TABLE_OK)
		bail_out("the worker is not forgotten");
}

/* What waits in a table that was restored or copied may have been sent by the other one. */
static void
from_when(struct seeded *s)
{
	answers(MAIL_SENT, false);
	add(s, "before");
	forget_worker(s);
	is_int(send_all(s), SENDER_IDLE, "before the stream worker has begun in a table");
	is_int(post.asked, 0, "... nothing is sent");
	set(s, key_work_state(), STR("Type"), kind_type(ITEM_WORK_STATE));
	set(s, key_work_state(), STR("Position"), value_string(STR("another table's")));
	is_int(send_all(s), SENDER_IDLE, "... nor where its position is another table's");
	is_int(post.asked, 0, "... as in one that was restored");
	s->clock.fixed_now += MINUTE;
	work(s);
	add(s, "behind");
	send_all(s);
	is_int(post.arrived, 1, "once it has, letters are of what happens from then on");
	is_int(fetch_letter(s, "behind").status, LETTER_SENT, "... of all of it");
	is_int(fetch_letter(s, "before").status, LETTER_DROPPED, "... and what waited is not sent");
	ok(fetch_letter(s, "before").why.len != 0, "... which is noted, with why");
}

/* A table to which the site was handed over sends what the other one would have sent. */
static void
takes_over(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	const struct condition there = {.op = COND_EXISTS, .name = STR("PK")};
	const struct write guard = {
	    .kind = WRITE_CHECK, .key = key_site_settings(), .condition = &there};
	struct test_store other;
	struct table *from = test_store_open(&other, &s->clock);
	struct work_state worked = {.position = STR("there")};

	answers(MAIL_SENT, false);
	add(s, "handed over");
	forget_worker(s);
	s->clock.fixed_now += MINUTE;
	if (work_store(from, &call, &(struct work_state){.position = STR("")}, &worked) != TABLE_OK)
		bail_out("the other table has no worker");
	is_int(work_take_over(s->table, &call, from, &guard), TABLE_OK, "a table takes over,");
	is_int(send_all(s), SENDER_IDLE, "... whose worker has not begun;");
	is_int(post.asked, 0, "... until then nothing is sent,");
	work(s);
	send_all(s);
	is_int(fetch_letter(s, "handed over").status, LETTER_SENT, "... and then what waited there");
	test_store_close(&other);
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	worker_begins(&s);
	sends(&s);
	is_paused(&s);
	subscribers_are_paused(&s);
	is_refused(&s);
	is_down(&s);
	is_unknown(&s);
	stands_by(&s);
	two_at_once(&s);
	is_unsure(&s);
	ends_there(&s);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	is_put_off(&s, false);
	is_put_off(&s, true);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	is_killed(&s, true);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	is_killed(&s, false);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	from_when(&s);
	takes_over(&s);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	of_the_week(&s);
	time_parse(SEEDED_NOW, &s.clock.fixed_now);
	s.clock.fixed_now += DAY;
	of_followers(&s);
	seeded_close(&s);
	return tap_done();
}
