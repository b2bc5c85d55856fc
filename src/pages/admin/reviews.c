/*
 * /admin/reviews: notes of ratings that wait for an editor, the oldest first, with the post that they are about; each is
 * approved, or hidden for a reason that its author is told, by one button. The stars count in any case. What is of a post
 * that somebody may not read is not for them to decide, and not shown.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_rating.h"
#include "model/people/user.h"
#include "model/key_moderation.h"
#include "model/post/post.h"
#include "model/reader/rating.h"
#include "model/reader/restriction.h"
#include "model/slug.h"
#include "pages/admin/admin.h"
#include "pages/admin/decide.h"
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

	if (rating->held_for.len != 0) {
		struct admin_note_view *why = ARENA_NEW(rq->arena, struct admin_note_view);

		why->text = STR_CONCAT(rq->arena, STR("Waits: "), rating->held_for);
		row.notes.items = why;
		row.notes.count = 1;
	}
	note_confidential(rq, post);
	admin_button(rq, &row, "approve", value, "Approve");
	for (size_t i = 0; hiding_reasons[i].word != NULL; i++)
		admin_button(rq, &row, "hide",
		    STR_CONCAT(rq->arena, str_of(hiding_reasons[i].word), STR(" "), value),
		    hiding_reasons[i].label);
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

static struct str
note_text(struct request *rq, const struct item *item)
{
	struct rating rating;

	rating_from_item(rq->arena, item, &rating);
	return STR_CONCAT(rq->arena, rating.post_title, STR("\n"), rating.author_name, STR("\n"),
	    rating.author, STR("\n"), rating.note);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/reviews", STR("Reviews"));
	struct admin_panel_view *panel = admin_panel(view, "held", "Notes that wait for an editor");
	struct read held = {.kind = READ_QUERY, .query = query_ratings_held()}, heads;
	const struct filter filter = filter_of(rq);
	enum http_status status;

	filter_limit(&filter, SHOWN, &held);
	if (!list_cursor_of(rq, "after", &held.query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &held, 1);
	if (status == HTTP_OK) {
		filter_keep(rq, &filter, SHOWN, note_text, &held);
		status = list_named_posts(rq, &held, &heads);
	}
	if (status != HTTP_OK)
		return status;
	fill_rows(rq, &held, &heads, panel);
	view->intro = STR("The stars of a rating count at once. Of whom a note or a comment is "
			  "approved, the next one appears at once.");
	if (held.found_count != 0 || filter.count != 0)
		panel->search = admin_filter(rq, &filter, "Words in notes, titles and names", "/admin/reviews");
	panel->empty_text = filter_empty(&filter, &held, "Nothing waits.");
	panel->pagination = pagination_onward(rq, held.next);
	admin_buttons_lead(rq, rs, panel, STR("/admin/reviews"));
	return admin_respond(rq, rs, view);
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* What a button names, as it is read. */
struct held_note {
	struct post post;
	struct rating rating;
	struct restrictable thing;
	const struct item *flagged;
	struct str shown; /* when it was as it was shown */
};

/* Of a post that is theirs to decide on. */
static enum http_status
find(struct request *rq, struct str value, struct held_note *out)
{
	struct str rest, id = str_cut(value, ' ', &rest), author = str_cut(rest, ' ', &out->shown);
	struct read reads[4];
	enum http_status status;
	struct str name;

	if (!slug_valid(id) || !username_valid(author))
		return HTTP_BAD_REQUEST;
	out->thing.target = (struct flag_target){.what = FLAG_REVIEW, .post = id, .person = author};
	name = key_flag_target(rq->arena, &out->thing.target);
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = rating_read(rq->arena, author, id);
	reads[2] = (struct read){.kind = READ_GET, .key = key_restriction(rq->arena, name)};
	reads[3] = (struct read){.kind = READ_GET, .key = key_flagged(rq->arena, name)};
	reads[2].consistent = reads[3].consistent = true;
	status = page_read(rq, reads, 4);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, reads[0].item, &out->post);
	out->rating.status = RATING_VISIBLE;
	if (reads[1].item != NULL)
		rating_from_item(rq->arena, reads[1].item, &out->rating);
	out->thing.item = reads[1].item;
	out->thing.post = &out->post;
	out->thing.restriction = reads[2].item;
	out->flagged = reads[3].item;
	return may(rq->viewer, MAY_READ, thing_post(&out->post, rq->now)) ? HTTP_OK
									  : HTTP_NOT_FOUND;
}

static enum http_status
decide(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct held_note *n = ARENA_NEW(rq->arena, struct held_note);
	struct str approved = input_of(rq, "approve"), hidden = input_of(rq, "hide");
	bool approves = approved.len != 0;
	const char *why = approves ? "" : hiding_reason_says(str_cut(hidden, ' ', &hidden));
	enum http_status status;
	enum plan_rc rc = PLAN_TAKEN;

	if (approves == (input_of(rq, "hide").len != 0) || why == NULL)
		return HTTP_BAD_REQUEST;
	status = find(rq, approves ? approved : hidden, n);
	if (status != HTTP_OK)
		return status;
	/* Somebody else has decided meanwhile, or this one, twice; or its author has changed it. */
	if (n->rating.status != RATING_HELD ||
	    !str_eq(n->shown, time_format(rq->arena, n->rating.updated)) ||
	    !may(rq->viewer, approves ? MAY_SHOW : MAY_HIDE, thing_review(&n->rating)))
		rc = PLAN_TAKEN;
	else if (!approves)
		rc = restriction_hide(&plan, &n->thing, str_of(why), n->flagged);
	else if (n->thing.restriction != NULL)
		rc = restriction_lift(&plan, &n->thing, n->flagged);
	else
		rc = rating_decide(&plan, n->thing.item, &n->post, RATING_SHOW);
	return plan_answer(
	    rq, rs, &plan, rc, STR("/admin/reviews"), approves ? "approved" : "hidden");
}

PAGE(admin_reviews, .get = show, .post = decide, .query = QUERY("after", "done", "q"))
