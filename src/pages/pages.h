#ifndef PAGES_PAGES_H
#define PAGES_PAGES_H

#include "web/dispatch.h"

/* The handlers that routes.c names; each is alone in its file, or with a few of its kind. */

/* GET /: what is new. */
enum http_status page_front(struct request *rq, struct response *rs);

/* GET /healthz: for whoever watches the service. */
enum http_status page_health(struct request *rq, struct response *rs);

#endif
