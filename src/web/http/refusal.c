#include "web/http/refusal.h"

#include "base/log.h"
#include "model/viewer.h"
#include "web/http/dispatch.h"

void
refusal_note(struct request *rq, const char *what, struct str account)
{
	const struct site *site = rq->site;
	struct str from = site->log_addresses ? rq->in->remote_addr : STR("");

	if (site->log == NULL)
		return;
	log_line(site->log, LOG_NOTICE, "refused what=%s address=%.*s account=%.*s route=%s", what,
	    STR_ARGS(from.len != 0 ? from : STR("-")),
	    STR_ARGS(account.len != 0 ? account : STR("-")),
	    rq->route != NULL ? rq->route->pattern : "-");
}

void
refusal_note_status(struct request *rq, enum http_status status)
{
	const char *what = status == HTTP_TOO_MANY    ? "limit"
			   : status != HTTP_FORBIDDEN ? NULL
			   : rq->came_from_elsewhere  ? "csrf"
						      : "permission";

	if (what != NULL)
		refusal_note(
		    rq, what, rq->viewer != NULL ? rq->viewer->user.username : rq->account);
}
