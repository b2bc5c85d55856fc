#ifndef PAGES_PUBLIC_REVIEW_H
#define PAGES_PUBLIC_REVIEW_H

#include "model/post/post.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/* What readers think of a link: a summary with its histogram, and the reviews. */
struct rating_row_view {
	struct str label;
	int64_t percent, count;
};

struct rating_summary_view {
	struct str mean, stars_text, count_text;
	LIST_OF(struct rating_row_view) rows;
};

struct review_view {
	struct str id, author_url, author_name, date, date_text, stars_text, label, note;
};

extern const struct view_type rating_summary_view_type, review_view_type;

/* NULL when nobody has rated yet. */
const struct rating_summary_view *rating_summary(
    struct request *rq, const struct post_stats *stats);

/* The reviews from the items of query_ratings(). */
const struct review_view *review_views(struct request *rq, const struct item *items, size_t count);

#endif
