/* The cookie is sealed( <id> <username>:<era> <username>:<era> ... ), who was last first. */
#include "web/session/device.h"

#include "base/arena.h"
#include "model/people/session.h"
#include "model/people/user.h"
#include "web/form/ticket.h"
#include "web/http/cookie.h"
#include "web/session/session.h"

#define PURPOSE "device"

enum { ID_LEN = 16, DAYS = 365 };

static struct str
cookie_name(const struct request *rq)
{
	return session_is_secure(rq) ? COOKIE_DEVICE_SECURE : COOKIE_DEVICE_PLAIN;
}

/* What the cookie holds: an id, and the rest. False: there is none. */
static bool
open(struct request *rq, struct str *id, struct str *people)
{
	struct str sealed = pairs_get(&rq->cookies, cookie_name(rq)), text;

	if (!ticket_open(rq, PURPOSE, STR(""), sealed, &text))
		return false;
	*id = str_cut(text, ' ', people);
	return id->len == ID_LEN;
}

size_t
device_people(struct request *rq, struct device people[DEVICE_PEOPLE_MAX])
{
	struct str id, rest, era;
	size_t count = 0;

	if (!open(rq, &id, &rest))
		return 0;
	while (rest.len != 0 && count < DEVICE_PEOPLE_MAX) {
		struct device *device = &people[count];
		struct str one = str_cut(rest, ' ', &rest);

		*device = (struct device){.id = id, .username = str_cut(one, ':', &era)};
		if (str_int(era, &device->era))
			count++;
	}
	return count;
}

bool
device_known(const struct device *device, const struct user *user)
{
	return str_eq(device->username, user->username) && device->era == user->era;
}

void
device_remember(struct request *rq, struct response *rs, struct str username, int64_t era)
{
	struct device people[DEVICE_PEOPLE_MAX];
	size_t count = device_people(rq, people), others = 0;
	struct buf out = {.arena = rq->arena};
	struct str id =
	    count != 0 ? people[0].id : str_sub(session_token(rq->arena, rq->clock), 0, ID_LEN);

	buf_fmt(&out, "%.*s %.*s:%lld", STR_ARGS(id), STR_ARGS(username), (long long)era);
	for (size_t i = 0; i < count && others + 1 < DEVICE_PEOPLE_MAX; i++) {
		if (str_eq(people[i].username, username))
			continue;
		buf_fmt(&out, " %.*s:%lld", STR_ARGS(people[i].username), (long long)people[i].era);
		others++;
	}
	response_header(rs, STR("Set-Cookie"),
	    cookie_make(rq->arena, cookie_name(rq),
		ticket_make(rq, PURPOSE, STR(""), buf_str(&out), (int64_t)DAYS * 86400000),
		(int64_t)DAYS * 86400, session_is_secure(rq)));
}
