#include "web/session/session.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/session.h"
#include "model/people/user.h"
#include "model/site/address_block.h"
#include "model/site/rate.h"
#include "model/viewer.h"
#include "web/form/ticket.h"
#include "web/http/cookie.h"
#include "web/http/dispatch.h"

#include <assert.h>

enum { VISIT_SECONDS = 30 * 86400, PROOFS = 10 };

/* --- Cookies ---------------------------------------------------------------------------------------- */

/* A host, without its port, that is this machine itself. */
static bool
is_loopback(struct str host)
{
	static const struct str names[] = {
	    STR_INIT("localhost"), STR_INIT("127.0.0.1"), STR_INIT("[::1]")};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct str rest = str_sub(host, names[i].len, host.len);

		if (str_starts(host, names[i]) && (rest.len == 0 || rest.base[0] == ':'))
			return true;
	}
	return false;
}

bool
session_is_secure(const struct request *rq)
{
	return !str_eq(rq->in->scheme, STR("http")) || !is_loopback(rq->in->host);
}

static struct str
session_name(const struct request *rq)
{
	return session_is_secure(rq) ? COOKIE_SESSION_SECURE : COOKIE_SESSION_PLAIN;
}

static struct str
visit_name(const struct request *rq)
{
	return session_is_secure(rq) ? COOKIE_VISIT_SECURE : COOKIE_VISIT_PLAIN;
}

static void
set_cookie(
    struct request *rq, struct response *rs, struct str name, struct str value, int64_t seconds)
{
	response_header(rs, STR("Set-Cookie"),
	    cookie_make(rq->arena, name, value, seconds, session_is_secure(rq)));
}

static struct str
cookie_of(const struct request *rq, struct str name)
{
	return pairs_get(&rq->cookies, name);
}

struct str
session_visit(const struct request *rq)
{
	struct str value = cookie_of(rq, visit_name(rq));

	return value.len == SESSION_TOKEN_LEN ? value : STR("");
}

void
session_visit_begin(struct request *rq, struct response *rs)
{
	rq->session_token = session_token(rq->arena, rq->clock);
	set_cookie(rq, rs, visit_name(rq), rq->session_token, VISIT_SECONDS);
}

void
session_cookie(
    struct request *rq, struct response *rs, const struct session *session, struct str token)
{
	set_cookie(rq, rs, session_name(rq),
	    STR_CONCAT(rq->arena, session->username, STR("."), token), SESSION_AGE_MS / 1000);
	rq->session_token = token;
	/* Forms from before signing in were bound to it. */
	if (session_visit(rq).len != 0)
		set_cookie(rq, rs, visit_name(rq), STR(""), 0);
	device_remember(rq, rs, session->username, session->era);
}

/* --- The viewer ------------------------------------------------------------------------------- */

/* Adds the permissions of their groups. */
static enum table_rc
add_groups(struct request *rq, struct viewer *viewer)
{
	struct read groups;
	enum table_rc rc;

	if (!viewer_groups(rq->arena, viewer, &groups))
		return TABLE_OK;
	rc = table_read(rq->table, &rq->call, &groups, 1);
	if (rc == TABLE_OK)
		viewer_permit(rq->arena, &groups, viewer);
	return rc;
}

/* Is something sent that is not accepted from everywhere? */
static bool
is_sent(const struct request *rq)
{
	return rq->method == METHOD_POST && rq->route->needs != MAY_VISIT &&
	       !rq->route->while_suspended;
}

/* Does it come from where nobody but who moderates writes just now? Once their permissions are known. */
static bool
is_shut_out(struct request *rq, const struct viewer *viewer, const struct read *blocks)
{
	return !may(viewer, MAY_MODERATE, NO_THING) &&
	       address_blocked(rq->arena, blocks, rq->in->remote_addr);
}

/* Notes that it was used. A failure does not matter to the page. */
static enum table_rc
touch(struct request *rq, const struct session *session)
{
	struct write write = session_touch(rq->arena, session, rq->now);

	(void)table_write(rq->table, &rq->call, &write);
	return rq->method == METHOD_GET ? table_hold(rq->table, &rq->call) : TABLE_OK;
}

/* Replaces the token, unless another request was faster; the session continues. */
static enum table_rc
renew(struct request *rq, struct response *rs, const struct user *user, struct session *session)
{
	struct str token = session_token(rq->arena, rq->clock);
	struct session next = *session;
	struct write writes[2];

	next.hash = session_hash(rq->arena, token);
	next.role = str_of(role_name(user->role));
	next.used = rq->now;
	writes[0] = session_delete(rq->arena, session->hash, user->username);
	writes[1] = session_put(rq->arena, &next);
	/* A failure does not matter to the page. */
	if (table_transact(rq->table, &rq->call, writes, 2, STR("")) == TABLE_OK) {
		*session = next;
		session_cookie(rq, rs, session, token);
	}
	return table_hold(rq->table, &rq->call);
}

struct rate
session_proof_limit(struct str username)
{
	return (struct rate){STR("prove-as"), username, PROOFS, .slows = true};
}

enum http_status
session_load(struct request *rq, struct response *rs)
{
	struct session *session = ARENA_NEW(rq->arena, struct session);
	struct viewer *viewer = ARENA_NEW(rq->arena, struct viewer);
	struct str username, token;
	struct rate proofs;
	struct read reads[4], blocks = {.found_count = 0};
	size_t count = 2;
	enum table_rc rc;
	bool proves = rq->method == METHOD_POST && rq->route->page->proves;

	if (!session_token_parts(cookie_of(rq, session_name(rq)), &username, &token))
		return HTTP_OK;
	reads[0] = (struct read){.kind = READ_GET,
	    .key = key_session(rq->arena, session_hash(rq->arena, token)),
	    .consistent = true};
	reads[1] = viewer_read(rq->arena, username);
	proofs = session_proof_limit(username);
	if (proves)
		reads[count++] = rate_read(rq->arena, &proofs, 1, rq->now);
	if (is_sent(rq))
		reads[count++] = address_blocks_read();
	rc = table_read(rq->table, &rq->call, reads, count);
	if (rc != TABLE_OK)
		return status_of(rc);
	if (proves)
		rq->proof_wait = rate_wait(&proofs, 1, &reads[2], rq->now);
	if (is_sent(rq))
		blocks = reads[count - 1];
	if (reads[0].item == NULL || !viewer_take(rq->arena, &reads[1], viewer))
		return HTTP_OK;
	session_from_item(rq->arena, reads[0].item, session);
	if (!session_good(session, &viewer->user, rq->now))
		return HTTP_OK;
	viewer->suspended = user_suspended(&viewer->user, rq->now);
	rq->session_token = token;
	rc = add_groups(rq, viewer);
	viewer->shut_out = is_shut_out(rq, viewer, &blocks);
	if (rc == TABLE_OK && rq->method == METHOD_GET && session_outdated(session, &viewer->user))
		rc = renew(rq, rs, &viewer->user, session);
	else if (rc == TABLE_OK && session_stale(session, rq->now))
		rc = touch(rq, session);
	if (rc != TABLE_OK)
		return status_of(rc);
	rq->viewer = viewer;
	rq->session = session;
	return HTTP_OK;
}

/* --- Signing in and out ----------------------------------------------------------------------- */

struct str
session_agent(const struct request *rq)
{
	struct str agent = str_sub(rq->in->user_agent, 0, SESSION_AGENT_MAX);

	return str_utf8(agent) ? agent : STR("");
}

struct session
session_new(struct request *rq, const struct user *user, struct str *token)
{
	*token = session_token(rq->arena, rq->clock);
	return (struct session){.hash = session_hash(rq->arena, *token),
	    .username = user->username,
	    .agent = session_agent(rq),
	    .role = str_of(role_name(user->role)),
	    .created = rq->now,
	    .used = rq->now,
	    .era = user->era};
}

enum plan_rc
session_begin(struct request *rq, struct response *rs, const struct user *user, struct plan *plan)
{
	struct session *session = ARENA_NEW(rq->arena, struct session);
	struct str token;

	*session = session_new(rq, user, &token);
	plan_add(plan, session_put(rq->arena, session), PLAN_CHANGED);
	if (rq->session != NULL)
		plan_add(plan,
		    (struct write){
			.kind = WRITE_DELETE, .key = key_session(rq->arena, rq->session->hash)},
		    PLAN_CHANGED);
	if (plan_commit(plan) == PLAN_DONE) {
		session_cookie(rq, rs, session, token);
		rq->session = session;
	}
	return plan->rc;
}

enum http_status
session_person(struct request *rq, const struct user *user, const struct viewer **person)
{
	struct viewer *viewer = ARENA_NEW(rq->arena, struct viewer);
	struct read reads[] = {viewer_read(rq->arena, user->username), address_blocks_read()};
	enum table_rc rc = table_read(rq->table, &rq->call, reads, 2);

	/* A proof from an earlier era is invalid. */
	if (rc == TABLE_OK &&
	    (!viewer_take(rq->arena, &reads[0], viewer) || viewer->user.era != user->era))
		return HTTP_CONFLICT;
	viewer->suspended = user_suspended(&viewer->user, rq->now);
	if (rc == TABLE_OK)
		rc = add_groups(rq, viewer);
	if (rc != TABLE_OK)
		return status_of(rc);
	viewer->shut_out = is_shut_out(rq, viewer, &reads[1]);
	*person = viewer;
	return HTTP_OK;
}

enum http_status
session_end(struct request *rq, struct response *rs)
{
	struct write write;
	enum table_rc rc;

	if (rq->session != NULL) {
		write = session_delete(rq->arena, rq->session->hash, rq->session->username);
		rc = table_write(rq->table, &rq->call, &write);
		/* It had already ended. */
		if (rc != TABLE_OK && rc != TABLE_CONDITION)
			return status_of(rc);
	}
	set_cookie(rq, rs, session_name(rq), STR(""), 0);
	rq->viewer = NULL;
	rq->session = NULL;
	rq->session_token = STR("");
	return HTTP_OK;
}

/* --- Devices ---------------------------------------------------------------------------------- */

/* The cookie is sealed( <id> <username>:<era> <username>:<era> ... ), most recent first. */

#define DEVICE_PURPOSE "device"

enum { DEVICE_ID_LEN = 16, DEVICE_DAYS = 365 };

static struct str
device_cookie(const struct request *rq)
{
	return session_is_secure(rq) ? COOKIE_DEVICE_SECURE : COOKIE_DEVICE_PLAIN;
}

/* What the cookie holds: an id, and the rest. False: there is none. */
static bool
device_open(struct request *rq, struct str *id, struct str *people)
{
	struct str sealed = pairs_get(&rq->cookies, device_cookie(rq)), text;

	if (!ticket_open(rq, DEVICE_PURPOSE, STR(""), sealed, &text))
		return false;
	*id = str_cut(text, ' ', people);
	return id->len == DEVICE_ID_LEN;
}

size_t
device_people(struct request *rq, struct device people[DEVICE_PEOPLE_MAX])
{
	struct str id, rest, era;
	size_t count = 0;

	if (!device_open(rq, &id, &rest))
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
	struct str id = count != 0 ? people[0].id
				   : str_sub(session_token(rq->arena, rq->clock), 0, DEVICE_ID_LEN);

	buf_fmt(&out, "%.*s %.*s:%lld", STR_ARGS(id), STR_ARGS(username), (long long)era);
	for (size_t i = 0; i < count && others + 1 < DEVICE_PEOPLE_MAX; i++) {
		if (str_eq(people[i].username, username))
			continue;
		buf_fmt(&out, " %.*s:%lld", STR_ARGS(people[i].username), (long long)people[i].era);
		others++;
	}
	response_header(rs, STR("Set-Cookie"),
	    cookie_make(rq->arena, device_cookie(rq),
		ticket_make(
		    rq, DEVICE_PURPOSE, STR(""), buf_str(&out), (int64_t)DEVICE_DAYS * 86400000),
		(int64_t)DEVICE_DAYS * 86400, session_is_secure(rq)));
}
