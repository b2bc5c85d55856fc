#ifndef PAGES_PUBLIC_REVIEW_H
#define PAGES_PUBLIC_REVIEW_H

#include "model/permission.h"
#include "model/post/post.h"
#include "model/reader/rating.h"
#include "text/view.h"
#include "web/http/request.h"

/* What readers think of a link, as pages show it: a summary with its histogram, and the reviews. */
struct rating_row_view {
	struct str label;
	int64_t percent, count;
};

struct rating_summary_view {
	struct str mean, count_text;
	int64_t percent; /* of five stars */
	LIST_OF(struct rating_row_view) rows;
};

/* templates/review.mustache */
struct review_view {
	struct str id, author_url, author_name, date, date_text, stars_text, label, folded;
	struct html note_html;
	bool author_verified;
	bool held; /* the note waits for an editor, and who sees it is its author or may decide */
	bool by_hand; /* somebody holds it back, and has told its author why */
	bool hidden; /* the same of one that the editors have hidden */
	bool elsewhere;                  /* on a page of many posts: then what it is about */
	struct str post_url, post_title; /* empty: a post that is not for everybody */
	struct str edit_url, withdraw_url, hold_url, flag_url;
};

extern const struct view_type rating_summary_view_type, review_view_type;

/* NULL when nobody has rated yet. */
const struct rating_summary_view *rating_summary(
    struct request *rq, const struct post_stats *stats);

/* One review of a post that the viewer may read: what they may see of it, and do. */
void review_fill(
    struct request *rq, const struct item *item, struct thing post, struct review_view *out);

/*
 * The same on a page of many posts, with the post that it is about among their heads. False: the viewer may not read that;
 * then it is left out, but for one's own rating, which can be taken back (`own`).
 */
bool review_fill_elsewhere(struct request *rq, const struct item *item, const struct read *heads,
    bool own, struct review_view *out);

/* Those of one post, in the arena. */
const struct review_view *review_views(
    struct request *rq, const struct item *items, size_t count, struct thing post);

/* Where a post's reviews are, where one rates it, and where that is taken back. */
struct str reviews_url(struct request *rq, const struct post *post);
struct str rating_url(struct request *rq, const struct post *post);
struct str rating_withdraw_url(struct request *rq, struct str post);

/* Could the viewer rate it, or a stranger who signed in? */
bool rating_is_offered(struct request *rq, struct thing post);

#endif
