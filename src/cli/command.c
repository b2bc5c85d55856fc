#include "cli/command.h"

#include "table/retry.h"

#include <inttypes.h>
#include <string.h>

/* What a call to the table may take. */
enum { CALL_MS = 30 * 1000 };

const char *
option_given(const struct invocation *in, const char *name)
{
	for (size_t i = 0; in->command->options[i].name != NULL; i++)
		if (strcmp(in->command->options[i].name, name) == 0)
			return in->given[i];
	return NULL;
}

bool
option_number(
    const struct invocation *in, const char *name, int64_t least, int64_t most, int64_t *out)
{
	const char *text = option_given(in, name);

	if (text == NULL)
		return true;
	if (str_int(str_of(text), out) && *out >= least && *out <= most)
		return true;
	complain("%s: --%s is \"%s\", but should be a number from %" PRId64 " to %" PRId64,
	    in->command->name, name, text, least, most);
	return false;
}

enum outcome
table_failed(enum table_rc rc, const char *why)
{
	if (why != NULL && why[0] != '\0')
		complain("%s", why);
	else
		complain("%s", table_rc_text(rc));
	return rc == TABLE_INVALID ? OUTCOME_FAILED : OUTCOME_TABLE;
}

enum table_rc
command_store(struct invocation *in, const struct config *config, enum table_open how,
    struct table **table, struct str *why)
{
	struct retry retry = {0};
	enum table_rc rc;

	/* Whatever else is wrong here may well be a setting: it is told at once. */
	do
		rc = store_open(config, how, in->clock, in->arena, table, why);
	while (rc == TABLE_THROTTLED && retry_again(&retry, rc));
	if (rc == TABLE_OK)
		(*table)->deadline_ms = CALL_MS;
	return rc;
}

enum outcome
open_store(struct invocation *in, enum table_open how, struct table **table)
{
	struct str why;

	if (command_store(in, &in->config, how, table, &why) != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_TABLE;
	}
	/* Somebody whose disk is not mounted, or who mistyped the path, learns of it here. */
	if ((*table)->made)
		remark(
		    "there was no table: made %.*s", STR_ARGS(store_name(&in->config, in->arena)));
	return OUTCOME_DONE;
}
