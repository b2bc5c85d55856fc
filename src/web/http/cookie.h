#ifndef WEB_HTTP_COOKIE_H
#define WEB_HTTP_COOKIE_H

#include "web/http/pairs.h"

/*
 * Names of our cookies. Over https the session's has the prefix by which browsers keep it to this
 * very host; over plain http, for trying things out, they would not take such a one.
 */
#define COOKIE_SESSION_SECURE STR("__Host-session")
#define COOKIE_SESSION_PLAIN STR("session")
/* The forms of a visitor who is not signed in are bound to it. */
#define COOKIE_VISIT_SECURE STR("__Host-visit")
#define COOKIE_VISIT_PLAIN STR("visit")
/* That somebody has signed in here before (web/session/session.h). */
#define COOKIE_DEVICE_SECURE STR("__Host-device")
#define COOKIE_DEVICE_PLAIN STR("device")

enum { COOKIES_MAX = 50 };

/*
 * Parses a Cookie header, "a=1; b=2". Of cookies with the same name the first counts, which has the
 * more specific path. Pieces without a name or `=`, and those beyond COOKIES_MAX, are ignored: a
 * cookie that somebody else set on the domain must not lock anybody out. Slices of `header`; the
 * array is in the arena.
 */
struct pairs cookies_parse(struct arena *arena, struct str header);

/* Does the header have a session's cookie? A quick look: the page cache asks each time. */
bool cookies_have_session(struct str header);

/*
 * A Set-Cookie value for this host and all its paths: HttpOnly, SameSite=Lax, Secure when `secure`.
 * `max_age` in seconds; 0 removes the cookie. The value is one of [A-Za-z0-9_.~-]*.
 */
struct str cookie_make(
    struct arena *arena, struct str name, struct str value, int64_t max_age, bool secure);

#endif
