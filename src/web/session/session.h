#ifndef WEB_SESSION_SESSION_H
#define WEB_SESSION_SESSION_H

#include "model/plan.h"
#include "web/http/request.h"
#include "web/http/response.h"

/*
 * Sessions as browsers know them: cookies. model/people/session.h tells what a session is.
 *
 * The session's cookie is `__Host-session`, with Secure: the browser keeps it to this very host and to
 * https. Where the request came by plain http to a loopback address, as in development, it is `session`,
 * as browsers would not take the other. Nowhere else is a session given or taken over plain http.
 */

struct rate;
struct user;

/*
 * site.load_viewer: reads session, person and memberships in one round trip, the groups of those who
 * have any in a second. Sets rq->viewer, rq->session and rq->session_token, or leaves them: a stranger, or one
 * whose session has ended. About once an hour it writes down that the session was used.
 *
 * Whose role has changed since gets another token with the next page; a POST is left alone, as its form is bound
 * to the token that it came with. Of two pages at once one brings it, and both are shown.
 */
enum http_status session_load(struct request *rq, struct response *rs);

/*
 * How often somebody who is in may be asked for their password again: apart from the tries to sign in, which
 * strangers can use up. A route that `proves` has where it stands read with the session, as rq->proof_wait.
 */
struct rate session_proof_limit(struct str username);

/*
 * Signs somebody in: makes a session with a new token, in place of the one that the request came with,
 * and sets its cookie. It is written with what the plan holds already, and how that ends is how this does.
 */
enum plan_rc session_begin(
    struct request *rq, struct response *rs, const struct user *user, struct plan *plan);

/*
 * Who somebody is that signs in, with all that they may: for a request that goes on as theirs, rq->viewer, when
 * session_begin() has let them in. HTTP_OK, or what the client is to be told: HTTP_CONFLICT when their sessions have
 * ended since `user` was read.
 */
enum http_status session_person(
    struct request *rq, const struct user *user, const struct viewer **person);

/* What the browser calls itself, cut; empty where that is no text. */
struct str session_agent(const struct request *rq);

/*
 * A session for this request that the caller writes itself, in a transaction of its own; then
 * session_cookie() hands it to the browser, binds to it what forms the request shows, and makes the device known
 * (below). *token is for that.
 */
struct session session_new(struct request *rq, const struct user *user, struct str *token);
void session_cookie(
    struct request *rq, struct response *rs, const struct session *session, struct str token);

/* Ends the request's session and takes its cookie away. HTTP_OK, or how the table failed. */
enum http_status session_end(struct request *rq, struct response *rs);

/* What the forms of a visitor are bound to: the token in a cookie of its own; empty: there is none. */
struct str session_visit(const struct request *rq);
/* Makes one, and sets the cookie. */
void session_visit_begin(struct request *rq, struct response *rs);

/* Did the request come in a way in which browsers keep "__Host-" cookies? */
bool session_is_secure(const struct request *rq);

/* --- Devices ---------------------------------------------------------------------------------- */

/*
 * Devices on which somebody has signed in before: a cookie that lasts longer than a session, sealed, with an id of the
 * device and the names of those who have, four at most. It lets nobody in. It has a count of wrong passwords and codes of
 * its own, so that guesses of strangers do not keep its owner out, and from elsewhere a sign-in is worth telling.
 *
 * It is good for the era of its person alone: another password, signing out everywhere, a second step, end it on all
 * devices, as they end sessions.
 */
enum { DEVICE_PEOPLE_MAX = 4 };

struct device {
	struct str id;
	struct str username; /* who has signed in on it */
	int64_t era;         /* theirs, when they did */
};

/* What the request's cookie says; returns for how many people. */
size_t device_people(struct request *rq, struct device people[DEVICE_PEOPLE_MAX]);

/* Has this person, as they are now, signed in on it? */
bool device_known(const struct device *device, const struct user *user);

/* That they have, now: sets the cookie. */
void device_remember(struct request *rq, struct response *rs, struct str username, int64_t era);

#endif
