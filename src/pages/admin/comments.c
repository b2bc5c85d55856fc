/*
 * /admin/comments: comments that wait for an editor, the oldest first, with their posts; each has a
 * button to approve and one to refuse it. Comments under a post that the viewer may not read are
 * not shown and can't be decided on.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post/post.h"
#include "model/reader/comment_write.h"
#include "model/slug.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"

enum { SHOWN = 20 };

/* --- The list ---------------------------------------------------------------------------------------- */

/* The heads of their posts, without duplicates. */
static enum http_status
read_heads(struct request *rq, const struct read *held, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, held->found_count, struct key);
	size_t count = 0;

	for (size_t i = 0; i < held->found_count; i++) {
		struct key key = key_post(rq->arena, item_string(&held->found[i], STR("Post")));
		size_t k = 0;

		while (k < count && !str_eq(keys[k].pk, key.pk))
			k++;
		if (k == count)
			keys[count++] = key;
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

/* The post of a comment among the heads that were read, if the viewer may read it. */
static bool
find_post(struct request *rq, const struct read *heads, struct str id, struct post *out)
{
	for (size_t i = 0; i < heads->batch.count; i++) {
		if (heads->items[i] == NULL)
			continue;
		post_from_item(rq->arena, heads->items[i], out);
		if (str_eq(out->id, id))
			return may(rq->viewer, MAY_READ, thing_post(out, rq->now));
	}
	return false;
}

static struct admin_row_view
row_of(struct request *rq, const struct post *post, const struct comment *comment)
{
	struct str value = STR_CONCAT(rq->arena, post->id, STR(" "), comment->path, STR(" "),
	    time_format(rq->arena, comment->updated));
	struct admin_row_view row = {.url = post_path(rq->arena, post),
	    .name = words_title(post),
	    .text = STR_CONCAT(
		rq->arena, comment->author_name, STR(", "), words_moment(rq, comment->created)),
	    .has_body = true,
	    .body_html = stored_html(
		rq, MARKDOWN_READER, comment->markdown, comment->html, comment->renderer)};

	note_confidential(rq, post);
	admin_button(rq, &row, "approve", value, "Approve");
	admin_button(rq, &row, "refuse", value, "Refuse");
	return row;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Comments"));
	struct admin_panel_view *panel = admin_panel(view, "held", "Waiting for an editor");
	struct read held = {.kind = READ_QUERY, .query = query_comments_held()}, heads;
	struct admin_row_view *rows;
	enum http_status status;
	size_t count = 0;
	bool newer;

	held.query.limit = SHOWN;
	if (!list_cursor(rq, &held.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &held, 1);
	if (status == HTTP_OK)
		status = read_heads(rq, &held, &heads);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, held.found_count, struct admin_row_view);
	for (size_t i = 0; i < held.found_count; i++) {
		struct comment comment;
		struct post post;

		comment_from_item(rq->arena, &held.found[i], &comment);
		if (find_post(rq, &heads, comment.post, &post))
			rows[count++] = row_of(rq, &post, &comment);
	}
	view->intro = STR("Whose first comment is approved is known: what they write next appears "
			  "at once. What is refused is gone.");
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->empty_text = STR("Nothing waits.");
	panel->pagination = pagination_onward(rq, held.next);
	admin_buttons_lead(rq, rs, panel, STR("/admin/comments"));
	return admin_respond(rq, rs, view);
}

/* --- The buttons ------------------------------------------------------------------------------------- */

/* The comment of a button, and its time as it was shown. HTTP_OK: the viewer may decide on it. */
static enum http_status
find(struct request *rq, struct str value, struct read *comment, struct str *shown)
{
	struct str rest, id = str_cut(value, ' ', &rest), path = str_cut(rest, ' ', shown);
	struct read reads[2];
	enum http_status status;
	struct post post;

	if (!slug_valid(id) || !comment_path_valid(path))
		return HTTP_BAD_REQUEST;
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, path)};
	status = page_read(rq, reads, 2);
	*comment = reads[1];
	return status == HTTP_OK ? page_post_for(rq, &reads[0], MAY_READ, &post) : status;
}

static enum http_status
decide(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str approved = input_of(rq, "approve"), refused = input_of(rq, "refuse");
	struct comment comment = {.status = COMMENT_DELETED};
	struct str shown;
	struct read read;
	enum http_status status;
	enum plan_rc rc = PLAN_TAKEN;

	if ((approved.len != 0) == (refused.len != 0))
		return HTTP_BAD_REQUEST;
	status = find(rq, approved.len != 0 ? approved : refused, &read, &shown);
	if (status != HTTP_OK)
		return status;
	if (read.item != NULL)
		comment_from_item(rq->arena, read.item, &comment);
	/*
	 * Another editor has decided meanwhile, or the same button was pressed twice, or the author
	 * has edited it.
	 */
	if (str_eq(shown, time_format(rq->arena, comment.updated)) &&
	    may(rq->viewer, MAY_PUBLISH, thing_comment(&comment)))
		rc = approved.len != 0 ? comment_approve(&plan, read.item)
				       : comment_refuse(&plan, read.item);
	return plan_answer(
	    rq, rs, &plan, rc, STR("/admin/comments"), approved.len != 0 ? "approved" : "refused");
}

PAGE(admin_comments, .get = show, .post = decide, .query = QUERY("after", "done"))
