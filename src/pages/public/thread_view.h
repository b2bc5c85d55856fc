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
	struct str gone_text; /* the text in place of a deleted comment */
	struct str hidden_text, hidden_why, answer_url, answer, flag_url;
	struct str decide_url; /* where whoever may decides on it */
	bool by_staff;         /* it speaks for the staff */
	struct str folded; /* why it is collapsed; empty: it is expanded */
	struct str author_url, author_name;
	bool author_verified, by_author;
	struct str date, date_text;
	bool edited, pinned, closed; /* of a root: its thread */
	struct str pin_value, close_value; /* of a moderator's buttons; empty: there are none */
	bool is_new; /* since the viewer's last visit */
	struct str parent_url, parent_name, votes_text, reply_url, edit_url, delete_url;
	struct str vote_url; /* a stranger's */
	struct str up_value, down_value; /* of the viewer's buttons; empty: they can't vote on it */
	bool up_pressed, down_pressed;
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

/* The form of all buttons for votes on a page. */
struct vote_form_view {
	struct str url, token, from;
};

extern const struct view_type comment_view_type, thread_view_type, vote_form_view_type;

/* The page of a post or thread that a form of buttons was on, as it says; empty: none of ours. */
struct str thread_came_from(const struct request *rq);

/* Where the comments of a post are turned off, closed and pinned: pages/public/discussion.c. */
struct str discussion_path(struct arena *arena, const struct post *post);
/* The form of the buttons that close and pin its threads; NULL: the viewer does not moderate. */
const struct vote_form_view *discussion_form(
    struct request *rq, struct response *rs, const struct post *post);

/* Under which post comments are shown, and what the viewer has to do with it. */
struct comment_context {
	const struct post *post;
	const struct reactions *mine; /* what the viewer thinks of it; NULL: it is not known */
	int64_t since;                /* what is newer is new to them; 0: nothing is */
	bool manages; /* the page has the form of the buttons that close and pin threads */
};

/*
 * The views of a thread, one for each root, in the request's arena; *count is how many. If the
 * first comment is not a root, it is shown as if it were.
 */
const struct thread_view *thread_views(struct request *rq, const struct comment_context *context,
    const struct thread *thread, size_t *count);

/*
 * Why the viewer can't write under it, or in the thread of what stands at this path, in a sentence: comments are turned
 * off or closed. NULL: they can, as far as that goes.
 */
const char *discussion_says(const struct request *rq, const struct post *post, struct str path);

/* Could a comment be written under it, by whoever may? */
bool thread_open(const struct request *rq, const struct post *post);

/* One alone. `parent` is what it answers, where that is known and not deleted; else NULL. */
void comment_view_fill(struct request *rq, const struct comment_context *context,
    const struct comment *c, const struct comment *parent, struct comment_view *out);

/* How many of the thread are new to the viewer, others' alone; and when the newest was written, or 0. */
size_t thread_new(
    struct request *rq, const struct comment_context *context, const struct thread *thread);
int64_t thread_newest(const struct thread *thread);

/* NULL for a stranger. `token` is of csrf_token(). */
const struct vote_form_view *vote_form(struct request *rq, const struct post *post, struct str token);
struct str vote_path(struct arena *arena, const struct post *post);

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
