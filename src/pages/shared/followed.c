#include "pages/shared/followed.h"

#include "model/post/post.h"
#include "model/reader/follow.h"
#include "pages/shared/publication.h"

enum http_status
followed_check(struct request *rq, enum action action, const struct post *post, bool *followed)
{
	struct read follow;
	enum http_status status;
	struct thing thing;
	bool follows;

	if (followed != NULL)
		*followed = false;
	if (post != NULL && may(rq->viewer, action, thing_post(post, rq->now)))
		return HTTP_OK;
	if (rq->viewer == NULL)
		return HTTP_NOT_FOUND;
	follow = follow_read(rq->arena, rq->viewer->user.username,
	    post != NULL ? post->author : rq->viewer->user.username);
	status = page_read(rq, &follow, 1);
	if (status != HTTP_OK || post == NULL)
		return status != HTTP_OK ? status : HTTP_NOT_FOUND;
	follows = follow_holds(&follow);
	if (followed != NULL)
		*followed = follows;
	thing = thing_followed(thing_post(post, rq->now), follows);
	return may(rq->viewer, action, thing) ? HTTP_OK : HTTP_NOT_FOUND;
}
