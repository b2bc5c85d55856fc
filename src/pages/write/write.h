#ifndef PAGES_WRITE_WRITE_H
#define PAGES_WRITE_WRITE_H

#include "model/post/writing.h"
#include "pages/shared/plan.h"
#include "web/http/dispatch.h"

/* What the pages of writing share. */

/* Does the address of a request name what can be no post? An id is a slug: anything else may be longer than a key. */
bool write_nowhere(const struct request *rq);

/*
 * The post that a route names with ":id", by its answered reads: HTTP_OK, or HTTP_NOT_FOUND for whom it
 * may not be known to, HTTP_FORBIDDEN for whom `action` is not allowed.
 */
enum http_status write_find(
    struct request *rq, const struct read *reads, enum action action, struct written *out);

/* The page that offers to restore a deleted post. */
enum http_status ask_to_undelete(
    struct request *rq, struct response *rs, const struct written *old);

#endif
