#include "pages/public/review.h"
#include "pages/shared/card.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/reader/rating.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { STARS = 5 };

VIEW_FIELDS(rating_row_view, STRING(label), NUMBER(percent), NUMBER(count))
VIEW_FIELDS(rating_summary_view, STRING(mean), STRING(stars_text), STRING(count_text),
    LIST(rows, rating_row_view))
VIEW_FIELDS(review_view, STRING(id), STRING(author_url), STRING(author_name), STRING(date),
    STRING(date_text), STRING(stars_text), STRING(label), STRING(note))

const struct rating_summary_view *
rating_summary(struct request *rq, const struct post_stats *stats)
{
	struct rating_summary_view *view = ARENA_NEW(rq->arena, struct rating_summary_view);
	struct rating_row_view *rows = ARENA_ARRAY(rq->arena, STARS, struct rating_row_view);
	int64_t count = 0, sum = 0;

	for (int i = 0; i < STARS; i++) {
		count += stats->stars[i];
		sum += stats->stars[i] * (i + 1);
	}
	if (count == 0)
		return NULL;
	for (int i = 0; i < STARS; i++) {
		int stars = STARS - i;

		rows[i] = (struct rating_row_view){
		    .label = words_some(rq->arena, stars, "star", "stars"),
		    .percent = (stats->stars[stars - 1] * 100 + count / 2) / count,
		    .count = stats->stars[stars - 1],
		};
	}
	*view = (struct rating_summary_view){
	    .mean = words_mean(rq->arena, sum, count),
	    .stars_text = words_stars((sum * 2 + count) / (count * 2)),
	    .count_text = words_some(rq->arena, count, "rating", "ratings"),
	};
	view->rows.items = rows;
	view->rows.count = STARS;
	return view;
}

const struct review_view *
review_views(struct request *rq, const struct item *items, size_t count)
{
	struct review_view *views = ARENA_ARRAY(rq->arena, count, struct review_view);

	for (size_t i = 0; i < count; i++) {
		struct rating r;

		rating_from_item(rq->arena, &items[i], &r);
		views[i] = (struct review_view){
		    .id = r.author,
		    .author_url = author_path(rq->arena, r.author),
		    .author_name = r.author_name,
		    .date = time_format(rq->arena, r.created),
		    .date_text = words_date_near(rq, r.created),
		    .stars_text = words_stars(r.stars),
		    .label = str_fmt(rq->arena, "%lld of 5 stars", (long long)r.stars),
		    .note = r.note,
		};
	}
	return views;
}
