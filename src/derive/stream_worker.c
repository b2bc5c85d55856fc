#include "derive/stream_worker.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "derive/rebuild.h"
#include "derive/rows.h"
#include "model/key.h"
#include "model/key_search.h"
#include "model/key_work.h"
#include "model/people/common.h"
#include "model/post/count.h"
#include "model/site/lease.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEASE_MS = 15 * 1000,
	IDLE_MS = 200,
	STANDBY_PARTS = 8, /* how often in the time of a lease one that stands by looks at it */
	TRIES = 5,         /* of a subject, before it is parked */
	STORE_AFTER_MS = 10 * 1000, /* of a position behind which nothing was done */
	BACK_OFF_MS = 200,
	BACK_OFF_MAX_MS = 30 * 1000,
	REBUILD_AGAIN_MS = 10 * 60 * 1000,
	REBUILD_FIRST_MS = 60 * 1000, /* so long changes wait for a rebuild that has begun */
	FOLD_MS = 10 * 1000, /* the default, if the engine does not say */
	FOLDS_MAX = 500,
	DUE_MS = 1000, /* how often it looks for what is due */
	DERIVATIONS_MAX = 32,
	SUBJECTS_A_HAND = 4,
	SHED_EVERY = 64,    /* subjects, where memory is short */
	LAG_MS = 60 * 1000, /* from here on it is logged */
	TOLD_AGAIN_MS = 60 * 60 * 1000,
	SLOTS = 4096, /* a power of two */
};

/* The subjects of a batch, each once. */
struct subjects {
	struct {
		const struct derivation *derivation;
		struct str subject;
	} *all;
	size_t count, capacity;
	size_t *slots; /* 1 and the number of the subject; 0: free. As many as a power of two */
	size_t slot_count;
};

struct stream_worker {
	struct stream_worker_options options;
	struct clock *clock;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;

	struct arena *arena;  /* of a step */
	struct arena *kept;   /* of the lease */
	struct arena *states[2]; /* of the next two */
	struct lease lease;
	bool loaded; /* they are this table's */
	struct work_state stored, state; /* what the table has, and how far we are */
	struct rebuild rebuild;
	struct derive derive; /* of the rebuild */
	struct str rebuild_names[DERIVATIONS_MAX];
	struct arena *rebuild_arena; /* of its cursor */
	bool rebuilding;
	int64_t rebuild_at;    /* on the monotonic clock: not before, after a failure */
	int64_t rebuild_first; /* the same: until then changes wait for it */

	int64_t fold_at;   /* on the monotonic clock: when counts are folded next */
	int64_t due_at;    /* the same: when it looks for what is due */
	int64_t stored_at; /* on the monotonic clock: the position */
	bool moved;        /* it was stored before changes that concern somebody */
	int back_off_ms;    /* 0: the last step did not fail */
	int64_t fail_told_at, lag_told_at; /* not before these again; monotonic */
};

/* Waits that long, or until it is to stop: then true. */
static bool
rest(struct stream_worker *w, int ms)
{
	const struct timespec until = thread_deadline(ms);
	bool stop;

	pthread_mutex_lock(&w->mutex);
	while (!w->stop && ms > 0 &&
	       pthread_cond_clockwait(&w->wake, &w->mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	stop = w->stop;
	pthread_mutex_unlock(&w->mutex);
	return stop;
}

/* --- The state ---------------------------------------------------------------------------------------- */

/* Keeps a state, of which `of` is the arena; it must not point into that. */
static void
keep_state(struct arena *of, const struct work_state *from, struct work_state *to)
{
	struct work_state copy = *from;

	arena_reset(of);
	copy.position = str_dup(of, from->position);
	*to = copy;
}

static enum table_rc
store_state(struct stream_worker *w, struct table_call *call)
{
	enum table_rc rc;

	w->state.stored_at = clock_now(w->clock);
	rc = work_store(w->options.table, call, &w->stored, &w->state);
	if (rc == TABLE_OK) {
		keep_state(w->states[0], &w->state, &w->stored);
		w->stored_at = clock_monotonic(w->clock);
		w->moved = false;
	}
	return rc;
}

static bool
is_ours(const struct stream_worker *w, const struct derivation *derivation)
{
	return w->options.without.len == 0 || !str_eq(derivation->name, w->options.without);
}

/* Which of our derivations the table has of an older version, or not at all. */
static struct strings_value
outdated(const struct stream_worker *w, struct arena *arena, const struct work *work)
{
	struct str *names = ARENA_ARRAY(arena, derivation_count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < derivation_count; i++) {
		const struct work_derived *derived = work_find_derived(work, derivations[i].name);

		if (is_ours(w, &derivations[i]) &&
		    (derived == NULL || derived->version < derivations[i].version))
			names[count++] = derivations[i].name;
	}
	return (struct strings_value){names, count};
}

/* The cursor is new with each step. */
static void
keep_cursor(struct stream_worker *w, struct str cursor)
{
	arena_reset(w->rebuild_arena);
	w->rebuild.state.cursor = str_dup(w->rebuild_arena, cursor);
}

/* The rebuild that is under way. Derivations that this program does not know are another's. */
static void
take_rebuild(struct stream_worker *w, const struct work_rebuild *state)
{
	size_t count = 0;

	for (size_t i = 0; i < state->names.count; i++) {
		const struct derivation *derivation = derivation_find(state->names.strings[i]);

		if (derivation != NULL && count < DERIVATIONS_MAX)
			w->rebuild_names[count++] = derivation->name;
	}
	rebuild_drop(&w->rebuild);
	w->rebuild.state = *state;
	w->rebuild.state.names = (struct strings_value){w->rebuild_names, count};
	keep_cursor(w, state->cursor);
	w->rebuilding = true;
	w->rebuild_at = 0;
	w->rebuild_first = clock_monotonic(w->clock) + REBUILD_FIRST_MS;
}

static enum table_rc
begin_rebuild(struct stream_worker *w, struct table_call *call, const struct work *work,
    struct strings_value names, const char *why)
{
	const struct work_rebuild is = {.names = names, .begun = clock_now(w->clock)};
	enum table_rc rc =
	    work_store_rebuild(w->options.table, call, work->rebuilding ? &work->rebuild : NULL, &is);

	if (rc != TABLE_OK)
		return rc;
	log_line(w->options.log, LOG_INFO, "What is derived is made anew (%.*s): %s.",
	    STR_ARGS(str_join(call->arena, names.strings, names.count, STR(", "))), why);
	take_rebuild(w, &is);
	return TABLE_OK;
}

/* From here on, since what came before is lost or was never read; so everything is made anew. */
static enum table_rc
begin_here(struct stream_worker *w, struct table_call *call, const struct work *work, const char *why)
{
	const struct work_rebuild all =
	    rebuild_all_but(call->arena, w->options.without, clock_now(w->clock));
	struct work_state is = w->state;
	struct change_page page;
	enum table_rc rc = table_changes(w->options.table, call, STREAM_NOW, 1, &page);

	if (rc != TABLE_OK)
		return rc;
	/* First the rebuild: if only that is stored, the next start finds no position, and begins both again. */
	rc = begin_rebuild(w, call, work, all.names, why);
	if (rc != TABLE_OK)
		return rc;
	/* This may be a copy of a table that has sent what waits here; one that takes over says from when on. */
	if (is.position.len != 0 || is.letters_from == 0)
		is.letters_from = clock_now(w->clock);
	is.position = page.next;
	is.record_at = clock_now(w->clock);
	keep_state(w->states[1], &is, &w->state);
	return store_state(w, call);
}

static enum table_rc
load(struct stream_worker *w, struct table_call *call)
{
	struct work work;
	struct strings_value names;
	enum table_rc rc = work_load(w->options.table, call, &work);

	if (rc != TABLE_OK)
		return rc;
	keep_state(w->states[0], &work.state, &w->stored);
	keep_state(w->states[1], &work.state, &w->state);
	w->rebuilding = false;
	names = outdated(w, call->arena, &work);
	if (work.state.position.len == 0)
		rc = begin_here(w, call, &work, "the stream of changes was not read yet");
	else if (work.rebuilding)
		take_rebuild(w, &work.rebuild);
	else if (names.count != 0)
		rc = begin_rebuild(
		    w, call, &work, names, "this version of the program derives it differently");
	w->loaded = rc == TABLE_OK;
	w->stored_at = clock_monotonic(w->clock);
	return rc;
}

/* --- A batch ------------------------------------------------------------------------------------------ */

static void
subjects_add(struct subjects *s, const struct derivation *derivation, struct str subject)
{
	size_t at = (common_hash(subject) ^ (uintptr_t)derivation >> 4) & (s->slot_count - 1);

	for (; s->slots[at] != 0; at = (at + 1) & (s->slot_count - 1)) {
		size_t i = s->slots[at] - 1;

		if (s->all[i].derivation == derivation && str_eq(s->all[i].subject, subject))
			return;
	}
	s->all[s->count].derivation = derivation;
	s->all[s->count].subject = subject;
	s->slots[at] = ++s->count;
}

static void
collect(const struct stream_worker *w, struct arena *arena, const struct change_page *page,
    struct subjects *out)
{
	*out = (struct subjects){.slot_count = SLOTS};
	while (out->slot_count < 2 * page->count * derivation_count)
		out->slot_count *= 2;
	assert((out->slot_count & (out->slot_count - 1)) == 0);
	out->slots = ARENA_ARRAY(arena, out->slot_count, size_t);
	out->all = arena_array(arena, page->count * derivation_count + 1, sizeof(*out->all));
	for (size_t r = 0; r < page->count; r++) {
		struct key key = page->records[r].key;
		const struct kind *kind = kind_of_key(key);

		for (size_t i = 0; i < derivation_count && !key_is_search_data(key); i++) {
			struct str subject = derivations[i].subject(arena, key, kind);

			if (subject.len != 0 && is_ours(w, &derivations[i]))
				subjects_add(out, &derivations[i], subject);
		}
	}
}

/* Does the table fail, whatever the subject is? */
static bool
is_outage(enum table_rc rc)
{
	return rc == TABLE_UNAVAILABLE || rc == TABLE_THROTTLED || rc == TABLE_DEADLINE ||
	       rc == TABLE_FULL;
}

static enum table_rc
park(struct stream_worker *w, struct table_call *call, const struct derivation *derivation,
    struct str subject, const char *why)
{
	const struct work_parked parked = {.derivation = derivation->name,
	    .subject = subject,
	    .why = str_of(why),
	    .created = clock_now(w->clock)};

	log_line(w->options.log, LOG_ERROR,
	    "%.*s of %.*s can't be derived, and was parked: %s. `broadsheet work --retry` tries again.",
	    STR_ARGS(derivation->name), STR_ARGS(subject), why);
	return work_park(w->options.table, call, &parked);
}

/* One subject, or it is parked. Fails only when the table does. */
static enum table_rc
derive_or_park(struct stream_worker *w, struct table_call *call, const struct derivation *derivation,
    struct str subject, int64_t *written)
{
	struct derive d = {.table = w->options.table,
	    .call = call,
	    .clock = w->clock,
	    .site = w->options.site};
	enum table_rc rc = TABLE_OK;

	for (int i = 0; i < TRIES; i++) {
		d.differences = 0;
		rc = derive_subject(&d, derivation, subject);
		if (rc == TABLE_OK || is_outage(rc))
			break;
	}
	*written += d.differences;
	if (rc == TABLE_OK || is_outage(rc))
		return rc;
	return park(w, call, derivation, subject, call->why != NULL ? call->why : table_rc_text(rc));
}

/*
 * The first record that concerns somebody, NULL: none does. The worker's own don't: else each position stored would be
 * a reason to store the next one.
 */
static const struct change_record *
oldest(const struct change_page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (!key_is_work(page->records[i].key))
			return &page->records[i];
	return NULL;
}

/* By the oldest record of a page that has been handled. */
static void
tell_lag(struct stream_worker *w, const struct change_record *record)
{
	int64_t now = clock_now(w->clock), monotonic = clock_monotonic(w->clock);
	int64_t lag = record != NULL ? now - record->time : 0;
	int64_t pace = work_pace(&w->state, now).a_second;

	if (lag >= LAG_MS && monotonic >= w->lag_told_at) {
		w->lag_told_at = monotonic + TOLD_AGAIN_MS;
		log_line(w->options.log, LOG_WARNING,
		    "What is derived is %" PRId64 " seconds behind the changes; %" PRId64
		    " a second are handled.",
		    lag / 1000, pace);
	} else if (lag < LAG_MS && w->lag_told_at != 0) {
		w->lag_told_at = 0;
		log_line(w->options.log, LOG_INFO,
		    "What is derived has caught up with the changes, at %" PRId64 " a second.", pace);
	}
}

/* --- Several subjects at once ------------------------------------------------------------------------- */

/*
 * The subjects of a batch are independent of each other: a few threads take them in turns, as most of a subject's time is spent
 * waiting for the table. Where two of them write the same item, such as the notification of a post that two have commented
 * on, the write of the later one is late, and its subject is derived again.
 */
struct shift {
	struct stream_worker *worker;
	const struct subjects *subjects;
	_Atomic size_t next; /* that nobody has taken; whoever takes one finishes it */
	_Atomic bool ends;   /* nobody takes another one */
};

struct hand {
	struct shift *shift;
	struct table_call call;
	pthread_t thread;
	int64_t written;
	enum table_rc rc;
};

static void *
derive_in_turn(void *context)
{
	struct hand *hand = context;
	struct shift *shift = hand->shift;
	const struct subjects *subjects = shift->subjects;
	size_t i;

	while (!shift->ends && !rest(shift->worker, 0) && (i = shift->next++) < subjects->count) {
		hand->rc = derive_or_park(shift->worker, &hand->call, subjects->all[i].derivation,
		    subjects->all[i].subject, &hand->written);
		if (hand->rc != TABLE_OK)
			shift->ends = true;
		if (shift->worker->options.alone && i % SHED_EVERY == 0)
			table_shed(shift->worker->options.table);
	}
	return NULL;
}

/* One for every few subjects, and no more than the table takes. */
static size_t
hands_for(const struct stream_worker *w, size_t subjects)
{
	size_t most = (size_t)w->options.table->engine->at_once,
	       wanted = 1 + subjects / SUBJECTS_A_HAND;

	if (most == 0)
		most = 1;
	return wanted < most ? wanted : most;
}

/* *all: of each, and not stopped before the end. */
static enum table_rc
derive_all(struct stream_worker *w, struct table_call *call, const struct subjects *subjects,
    bool *all, int64_t *written)
{
	struct shift shift = {.worker = w, .subjects = subjects};
	size_t count = hands_for(w, subjects->count), started = 1;
	struct hand *hands = ARENA_ARRAY(call->arena, count, struct hand);
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; i < count; i++)
		hands[i] = (struct hand){
		    .shift = &shift, .call = {.arena = arena_new(), .background = true}};
	while (started < count &&
	       thread_start(&hands[started].thread, derive_in_turn, &hands[started]) == 0)
		started++;
	(void)derive_in_turn(&hands[0]);
	for (size_t i = 0; i < count; i++) {
		if (i != 0 && i < started)
			pthread_join(hands[i].thread, NULL);
		*written += hands[i].written;
		if (hands[i].rc != TABLE_OK && rc == TABLE_OK) {
			rc = hands[i].rc;
			if (hands[i].call.why != NULL)
				call->why = str_cstring(call->arena, str_of(hands[i].call.why));
		}
		arena_free(hands[i].call.arena);
	}
	*all = rc == TABLE_OK && shift.next >= subjects->count;
	return rc;
}

/*
 * *busy: there was something to do. The position is stored when something was derived, and else now and then: to skip the same
 * records twice does no harm.
 */
static enum table_rc
handle(struct stream_worker *w, struct table_call *call, const struct change_page *page, bool *busy)
{
	const struct change_record *first = oldest(page);
	int64_t begun = clock_micros();
	struct work_state is = w->state;
	struct subjects subjects;
	bool all;
	enum table_rc rc;

	collect(w, call->arena, page, &subjects);
	rc = derive_all(w, call, &subjects, &all, &is.written);
	if (rc != TABLE_OK || !all)
		return rc;
	*busy = first != NULL;
	is.position = page->next;
	is.handled += (int64_t)page->count;
	if (page->count != 0)
		is.record_at = page->records[page->count - 1].time;
	if (*busy)
		work_count(&is, clock_now(w->clock), (int64_t)page->count, clock_micros() - begun);
	keep_state(w->states[1], &is, &w->state);
	tell_lag(w, first);
	w->moved = w->moved || *busy;
	if (subjects.count == 0 &&
	    (!w->moved || clock_monotonic(w->clock) - w->stored_at < STORE_AFTER_MS))
		return TABLE_OK;
	return store_state(w, call);
}

/* The stream no longer has what follows the position, or never had it, as after a restore. */
static enum table_rc
begin_again(struct stream_worker *w, struct table_call *call)
{
	struct work work;
	enum table_rc rc = work_load(w->options.table, call, &work);

	return rc == TABLE_OK
		   ? begin_here(w, call, &work, "the stream no longer has the changes since the last ones")
		   : rc;
}

/*
 * What a rebuild writes into facts, such as HTML, are changes, too: each would index a text by itself which the rebuild indexes
 * together with others. That of a small site is over before changes are waited for; a long one goes on beside them.
 */
static bool
rebuild_is_first(const struct stream_worker *w)
{
	int64_t now = clock_monotonic(w->clock);

	return w->rebuilding && now >= w->rebuild_at && now < w->rebuild_first;
}

static enum table_rc
batch(struct stream_worker *w, struct table_call *call, bool *busy)
{
	struct change_page page;
	enum table_rc rc;

	if (rebuild_is_first(w))
		return TABLE_OK;
	rc = table_changes(w->options.table, call, w->state.position, TABLE_CHANGES_MAX, &page);
	if (rc == TABLE_TRIMMED || rc == TABLE_BAD_CURSOR)
		return begin_again(w, call);
	return rc == TABLE_OK ? handle(w, call, &page, busy) : rc;
}

/* --- What is due --------------------------------------------------------------------------------------- */

/* All that follows from a post is derived as if its head had been changed. */
static enum table_rc
derive_due(struct stream_worker *w, struct table_call *call, const struct due *due)
{
	struct key head = key_post(call->arena, due->post);
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < derivation_count; i++) {
		struct str subject = derivations[i].subject(call->arena, head, &item_kinds[ITEM_POST]);

		if (subject.len != 0 && is_ours(w, &derivations[i]) &&
		    derivations[i].derive != due_derive)
			rc = derive_or_park(w, call, &derivations[i], subject, &w->state.written);
	}
	return rc == TABLE_OK ? due_done(w->options.table, call, due) : rc;
}

/* Scheduled posts whose time has come. */
static enum table_rc
take_due(struct stream_worker *w, struct table_call *call, bool *busy)
{
	int64_t now = clock_monotonic(w->clock);
	struct due due[DUE_MAX];
	size_t count;
	enum table_rc rc;

	if (now < w->due_at)
		return TABLE_OK;
	rc = due_find(w->options.table, call, clock_now(w->clock), due, &count);
	for (size_t i = 0; rc == TABLE_OK && i < count && !rest(w, 0); i++)
		rc = derive_due(w, call, &due[i]);
	if (rc != TABLE_OK)
		return rc;
	*busy = *busy || count != 0;
	if (count < DUE_MAX)
		w->due_at = now + DUE_MS;
	return TABLE_OK;
}

/* --- The rebuild -------------------------------------------------------------------------------------- */

/* A rebuild stops where something can't be derived; the changes go on, and it is tried again later. */
static enum table_rc
rebuild_on(struct stream_worker *w, bool *busy)
{
	struct table_call call = {.arena = arena_new(), .background = true};
	bool done = false;
	enum table_rc rc;

	if (clock_monotonic(w->clock) < w->rebuild_at) {
		arena_free(call.arena);
		return TABLE_OK;
	}
	w->derive = (struct derive){.table = w->options.table,
	    .call = &call,
	    .clock = w->clock,
	    .site = w->options.site};
	w->rebuild.derive = &w->derive;
	rc = rebuild_step_kept(&w->rebuild, &done);
	if (w->options.alone)
		table_shed(w->options.table);
	if (rc == TABLE_OK && done) {
		w->rebuilding = false;
		log_line(w->options.log, LOG_INFO,
		    "What is derived was made anew: %" PRId64 " items read, %" PRId64
		    " differences, in %" PRId64 " seconds.",
		    w->rebuild.state.items, w->rebuild.state.differences,
		    (clock_now(w->clock) - w->rebuild.state.begun) / 1000);
	} else if (rc == TABLE_OK) {
		keep_cursor(w, w->rebuild.state.cursor);
	} else if (rc == TABLE_CONDITION) {
		w->loaded = false;
	} else if (!is_outage(rc)) {
		w->rebuild_at = clock_monotonic(w->clock) + REBUILD_AGAIN_MS;
		log_line(w->options.log, LOG_ERROR, "Making anew what is derived stops here for now: %s.",
		    call.why != NULL ? call.why : table_rc_text(rc));
	}
	*busy = true;
	arena_free(call.arena);
	return is_outage(rc) ? rc : TABLE_OK;
}

/* --- Counts ------------------------------------------------------------------------------------------- */

/* Of all posts at once, because each fold outdates cached pages. */
static enum table_rc
fold_counts(struct stream_worker *w, struct table_call *call)
{
	int64_t now = clock_monotonic(w->clock);
	int every = w->options.table->engine->fold_ms;
	size_t folded = 1;
	enum table_rc rc = TABLE_OK;

	if (now < w->fold_at)
		return TABLE_OK;
	for (int i = 0; i < FOLDS_MAX && folded != 0 && rc == TABLE_OK && !rest(w, 0); i++)
		rc = count_fold_marked(w->options.table, call, &folded);
	w->fold_at = now + (every != 0 ? every : FOLD_MS);
	return rc;
}

/* --- The thread --------------------------------------------------------------------------------------- */

static void
tell_failure(struct stream_worker *w, const struct table_call *call, enum table_rc rc)
{
	int64_t now = clock_monotonic(w->clock);

	if (now < w->fail_told_at)
		return;
	w->fail_told_at = now + TOLD_AGAIN_MS;
	log_line(w->options.log, LOG_WARNING, "What is derived waits for the table: %s.",
	    call->why != NULL ? call->why : table_rc_text(rc));
}

enum stream_turn
stream_worker_turn(struct stream_worker *w)
{
	struct table_call call = {.arena = w->arena, .background = true};
	bool held = false, busy = false;
	enum table_rc rc;

	arena_reset(w->arena);
	rc = lease_keep(w->options.table, &call, &w->lease, clock_now(w->clock), &held);
	if (rc == TABLE_OK && !held) {
		w->loaded = false;
		table_release(w->options.table, &call);
		return STREAM_STANDS_BY;
	}
	/* Before all that needs the stream, which may not be there. */
	if (rc == TABLE_OK)
		rc = fold_counts(w, &call);
	if (rc == TABLE_OK && !w->loaded)
		rc = load(w, &call);
	if (rc == TABLE_OK)
		rc = batch(w, &call, &busy);
	if (rc == TABLE_OK)
		rc = take_due(w, &call, &busy);
	if (rc == TABLE_OK && w->rebuilding)
		rc = rebuild_on(w, &busy);
	table_release(w->options.table, &call);
	if (rc == TABLE_OK) {
		w->fail_told_at = 0;
		return busy ? STREAM_WORKED : STREAM_IDLE;
	}
	w->loaded = false;
	/* Another worker has stored its position: it has the lease. */
	if (rc == TABLE_CONDITION) {
		w->lease.until = 0;
		return STREAM_STANDS_BY;
	}
	tell_failure(w, &call, rc);
	return STREAM_FAILED;
}

static void *
run(void *context)
{
	struct stream_worker *w = context;
	int ms = 0;

	while (!rest(w, ms)) {
		enum stream_turn turn = stream_worker_turn(w);

		if (turn != STREAM_FAILED)
			w->back_off_ms = 0;
		switch (turn) {
		case STREAM_WORKED: ms = 0; break;
		case STREAM_IDLE: ms = w->options.idle_ms; break;
		case STREAM_STANDS_BY: ms = w->options.lease_ms / STANDBY_PARTS; break;
		case STREAM_FAILED:
			w->back_off_ms = w->back_off_ms != 0 ? 2 * w->back_off_ms : BACK_OFF_MS;
			if (w->back_off_ms > BACK_OFF_MAX_MS)
				w->back_off_ms = BACK_OFF_MAX_MS;
			ms = w->back_off_ms;
			break;
		}
	}
	return NULL;
}

void
stream_worker_close(struct stream_worker *w)
{
	struct table_call call = {.arena = w->arena};

	arena_reset(w->arena);
	(void)lease_give(w->options.table, &call, &w->lease);
	table_release(w->options.table, &call);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->mutex);
	arena_free(w->arena);
	arena_free(w->kept);
	arena_free(w->states[0]);
	arena_free(w->states[1]);
	rebuild_drop(&w->rebuild);
	arena_free(w->rebuild.arena);
	arena_free(w->rebuild_arena);
	free(w);
}

struct stream_worker *
stream_worker_open(const struct stream_worker_options *options)
{
	struct stream_worker *w = calloc(1, sizeof(*w));

	if (w == NULL)
		out_of_memory();
	w->options = *options;
	if (w->options.lease_ms == 0)
		w->options.lease_ms = LEASE_MS;
	if (w->options.idle_ms == 0)
		w->options.idle_ms = IDLE_MS;
	w->clock = options->table->clock;
	w->arena = arena_new();
	w->kept = arena_new();
	w->states[0] = arena_new();
	w->states[1] = arena_new();
	w->rebuild.arena = arena_new();
	w->rebuild_arena = arena_new();
	w->lease = (struct lease){.work = WORK_LEASE,
	    .holder = id_new(w->kept, w->clock),
	    .lasts = w->options.lease_ms};
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->wake, NULL);
	return w;
}

struct stream_worker *
stream_worker_start(const struct stream_worker_options *options)
{
	struct stream_worker *w = stream_worker_open(options);
	int error = thread_start(&w->thread, run, w);

	if (error == 0)
		return w;
	log_line(options->log, LOG_ERROR, "No thread to derive anything: %s.", strerror(error));
	stream_worker_close(w);
	return NULL;
}

void
stream_worker_stop(struct stream_worker *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->mutex);
	w->stop = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(w->thread, NULL);
	stream_worker_close(w);
}
