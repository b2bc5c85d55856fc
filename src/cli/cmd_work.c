/*
 * broadsheet work: derives what follows from changes, and sends the letters among that, until a signal ends it. When the
 * table is handed over to another store it goes on there, if that is the setting next-store; else it ends.
 *
 * With --status it says how far that is, whoever does it; with --retry what was parked is tried again.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "cli/interrupt.h"
#include "derive/derivation.h"
#include "derive/sender.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_work.h"
#include "model/site/lease.h"
#include "model/site/move.h"
#include "model/site/work.h"
#include "server/move_watch.h"
#include "server/secret.h"
#include "server/site.h"
#include "server/store.h"
#include "web/mail/mail.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

const struct option work_options[] = {
    {"status", NULL, "say how far it is, and what was parked"},
    {"retry", NULL, "try again what was parked"},
    {NULL},
};

/* What letters are sent with. */
struct mailing {
	struct mail_transport transport;
	struct secrets secrets;
};

/* NULL: no mail server is configured, or something is missing, which it has logged. */
static struct sender *
start_sender(struct invocation *in, struct table *table, const struct log *log, struct mailing *mailing)
{
	struct str why;

	if (in->config.smtp_url.len == 0)
		return NULL;
	if (mail_of(&in->config, in->arena, &mailing->transport, &why) &&
	    secrets_open(&in->config, false, table, table->clock, in->arena, log, &mailing->secrets,
		&why))
		return sender_start(&(struct sender_options){.table = table,
		    .log = log,
		    .transport = &mailing->transport,
		    .secrets = &mailing->secrets,
		    .site = in->config.origin});
	log_line(log, LOG_ERROR, "No letters are sent from here: %.*s.", STR_ARGS(why));
	return NULL;
}

/* Wakes who waits in work(). */
static void
moved(const struct log *log, struct str other)
{
	log_line(log, LOG_NOTICE, "The table was handed over to %.*s.", STR_ARGS(other));
	kill(getpid(), SIGUSR1);
}

/* *again: the table has moved, so another one may have to be opened. */
static enum outcome
work(struct invocation *in, struct table *table, bool *again)
{
	struct log log = {.fd = STDERR_FILENO,
	    .level = in->config.log_level,
	    .plain = isatty(STDERR_FILENO) != 0};
	struct stream_worker *worker = stream_worker_start(&(struct stream_worker_options){
	    .table = table, .log = &log, .site = in->config.origin, .alone = true});
	struct move_watch *watch;
	struct mailing mailing;
	struct sender *sender;

	if (worker == NULL)
		return OUTCOME_FAILED;
	sender = start_sender(in, table, &log, &mailing);
	watch = move_watch_start(table, &log, moved);
	log_line(&log, LOG_NOTICE, "Deriving what follows from changes of %.*s.",
	    STR_ARGS(store_name(&in->config, in->arena)));
	*again = interrupt_wait();
	move_watch_stop(watch);
	sender_stop(sender);
	stream_worker_stop(worker);
	return OUTCOME_DONE;
}

/* What was handed over, and is not followed, has nothing to work on. */
static enum outcome
check_place(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct move move;
	enum table_rc rc = move_get(table, &call, &move);

	table_release(table, &call);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (!str_eq(move.state, MOVE_MOVED))
		return OUTCOME_DONE;
	complain("work: %.*s was handed over to %.*s: set store, or next-store, to that",
	    STR_ARGS(store_name(&in->config, in->arena)), STR_ARGS(move.other));
	return OUTCOME_CONFIG;
}

/* Each time the table that the settings lead to then. */
static enum outcome
work_on(struct invocation *in)
{
	bool again = false;
	enum outcome outcome;

	interrupt_hold_word();
	do {
		struct table *table;

		outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
		if (outcome != OUTCOME_DONE)
			return outcome;
		outcome = check_place(in, table);
		if (outcome == OUTCOME_DONE)
			outcome = work(in, table, &again);
		table_close(table);
	} while (outcome == OUTCOME_DONE && again);
	return outcome;
}

/* --- How far it is ------------------------------------------------------------------------------------ */

/* The first change that waits and concerns anybody; 0: none does. */
static enum table_rc
waits_since(struct table *table, struct table_call *call, struct str position, int64_t *since)
{
	struct change_page page = {.count = 1};
	enum table_rc rc = TABLE_OK;

	*since = 0;
	while (rc == TABLE_OK && *since == 0 && page.count != 0) {
		rc = table_changes(table, call, position, TABLE_CHANGES_MAX, &page);
		for (size_t i = 0; rc == TABLE_OK && *since == 0 && i < page.count; i++)
			if (!key_is_work(page.records[i].key))
				*since = page.records[i].time;
		position = rc == TABLE_OK ? page.next : position;
	}
	return rc;
}

static void
show_row(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
show_row(const char *name, const char *format, ...)
{
	va_list arguments;

	printf("%-12s ", name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

static enum table_rc
show_lag(struct table *table, struct table_call *call, const struct work *work)
{
	int64_t now = clock_now(table->clock), since, lag;
	enum table_rc rc;

	if (work->state.position.len == 0) {
		show_row("Lag", "nobody has worked yet");
		return TABLE_OK;
	}
	rc = waits_since(table, call, work->state.position, &since);
	if (rc == TABLE_TRIMMED || rc == TABLE_BAD_CURSOR) {
		show_row("Lag", "the stream no longer has what follows; all will be made anew");
		return TABLE_OK;
	}
	lag = since == 0 || since > now ? 0 : now - since;
	if (rc == TABLE_OK)
		show_row("Lag", "%" PRId64 ".%" PRId64 " s", lag / 1000, lag % 1000 / 100);
	return rc;
}

static void
show_work(struct invocation *in, const struct work *work, int64_t now)
{
	struct work_pace pace = work_pace(&work->state, now);
	char a[32], b[32], c[32];

	show_row("Throughput", "%s changes a minute lately; %s a second while it works",
	    grouped((uint64_t)pace.a_minute, a), grouped((uint64_t)pace.a_second, b));
	show_row("Worker", "%s", work->led ? "some process works" : "nobody works");
	show_row("Handled", "%s changes; %s items written; last stored %.*s",
	    grouped((uint64_t)work->state.handled, a), grouped((uint64_t)work->state.written, b),
	    STR_ARGS(work->state.stored_at != 0 ? time_format(in->arena, work->state.stored_at)
						: STR("never")));
	if (work->rebuilding)
		show_row("Rebuild", "%.*s: %s items read, %s differences, since %.*s",
		    STR_ARGS(str_join(in->arena, work->rebuild.names.strings,
			work->rebuild.names.count, STR(", "))),
		    grouped((uint64_t)work->rebuild.items, a),
		    grouped((uint64_t)work->rebuild.differences, b),
		    STR_ARGS(time_format(in->arena, work->rebuild.begun)));
	for (size_t i = 0; i < derivation_count; i++) {
		const struct work_derived *d = work_find_derived(work, derivations[i].name);

		show_row(derivations[i].name.base, "%s; %s%.*s", derivations[i].summary,
		    d != NULL ? "made anew " : "not yet made as a whole",
		    STR_ARGS(d != NULL ? time_format(in->arena, d->rebuilt_at) : STR("")));
	}
	show_row("Letters", "%s%s%.*s; %s sent, %s refused, %s unsure%s%.*s",
	    work->sends ? "some process sends" : "nobody sends",
	    work->state.letters_from > 1 ? ", of what happened from " : "",
	    STR_ARGS(work->state.letters_from > 1 ? time_format(in->arena, work->state.letters_from)
						  : STR("")),
	    grouped((uint64_t)work->sender.sent, a), grouped((uint64_t)work->sender.refused, b),
	    grouped((uint64_t)work->sender.unsure, c),
	    work->sender.down_since != 0 ? "; the mail server can't be used: " : "",
	    STR_ARGS(work->sender.down_since != 0 ? work->sender.why : STR("")));
	show_row("Parked", "%zu%s", work->parked_count, work->parked_more ? " and more" : "");
	for (size_t i = 0; i < work->parked_count; i++)
		printf("  %.*s of %.*s: %.*s\n", STR_ARGS(work->parked[i].derivation),
		    STR_ARGS(work->parked[i].subject), STR_ARGS(work->parked[i].why));
}

static enum outcome
status(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct work work;
	enum table_rc rc = work_load(table, &call, &work);

	if (rc == TABLE_OK)
		rc = show_lag(table, &call, &work);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	show_work(in, &work, clock_now(table->clock));
	return OUTCOME_DONE;
}

/* --- What was parked ---------------------------------------------------------------------------------- */

static enum table_rc
try_again(struct invocation *in, struct table *table, struct table_call *call,
    const struct work_parked *parked, size_t *failed)
{
	struct derive d = {.table = table,
	    .call = call,
	    .clock = table->clock,
	    .site = in->config.origin};
	const struct derivation *derivation = derivation_find(parked->derivation);
	enum table_rc rc =
	    derivation != NULL ? derive_subject(&d, derivation, parked->subject) : TABLE_OK;

	if (rc == TABLE_OK)
		return work_unpark(table, call, parked);
	++*failed;
	complain("%.*s of %.*s: %s", STR_ARGS(parked->derivation), STR_ARGS(parked->subject),
	    call->why != NULL ? call->why : table_rc_text(rc));
	return TABLE_OK;
}

static enum outcome
retry(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct work work;
	size_t failed = 0;
	enum table_rc rc = work_load(table, &call, &work);

	for (size_t i = 0; rc == TABLE_OK && i < work.parked_count; i++)
		rc = try_again(in, table, &call, &work.parked[i], &failed);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	printf("%zu derived, %zu stay parked%s\n", work.parked_count - failed, failed,
	    work.parked_more ? "; there are more" : "");
	return failed == 0 ? OUTCOME_DONE : OUTCOME_FAILED;
}

enum outcome
cmd_work(struct invocation *in)
{
	enum outcome outcome;
	struct table *table;

	/* Before the table has threads, so that these block the signals as well. */
	interrupt_hold();
	if (option_given(in, "status") == NULL && option_given(in, "retry") == NULL)
		return work_on(in);
	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	outcome = option_given(in, "status") != NULL ? status(in, table) : retry(in, table);
	table_close(table);
	return outcome;
}
