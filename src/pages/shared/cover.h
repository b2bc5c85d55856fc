#ifndef PAGES_SHARED_COVER_H
#define PAGES_SHARED_COVER_H

#include "pages/shared/form_view.h"
#include "table/table.h"

/* A picture to choose by looking at it: one of one's own, or what the form has. */
struct cover_view {
	struct str url, src, name;
	int64_t width, height; /* 0: not known */
	bool chosen;
};

struct covers_view {
	struct str label, hint, error;
	bool none; /* nothing is chosen */
	LIST_OF(struct cover_view) covers;
};

extern const struct view_type covers_view_type;

/* The newest pictures of the viewer, as many as are shown at once. */
struct read covers_read(struct request *rq);

/*
 * The field as a choice of pictures. `found` is the answered read, or NULL. What the form has comes first, also where it
 * is no picture of the viewer's. Drawings (SVG) are among them where they may be.
 */
void covers_fill(struct request *rq, const struct field_view *field, const struct read *found,
    bool drawings, struct covers_view *out);

#endif
