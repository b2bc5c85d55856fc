/* /account/bookmark/<post>: the tags of one's own on a bookmark. */
#include "model/reader/bookmark.h"

#include "base/arena.h"
#include "model/post/tag.h"
#include "model/reader/reaction.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "text/template.h"
#include "text/url.h"

struct bookmark_form {
	struct str tags;
};

static const struct field bookmark_fields[] = {
    {FIELD_LINE(struct bookmark_form, tags), .label = "Tags", .max = 500,
	.hint = "With commas between them, ten at most. Nobody else sees them."},
};
static const struct form bookmark_form =
    FORM("bookmark", struct bookmark_form, bookmark_fields, .button = "Save the tags");

struct bookmark_view {
	struct layout_view layout;
	struct str title, url, collect_url;
	struct form_view form;
};

VIEW_FIELDS(bookmark_view, VIEW(layout, layout_view), STRING(title), STRING(url),
    STRING(collect_url), VIEW(form, form_view))
TEMPLATE(bookmark_template, "bookmark", bookmark_view)

/* HTTP_OK when it is among their bookmarks. The post itself is not asked: they may not see it any more. */
static enum http_status
load(struct request *rq, struct read *bookmark)
{
	struct str id = request_param(rq, "id");
	enum http_status status;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	*bookmark = reaction_read(rq->arena, rq->viewer->user.username, id, REACTION_BOOKMARK);
	status = page_read(rq, bookmark, 1);
	return status == HTTP_OK && bookmark->item == NULL ? HTTP_NOT_FOUND : status;
}

static struct str
joined(struct arena *arena, const struct strings_value *tags)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < tags->count; i++) {
		if (i > 0)
			BUF_PUT(&out, ", ");
		buf_put(&out, tags->strings[i]);
	}
	return buf_str(&out);
}

static enum http_status
show_with(struct request *rq, struct response *rs, const struct item *item)
{
	struct bookmark_view *view = ARENA_NEW(rq->arena, struct bookmark_view);
	struct page_frame frame = {.title = STR("Tags of a bookmark"), .noindex = true};
	struct form_result *result = form_shown(rq, &bookmark_form);
	struct bookmark bookmark;

	bookmark_from_item(rq->arena, item, &bookmark);
	if (!form_was_sent(rq, &bookmark_form))
		form_fill(result, "tags", joined(rq->arena, &bookmark.tags));
	view->title = item_string(item, STR("PostTitle"));
	if (view->title.len == 0)
		view->title = bookmark.post;
	view->url = url_join(rq->arena, STR("/post/"), bookmark.post);
	view->collect_url = STR_CONCAT(
	    rq->arena, url_join(rq->arena, STR("/collect/"), bookmark.post), STR("?move=1"));
	form_view_fill(rq, rs, result, &view->form);
	view->form.action_url = url_join(rq->arena, STR("/account/bookmark/"), bookmark.post);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(bookmark_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct read bookmark;
	enum http_status status = load(rq, &bookmark);

	return status == HTTP_OK ? show_with(rq, rs, bookmark.item) : status;
}

/* False: it says what is wrong. */
static bool
typed_tags(struct request *rq, struct strings_value *tags)
{
	const struct bookmark_form *in = rq->form->values;
	struct str strange;

	*tags = tags_of(rq->arena, &in->tags, 1, &strange);
	if (strange.len != 0)
		form_refuse(rq->form, "tags", "A tag needs a letter or a digit.");
	else if (tags->count > BOOKMARK_TAGS_MAX)
		form_refuse(rq->form, "tags", "Those are more than ten.");
	return rq->form->valid;
}

static enum http_status
save(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct strings_value tags;
	struct read bookmark;
	enum http_status status = load(rq, &bookmark);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!typed_tags(rq, &tags))
		return show_with(rq, rs, bookmark.item);
	rc = bookmark_tag(&plan, bookmark.item, &tags);
	if (rc == PLAN_CHANGED) {
		form_refuse(rq->form, "tags",
		    "You changed them elsewhere meanwhile. Send the form again if these are "
		    "right.");
		return show_with(rq, rs, bookmark.item);
	}
	return plan_answer(rq, rs, &plan, rc, STR("/account/bookmarks"), "tagged");
}

PAGE(bookmark, .get = show, .post = save, .refused = show, .form = &bookmark_form)
