#ifndef WEB_HTTP_ERROR_PAGE_H
#define WEB_HTTP_ERROR_PAGE_H

#include "web/http/response.h"

/* A sentence that tells a reader what a status means to them, and what they can do. Plain text. */
const char *error_sentence(enum http_status status);

/* Makes the body a plain page for rs->status: what is shown when no template can be. */
void error_page_plain(struct response *rs);

#endif
