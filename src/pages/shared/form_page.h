#ifndef PAGES_SHARED_FORM_PAGE_H
#define PAGES_SHARED_FORM_PAGE_H

#include "web/http/dispatch.h"

/* A page with one form. */
struct form_page {
	struct str title, intro, notice; /* the last two may be empty */
	struct str back;                 /* the address of the link back */
	const struct form *form; /* sent to the address of the page, if it does not say where; NULL: no form */
	const struct form_result *filled; /* what is in it; NULL: what was sent, or nothing */
};
enum http_status form_page(
    struct request *rq, struct response *rs, const struct form_page *page);

#endif
