#ifndef PAGES_PUBLIC_THREAD_H
#define PAGES_PUBLIC_THREAD_H

#include "model/post/post.h"
#include "model/reader/comment.h"
#include "web/http/request.h"
#include "web/http/response.h"

/* The thread at /post/<slug>/thread/<path>: a comment, its ancestors and its descendants. */
struct thread_found {
	struct post post;
	const struct comment *ancestors; /* from the root down; deleted ones are included */
	size_t ancestor_count;
	struct thread thread;
	struct str more; /* the cursor of the rest, or empty */
};

/*
 * Reads it, if the viewer may see it; at most `limit` comments. HTTP_OK, or the answer: HTTP_MOVED
 * when the post was renamed; the response then redirects there, to the same path followed by
 * `rest`.
 */
enum http_status thread_load(struct request *rq, struct response *rs, uint32_t limit,
    const char *rest, struct thread_found *out);

#endif
