#ifndef PAGES_WRITE_REVISIONS_H
#define PAGES_WRITE_REVISIONS_H

#include "model/post/post.h"
#include "pages/shared/layout.h"

/* What pages behind a post share. */

/*
 * The post that somebody wants to look behind, from the answered read of its head: HTTP_OK when they may
 * edit it, else 404: nobody else is to know that it is there.
 */
enum http_status revised_post(struct request *rq, const struct read *head, struct post *out);

/* "/revisions/<id>" */
struct str revisions_path(struct arena *arena, const struct post *post);

/* From the front page to the post, and to its list of revisions when `deep`. */
struct breadcrumbs revisions_trail(struct request *rq, const struct post *post, bool deep);

#endif
