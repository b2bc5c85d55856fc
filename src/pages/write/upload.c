/* GET /uploads/<hash>: one picture, and page by page all that uses it; POST …/delete: it goes. */
#include "base/arena.h"
#include "model/key.h"
#include "model/site/audit.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/write/uploads.h"
#include "text/template.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { USES_OF_ONE = 50 };

struct one_upload_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, owner_url, token;
	struct upload_view upload;
};

VIEW_FIELDS(one_upload_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(owner_url), STRING(token), VIEW(upload, upload_view))
TEMPLATE(upload_template, "upload", one_upload_view)

/*
 * The picture of the request's address, if its viewer may do this with it; and, in the same round trip, what
 * uses it. To everybody else it is not there.
 */
static enum http_status
find(struct request *rq, enum action action, struct media *media, struct read *uses)
{
	struct str hash = request_param(rq, "hash");
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_media(rq->arena, hash)}, upload_uses(rq, hash)};
	enum http_status status;
	bool newer;

	if (!media_hash_valid(hash))
		return HTTP_NOT_FOUND;
	if (rq->method == METHOD_GET) {
		reads[1].query.limit = USES_OF_ONE;
		if (!list_cursor(rq, &reads[1].query.cursor, &newer))
			return HTTP_BAD_REQUEST;
	}
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	media_from_item(rq->arena, reads[0].item, media);
	*uses = reads[1];
	return may(rq->viewer, action, thing_media(media)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct one_upload_view *view = ARENA_NEW(rq->arena, struct one_upload_view);
	struct page_frame frame = {.noindex = true};
	struct media media;
	struct read uses;
	enum http_status status = find(rq, MAY_READ, &media, &uses);

	if (status != HTTP_OK)
		return status;
	upload_fill(rq, &media, &uses, &view->upload);
	view->upload.more_url = older_url(rq, uses.next);
	view->title = media.name.len != 0 ? media.name : STR("A picture");
	if (!str_eq(media.owner, rq->viewer->user.username))
		view->owner_url = url_join(rq->arena, STR("/author/"), media.owner);
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/desk"), STR("Your desk"));
	breadcrumb(rq, &view->breadcrumbs, STR("/uploads"), STR("Your pictures"));
	view->token = csrf_token(rq, rs);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(upload_template, view));
}

/* "“Foghorns”, “Knots” and 2 posts of others": what the viewer may know of what shows it. */
static struct str
shown_by(struct request *rq, const struct upload_view *upload)
{
	size_t count = upload->uses.count + (upload->others_text.len != 0);
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_put(&out, i + 1 == count ? STR(" and ") : STR(", "));
		if (i < upload->uses.count)
			buf_fmt(&out, "“%.*s”", STR_ARGS(upload->uses.items[i].name));
		else
			buf_put(&out, upload->others_text);
	}
	return buf_str(&out);
}

/* Posts show it, which would have a hole. */
static enum http_status
ask_to_delete(
    struct request *rq, struct response *rs, const struct media *media, const struct read *uses)
{
	struct confirmation ask = {
	    .title = STR("Posts show this picture"), .button = "Delete it anyway", .sure = true};
	struct upload_view upload;

	upload_fill(rq, media, uses, &upload);
	ask.message = STR_CONCAT(rq->arena, STR("It is in "), shown_by(rq, &upload),
	    uses->next.len != 0 ? STR(", and in more, which its page names") : STR(""),
	    STR(". There, its description will stand in its place. It can’t be had back."));
	ask.cancel_url = upload.url;
	ask.action_url = upload.delete_url;
	return confirm(rq, rs, &ask);
}

static enum http_status
delete_upload(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct media media;
	struct read uses;
	enum http_status status = find(rq, MAY_DELETE, &media, &uses);
	enum table_rc rc;

	if (status != HTTP_OK)
		return status;
	if (rq->site->media == NULL)
		return HTTP_NOT_IMPLEMENTED;
	if (uses.found_count != 0 && !confirmed(rq))
		return ask_to_delete(rq, rs, &media, &uses);
	if (!str_eq(media.owner, plan.by))
		audit_log(
		    &plan, AUDIT_MEDIA, media.hash, STR_CONCAT(rq->arena, STR("of "), media.owner));
	rc = media_store_remove(rq->site->media, &plan, &media);
	if (rc != TABLE_OK)
		return status_of(rc);
	return redirect_done(rq, rs, STR("/uploads"), "deleted");
}

PAGE(upload, .get = show, .query = QUERY("after"))
PAGE(upload_delete, .post = delete_upload)
