#include "model/act.h"

const struct condition act_present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
const struct condition act_absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

enum act_rc
act_failed(struct act *act, enum table_rc rc)
{
	act->failed = rc;
	return rc == TABLE_OK ? ACT_DONE : ACT_TABLE;
}

enum act_rc
act_transact(struct act *act, struct write *writes, size_t count, const enum act_rc *refusals,
    size_t refused)
{
	enum table_rc rc = table_transact(act->table, act->call, writes, count, STR(""));

	if (rc != TABLE_CANCELLED)
		return act_failed(act, rc);
	for (size_t i = 0; i < refused; i++)
		if (writes[i].rc == TABLE_CONDITION)
			return refusals[i];
	return ACT_CHANGED;
}

struct change
act_text(struct str name, struct str text)
{
	return (struct change){
	    text.len != 0 ? CHANGE_SET : CHANGE_REMOVE, name, value_string(text)};
}
