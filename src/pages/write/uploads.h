#ifndef PAGES_WRITE_UPLOADS_H
#define PAGES_WRITE_UPLOADS_H

#include "model/post/media.h"
#include "pages/shared/layout.h"
#include "text/view.h"
#include "web/http/dispatch.h"
#include "web/media/media_store.h"

/* An uploaded picture, on the page of all of one's own and on its own: templates/uploads.mustache. */

/* What one person may send in RATE_WINDOW_SECONDS; what is refused counts, too, as it was work to look at it. */
enum { UPLOADS_IN_A_WINDOW = 100 };

/* What one form may send: several pictures. nginx lets as much through, at this address only. */
size_t upload_body_max(void);

struct upload_view {
	struct str url, name, src, srcset, alt, address, markdown, facts_text, date, date_text,
	    delete_url;
	int64_t width, height;
	LIST_OF(struct link_view) uses; /* posts that the viewer may edit */
	struct str others_text;         /* "2 posts of others"; or empty */
	struct str more_url;            /* where the rest of the posts is; empty: these are all */
};

extern const struct view_type upload_view_type;

/* The read of what uses a picture, for upload_fill(): the first ones, behind which its own page goes on. */
struct read upload_uses(struct request *rq, struct str hash);

/* Fills it; `uses` is the answered read. */
void upload_fill(struct request *rq, const struct media *media, const struct read *uses,
    struct upload_view *out);

/* "![An old harbour](/media/…)": what is copied into a text. */
struct str upload_markdown(struct arena *arena, const struct media *media);

/* What is wrong with an upload, as a sentence that goes with its name; NULL: nothing. */
const char *upload_error(struct request *rq, enum media_rc rc);

#endif
