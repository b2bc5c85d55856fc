/*
 * GET and POST /post/<id>/comment/delete?at=<path>: asks, and deletes a comment: by its author, at
 * any time and whatever has become of the post; or by a moderator, which is entered in the staff's
 * log.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/reader/comment_write.h"
#include "model/slug.h"
#include "pages/public/comment.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"

struct place {
	struct post post;
	struct comment comment;
	const struct item *item;
	bool own, readable;
};

struct str
comment_delete_url(struct request *rq, const struct post *post, struct str path)
{
	return STR_CONCAT(
	    rq->arena, comment_write_url(rq, post, STR("")), STR("/delete?at="), path);
}

enum http_status
comment_load(
    struct request *rq, struct post *post, struct comment *comment, const struct item **item)
{
	struct str id = request_param(rq, "id"), path = request_query(rq, "at");
	struct read reads[2];
	enum http_status status;

	if (!slug_valid(id) || !comment_path_valid(path))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, path)};
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL || reads[1].item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, reads[0].item, post);
	comment_from_item(rq->arena, reads[1].item, comment);
	note_confidential(rq, post);
	*item = reads[1].item;
	return HTTP_OK;
}

/* Moderators decide only on posts that they may read. */
static enum http_status
load(struct request *rq, struct place *place)
{
	enum http_status status;

	*place = (struct place){.item = NULL};
	status = comment_load(rq, &place->post, &place->comment, &place->item);
	if (status != HTTP_OK)
		return status;
	place->own = may(rq->viewer, MAY_EDIT, thing_comment(&place->comment));
	place->readable = may(rq->viewer, MAY_READ, thing_post(&place->post, rq->now));
	if (!may(rq->viewer, MAY_READ, thing_comment(&place->comment)) ||
	    (!place->own && !place->readable))
		return HTTP_NOT_FOUND;
	return may(rq->viewer, MAY_DELETE, thing_comment(&place->comment)) ? HTTP_OK
									   : HTTP_FORBIDDEN;
}

static struct str
back(struct request *rq, const struct place *place)
{
	return place->readable
		   ? STR_CONCAT(rq->arena, post_path(rq->arena, &place->post), STR("#comments"))
		   : STR("/account");
}

static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct place place;
	enum http_status status = load(rq, &place);
	struct confirmation confirmation = {.button = "Delete", .destroys = true};

	if (status != HTTP_OK)
		return status;
	confirmation.title = place.own ? STR("Delete your comment?")
				       : STR_CONCAT(rq->arena, STR("Delete the comment of "),
					     place.comment.author_name, STR("?"));
	confirmation.message =
	    place.own ? STR("It can’t be restored. What others have answered to it stays.")
		      : STR("What others have answered to it stays. The log says who did this.");
	confirmation.action_url = rq->address;
	confirmation.cancel_url = back(rq, &place);
	return confirm(rq, rs, &confirmation);
}

static enum http_status delete (struct request *rq, struct response *rs) {
	struct place place; enum http_status status = load(rq, &place); struct plan plan;
	enum plan_rc rc;

	if (status != HTTP_OK) return status;
	plan = place.own ? plan_of(rq) : plan_of_staff(rq);
	rc = comment_delete(&plan, place.item);
	/* It was deleted already. */
	if (rc == PLAN_DONE || rc == PLAN_TAKEN) return redirect(
	    rs, HTTP_SEE_OTHER, back(rq, &place));
	return plan_refused(rs, &plan, rc);
}

PAGE(comment_delete, .get = ask, .post = delete, .query = QUERY("at"))
