#ifndef PAGES_PUBLIC_COMMENT_H
#define PAGES_PUBLIC_COMMENT_H

#include "model/post/post.h"
#include "text/view.h"
#include "web/http/request.h"

/* Where one writes a comment on a post, or a reply to what stands at this path of its thread. */
struct str comment_write_url(struct request *rq, const struct post *post, struct str to);
/* Where one edits one's own, and where it is deleted. */
struct str comment_edit_url(struct request *rq, const struct post *post, struct str path);
struct str comment_delete_url(struct request *rq, const struct post *post, struct str path);

/* The page on which an author answers to the hiding of a comment. */
struct str comment_answer_url(struct request *rq, const struct post *post, struct str path);
/* How many links lead away from what a reader wrote, as it was rendered; and how many people it calls by name. */
int64_t comment_links(struct html html);
int64_t comment_mentions(struct html html);

#endif
