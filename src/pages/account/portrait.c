/*
 * POST /account/portrait: one's portrait, a file or one of one's own pictures, or none any more. It has a form of its own beside
 * that of the profile, so that whatever becomes of a file nothing typed is lost, and whoever has to sign in first chooses it anew.
 */
#include "pages/account/account.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/portrait.h"
#include "model/viewer.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/upload.h"
#include "text/view.h"
#include "web/http/asset.h"
#include "web/session/csrf.h"

enum { MB = 1024 * 1024 };

VIEW_FIELDS(portrait_view, STRING(src), STRING(elsewhere), STRING(hint), STRING(missing),
    STRING(error), STRING(token), STRING(script_url), VIEW(chooser, covers_view))

size_t
portrait_reads(struct request *rq, struct read *read)
{
	if (!may(rq->viewer, MAY_WRITE, NO_THING))
		return 0;
	*read = covers_read(rq);
	return 1;
}

void
portrait_fill(struct request *rq, struct response *rs, const struct read *pictures,
    struct str error, struct portrait_view *out)
{
	const struct user *user = &rq->viewer->user;
	const struct field_view nothing = {.error = error};

	*out = (struct portrait_view){.error = error,
	    .src = portrait_of(rq->arena, rq->site->origin, user),
	    .token = csrf_token(rq, rs),
	    .script_url = asset_url(rq->site->assets, STR("portrait.js"))};
	covers_fill(rq, &nothing, pictures, &out->chooser);
	if (out->src.len == 0 && user->avatar_url.len != 0)
		out->elsewhere = STR_CONCAT(rq->arena, STR("Yours is at "), user->avatar_url,
		    STR(", and not shown any more: whoever reads would call that server. Upload it "
			"here, if you may."));
	if (!media_store_ready(rq->site->media))
		out->missing = STR("Pictures can’t be uploaded here: the program that makes them "
				   "smaller is not installed.");
	else
		out->hint = str_fmt(rq->arena,
		    "JPEG, PNG or WebP, up to %zu MB. It is made smaller, what the camera wrote "
		    "into it is taken out, and its middle is shown as a square.",
		    media_store_file_max(rq->site->media) / MB);
}

/* The form again, which says why not. */
static enum http_status
again(struct request *rq, struct response *rs, struct str error, enum http_status why)
{
	return response_form_again(rs, account_show_portrait(rq, rs, error), why);
}

static enum http_status
change(struct request *rq, struct response *rs, const struct media *media)
{
	struct plan plan = plan_of(rq);
	enum restricted profile = account_held(rq, &plan, STR(""));
	enum plan_rc rc = portrait_set(&plan, &rq->viewer->user, media, profile);

	if (rc == PLAN_NOT_THERE)
		return again(rq, rs, STR("The picture was taken away meanwhile. Choose it again."),
		    HTTP_UNPROCESSABLE);
	return plan_answer(
	    rq, rs, &plan, rc, STR("/account"), media != NULL ? "portrait" : "no-portrait");
}

/* One of their own pictures, by its address. */
static enum http_status
choose(struct request *rq, struct response *rs, struct str url)
{
	struct media_address address;
	struct read read = {.kind = READ_GET};
	struct media media;
	enum http_status status;

	if (!media_address_read(url, rq->site->origin, &address))
		return again(
		    rq, rs, STR("Choose a picture: none came with the form."), HTTP_UNPROCESSABLE);
	read.key = key_media(rq->arena, address.hash);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.item != NULL)
		media_from_item(rq->arena, read.item, &media);
	if (read.item == NULL || !str_eq(media.owner, rq->viewer->user.username))
		return again(rq, rs, STR("This picture is not there any more. Choose another one."),
		    HTTP_UNPROCESSABLE);
	return change(rq, rs, &media);
}

static enum http_status
take(struct request *rq, struct response *rs)
{
	struct upload_batch batch;
	/* The settings have what a picture is held to, and a profile that waits. */
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (str_eq(input_of(rq, "do"), STR("remove")))
		return change(rq, rs, NULL);
	upload_take(rq, true, &batch);
	if (batch.count == 0)
		return choose(rq, rs, input_of(rq, "picture"));
	status = upload_status(rs, &batch);
	if (status == HTTP_OK)
		return change(rq, rs, &batch.sent[0].media);
	if (batch.failed != TABLE_OK)
		return status;
	return again(rq, rs,
	    STR_CONCAT(rq->arena, batch.sent[0].name, STR(" "),
		str_of(upload_error(rq, true, batch.sent[0].rc))),
	    status);
}

PAGE(portrait, .get = account_show, .post = take, .query = QUERY("done"),
    .body_max = upload_body_max)
