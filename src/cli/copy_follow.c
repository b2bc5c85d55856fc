/*
 * broadsheet copy --follow FROM TO: keeps TO a copy of FROM, seconds behind, while the site goes on; and hands the site over
 * to TO on a word: a line "hand over", SIGUSR1, or at once with --hand-over.
 *
 * How far it is stands in TO (model/site/move.h), so the same command goes on after any end. While it is a copy nobody else
 * writes there.
 *
 * Handing over: both are compared item by item while the site goes on; FROM is closed to all writers; marks are written
 * behind the last change, and when these have come through the stream, so has everything before them; what was changed
 * since the comparison is compared once more; FROM is said to have moved, and TO is opened. Whatever fails before that opens
 * FROM again, and it expires by itself if this process dies.
 */
#include "cli/copy.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "model/key_work.h"
#include "model/site/load.h"
#include "model/site/move.h"
#include "model/site/work.h"
#include "table/mirror.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	REST_MS = 200,
	KEEP_MS = 5 * 1000,          /* how often it is noted how far it is */
	TELL_MS = 1000,              /* on a terminal; */
	TELL_SELDOM_MS = 60 * 1000,  /* elsewhere */
	CLOSED_MS = 30 * 1000,       /* how long the last changes may take */
	SENT_MS = 1000,              /* what was sent to a distant table has arrived by then */
	LATE_MS = 5 * 1000,          /* how long its stream is looked at afterwards */
	COMPARES = 3,
};

struct following {
	struct invocation *in;
	struct side *from, *to;
	struct arena *arena; /* of a step */
	struct arena *kept;  /* of the holder, and of what `move` points to until it is stored */
	struct mirror mirror;
	struct move move; /* what TO says */
	struct progress progress;
	int64_t kept_at, told_at; /* on the monotonic clock */
	bool stop, verified, asked, input_over;
	char line[64]; /* of the input, so far */
	size_t line_len;
	struct write guard; /* of all that is written to TO */
	struct str holder;  /* of a try to hand over, in FROM */
	bool marks[MOVE_MARKS];
	size_t marks_seen;
	uint64_t late; /* changes that came after all */
};

static int64_t
now_of(const struct following *f)
{
	return clock_monotonic(f->in->clock);
}

static struct table_call
fresh_call(struct following *f)
{
	arena_reset(f->arena);
	return (struct table_call){.arena = f->arena};
}

static enum outcome
failed(enum table_rc rc, const char *what, const char *why)
{
	complain("copy: %s: %s", what, why != NULL && why[0] != '\0' ? why : table_rc_text(rc));
	return rc == TABLE_INVALID || rc == TABLE_CONDITION ? OUTCOME_FAILED : OUTCOME_TABLE;
}

/* --- How far it is ------------------------------------------------------------------------------------ */

static enum outcome
keep(struct following *f, bool first)
{
	struct table_call call = fresh_call(f);
	enum table_rc rc;

	f->move.other = f->from->name;
	f->move.position = f->mirror.position;
	rc = move_keep(f->to->table, &call, &f->move, first);
	f->kept_at = now_of(f);
	if (rc == TABLE_CONDITION)
		complain("copy: %.*s is no copy any more, or another process copies to it", STR_ARGS(f->to->name));
	if (rc == TABLE_OK)
		return OUTCOME_DONE;
	return rc == TABLE_CONDITION ? OUTCOME_FAILED : failed(rc, "the copy can't be written", call.why);
}

static void
seen(void *context, const struct change_record *record)
{
	struct following *f = context;
	unsigned n;

	if (f->holder.len != 0 && key_is_move_mark(record->key, f->holder, &n) && n < MOVE_MARKS &&
	    !f->marks[n]) {
		f->marks[n] = true;
		f->marks_seen++;
	}
	if (!move_skips(record->key) && !record->expired)
		f->late++;
}

/* --- The first copy ----------------------------------------------------------------------------------- */

static void
copied(void *context, uint64_t items, struct str cursor)
{
	struct following *f = context;

	f->stop = interrupted();
	progress_show(&f->progress, items, 0);
	if (now_of(f) - f->kept_at < KEEP_MS && !f->stop)
		return;
	f->move.cursor = cursor;
	/* What fails here fails at the next page as well. */
	(void)keep(f, false);
}

static enum outcome
copy_items(struct following *f)
{
	const struct copy copy = {.from = f->from->table,
	    .to = f->to->table,
	    .cursor = str_dup(f->kept, f->move.cursor),
	    .progress = copied,
	    .context = f,
	    .stop = &f->stop,
	    .skip = move_skips,
	    .past_fence = true,
	    .guard = f->mirror.guard};
	struct str why = {0};
	uint64_t items;
	char number[32];
	enum table_rc rc;

	f->progress = (struct progress){.what = "copy", .unit = "items"};
	rc = table_copy(&copy, f->in->arena, &items, &why);
	progress_end(&f->progress);
	f->move.cursor = STR("");
	if (rc != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		return f->stop ? OUTCOME_FAILED : OUTCOME_TABLE;
	}
	printf("Copied %s items from %.*s to %.*s\n", grouped(items, number), STR_ARGS(f->from->name),
	    STR_ARGS(f->to->name));
	return OUTCOME_DONE;
}

static void
compared(void *context, uint64_t items)
{
	struct following *f = context;

	f->stop = interrupted();
	progress_show(&f->progress, items, 0);
}

/* Compares all of both, item by item. */
static enum outcome
verify(struct following *f)
{
	uint64_t mended;
	char number[32];
	enum table_rc rc;

	f->progress = (struct progress){.what = "comparing", .unit = "items"};
	rc = mirror_verify(&f->mirror, &mended);
	progress_end(&f->progress);
	if (rc == TABLE_DEADLINE && f->stop)
		return OUTCOME_FAILED;
	if (rc != TABLE_OK)
		return failed(rc, "comparing", f->mirror.why);
	printf("Compared both: %s items differed, and were copied again\n", grouped(mended, number));
	fflush(stdout);
	f->verified = true;
	return OUTCOME_DONE;
}

/* From now on, with all that there is. */
static enum outcome
begin(struct following *f, bool first)
{
	enum table_rc rc = mirror_now(&f->mirror);

	if (rc != TABLE_OK)
		return failed(rc, "the stream of changes", f->mirror.why);
	f->move.complete = false;
	f->move.cursor = STR("");
	return keep(f, first);
}

/* The same of a table that is nearly a copy. */
static enum outcome
begin_again(struct following *f)
{
	enum outcome outcome = begin(f, false);

	if (outcome == OUTCOME_DONE)
		outcome = verify(f);
	f->move.complete = true;
	return outcome == OUTCOME_DONE ? keep(f, false) : outcome;
}

static enum outcome
complete(struct following *f)
{
	enum outcome outcome;

	if (f->move.complete)
		return OUTCOME_DONE;
	outcome = copy_items(f);
	if (outcome == OUTCOME_DONE)
		outcome = verify(f);
	f->move.complete = true;
	return outcome == OUTCOME_DONE ? keep(f, false) : outcome;
}

/* --- Following ---------------------------------------------------------------------------------------- */

static enum outcome
step(struct following *f, size_t *count)
{
	enum table_rc rc = mirror_step(&f->mirror, count);

	if (rc == TABLE_TRIMMED || rc == TABLE_BAD_CURSOR) {
		remark("the stream no longer has the changes since the last ones: all is compared");
		return begin_again(f);
	}
	return rc == TABLE_OK ? OUTCOME_DONE : failed(rc, "following", f->mirror.why);
}

static void
tell(struct following *f)
{
	bool terminal = isatty(STDERR_FILENO) != 0;
	char number[32];

	if (now_of(f) - f->told_at < (terminal ? TELL_MS : TELL_SELDOM_MS))
		return;
	f->told_at = now_of(f);
	fprintf(stderr, "%scopy: follows, %s changes so far, %" PRId64 ".%" PRId64 " s behind%s",
	    terminal ? "\r" : "", grouped(f->mirror.changes, number), f->mirror.lag_ms / 1000,
	    f->mirror.lag_ms % 1000 / 100, terminal ? "   " : "\n");
}

/* A byte of the input: a line of these words asks for it. */
static void
take_byte(struct following *f, char byte)
{
	if (byte != '\n') {
		if (f->line_len < sizeof(f->line))
			f->line[f->line_len++] = byte;
		return;
	}
	if (str_eq(str_trim((struct str){f->line, f->line_len}), STR("hand over")))
		f->asked = true;
	else
		remark("to hand the site over, type: hand over");
	f->line_len = 0;
}

static void
read_input(struct following *f, int ms)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char bytes[64];
	ssize_t got;

	if (f->input_over || poll(&input, 1, ms) <= 0) {
		if (f->input_over && ms > 0)
			nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
		return;
	}
	got = read(STDIN_FILENO, bytes, sizeof(bytes));
	f->input_over = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
	for (ssize_t i = 0; i < got; i++)
		take_byte(f, bytes[i]);
}

static bool
is_asked(struct following *f)
{
	const struct timespec at_once = {0};
	sigset_t word;

	sigemptyset(&word);
	sigaddset(&word, SIGUSR1);
	if (sigtimedwait(&word, NULL, &at_once) == SIGUSR1)
		f->asked = true;
	return f->asked;
}

/* --- Handing over ------------------------------------------------------------------------------------- */

/* Until nothing waits. */
static enum outcome
catch_up(struct following *f)
{
	enum outcome outcome;
	size_t count;

	do
		outcome = step(f, &count);
	while (outcome == OUTCOME_DONE && count == TABLE_CHANGES_MAX && !interrupted());
	return outcome;
}

/* What was sent before the fence was closed arrives, and its changes follow. */
static enum outcome
last_changes(struct following *f, int64_t closed_at)
{
	int64_t settled = closed_at + (f->from->config.driver->is_remote ? TABLE_FENCE_MS + SENT_MS : 0);
	struct table_call call;
	bool marked = false;
	enum table_rc rc = TABLE_OK;
	enum outcome outcome;
	size_t count;

	while (f->marks_seen < MOVE_MARKS) {
		if (!marked && now_of(f) >= settled) {
			call = fresh_call(f);
			rc = move_mark(f->from->table, &call, f->holder);
			marked = true;
		}
		if (rc != TABLE_OK)
			return failed(rc, "the marks", call.why);
		outcome = step(f, &count);
		if (outcome != OUTCOME_DONE)
			return outcome;
		if (now_of(f) - closed_at > CLOSED_MS) {
			complain("copy: the last changes take too long");
			return OUTCOME_FAILED;
		}
		if (count == 0)
			nanosleep(&(struct timespec){0, 10 * 1000000L}, NULL);
	}
	return OUTCOME_DONE;
}

/* All that was changed since the last full comparison is the same; *items of it. */
static enum outcome
all_same(struct following *f, size_t *items)
{
	size_t differ = 1;

	*items = f->mirror.changed.count;
	for (int i = 0; i < COMPARES && differ != 0; i++) {
		enum table_rc rc = mirror_compare(&f->mirror, &differ);

		if (rc != TABLE_OK)
			return failed(rc, "comparing", f->mirror.why);
	}
	if (differ == 0)
		return OUTCOME_DONE;
	complain("copy: %zu items still differ", differ);
	return OUTCOME_FAILED;
}

static enum outcome
open_again(struct following *f)
{
	struct table_call call = fresh_call(f);
	enum table_rc rc = move_open(f->from->table, &call, f->holder);

	f->asked = false;
	f->holder = STR("");
	if (rc != TABLE_OK)
		return failed(rc, "the source can't be opened again, but will open by itself in a minute", call.why);
	remark("nothing was handed over: the site goes on where it was");
	return OUTCOME_DONE;
}

/* It has moved, and the other is live. */
static enum outcome
finish(struct following *f)
{
	struct table_call call = fresh_call(f);
	enum table_rc rc = work_take_over(f->to->table, &call, f->from->table, &f->guard);

	if (rc != TABLE_OK)
		return failed(rc, "the copy can't be written", call.why);
	rc = move_finish(f->from->table, &call, f->to->name, f->holder);
	if (rc != TABLE_OK)
		return failed(rc, "the source was not closed long enough", call.why);
	rc = move_release(f->to->table, &call, f->move.holder);
	if (rc == TABLE_OK)
		return OUTCOME_DONE;
	complain("copy: %.*s can't be opened yet (%s): the same command does it", STR_ARGS(f->to->name),
	    call.why != NULL ? call.why : table_rc_text(rc));
	return OUTCOME_TABLE;
}

/* A distant table may carry out what was sent too late: that is not in the other one. */
static enum outcome
look_for_late(struct following *f)
{
	int64_t until = now_of(f) + LATE_MS;
	struct table_call call = {.arena = f->arena};
	struct change_page page;

	f->late = 0;
	while (f->from->config.driver->is_remote && now_of(f) < until) {
		arena_reset(f->arena);
		if (table_changes(f->from->table, &call, f->mirror.position, TABLE_CHANGES_MAX, &page) != TABLE_OK)
			break;
		for (size_t i = 0; i < page.count; i++) {
			const struct change_record *record = &page.records[i];

			if (move_skips(record->key) || record->expired)
				continue;
			f->late++;
			complain("copy: %.*s / %.*s was written too late: it is in %.*s alone",
			    STR_ARGS(record->key.pk), STR_ARGS(record->key.sk), STR_ARGS(f->from->name));
		}
		f->mirror.position = str_dup(f->kept, page.next);
		nanosleep(&(struct timespec){0, REST_MS * 1000000L}, NULL);
	}
	return f->late == 0 ? OUTCOME_DONE : OUTCOME_FAILED;
}

/* Closed: the last changes pass, or all is as it was. */
static enum outcome
pass_over(struct following *f, bool *moved)
{
	int64_t closed_at = now_of(f);
	struct table_call call = fresh_call(f);
	enum table_rc rc = move_close(f->from->table, &call, f->to->name, f->holder);
	enum outcome outcome;
	size_t items = 0;

	if (rc == TABLE_CONDITION)
		complain("copy: %.*s is being handed over already", STR_ARGS(f->from->name));
	if (rc != TABLE_OK)
		return rc == TABLE_CONDITION ? OUTCOME_FAILED : failed(rc, "the source can't be closed", call.why);
	outcome = last_changes(f, closed_at);
	if (outcome == OUTCOME_DONE)
		outcome = all_same(f, &items);
	if (outcome == OUTCOME_DONE)
		outcome = finish(f);
	if (outcome != OUTCOME_DONE)
		return outcome == OUTCOME_TABLE ? outcome : open_again(f);
	*moved = true;
	printf("Handed over to %.*s: nothing was written for %" PRId64 " ms; %zu items changed since all was "
	       "compared, and are the same\n",
	    STR_ARGS(f->to->name), now_of(f) - closed_at, items);
	fflush(stdout);
	return look_for_late(f);
}

static enum outcome
hand_over(struct following *f, bool *moved)
{
	enum outcome outcome = f->verified ? OUTCOME_DONE : verify(f);
	size_t differ;
	enum table_rc rc;

	if (outcome == OUTCOME_DONE)
		outcome = catch_up(f);
	if (outcome != OUTCOME_DONE)
		return outcome;
	/* So that little is left to be compared while nobody can write. */
	rc = mirror_compare(&f->mirror, &differ);
	if (rc != TABLE_OK)
		return failed(rc, "comparing", f->mirror.why);
	f->holder = id_new(f->kept, f->in->clock);
	memset(f->marks, 0, sizeof(f->marks));
	f->marks_seen = 0;
	return pass_over(f, moved);
}

/* --- All of it ---------------------------------------------------------------------------------------- */

static enum outcome
follow_on(struct following *f)
{
	enum outcome outcome = OUTCOME_DONE;
	bool moved = false;
	size_t count = 0;

	f->asked = option_given(f->in, "hand-over") != NULL;
	remark("following; to hand the site over, type \"hand over\", or send SIGUSR1 to process %d", (int)getpid());
	while (outcome == OUTCOME_DONE && !moved && !interrupted()) {
		outcome = step(f, &count);
		if (outcome == OUTCOME_DONE && now_of(f) - f->kept_at >= KEEP_MS)
			outcome = keep(f, false);
		tell(f);
		read_input(f, count == 0 ? REST_MS : 0);
		if (outcome == OUTCOME_DONE && is_asked(f) && count < TABLE_CHANGES_MAX)
			outcome = hand_over(f, &moved);
	}
	if (outcome != OUTCOME_DONE || moved)
		return outcome;
	outcome = keep(f, false);
	remark("the same command goes on from here");
	return outcome;
}

/* A source that has moved here already, but whose copy was not opened then. */
static enum outcome
after_move(struct following *f, const struct move *from)
{
	struct table_call call = fresh_call(f);
	enum table_rc rc;

	if (!str_eq(from->other, f->to->name) || !str_eq(f->move.state, MOVE_COPY)) {
		complain("copy: %.*s was handed over to %.*s already", STR_ARGS(f->from->name), STR_ARGS(from->other));
		return OUTCOME_FAILED;
	}
	rc = move_release(f->to->table, &call, STR(""));
	if (rc != TABLE_OK)
		return failed(rc, "the copy can't be opened", call.why);
	printf("Handed over to %.*s\n", STR_ARGS(f->to->name));
	return OUTCOME_DONE;
}

/* Begins, or goes on where an earlier one ended. */
static enum outcome
start(struct following *f)
{
	struct table_call call = {.arena = f->in->arena};
	bool has = false, ours;
	enum outcome outcome;
	struct move from;
	enum table_rc rc = move_get(f->from->table, &call, &from);

	if (rc == TABLE_OK)
		rc = move_get(f->to->table, &call, &f->move);
	if (rc == TABLE_OK && f->move.state.len == 0)
		rc = table_has_content(f->to->table, &call, &has);
	if (rc != TABLE_OK)
		return failed(rc, "the tables can't be read", call.why);
	if (str_eq(from.state, MOVE_MOVED))
		return after_move(f, &from);
	if (str_eq(from.state, MOVE_COPY)) {
		complain("copy: %.*s is a copy of %.*s itself", STR_ARGS(f->from->name), STR_ARGS(from.other));
		return OUTCOME_FAILED;
	}
	ours = str_eq(f->move.state, MOVE_COPY) && str_eq(f->move.other, f->from->name);
	if (!ours && (has || f->move.state.len != 0) && option_given(f->in, "replace") == NULL) {
		complain("%.*s has content already; --replace makes it a copy", STR_ARGS(f->to->name));
		return OUTCOME_FAILED;
	}
	mirror_begin(&f->mirror, ours ? f->move.position : STR(""));
	f->move.holder = id_new(f->kept, f->in->clock);
	f->guard = move_guard(f->kept, f->move.holder);
	f->mirror.guard = &f->guard;
	outcome = ours && f->move.position.len != 0 ? keep(f, true) : begin(f, true);
	if (outcome == OUTCOME_DONE)
		outcome = complete(f);
	if (outcome == OUTCOME_DONE)
		outcome = follow_on(f);
	mirror_end(&f->mirror);
	return outcome;
}

enum outcome
copy_follow(struct invocation *in, struct side *from, struct side *to)
{
	struct following f = {.in = in,
	    .from = from,
	    .to = to,
	    .arena = arena_new(),
	    .kept = arena_new(),
	    .mirror = {.from = from->table,
		.to = to->table,
		.skip = move_skips,
		.seen = seen,
		.progress = compared}};
	enum outcome outcome;

	f.mirror.context = &f;
	f.mirror.stop = &f.stop;
	outcome = start(&f);
	arena_free(f.arena);
	arena_free(f.kept);
	return outcome;
}
