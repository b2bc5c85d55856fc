#ifndef PAGES_WRITE_DESK_H
#define PAGES_WRITE_DESK_H

#include "model/post/post.h"
#include "web/http/request.h"

/* What the desk and the staff's list of posts share. */

/* Of all its times, the one that says most about a post: "Appears 19 November 2026, 09:30 CET". */
struct str desk_when(struct request *rq, const struct post *post, int64_t *time);

#endif
