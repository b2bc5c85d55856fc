#ifndef PAGES_SIGN_IN_H
#define PAGES_SIGN_IN_H

#include "pages/form_view.h"
#include "pages/layout.h"

/* What the pages of signing in and registering share. */

struct sign_in_view {
	struct layout_view layout;
	struct str title, intro, notice;
	const struct form_view *form; /* NULL: there is nothing to fill in */
	LIST_OF(struct link_view) ways;
};

/* Where somebody wanted to go: `next` of the form or the address, if that is a page of ours; else "/". */
struct str sign_in_next(struct request *rq);

/* The page, around the view that the caller has filled but for its layout. */
enum http_status sign_in_respond(
    struct request *rq, struct response *rs, struct sign_in_view *view);

/* Says in a form's place when somebody may try again: 429 with Retry-After. */
const char *sign_in_wait(struct request *rq, struct response *rs, uint32_t seconds);

#endif
