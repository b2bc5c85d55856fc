#ifndef PAGES_WRITE_REVISIONS_H
#define PAGES_WRITE_REVISIONS_H

#include "model/post/revision.h"
#include "pages/shared/layout.h"

/* What the pages of a post's revisions share. */

/*
 * The post that somebody wants to look behind, from the answered read of its head: HTTP_OK when they may
 * edit it, else 404: nobody else is to know that it is there.
 */
enum http_status revised_post(struct request *rq, const struct read *head, struct post *out);

/* "/revisions/<id>", and what lies below it. */
struct str revisions_path(struct arena *arena, const struct post *post);
struct str revision_compare_path(
    struct arena *arena, const struct post *post, int64_t from, int64_t to);

/* From the front page to the post, and to its list of revisions when `deep`. */
struct breadcrumbs revisions_trail(struct request *rq, const struct post *post, bool deep);

/* Who saved it and when, "Ada, 18 November 2026, 09:30 CET". */
struct str revision_made(struct request *rq, const struct revision *revision);

#endif
