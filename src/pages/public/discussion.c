/*
 * GET and POST /post/<id>/discussion: the comments of a post as a whole. Whoever may edit the post turns them off and on;
 * moderators close and reopen them, or a thread of them, and pin threads. The buttons of threads are on the post's page, too,
 * and lead back there.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/permission.h"
#include "model/reader/comment_write.h"
#include "model/reader/discussion.h"
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
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

/* A line of the page, with one or two buttons. */
struct discussion_row_view {
	struct str url, text;
	struct str first_value, first_label, second_value, second_label;
};

struct discussion_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, notice, action_url, token, back_url;
	LIST_OF(struct discussion_row_view) rows, hidden;
};

VIEW_FIELDS(discussion_row_view, STRING(url), STRING(text), STRING(first_value),
    STRING(first_label), STRING(second_value), STRING(second_label))
VIEW_FIELDS(discussion_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(title), STRING(notice), STRING(action_url), STRING(token), STRING(back_url),
    LIST(rows, discussion_row_view),
    LIST(hidden, discussion_row_view))
TEMPLATE(discussion_template, "discussion", discussion_view)

enum { HIDDEN_SHOWN = 50, ROWS_MAX = 2 + DISCUSSION_PINNED_MAX + DISCUSSION_CLOSED_MAX };

struct str
discussion_path(struct arena *arena, const struct post *post)
{
	return STR_CONCAT(arena, url_join(arena, STR("/post/"), post->id), STR("/discussion"));
}

const struct vote_form_view *
discussion_form(struct request *rq, struct response *rs, const struct post *post)
{
	struct vote_form_view *form;

	if (!may(rq->viewer, MAY_CLOSE, thing_post(post, rq->now)))
		return NULL;
	form = ARENA_NEW(rq->arena, struct vote_form_view);
	*form = (struct vote_form_view){
	    discussion_path(rq->arena, post), csrf_token(rq, rs), rq->address};
	return form;
}

/* --- What is asked for ------------------------------------------------------------------------------- */

enum act { TURN_OFF, TURN_ON, CLOSE, REOPEN, PIN, UNPIN, ACTS };
static const struct {
	const char *word;
	enum action needs;
} acts[ACTS] = {
    [TURN_OFF] = {"off", MAY_TURN_COMMENTS},
    [TURN_ON] = {"on", MAY_TURN_COMMENTS},
    [CLOSE] = {"close", MAY_CLOSE},
    [REOPEN] = {"reopen", MAY_CLOSE},
    [PIN] = {"pin", MAY_CLOSE},
    [UNPIN] = {"unpin", MAY_CLOSE},
};

/* "close", "close:<root>"; ACTS: nothing that a button sends. */
static enum act
act_of(struct str value, struct str *root)
{
	struct str word = str_cut(value, ':', root);
	enum act act = TURN_OFF;
	bool of_thread;

	while (act < ACTS && !str_eq(word, str_of(acts[act].word)))
		act++;
	of_thread = act == PIN || act == UNPIN || ((act == CLOSE || act == REOPEN) && root->len != 0);
	if (act < ACTS && (of_thread ? !comment_id_valid(*root) : word.len != value.len))
		act = ACTS;
	return act;
}

/* The post; and the root of a thread, or what its authors have hidden, the latest. */
static enum http_status
load(struct request *rq, struct str root, struct post *post, struct read reads[2])
{
	struct str id = request_param(rq, "id");
	enum http_status status;
	struct thing thing;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_comments_hidden_under(rq->arena, id)};
	reads[1].query.limit = HIDDEN_SHOWN;
	if (root.len != 0)
		reads[1] =
		    (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, root)};
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item != NULL)
		post_from_item(rq->arena, reads[0].item, post);
	status = thread_readable(rq, reads[0].item != NULL && post->kind != KIND_PAGE, post);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, post);
	thing = thing_post(post, rq->now);
	return may(rq->viewer, MAY_TURN_COMMENTS, thing) || may(rq->viewer, MAY_CLOSE, thing)
		   ? HTTP_OK
		   : HTTP_FORBIDDEN;
}

/* --- The page ---------------------------------------------------------------------------------------- */

static struct discussion_row_view *
add_row(struct discussion_view *view, struct str text)
{
	struct discussion_row_view *row =
	    (struct discussion_row_view *)&view->rows.items[view->rows.count++];

	*row = (struct discussion_row_view){.text = text};
	return row;
}

static void
add_states(struct request *rq, const struct post *post, struct discussion_view *view)
{
	struct discussion_row_view *row;

	row = add_row(view, post->comments_off ? STR("Comments are turned off: nobody writes any.")
					       : STR("Comments are turned on."));
	if (may(rq->viewer, MAY_TURN_COMMENTS, thing_post(post, rq->now))) {
		row->first_value = post->comments_off ? STR("on") : STR("off");
		row->first_label =
		    post->comments_off ? STR("Turn comments on") : STR("Turn comments off");
	}
	row = add_row(view, post->comments_closed
				? STR("The comments are closed: only moderators write any.")
				: STR("The comments are not closed."));
	if (may(rq->viewer, MAY_CLOSE, thing_post(post, rq->now))) {
		row->first_value = post->comments_closed ? STR("reopen") : STR("close");
		row->first_label =
		    post->comments_closed ? STR("Reopen the comments") : STR("Close the comments");
	}
}

/* The thread of a root, which may be deleted by now. */
static void
add_thread(struct request *rq, const struct post *post, struct str root, const struct item *item,
    struct discussion_view *view)
{
	bool pinned = discussion_has(&post->pinned, root);
	bool closed = discussion_has(&post->closed_threads, root);
	struct discussion_row_view *row = add_row(view, STR(""));
	struct comment comment = {.status = COMMENT_DELETED};

	if (item != NULL)
		comment_from_item(rq->arena, item, &comment);
	row->url = comment_permalink(rq, post, root);
	row->text = STR_CONCAT(rq->arena,
	    comment.status == COMMENT_DELETED
		? STR("A deleted thread")
		: STR_CONCAT(rq->arena, STR("The thread of "), comment.author_name),
	    pinned ? STR(", pinned") : STR(""), closed ? STR(", closed") : STR(""));
	if (!may(rq->viewer, MAY_CLOSE, thing_post(post, rq->now)))
		return;
	if (closed) {
		row->first_value = STR_CONCAT(rq->arena, STR("reopen:"), root);
		row->first_label = STR("Reopen thread");
	}
	if (pinned) {
		row->second_value = STR_CONCAT(rq->arena, STR("unpin:"), root);
		row->second_label = STR("Unpin");
	}
}

static enum http_status
add_threads(struct request *rq, const struct post *post, struct discussion_view *view)
{
	size_t most = post->pinned.count + post->closed_threads.count, count = 0;
	struct str *roots = ARENA_ARRAY(rq->arena, most, struct str);
	struct key *keys = ARENA_ARRAY(rq->arena, most, struct key);
	struct read read;
	enum http_status status;

	for (size_t i = 0; i < post->pinned.count; i++)
		roots[count++] = post->pinned.strings[i];
	for (size_t i = 0; i < post->closed_threads.count; i++)
		if (!discussion_has(&post->pinned, post->closed_threads.strings[i]))
			roots[count++] = post->closed_threads.strings[i];
	count = count < ROWS_MAX - 2 ? count : ROWS_MAX - 2;
	for (size_t i = 0; i < count; i++)
		keys[i] = key_comment(rq->arena, post->id, roots[i]);
	read = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	status = count != 0 ? page_read(rq, &read, 1) : HTTP_OK;
	for (size_t i = 0; status == HTTP_OK && i < count; i++)
		add_thread(rq, post, roots[i], read.items[i], view);
	return status;
}

static void
fill_hidden(struct request *rq, const struct post *post, const struct read *read,
    struct discussion_view *view)
{
	struct discussion_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct discussion_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct discussion_row_view *row = &rows[view->hidden.count];
		struct comment c;

		comment_from_item(rq->arena, &read->found[i], &c);
		if (!may(rq->viewer, MAY_READ, thing_comment_under(&c, post)))
			continue;
		*row = (struct discussion_row_view){
		    .url = comment_decide_url(rq, post->id, c.path),
		    .text = STR_CONCAT(rq->arena, STR("The comment of "), c.author_name,
			c.status == COMMENT_HELD ? STR(", held back by ") : STR(", hidden by "),
			c.hidden_by, STR(": "), c.hidden_why,
			c.answer.len != 0 ? STR(" · Their answer: ") : STR(""), c.answer)};
		view->hidden.count++;
	}
	view->hidden.items = rows;
}

static struct str
back_to(struct request *rq, const struct post *post)
{
	return STR_CONCAT(rq->arena, post_path(rq->arena, post), STR("#comments"));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct discussion_view *view = ARENA_NEW(rq->arena, struct discussion_view);
	struct page_frame frame = {.noindex = true};
	struct read reads[2];
	struct post post;
	const char *done = done_says(rq);
	enum http_status status = load(rq, STR(""), &post, reads);

	if (status != HTTP_OK)
		return status;
	view->rows.items = ARENA_ARRAY(rq->arena, ROWS_MAX, struct discussion_row_view);
	add_states(rq, &post, view);
	status = add_threads(rq, &post, view);
	if (status != HTTP_OK)
		return status;
	fill_hidden(rq, &post, &reads[1], view);
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, post_path(rq->arena, &post), words_title(&post));
	view->title =
	    STR_CONCAT(rq->arena, STR("The comments on “"), words_title(&post), STR("”"));
	view->notice = done != NULL ? str_of(done) : STR("");
	view->action_url = rq->path;
	view->token = csrf_token(rq, rs);
	view->back_url = back_to(rq, &post);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(discussion_template, view));
}

/* --- The buttons ------------------------------------------------------------------------------------- */

static enum plan_rc
carry_out(struct plan *plan, enum act act, const struct item *head, const struct comment *root)
{
	switch (act) {
	case TURN_OFF:
	case TURN_ON: return discussion_turn(plan, head, act == TURN_OFF);
	case CLOSE:
	case REOPEN:
		return root->path.len != 0
			   ? discussion_close_thread(plan, head, root, act == CLOSE)
			   : discussion_close(plan, head, act == CLOSE);
	case PIN:
	case UNPIN: return discussion_pin(plan, head, root, act == PIN);
	case ACTS: break;
	}
	return PLAN_NOT_THERE;
}

/* A thread that is there; what is undone may be of one that went. */
static bool
takes(enum act act, const struct read *read, struct arena *arena, struct comment *root)
{
	struct str path = root->path;

	if (path.len == 0)
		return true;
	if (read->item != NULL)
		comment_from_item(arena, read->item, root);
	root->path = path;
	return act == REOPEN || act == UNPIN ||
	       (read->item != NULL && root->status == COMMENT_VISIBLE);
}

static enum http_status
press(struct request *rq, struct response *rs)
{
	struct comment root = {.status = COMMENT_DELETED};
	enum act act = act_of(input_of(rq, "do"), &root.path);
	struct str from = thread_came_from(rq);
	struct read reads[2];
	struct post post;
	struct plan plan;
	enum http_status status = load(rq, root.path, &post, reads);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (act == ACTS)
		return HTTP_BAD_REQUEST;
	if (!may(rq->viewer, acts[act].needs, thing_post(&post, rq->now)))
		return HTTP_FORBIDDEN;
	if (!takes(act, &reads[1], rq->arena, &root))
		return HTTP_NOT_FOUND;
	/* Whoever edits others' posts acts for the staff there, too. */
	plan = may(rq->viewer, MAY_MODERATE, NO_THING) ||
		       !post_written_by(&post, rq->viewer->user.username)
		   ? plan_of_staff(rq)
		   : plan_of(rq);
	rc = carry_out(&plan, act, reads[0].item, &root);
	if (rc == PLAN_FULL && act == PIN)
		rs->error_text = "Three threads are pinned already. Unpin one first.";
	if (rc == PLAN_FULL && act != PIN)
		rs->error_text = "So many threads are closed already: close the comments as a whole.";
	if (rc == PLAN_FULL)
		return HTTP_CONFLICT;
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	if (from.len != 0 && root.path.len != 0)
		return redirect(rs, HTTP_SEE_OTHER,
		    STR_CONCAT(rq->arena, from, STR("#c-"), root.path));
	return redirect_done(rq, rs, rq->path, acts[act].word);
}

PAGE(discussion, .get = show, .post = press, .query = QUERY("done"))
