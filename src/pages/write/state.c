/*
 * /write, where one begins; /edit/<id>/delete and /undelete, which ask and confirm; and /leave, for
 * coauthors.
 */
#include "base/arena.h"
#include "model/key_post.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/write.h"
#include "text/template.h"
#include "text/url.h"

#include <inttypes.h>

struct write_kind_view {
	struct str url, name, says;
};

struct write_kinds_view {
	struct layout_view layout;
	struct str title;
	LIST_OF(struct write_kind_view) kinds;
};

VIEW_FIELDS(write_kind_view, STRING(url), STRING(name), STRING(says))
VIEW_FIELDS(
    write_kinds_view, VIEW(layout, layout_view), STRING(title), LIST(kinds, write_kind_view))
TEMPLATE(write_kinds_template, "write_kinds", write_kinds_view)

static enum http_status
choose_kind(struct request *rq, struct response *rs)
{
	static const struct write_kind_view kinds[] = {
	    {STR_INIT("/write/article"), STR_INIT("Article"),
		STR_INIT("A text with a title, to be read at length.")},
	    {STR_INIT("/write/note"), STR_INIT("Note"),
		STR_INIT("A few lines. It needs no title.")},
	    {STR_INIT("/write/link"), STR_INIT("Link"),
		STR_INIT("An address elsewhere, and what you think of it.")},
	    {STR_INIT("/write/howto"), STR_INIT("How-to"),
		STR_INIT("How something is made: materials, tools, steps.")},
	    {STR_INIT("/write/page"), STR_INIT("Page"),
		STR_INIT("One that stands by itself, such as “About”.")},
	};
	struct write_kinds_view *view = ARENA_NEW(rq->arena, struct write_kinds_view);
	struct page_frame frame = {.title = STR("Write"), .noindex = true};
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	view->title = frame.title;
	view->kinds.items = kinds;
	view->kinds.count = sizeof(kinds) / sizeof(kinds[0]);
	if (!may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		view->kinds.count--;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(write_kinds_template, view));
}

/* The post of the address. HTTP_OK: it exists, and the viewer may do this. */
static enum http_status
find(struct request *rq, enum action action, struct written *out)
{
	struct read reads[POST_READS];
	enum http_status status;

	if (write_nowhere(rq))
		return HTTP_NOT_FOUND;
	post_reads(rq->arena, request_param(rq, "id"), true, reads);
	status = page_read_post(rq, reads, POST_READS);
	return status == HTTP_OK ? write_find(rq, reads, action, out) : status;
}

static struct str
edit_path(struct request *rq, const struct post *post, const char *below)
{
	return STR_CONCAT(rq->arena, url_join(rq->arena, STR("/edit/"), post->id), str_of(below));
}

static enum http_status
confirm_delete(struct request *rq, struct response *rs)
{
	struct confirmation ask = {
	    .button = "Delete it", .name = STR("version"), .destroys = true};
	struct written old;
	enum http_status status = find(rq, MAY_DELETE, &old);

	if (status != HTTP_OK)
		return status;
	ask.title = STR_CONCAT(rq->arena, STR("Delete “"), words_title(&old.post), STR("”?"));
	ask.message =
	    STR("It disappears for everybody at once. For 30 days you can have it back from "
		"your desk; then its text is gone. Its address is never used again.");
	ask.action_url = edit_path(rq, &old.post, "/delete");
	ask.cancel_url = edit_path(rq, &old.post, "");
	ask.value = str_fmt(rq->arena, "%" PRId64, old.post.version);
	return confirm(rq, rs, &ask);
}

static enum http_status
delete_post(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct written old;
	struct post post;
	int64_t version;
	enum http_status status = find(rq, MAY_DELETE, &old);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!str_int(input_of(rq, "version"), &version))
		return HTTP_BAD_REQUEST;
	rc = writing_delete(&plan, &old, version, &post);
	return plan_answer(rq, rs, &plan, rc, STR("/desk/deleted"), "deleted");
}

enum http_status
ask_to_undelete(struct request *rq, struct response *rs, const struct written *old)
{
	struct confirmation ask = {.button = "Restore", .cancel_url = STR("/desk")};

	if (!written_kept(old, rq->now))
		return HTTP_GONE;
	ask.title = STR_CONCAT(rq->arena, STR("“"), words_title(&old->post), STR("” is deleted"));
	ask.message = STR_CONCAT(rq->arena, STR("You can have it back, as it was, until "),
	    words_date(rq, old->post.deleted + DELETED_KEPT_MS), STR("."));
	ask.action_url = edit_path(rq, &old->post, "/undelete");
	return confirm(rq, rs, &ask);
}

static enum http_status
undelete(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct written old;
	struct post post;
	enum http_status status = find(rq, MAY_RESTORE, &old);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = writing_undelete(&plan, &old, &post);
	return plan_answer(rq, rs, &plan, rc, edit_path(rq, &old.post, ""), "restored");
}

/* Accepting is one's own decision, so it is not in the staff's log. */
static enum http_status
accept_request(struct request *rq, struct response *rs)
{
	const struct user *user = &rq->viewer->user;
	const struct coauthor who = {user->username, user->display_name};
	struct plan plan = plan_of(rq);
	struct written old;
	struct post post;
	enum http_status status = find(rq, MAY_ACCEPT, &old);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = writing_accept(&plan, &old, &who, &post);
	return plan_answer(rq, rs, &plan, rc, STR("/desk"), "accepted");
}

static enum http_status
step_back(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct written old;
	struct post post;
	enum http_status status = find(rq, MAY_STEP_BACK, &old);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = writing_step_back(&plan, &old, rq->viewer->user.username, &post);
	return plan_answer(rq, rs, &plan, rc, STR("/desk"),
	    post_asks(&old.post, rq->viewer->user.username) ? "declined" : "left");
}

PAGE(write_kinds, .get = choose_kind)
PAGE(delete, .get = confirm_delete, .post = delete_post)
PAGE(undelete, .post = undelete)
PAGE(accept, .post = accept_request)
PAGE(step_back, .post = step_back)
