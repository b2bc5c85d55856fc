#ifndef PAGES_PUBLIC_THREAD_VIEW_H
#define PAGES_PUBLIC_THREAD_VIEW_H

#include "model/post/post.h"
#include "model/reader/comment.h"
#include "pages/shared/layout.h"

/* The views of comments: under a post, on a page of their own, and in lists. */

/*
 * At most so many comments on a page, of so many threads if there are more, each with so many
 * replies; and so many levels.
 */
enum { COMMENTS_SHOWN = 60, ROOTS_SHOWN = 20, REPLIES_SHOWN = 2, LEVELS_SHOWN = 8 };
_Static_assert(ROOTS_SHOWN *(1 + REPLIES_SHOWN) <= COMMENTS_SHOWN, "no page has more");

/* templates/comment.mustache */
struct comment_view {
	struct str id, url;
	int64_t depth;
	bool deleted, held;
	struct str gone_text; /* what is said of it when it is deleted */
	struct str hidden_why, answer_url, answer, flag_url;
	struct str folded; /* why it is to be opened first; empty: it is open */
	struct str author_url, author_name;
	bool by_author;
	struct str date, date_text;
	bool edited;
	struct str parent_url, parent_name, votes_text, reply_url, edit_url, delete_url;
	struct str continue_url, continue_text;
	struct html body_html;
};

/* A comment with its descendants that are shown. */
struct thread_view {
	struct comment_view root;
	struct str replies_text;
	LIST_OF(struct comment_view) replies;
	struct str more_url, more_text;
};

extern const struct view_type comment_view_type, thread_view_type;

/*
 * The views of a thread, one for each root, in the request's arena; *count is how many. If the
 * first comment is not a root, it is shown as if it were.
 */
const struct thread_view *thread_views(
    struct request *rq, const struct post *post, const struct thread *thread, size_t *count);

/*
 * A single comment. `parent` is the comment that it answers, if that is known and not deleted; else
 * NULL.
 */
void comment_view_fill(struct request *rq, const struct post *post, const struct comment *c,
    const struct comment *parent, struct comment_view *out);

/*
 * The reason why somebody's text is collapsed for the viewer; empty: it is not. The name of a
 * blocked person is nowhere on the page, so there is no link to them: *name and *url are changed.
 */
struct str folded_for(struct request *rq, struct str username, struct str *name, struct str *url);

/* The page of a comment and its descendants, and the comment's place on it. */
struct str thread_path(struct request *rq, const struct post *post, struct str path);
struct str comment_permalink(struct request *rq, const struct post *post, struct str path);

/* "newest", as in an address. False: there is no such order. */
bool thread_order_of(struct str word, enum thread_order *out);

/* Links to the orders of a thread. */
const struct nav_link_view *thread_order_links(
    struct request *rq, const struct post *post, enum thread_order order);

#endif
