#include "server/sweeper.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "model/people/leaving.h"
#include "model/people/name.h"
#include "model/people/purge.h"
#include "model/reader/erasure.h"
#include "model/reader/rating_move.h"
#include "model/reader/tally.h"
#include "model/site/last_known_time.h"
#include "model/site/lease.h"
#include "model/site/work.h"
#include "table/table.h"
#include "web/media/media_store.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	SWEPT_AT_ONCE = 200,
	ROUNDS = 500,
	LEASE_MS = 10 * 60 * 1000,
	DAY_MS = 24 * 60 * 60 * 1000,
	TOLD_AGAIN_MS = 60 * 60 * 1000, /* for the log: that the clock is not trusted, or the table is unavailable */
};

struct sweeper {
	struct table *table;
	struct media_store *media;
	const struct log *log;
	int first_ms, every_ms;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;
	struct arena *arena; /* of the lease */
	struct lease lease;
	struct last_known_time known;
	bool failed; /* in this round */
	/*
	 * on the monotonic clock: not before these is it logged again that the clock is not
	 * trusted, and that a round failed
	 */
	int64_t tell_at, complain_at;
};

/* Waits that long, or until it is stopped: then true. */
static bool
rest(struct sweeper *s, int ms)
{
	const struct timespec until = thread_deadline(ms);
	bool stop;

	pthread_mutex_lock(&s->mutex);
	while (!s->stop &&
	       pthread_cond_clockwait(&s->wake, &s->mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	stop = s->stop;
	pthread_mutex_unlock(&s->mutex);
	return stop;
}

static void
say_why(struct sweeper *s, const struct table_call *call, enum table_rc rc)
{
	int64_t now = clock_monotonic(s->table->clock);

	s->failed = true;
	if (now < s->complain_at)
		return;
	s->complain_at = now + TOLD_AGAIN_MS;
	log_line(s->log, LOG_WARNING, "Removing expired items failed: %s.",
	    call->why != NULL ? call->why : table_rc_text(rc));
}

/* Does this process hold the lease? */
static bool
is_ours(struct sweeper *s, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	bool held = false;
	enum table_rc rc;

	arena_reset(arena);
	rc = lease_keep(s->table, &call, &s->lease, clock_now(s->table->clock), &held);
	if (rc != TABLE_OK)
		say_why(s, &call, rc);
	table_release(s->table, &call);
	return held;
}

static void
tell_of_clock(struct sweeper *s, struct arena *arena)
{
	int64_t now = clock_monotonic(s->table->clock);

	if (now < s->tell_at)
		return;
	s->tell_at = now + TOLD_AGAIN_MS;
	log_line(s->log, LOG_ERROR,
	    "The clock says %.*s, but the last time recorded in the table is %.*s. "
	    "Expired items are not removed until somebody saves a post. If the clock is right, "
	    "`broadsheet "
	    "table confirm-clock` says so; if it is wrong, set it.",
	    STR_ARGS(time_format(arena, clock_now(s->table->clock))),
	    STR_ARGS(time_format(arena, s->known.ms)));
}

/* May items that have expired by the clock be removed? See model/site/last_known_time.h. */
static bool
is_late_enough(struct sweeper *s, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	bool trusted = false;
	enum table_rc rc;

	arena_reset(arena);
	rc =
	    last_known_time_check(s->table, &call, &s->known, clock_now(s->table->clock), &trusted);
	if (rc != TABLE_OK)
		say_why(s, &call, rc);
	table_release(s->table, &call);
	if (rc == TABLE_OK && !trusted)
		tell_of_clock(s, arena);
	if (trusted)
		s->tell_at = 0;
	return trusted;
}

/*
 * Checked before each step: all of them together may take longer than the lease, or than the clock
 * is right.
 */
static bool
goes_on(struct sweeper *s, struct arena *arena)
{
	return !rest(s, 0) && is_ours(s, arena) && is_late_enough(s, arena);
}

/* The stream is kept for as long as the stream worker needs it. */
static void
keep_stream(struct sweeper *s, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	int64_t handled_to;
	enum table_rc rc;

	arena_reset(arena);
	rc = work_handled_to(s->table, &call, &handled_to);
	if (rc == TABLE_OK)
		s->table->stream_read_to = handled_to;
	else
		say_why(s, &call, rc);
	table_release(s->table, &call);
}

/* One round: small transactions, so that no writer waits long for one of them. */
static void
sweep(struct sweeper *s, struct arena *arena)
{
	uint32_t removed = SWEPT_AT_ONCE;

	keep_stream(s, arena);
	while (removed == SWEPT_AT_ONCE && goes_on(s, arena)) {
		struct table_call call = {.arena = arena};
		enum table_rc rc;

		arena_reset(arena);
		rc = table_sweep(s->table, &call, SWEPT_AT_ONCE, &removed);
		if (rc != TABLE_OK) {
			say_why(s, &call, rc);
			return;
		}
	}
}

/* Removes or hands over what belongs to people who leave, a round at a time. */
static void
see_off(struct sweeper *s, struct arena *arena)
{
	enum plan_rc rc = PLAN_DONE;
	bool some = true, done = false;

	for (int i = 0; i < ROUNDS && rc == PLAN_DONE && some && goes_on(s, arena); i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {
		    .table = s->table, .call = &call, .now = clock_now(s->table->clock)};
		struct str username;

		arena_reset(arena);
		rc = leaving_next(&plan, &username);
		some = username.len != 0;
		if (rc == PLAN_DONE && some)
			rc = leaving_round(&plan, username, &done);
		table_release(s->table, &call);
		if (rc != PLAN_DONE)
			log_line(s->log, LOG_WARNING, "Closing an account failed: %s.",
			    table_rc_text(plan.failed));
	}
}

static void
purge(struct sweeper *s, struct arena *arena)
{
	enum plan_rc rc = PLAN_DONE;
	bool some = true, done = false;

	for (int i = 0; i < ROUNDS && rc == PLAN_DONE && some && goes_on(s, arena); i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {.table = s->table,
		    .call = &call,
		    .clock = s->table->clock,
		    .now = clock_now(s->table->clock)};
		struct str username;

		arena_reset(arena);
		rc = purge_next(&plan, &username);
		some = username.len != 0;
		if (rc == PLAN_DONE && some)
			rc = purge_round(&plan, username, &done);
		table_release(s->table, &call);
		if (rc == PLAN_TABLE)
			log_line(s->log, LOG_WARNING, "A purge failed: %s.",
			    table_rc_text(plan.failed));
	}
}

/* Erases what moderators have hidden, 30 days after. */
static void
erase_hidden(struct sweeper *s, struct arena *arena)
{
	enum plan_rc rc = PLAN_DONE;
	bool done = false;

	for (int i = 0; i < ROUNDS && rc == PLAN_DONE && !done && goes_on(s, arena); i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {.table = s->table,
		    .call = &call,
		    .clock = s->table->clock,
		    .now = clock_now(s->table->clock)};

		arena_reset(arena);
		rc = erasure_round(&plan, &done);
		table_release(s->table, &call);
		if (rc != PLAN_DONE)
			log_line(s->log, LOG_WARNING, "Erasing what was hidden failed: %s.",
			    table_rc_text(plan.failed));
	}
}

/* Removes the pictures that nothing shows, of people who have left. */
static void
clear_pictures(struct sweeper *s, struct arena *arena)
{
	bool more = s->media != NULL;

	for (int i = 0; i < ROUNDS && more && goes_on(s, arena); i++) {
		struct table_call call = {.arena = arena};
		enum table_rc rc;

		arena_reset(arena);
		rc =
		    media_store_clear(s->media, s->table, &call, clock_now(s->table->clock), &more);
		table_release(s->table, &call);
		if (rc != TABLE_OK)
			log_line(s->log, LOG_WARNING, "Clearing pictures failed: %s.",
			    table_rc_text(rc));
		if (rc != TABLE_OK)
			return;
	}
}

/*
 * Guards the names that are not guarded yet: after the start, and once a day. Mostly it only reads.
 */
static void
guard_names(struct sweeper *s, struct arena *arena, int64_t *next)
{
	int64_t now = clock_monotonic(s->table->clock);
	size_t added;
	enum table_rc rc;

	if (now < *next || !goes_on(s, arena))
		return;
	rc = names_guard_all(s->table, &added);
	if (rc == TABLE_OK)
		*next = now + DAY_MS;
	else
		log_line(s->log, LOG_WARNING, "Guarding names failed: %s.", table_rc_text(rc));
}

/* Makes the tallies of an older table: after the start, and once a day. Mostly it only reads. */
static void
make_tallies(struct sweeper *s, struct arena *arena, int64_t *next)
{
	int64_t now = clock_monotonic(s->table->clock);
	size_t made;
	enum table_rc rc;

	if (now < *next || !goes_on(s, arena))
		return;
	rc = tally_make_all(s->table, &made);
	if (rc == TABLE_OK)
		*next = now + DAY_MS;
	else
		log_line(
		    s->log, LOG_WARNING, "Making tallies of threads failed: %s.", table_rc_text(rc));
}

/* Ratings of posts that are public no more, or are again. Does not depend on the clock being right. */
static void
move_ratings(struct sweeper *s, struct arena *arena)
{
	size_t worked = 1;

	for (int i = 0; i < ROUNDS && worked != 0 && !rest(s, 0) && is_ours(s, arena); i++) {
		struct table_call call = {.arena = arena};
		enum table_rc rc;

		arena_reset(arena);
		rc = rating_move_step(s->table, &call, clock_now(s->table->clock), &worked);
		table_release(s->table, &call);
		if (rc != TABLE_OK) {
			say_why(s, &call, rc);
			return;
		}
	}
}

/* So that another process need not wait until it expires. */
static void
give_up_lease(struct sweeper *s, struct arena *arena)
{
	struct table_call call = {.arena = arena};

	arena_reset(arena);
	(void)lease_give(s->table, &call, &s->lease);
	table_release(s->table, &call);
}

static void *
run(void *context)
{
	struct sweeper *s = context;
	struct arena *arena = arena_new();
	int64_t names_next = INT64_MIN, tallies_next = INT64_MIN;

	for (int ms = s->first_ms; !rest(s, ms); ms = s->every_ms) {
		s->failed = false;
		move_ratings(s, arena);
		if (goes_on(s, arena)) {
			sweep(s, arena);
			purge(s, arena);
			erase_hidden(s, arena);
			see_off(s, arena);
			clear_pictures(s, arena);
		}
		if (!s->failed)
			s->complain_at = 0;
		guard_names(s, arena, &names_next);
		make_tallies(s, arena, &tallies_next);
	}
	give_up_lease(s, arena);
	arena_free(arena);
	return NULL;
}

struct sweeper *
sweeper_start(struct table *table, struct media_store *media, const struct log *log, int first_ms,
    int every_ms)
{
	struct sweeper *s = calloc(1, sizeof(*s));
	int error;

	if (s == NULL)
		out_of_memory();
	s->table = table;
	s->media = media;
	s->log = log;
	s->first_ms = first_ms;
	s->every_ms = every_ms;
	s->arena = arena_new();
	s->known.arena = arena_new();
	s->lease = (struct lease){
	    .work = STR("sweep"), .holder = id_new(s->arena, table->clock), .lasts = LEASE_MS};
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->wake, NULL);
	error = thread_start(&s->thread, run, s);
	if (error == 0)
		return s;
	log_line(log, LOG_WARNING, "No thread to remove expired items: %s.", strerror(error));
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->mutex);
	arena_free(s->known.arena);
	arena_free(s->arena);
	free(s);
	return NULL;
}

void
sweeper_stop(struct sweeper *s)
{
	if (s == NULL)
		return;
	pthread_mutex_lock(&s->mutex);
	s->stop = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->mutex);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->mutex);
	arena_free(s->known.arena);
	arena_free(s->arena);
	free(s);
}
