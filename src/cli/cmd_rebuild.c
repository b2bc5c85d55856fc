/*
 * broadsheet rebuild [NAME]...: makes anew what is derived from the facts, all of it or these derivations, while the site
 * goes on. Only what differs is written.
 *
 * How far it is stands in the table: a rebuild that was broken off is continued by the stream worker, or by
 * the same command. With --check nothing is written.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/interrupt.h"
#include "derive/rebuild.h"
#include "model/site/work.h"
#include "table/retry.h"

#include <stdio.h>
#include <stdlib.h>

const struct option rebuild_options[] = {
    {"check", NULL, "only say what differs; nothing is written"},
    {NULL},
};

struct rebuilding {
	struct invocation *in;
	struct table *table;
	struct table_call call;
	struct derive derive;
	struct rebuild rebuild;
	struct arena *cursor;
	struct progress progress;
	bool check;
};

static void
tell(void *context, const struct derivation *derivation, struct str subject, struct str first)
{
	struct rebuilding *r = context;

	if (!r->check)
		return;
	progress_end(&r->progress);
	printf("%.*s of %.*s: %.*s\n", STR_ARGS(derivation->name), STR_ARGS(subject), STR_ARGS(first));
}

/* The derivations that are named, or all. */
static bool
read_names(struct rebuilding *r)
{
	struct invocation *in = r->in;
	struct str *names = ARENA_ARRAY(in->arena, in->argument_count + 1, struct str);

	r->rebuild.state = rebuild_all(in->arena, clock_now(in->clock));
	for (size_t i = 0; i < in->argument_count; i++) {
		names[i] = str_of(in->arguments[i]);
		if (derivation_find(names[i]) != NULL)
			continue;
		complain("rebuild: \"%s\" is not derived; what is: %.*s", in->arguments[i],
		    STR_ARGS(str_join(in->arena, r->rebuild.state.names.strings,
			r->rebuild.state.names.count, STR(", "))));
		return false;
	}
	if (in->argument_count != 0)
		r->rebuild.state.names = (struct strings_value){names, in->argument_count};
	return true;
}

/* Begins it in the table, or takes over what is under way. */
static enum table_rc
begin(struct rebuilding *r)
{
	struct work_rebuild mine = r->rebuild.state;
	struct work work;
	enum table_rc rc;

	if (r->check)
		return TABLE_OK;
	rc = work_load(r->table, &r->call, &work);
	if (rc != TABLE_OK)
		return rc;
	if (work.rebuilding && r->in->argument_count == 0 &&
	    work.rebuild.names.count == mine.names.count) {
		remark("rebuild: going on with the one that began %.*s",
		    STR_ARGS(time_format(r->call.arena, work.rebuild.begun)));
		r->rebuild.state = work.rebuild;
		return TABLE_OK;
	}
	return work_store_rebuild(r->table, &r->call, work.rebuilding ? &work.rebuild : NULL, &mine);
}

/* Another process takes part, or has done it: where is it now? */
static enum table_rc
catch_up(struct rebuilding *r, bool *done)
{
	int64_t begun = r->rebuild.state.begun;
	struct work work;
	enum table_rc rc = work_load(r->table, &r->call, &work);

	if (rc != TABLE_OK)
		return rc;
	*done = !work.rebuilding || work.rebuild.begun != begun;
	if (!*done)
		r->rebuild.state = work.rebuild;
	rebuild_drop(&r->rebuild);
	return TABLE_OK;
}

static enum table_rc
step(struct rebuilding *r, bool *done)
{
	enum table_rc rc;

	rc = r->check ? rebuild_step(&r->rebuild, done) : rebuild_step_kept(&r->rebuild, done);
	return rc == TABLE_CONDITION && !r->check ? catch_up(r, done) : rc;
}

/* In memory that is not the step's, as thousands of steps may follow. */
static void
keep_state(struct rebuilding *r)
{
	struct work_rebuild *state = &r->rebuild.state;
	struct arena *next = arena_new();
	struct str *names = ARENA_ARRAY(next, state->names.count + 1, struct str);

	for (size_t i = 0; i < state->names.count; i++)
		names[i] = str_dup(next, state->names.strings[i]);
	state->names.strings = names;
	state->cursor = str_dup(next, state->cursor);
	arena_free(r->cursor);
	r->cursor = next;
	arena_reset(r->call.arena);
}

static enum outcome
run(struct rebuilding *r)
{
	struct retry retry = {0};
	bool done = false;
	enum table_rc rc = begin(r);

	while (rc == TABLE_OK && !done && !interrupted()) {
		keep_state(r);
		rc = step(r, &done);
		if (rc != TABLE_OK && retry_again(&retry, rc))
			rc = TABLE_OK;
		progress_show(&r->progress, (uint64_t)r->rebuild.state.items, 0);
	}
	progress_end(&r->progress);
	if (rc != TABLE_OK)
		return table_failed(rc, r->call.why);
	if (!done) {
		complain("rebuild: broken off; the same command, or the worker, goes on with it");
		return OUTCOME_FAILED;
	}
	return OUTCOME_DONE;
}

static enum outcome
report(const struct rebuilding *r)
{
	char items[32], differences[32];

	printf("%s items read, %s differences%s\n", grouped((uint64_t)r->rebuild.state.items, items),
	    grouped((uint64_t)r->rebuild.state.differences, differences),
	    r->check || r->rebuild.state.differences == 0 ? "" : " put right");
	return r->check && r->rebuild.state.differences != 0 ? OUTCOME_FAILED : OUTCOME_DONE;
}

enum outcome
cmd_rebuild(struct invocation *in)
{
	struct rebuilding *r = arena_alloc(in->arena, sizeof(*r));
	enum outcome outcome;

	*r = (struct rebuilding){.in = in,
	    .check = option_given(in, "check") != NULL,
	    .progress = {.what = "rebuild", .unit = "items"}};
	if (!read_names(r))
		return OUTCOME_USAGE;
	interrupt_hold();
	outcome = open_store(in, TABLE_OPEN_EXISTING, &r->table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	r->call.arena = arena_new();
	r->rebuild.arena = arena_new();
	r->derive = (struct derive){.table = r->table,
	    .call = &r->call,
	    .clock = in->clock,
	    .site = in->config.origin,
	    .check = r->check};
	r->rebuild.derive = &r->derive;
	r->rebuild.tell = tell;
	r->rebuild.context = r;
	outcome = run(r);
	if (outcome == OUTCOME_DONE)
		outcome = report(r);
	rebuild_drop(&r->rebuild);
	arena_free(r->cursor);
	arena_free(r->rebuild.arena);
	arena_free(r->call.arena);
	table_close(r->table);
	finish_output();
	interrupt_release();
	return outcome;
}
