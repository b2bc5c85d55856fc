#ifndef WEB_SESSION_DEVICE_H
#define WEB_SESSION_DEVICE_H

#include "web/http/request.h"
#include "web/http/response.h"

struct user;

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
