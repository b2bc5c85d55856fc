#ifndef PAGES_PUBLIC_WATCH_H
#define PAGES_PUBLIC_WATCH_H

#include "model/post/post.h"
#include "model/reader/watch.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/* The button that follows a post's comments, a thread, a tag or a category, or no more; for a stranger a link to the question. */
struct watch_view {
	struct str url, token, wish, text; /* without a wish: a link */
};

extern const struct view_type watch_view_type;

/* NULL: the viewer is offered none. */
const struct watch_view *watch_view(
    struct request *rq, struct response *rs, const struct watch_target *target, bool watched);

/* The same of a post's comments or, with its root, of a thread: none of a post that is the viewer's own, or takes no comments. */
const struct watch_view *watch_view_of_post(struct request *rq, struct response *rs,
    const struct post *post, struct str root, bool watched);

#endif
