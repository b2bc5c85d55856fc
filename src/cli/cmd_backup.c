/*
 * broadsheet backup FILE: a copy of the embedded table at one moment, while the site runs.
 * broadsheet restore FILE: restores it, in one transaction.
 */
#include "cli/commands.h"

#include "base/clock.h"
#include "cli/interrupt.h"
#include "model/site/backup.h"
#include "model/site/load.h"

#include <stdio.h>

const struct option restore_options[] = {
    {"yes", NULL, "replace what the table holds now"},
    {NULL},
};

/* Opens the table if its engine has backups; the caller closes it. */
static enum outcome
open_file(struct invocation *in, enum table_open how, struct table **table)
{
	*table = NULL;
	if (in->config.driver->backup != NULL)
		return open_store(in, how, table);
	complain("%s: only a table in a file is backed up so; %s, and `broadsheet export` works "
		 "with both",
	    in->command->name, in->config.driver->no_backup);
	return OUTCOME_CONFIG;
}

struct watched {
	struct progress progress;
	int64_t begun; /* in microseconds */
};

static bool
go_on(void *context)
{
	struct watched *watched = context;

	progress_show(&watched->progress, (uint64_t)(clock_micros() - watched->begun) / 1000000, 0);
	return !interrupted();
}

/* For the staff's pages. The backup is made, whatever becomes of this. */
static void
note(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct plan plan = {.table = table, .call = &call, .now = clock_now(in->clock)};

	if (backup_note(&plan) != PLAN_DONE)
		warn("that there is a backup could not be noted in the table");
	table_release(table, &call);
}

enum outcome
cmd_backup(struct invocation *in)
{
	struct watched watched = {{.what = "backup", .unit = "seconds"}, clock_micros()};
	const struct table_watch watch = {go_on, &watched};
	struct table *table;
	enum outcome outcome = open_file(in, TABLE_OPEN_EXISTING, &table);
	enum table_rc rc;
	struct str why;

	if (outcome != OUTCOME_DONE)
		return outcome;
	interrupt_hold();
	rc = in->config.driver->backup(table, in->arguments[0], &watch, in->arena, &why);
	progress_end(&watched.progress);
	interrupt_release();
	if (rc == TABLE_OK)
		note(in, table);
	table_close(table);
	if (rc != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		return rc == TABLE_CORRUPT ? OUTCOME_TABLE : OUTCOME_FAILED;
	}
	printf("Wrote %s\nThe site's secret is not in it: copy %s apart.\n", in->arguments[0],
	    config_secret_file(&in->config, in->arena));
	return OUTCOME_DONE;
}

/* A table with content is replaced only with --replace. */
static enum outcome
may_restore(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	enum table_rc rc;
	bool has;

	rc = table_has_content(table, &call, &has);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (!has || option_given(in, "yes") != NULL)
		return OUTCOME_DONE;
	complain("%.*s has content already; --yes replaces it",
	    STR_ARGS(store_name(&in->config, in->arena)));
	return OUTCOME_FAILED;
}

enum outcome
cmd_restore(struct invocation *in)
{
	struct table *table;
	enum outcome outcome = open_file(in, TABLE_OPEN_CREATE, &table);
	enum table_rc rc;
	struct str why;

	if (outcome == OUTCOME_DONE)
		outcome = may_restore(in, table);
	if (outcome == OUTCOME_DONE) {
		rc = in->config.driver->restore(table, in->arguments[0], in->arena, &why);
		if (rc == TABLE_OK)
			printf("Restored %.*s from %s\n",
			    STR_ARGS(store_name(&in->config, in->arena)), in->arguments[0]);
		else
			outcome = table_failed(rc, why.base);
	}
	table_close(table);
	return outcome;
}
