#include "pages/shared/suspended.h"

#include "base/arena.h"
#include "model/permission.h"
#include "pages/shared/words.h"

const char shut_out_text[] =
    "From your network nobody can write just now. Try from elsewhere, or later.";

struct str
suspended_text(struct request *rq)
{
	const struct user *user = &rq->viewer->user;

	return STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, user->suspended_until),
	    STR(" you can read, but write nothing. Why: "), user->suspended_why);
}
