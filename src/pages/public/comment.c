/*
 * GET and POST /post/<id>/comment: writing a comment, with ?to=<path> a reply to one, with
 * ?edit=<path> editing one's own. One button previews it, with the renderer of comments, another
 * one sends it. What was typed is never lost: it is shown again with an error, when a limit is
 * reached, when the table fails, when the comment that it answers was deleted meanwhile; and if the
 * post is gone, it is shown to be copied. What is sent and does not become a comment is kept as a draft besides, and shown
 * when the form is opened the next time; a script sends what is typed meanwhile, with the button "draft".
 *
 * What is read for it is in comment_place.c.
 */
#include "pages/public/comment.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/reader/comment_draft.h"
#include "model/reader/comment_write.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/form_view.h"
#include "pages/shared/listed.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { TEXT_MAX = 5000, QUOTE_MAX = 300, FULL_SECONDS = 3600, EDITS_MAX = 20 };
/* in bytes: more than can be sent, for what has to be shortened still */
enum { DRAFT_MAX = 20000 };

struct comment_form {
	struct str text;
};

static const struct field comment_fields[] = {
    {FIELD_TEXT(struct comment_form, text), .label = "Comment", .required = true, .max = TEXT_MAX,
	.missing = "Write something first.", .rows = 8, .focus = true,
	.hint = "In Markdown, at most 5,000 characters. Web addresses become links, and so "
		"does a username behind an @; there are no pictures."},
};
static const struct form comment_form = FORM("comment", struct comment_form, comment_fields);

struct comment_write_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, notice;
	bool answers; /* the comment that it answers is shown */
	struct str to_name;
	struct html to_html;
	struct str quote_url;
	struct str draft_text; /* since when the draft is kept that the field begins with */
	bool previewed;
	struct html preview_html;
	bool has_form; /* there is something to type, or something typed */
	bool open;     /* it can be sent; else it can be tried again */
	bool may_mark, marked; /* as the staff's */
	struct str action_url, token, once, button, cancel_url;
	struct field_view text;
};

VIEW_FIELDS(comment_write_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(title), STRING(intro), STRING(notice), FLAG(answers), STRING(to_name), HTML(to_html),
    STRING(quote_url), STRING(draft_text), FLAG(previewed), HTML(preview_html), FLAG(has_form), FLAG(open),
    FLAG(may_mark), FLAG(marked), STRING(action_url),
    STRING(token), STRING(once), STRING(button), STRING(cancel_url), VIEW(text, field_view))
TEMPLATE(comment_write_template, "comment_write", comment_write_view)

static const char shut_by_suspension[] = "Your account was suspended just now.";

/*
 * The address where a comment is shown: the post's page; or if that has many comments, or this one
 * is deeply nested, its own page.
 */
static struct str
comment_url(struct request *rq, const struct comment_place *place, struct str path)
{
	struct str id =
	    str_sub(path, path.len > COMMENT_ID_LEN ? path.len - COMMENT_ID_LEN : 0, path.len);

	if (place->stats.comments >= COMMENTS_SHOWN || comment_level(path) > LEVELS_SHOWN)
		return comment_permalink(rq, &place->post, path);
	return STR_CONCAT(rq->arena, post_path(rq->arena, &place->post), STR("#c-"), id);
}

/* --- Drafts ------------------------------------------------------------------------------------------ */

/* As the form has it that is shown. */
static struct comment_draft
draft_of(struct request *rq, const struct comment_place *place, struct str text)
{
	struct str form = STR("new");

	if ((place->edits || place->answers) && !place->to_gone)
		form = STR_CONCAT(rq->arena, place->edits ? STR("edit.") : STR("to."),
		    place->to.path);
	return (struct comment_draft){.post = place->post.id, .form = form, .markdown = text};
}

/* What does not become a comment now. Where the table fails, the page still has it. */
static enum plan_rc
keep_draft(struct request *rq, const struct comment_place *place)
{
	struct plan plan = plan_of(rq);
	struct str text = input_of(rq, "text");
	struct comment_draft draft = draft_of(rq, place, text);

	if (place->post.id.len == 0 || place->sent.len != 0)
		return PLAN_DONE;
	if (text.len > DRAFT_MAX)
		return PLAN_TOO_LONG;
	if (place->edits && str_eq(text, place->to.markdown))
		return comment_draft_drop(&plan, &place->drafts, &draft);
	return comment_draft_keep(&plan, &place->drafts, &draft);
}

/* The comment is there. A draft that remains says the same, and is not shown for that. */
static void
drop_draft(struct request *rq, const struct comment_place *place)
{
	struct plan plan = plan_of(rq);
	struct comment_draft draft = draft_of(rq, place, input_of(rq, "text"));

	(void)comment_draft_drop(&plan, &place->drafts, &draft);
}

static bool
has_said(const struct comment_place *place, struct str text)
{
	for (size_t i = 0; i < place->limits.lately_count; i++)
		if (str_eq(place->limits.lately[i].markdown, text))
			return true;
	return false;
}

/* --- The page ---------------------------------------------------------------------------------------- */

/* What they should know before writing. */
static struct str
intro_of(const struct comment_place *place)
{
	if (place->flagged)
		return STR("You have flagged this comment, so you can’t reply to it.");
	if (place->limits.waits)
		return STR("What you write waits for an editor until one of your comments is "
			   "approved. You see it in its place; then all do.");
	if (place->answers && comment_level(place->to.path) == COMMENT_LEVELS)
		return STR("This thread is as deep as it can be: your reply will stand beside "
			   "the comment that it answers.");
	return STR("");
}

/* The comment that it answers, as a quotation. */
static struct str
quote_of(struct request *rq, const struct comment *to)
{
	struct str text = markdown_text(rq->arena, to->markdown);
	size_t end = 0, characters = 0;

	while (end < text.len && characters++ < QUOTE_MAX)
		str_rune(text, &end);
	return STR_CONCAT(rq->arena, STR("> "), str_sub(text, 0, end),
	    end < text.len ? STR("…") : STR(""), STR("\n\n"));
}

static void
fill_answered(struct request *rq, const struct comment_place *place, struct comment_write_view *view)
{
	const struct comment *to = &place->to;

	view->answers = true;
	view->to_name = viewer_blocks(rq->viewer, to->author) ? STR("somebody you have blocked")
							      : to->author_name;
	view->to_html = stored_comment_html(rq, to);
	view->title = STR_CONCAT(rq->arena, STR("Reply to "), view->to_name);
	view->quote_url = STR_CONCAT(rq->arena, view->action_url, STR("&quote=1"));
}

/* A moderator has chosen that it be marked as the staff's. */
static bool
speaks_for_staff(const struct request *rq)
{
	return may(rq->viewer, MAY_MODERATE, NO_THING) && input_of(rq, "staff").len != 0;
}

static void
fill_edited(struct request *rq, const struct comment_place *place, struct comment_write_view *view)
{
	view->title = STR("Edit your comment");
	view->button = STR("Save");
	view->intro = STR("");
	view->action_url = comment_edit_url(rq, &place->post, place->to.path);
}

/* The initial text of the field: the draft, if there is one, behind what they quote. */
static struct str
begun_text(struct request *rq, const struct comment_place *place, struct comment_write_view *view)
{
	struct comment_draft draft = draft_of(rq, place, STR(""));
	bool kept = comment_draft_find(&place->drafts, draft.post, draft.form, &draft) &&
		    !has_said(place, draft.markdown);
	struct str begun = STR("");

	if (place->edits)
		begun = place->to.markdown;
	else if (place->answers && request_query(rq, "quote").len != 0)
		begun = quote_of(rq, &place->to);
	if (!kept || str_eq(draft.markdown, begun))
		return begun;
	view->draft_text = STR_CONCAT(rq->arena, STR("You began this earlier; it was kept "),
	    words_moment(rq, draft.saved), STR("."));
	return place->edits || str_starts(draft.markdown, begun)
		   ? draft.markdown
		   : STR_CONCAT(rq->arena, begun, draft.markdown);
}

/*
 * The form. The comment that it answers is shown if it exists; otherwise it becomes a comment on
 * the post.
 */
static enum http_status
show(struct request *rq, struct response *rs, const struct comment_place *place,
    struct comment_write_view *view)
{
	struct form_result *form = form_shown(rq, &comment_form);
	bool about = (place->answers || place->edits) && !place->to_gone;
	struct str post_url = post_path(rq->arena, &place->post);
	struct page_frame frame = {.noindex = true};

	view->title = STR("Write a comment");
	view->button = STR("Send");
	view->intro = intro_of(place);
	view->open = place->shut == NULL;
	view->has_form = view->open || rq->method == METHOD_POST;
	if (!view->open && view->notice.len == 0)
		view->notice = STR_CONCAT(rq->arena, str_of(place->shut),
		    rq->method == METHOD_POST
			? STR(" What you have typed is not lost: it can be copied.")
			: STR(""));
	view->action_url = comment_write_url(rq, &place->post, about ? place->to.path : STR(""));
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, post_url, words_title(&place->post));
	view->cancel_url = about ? comment_url(rq, place, place->to.path)
				 : STR_CONCAT(rq->arena, post_url, STR("#comments"));
	if (about && place->edits)
		fill_edited(rq, place, view);
	else if (about)
		fill_answered(rq, place, view);
	if (rq->method == METHOD_GET)
		form_fill(form, "text", begun_text(rq, place, view));
	else
		(void)keep_draft(rq, place);
	view->may_mark = !place->edits && may(rq->viewer, MAY_MODERATE, NO_THING);
	view->marked = speaks_for_staff(rq);
	view->once = input_of(rq, "once");
	if (!slug_valid(view->once))
		view->once = id_new(rq->arena, rq->clock);
	view->text = form_field(rq, form, "text");
	view->token = csrf_token(rq, rs);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(comment_write_template, view));
}

/* The form again, with the reason. */
static enum http_status
again(struct request *rq, struct response *rs, const struct comment_place *place, enum http_status why,
    struct str notice)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);

	view->notice = notice;
	return response_form_again(rs, show(rq, rs, place, view), why);
}

/*
 * There is nothing to comment on, or that is unknown: shows what was typed, to be copied or sent
 * again.
 */
static enum http_status
lost(struct request *rq, struct response *rs, const struct comment_place *place, enum http_status why)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);
	struct form_result *form = form_shown(rq, &comment_form);
	struct page_frame frame = {.noindex = true};

	if (why != HTTP_NOT_FOUND && why != HTTP_GONE && why != HTTP_UNAVAILABLE)
		return why;
	if (why != HTTP_UNAVAILABLE)
		(void)keep_draft(rq, place);
	view->open = why == HTTP_UNAVAILABLE;
	view->has_form = true;
	view->may_mark = view->marked = view->open && speaks_for_staff(rq);
	view->title = view->open ? STR("Not sent yet") : STR("There is no such post");
	view->notice = view->open
			   ? STR("The site can’t reach its archive just now. Nothing is lost: what "
				 "you wrote is here. Try again in a moment.")
			   : STR("It is not there, or not for you to comment on any more. What you "
				 "wrote is here, to be copied.");
	view->action_url = rq->address;
	view->button = STR("Send");
	view->once = input_of(rq, "once");
	view->cancel_url = STR("/");
	for (size_t i = 0; i < form->form->count; i++)
		form->fields[i].error = NULL;
	view->text = form_field(rq, form, "text");
	view->token = csrf_token(rq, rs);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return response_form_again(
	    rs, respond(rq, rs, TEMPLATE_WITH(comment_write_template, view)), why);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);
	struct comment_place *place = ARENA_NEW(rq->arena, struct comment_place);
	enum http_status status = comment_place_load(rq, STR(""), place);

	if (status != HTTP_OK)
		return status;
	return place->to_gone ? HTTP_NOT_FOUND : show(rq, rs, place, view);
}

/* --- Sending ----------------------------------------------------------------------------------------- */

/* The comment it was about is gone: what was typed can still be sent. */
static enum http_status
went(struct request *rq, struct response *rs, struct comment_place *place)
{
	place->to_gone = true;
	if (place->edits)
		return again(rq, rs, place, HTTP_CONFLICT,
		    STR("That comment can’t be edited any more: it is deleted, or older than a "
			"day. What you wrote is here: send it as a comment of its own, or copy "
			"it."));
	return again(rq, rs, place, HTTP_CONFLICT,
	    STR("The comment that you answer was deleted meanwhile. What you wrote is here: send "
		"it as a comment of its own, or copy it."));
}

static enum http_status
too_many(struct request *rq, struct response *rs, const struct comment_place *place, uint32_t wait)
{
	bool soon = wait <= 90;

	rs->retry_after = wait;
	if (place->limits.full && !place->edits)
		return again(rq, rs, place, HTTP_TOO_MANY,
		    STR("Several comments of yours wait for an editor. What you wrote is here: send "
			"it when one of them is approved."));
	return again(rq, rs, place, HTTP_TOO_MANY,
	    STR_CONCAT(rq->arena,
		STR("That was quick. Nothing is lost: what you wrote is here. You can send it in "),
		soon ? words_count(rq->arena, wait, "second", "seconds")
		     : words_count(rq->arena, (wait + 59) / 60, "minute", "minutes"),
		STR(".")));
}

/* Comments were turned off or closed meanwhile, there or in this thread; or the post is gone. */
static enum http_status
closed(struct request *rq, struct response *rs, struct comment_place *place, const struct item *head)
{
	struct post post;

	if (head == NULL)
		return lost(rq, rs, place, HTTP_NOT_FOUND);
	post_from_item(rq->arena, head, &post);
	place->shut = discussion_says(
	    rq, &post, place->answers ? place->to.path : STR(""));
	return place->shut != NULL ? again(rq, rs, place, HTTP_FORBIDDEN, STR(""))
				   : lost(rq, rs, place, HTTP_NOT_FOUND);
}

static enum http_status
plain(struct response *rs, struct str text)
{
	rs->content_type = STR("text/plain; charset=utf-8");
	buf_put(&rs->body, text);
	return HTTP_OK;
}

/* It is there. A script asks where, and shows it on the page on which it was written. */
static enum http_status
done(struct request *rq, struct response *rs, const struct comment_place *place, struct str path)
{
	struct str at = comment_url(rq, place, path);

	drop_draft(rq, place);
	if (!str_eq(input_of(rq, "answer"), STR("address")))
		return redirect(rs, HTTP_SEE_OTHER, at);
	return plain(rs, at);
}

static enum http_status
refused(struct request *rq, struct response *rs, struct comment_place *place, const struct plan *plan,
    enum plan_rc rc, const struct new_comment *comment)
{
	switch (rc) {
	case PLAN_ALREADY:
		if (comment->path.len != 0)
			return done(rq, rs, place, comment->path);
		return HTTP_CONFLICT;
	case PLAN_NOT_THERE: return closed(rq, rs, place, plan->found);
	case PLAN_GONE: return went(rq, rs, place);
	case PLAN_BLOCKED:
		place->shut = comment_shut_by_block;
		return again(rq, rs, place, HTTP_FORBIDDEN, STR(""));
	case PLAN_CHANGED:
		return again(rq, rs, place, HTTP_CONFLICT,
		    STR("It was changed meanwhile, perhaps by you in another window. What you "
			"wrote is here: save it once more if it is to be what the comment says."));
	case PLAN_TOO_MANY:
		return too_many(rq, rs, place,
		    rate_wait_now(
			rq->table, &rq->call, comment->rates, comment->rate_count, rq->now));
	case PLAN_NOT_ACTIVE:
		place->shut = shut_by_suspension;
		return again(rq, rs, place, HTTP_FORBIDDEN, STR(""));
	case PLAN_TABLE: return lost(rq, rs, place, status_of(plan->failed));
	default: return HTTP_FAILED;
	}
}

static enum http_status
write_down(
    struct request *rq, struct response *rs, struct comment_place *place, struct str text, struct html html)
{
	struct plan plan = plan_of(rq);
	const struct comment_limits *limits = &place->limits;
	struct rate rates[COMMENT_RATES_MAX];
	struct new_comment comment = {.post = &place->post,
	    .to = place->answers ? &place->to : NULL,
	    .markdown = text,
	    .html = html.text,
	    .renderer = MARKDOWN_RENDERER,
	    .mentions = place->mentioned,
	    .moderates = may(rq->viewer, MAY_CLOSE, thing_post(&place->post, rq->now)),
	    .staff = speaks_for_staff(rq),
	    .held_for = comment_held_for(rq, limits, text, html),
	    .once = input_of(rq, "once"),
	    .rates = rates,
	    .rate_count = comment_rates(rq, limits, rates)};
	enum plan_rc rc;

	comment.held = comment.held_for.len != 0;
	if (!slug_valid(comment.once))
		comment.once = STR("");
	rc = comment_create(&plan, &comment);
	if (rc != PLAN_DONE)
		return refused(rq, rs, place, &plan, rc, &comment);
	return done(rq, rs, place, comment.path);
}

/* If the comment already has this text, the form was sent twice. */
static enum http_status
edit(
    struct request *rq, struct response *rs, struct comment_place *place, struct str text, struct html html)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);
	struct plan plan = plan_of(rq);
	const struct rate rate = {STR("comment-edits"), rq->viewer->user.username, EDITS_MAX};
	struct new_comment now = {.markdown = text,
	    .html = html.text,
	    .renderer = MARKDOWN_RENDERER,
	    .mentions = place->mentioned,
	    .held_for = listed_in(rq, text),
	    .rates = &rate,
	    .rate_count = 1};
	enum plan_rc rc = PLAN_DONE;

	if (place->to.status == COMMENT_VISIBLE && comment_links(html) > place->limits.links_max) {
		form_refuse(rq->form, "text", "These are more links than you can set yet.");
		return show(rq, rs, place, view);
	}
	if (place->to.status == COMMENT_VISIBLE &&
	    comment_mentions(rq, text) > place->limits.mentions_max) {
		form_refuse(rq->form, "text", "These are more people than you can mention yet.");
		return show(rq, rs, place, view);
	}
	if (!str_eq(place->to.markdown, text)) {
		rate_add(&plan, &rate, 1, false);
		rc = comment_edit(&plan, place->item, &now);
	}
	if (rc != PLAN_DONE)
		return refused(rq, rs, place, &plan, rc, &now);
	return done(rq, rs, place, place->to.path);
}

/* --- Buttons ----------------------------------------------------------------------------------------- */

/* Neither shows the form again: the text may be whatever it is. */
static bool
is_aside(const struct request *rq)
{
	return str_eq(input_of(rq, "do"), STR("draft")) ||
	       str_eq(input_of(rq, "do"), STR("discard"));
}

static enum http_status
aside(struct request *rq, struct response *rs, const struct comment_place *place)
{
	struct comment_draft draft = draft_of(rq, place, STR(""));
	struct plan plan = plan_of(rq);
	bool discards = str_eq(input_of(rq, "do"), STR("discard"));
	enum plan_rc rc = discards ? comment_draft_drop(&plan, &place->drafts, &draft)
				   : keep_draft(rq, place);

	if (rc != PLAN_DONE)
		return rc == PLAN_TOO_LONG ? HTTP_TOO_LARGE : HTTP_UNAVAILABLE;
	if (discards)
		return redirect(rs, HTTP_SEE_OTHER, rq->address);
	return plain(rs, words_moment(rq, rq->now));
}

static enum http_status
send(struct request *rq, struct response *rs)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);
	struct comment_place *place = ARENA_NEW(rq->arena, struct comment_place);
	struct str text = ((const struct comment_form *)rq->form->values)->text;
	enum http_status status = comment_place_load(rq, text, place);
	struct html html;

	if (status != HTTP_OK)
		return lost(rq, rs, place, status);
	if (is_aside(rq))
		return aside(rq, rs, place);
	if (place->sent.len != 0)
		return done(rq, rs, place, place->sent);
	if (place->to_gone)
		return went(rq, rs, place);
	if (place->shut != NULL)
		return again(rq, rs, place, HTTP_FORBIDDEN, STR(""));
	html = stored_comment_html(
	    rq, &(struct comment){.markdown = text, .mentions = place->mentioned});
	if (str_eq(input_of(rq, "do"), STR("preview"))) {
		view->previewed = true;
		view->preview_html = html;
		return show(rq, rs, place, view);
	}
	if (place->edits)
		return edit(rq, rs, place, text, html);
	if (place->flagged)
		return again(rq, rs, place, HTTP_CONFLICT,
		    STR("You have flagged the comment that you answer: leave it to the editors. What "
			"you wrote is here, to be copied."));
	if (place->heat > place->limits.pause && !place->limits.full)
		return too_many(rq, rs, place, place->heat);
	if (place->limits.full || place->limits.pause != 0)
		return too_many(
		    rq, rs, place, place->limits.full ? FULL_SECONDS : place->limits.pause);
	if (comment_repeats(&place->limits, text, rq->now)) {
		form_refuse(rq->form, "text", "You have just said this, word for word.");
		return show(rq, rs, place, view);
	}
	return write_down(rq, rs, place, text, html);
}

/* The text is empty, or too long. */
static enum http_status
show_errors(struct request *rq, struct response *rs)
{
	struct comment_write_view *view = ARENA_NEW(rq->arena, struct comment_write_view);
	struct comment_place *place = ARENA_NEW(rq->arena, struct comment_place);
	enum http_status status = comment_place_load(rq, STR(""), place);

	if (status != HTTP_OK)
		return lost(rq, rs, place, status);
	return is_aside(rq) ? aside(rq, rs, place) : show(rq, rs, place, view);
}

PAGE(comment, .get = open_form, .post = send, .refused = show_errors, .form = &comment_form,
    .query = QUERY("edit", "quote", "to"))
