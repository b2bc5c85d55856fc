#ifndef PAGES_PUBLIC_THREAD_H
#define PAGES_PUBLIC_THREAD_H

#include "model/reader/comment.h"
#include "text/view.h"
#include "web/http/dispatch.h"

struct post;

/* A comment as a page shows it: templates/comment.mustache. */
struct comment_view {
	struct str id;
	int64_t depth;
	bool deleted, held;
	struct str author_url, author_name;
	bool by_author;
	struct str date, date_text;
	bool edited;
	struct str parent_id, parent_name, votes_text, reply_url;
	struct html body_html;
};

extern const struct view_type comment_view_type;

/* The thread under a post, in reading order, in the request's arena. */
const struct comment_view *thread_views(
    struct request *rq, const struct post *post, const struct thread *thread);

#endif
