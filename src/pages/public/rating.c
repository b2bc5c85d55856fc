/*
 * GET and POST /post/<id>/rating: where a link is rated, from 1 to 5 stars with a note, and where that is changed; a
 * stranger comes here from the stars under it by way of the sign-in, and is asked once. /withdraw takes it back, whatever
 * has become of the post. /hold?of=<username> lets somebody's note wait for an editor, with a reason for who wrote it.
 *
 * The form says which rating it has shown, so that of two windows none overwrites what the other one has written. Whatever
 * happens, what was typed comes back.
 */
#include "base/arena.h"
#include "model/key_rating.h"
#include "model/reader/comment_write.h"
#include "model/reader/follow.h"
#include "model/reader/restriction.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "pages/public/comment.h"
#include "pages/public/post_view.h"
#include "pages/public/review.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/form_page.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "web/session/csrf.h"

enum { WHY_MAX = 300, NOTE_MAX = 2000, NOTES_LOOKED_AT = 10, WAITING_MAX = 3 };

struct rating_form {
	int64_t stars;
	struct str note;
};

static const struct choice stars_choices[] = {
    {STR_INIT("5"), "5 stars", 5},
    {STR_INIT("4"), "4 stars", 4},
    {STR_INIT("3"), "3 stars", 3},
    {STR_INIT("2"), "2 stars", 2},
    {STR_INIT("1"), "1 star", 1},
    {.label = NULL},
};

static const struct field rating_fields[] = {
    {FIELD_CHOICE(struct rating_form, stars), .label = "Stars", .required = true,
	.choices = stars_choices, .missing = "Choose from one to five stars.",
	.wrong = "Choose from one to five stars.", .hint = "Five is best."},
    {FIELD_TEXT(struct rating_form, note), .label = "Note", .max = NOTE_MAX, .rows = 6,
	.hint = "What others should know, if you like. In Markdown, at most 2,000 characters."},
};
static const struct form rating_form = FORM("rating", struct rating_form, rating_fields);

struct rating_write_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, notice;
	bool previewed;
	struct html preview_html;
	bool open; /* it can be sent */
	struct str action_url, token, once, seen, button, cancel_url, withdraw_url;
	struct field_view stars, note;
};

VIEW_FIELDS(rating_write_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(title), STRING(intro), STRING(notice), FLAG(previewed), HTML(preview_html), FLAG(open),
    STRING(action_url), STRING(token), STRING(once), STRING(seen), STRING(button), STRING(cancel_url),
    STRING(withdraw_url), VIEW(stars, field_view), VIEW(note, field_view))
TEMPLATE(rating_write_template, "rating_write", rating_write_view)

/* What is read of the table for this page. */
struct place {
	struct post post;
	struct read own;
	struct rating was; /* theirs, if there is one */
	bool rated, followed;
	bool blocked;                 /* by an author of the post: they write nothing under it */
	struct comment_limits limits; /* of what they write: a note is as a comment */
	size_t waiting;               /* notes of theirs that wait for an editor */
};

static struct thing
thing_at(struct request *rq, const struct place *place)
{
	return thing_followed(thing_post(&place->post, rq->now), place->followed);
}

/* --- Loading ----------------------------------------------------------------------------------------- */

/* Is it theirs to read? That may depend on whom they follow; what is not there takes as long. */
static enum http_status
check_readable(struct request *rq, bool there, struct place *place)
{
	struct str self = rq->viewer->user.username;
	struct read follow = follow_read(rq->arena, self, there ? place->post.author : self);
	enum http_status status;

	if (there && may(rq->viewer, MAY_READ, thing_at(rq, place)))
		return HTTP_OK;
	status = page_read(rq, &follow, 1);
	if (status != HTTP_OK || !there)
		return status != HTTP_OK ? status : HTTP_NOT_FOUND;
	if (post_gone(&place->post, rq->now))
		return HTTP_GONE;
	place->followed = follow_holds(&follow);
	return may(rq->viewer, MAY_READ, thing_at(rq, place)) ? HTTP_OK : HTTP_NOT_FOUND;
}

/* May they rate it? */
static enum http_status
check(struct request *rq, struct response *rs, bool there, struct place *place)
{
	enum http_status status = check_readable(rq, there, place);

	if (status != HTTP_OK)
		return status;
	if (may(rq->viewer, MAY_RATE, thing_at(rq, place)))
		return HTTP_OK;
	if (!post_takes_ratings(&place->post) ||
	    !post_written_by(&place->post, rq->viewer->user.username))
		return HTTP_NOT_FOUND;
	rs->error_text = "It is a post of yours: that is for others to say.";
	return HTTP_FORBIDDEN;
}

/* Of whom a note was approved, or a comment, nothing waits any more but what has many links. */
static void
take_notes(struct request *rq, const struct read *notes, struct place *place)
{
	for (size_t i = 0; i < notes->found_count; i++) {
		struct rating rating;

		rating_from_item(rq->arena, &notes->found[i], &rating);
		if (rating.note.len == 0)
			continue;
		if (rating.status == RATING_HELD)
			place->waiting++;
		else if (rating.status == RATING_VISIBLE)
			place->limits.waits = false;
	}
}

static enum http_status
load(struct request *rq, struct response *rs, struct place *place)
{
	enum { HEAD, OWN, NOTES, BLOCKERS, LIMITS, READS = LIMITS + TRUST_READS };
	struct str id = request_param(rq, "id"), self = rq->viewer->user.username;
	struct read reads[READS];
	enum http_status status;

	*place = (struct place){.was = {.status = RATING_VISIBLE}};
	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[OWN] = rating_read(rq->arena, self, id);
	reads[NOTES] =
	    (struct read){.kind = READ_QUERY, .query = query_ratings_of(rq->arena, self)};
	reads[NOTES].query.limit = NOTES_LOOKED_AT;
	reads[NOTES].query.descending = true;
	reads[BLOCKERS] = follow_blockers_read(rq->arena, self);
	trust_reads(rq->arena, self, &reads[LIMITS]);
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	if (reads[HEAD].item != NULL)
		post_from_item(rq->arena, reads[HEAD].item, &place->post);
	status = check(rq, rs, reads[HEAD].item != NULL, place);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &place->post);
	place->own = reads[OWN];
	place->rated = place->own.item != NULL;
	if (place->rated)
		rating_from_item(rq->arena, place->own.item, &place->was);
	comment_limits_take(rq->arena, &rq->settings->moderation, rq->viewer, &reads[LIMITS],
	    rq->now, &place->limits);
	take_notes(rq, &reads[NOTES], place);
	place->blocked = follow_blocked_by(&reads[BLOCKERS], place->post.author);
	for (size_t i = 0; i < place->post.other_count; i++)
		place->blocked |=
		    follow_blocked_by(&reads[BLOCKERS], place->post.others[i].username);
	return HTTP_OK;
}

/* --- The page ---------------------------------------------------------------------------------------- */

/* What the form begins with: what they said before, or clicked. */
static void
begin(struct request *rq, const struct place *place, struct form_result *form)
{
	struct str clicked = request_query(rq, "stars");

	if (place->rated)
		form_fill(form, "note", place->was.note);
	if (clicked.len == 1 && clicked.base[0] >= '1' && clicked.base[0] <= '5')
		form_fill(form, "stars", clicked);
	else if (place->rated)
		form_fill(form, "stars", str_fmt(rq->arena, "%d", (int)place->was.stars));
}

static struct str
intro_of(const struct place *place)
{
	if (place->rated && place->was.status == RATING_HELD)
		return STR("Your stars count. Your note waits for an editor; until then you alone "
			   "see it.");
	if (place->rated && place->was.status == RATING_HIDDEN)
		return STR("Your stars count. The editors have hidden your note; what you write in its "
			   "place waits until one of them has read it.");
	if (place->limits.waits)
		return STR("Your stars count at once. A note waits for an editor until one of "
			   "yours, or of your comments, is approved.");
	return STR("");
}

static void
fill_fields(struct request *rq, struct response *rs, const struct form_result *form,
    struct rating_write_view *view)
{
	view->stars = form_field(rq, form, "stars");
	view->note = form_field(rq, form, "note");
	view->token = csrf_token(rq, rs);
	view->once = input_of(rq, "once");
	if (!comment_id_valid(view->once))
		view->once = id_new(rq->arena, rq->clock);
}

static enum http_status
show(struct request *rq, struct response *rs, const struct place *place,
    struct rating_write_view *view)
{
	struct form_result *form = form_shown(rq, &rating_form);
	struct str post_url = post_path(rq->arena, &place->post);
	struct page_frame frame = {.noindex = true};

	if (rq->method == METHOD_GET)
		begin(rq, place, form);
	view->title = STR_CONCAT(rq->arena, STR("Rate “"), words_title(&place->post), STR("”"));
	view->button = place->rated ? STR("Change it") : STR("Rate it");
	view->intro = intro_of(place);
	view->open = true;
	view->seen = str_fmt(rq->arena, "%lld", (long long)place->was.updated);
	view->action_url = rating_url(rq, &place->post);
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, post_url, words_title(&place->post));
	view->cancel_url = STR_CONCAT(rq->arena, post_url, STR("#reviews"));
	if (place->rated)
		view->withdraw_url = rating_withdraw_url(rq, place->post.id);
	fill_fields(rq, rs, form, view);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(rating_write_template, view));
}

static enum http_status
again(struct request *rq, struct response *rs, const struct place *place, enum http_status why,
    struct str notice)
{
	struct rating_write_view *view = ARENA_NEW(rq->arena, struct rating_write_view);

	view->notice = notice;
	return response_form_again(rs, show(rq, rs, place, view), why);
}

/* There is nothing to rate, or nobody knows: what was typed is there, to be copied or sent again. */
static enum http_status
lost(struct request *rq, struct response *rs, enum http_status why)
{
	struct rating_write_view *view = ARENA_NEW(rq->arena, struct rating_write_view);
	struct form_result *form = form_shown(rq, &rating_form);
	struct page_frame frame = {.noindex = true};

	if (why != HTTP_NOT_FOUND && why != HTTP_GONE && why != HTTP_UNAVAILABLE)
		return why;
	view->open = why == HTTP_UNAVAILABLE;
	view->title = view->open ? STR("Not sent yet") : STR("There is no such post");
	view->notice = view->open
			   ? STR("The site can’t reach its archive just now. Nothing is lost: what "
				 "you wrote is here. Try again in a moment.")
			   : STR("It is not there, or not for you to rate any more. What you wrote "
				 "is here, to be copied.");
	view->action_url = rq->address;
	view->seen = input_of(rq, "seen");
	view->button = STR("Rate it");
	view->cancel_url = STR("/");
	for (size_t i = 0; i < form->form->count; i++)
		form->fields[i].error = NULL;
	fill_fields(rq, rs, form, view);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return response_form_again(
	    rs, respond(rq, rs, TEMPLATE_WITH(rating_write_template, view)), why);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	struct rating_write_view *view = ARENA_NEW(rq->arena, struct rating_write_view);
	struct place *place = ARENA_NEW(rq->arena, struct place);
	enum http_status status = load(rq, rs, place);

	return status == HTTP_OK ? show(rq, rs, place, view) : status;
}

/* --- Sending ----------------------------------------------------------------------------------------- */

static enum http_status
too_many(struct request *rq, struct response *rs, const struct place *place, uint32_t wait)
{
	bool hours = wait > 3600;

	rs->retry_after = wait;
	return again(rq, rs, place, HTTP_TOO_MANY,
	    STR_CONCAT(rq->arena,
		STR("That is as much as anybody can rate in a day. Nothing is lost: what you wrote "
		    "is here. You can send it in "),
		hours ? words_count(rq->arena, (wait + 3599) / 3600, "hour", "hours")
		      : words_count(rq->arena, (wait + 59) / 60, "minute", "minutes"),
		STR(".")));
}

/* Another one is there than they were shown: it is told, and the form would now replace that. */
static enum http_status
changed(struct request *rq, struct response *rs, struct place *place, const struct item *found)
{
	place->rated = found != NULL;
	place->was = (struct rating){.updated = 0};
	if (found == NULL)
		return again(rq, rs, place, HTTP_CONFLICT,
		    STR("You have withdrawn your rating meanwhile, perhaps in another window. "
			"Send this if you want to rate it anew."));
	rating_from_item(rq->arena, found, &place->was);
	return again(rq, rs, place, HTTP_CONFLICT,
	    STR_CONCAT(rq->arena, STR("You have rated it meanwhile, perhaps in another window: "),
		words_count(rq->arena, place->was.stars, "star", "stars"),
		place->was.note.len != 0 ? STR(", and “") : STR(""), place->was.note,
		place->was.note.len != 0 ? STR("”") : STR(""),
		STR(". Send this if it is to replace that.")));
}

/* Why they can't write this note; NULL: they can, or have. */
static const char *
note_error(const struct place *place, const struct new_rating *rating)
{
	if (rating->note.len == 0 || str_eq(rating->note, place->was.note))
		return NULL;
	if (place->blocked)
		return "You can’t write here. You can rate it without a note.";
	if (rating->held && place->waiting >= WAITING_MAX && place->was.status != RATING_HELD)
		return "Three notes of yours wait for an editor. Rate it without one, or try again "
		       "when one of them is approved.";
	return NULL;
}

static enum http_status
write_down(struct request *rq, struct response *rs, struct place *place, struct html html)
{
	const char *wrong;
	const struct rating_form *typed = rq->form->values;
	struct plan plan = plan_of(rq);
	struct new_rating rating = {.post = &place->post,
	    .stars = typed->stars,
	    .note = typed->note,
	    .limit =
		trust_rate(&rq->settings->moderation, place->limits.trust, TRUST_REACT, plan.by)};
	uint32_t wait = 0;

	if (typed->note.len != 0) {
		rating.html = html.text;
		rating.renderer = MARKDOWN_RENDERER;
		rating.held_for = comment_held_for(rq, &place->limits, typed->note, html);
		rating.held = rating.held_for.len != 0;
	}
	wrong = note_error(place, &rating);
	if (wrong != NULL) {
		form_refuse(rq->form, "note", wrong);
		return again(rq, rs, place, HTTP_UNPROCESSABLE, STR(""));
	}
	if (!str_int(input_of(rq, "seen"), &rating.seen))
		rating.seen = 0;
	switch (rating_set(&plan, &rating, &place->own, &wait)) {
	case PLAN_DONE:
		return redirect(rs, HTTP_SEE_OTHER,
		    STR_CONCAT(rq->arena, post_path(rq->arena, &place->post), STR("#reviews")));
	case PLAN_CHANGED: return changed(rq, rs, place, plan.found);
	case PLAN_TOO_MANY: return too_many(rq, rs, place, wait);
	case PLAN_TABLE: return lost(rq, rs, status_of(plan.failed));
	default: return HTTP_FAILED;
	}
}

static enum http_status
send(struct request *rq, struct response *rs)
{
	struct rating_write_view *view = ARENA_NEW(rq->arena, struct rating_write_view);
	struct place *place = ARENA_NEW(rq->arena, struct place);
	struct str note = ((const struct rating_form *)rq->form->values)->note;
	enum http_status status = load(rq, rs, place);
	struct html html;

	if (status != HTTP_OK)
		return lost(rq, rs, status);
	html = stored_html(rq, MARKDOWN_READER, note, STR(""), 0);
	if (!str_eq(input_of(rq, "do"), STR("preview")))
		return write_down(rq, rs, place, html);
	view->previewed = true;
	view->preview_html = html;
	return show(rq, rs, place, view);
}

/* No stars are chosen, or the note is too long. */
static enum http_status
show_errors(struct request *rq, struct response *rs)
{
	struct rating_write_view *view = ARENA_NEW(rq->arena, struct rating_write_view);
	struct place *place = ARENA_NEW(rq->arena, struct place);
	enum http_status status = load(rq, rs, place);

	return status == HTTP_OK ? show(rq, rs, place, view) : lost(rq, rs, status);
}

PAGE(rating, .get = open_form, .post = send, .refused = show_errors, .form = &rating_form,
    .query = QUERY("stars"))

/* --- Taking it back ---------------------------------------------------------------------------------- */

static enum http_status
ask_to_withdraw(struct request *rq, struct response *rs)
{
	struct str id = request_param(rq, "id");
	struct confirmation question = {.title = STR("Withdraw your rating?"),
	    .message = STR("Its stars and its note are gone then."),
	    .button = "Withdraw it",
	    .destroys = true,
	    .action_url = rq->address,
	    .cancel_url = STR("/account/ratings")};
	struct read read;
	enum http_status status;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	read = rating_read(rq->arena, rq->viewer->user.username, id);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	return read.item != NULL ? confirm(rq, rs, &question)
				 : redirect(rs, HTTP_SEE_OTHER, question.cancel_url);
}

static enum http_status
withdraw(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str id = request_param(rq, "id");

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	return plan_answer(
	    rq, rs, &plan, rating_withdraw(&plan, id), STR("/account/ratings"), "withdrawn");
}

PAGE(rating_withdraw, .get = ask_to_withdraw, .post = withdraw)

/* --- Somebody's note --------------------------------------------------------------------------------- */

/* The rating that the address names, of a post under which the viewer may hold notes. */
static enum http_status
load_note(struct request *rq, struct place *place)
{
	struct str id = request_param(rq, "id"), of = request_query(rq, "of");
	struct read reads[2];
	enum http_status status;

	*place = (struct place){.rated = false};
	if (!slug_valid(id) || !username_valid(of))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = rating_read(rq->arena, of, id);
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item != NULL)
		post_from_item(rq->arena, reads[0].item, &place->post);
	status = check_readable(rq, reads[0].item != NULL, place);
	if (status != HTTP_OK)
		return status;
	if (!may(rq->viewer, MAY_HOLD_NOTE, thing_at(rq, place)))
		return HTTP_FORBIDDEN;
	if (reads[1].item == NULL)
		return HTTP_NOT_FOUND;
	note_confidential(rq, &place->post);
	place->own = reads[1];
	rating_from_item(rq->arena, place->own.item, &place->was);
	return HTTP_OK;
}

struct hold_form {
	struct str why;
};
static const struct field hold_fields[] = {
    {FIELD_TEXT(struct hold_form, why), .label = "Why", .required = true, .max = WHY_MAX,
	.rows = 3, .missing = "Its author is told why: write it here.",
	.hint = "Its author is told, and can answer once; the public log says so, too."},
};
static const struct form hold_form =
    FORM("hold", struct hold_form, hold_fields, .button = "Hide the note");

static enum http_status
show_hold(struct request *rq, struct response *rs, const struct place *place, struct str notice)
{
	return form_page(rq, rs,
	    &(struct form_page){.title = STR_CONCAT(rq->arena, STR("Hide the note of "),
				    place->was.author_name, STR("?")),
		.intro = STR("The stars stay. An editor decides on the note; until then only its "
			     "author, the authors of the post and those who moderate see it."),
		.notice = notice,
		.back = reviews_url(rq, &place->post),
		.form = &hold_form});
}

static enum http_status
ask_to_hold(struct request *rq, struct response *rs)
{
	struct place place;
	enum http_status status = load_note(rq, &place);

	return status == HTTP_OK ? show_hold(rq, rs, &place, STR("")) : status;
}

/* What was typed is there to be copied, or sent again. */
static enum http_status
not_held(struct request *rq, struct response *rs, enum http_status why)
{
	if (why != HTTP_UNAVAILABLE && why != HTTP_NOT_FOUND && why != HTTP_CONFLICT)
		return why;
	return response_form_again(rs,
	    form_page(rq, rs,
		&(struct form_page){.title = STR("Nothing was done"),
		    .notice = why == HTTP_UNAVAILABLE
				  ? STR("The site can’t reach its archive just now. Nothing is "
					"lost: try again in a moment.")
				  : STR("The note is not there any more, or has changed meanwhile. "
					"What you wrote is here."),
		    .back = STR("/"),
		    .form = &hold_form}),
	    why);
}

/* What is held already, or was changed to nothing, is as they want it. */
static enum http_status
hold(struct request *rq, struct response *rs)
{
	bool staff = may(rq->viewer, MAY_MODERATE, NO_THING);
	struct plan plan = staff ? plan_of_staff(rq) : plan_of(rq);
	struct place *place = ARENA_NEW(rq->arena, struct place);
	enum http_status status = load_note(rq, place);
	struct restrictable thing = {.target = {.what = FLAG_REVIEW, .post = place->post.id}};
	enum plan_rc rc = PLAN_DONE;

	if (status != HTTP_OK)
		return not_held(rq, rs, status);
	thing.target.person = place->was.author;
	thing.item = place->own.item;
	thing.post = &place->post;
	if (place->was.note.len != 0 && place->was.status == RATING_VISIBLE)
		rc = restriction_hold_note(
		    &plan, &thing, ((const struct hold_form *)rq->form->values)->why);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, reviews_url(rq, &place->post))
			       : not_held(rq, rs, plan_refused(rs, &plan, rc));
}

PAGE(rating_hold, .get = ask_to_hold, .post = hold, .refused = ask_to_hold, .form = &hold_form,
    .query = QUERY("of"))
