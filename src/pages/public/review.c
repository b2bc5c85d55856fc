#include "pages/public/review.h"

#include "base/arena.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/public/flag.h"
#include "pages/public/thread_view.h"
#include "pages/shared/card.h"
#include "pages/shared/lists.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/http/dispatch.h"

enum { STARS = 5 };

VIEW_FIELDS(rating_row_view, STRING(label), NUMBER(percent), NUMBER(count))
VIEW_FIELDS(rating_summary_view, STRING(mean), NUMBER(percent), STRING(count_text),
    LIST(rows, rating_row_view))
VIEW_FIELDS(review_view, STRING(id), STRING(author_url), STRING(author_name), FLAG(author_verified),
    STRING(date), STRING(date_text), STRING(stars_text), STRING(label), STRING(folded),
    HTML(note_html), FLAG(held), FLAG(by_hand),
    FLAG(hidden), FLAG(elsewhere), STRING(post_url), STRING(post_title),
    STRING(edit_url), STRING(withdraw_url), STRING(hold_url), STRING(flag_url))

/* --- Addresses --------------------------------------------------------------------------------------- */

struct str
reviews_url(struct request *rq, const struct post *post)
{
	return STR_CONCAT(rq->arena, post_path(rq->arena, post), STR("/reviews"));
}

/* By its id, which never changes, so that all is read in one trip. */
static struct str
rating_url_of(struct request *rq, struct str post)
{
	return STR_CONCAT(rq->arena, url_join(rq->arena, STR("/post/"), post), STR("/rating"));
}

struct str
rating_url(struct request *rq, const struct post *post)
{
	return rating_url_of(rq, post->id);
}

struct str
rating_withdraw_url(struct request *rq, struct str post)
{
	return STR_CONCAT(rq->arena, rating_url_of(rq, post), STR("/withdraw"));
}

bool
rating_is_offered(struct request *rq, struct thing post)
{
	if (rq->viewer != NULL)
		return may(rq->viewer, MAY_RATE, post);
	return may(NULL, MAY_READ, post) && post_takes_ratings(post.post) &&
	       !turned_off(settings_off(rq->settings), MAY_RATE, post);
}

/* --- What is shown ----------------------------------------------------------------------------------- */

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
	if (count <= 0)
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
	    .percent = (sum * 100 + STARS * count / 2) / (STARS * count),
	    .count_text = words_some(rq->arena, count, "rating", "ratings"),
	};
	view->rows.items = rows;
	view->rows.count = STARS;
	return view;
}

/* What is held of it is for its author, and for whoever decides on it. */
static void
fill_note(struct request *rq, const struct rating *r, struct thing post, struct review_view *out)
{
	bool own = rq->viewer != NULL && str_eq(rq->viewer->user.username, r->author);
	bool decides = may(rq->viewer, MAY_HOLD_NOTE, post);

	if (r->note.len == 0 || (r->status == RATING_HELD && !own && !decides))
		return;
	if (r->status == RATING_HIDDEN && !own && !may(rq->viewer, MAY_SHOW, thing_review(r)))
		return;
	out->note_html = stored_html(rq, MARKDOWN_READER, r->note, r->html, r->renderer);
	out->held = r->status == RATING_HELD;
	out->by_hand = own && rating_held_by_hand(r);
	out->hidden = r->status == RATING_HIDDEN;
	if (decides && !own && r->status == RATING_VISIBLE && !viewer_blocks(rq->viewer, r->author))
		out->hold_url =
		    STR_CONCAT(rq->arena, rating_url_of(rq, r->post), STR("/hold?of="), r->author);
}

void
review_fill(struct request *rq, const struct item *item, struct thing post, struct review_view *out)
{
	struct rating r;

	rating_from_item(rq->arena, item, &r);
	*out = (struct review_view){
	    .id = r.author,
	    .author_url = author_path(rq->arena, r.author),
	    .author_name = r.author_name,
	    .date = time_format(rq->arena, r.created),
	    .date_text = words_date_near(rq, r.created),
	    .stars_text = words_stars(r.stars),
	    .label = str_fmt(rq->arena, "%lld of 5 stars", (long long)r.stars),
	};
	out->flag_url = flag_url(rq,
	    &(struct flag_target){.what = FLAG_REVIEW, .post = r.post, .person = r.author},
	    may(rq->viewer, MAY_FLAG, thing_review(&r)) && !viewer_blocks(rq->viewer, r.author));
	out->author_verified = !viewer_blocks(rq->viewer, r.author) && is_verified(rq, r.author);
	out->folded = folded_for(rq, r.author, &out->author_name, &out->author_url);
	fill_note(rq, &r, post, out);
	if (rq->viewer != NULL && str_eq(rq->viewer->user.username, r.author) &&
	    may(rq->viewer, MAY_RATE, post))
		out->edit_url = rating_url(rq, post.post);
}

bool
review_fill_elsewhere(struct request *rq, const struct item *item, const struct read *heads,
    bool own, struct review_view *out)
{
	struct str id = item_string(item, STR("Post"));
	const struct item *head = list_named_post(rq, heads, id);
	struct post *post = ARENA_NEW(rq->arena, struct post);
	bool visible = false;

	if (head != NULL) {
		post_from_item(rq->arena, head, post);
		visible = post_visible_to(post, rq->viewer, rq->now);
	}
	if (!visible && !own)
		return false;
	review_fill(rq, item, thing_post(post, rq->now), out);
	out->elsewhere = true;
	if (own)
		out->withdraw_url = rating_withdraw_url(rq, id);
	if (!visible)
		return true;
	note_confidential(rq, post);
	out->post_url = post_path(rq->arena, post);
	out->post_title = words_title(post);
	return true;
}

const struct review_view *
review_views(struct request *rq, const struct item *items, size_t count, struct thing post)
{
	struct review_view *views = ARENA_ARRAY(rq->arena, count, struct review_view);

	for (size_t i = 0; i < count; i++) {
		review_fill(rq, &items[i], post, &views[i]);
		/* Its id is a name, too. */
		if (viewer_blocks(rq->viewer, views[i].id))
			views[i].id = str_fmt(rq->arena, "blocked-%zu", i);
	}
	return views;
}
