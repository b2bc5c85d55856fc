#ifndef PAGES_PUBLIC_THREAD_H
#define PAGES_PUBLIC_THREAD_H

#include "model/post/post.h"
#include "model/reader/reaction.h"
#include "model/reader/comment.h"
#include "web/http/request.h"
#include "web/http/response.h"

/* The thread at /post/<slug>/thread/<path>: a comment, its ancestors and its descendants. */
struct thread_found {
	struct post post;
	const struct comment *ancestors; /* from the root down; deleted ones are included */
	size_t ancestor_count;
	struct thread thread;
	struct reactions mine; /* what the viewer thinks of it */
	struct str more; /* the cursor of the rest; empty: there is none */
};

/*
 * The part of it that is read: from ?after= on; or its last comments and their votes in reading order, with all that they
 * answer.
 */
enum thread_part { THREAD_FIRST, THREAD_LAST };

/*
 * Reads it, if the viewer may see it; at most `limit` comments. HTTP_OK, or the answer: HTTP_MOVED
 * when the post was renamed; the response then redirects there, to the same path followed by
 * `rest`.
 */
enum http_status thread_load(struct request *rq, struct response *rs, enum thread_part part,
    uint32_t limit, const char *rest, struct thread_found *out);

/*
 * The same of the last comments of a post, /post/<slug>, in reading order: `limit` of them and of their votes at most, with
 * all that they answer.
 */
enum http_status thread_load_all(struct request *rq, struct response *rs, uint32_t limit,
    const char *rest, struct thread_found *out);

/*
 * May the viewer read a post? That may depend on whom they follow; one that is not `there` takes as long. HTTP_OK, or what
 * the client is to be told.
 */
enum http_status thread_readable(struct request *rq, bool there, const struct post *post);

#endif
