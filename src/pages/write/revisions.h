#ifndef PAGES_WRITE_REVISIONS_H
#define PAGES_WRITE_REVISIONS_H

#include "model/post/post.h"
#include "pages/shared/layout.h"

/* What pages about the revisions of a post share. */

/* "/revisions/<id>" */
struct str revisions_path(struct arena *arena, const struct post *post);

/* From the front page to the post, and to its list of revisions when `deep`. */
struct breadcrumbs revisions_trail(struct request *rq, const struct post *post, bool deep);

#endif
