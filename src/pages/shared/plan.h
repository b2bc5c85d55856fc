#ifndef PAGES_SHARED_PLAN_H
#define PAGES_SHARED_PLAN_H

#include "model/plan.h"
#include "web/http/dispatch.h"

/* What pages change, they change by a plan of this request: by whoever asks, now. */
struct plan plan_of(struct request *rq);

/* The same for what the staff do, which stands in the log. */
struct plan plan_of_staff(struct request *rq);

/* The answer when it could not be done, for pages that have no form to show again. */
enum http_status plan_refused(struct response *rs, const struct plan *plan, enum plan_rc rc);

/* The answer either way: when it was done, to a page that says so (pages/shared/done.h). */
enum http_status plan_answer(struct request *rq, struct response *rs, const struct plan *plan,
    enum plan_rc rc, struct str path, const char *what);

#endif
