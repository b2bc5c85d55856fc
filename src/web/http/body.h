#ifndef WEB_HTTP_BODY_H
#define WEB_HTTP_BODY_H

#include "web/http/request.h"

/*
 * Reads the body of a POST into rq->inputs, by its Content-Type: urlencoded, or
 * multipart/form-data. An empty body without a type has no inputs. HTTP_OK, or what is wrong with
 * it: HTTP_TOO_LARGE, HTTP_UNSUPPORTED_TYPE, HTTP_BAD_REQUEST.
 */
enum http_status body_read(struct request *rq, size_t max);

#endif
