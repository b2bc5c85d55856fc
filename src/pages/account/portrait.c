/*
 * POST /account/portrait: one's portrait, or the cover of one's page: a file or one of one's own pictures, or none any more. Each has a
 * form of its own beside that of the profile, so that whatever becomes of a file nothing typed is lost, and whoever has to sign in first
 * chooses it anew. Everybody may have a portrait; who may write has a cover, which is one of their pictures like others.
 */
#include "pages/account/account.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/portrait.h"
#include "model/text_rule.h"
#include "model/viewer.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/upload.h"
#include "text/view.h"
#include "web/session/csrf.h"

enum { MB = 1024 * 1024, ALT_MAX = 1000 /* bytes */ };

VIEW_FIELDS(portrait_view, STRING(id), STRING(title), STRING(label), STRING(remove), STRING(src), STRING(elsewhere),
    STRING(hint), STRING(missing), STRING(error), STRING(token), STRING(alt), NUMBER(width), NUMBER(height),
    FLAG(cover), VIEW(chooser, covers_view))

/* Is it the cover that was sent? */
static bool
sends_cover(const struct request *rq)
{
	return str_eq(request_query(rq, "which"), STR("cover"));
}

size_t
portrait_reads(struct request *rq, struct read *read)
{
	if (!may(rq->viewer, MAY_WRITE, NO_THING))
		return 0;
	*read = covers_read(rq);
	return 1;
}

static void
fill_portrait(struct request *rq, struct portrait_view *out)
{
	const struct user *user = &rq->viewer->user;

	out->id = STR("portrait");
	out->title = STR("Your portrait");
	out->label = STR("A picture of you");
	out->remove = STR("Remove the portrait");
	out->src = portrait_of(rq->arena, rq->site->origin, user);
	out->width = out->height = 96;
	if (out->src.len == 0 && user->avatar_url.len != 0)
		out->elsewhere = STR_CONCAT(rq->arena, STR("Yours is at "), user->avatar_url,
		    STR(", and not shown any more: whoever reads would call that server. Upload it "
			"here, if you may."));
}

static void
fill_cover(struct request *rq, bool sent, struct portrait_view *out)
{
	const struct user *user = &rq->viewer->user;
	const struct image_view *shown =
	    image_of(rq->arena, &(const struct image){.url = user->cover_url});

	out->cover = true;
	out->id = STR("cover");
	out->title = STR("The cover of your page");
	out->label = STR("A wide picture");
	out->remove = STR("Remove the cover");
	out->alt = sent ? input_of(rq, "alt") : user->cover_alt;
	if (shown == NULL)
		return;
	out->src = shown->src;
	out->width = shown->width;
	out->height = shown->height;
}

/* Where a file can be sent at all: what it is held to. */
static void
fill_hint(struct request *rq, struct portrait_view *out)
{
	if (!media_store_ready(rq->site->media)) {
		out->missing = STR("Pictures can’t be uploaded here: the program that makes them "
				   "smaller is not installed.");
		return;
	}
	out->hint = str_fmt(rq->arena,
	    "JPEG, PNG or WebP, up to %zu MB. It is made smaller, what the camera wrote into it is "
	    "taken out, and %s.",
	    media_store_file_max(rq->site->media) / MB,
	    out->cover ? "its middle stands at the head of your page" : "its middle is shown as a square");
}

size_t
portraits_fill(struct request *rq, struct response *rs, const struct read *pictures,
    struct str error, struct portrait_view out[PORTRAITS])
{
	size_t count = may(rq->viewer, MAY_WRITE, NO_THING) ? PORTRAITS : 1;
	bool cover = sends_cover(rq);

	for (size_t i = 0; i < count; i++) {
		const struct field_view field = {.value = STR("")};

		out[i] = (struct portrait_view){.token = csrf_token(rq, rs)};
		if (i == 0)
			fill_portrait(rq, &out[i]);
		else
			fill_cover(rq, cover && error.len != 0, &out[i]);
		if (cover == out[i].cover)
			out[i].error = error;
		fill_hint(rq, &out[i]);
		covers_fill(rq, &field, pictures, &out[i].chooser);
	}
	return count;
}

/* The form again, which says why not. */
static enum http_status
again(struct request *rq, struct response *rs, struct str error, enum http_status why)
{
	return response_form_again(rs, account_show_portrait(rq, rs, error), why);
}

/* Another portrait, or NULL: none. */
static enum plan_rc
change_portrait(struct plan *plan, const struct media *media, enum restricted profile,
    const struct user *user, const char **done)
{
	*done = media != NULL ? "portrait" : "no-portrait";
	return portrait_set(plan, user, media, profile);
}

/* Another cover, the same (`media` NULL) in other words, or none. */
static enum plan_rc
change_cover(struct request *rq, struct plan *plan, const struct media *media, bool none,
    enum restricted profile, const char **done)
{
	const struct user *user = &rq->viewer->user;
	struct str url = none ? STR("") : user->cover_url;
	struct media_address address;

	if (media != NULL) {
		address = media_address_of(media);
		url = media_path(rq->arena, &address);
	}
	*done = none ? "no-cover" : "cover";
	return cover_set(plan, user, url, str_trim(input_of(rq, "alt")), profile);
}

/* What was chosen takes the place of what was there; NULL and `none`: it is removed. */
static enum http_status
change(struct request *rq, struct response *rs, const struct media *media, bool none)
{
	struct plan plan = plan_of(rq);
	bool cover = sends_cover(rq);
	enum restricted profile = account_held(rq, &plan, cover ? input_of(rq, "alt") : STR(""));
	const char *done;
	enum plan_rc rc = cover ? change_cover(rq, &plan, media, none, profile, &done)
				: change_portrait(&plan, media, profile, &rq->viewer->user, &done);

	if (rc == PLAN_NOT_THERE)
		return again(rq, rs, STR("The picture was taken away meanwhile. Choose it again."),
		    HTTP_UNPROCESSABLE);
	return plan_answer(rq, rs, &plan, rc, STR("/account"), done);
}

/* One of their own pictures, by its address. */
static enum http_status
choose(struct request *rq, struct response *rs, struct str url)
{
	struct media_address address;
	struct read read = {.kind = READ_GET};
	struct media media;
	enum http_status status;

	if (url.len == 0 && sends_cover(rq) && rq->viewer->user.cover_url.len != 0)
		return change(rq, rs, NULL, false);
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
	return change(rq, rs, &media, false);
}

static enum http_status
take(struct request *rq, struct response *rs)
{
	struct upload_batch batch;
	/* The settings have what a picture is held to, and a profile that waits. */
	enum http_status status = page_read(rq, NULL, 0);
	bool cover = sends_cover(rq);

	if (status != HTTP_OK)
		return status;
	if (cover && !may(rq->viewer, MAY_WRITE, NO_THING))
		return HTTP_FORBIDDEN;
	if (str_eq(input_of(rq, "do"), STR("remove")))
		return change(rq, rs, NULL, true);
	if (cover && (input_of(rq, "alt").len > ALT_MAX || !text_keeps(TEXT_LINE, input_of(rq, "alt"))))
		return again(rq, rs, STR("Say what it shows in one line, and not more than 300 characters."),
		    HTTP_UNPROCESSABLE);
	upload_take(rq, !cover, &batch);
	if (batch.count == 0)
		return choose(rq, rs, input_of(rq, "picture"));
	status = upload_status(rs, &batch);
	if (status == HTTP_OK)
		return change(rq, rs, &batch.sent[0].media, false);
	if (batch.failed != TABLE_OK)
		return status;
	return again(rq, rs,
	    STR_CONCAT(rq->arena, batch.sent[0].name, STR(" "),
		str_of(upload_error(rq, !cover, batch.sent[0].rc))),
	    status);
}

PAGE(portrait, .get = account_show, .post = take, .query = QUERY("done", "which"),
    .body_max = upload_body_max)
