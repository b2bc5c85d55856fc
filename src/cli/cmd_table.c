/* broadsheet table create|describe|confirm-clock|delete: the table as a whole, before anything is in it and after. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/site/known_time.h"
#include "table/copy.h"
#include "table/dynamo/dynamo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct option table_options[] = {
    {"yes", NULL, "delete: the table with all that it holds"},
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
create_file(struct invocation *in)
{
	struct table *table = NULL;
	struct stat st;
	struct str why;

	/* An empty file is what a creation leaves that was cut short. */
	if (lstat(in->config.store.base, &st) == 0 && st.st_size != 0) {
		complain("%s: there already; name another store", in->config.store.base);
		return OUTCOME_FAILED;
	}
	if (command_store(in, &in->config, TABLE_OPEN_CREATE, &table, &why) != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_TABLE;
	}
	table_close(table);
	return OUTCOME_DONE;
}

static enum outcome
create_dynamo(struct invocation *in, struct table_dynamo_made *made)
{
	struct str why;
	enum table_rc rc = table_dynamo_create(in->config.store, in->clock, in->arena, made, &why);

	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	if (made->warning != NULL)
		warn("%s", made->warning);
	return made->table || made->expiry || made->recovery ? OUTCOME_DONE : OUTCOME_FAILED;
}

static enum outcome
create(struct invocation *in)
{
	struct table_dynamo_made made = {.table = true};
	enum outcome outcome =
	    in->config.store_kind == STORE_SQLITE ? create_file(in) : create_dynamo(in, &made);

	if (outcome != OUTCOME_DONE)
		return outcome;
	printf("%s %.*s\n", made.table ? "Made" : "Finished",
	    STR_ARGS(store_name(&in->config, in->arena)));
	if (!made.table && made.expiry)
		puts("What expires is removed from now on");
	if (!made.table && made.recovery)
		puts("Point-in-time recovery is on from now on");
	return OUTCOME_DONE;
}

/* --- describe ------------------------------------------------------------------------------------- */

static void
show_number(const char *name, uint64_t number)
{
	char text[32];

	printf("%-9s %s\n", name, grouped(number, text));
}

static enum outcome
describe_file(struct invocation *in)
{
	struct table *table;
	struct table_sum sum;
	struct stat st = {0};
	enum outcome outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	enum table_rc rc;
	struct str why;

	if (outcome != OUTCOME_DONE)
		return outcome;
	rc = table_sum(table, NULL, NULL, in->arena, &sum, &why);
	table_close(table);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	/* After the close, which may have put the last writes into it. */
	(void)stat(in->config.store.base, &st);
	printf("%-9s %.*s\n", "store", STR_ARGS(store_name(&in->config, in->arena)));
	show_number("items", sum.items);
	show_number("bytes", sum.bytes);
	show_number("file", (uint64_t)st.st_size);
	printf("%-9s %.*s\n", "digest", STR_ARGS(table_sum_text(in->arena, &sum)));
	return OUTCOME_DONE;
}

static enum outcome
describe_dynamo(struct invocation *in)
{
	struct table_dynamo_description d;
	enum table_rc rc;
	struct str why;

	rc = table_dynamo_describe(in->config.store, in->clock, in->arena, &d, &why);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	printf("%-9s dynamodb:%.*s\n", "store", STR_ARGS(d.name));
	printf("%-9s %.*s\n", "status", STR_ARGS(d.status));
	show_number("items", (uint64_t)d.items);
	show_number("bytes", (uint64_t)d.bytes);
	printf("%-9s %.*s\n", "stream", STR_ARGS(d.streams ? d.stream : STR("none")));
	printf("%-9s %.*s\n", "expiry", STR_ARGS(d.expiry));
	printf("%-9s %.*s\n", "recovery", STR_ARGS(d.recovery));
	if (d.warning != NULL)
		warn("%s", d.warning);
	if (d.flaw == NULL)
		return OUTCOME_DONE;
	complain("%s", d.flaw);
	return OUTCOME_TABLE;
}

static enum outcome
describe(struct invocation *in)
{
	return in->config.store_kind == STORE_SQLITE ? describe_file(in) : describe_dynamo(in);
}

/* --- delete --------------------------------------------------------------------------------------- */

/* Asked twice: with --yes, and with the name that the table really has. */
static enum outcome
take_away(struct invocation *in)
{
	struct table_dynamo_description d;
	enum table_rc rc;
	struct str why;

	if (in->config.store_kind == STORE_SQLITE) {
		complain(
		    "table: a table in a file is not deleted so; stop what uses it, then remove "
		    "%s and what lies beside it: -lock, -wal, -shm",
		    in->config.store.base);
		return OUTCOME_CONFIG;
	}
	rc = table_dynamo_describe(in->config.store, in->clock, in->arena, &d, &why);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	if (option_given(in, "yes") == NULL || in->argument_count != 2 ||
	    !str_eq(str_of(in->arguments[1]), d.name)) {
		complain("nothing deleted; to lose %.*s and all that it holds, say both: "
			 "broadsheet table delete --yes %.*s",
		    STR_ARGS(d.name), STR_ARGS(d.name));
		return OUTCOME_FAILED;
	}
	/* Under the name that was compared. */
	rc = table_dynamo_delete(d.name, in->clock, in->arena, &why);
	if (rc != TABLE_OK)
		return whole_failed(rc, why);
	printf("Deleted dynamodb:%.*s\n", STR_ARGS(d.name));
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
	rc = known_time_set(table, &call, now);
	table_close(table);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	printf("It is %.*s: what has expired by then is removed from now on\n",
	    STR_ARGS(time_format(in->arena, now)));
	return OUTCOME_DONE;
}

static const struct {
	const char *name, *arguments;
	size_t most;
	enum outcome (*run)(struct invocation *in);
} actions[] = {
    {"create", "", 0, create},
    {"describe", "", 0, describe},
    {"confirm-clock", "", 0, confirm_clock},
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
