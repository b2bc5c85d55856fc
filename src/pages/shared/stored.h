#ifndef PAGES_SHARED_STORED_H
#define PAGES_SHARED_STORED_H

#include "model/reader/comment.h"
#include "text/markdown.h"
#include "web/http/request.h"

/*
 * The HTML of a text that was rendered when it was saved. What an older renderer made, or none yet, is
 * rendered now; the worker writes it down later.
 */
struct html stored_html(struct request *rq, enum markdown_trust trust, struct str markdown,
    struct str html, int64_t renderer);

/* The same of the text of a post with its hashtags and mentions, and of a comment with its mentions. */
struct html stored_body_html(struct request *rq, const struct post_body *body);
struct html stored_comment_html(struct request *rq, const struct comment *comment);

#endif
