#ifndef PAGES_DONE_H
#define PAGES_DONE_H

#include "web/http/dispatch.h"

/*
 * Messages after something was done: shown by the page to which the redirect leads, whose address
 * has `?done=`.
 */

/*
 * Redirects to a page with a message: `what` is its name in the table of done.c for pages of that
 * path.
 */
enum http_status redirect_done(
    struct request *rq, struct response *rs, struct str path, const char *what);

/* The message for the page's address; NULL: none. */
const char *done_says(const struct request *rq);

#endif
