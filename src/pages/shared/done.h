#ifndef PAGES_DONE_H
#define PAGES_DONE_H

#include "web/http/dispatch.h"

/* What is said after something was done: the page to which that leads says it, as its address has `?done=`. */

/* Leads to a page that says so: `what` is the name that the table in done.c has for pages of that path. */
enum http_status redirect_done(
    struct request *rq, struct response *rs, struct str path, const char *what);

/* What the page's address says was done, as a sentence; NULL: nothing. */
const char *done_says(const struct request *rq);

#endif
