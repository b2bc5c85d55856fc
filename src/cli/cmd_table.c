/* broadsheet table create|describe|upgrade|confirm-clock|release|delete: the table as a whole. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/interrupt.h"
#include "model/site/last_known_time.h"
#include "model/site/move.h"
#include "model/site/work.h"
#include "model/site/upgrade.h"

#include <stdio.h>
#include <string.h>

const struct option table_options[] = {
    {"yes", NULL, "delete: all that it holds; release: the other is used no more"},
    {NULL},
};

static enum outcome
whole_failed(enum table_rc rc, struct str why)
{
	complain("%.*s", STR_ARGS(why));
	return rc == TABLE_INVALID ? OUTCOME_FAILED : OUTCOME_TABLE;
}

/* --- create --------------------------------------------------------------------------------------- */

static enum outcome
create(struct invocation *in)
{
	struct table_made made;
	struct str why;
	enum table_rc rc =
	    in->config.driver->create(in->config.store, in->clock, in->arena, &made, &why);

	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	if (made.warning != NULL)
		warn("%s", made.warning);
	if (!made.table && made.added[0] == NULL)
		return OUTCOME_FAILED;
	printf("%s %.*s\n", made.table ? "Made" : "Finished",
	    STR_ARGS(store_name(&in->config, in->arena)));
	for (size_t i = 0; i < 2 && made.added[i] != NULL; i++)
		puts(made.added[i]);
	return OUTCOME_DONE;
}

/* --- describe ------------------------------------------------------------------------------------- */

static enum outcome
describe(struct invocation *in)
{
	const struct table_driver *driver = in->config.driver;
	struct table_description d;
	char number[32];
	struct str why;
	enum table_rc rc = driver->describe(in->config.store, in->clock, in->arena, &d, &why);

	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	printf("%-9s %s:%.*s\n", "store", driver->prefix, STR_ARGS(d.name));
	for (size_t i = 0; i < d.count; i++) {
		const struct table_fact *fact = &d.facts[i];

		printf("%-9s %.*s\n", fact->name,
		    STR_ARGS(fact->text.base != NULL ? fact->text
						     : str_of(grouped(fact->number, number))));
	}
	if (d.warning != NULL)
		warn("%s", d.warning);
	if (d.error == NULL)
		return OUTCOME_DONE;
	complain("%s", d.error);
	return OUTCOME_TABLE;
}

/* --- delete --------------------------------------------------------------------------------------- */

/* Needs --yes, and the exact name of the table. */
static enum outcome
take_away(struct invocation *in)
{
	const struct table_driver *driver = in->config.driver;
	struct table_description d;
	enum table_rc rc;
	struct str why;

	if (driver->remove == NULL) {
		why = driver->by_hand(in->config.store, in->arena);
		complain("table: %.*s", STR_ARGS(why));
		return OUTCOME_CONFIG;
	}
	rc = driver->describe(in->config.store, in->clock, in->arena, &d, &why);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	if (option_given(in, "yes") == NULL || in->argument_count != 2 ||
	    !str_eq(str_of(in->arguments[1]), d.name)) {
		complain("nothing deleted; to lose %.*s and all that it holds, say both: "
			 "broadsheet table delete --yes %.*s",
		    STR_ARGS(d.name), STR_ARGS(d.name));
		return OUTCOME_FAILED;
	}
	/* Removes it by the name that was compared. */
	rc = driver->remove(d.name, in->clock, in->arena, &why);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	printf("Deleted %s:%.*s\n", driver->prefix, STR_ARGS(d.name));
	return OUTCOME_DONE;
}

/* --- confirm-clock -------------------------------------------------------------------------------- */

static enum outcome
confirm_clock(struct invocation *in)
{
	struct table_call call = {.arena = in->arena};
	int64_t now = clock_now(in->clock);
	enum outcome outcome;
	struct table *table;
	enum table_rc rc;

	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	rc = last_known_time_set(table, &call, now);
	table_close(table);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	printf("It is %.*s: what has expired by then is removed from now on\n",
	    STR_ARGS(time_format(in->arena, now)));
	return OUTCOME_DONE;
}

/* --- release -------------------------------------------------------------------------------------- */

/* Where the other table of a move is lost, or of no use, this one takes writes. */
static enum outcome
release(struct invocation *in)
{
	struct table_call call = {.arena = in->arena};
	struct move move = {0};
	enum outcome outcome;
	struct table *table;
	bool taken;
	enum table_rc rc;

	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	rc = move_get(table, &call, &move);
	taken = move.state.len != 0 && option_given(in, "yes") != NULL;
	/* The other table may have sent what waits in this one. */
	if (rc == TABLE_OK && taken)
		rc = work_forget(table, &call);
	if (rc == TABLE_OK && taken)
		rc = move_release(table, &call, STR(""));
	table_close(table);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (move.state.len == 0) {
		puts("It takes writes already");
		return OUTCOME_DONE;
	}
	if (option_given(in, "yes") == NULL) {
		complain("nothing done: it says \"%.*s\", of %.*s; if that one is not used any more, say "
			 "broadsheet table release --yes",
		    STR_ARGS(move.state), STR_ARGS(move.other));
		return OUTCOME_FAILED;
	}
	printf("It takes writes from now on; it said \"%.*s\", of %.*s\n", STR_ARGS(move.state), STR_ARGS(move.other));
	return OUTCOME_DONE;
}

/* --- upgrade -------------------------------------------------------------------------------------- */

struct upgrading {
	struct upgrade run;
	struct progress progress;
};

static void
show_upgrade(void *context, uint64_t items)
{
	struct upgrading *u = context;

	u->run.stop = interrupted();
	progress_show(&u->progress, items, 0);
}

static enum outcome
tell_upgrade(const struct upgrade *run)
{
	char number[32];
	bool some = false;

	printf("Read %s items%s\n", grouped(run->items, number),
	    run->resumed ? ", from where the last upgrade stopped" : "");
	for (size_t i = 0; i < UPGRADE_KINDS; i++) {
		const struct upgrade_kind *kind = &upgrade_kinds[i];

		if (run->changed[i] == 0)
			continue;
		some = true;
		printf("Carried over %s %s\n", grouped(run->changed[i], number),
		    run->changed[i] == 1 ? kind->one : kind->many);
	}
	if (!some)
		puts("Nothing was of an older form");
	if (run->stop)
		complain("table upgrade: stopped; the same command goes on from here");
	else if (run->late != 0)
		complain("table upgrade: %s were being written at each try; run it again",
		    grouped(run->late, number));
	return run->stop || run->late != 0 ? OUTCOME_FAILED : OUTCOME_DONE;
}

/* Stops at a signal, between two pages; a kill costs some pages that are read once more. */
static enum outcome
upgrade(struct invocation *in)
{
	struct upgrading u = {.run = {.progress = show_upgrade},
	    .progress = {.what = "upgrade", .unit = "items"}};
	enum outcome outcome;
	enum table_rc rc;

	interrupt_hold();
	outcome = open_store(in, TABLE_OPEN_EXISTING, &u.run.table);
	if (outcome == OUTCOME_DONE) {
		u.run.context = &u;
		rc = upgrade_run(&u.run, in->arena);
		progress_end(&u.progress);
		outcome = rc == TABLE_OK ? tell_upgrade(&u.run)
					 : table_failed(rc, str_cstring(in->arena, u.run.why));
	}
	table_close(u.run.table);
	finish_output();
	interrupt_release();
	return outcome;
}

static const struct {
	const char *name, *arguments;
	size_t most;
	enum outcome (*run)(struct invocation *in);
} actions[] = {
    {"create", "", 0, create},
    {"describe", "", 0, describe},
    {"upgrade", "", 0, upgrade},
    {"confirm-clock", "", 0, confirm_clock},
    {"release", " --yes", 0, release},
    {"delete", " --yes NAME", 1, take_away},
};

enum outcome
cmd_table(struct invocation *in)
{
	size_t i = 0;

	while (i < sizeof(actions) / sizeof(actions[0]) &&
	       strcmp(actions[i].name, in->arguments[0]) != 0)
		i++;
	if (i == sizeof(actions) / sizeof(actions[0])) {
		complain(
		    "table: there is no \"%s\"; see `broadsheet help table`", in->arguments[0]);
		return OUTCOME_USAGE;
	}
	if (in->argument_count - 1 > actions[i].most) {
		complain("table: broadsheet table %s%s", actions[i].name, actions[i].arguments);
		return OUTCOME_USAGE;
	}
	return actions[i].run(in);
}
