/* broadsheet table create|describe|confirm-clock|delete: the table as a whole. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/site/last_known_time.h"

#include <stdio.h>
#include <string.h>

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
