#ifndef PAGES_ACCOUNT_NOTICE_H
#define PAGES_ACCOUNT_NOTICE_H

#include "model/people/notice.h"
#include "model/plan.h"
#include "model/people/user.h"
#include "web/http/dispatch.h"
#include "text/view.h"

/*
 * Tells somebody what was done to their account: on /account, and by a letter where mail is set up. It has two halves,
 * so that telling costs no trip: the write goes into the plan of what it tells of, and the letter is asked for when
 * that is done.
 */
void notice_add(struct request *rq, struct plan *plan, struct str username, enum notice what);
/* To user->email, if there is one. What can't be sent is logged, and stands on /account all the same. */
void notice_letter(struct request *rq, const struct user *user, enum notice what);

/* What /account shows of them. */
struct notice_view {
	struct str text, from_text, moment_text, advice;
};
extern const struct view_type notice_view_type;

/* Of the answer of notices_read(), in the page's time zone. */
const struct notice_view *notices_shown(struct request *rq, const struct read *read, size_t *count);

#endif
