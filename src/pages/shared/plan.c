#include "pages/shared/plan.h"

#include "model/viewer.h"
#include "pages/shared/done.h"
#include "web/views/views.h"

struct plan
plan_of(struct request *rq)
{
	struct plan plan = {
	    .table = rq->table, .call = &rq->call, .clock = rq->clock, .now = rq->now};

	if (rq->viewer != NULL) {
		plan.by = rq->viewer->user.username;
		plan.by_name = rq->viewer->user.display_name;
	}
	if (rq->site->views != NULL) {
		plan.counted = views_count;
		plan.counted_for = rq->site->views;
	}
	return plan;
}

struct plan
plan_of_staff(struct request *rq)
{
	struct plan plan = plan_of(rq);

	plan.audited = true;
	return plan;
}

enum http_status
plan_refused(struct response *rs, const struct plan *plan, enum plan_rc rc)
{
	switch (rc) {
	case PLAN_DONE: return HTTP_OK;
	case PLAN_TABLE: return status_of(plan->failed);
	case PLAN_NOT_ACTIVE: return HTTP_FORBIDDEN;
	case PLAN_BLOCKED:
	case PLAN_NOT_THERE:
	case PLAN_NOBODY: return HTTP_NOT_FOUND;
	case PLAN_GONE: return HTTP_GONE;
	case PLAN_TOO_MANY: return HTTP_TOO_MANY;
	case PLAN_NOT_EMPTY: rs->error_text = "There is something in it still."; break;
	case PLAN_CIRCLE: rs->error_text = "It would come to lie under itself."; break;
	case PLAN_TAKEN: rs->error_text = "It is done already."; break;
	case PLAN_FULL: rs->error_text = "There is no room for one more."; break;
	case PLAN_LAST_ADMIN:
		rs->error_text = "This is the only admin, and somebody has to stay.";
		break;
	default: break; /* a concurrent change: the page of a conflict explains that itself */
	}
	return HTTP_CONFLICT;
}

enum http_status
plan_answer(struct request *rq, struct response *rs, const struct plan *plan, enum plan_rc rc,
    struct str path, const char *what)
{
	return rc == PLAN_DONE ? redirect_done(rq, rs, path, what) : plan_refused(rs, plan, rc);
}
