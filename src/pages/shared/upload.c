#include "pages/shared/upload.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/site/rate.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/shared/words.h"
#include "web/http/refusal.h"
#include "web/media/drawing.h"
#include "web/media/media_store.h"

enum {
	BUDGET_MS = 30 * 1000, /* time for one form; the rest has to be sent again */
	RETRY_SECONDS = 5,
	CHARGE_MS = 250, /* of work on a refused file count as one more picture */
	MB = 1024 * 1024,
};

/*
 * Pictures of one person in RATE_WINDOW_SECONDS, and portraits in a day, as everybody may send these and each is kept for as
 * long; refused ones count as well, since they cause work.
 */
enum { UPLOADS_IN_A_WINDOW = 100, PORTRAITS_A_DAY = 20 };

static const char *
too_large_a_drawing(struct arena *arena)
{
	return str_fmt(arena,
	    "has more than an SVG may have: %d KB, %.*s elements with all copies, %.*s uses, clips and masks, %d of these "
	    "within each other, %d levels of nesting.",
	    DRAWING_BYTES_MAX / 1024, STR_ARGS(words_number(arena, DRAWING_ELEMENTS_MAX)),
	    STR_ARGS(words_number(arena, DRAWING_COPIES_MAX)), DRAWING_COPIES_DEEP, DRAWING_DEPTH_MAX)
	    .base;
}

static const char *
too_often(struct arena *arena, enum upload_use use)
{
	if (use == UPLOAD_PORTRAIT)
		return str_fmt(arena, "was not kept: %d portraits in a day are the most. Send it again tomorrow.", PORTRAITS_A_DAY)
		    .base;
	return str_fmt(arena, "was not kept: %d pictures in ten minutes are the most. Send it again a little later.",
	    UPLOADS_IN_A_WINDOW)
	    .base;
}

static const char *
too_many_pixels(struct arena *arena)
{
	return str_fmt(arena, "has too many pixels: %d million are the most, and %.*s on a side.",
	    MEDIA_PIXELS_MAX / 1000000, STR_ARGS(words_number(arena, MEDIA_SIDE_MAX)))
	    .base;
}

static const char *
full(struct request *rq)
{
	return str_fmt(rq->arena,
	    "was not kept: one person’s pictures may have %lld MB together, and there is no room for it any more. "
	    "Delete what no post shows.",
	    (long long)rq->settings->pictures_mb)
	    .base;
}

const char *
upload_error(struct request *rq, enum upload_use use, enum media_rc rc)
{
	switch (rc) {
	case MEDIA_DONE: return NULL;
	case MEDIA_EMPTY: return "is empty.";
	case MEDIA_TOO_LARGE:
		return str_fmt(
		    rq->arena, "has more than %zu MB.", media_store_file_max(rq->site->media) / MB)
		    .base;
	case MEDIA_OTHER_TYPE:
		return str_fmt(rq->arena, "is no %s, whatever its name says.", upload_formats(use)).base;
	case MEDIA_DRAWING:
		return "is an SVG: the nameplate may be one, in the settings of the site, and nothing else. Save it as a PNG.";
	case MEDIA_DRAWING_LARGE: return too_large_a_drawing(rq->arena);
	case MEDIA_DRAWING_BARE:
		return "is an SVG of which nothing can be shown. It needs a viewBox, shapes, and their colours in "
		       "attributes and not in a style sheet: save it as a plain SVG.";
	case MEDIA_DRAWING_ENTITIES: return "is an SVG that declares entities: save it as a plain SVG.";
	case MEDIA_ANIMATED: return "is animated; only still pictures are taken.";
	case MEDIA_TOO_MANY_PIXELS: return too_many_pixels(rq->arena);
	case MEDIA_DAMAGED: return "is damaged: it can’t be read to its end.";
	case MEDIA_TOO_MUCH_WORK: return "takes too much work to read, and was given up.";
	case MEDIA_FULL: return full(rq);
	case MEDIA_NO_ROOM: return "was not kept: the disk is full. Whoever runs this site has to know.";
	case MEDIA_BUSY: return "was not kept: too many pictures came at once. Send it again in a moment.";
	case MEDIA_TOO_OFTEN: return too_often(rq->arena, use);
	case MEDIA_BROKEN:
	case MEDIA_TABLE: break;
	}
	return "was not kept: something is broken here. Nothing is wrong with it.";
}

const char *
upload_formats(enum upload_use use)
{
	return use == UPLOAD_NAMEPLATE ? "SVG, JPEG, PNG or WebP" : "JPEG, PNG or WebP";
}

struct str
upload_accept(struct request *rq, enum upload_use use)
{
	struct str types[MEDIA_FORMATS];
	size_t count = 0;

	for (enum media_format format = 0; format < MEDIA_FORMATS; format++)
		if (media_is_picture(format) || use == UPLOAD_NAMEPLATE)
			types[count++] = str_of(media_type(format));
	return str_join(rq->arena, types, count, STR(","));
}

struct str
upload_missing(const struct request *rq)
{
	return media_store_ready(rq->site->media)
		   ? STR("")
		   : STR("Pictures can’t be uploaded here: the program that makes them smaller is not installed.");
}

/* A file of the form; an empty file input comes without a name and without bytes. */
static bool
is_sent(const struct part *part)
{
	return part->file && str_eq(part->name, STR("files")) &&
	       (part->filename.len != 0 || part->content.len != 0);
}

static struct rate
upload_rate(const struct request *rq, enum upload_use use)
{
	if (use == UPLOAD_PORTRAIT)
		return (struct rate){STR("portrait"), rq->viewer->user.username, PORTRAITS_A_DAY,
		    .window = RATE_DAY_SECONDS};
	return (struct rate){STR("upload"), rq->viewer->user.username, UPLOADS_IN_A_WINDOW};
}

/* Counts one more picture of the person. False: there are too many, or it can't be counted. */
static bool
is_in_turn(struct request *rq, enum upload_use use, struct upload_batch *batch, struct upload_sent *sent)
{
	const struct rate rate = upload_rate(rq, use);
	enum table_rc rc = TABLE_CONDITION;

	if (batch->wait == 0)
		rc = rate_take(rq->table, &rq->call, &rate, 1, rq->now, &batch->wait);
	sent->rc = rc == TABLE_CONDITION ? MEDIA_TOO_OFTEN : MEDIA_TABLE;
	if (rc != TABLE_OK && rc != TABLE_CONDITION)
		batch->failed = rc;
	return rc == TABLE_OK;
}

/* Work on a file that was refused counts by its time, since nobody has any use of it. */
static void
charge(struct request *rq, enum upload_use use, int64_t work_ms)
{
	const struct rate rate = upload_rate(rq, use);

	if (work_ms >= CHARGE_MS)
		(void)rate_charge(rq->table, &rq->call, &rate, work_ms / CHARGE_MS, rq->now);
}

void
upload_take(struct request *rq, enum upload_use use, struct upload_batch *batch)
{
	int64_t until = clock_monotonic(rq->clock) + BUDGET_MS;

	*batch = (struct upload_batch){
	    .sent = ARENA_ARRAY(rq->arena, rq->inputs.count, struct upload_sent)};
	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *part = &rq->inputs.parts[i];
		struct upload_sent *sent = &batch->sent[batch->count];
		int64_t work_ms = 0;
		/* A millisecond apart, so that the list has them in the form's order. */
		const struct media_upload upload = {.owner = rq->viewer->user.username,
		    .key = rq->site->picture_key,
		    .name = part->filename,
		    .bytes = part->content,
		    .now = rq->now + (int64_t)batch->count,
		    .portrait = use == UPLOAD_PORTRAIT,
		    .drawing = use == UPLOAD_NAMEPLATE,
		    .most = use == UPLOAD_PORTRAIT ? 0 : rq->settings->pictures_mb * MB,
		    .work_ms = &work_ms};
		enum table_rc failed = TABLE_OK;

		if (!is_sent(part) || (use != UPLOAD_FOR_POSTS && batch->count != 0))
			continue;
		batch->count++;
		sent->name =
		    part->filename.len != 0 ? part->filename : STR("A file without a name");
		sent->rc = MEDIA_BUSY;
		if (clock_monotonic(rq->clock) < until && is_in_turn(rq, use, batch, sent))
			sent->rc = media_store_add(
			    rq->site->media, rq->table, &rq->call, &upload, &sent->media, &failed);
		if (sent->rc != MEDIA_DONE)
			charge(rq, use, work_ms);
		batch->good += sent->rc == MEDIA_DONE;
		if (failed != TABLE_OK)
			batch->failed = failed;
	}
}

/* The status of the whole answer: HTTP_OK when every file was accepted. */
static enum http_status
status_of_batch(const struct upload_batch *batch)
{
	if (batch->failed != TABLE_OK)
		return status_of(batch->failed);
	if (batch->wait != 0)
		return HTTP_TOO_MANY;
	for (size_t i = 0; i < batch->count; i++)
		switch (batch->sent[i].rc) {
		case MEDIA_NO_ROOM:
		case MEDIA_BUSY:
		case MEDIA_BROKEN: return HTTP_UNAVAILABLE;
		default: break;
		}
	return batch->count != 0 && batch->good == batch->count ? HTTP_OK : HTTP_UNPROCESSABLE;
}

/* The reason for the log; NULL if it was the table. */
static const char *
why_not(const struct upload_batch *batch)
{
	if (batch->failed != TABLE_OK)
		return NULL;
	for (size_t i = 0; i < batch->count; i++)
		switch (batch->sent[i].rc) {
		case MEDIA_NO_ROOM: return "pictures: no space is left on the disk";
		case MEDIA_BROKEN: return "pictures: one could not be made smaller or kept";
		default: break;
		}
	return "pictures: too many at once";
}

enum http_status
upload_status(struct response *rs, const struct upload_batch *batch)
{
	enum http_status status = status_of_batch(batch);

	if (status == HTTP_UNAVAILABLE) {
		rs->retry_after = RETRY_SECONDS;
		rs->why = why_not(batch);
	}
	if (status == HTTP_TOO_MANY)
		rs->retry_after = batch->wait;
	return status;
}

size_t
upload_body_max(void)
{
	return (size_t)32 * 1024 * 1024;
}
