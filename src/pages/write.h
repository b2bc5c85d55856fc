#ifndef PAGES_WRITE_H
#define PAGES_WRITE_H

#include "model/writing.h"
#include "web/dispatch.h"

/* What the pages of writing share. */

/* Where and by whom it is written in this request. */
struct writings writings_of(struct request *rq);

/*
 * The post that a route names with ":id", by its answered reads: HTTP_OK, or HTTP_NOT_FOUND for whom it
 * may not be known to, HTTP_FORBIDDEN for whom `action` is not allowed.
 */
enum http_status write_find(
    struct request *rq, const struct read *reads, enum action action, struct written *out);

/* How a change of state ended, when it was not done: for pages that have no form to show again. */
enum http_status write_failure(enum writing_rc rc, const struct writings *w);

/* The page that offers to have a deleted post back. */
enum http_status page_undelete_ask(
    struct request *rq, struct response *rs, const struct written *old);

#endif
