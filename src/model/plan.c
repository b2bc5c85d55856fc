#include "model/plan.h"

const struct condition plan_present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
const struct condition plan_absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

enum plan_rc
plan_failed(struct plan *plan, enum table_rc rc)
{
	plan->failed = rc;
	return rc == TABLE_OK ? PLAN_DONE : PLAN_TABLE;
}

enum plan_rc
plan_transact(struct plan *plan, struct write *writes, size_t count, const enum plan_rc *refusals,
    size_t refused)
{
	enum table_rc rc = table_transact(plan->table, plan->call, writes, count, STR(""));

	if (rc != TABLE_CANCELLED)
		return plan_failed(plan, rc);
	for (size_t i = 0; i < refused; i++)
		if (writes[i].rc == TABLE_CONDITION)
			return refusals[i];
	return PLAN_CHANGED;
}

struct change
plan_text(struct str name, struct str text)
{
	return (struct change){
	    text.len != 0 ? CHANGE_SET : CHANGE_REMOVE, name, value_string(text)};
}
