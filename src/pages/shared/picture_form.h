#ifndef PAGES_SHARED_PICTURE_FORM_H
#define PAGES_SHARED_PICTURE_FORM_H

#include "pages/shared/cover.h"
#include "pages/shared/upload.h"

/*
 * A form that sends one picture, or chooses one of one's own by looking at them, or takes it away: the portrait, the
 * cover of one's page, the nameplate. It stands beside forms of text, so that whatever becomes of a file nothing typed
 * is lost; static/broadsheet.js sends it at once.
 */
struct picture_form_view {
	struct str id, heading, action_url;
	struct str src, alt, shown_as; /* what there is now, and the class of the image; src empty: there is nothing */
	int64_t width, height;         /* as it is shown */
	struct str elsewhere;          /* what is said of an address elsewhere */
	struct str label, hint, accept, missing, error, token;
	int64_t description_max;       /* characters of what it shows; 0: it has no field for that */
	struct str description;
	struct str save_label, remove_label; /* save_label empty: it can be removed only */
	struct covers_view chooser; /* one's own pictures, of who may upload others */
};
extern const struct view_type picture_form_view_type;

/* What is the same for all of them; the rest is set by the caller. `pictures` is an answered covers_read(), or NULL. */
void picture_form_fill(struct request *rq, struct response *rs, enum upload_use use,
    const struct read *pictures, struct str error, struct picture_form_view *out);

/* Why not, when it was deleted before it could be saved. */
extern const struct str picture_form_gone;

/* The file that was sent and not taken, with the reason: "a.png is empty." */
struct str picture_form_error(struct request *rq, enum upload_use use, const struct upload_batch *batch);

/*
 * The picture of one's own that was chosen for this use. HTTP_OK, and *error says why it is none, or is empty: then
 * *out has it. In a round trip of its own.
 */
enum http_status picture_form_chosen(
    struct request *rq, enum upload_use use, struct media *out, struct str *error);

#endif
