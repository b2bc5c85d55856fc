#ifndef PAGES_SHARED_FOLLOWED_H
#define PAGES_SHARED_FOLLOWED_H

#include "model/permission.h"
#include "web/http/request.h"

/*
 * May the viewer do this to a post? Whether they follow its author is read where that may decide,
 * which takes a round trip; also for one that does not exist (NULL), so that it takes as long as a
 * hidden one. HTTP_OK, HTTP_NOT_FOUND, or how the read failed. *followed, unless NULL, is whether
 * they do, false if it was not read.
 */
enum http_status followed_check(
    struct request *rq, enum action action, const struct post *post, bool *followed);

#endif
