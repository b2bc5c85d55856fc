#ifndef WEB_HTTP_ERROR_PAGE_H
#define WEB_HTTP_ERROR_PAGE_H

#include "web/http/response.h"

/* A sentence for readers about what a status means, and what they can do. Plain text. */
const char *error_sentence(enum http_status status);

/* Makes the body a plain page for rs->status, for when no template can be rendered. */
void error_page_plain(struct response *rs);

#endif
