/*
 * POST /account/portrait: one's portrait, or the cover of one's page: a file or one of one's own pictures, or none any
 * more. Each has a form of its own beside that of the profile, so that whatever becomes of a file nothing typed is
 * lost, and whoever has to sign in first chooses it anew. Everybody may have a portrait; who may write has a cover,
 * which is one of their pictures like others, and who may not any more can remove theirs.
 */
#include "pages/account/account.h"

#include "base/arena.h"
#include "model/people/portrait.h"
#include "model/text_rule.h"
#include "model/viewer.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/upload.h"
#include "web/form/form_text.h"

/* Is it the cover that was sent? */
static bool
sends_cover(const struct request *rq)
{
	return str_eq(request_query(rq, "which"), STR("cover"));
}

/* What the cover shows, as it was typed. */
static struct str
typed_alt(const struct request *rq)
{
	return str_trim(input_of(rq, "alt"));
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
fill_portrait(struct request *rq, struct picture_form_view *out)
{
	const struct user *user = &rq->viewer->user;

	out->id = STR("portrait");
	out->heading = out->alt = STR("Your portrait");
	out->action_url = STR("/account/portrait");
	out->shown_as = STR("avatar");
	out->label = STR("A picture of you");
	out->remove_label = STR("Remove the portrait");
	out->src = portrait_of(rq->arena, rq->site->origin, user);
	out->width = out->height = 96;
	if (out->src.len == 0 && user->avatar_url.len != 0)
		out->elsewhere = STR_CONCAT(rq->arena, STR("Yours is at "), user->avatar_url,
		    STR(", and not shown any more: whoever reads would call that server. Upload it "
			"here, if you may."));
}

static void
fill_cover(struct request *rq, bool sent, struct picture_form_view *out)
{
	const struct user *user = &rq->viewer->user;
	const struct image_view *shown =
	    image_of(rq->arena, &(const struct image){.url = user->cover_url});

	out->id = out->shown_as = STR("cover");
	out->heading = STR("The cover of your page");
	out->action_url = STR("/account/portrait?which=cover");
	out->label = STR("A wide picture");
	out->remove_label = STR("Remove the cover");
	if (may(rq->viewer, MAY_WRITE, NO_THING)) {
		out->description_max = MEDIA_ALT_MAX;
		out->save_label = STR("Save the cover");
	} else {
		out->missing = STR("You don’t write here any more: you can remove it, but choose no other one.");
		out->hint = out->save_label = STR("");
	}
	out->description = sent ? input_of(rq, "alt") : user->cover_alt;
	out->alt = out->description.len != 0 ? out->description : out->heading;
	if (shown == NULL)
		return;
	out->src = shown->src;
	out->width = shown->width;
	out->height = shown->height;
}

size_t
portraits_fill(struct request *rq, struct response *rs, const struct read *pictures,
    struct str error, struct picture_form_view out[PORTRAITS])
{
	bool has_cover = rq->viewer->user.cover_url.len != 0;
	size_t count = has_cover || may(rq->viewer, MAY_WRITE, NO_THING) ? PORTRAITS : 1;
	bool cover = sends_cover(rq);

	for (size_t i = 0; i < count; i++) {
		picture_form_fill(rq, rs, i == 0 ? UPLOAD_PORTRAIT : UPLOAD_COVER, pictures,
		    cover == (i != 0) ? error : STR(""), &out[i]);
		if (i == 0)
			fill_portrait(rq, &out[i]);
		else
			fill_cover(rq, cover && error.len != 0, &out[i]);
		if (out[i].hint.len != 0)
			out[i].hint = STR_CONCAT(rq->arena, out[i].hint,
			    STR(" It is made smaller, what the camera wrote into it is taken out, and its middle "),
			    i == 0 ? STR("is shown as a square.") : STR("stands at the head of your page."));
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
	return cover_set(plan, user, url, typed_alt(rq), profile);
}

/* How the profile is shown then. What is as it was is not judged anew. */
static enum restricted
held(struct request *rq, struct plan *plan, const struct media *media, bool none)
{
	const struct user *was = &rq->viewer->user;
	bool described = sends_cover(rq) && !none;
	bool same = str_eq(typed_alt(rq), was->cover_alt);

	if (described && same && media == NULL)
		return was->profile;
	return account_held(rq, plan, described && !same ? typed_alt(rq) : STR(""));
}

/* What was chosen takes the place of what was there; NULL and `none`: it is removed. */
static enum http_status
change(struct request *rq, struct response *rs, const struct media *media, bool none)
{
	struct plan plan = plan_of(rq);
	bool cover = sends_cover(rq);
	enum restricted profile = held(rq, &plan, media, none);
	const char *done;
	enum plan_rc rc = cover ? change_cover(rq, &plan, media, none, profile, &done)
				: change_portrait(&plan, media, profile, &rq->viewer->user, &done);

	if (rc == PLAN_NOT_THERE)
		return again(rq, rs, picture_form_gone, HTTP_UNPROCESSABLE);
	return plan_answer(rq, rs, &plan, rc, STR("/account"), done);
}

/* One of their own pictures; or the cover stays, in other words. */
static enum http_status
choose(struct request *rq, struct response *rs)
{
	struct media media;
	struct str error;
	enum http_status status;

	if (input_of(rq, "picture").len == 0 && sends_cover(rq) && rq->viewer->user.cover_url.len != 0)
		return change(rq, rs, NULL, false);
	status = picture_form_chosen(
	    rq, sends_cover(rq) ? UPLOAD_COVER : UPLOAD_PORTRAIT, &media, &error);
	if (status != HTTP_OK)
		return status;
	return error.len != 0 ? again(rq, rs, error, HTTP_UNPROCESSABLE) : change(rq, rs, &media, false);
}

static enum http_status
take(struct request *rq, struct response *rs)
{
	struct upload_batch batch;
	/* The settings have what a picture is held to, and a profile that waits. */
	enum http_status status = page_read(rq, NULL, 0);
	bool cover = sends_cover(rq);
	enum upload_use use = cover ? UPLOAD_COVER : UPLOAD_PORTRAIT;

	if (status != HTTP_OK)
		return status;
	if (str_eq(input_of(rq, "do"), STR("remove")))
		return change(rq, rs, NULL, true);
	if (cover && !may(rq->viewer, MAY_WRITE, NO_THING))
		return HTTP_FORBIDDEN;
	if (cover && (text_length(typed_alt(rq)) > MEDIA_ALT_MAX || !text_keeps(TEXT_LINE, typed_alt(rq))))
		return again(rq, rs,
		    str_fmt(rq->arena, "Say what it shows in one line, and not more than %d characters.", MEDIA_ALT_MAX),
		    HTTP_UNPROCESSABLE);
	upload_take(rq, use, &batch);
	if (batch.count == 0)
		return choose(rq, rs);
	status = upload_status(rs, &batch);
	if (status == HTTP_OK)
		return change(rq, rs, &batch.sent[0].media, false);
	if (batch.failed != TABLE_OK)
		return status;
	return again(rq, rs, picture_form_error(rq, use, &batch), status);
}

PAGE(portrait, .get = account_show, .post = take, .query = QUERY("done", "which"),
    .body_max = upload_body_max)
