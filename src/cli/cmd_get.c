/* broadsheet get PK SK: one item, by its key. */
#include "cli/commands.h"

#include "cli/print_item.h"

const struct option get_options[] = {
    {"pretty", NULL, "one attribute a line"},
    {NULL},
};

enum outcome
cmd_get(struct invocation *in)
{
	const struct key key = {str_of(in->arguments[0]), str_of(in->arguments[1])};
	struct table_call call = {.arena = in->arena};
	struct item *item = NULL;
	enum outcome outcome;
	struct table *table;
	enum table_rc rc;

	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	rc = table_get(table, &call, key, &item);
	if (rc != TABLE_OK) {
		outcome = table_failed(rc, call.why);
	} else if (item == NULL) {
		complain("there is no item %s / %s", in->arguments[0], in->arguments[1]);
		outcome = OUTCOME_FAILED;
	} else {
		print_item(in->arena, item, option_given(in, "pretty") != NULL);
	}
	table_close(table);
	return outcome;
}
