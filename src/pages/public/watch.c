/*
 * /follow/<what>/<name>: follows the comments on a post, a thread, a tag or a category, or no more. A button says how it
 * is to be; a stranger has a link instead, to the page that asks after signing in.
 */
#include "pages/public/watch.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/post/tag.h"
#include "model/reader/comment_write.h"
#include "model/reader/trust.h"
#include "model/slug.h"
#include "pages/public/reaction.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/followed.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

VIEW_FIELDS(watch_view, STRING(url), STRING(token), STRING(wish), STRING(text))

/* What the button, the question and the message after that say. */
static const struct says {
	const char *begin, *end, *message;
} says[WATCHES] = {
    [WATCH_POST] = {"Follow the comments", "Stop following the comments",
	"You are told of new comments on it."},
    [WATCH_THREAD] = {"Follow this thread", "Stop following this thread",
	"You are told of new comments in it."},
    [WATCH_TAG] = {"Follow this tag", "Stop following this tag",
	"You are told of new posts that have it."},
    [WATCH_CATEGORY] = {"Follow this category", "Stop following this category",
	"You are told of new posts in it and below it."},
};

/* --- The button -------------------------------------------------------------------------------------- */

static struct str
watch_url(struct arena *arena, const struct watch_target *target)
{
	struct str begin = STR_CONCAT(
	    arena, STR("/follow/"), str_of(watch_name(target->what)), STR("/"));

	return url_join(arena, begin, target->what == WATCH_POST ? target->post : target->name);
}

const struct watch_view *
watch_view(struct request *rq, struct response *rs, const struct watch_target *target, bool watched)
{
	struct watch_view *view = ARENA_NEW(rq->arena, struct watch_view);

	*view = (struct watch_view){.url = watch_url(rq->arena, target),
	    .text = str_of(watched ? says[target->what].end : says[target->what].begin)};
	if (rq->viewer == NULL)
		return view;
	view->token = csrf_token(rq, rs);
	view->wish = watched ? STR("unfollow") : STR("follow");
	return view;
}

const struct watch_view *
watch_view_of_post(struct request *rq, struct response *rs, const struct post *post,
    struct str root, bool watched)
{
	const struct watch_target target = {
	    root.len != 0 ? WATCH_THREAD : WATCH_POST, root, post->id};
	bool own = rq->viewer != NULL && post_written_by(post, rq->viewer->user.username);

	if (!watched && (!post_takes_comments(post, rq->now) || (own && root.len == 0)))
		return NULL;
	return watch_view(rq, rs, &target, watched);
}

/* --- Doing it ----------------------------------------------------------------------------------------- */

/* What a request is about. */
struct watching {
	struct watch_target target;
	struct str title, back; /* what it is called, and its page */
	struct rate limit;
	bool watched;
};

/* Whether it is followed already matters to the question, the viewer's trust to the answer. */
enum { THING, OWN, TRUST = OWN, READS = TRUST + TRUST_READS };

/* The post, or the comment by its id: what the first trip reads of the address. False: there is no such address. */
static bool
take_address(struct request *rq, struct watch_target *target, struct read *thing)
{
	struct str name = request_param(rq, "name");

	*target = (struct watch_target){.what = watch_of(request_param(rq, "what"))};
	*thing = (struct read){.kind = READ_GET};
	switch (target->what) {
	case WATCH_POST:
		target->post = name;
		thing->key = key_post(rq->arena, name);
		return slug_valid(name);
	case WATCH_THREAD:
		target->name = name;
		*thing = (struct read){
		    .kind = READ_QUERY, .query = query_comment_by_id(rq->arena, name)};
		return comment_id_valid(name);
	case WATCH_TAG:
		target->name = name;
		thing->key = key_tag(name);
		return slug_valid(name);
	case WATCH_CATEGORY:
		target->name = name;
		thing->key = key_category(rq->arena, name);
		return slug_valid(name);
	default: return false;
	}
}

/* Its root is the thread's name; its post is known from there alone, and read in the second trip. */
static enum http_status
take_thread(struct request *rq, const struct read *thing, struct watching *w, struct post *post)
{
	struct read reads[2];
	struct comment comment;
	enum http_status status;

	if (thing->found_count == 0)
		return HTTP_NOT_FOUND;
	comment_from_item(rq->arena, &thing->found[0], &comment);
	w->target.post = comment.post;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, comment.post)};
	reads[1] = watch_read(rq->arena, rq->viewer->user.username, &w->target);
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL || !str_eq(comment.path, comment.id) ||
	    (comment.status != COMMENT_DELETED &&
		!may(rq->viewer, MAY_READ, thing_comment(&comment))))
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, reads[0].item, post);
	w->watched = reads[1].item != NULL;
	w->title = STR_CONCAT(rq->arena, STR("A thread on “"), words_title(post), STR("”"));
	w->back = comment_permalink(rq, post, comment.path);
	return HTTP_OK;
}

static enum http_status
take_post(struct request *rq, const struct read *thing, struct watching *w)
{
	enum http_status status = HTTP_OK;
	struct post post;

	if (w->target.what == WATCH_THREAD)
		status = take_thread(rq, thing, w, &post);
	else if (thing->item != NULL)
		post_from_item(rq->arena, thing->item, &post);
	else
		status = followed_check(rq, MAY_READ, NULL, NULL);
	if (status == HTTP_OK)
		status = followed_check(rq, MAY_READ, &post, NULL);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &post);
	if (!post_takes_comments(&post, rq->now))
		return HTTP_NOT_FOUND;
	if (w->target.what == WATCH_THREAD)
		return HTTP_OK;
	w->title = STR_CONCAT(rq->arena, STR("The comments on “"), words_title(&post), STR("”"));
	w->back = STR_CONCAT(rq->arena, post_path(rq->arena, &post), STR("#comments"));
	return HTTP_OK;
}

static enum http_status
take_shelf(struct request *rq, const struct read *thing, struct watching *w)
{
	const struct category *category;
	struct tag tag;

	if (thing->item == NULL)
		return HTTP_NOT_FOUND;
	if (w->target.what == WATCH_TAG) {
		tag_from_item(rq->arena, thing->item, &tag);
		/* One that only scheduled posts have is not visible yet. */
		if (tag.posts <= scheduled_with(rq, tag.name))
			return HTTP_NOT_FOUND;
		w->title = STR_CONCAT(rq->arena, STR("The tag “"), w->target.name, STR("”"));
		w->back = url_join(rq->arena, STR("/tag/"), w->target.name);
		return HTTP_OK;
	}
	category = category_find(&publication_of(rq)->categories, w->target.name);
	if (category == NULL)
		return HTTP_NOT_FOUND;
	/* One that was merged is followed as what it is now. */
	w->target.name = category->slug;
	w->title = STR_CONCAT(rq->arena, STR("The category “"), category->name, STR("”"));
	w->back = url_join(rq->arena, STR("/category/"), category->slug);
	return HTTP_OK;
}

/* HTTP_OK when the viewer may follow it. */
static enum http_status
load(struct request *rq, struct watching *w)
{
	bool asks = rq->method == METHOD_GET;
	struct str self = rq->viewer->user.username;
	struct read reads[READS];
	enum http_status status;

	*w = (struct watching){.watched = false};
	if (!take_address(rq, &w->target, &reads[THING]))
		return HTTP_NOT_FOUND;
	if (asks)
		reads[OWN] = watch_read(rq->arena, self, &w->target);
	else
		trust_reads(rq->arena, self, &reads[TRUST]);
	status = page_read(rq, reads, !asks ? READS : w->target.what == WATCH_THREAD ? OWN : OWN + 1);
	if (status != HTTP_OK)
		return status;
	if (!asks)
		w->limit = trust_rate(&rq->settings->moderation,
		    trust_of(&rq->settings->moderation, rq->viewer, &reads[TRUST], rq->now),
		    TRUST_FOLLOW, self);
	else if (w->target.what != WATCH_THREAD)
		w->watched = reads[OWN].item != NULL;
	return w->target.what == WATCH_POST || w->target.what == WATCH_THREAD
		   ? take_post(rq, &reads[THING], w)
		   : take_shelf(rq, &reads[THING], w);
}

static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct watching w;
	struct confirmation question = {.name = STR("do"), .value = STR("follow")};
	enum http_status status = load(rq, &w);

	if (status != HTTP_OK)
		return status;
	if (w.watched)
		return redirect(rs, HTTP_SEE_OTHER, w.back);
	question.title = STR_CONCAT(rq->arena, w.title, STR(": follow it?"));
	question.message = str_of(says[w.target.what].message);
	question.button = says[w.target.what].begin;
	question.action_url = rq->path;
	question.cancel_url = w.back;
	return confirm(rq, rs, &question);
}

static enum http_status
watch(struct request *rq, struct response *rs)
{
	struct str wish = input_of(rq, "do");
	struct plan plan = plan_of(rq);
	bool begin = str_eq(wish, STR("follow"));
	struct watching w;
	enum http_status status = load(rq, &w);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!begin && !str_eq(wish, STR("unfollow")))
		return HTTP_BAD_REQUEST;
	rc = begin ? watch_begin(&plan, &w.target, &w.limit) : watch_end(&plan, &w.target);
	if (rc == PLAN_TOO_MANY)
		return reaction_too_many(
		    rq, rs, rate_wait_now(rq->table, &rq->call, &w.limit, 1, rq->now));
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, w.back) : plan_refused(rs, &plan, rc);
}

PAGE(watch, .get = ask, .post = watch)
