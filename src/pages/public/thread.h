#ifndef PAGES_PUBLIC_THREAD_H
#define PAGES_PUBLIC_THREAD_H

#include "model/post/post.h"
#include "model/reader/comment.h"
#include "web/http/request.h"
#include "web/http/response.h"

/* What an address /post/<slug>/thread/<path> names: a comment, what it answers, and what is under it. */
struct thread_found {
	struct post post;
	const struct comment *ancestors; /* from the root down; a deleted one is kept for its place */
	size_t ancestor_count;
	struct thread thread;
	struct str more; /* the cursor of the rest; empty: there is none */
};

/*
 * Reads it, for who may see it; `limit` comments at most. HTTP_OK, or what the client is to be told: HTTP_MOVED when the
 * post has another address by now, and the response leads there, to the same path with `rest` behind it.
 */
enum http_status thread_load(struct request *rq, struct response *rs, uint32_t limit,
    const char *rest, struct thread_found *out);

#endif
