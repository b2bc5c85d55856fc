/*
 * /admin/reviews: notes of ratings that wait for an editor, the oldest first, with the post that they are about; each is
 * approved or removed by one button. The stars count in any case. What is of a post that somebody may not read is not for
 * them to decide, and not shown.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_rating.h"
#include "model/people/user.h"
#include "model/post/post.h"
#include "model/reader/rating.h"
#include "model/slug.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"

enum { SHOWN = 20 };

/* --- The list ---------------------------------------------------------------------------------------- */

static struct admin_row_view
row_of(struct request *rq, const struct post *post, const struct rating *rating)
{
	struct str value = STR_CONCAT(rq->arena, post->id, STR(" "), rating->author, STR(" "),
	    time_format(rq->arena, rating->updated));
	struct admin_row_view row = {.url = post_path(rq->arena, post),
	    .name = words_title(post),
	    .text = STR_CONCAT(rq->arena, rating->author_name, STR(", "),
		words_count(rq->arena, rating->stars, "star", "stars"), STR(", "),
		words_moment(rq, rating->updated)),
	    .has_body = true,
	    .body_html =
		stored_html(rq, MARKDOWN_READER, rating->note, rating->html, rating->renderer)};

	note_confidential(rq, post);
	admin_button(rq, &row, "approve", value, "Approve");
	admin_button(rq, &row, "remove", value, "Remove the note");
	return row;
}

static void
fill_rows(struct request *rq, const struct read *held, const struct read *heads,
    struct admin_panel_view *panel)
{
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, held->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < held->found_count; i++) {
		struct rating rating;
		struct post post;

		const struct item *head;

		rating_from_item(rq->arena, &held->found[i], &rating);
		head = list_named_post(rq, heads, rating.post);
		if (head == NULL)
			continue;
		post_from_item(rq->arena, head, &post);
		if (may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
			rows[count++] = row_of(rq, &post, &rating);
	}
	panel->rows.items = rows;
	panel->rows.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/reviews", STR("Reviews"));
	struct admin_panel_view *panel = admin_panel(view, "held", "Notes that wait for an editor");
	struct read held = {.kind = READ_QUERY, .query = query_ratings_held()}, heads;
	enum http_status status;

	held.query.limit = SHOWN;
	if (!list_cursor_of(rq, "after", &held.query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &held, 1);
	if (status == HTTP_OK)
		status = list_named_posts(rq, &held, &heads);
	if (status != HTTP_OK)
		return status;
	fill_rows(rq, &held, &heads, panel);
	view->intro = STR("The stars of a rating count at once. Of whom a note or a comment is "
			  "approved, the next one appears at once.");
	panel->empty_text = STR("Nothing waits.");
	panel->pagination = pagination_onward(rq, held.next);
	admin_buttons_lead(rq, rs, panel, STR("/admin/reviews"));
	return admin_respond(rq, rs, view);
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* What a button names: a rating of a post that is theirs to decide on, and when it was as it was shown. */
static enum http_status
find(
    struct request *rq, struct str value, struct post *post, struct read *rating, struct str *shown)
{
	struct str rest, id = str_cut(value, ' ', &rest), author = str_cut(rest, ' ', shown);
	struct read reads[2];
	enum http_status status;

	if (!slug_valid(id) || !username_valid(author))
		return HTTP_BAD_REQUEST;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = rating_read(rq->arena, author, id);
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, reads[0].item, post);
	*rating = reads[1];
	return may(rq->viewer, MAY_READ, thing_post(post, rq->now)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
decide(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str approved = input_of(rq, "approve"), removed = input_of(rq, "remove"), shown;
	struct rating rating = {.status = RATING_VISIBLE};
	enum http_status status;
	enum plan_rc rc = PLAN_TAKEN;
	struct read read;
	struct post post;

	if ((approved.len != 0) == (removed.len != 0))
		return HTTP_BAD_REQUEST;
	status = find(rq, approved.len != 0 ? approved : removed, &post, &read, &shown);
	if (status != HTTP_OK)
		return status;
	if (read.item != NULL)
		rating_from_item(rq->arena, read.item, &rating);
	/* Somebody else has decided meanwhile, or this one, twice; or its author has changed it. */
	if (rating.status == RATING_HELD && str_eq(shown, time_format(rq->arena, rating.updated)))
		rc = rating_decide(
		    &plan, read.item, &post, approved.len != 0 ? RATING_SHOW : RATING_REMOVE);
	return plan_answer(
	    rq, rs, &plan, rc, STR("/admin/reviews"), approved.len != 0 ? "approved" : "removed");
}

PAGE(admin_reviews, .get = show, .post = decide, .query = QUERY("after", "done"))
