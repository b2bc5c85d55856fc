#ifndef WEB_SESSION_CSRF_H
#define WEB_SESSION_CSRF_H

#include "web/http/request.h"
#include "web/http/response.h"

/* The hidden input in which a form of ours carries its token. */
#define CSRF_INPUT STR("csrf")

/*
 * Does a POST come from a page of this site, and not from somebody else's that a reader happened to
 * open? Two locks, both of which must open:
 *
 *   1. The browser says where it comes from: Sec-Fetch-Site where there is one, else Origin, else
 *      the origin in Referer. One that says nothing is refused.
 *   2. A token in the input named above, made for the session; or, for the forms of those who have
 *      none yet, for a cookie that the form's page set. Where there are no sessions at all
 *      (site.load_viewer is NULL) there is no second lock.
 *
 * False: HTTP_FORBIDDEN.
 */
bool csrf_check(const struct request *rq);

/* The first lock alone. */
bool csrf_is_from_here(const struct request *rq);

/*
 * The token for the forms on this page, in the arena; sets the cookie of a visitor who has none. It
 * differs in each response, so that compressing the page reveals nothing about it. The page is then for
 * this visitor alone, whatever the cache policy of its route.
 *
 *   base64url( mask[16] | tag[32] ), tag = BLAKE2b, keyed, of ( mask | what the form is bound to )
 *
 * The ETag covers the rest of the page and the session: the same session gets a 304, and the token in its copy is
 * valid as long as the session is. Another session, also of the same person, could not use it, and gets the page.
 */
struct str csrf_token(struct request *rq, struct response *rs);

#endif
