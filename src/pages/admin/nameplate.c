/*
 * POST /admin/nameplate: the picture in place of the site's name, a file, which may be an SVG, or one of one's own
 * pictures, or none any more. Its form stands on the page of the settings.
 */
#include "pages/admin/admin.h"

#include "base/arena.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

struct picture_form_view *
admin_nameplate(struct request *rq, struct response *rs, const struct read *pictures, struct str error)
{
	struct picture_form_view *view = ARENA_NEW(rq->arena, struct picture_form_view);
	struct media_address address;

	picture_form_fill(rq, rs, UPLOAD_NAMEPLATE, pictures, error, view);
	view->id = STR("nameplate");
	view->heading = STR("Nameplate");
	view->action_url = STR("/admin/nameplate");
	view->alt = rq->settings->name;
	view->shown_as = STR("plate");
	if (media_address_read(rq->settings->nameplate, STR(""), &address)) {
		view->src = rq->settings->nameplate;
		view->width = address.size.width;
		view->height = address.size.height;
	}
	view->label = STR("A picture in place of the name, at the head of every page");
	view->remove_label = STR("Show the name instead");
	if (view->hint.len != 0)
		view->hint = STR_CONCAT(rq->arena, view->hint,
		    STR(" It has to be readable on light and on dark backgrounds. Of an SVG only shapes, text, gradients, clip "
			"paths and masks are kept; pictures, filters and scripts are removed. An SVG cannot be used in posts."));
	return view;
}

static enum http_status
again(struct request *rq, struct response *rs, struct str error, enum http_status why)
{
	return response_form_again(rs, admin_settings_show(rq, rs, error), why);
}

static enum http_status
change(struct request *rq, struct response *rs, const struct media *media)
{
	struct plan plan = plan_of_staff(rq);
	struct str url = STR("");
	enum plan_rc rc;

	if (media != NULL) {
		const struct media_address address = media_address_of(media);

		url = media_path(rq->arena, &address);
	}
	rc = settings_save_nameplate(&plan, url);
	if (rc == PLAN_NOT_THERE)
		return again(rq, rs, picture_form_gone, HTTP_UNPROCESSABLE);
	return plan_answer(
	    rq, rs, &plan, rc, STR("/admin/settings"), media != NULL ? "nameplate" : "no-nameplate");
}

static enum http_status
take(struct request *rq, struct response *rs)
{
	struct upload_batch batch;
	struct media media;
	struct str error;
	/* The settings have what a picture is held to. */
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (str_eq(input_of(rq, "do"), STR("remove")))
		return change(rq, rs, NULL);
	upload_take(rq, UPLOAD_NAMEPLATE, &batch);
	if (batch.count == 0) {
		status = picture_form_chosen(rq, UPLOAD_NAMEPLATE, &media, &error);
		if (status != HTTP_OK)
			return status;
		return error.len != 0 ? again(rq, rs, error, HTTP_UNPROCESSABLE) : change(rq, rs, &media);
	}
	status = upload_status(rs, &batch);
	if (status == HTTP_OK)
		return change(rq, rs, &batch.sent[0].media);
	if (batch.failed != TABLE_OK)
		return status;
	return again(rq, rs, picture_form_error(rq, UPLOAD_NAMEPLATE, &batch), status);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	return admin_settings_show(rq, rs, STR(""));
}

PAGE(admin_nameplate, .get = show, .post = take, .body_max = upload_body_max)
