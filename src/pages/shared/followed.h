#ifndef PAGES_SHARED_FOLLOWED_H
#define PAGES_SHARED_FOLLOWED_H

#include "model/permission.h"
#include "table/table.h"
#include "web/http/request.h"

/*
 * May the viewer do this to a post? Whether they follow its author is read where that may decide,
 * which takes a round trip; also for one that does not exist (NULL), so that it takes as long as a
 * hidden one. HTTP_OK, HTTP_NOT_FOUND, or how the read failed. *followed, unless NULL, is whether
 * they do, false if it was not read.
 */
enum http_status followed_check(
    struct request *rq, enum action action, const struct post *post, bool *followed);

/*
 * In one trip, the heads of the posts that a collection's items name, and whether the viewer follows the authors of those
 * that were for followers when they were added. HTTP_OK and none if there are no items.
 */
enum http_status followed_heads(
    struct request *rq, struct read *list, struct read *heads, struct read *follows);

/* May the viewer read it, who follows whom those follows say? */
bool followed_may_read(struct request *rq, const struct post *post, const struct read *follows);

#endif
