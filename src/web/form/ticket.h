#ifndef WEB_FORM_TICKET_H
#define WEB_FORM_TICKET_H

#include "web/http/request.h"

/*
 * A sealed ticket: what one page passes to the next in a hidden field, where the browser can
 * neither read nor change it: a text, for one purpose, until an expiry time. `bound` is what it
 * belongs to, such as a visitor's cookie.
 */
struct str ticket_make(struct request *rq, const char *purpose, struct str bound, struct str text,
    int64_t good_for_ms);

/* False if it is not for this purpose and binding, or has expired. */
bool ticket_open(
    struct request *rq, const char *purpose, struct str bound, struct str ticket, struct str *text);

#endif
