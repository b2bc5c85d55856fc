/*
 * GET and POST /vote/<post>: a vote on a comment. The buttons of all comments on a page belong to one form and say which
 * comment and what is wished, `comment=<comment>:up`, never "the other way round": sent twice, it does the same once. A stranger
 * has a link: behind the sign-in, that asks once.
 */
#include "base/arena.h"
#include "model/key_comment.h"
#include "model/permission.h"
#include "model/reader/comment_vote.h"
#include "model/reader/comment_write.h"
#include "model/reader/trust.h"
#include "model/slug.h"
#include "pages/public/reaction.h"
#include "pages/public/thread.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"

struct vote {
	enum opinion wish;
	struct str id; /* of the comment */
	struct post post;
	struct comment comment;
	struct read own; /* how they have voted so far */
	struct rate limit;
};

static bool
wish_of(struct str value, struct vote *out)
{
	struct str word;

	out->id = str_cut(value, ':', &word);
	return comment_id_valid(out->id) && reaction_opinion(REACTION_VOTE, word, &out->wish);
}

/* HTTP_OK when it may be done. What was done once can be taken back, whatever has become of the comment. */
static enum http_status
load(struct request *rq, struct response *rs, struct str value, struct vote *v)
{
	enum { HEAD, COMMENT, OWN, TRUST, READS = TRUST + TRUST_READS };
	struct str post = request_param(rq, "id");
	struct read reads[READS];
	enum http_status status;
	bool there;

	if (!slug_valid(post))
		return HTTP_NOT_FOUND;
	if (!wish_of(value, v))
		return value.len != 0 ? HTTP_NOT_FOUND : HTTP_BAD_REQUEST;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, post)};
	reads[COMMENT] =
	    (struct read){.kind = READ_QUERY, .query = query_comment_by_id(rq->arena, v->id)};
	reads[OWN] = comment_vote_read(rq->arena, rq->viewer->user.username, post, v->id);
	trust_reads(rq->arena, rq->viewer->user.username, &reads[TRUST]);
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	if (reads[COMMENT].found_count != 0)
		comment_from_item(rq->arena, reads[COMMENT].found, &v->comment);
	there = reads[HEAD].item != NULL && str_eq(v->comment.post, post) &&
		v->comment.status != COMMENT_HELD;
	if (there)
		post_from_item(rq->arena, reads[HEAD].item, &v->post);
	status = thread_readable(rq, there, &v->post);
	if (status != HTTP_OK)
		return status;
	v->own = reads[OWN];
	v->limit = trust_rate(&rq->settings->moderation,
	    trust_of(&rq->settings->moderation, rq->viewer, &reads[TRUST], rq->now), TRUST_REACT,
	    rq->viewer->user.username);
	if (v->wish == OPINION_OFF || may(rq->viewer, MAY_REACT, thing_comment(&v->comment)))
		return HTTP_OK;
	rs->error_text = "It is a comment of yours, or it is deleted.";
	return HTTP_FORBIDDEN;
}

/* Where they came from, if that is a page of ours with comments; at the comment. */
static struct str
way_back(struct request *rq, const struct vote *v)
{
	struct str from = thread_came_from(rq);

	if (from.len == 0)
		return comment_permalink(rq, &v->post, v->comment.path);
	return STR_CONCAT(rq->arena, from, STR("#c-"), v->id);
}

static enum http_status
vote(struct request *rq, struct response *rs)
{
	struct vote v = {.wish = OPINION_OFF};
	struct plan plan = plan_of(rq);
	enum http_status status = load(rq, rs, input_of(rq, "comment"), &v);
	uint32_t wait = 0;
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = comment_vote(&plan, &v.comment, v.wish, &v.own, &v.limit, &wait);
	if (rc == PLAN_TOO_MANY)
		return reaction_too_many(rq, rs, wait);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, way_back(rq, &v))
			       : plan_refused(rs, &plan, rc);
}

static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct vote v = {.wish = OPINION_OFF};
	struct confirmation confirmation = {.name = STR("comment")};
	enum http_status status = load(rq, rs, request_query(rq, "comment"), &v);

	if (status != HTTP_OK)
		return status;
	if (reaction_from_item(REACTION_VOTE, v.own.item) == v.wish)
		return redirect(
		    rs, HTTP_SEE_OTHER, comment_permalink(rq, &v.post, v.comment.path));
	confirmation.title = STR_CONCAT(rq->arena, str_of(opinion_kinds[v.wish].label),
	    STR(": the comment of "), v.comment.author_name, STR("?"));
	confirmation.action_url = vote_path(rq->arena, &v.post);
	confirmation.cancel_url = comment_permalink(rq, &v.post, v.comment.path);
	confirmation.button = opinion_kinds[v.wish].label;
	confirmation.value = request_query(rq, "comment");
	return confirm(rq, rs, &confirmation);
}

PAGE(comment_vote, .get = ask, .post = vote, .query = QUERY("comment"))
