#include "derive/sender.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "derive/letters.h"
#include "derive/mailing.h"
#include "model/key.h"
#include "model/key_outbox.h"
#include "model/key_work.h"
#include "model/site/lease.h"
#include "model/site/unsubscribe.h"
#include "model/site/work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEASE_MS = 60 * 1000,
	IDLE_MS = 2 * 1000,
	STANDBY_PARTS = 8,             /* how often in the time of a lease one that stands by looks at it */
	AT_ONCE = 20,                  /* letters in a turn */
	LATER_MS = 60 * 1000,          /* until the second try; twice as long each time */
	LATER_DOUBLED_MAX = 8,         /* times: about four hours */
	UNKNOWN_MS = 60 * 60 * 1000,   /* until a letter that this version can't write is looked at again */
	PAUSED_MS = 10 * 60 * 1000,    /* the same of one to a subscriber, while these are paused */
	BACK_OFF_MS = 1000,
	BACK_OFF_MAX_MS = 5 * 60 * 1000,
	WEEK_EVERY_MS = 60 * 1000,     /* a look at who is to get a letter of the week */
	MAILING_EVERY_MS = 5 * 1000,   /* a look at what is to be mailed */
	STORE_EVERY_MS = 60 * 1000,    /* what the state counts */
	TOLD_AGAIN_MS = 60 * 60 * 1000,
	RECORD_TRIES = 5,              /* of what became of a letter */
	RECORD_WAIT_MS = 200,          /* behind the first of them */
};

struct sender {
	struct sender_options options;
	struct clock *clock;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;

	struct arena *arena, *letter_arena, *kept; /* of a turn, of a letter, of the lease */
	struct arena *why_arena;
	struct lease lease;
	struct secret_keys keys;
	struct mail_watch watch; /* before `sending`, which it leads to */
	struct {
		struct table_call *call;
		struct letter *letters;
		size_t count;
		enum table_rc rc;
		bool handed;
	} sending;
	bool loaded;
	int64_t from; /* letters are of what happened from then on */
	bool from_told;
	struct sender_state state, stored;
	int64_t store_at, week_at, mailing_at, fail_told_at; /* monotonic */
	int back_off_ms;
};

/* Waits that long, or until it is to stop: then true. */
static bool
rest(struct sender *s, int ms)
{
	const struct timespec until = thread_deadline(ms);
	bool stop;

	pthread_mutex_lock(&s->mutex);
	while (!s->stop && ms > 0 &&
	       pthread_cond_clockwait(&s->wake, &s->mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	stop = s->stop;
	pthread_mutex_unlock(&s->mutex);
	return stop;
}

/* --- A letter ---------------------------------------------------------------------------------------- */

static struct sender *
sender_of(struct mail_watch *watch)
{
	return (struct sender *)((char *)watch - offsetof(struct sender, watch));
}

/* What becomes of the letters that are being sent. */
static enum table_rc
move(struct sender *s, enum letter_status status, int64_t due, int64_t tries, struct str why)
{
	const struct letter_step step = {.status = status, .due = due, .tries = tries, .why = why};

	return outbox_move(s->options.table, s->sending.call, s->sending.letters, s->sending.count,
	    &step, clock_now(s->clock));
}

static bool
hand(struct mail_watch *watch)
{
	struct sender *s = sender_of(watch);

	s->sending.rc = move(s, LETTER_HANDED, 0, 1, STR(""));
	s->sending.handed = s->sending.rc == TABLE_OK;
	return s->sending.handed;
}

static bool
stopped(struct mail_watch *watch)
{
	return rest(sender_of(watch), 0);
}

static int64_t
next_try(const struct sender *s, int64_t tries)
{
	int64_t doubled = tries < LATER_DOUBLED_MAX ? tries : LATER_DOUBLED_MAX;

	return clock_now(s->clock) + ((int64_t)LATER_MS << doubled);
}

static bool
is_elsewhere(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CANCELLED || rc == TABLE_CONFLICT;
}

/* Does the table fail, whatever the letter is? */
static bool
is_outage(enum table_rc rc)
{
	return rc == TABLE_UNAVAILABLE || rc == TABLE_THROTTLED || rc == TABLE_DEADLINE ||
	       rc == TABLE_FULL;
}

/* What became of them is worth some tries: without, nobody would know whether they were sent. */
static enum table_rc
record(struct sender *s, enum letter_status status, int64_t due, int64_t tries, struct str why)
{
	enum table_rc rc = move(s, status, due, tries, why);

	for (int i = 1; i < RECORD_TRIES && rc != TABLE_OK && !is_elsewhere(rc); i++) {
		if (rest(s, i * RECORD_WAIT_MS))
			break;
		rc = move(s, status, due, tries, why);
	}
	return rc;
}

static void
tell(struct sender *s, const struct letter *letter, const char *what, const char *why)
{
	log_line(s->options.log, LOG_WARNING, "A letter (%.*s, %.*s) %s: %s.", STR_ARGS(letter->what),
	    STR_ARGS(letter_id(s->sending.call->arena, letter)), what, why);
}

/* Not now: later, unless it would be too old then. */
static enum table_rc
put_off(struct sender *s, const char *why)
{
	const struct letter *letter = &s->sending.letters[0];
	int64_t due = next_try(s, letter->tries - s->sending.handed);

	if (due < letter_until(letter))
		return record(s, LETTER_WAITING, due, s->sending.handed ? 0 : 1, str_of(why));
	tell(s, letter, "is given up", why);
	s->state.refused += (int64_t)s->sending.count;
	return record(s, LETTER_REFUSED, 0, 0, str_of(why));
}

static void
set_down(struct sender *s, const char *why)
{
	if (s->state.down_since == 0) {
		s->state.down_since = clock_now(s->clock);
		log_line(s->options.log, LOG_WARNING, "Letters wait for the mail server: %s.", why);
	}
	arena_reset(s->why_arena);
	s->state.why = str_dup(s->why_arena, str_of(why));
}

static void
set_up(struct sender *s)
{
	if (s->state.down_since != 0)
		log_line(s->options.log, LOG_INFO, "The mail server can be used again.");
	s->state.down_since = 0;
	s->state.why = STR("");
}

/* How sending ended; *down: the server can't be used. */
static enum table_rc
take_end(struct sender *s, const char *why, bool *down)
{
	int64_t count = (int64_t)s->sending.count;

	if (s->watch.end != MAIL_DOWN && s->watch.end != MAIL_STOPPED)
		set_up(s);
	switch (s->watch.end) {
	case MAIL_SENT: s->state.sent += count; return record(s, LETTER_SENT, 0, 0, STR(""));
	case MAIL_REFUSED:
		tell(s, &s->sending.letters[0], "was refused", why);
		s->state.refused += count;
		return record(s, LETTER_REFUSED, 0, s->sending.handed ? 0 : 1, str_of(why));
	case MAIL_LATER: return put_off(s, why);
	case MAIL_UNSURE:
		tell(s, &s->sending.letters[0], "may have arrived, and is not sent again", why);
		s->state.unsure += count;
		return record(s, LETTER_UNSURE, 0, 0, str_of(why));
	case MAIL_DOWN: set_down(s, why); *down = true; return TABLE_OK;
	case MAIL_STOPPED: break;
	}
	/* Somebody else has it, or the table failed, or all ends. */
	return s->sending.rc;
}

static enum table_rc
send_written(struct sender *s, struct letter_writing *w, bool *down)
{
	const char *why;

	s->sending.letters = w->letters;
	s->sending.count = w->count;
	s->sending.rc = TABLE_OK;
	s->sending.handed = false;
	w->mail.id = letter_id(w->call->arena, &w->letters[0]);
	w->mail.watch = &s->watch;
	why = s->options.transport->send(s->options.transport, &w->mail, w->call->arena);
	return take_end(s, why != NULL ? why : "", down);
}

static enum table_rc
write_and_send(struct sender *s, struct table_call *call, const struct settings *settings,
    struct letter *letter, bool *down)
{
	const struct letter_kind *kind = letter_kind_find(letter->what);
	struct letter_writing w = {.table = s->options.table,
	    .call = call,
	    .clock = s->clock,
	    .site = s->options.site,
	    .settings = settings,
	    .keys = &s->keys,
	    .letters = arena_array(call->arena, LETTERS_AT_ONCE, sizeof(*letter)),
	    .count = 1};
	enum table_rc rc;

	w.letters[0] = *letter;
	if (kind == NULL)
		return move(s, LETTER_WAITING, clock_now(s->clock) + UNKNOWN_MS, 0, STR(""));
	rc = kind->write(&w);
	if (rc != TABLE_OK)
		return rc;
	switch (w.outcome) {
	case LETTER_WRITTEN: return send_written(s, &w, down);
	case LETTER_POSTPONED: return move(s, LETTER_WAITING, w.later, 0, STR(""));
	case LETTER_NOTHING: break;
	}
	return move(s, LETTER_DROPPED, 0, 0, STR(""));
}

/* It tells of what was before this table was, and may have been sent by the one that this was made of. */
static enum table_rc
leave_out(struct sender *s)
{
	if (!s->from_told)
		log_line(s->options.log, LOG_NOTICE,
		    "Letters about what was before %.*s, when this table was begun, are not sent.",
		    STR_ARGS(time_format(s->sending.call->arena, s->from)));
	s->from_told = true;
	return move(s, LETTER_DROPPED, 0, 0, STR("it tells of what was before the table was begun"));
}

/* As it is now, as the index that it was found in may be behind. */
static enum table_rc
see_to(struct sender *s, struct table_call *call, const struct settings *settings,
    struct letter *letter, bool *down)
{
	struct read read = {.kind = READ_GET,
	    .consistent = true,
	    .key = key_letter(call->arena, letter->to, letter->what, letter->thing)};
	int64_t now = clock_now(s->clock);
	enum table_rc rc = table_read(s->options.table, call, &read, 1);
	struct letter is = {0};

	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	bind_read(call->arena, &letter_bindings, read.item, &is);
	s->sending.call = call;
	s->sending.letters = &is;
	s->sending.count = 1;
	s->sending.handed = false;
	if (is.due > now)
		return TABLE_OK;
	if (is.status == LETTER_HANDED) {
		tell(s, &is, "may have arrived, and is not sent again",
		    "the program ended while the server had it");
		s->state.unsure++;
		return move(s, LETTER_UNSURE, 0, 0, STR(""));
	}
	if (is.status != LETTER_WAITING)
		return TABLE_OK;
	if (is.made < s->from)
		return leave_out(s);
	if (settings->subscribers_paused && letter_is_subscribers(&is))
		return move(s, LETTER_WAITING, now + PAUSED_MS, 0, STR(""));
	rc = write_and_send(s, call, settings, &is, down);
	return rc == TABLE_OK || is_elsewhere(rc) || is_outage(rc)
		   ? rc
		   : put_off(s, call->why != NULL ? call->why : table_rc_text(rc));
}

/* --- A turn ------------------------------------------------------------------------------------------ */

/* Has the stream worker begun in this table? What it has stored elsewhere is no position in this one's stream. */
static enum table_rc
has_begun(struct sender *s, struct table_call *call, const struct work_state *work, bool *begun)
{
	struct change_page page;
	enum table_rc rc;

	*begun = false;
	if (work->position.len == 0)
		return TABLE_OK;
	rc = table_changes(s->options.table, call, work->position, 1, &page);
	*begun = rc == TABLE_OK;
	return rc == TABLE_TRIMMED || rc == TABLE_BAD_CURSOR ? TABLE_OK : rc;
}

/* *begun: letters may be sent. */
static enum table_rc
load(struct sender *s, struct table_call *call, struct settings *settings, bool *begun)
{
	struct read reads[] = {{.kind = READ_GET, .key = key_site_settings()},
	    {.kind = READ_GET, .key = key_work_state(), .consistent = true},
	    {.kind = READ_GET, .key = key_sender_state(), .consistent = true}};
	enum table_rc rc = table_read(s->options.table, call, reads, s->loaded ? 2 : 3);
	struct work_state work;

	if (rc != TABLE_OK)
		return rc;
	settings_from_item(call->arena, reads[0].item, settings);
	work_state_from_item(call->arena, reads[1].item, &work);
	s->from = work.letters_from;
	*begun = true;
	if (s->loaded)
		return TABLE_OK;
	rc = has_begun(s, call, &work, begun);
	if (rc != TABLE_OK || !*begun)
		return rc;
	s->state = (struct sender_state){0};
	if (reads[2].item != NULL)
		bind_read(call->arena, &sender_state_bindings, reads[2].item, &s->state);
	arena_reset(s->why_arena);
	s->state.why = str_dup(s->why_arena, s->state.why);
	s->stored = s->state;
	s->loaded = true;
	return TABLE_OK;
}

/* Not with each letter, as that would be one write more. */
static enum table_rc
store(struct sender *s, struct table_call *call, bool now)
{
	bool turned = (s->state.down_since != 0) != (s->stored.down_since != 0);
	bool same = !turned && s->state.sent == s->stored.sent &&
		    s->state.refused == s->stored.refused && s->state.unsure == s->stored.unsure;
	enum table_rc rc;

	if (!s->loaded || same || (!now && !turned && clock_monotonic(s->clock) < s->store_at))
		return TABLE_OK;
	s->state.stored = clock_now(s->clock);
	rc = sender_state_store(s->options.table, call, &s->state);
	if (rc == TABLE_OK) {
		s->stored = s->state;
		s->store_at = clock_monotonic(s->clock) + STORE_EVERY_MS;
	}
	return rc;
}

static enum table_rc
send_due(struct sender *s, struct table_call *call, const struct settings *settings, bool *busy,
    bool *down)
{
	struct letter *letters;
	size_t count;
	enum table_rc rc = outbox_due(
	    s->options.table, call, clock_now(s->clock), AT_ONCE, &letters, &count);

	for (size_t i = 0; rc == TABLE_OK && i < count && !*down && !rest(s, 0); i++) {
		struct table_call own = {.arena = s->letter_arena, .background = true};

		arena_reset(s->letter_arena);
		*busy = true;
		rc = see_to(s, &own, settings, &letters[i], down);
		if (is_elsewhere(rc))
			rc = TABLE_OK;
		if (rc != TABLE_OK && own.why != NULL)
			call->why = str_cstring(call->arena, str_of(own.why));
		table_release(s->options.table, &own);
	}
	return rc;
}

/* Now and then: nobody waits for these to the second. */
static enum table_rc
add_week(struct sender *s, struct table_call *call, const struct settings *settings, bool *busy)
{
	int64_t now = clock_monotonic(s->clock);
	enum table_rc rc;

	if (now < s->week_at)
		return TABLE_OK;
	rc = letter_week_add(s->options.table, call, s->clock, settings, busy);
	if (rc == TABLE_OK && !*busy)
		s->week_at = now + WEEK_EVERY_MS;
	return rc;
}

static enum table_rc
add_mailings(struct sender *s, struct table_call *call, const struct settings *settings, bool *busy)
{
	int64_t now = clock_monotonic(s->clock);
	bool more = false;
	enum table_rc rc;

	if (now < s->mailing_at)
		return TABLE_OK;
	rc = mailing_step(s->options.table, call, s->clock, settings, s->from, &more);
	if (is_elsewhere(rc))
		rc = TABLE_OK;
	if (rc == TABLE_OK && !more)
		s->mailing_at = now + MAILING_EVERY_MS;
	*busy = *busy || more;
	return rc;
}

static void
tell_failure(struct sender *s, const struct table_call *call, enum table_rc rc)
{
	int64_t now = clock_monotonic(s->clock);

	if (now < s->fail_told_at)
		return;
	s->fail_told_at = now + TOLD_AGAIN_MS;
	log_line(s->options.log, LOG_WARNING, "Letters wait for the table: %s.",
	    call->why != NULL ? call->why : table_rc_text(rc));
}

enum sender_turn
sender_turn(struct sender *s)
{
	struct table_call call = {.arena = s->arena, .background = true};
	bool held = false, begun = false, busy = false, down = false, sends;
	struct settings settings;
	enum table_rc rc;

	arena_reset(s->arena);
	rc = lease_keep(s->options.table, &call, &s->lease, clock_now(s->clock), &held);
	if (rc == TABLE_OK && !held) {
		s->loaded = false;
		table_release(s->options.table, &call);
		return SENDER_STANDS_BY;
	}
	if (rc == TABLE_OK)
		rc = load(s, &call, &settings, &begun);
	sends = rc == TABLE_OK && begun && !settings.mail_paused;
	if (sends)
		rc = add_week(s, &call, &settings, &busy);
	if (sends && rc == TABLE_OK && !settings.subscribers_paused)
		rc = add_mailings(s, &call, &settings, &busy);
	if (sends && rc == TABLE_OK)
		rc = send_due(s, &call, &settings, &busy, &down);
	if (rc == TABLE_OK)
		rc = store(s, &call, false);
	table_release(s->options.table, &call);
	if (!busy || down)
		mail_hang_up(&s->watch);
	if (rc != TABLE_OK) {
		tell_failure(s, &call, rc);
		return SENDER_FAILED;
	}
	s->fail_told_at = 0;
	return down ? SENDER_DOWN : busy ? SENDER_WORKED : SENDER_IDLE;
}

/* --- The thread -------------------------------------------------------------------------------------- */

static void *
run(void *context)
{
	struct sender *s = context;
	int ms = 0;

	while (!rest(s, ms)) {
		enum sender_turn turn = sender_turn(s);

		if (turn != SENDER_FAILED && turn != SENDER_DOWN)
			s->back_off_ms = 0;
		switch (turn) {
		case SENDER_WORKED: ms = 0; break;
		case SENDER_IDLE: ms = s->options.idle_ms; break;
		case SENDER_STANDS_BY: ms = s->options.lease_ms / STANDBY_PARTS; break;
		case SENDER_DOWN:
		case SENDER_FAILED:
			s->back_off_ms = s->back_off_ms != 0 ? 2 * s->back_off_ms : BACK_OFF_MS;
			if (s->back_off_ms > BACK_OFF_MAX_MS)
				s->back_off_ms = BACK_OFF_MAX_MS;
			ms = s->back_off_ms;
			break;
		}
	}
	return NULL;
}

void
sender_close(struct sender *s)
{
	struct table_call call = {.arena = s->arena};

	arena_reset(s->arena);
	(void)store(s, &call, true);
	(void)lease_give(s->options.table, &call, &s->lease);
	table_release(s->options.table, &call);
	mail_hang_up(&s->watch);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->mutex);
	arena_free(s->arena);
	arena_free(s->letter_arena);
	arena_free(s->why_arena);
	arena_free(s->kept);
	free(s);
}

struct sender *
sender_open(const struct sender_options *options)
{
	struct sender *s = calloc(1, sizeof(*s));

	if (s == NULL)
		out_of_memory();
	s->options = *options;
	if (s->options.lease_ms == 0)
		s->options.lease_ms = LEASE_MS;
	if (s->options.idle_ms == 0)
		s->options.idle_ms = IDLE_MS;
	s->clock = options->table->clock;
	s->arena = arena_new();
	s->letter_arena = arena_new();
	s->why_arena = arena_new();
	s->kept = arena_new();
	s->watch = (struct mail_watch){.hand = hand, .stopped = stopped};
	s->lease = (struct lease){.work = SENDER_LEASE,
	    .holder = id_new(s->kept, s->clock),
	    .lasts = s->options.lease_ms};
	secrets_derive(options->secrets, UNSUBSCRIBE_PURPOSE, &s->keys);
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->wake, NULL);
	return s;
}

struct sender *
sender_start(const struct sender_options *options)
{
	struct sender *s = sender_open(options);
	int error = thread_start(&s->thread, run, s);

	if (error == 0)
		return s;
	log_line(options->log, LOG_ERROR, "No thread to send letters: %s.", strerror(error));
	sender_close(s);
	return NULL;
}

void
sender_stop(struct sender *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->mutex);
	s->stop = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->mutex);
	pthread_join(s->thread, NULL);
	sender_close(s);
}
