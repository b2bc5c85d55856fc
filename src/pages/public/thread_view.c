#include "pages/public/thread_view.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/permission.h"
#include "model/reader/comment_vote.h"
#include "model/reader/comment_write.h"
#include "model/reader/discussion.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/public/comment.h"
#include "pages/public/flag.h"
#include "pages/shared/card.h"
#include "pages/shared/form_view.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { DEPTH_SHOWN = 6 };

VIEW_FIELDS(comment_view, STRING(id), STRING(url), NUMBER(depth), FLAG(deleted), STRING(gone_text), FLAG(held),
    STRING(hidden_text), STRING(hidden_why), STRING(answer_url), STRING(answer), STRING(flag_url),
    STRING(decide_url), FLAG(by_staff),
    STRING(folded), STRING(author_url), STRING(author_name), FLAG(author_verified), FLAG(by_author), STRING(date),
    STRING(date_text), FLAG(edited), FLAG(pinned), FLAG(closed),
    STRING(pin_value), STRING(close_value), FLAG(is_new), STRING(parent_url), STRING(parent_name),
    STRING(votes_text), STRING(reply_url), STRING(edit_url), STRING(delete_url), STRING(vote_url),
    STRING(up_value), STRING(down_value), FLAG(up_pressed), FLAG(down_pressed),
    STRING(continue_url), STRING(continue_text), HTML(body_html))
VIEW_FIELDS(vote_form_view, STRING(url), STRING(token), STRING(from))
VIEW_FIELDS(thread_view, VIEW(root, comment_view), STRING(replies_text),
    LIST(replies, comment_view), STRING(more_url), STRING(more_text))

/* --- Addresses --------------------------------------------------------------------------------------- */

struct str
thread_path(struct request *rq, const struct post *post, struct str path)
{
	return STR_CONCAT(rq->arena, post_path(rq->arena, post), STR("/thread/"), path);
}

static struct str
anchor(struct request *rq, struct str id)
{
	return STR_CONCAT(rq->arena, STR("#c-"), id);
}

struct str
comment_write_url(struct request *rq, const struct post *post, struct str to)
{
	struct str url =
	    STR_CONCAT(rq->arena, url_join(rq->arena, STR("/post/"), post->id), STR("/comment"));

	return to.len == 0 ? url : STR_CONCAT(rq->arena, url, STR("?to="), to);
}

struct str
comment_edit_url(struct request *rq, const struct post *post, struct str path)
{
	return STR_CONCAT(rq->arena, comment_write_url(rq, post, STR("")), STR("?edit="), path);
}

struct str
comment_permalink(struct request *rq, const struct post *post, struct str path)
{
	struct str id =
	    str_sub(path, path.len > COMMENT_ID_LEN ? path.len - COMMENT_ID_LEN : 0, path.len);

	return STR_CONCAT(rq->arena, thread_path(rq, post, path), anchor(rq, id));
}

/* --- The order --------------------------------------------------------------------------------------- */

static const struct {
	const char *word, *label;
} orders[THREAD_ORDERS] = {
    [THREAD_BEST] = {"best", "Best"},
    [THREAD_NEWEST] = {"newest", "Newest"},
    [THREAD_OLDEST] = {"oldest", "Oldest"},
};

bool
thread_order_of(struct str word, enum thread_order *out)
{
	*out = THREAD_BEST;
	if (word.len == 0)
		return true;
	for (enum thread_order i = 0; i < THREAD_ORDERS; i++)
		if (str_eq(word, str_of(orders[i].word))) {
			*out = i;
			return true;
		}
	return false;
}

const struct nav_link_view *
thread_order_links(struct request *rq, const struct post *post, enum thread_order order)
{
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, THREAD_ORDERS, struct nav_link_view);

	for (enum thread_order i = 0; i < THREAD_ORDERS; i++)
		links[i] = (struct nav_link_view){
		    .url = STR_CONCAT(rq->arena, post_path(rq->arena, post),
			i == THREAD_BEST ? STR("") : STR("?comments="),
			i == THREAD_BEST ? STR("") : str_of(orders[i].word), STR("#comments")),
		    .name = str_of(orders[i].label),
		    .current = i == order};
	return links;
}

/* --- One comment ------------------------------------------------------------------------------------- */

/* "5 points"; empty while nobody has voted. */
static struct str
votes_text(struct arena *arena, const struct comment *c)
{
	int64_t points = c->ups - c->downs;

	if (c->ups == 0 && c->downs == 0)
		return STR("");
	return STR_CONCAT(arena, points < 0 ? STR("−") : STR(""),
	    words_number(arena, points < 0 ? -points : points),
	    points == 1 || points == -1 ? STR(" point") : STR(" points"));
}

struct str
folded_for(struct request *rq, struct str username, struct str *name, struct str *url)
{
	if (unname(rq, username, name, url))
		return STR("By somebody you have blocked");
	if (viewer_mutes(rq->viewer, username))
		return STR_CONCAT(rq->arena, STR("By "), *name, STR(", whom you have muted"));
	return STR("");
}

/* --- Votes ------------------------------------------------------------------------------------------- */

struct str
vote_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, STR("/vote/"), post->id);
}

const struct vote_form_view *
vote_form(struct request *rq, const struct post *post, struct str token)
{
	struct vote_form_view *form = ARENA_NEW(rq->arena, struct vote_form_view);

	if (rq->viewer == NULL)
		return NULL;
	*form = (struct vote_form_view){vote_path(rq->arena, post), token, rq->address};
	return form;
}

static void
fill_votes(struct request *rq, const struct comment_context *context, const struct comment *c,
    struct comment_view *out)
{
	enum opinion mine = OPINION_OFF;

	out->votes_text = votes_text(rq->arena, c);
	if (c->status != COMMENT_VISIBLE)
		return;
	if (rq->viewer == NULL) {
		out->vote_url = STR_CONCAT(rq->arena, vote_path(rq->arena, context->post),
		    STR("?comment="), c->id, STR(":up"));
		return;
	}
	if (!may(rq->viewer, MAY_REACT, thing_comment(c)))
		return;
	if (context->mine != NULL)
		mine = reactions_to_comment(context->mine, c->id);
	out->up_pressed = mine == OPINION_UP;
	out->down_pressed = mine == OPINION_DOWN;
	out->up_value =
	    STR_CONCAT(rq->arena, c->id, out->up_pressed ? STR(":off") : STR(":up"));
	out->down_value =
	    STR_CONCAT(rq->arena, c->id, out->down_pressed ? STR(":off") : STR(":down"));
}

struct str
thread_came_from(const struct request *rq)
{
	struct str from = input_of(rq, "from");
	bool ours = str_starts(from, STR("/post/"));

	for (size_t i = 0; i < from.len; i++)
		ours = ours && from.base[i] > ' ' && from.base[i] < 0x7f && from.base[i] != '#' &&
		       from.base[i] != '\\';
	return ours ? from : STR("");
}

/* --- Threads that are closed or pinned ---------------------------------------------------------------- */

static void
fill_thread_state(struct request *rq, const struct comment_context *context,
    const struct comment *c, struct comment_view *out)
{
	const struct post *post = context->post;

	if (comment_path_parent(c->path).len != 0)
		return;
	out->pinned = discussion_has(&post->pinned, c->path);
	out->closed = discussion_has(&post->closed_threads, c->path);
	if (!context->manages || c->status != COMMENT_VISIBLE)
		return;
	out->pin_value =
	    STR_CONCAT(rq->arena, out->pinned ? STR("unpin:") : STR("pin:"), c->path);
	out->close_value =
	    STR_CONCAT(rq->arena, out->closed ? STR("reopen:") : STR("close:"), c->path);
}

/* --- What is new ------------------------------------------------------------------------------------- */

static bool
is_new(struct request *rq, const struct comment_context *context, const struct comment *c)
{
	return context->since != 0 && c->status == COMMENT_VISIBLE &&
	       c->created > context->since && rq->viewer != NULL &&
	       !str_eq(c->author, rq->viewer->user.username);
}

size_t
thread_new(
    struct request *rq, const struct comment_context *context, const struct thread *thread)
{
	size_t count = 0;

	for (size_t i = 0; i < thread->count; i++)
		count += is_new(rq, context, &thread->comments[i]);
	return count;
}

int64_t
thread_newest(const struct thread *thread)
{
	int64_t newest = 0;

	for (size_t i = 0; i < thread->count; i++)
		if (thread->comments[i].created > newest)
			newest = thread->comments[i].created;
	return newest;
}

const char *
discussion_says(const struct request *rq, const struct post *post, struct str path)
{
	bool moderates = may(rq->viewer, MAY_CLOSE, thing_post(post, rq->now));

	switch (discussion_of(post, path, moderates)) {
	case DISCUSSION_OFF: return "Comments are turned off here.";
	case DISCUSSION_CLOSED: return "The comments here are closed.";
	case DISCUSSION_THREAD_CLOSED: return "This thread is closed.";
	case DISCUSSION_OPEN: break;
	}
	return NULL;
}

bool
thread_open(const struct request *rq, const struct post *post)
{
	return post_takes_comments(post, rq->now) && discussion_says(rq, post, STR("")) == NULL &&
	       !moderation_over(&rq->settings->moderation, post->published, rq->now) &&
	       !turned_off(settings_off(rq->settings), MAY_COMMENT, NO_THING);
}

/* Why others don't see it, for its author; and the way for whoever decides on it. */
static void
fill_decision(
    struct request *rq, const struct post *post, const struct comment *c, struct comment_view *out)
{
	struct thing thing = thing_comment_under(c, post);

	if (c->status == COMMENT_HIDDEN || (c->status == COMMENT_HELD && c->by_author)) {
		out->hidden_text = comment_hidden_text(c);
		out->hidden_why = c->hidden_why;
		if (rq->viewer != NULL && str_eq(c->author, rq->viewer->user.username))
			out->answer = c->answer;
		if (may(rq->viewer, MAY_ANSWER, thing))
			out->answer_url = comment_answer_url(rq, post, c->path);
	}
	if (may(rq->viewer, MAY_HOLD, thing) || may(rq->viewer, MAY_TAKE_DOWN, thing) ||
	    may(rq->viewer, MAY_MARK, thing))
		out->decide_url = comment_decide_url(rq, post->id, c->path);
}

/* --- A comment --------------------------------------------------------------------------------------- */

void
comment_view_fill(struct request *rq, const struct comment_context *context,
    const struct comment *c, const struct comment *parent, struct comment_view *out)
{
	const struct post *post = context->post;
	bool open = thread_open(rq, post) && discussion_says(rq, post, c->path) == NULL;

	*out = (struct comment_view){.id = c->id, .deleted = c->status == COMMENT_DELETED};
	if (out->deleted) {
		out->gone_text = c->hidden == 0 ? STR("This comment was deleted.")
				 : c->by_author
				     ? STR("This comment was hidden by the author of the post.")
				     : STR("This comment was hidden by the editors.");
		if (may(rq->viewer, MAY_MODERATE, NO_THING))
			out->decide_url = comment_decide_url(rq, post->id, c->path);
		return;
	}
	out->url = comment_permalink(rq, post, c->path);
	out->author_url = author_path(rq->arena, c->author);
	out->author_name = c->author_name;
	out->author_verified = is_verified(rq, c->author);
	out->by_author = post_written_by(post, c->author);
	out->by_staff = c->staff;
	out->date = time_format(rq->arena, c->created);
	out->date_text = words_date_near(rq, c->created);
	out->edited = c->updated > c->created;
	out->held = c->status == COMMENT_HELD;
	out->is_new = is_new(rq, context, c);
	fill_thread_state(rq, context, c, out);
	fill_votes(rq, context, c, out);
	out->folded = folded_for(rq, c->author, &out->author_name, &out->author_url);
	if (out->folded.len == 0 && comment_voted_down(c))
		out->folded = STR("Voted down by readers");
	fill_decision(rq, post, c, out);
	if (c->status == COMMENT_VISIBLE)
		out->flag_url = flag_url(rq,
		    &(struct flag_target){
			.what = FLAG_COMMENT, .post = post->id, .path = c->path},
		    may(rq->viewer, MAY_FLAG, thing_comment(c)));
	if (c->status == COMMENT_VISIBLE && open)
		out->reply_url = comment_write_url(rq, post, c->path);
	if (open && comment_editable(c, rq->now) && may(rq->viewer, MAY_EDIT, thing_comment(c)))
		out->edit_url = comment_edit_url(rq, post, c->path);
	if (may(rq->viewer, MAY_DELETE, thing_comment(c)))
		out->delete_url = comment_delete_url(rq, post, c->path);
	out->body_html = stored_comment_html(rq, c);
	if (parent != NULL && parent->status != COMMENT_DELETED) {
		out->parent_url = anchor(rq, parent->id);
		out->parent_name = parent->author_name;
		unname(rq, parent->author, &out->parent_name, &(struct str){NULL, 0});
	}
}

/* --- A thread ---------------------------------------------------------------------------------------- */

/* The link to continue below the last level that is shown. */
static void
fill_continue(
    struct request *rq, const struct post *post, const struct comment *c, struct comment_view *out)
{
	out->continue_url = comment_permalink(rq, post, c->path);
	out->continue_text = STR_CONCAT(rq->arena, STR("Continue this thread: "),
	    words_some(rq->arena, (int64_t)c->below, "more reply", "more replies"));
}

/* In reading order the parent is the last comment before it with a lower depth. */
static const struct comment *
parent_of(const struct comment *root, const struct comment *c)
{
	const struct comment *parent = c - 1;

	while (parent > root && parent->depth >= c->depth)
		parent--;
	return parent;
}

static void
fill_replies(struct request *rq, const struct comment_context *context,
    const struct comment *root, struct thread_view *out)
{
	struct comment_view *views = ARENA_ARRAY(rq->arena, root->below, struct comment_view);
	const struct comment *end = root + root->below + 1, *c;
	size_t count = 0;

	for (c = root + 1; c < end; c++) {
		struct comment_view *view = &views[count++];
		unsigned depth = c->depth - root->depth;

		comment_view_fill(rq, context, c, parent_of(root, c), view);
		view->depth = depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN;
		if (depth + 1 < LEVELS_SHOWN || c->below == 0)
			continue;
		fill_continue(rq, context->post, c, view);
		c += c->below;
	}
	out->replies.items = views;
	out->replies.count = count;
}

const struct thread_view *
thread_views(struct request *rq, const struct comment_context *context,
    const struct thread *thread, size_t *count)
{
	struct thread_view *views = ARENA_ARRAY(rq->arena, thread->count, struct thread_view);

	*count = 0;
	for (size_t i = 0; i < thread->count; i += thread->comments[i].below + 1) {
		const struct comment *root = &thread->comments[i];
		struct thread_view *view = &views[(*count)++];

		comment_view_fill(rq, context, root, NULL, &view->root);
		fill_replies(rq, context, root, view);
		view->replies_text = words_some(
		    rq->arena, (int64_t)(root->below + root->more), "reply", "replies");
		if (root->more == 0)
			continue;
		view->more_url = thread_path(rq, context->post, root->path);
		view->more_text =
		    words_some(rq->arena, (int64_t)root->more, "more reply", "more replies");
	}
	return views;
}
