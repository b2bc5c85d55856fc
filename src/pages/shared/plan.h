#ifndef PAGES_SHARED_PLAN_H
#define PAGES_SHARED_PLAN_H

#include "model/plan.h"
#include "web/http/dispatch.h"

/* The plan of a request: its viewer acts, now. */
struct plan plan_of(struct request *rq);

/* The same for acts of the staff, which are logged. */
struct plan plan_of_staff(struct request *rq);

/* The answer to a refusal, for pages that have no form to show again. */
enum http_status plan_refused(struct response *rs, const struct plan *plan, enum plan_rc rc);

/* The answer in either case: on success a redirect with a message (pages/shared/done.h). */
enum http_status plan_answer(struct request *rq, struct response *rs, const struct plan *plan,
    enum plan_rc rc, struct str path, const char *what);

#endif
