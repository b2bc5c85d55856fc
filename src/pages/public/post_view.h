#ifndef PAGES_PUBLIC_POST_VIEW_H
#define PAGES_PUBLIC_POST_VIEW_H

#include "model/people/user.h"
#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/post/posts.h"
#include "model/reader/comment.h"
#include "model/reader/reaction.h"
#include "pages/public/thread_view.h"
#include "pages/public/watch.h"
#include "pages/shared/card.h"

/* One post as its page shows it, and as the preview of it does before it is saved. */

struct post_view {
	struct layout_view layout;
	struct post post; /* its texts by their names in files: {{post.canonical}} */
	struct str url, language, direction, title, excerpt, kind, kind_label;
	struct breadcrumbs breadcrumbs;
	struct str author_url, author_name;
	bool author_verified;
	LIST_OF(struct byline_other_view) others;
	struct str author_bio, author_avatar_url;
	struct str date, date_text, updated, updated_text, reading_text, likes_text, bookmarks_text;
	struct str shares_text, share_url;
	const struct post_card_view *quoted; /* of a note; NULL: none that the reader may see */
	struct str collect_url, flag_url;
	LIST_OF(struct link_view) collections;
	const struct series_view *series; /* NULL: it is no part of one */
	struct str react_token; /* for a viewer who is signed in */
	const struct reactions_view *react;
	struct str notice_text, edit_url, front_url, figures_url;
	const struct image_view *thumbnail;
	LIST_OF(struct contents_entry_view) contents;
	struct html body_html;
	LIST_OF(struct link_view) tags;
	struct str link_url, link_host;
	const struct rating_summary_view *rating;
	struct str review_url, my_stars_text, reviews_url;
	LIST_OF(struct review_view) reviews;
	struct str reviews_more_url, reviews_first_url;
	LIST_OF(struct fact_view) facts;
	bool needs; /* are there materials or tools? */
	LIST_OF(struct material_view) materials;
	LIST_OF(struct tool_view) tools;
	LIST_OF(struct step_view) steps;
	struct str comments_text;
	LIST_OF(struct nav_link_view) orders;
	LIST_OF(struct thread_view) threads;
	struct str new_text; /* "3 new" since the viewer's last visit */
	const struct vote_form_view *vote_form, *discussion_form;
	const struct watch_view *watch;
	LIST_OF(struct link_view) pinned; /* threads that are on no part of the page */
	struct str shut_text, manage_url; /* why nobody comments; where that is changed */
	struct str comments_more_url, comments_first_url, comment_url;
	struct str more_title;
	LIST_OF(struct post_card_view) more;
};

extern const struct view_type post_view_type;

/* What is shown of a post: all that the table has, or what is typed and not yet saved. */
struct post_shown {
	struct post post;
	struct post_body body;
	struct str anchors; /* what those of its text begin with; empty: as they are, it is the only text of the page */
	struct post_stats stats;
	struct thread thread;
	enum thread_order order;
	struct str long_thread; /* the root of one that is longer than the page, and left out; or empty */
	bool by_roots; /* there are many: some roots are shown with their first replies */
	struct str
	    thread_more; /* the cursor of the rest of the thread or (by_roots) of the roots; empty: there is none */
	struct user author;
	bool has_author;
	struct post quoted; /* the post that a note quotes; without an id: none */
	struct reactions mine; /* what the viewer thinks of it */
	bool followed;         /* the viewer follows its author */
	const struct item *reviews;
	size_t review_count;
	struct str reviews_more;              /* cursor of the rest of the reviews, likewise */
	const struct collection *collections; /* public ones that it is in */
	size_t collection_count;
	struct series_part part; /* of a series; part 0: of none */
	struct collection series; /* that one; without an id: it was not read, as of a renamed post */
	struct post part_before, part_after; /* without an id: likewise, or nobody may see it */
	struct posts more;
	bool more_by_category;
};

/*
 * Fills everything but the frame. After page_read(). What a preview does not have (thread, stats, other
 * posts) is left empty in the struct.
 */
void post_view_fill(struct request *rq, const struct post_shown *shown, struct post_view *view);

/* Its frame, as machines read it and as it is shared. After post_view_fill(). */
void post_view_frame(struct request *rq, const struct post_shown *shown, struct post_view *view);

/* The frame, too, for a page of its own. */
void post_view_fill_page(
    struct request *rq, const struct post_shown *shown, struct post_view *view);

/* Answers with the template of its kind. */
enum http_status post_respond(
    struct request *rq, struct response *rs, enum post_kind kind, const struct post_view *view);

/*
 * The answer where there is no post at this address, or none for the viewer: HTTP_NOT_FOUND after as many trips, whatever
 * was found. `before`: the trips before the page's first.
 */
enum http_status post_not_found(struct request *rq, uint32_t before);

#endif
