#ifndef WEB_FORM_TICKET_H
#define WEB_FORM_TICKET_H

#include "web/http/request.h"

/*
 * What one page hands to the next in a hidden field, where the browser holds it and can neither read nor change
 * it: a text, for one purpose, until a moment. `bound` is what it belongs to, such as a visitor's cookie.
 */
struct str ticket_make(struct request *rq, const char *purpose, struct str bound, struct str text,
    int64_t good_for_ms);

/* False for what is none of this purpose and bond, or whose time is over. */
bool ticket_open(
    struct request *rq, const char *purpose, struct str bound, struct str ticket, struct str *text);

#endif
