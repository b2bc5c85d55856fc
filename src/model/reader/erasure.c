#include "model/reader/erasure.h"

#include "base/arena.h"
#include "model/key_moderation.h"
#include "model/reader/comment_write.h"
#include "model/reader/restriction.h"

enum { AT_ONCE = 10 };
#define KEPT_MS (RESTRICTION_KEPT_DAYS * INT64_C(86400000))

/* One query's worth; *left counts what there was. Whoever was faster has done it, or has restored it. */
static enum plan_rc
work_off(struct plan *plan, struct query query, size_t *left,
    enum plan_rc (*erase)(struct plan *plan, const struct item *item))
{
	enum plan_rc rc = PLAN_DONE;
	struct item *found;
	struct str next;
	size_t count;

	query.limit = AT_ONCE;
	rc = plan_failed(plan, table_query(plan->table, plan->call, &query, &found, &count, &next));
	for (size_t i = 0; rc != PLAN_TABLE && i < count; i++) {
		rc = erase(plan, &found[i]);
		*left += rc == PLAN_DONE;
	}
	return rc == PLAN_TABLE ? rc : PLAN_DONE;
}

enum plan_rc
erasure_round(struct plan *plan, bool *done)
{
	struct arena *arena = plan->call->arena;
	int64_t until = plan->now - KEPT_MS;
	enum plan_rc rc = PLAN_DONE;
	size_t left = 0;

	for (int answered = 0; rc == PLAN_DONE && answered <= 1; answered++) {
		rc = work_off(plan, query_comments_hidden_before(arena, until, answered == 1),
		    &left, comment_erase);
		if (rc == PLAN_DONE)
			rc = work_off(plan, query_restrictions_before(arena, until, answered == 1),
			    &left, restriction_erase);
	}
	*done = rc == PLAN_DONE && left == 0;
	return rc;
}
