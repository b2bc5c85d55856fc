#include "pages/shared/picture_form.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/viewer.h"
#include "pages/shared/publication.h"
#include "text/view.h"
#include "web/session/csrf.h"

VIEW_FIELDS(picture_form_view, STRING(id), STRING(heading), STRING(action_url), STRING(src), STRING(alt), STRING(shown_as),
    NUMBER(width), NUMBER(height), STRING(elsewhere), STRING(label), STRING(hint), STRING(accept), STRING(missing),
    STRING(error), STRING(token), NUMBER(description_max), STRING(description), STRING(save_label),
    STRING(remove_label), VIEW(chooser, covers_view))

void
picture_form_fill(struct request *rq, struct response *rs, enum upload_use use,
    const struct read *pictures, struct str error, struct picture_form_view *out)
{
	enum { MB = 1024 * 1024 };
	const struct field_view nothing = {.error = error};
	*out = (struct picture_form_view){.error = error,
	    .accept = upload_accept(rq, use),
	    .missing = upload_missing(rq),
	    .token = csrf_token(rq, rs),
	    .save_label = STR("Use this picture")};
	covers_fill(rq, &nothing, pictures, use == UPLOAD_NAMEPLATE, &out->chooser);
	if (out->missing.len == 0)
		out->hint = str_fmt(rq->arena, "%s, up to %zu MB.", upload_formats(use),
		    media_store_file_max(rq->site->media) / MB);
}

const struct str picture_form_gone = STR_INIT("The picture was deleted meanwhile. Choose another one.");

struct str
picture_form_error(struct request *rq, enum upload_use use, const struct upload_batch *batch)
{
	return STR_CONCAT(rq->arena, batch->sent[0].name, STR(" "),
	    str_of(upload_error(rq, use, batch->sent[0].rc)));
}

enum http_status
picture_form_chosen(
    struct request *rq, enum upload_use use, struct media *out, struct str *error)
{
	struct read read = {.kind = READ_GET};
	struct media_address address;
	enum http_status status;

	*error = STR("Choose a picture: none came with the form.");
	if (!media_address_read(input_of(rq, "picture"), rq->site->origin, &address))
		return HTTP_OK;
	read.key = key_media(rq->arena, address.hash);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	*error = STR("This picture is not there any more. Choose another one.");
	if (read.item == NULL)
		return HTTP_OK;
	media_from_item(rq->arena, read.item, out);
	if (!str_eq(out->owner, rq->viewer->user.username))
		return HTTP_OK;
	*error = STR("");
	if (!media_is_picture(out->format) && use != UPLOAD_NAMEPLATE)
		*error = STR(MEDIA_NO_PICTURE " Choose another picture.");
	if (out->portrait && use != UPLOAD_PORTRAIT)
		*error = STR("This is a portrait, and goes with the next one. Choose another picture.");
	return HTTP_OK;
}
