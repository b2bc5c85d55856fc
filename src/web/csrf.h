#ifndef WEB_CSRF_H
#define WEB_CSRF_H

#include "web/request.h"

/* The hidden input in which a form of ours carries its token. */
#define CSRF_INPUT STR("csrf")

/*
 * Does a POST come from a page of this site, and not from somebody else's that a reader happened to
 * open? Two locks, both of which must open:
 *
 *   1. The browser says where it comes from: Sec-Fetch-Site where there is one, else Origin, else
 *      the origin in Referer. One that says nothing is refused.
 *   2. The session's token in the input named above; a hook until there are sessions.
 *
 * False: HTTP_FORBIDDEN.
 */
bool csrf_check(const struct request *rq);

#endif
