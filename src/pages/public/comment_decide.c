/*
 * GET and POST /post/<id>/comment/decide?at=<path>: a comment is hidden, held back, restored or marked as the staff's by
 * hand. Moderators do it anywhere; the authors of a post hide and hold back what others say under it, and undo that, until
 * the staff have decided. Whoever wrote it is told why. Moderators also read what it said before it was edited or deleted.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/reader/comment_write.h"
#include "model/reader/flag.h"
#include "model/slug.h"
#include "pages/public/comment.h"
#include "pages/public/thread.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "web/session/csrf.h"

enum { WHY_MAX = 300, ID_LEN = 14, TEXTS_SHOWN = 20 };

struct decide_form {
	struct str why;
};
static const struct field decide_fields[] = {
    {FIELD_TEXT(struct decide_form, why), .label = "Why", .max = WHY_MAX, .rows = 3,
	.hint = "Its author is told, and can answer once; the public log says so, too."},
};
static const struct form decide_form = FORM("decide", struct decide_form, decide_fields);

struct decide_button_view {
	struct str value, label;
};

/* What it said before an edit. */
struct decide_text_view {
	struct str until_text;
	struct html body_html;
};

struct decide_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, state, answer, notice, author_name;
	struct html body_html;
	LIST_OF(struct decide_text_view) texts;
	struct str texts_text;
	struct str action_url, token, shown, back_url;
	const struct field_view *why; /* NULL: nothing of it needs a reason */
	LIST_OF(struct decide_button_view) buttons;
};

VIEW_FIELDS(decide_button_view, STRING(value), STRING(label))
VIEW_FIELDS(decide_text_view, STRING(until_text), HTML(body_html))
VIEW_FIELDS(decide_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(state), STRING(answer), STRING(notice), STRING(author_name), HTML(body_html),
    LIST(texts, decide_text_view), STRING(texts_text), STRING(action_url), STRING(token),
    STRING(shown), STRING(back_url), OPTION(why, field_view), LIST(buttons, decide_button_view))
TEMPLATE(decide_template, "comment_decide", decide_view)

struct str
comment_decide_url(struct request *rq, struct str post, struct str path)
{
	return STR_CONCAT(
	    rq->arena, STR("/post/"), post, STR("/comment/decide?at="), path);
}

struct str
comment_hidden_text(const struct comment *comment)
{
	if (!comment->by_author)
		return STR("The editors have hidden this from others:");
	return comment->status == COMMENT_HELD
		   ? STR("The author of the post holds this back until an editor decides:")
		   : STR("The author of the post has hidden this from others:");
}

/* --- What can be done -------------------------------------------------------------------------------- */

enum deed { HIDE, HOLD, APPROVE, RESTORE, MARK, UNMARK, DEEDS };
static const struct {
	const char *word, *label;
	enum action needs;
	bool why; /* it needs a reason */
} deeds[DEEDS] = {
    [HIDE] = {"hide", "Hide it", MAY_TAKE_DOWN, true},
    [HOLD] = {"hold", "Hold it back", MAY_HOLD, true},
    [APPROVE] = {"approve", "Let everybody see it", MAY_PUBLISH, false},
    [RESTORE] = {"restore", "Restore it", MAY_RESTORE, false},
    [MARK] = {"mark", "Mark it as the staff’s", MAY_MARK, false},
    [UNMARK] = {"unmark", "Take the staff’s mark off", MAY_MARK, false},
};

struct decided {
	struct post post;
	struct comment comment;
	const struct item *item, *flagged;
	struct read texts; /* none but for who moderates */
};

static bool
may_do(struct request *rq, const struct decided *d, enum deed deed)
{
	if ((deed == MARK && d->comment.staff) || (deed == UNMARK && !d->comment.staff))
		return false;
	if (deed == RESTORE && !comment_restorable(&d->comment, rq->now))
		return false;
	return may(rq->viewer, deeds[deed].needs, thing_comment_under(&d->comment, &d->post));
}

static enum http_status
load(struct request *rq, struct decided *out)
{
	struct str id = request_param(rq, "id"), path = request_query(rq, "at");
	const struct flag_target target = {.what = FLAG_COMMENT, .path = path};
	bool moderates = may(rq->viewer, MAY_MODERATE, NO_THING);
	struct read reads[4];
	enum http_status status;

	*out = (struct decided){.item = NULL};
	if (!slug_valid(id) || !comment_path_valid(path))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, path)};
	reads[2] = (struct read){.kind = READ_GET,
	    .key = key_flagged(rq->arena, key_flag_target(rq->arena, &target))};
	reads[3] = (struct read){.kind = READ_QUERY,
	    .query = query_comment_texts(
		rq->arena, id, str_sub(path, path.len - ID_LEN, path.len))};
	reads[3].query.limit = TEXTS_SHOWN;
	status = page_read(rq, reads, moderates ? 4 : 3);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item != NULL)
		post_from_item(rq->arena, reads[0].item, &out->post);
	status = thread_readable(rq, reads[0].item != NULL, &out->post);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &out->post);
	out->item = reads[1].item;
	out->flagged = reads[2].item;
	out->texts = moderates ? reads[3] : (struct read){.found_count = 0};
	if (out->item == NULL)
		return HTTP_NOT_FOUND;
	comment_from_item(rq->arena, out->item, &out->comment);
	/* Nothing is left to be done about it. */
	if (out->comment.status == COMMENT_DELETED)
		return out->texts.found_count != 0 && rq->method != METHOD_POST ? HTTP_OK
									       : HTTP_NOT_FOUND;
	if (!may(rq->viewer, MAY_READ, thing_comment_under(&out->comment, &out->post)))
		return HTTP_NOT_FOUND;
	for (enum deed deed = 0; deed < DEEDS; deed++)
		if (may_do(rq, out, deed))
			return HTTP_OK;
	return HTTP_FORBIDDEN;
}

/* --- The page ---------------------------------------------------------------------------------------- */

static void
fill_buttons(
    struct request *rq, const struct decided *d, struct form_result *form, struct decide_view *view)
{
	struct decide_button_view *buttons =
	    ARENA_ARRAY(rq->arena, DEEDS, struct decide_button_view);
	bool why = false;

	for (enum deed deed = 0; deed < DEEDS; deed++) {
		if (!may_do(rq, d, deed))
			continue;
		why = why || deeds[deed].why;
		buttons[view->buttons.count++] = (struct decide_button_view){
		    str_of(deeds[deed].word), str_of(deeds[deed].label)};
	}
	view->buttons.items = buttons;
	if (why) {
		struct field_view *field = ARENA_NEW(rq->arena, struct field_view);

		*field = form_field(rq, form, "why");
		view->why = field;
	}
}

/* Earlier texts, the latest first. */
static void
fill_texts(struct request *rq, const struct decided *d, struct decide_view *view)
{
	struct decide_text_view *texts =
	    ARENA_ARRAY(rq->arena, d->texts.found_count, struct decide_text_view);

	for (size_t i = 0; i < d->texts.found_count; i++) {
		const struct item *item = &d->texts.found[i];
		int64_t until = 0;

		(void)time_parse(item_string(item, STR("CreatedAt")), &until);
		texts[i].until_text =
		    STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, until));
		texts[i].body_html = stored_html(
		    rq, MARKDOWN_READER, item_string(item, STR("Markdown")), STR(""), 0);
	}
	view->texts.items = texts;
	view->texts.count = d->texts.found_count;
	view->texts_text = words_count(
	    rq->arena, (int64_t)view->texts.count, "earlier text", "earlier texts");
}

static enum http_status
show_with(struct request *rq, struct response *rs, const struct decided *d, struct str notice)
{
	struct decide_view *view = ARENA_NEW(rq->arena, struct decide_view);
	const struct comment *c = &d->comment;
	struct page_frame frame = {.noindex = true};
	struct str url = post_path(rq->arena, &d->post);

	view->title = c->status == COMMENT_DELETED
			  ? STR_CONCAT(rq->arena, STR("A deleted comment of "),
				item_string(&d->texts.found[0], STR("Author")))
			  : STR_CONCAT(rq->arena, STR("The comment of "), c->author_name);
	view->notice = notice;
	view->author_name = c->author_name;
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, url, words_title(&d->post));
	if (c->hidden_why.len != 0)
		view->state = STR_CONCAT(
		    rq->arena, comment_hidden_text(c), STR(" "), c->hidden_why);
	else if (c->status == COMMENT_DELETED)
		view->state = STR("It is deleted. For 30 days moderators see what it said.");
	else if (c->status == COMMENT_HELD)
		view->state = STR("It waits for an editor.");
	view->answer = c->answer;
	view->body_html = stored_html(rq, MARKDOWN_READER, c->markdown, c->html, c->renderer);
	fill_texts(rq, d, view);
	view->action_url = comment_decide_url(rq, d->post.id, c->path);
	view->shown = time_format(rq->arena, c->updated);
	view->back_url = STR_CONCAT(rq->arena, url, STR("#comments"));
	view->token = csrf_token(rq, rs);
	fill_buttons(rq, d, form_shown(rq, &decide_form), view);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(decide_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct decided d;
	enum http_status status = load(rq, &d);

	return status == HTTP_OK ? show_with(rq, rs, &d, STR("")) : status;
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* What the staff decide settles the flags of it; what an author does leaves them to the staff. */
static void
settle(struct request *rq, struct plan *plan, enum deed deed, const struct decided *d)
{
	struct flagged flagged;

	if (!plan->audited || d->flagged == NULL || deed == HOLD || deed == MARK || deed == UNMARK)
		return;
	flagged_from_item(rq->arena, d->flagged, &flagged);
	if (flagged.status == FLAGGED_OPEN || deed == RESTORE)
		flag_settle(plan, d->flagged, deed == HIDE);
}

static enum plan_rc
carry_out(struct plan *plan, enum deed deed, const struct item *item, struct str why)
{
	switch (deed) {
	case HIDE: return comment_hide(plan, item, why);
	case HOLD: return comment_hold(plan, item, why);
	case APPROVE: return comment_approve(plan, item);
	case RESTORE: return comment_restore(plan, item);
	case MARK:
	case UNMARK: return comment_mark(plan, item, deed == MARK);
	case DEEDS: break;
	}
	return PLAN_TAKEN;
}

/* It can't be read or done now, or is not theirs to do any more: what they typed is there. */
static enum http_status
lost(struct request *rq, struct response *rs, enum http_status why)
{
	struct decide_view *view = ARENA_NEW(rq->arena, struct decide_view);
	struct decide_button_view *again = ARENA_NEW(rq->arena, struct decide_button_view);
	struct field_view *field = ARENA_NEW(rq->arena, struct field_view);
	struct page_frame frame = {.noindex = true};

	if (why != HTTP_UNAVAILABLE && why != HTTP_NOT_FOUND)
		return why;
	*again = (struct decide_button_view){input_of(rq, "do"), STR("Try again")};
	*field = form_field(rq, form_shown(rq, &decide_form), "why");
	view->title = STR("Nothing was done");
	view->notice = why == HTTP_UNAVAILABLE
			   ? STR("The site can’t reach its archive just now. Nothing is lost: try "
				 "again in a moment.")
			   : STR("It is not there any more, or not for you to decide on. What you "
				 "wrote is here.");
	view->action_url = rq->address;
	view->token = csrf_token(rq, rs);
	view->shown = input_of(rq, "shown");
	view->back_url = STR("/");
	view->why = field;
	view->buttons.items = again;
	view->buttons.count = 1;
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return response_form_again(rs, respond(rq, rs, TEMPLATE_WITH(decide_template, view)), why);
}

/* Where it is listed; or back to where it stands. */
static enum http_status
lead(struct request *rq, struct response *rs, enum deed deed, const struct decided *d)
{
	if (deed == HIDE || deed == HOLD)
		return redirect_done(rq, rs, discussion_path(rq->arena, &d->post),
		    deed == HIDE ? "hidden" : "held");
	return redirect(
	    rs, HTTP_SEE_OTHER, comment_permalink(rq, &d->post, d->comment.path));
}

static enum http_status
again(struct request *rq, struct response *rs, const struct decided *d)
{
	return response_form_again(rs,
	    show_with(rq, rs, d,
		STR("It has changed meanwhile, perhaps by somebody else’s decision. Look at it "
		    "once more.")),
	    HTTP_CONFLICT);
}

static enum http_status
press(struct request *rq, struct response *rs)
{
	struct str why = str_trim(((const struct decide_form *)rq->form->values)->why);
	struct str word = input_of(rq, "do");
	enum deed deed = HIDE;
	struct decided d;
	struct plan plan;
	enum http_status status = load(rq, &d);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return why.len != 0 ? lost(rq, rs, status) : status;
	while (deed < DEEDS && !str_eq(word, str_of(deeds[deed].word)))
		deed++;
	if (deed == DEEDS)
		return HTTP_BAD_REQUEST;
	if (!may_do(rq, &d, deed) ||
	    !str_eq(input_of(rq, "shown"), time_format(rq->arena, d.comment.updated)))
		return again(rq, rs, &d);
	if (deeds[deed].why && why.len == 0) {
		form_refuse(rq->form, "why", "Its author is told why: write it here.");
		return response_form_again(
		    rs, show_with(rq, rs, &d, STR("")), HTTP_UNPROCESSABLE);
	}
	plan = may(rq->viewer, MAY_MODERATE, NO_THING) ? plan_of_staff(rq) : plan_of(rq);
	settle(rq, &plan, deed, &d);
	rc = carry_out(&plan, deed, d.item, why);
	if (rc == PLAN_TAKEN)
		return again(rq, rs, &d);
	if (rc == PLAN_TABLE && why.len != 0)
		return lost(rq, rs, status_of(plan.failed));
	return rc == PLAN_DONE ? lead(rq, rs, deed, &d) : plan_refused(rs, &plan, rc);
}

PAGE(comment_decide, .get = show, .post = press, .refused = show, .form = &decide_form,
    .query = QUERY("at"))
