/* Where one is signed in: the list on /account, and POST /account/sessions, which ends some of it. */
#include "pages/account/sessions.h"

#include "base/arena.h"
#include "model/key.h"
#include "pages/account/account.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/words.h"
#include "web/session/session.h"

#include <string.h>

VIEW_FIELDS(
    session_view, STRING(agent), STRING(since_text), STRING(used_text), STRING(hash), FLAG(current))

/* The first of these words that a browser's own words hold; several browsers pretend to be others. */
static const char *
first_of(struct str agent, const char *const words[][2])
{
	for (; words[0][0] != NULL; words++)
		if (memmem(agent.base, agent.len, words[0][0], strlen(words[0][0])) != NULL)
			return words[0][1];
	return NULL;
}

struct str
sessions_browser(struct arena *arena, struct str agent)
{
	static const char *const browsers[][2] = {{"Edg", "Edge"}, {"OPR/", "Opera"},
	    {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {NULL, NULL}};
	static const char *const systems[][2] = {{"Android", "Android"}, {"iPhone", "an iPhone"},
	    {"iPad", "an iPad"}, {"Windows", "Windows"}, {"Mac OS", "a Mac"}, {"Linux", "Linux"},
	    {NULL, NULL}};
	const char *browser, *system;

	if (agent.len == 0)
		return STR("An unknown browser");
	browser = first_of(agent, browsers);
	system = first_of(agent, systems);
	if (browser == NULL)
		return agent;
	if (system == NULL)
		return str_of(browser);
	return str_fmt(arena, "%s on %s", browser, system);
}

struct read
sessions_read(struct request *rq)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_sessions_of(rq->arena, rq->viewer->user.username)};

	read.query.descending = true;
	read.query.limit = SESSIONS_SHOWN;
	return read;
}

const struct session_view *
sessions_shown(struct request *rq, const struct read *read, size_t *count)
{
	struct session_view *out = ARENA_ARRAY(rq->arena, read->found_count, struct session_view);

	*count = 0;
	for (size_t i = 0; i < read->found_count; i++) {
		struct session s;

		session_from_item(rq->arena, &read->found[i], &s);
		if (!session_good(&s, &rq->viewer->user, rq->now))
			continue;
		out[(*count)++] = (struct session_view){
		    .agent = sessions_browser(rq->arena, s.agent),
		    .since_text = words_date_near(rq, s.created),
		    .used_text = words_date_near(rq, s.used),
		    .hash = s.hash,
		    .current = str_eq(s.hash, rq->session->hash),
		};
	}
	return out;
}

struct ending {
	struct str sessions_password;
};
static const struct field ending_fields[] = {
    {FIELD_PASSWORD(struct ending, sessions_password), .label = "Your password", .required = true,
	.missing = "Your password is missing.", .autocomplete = "current-password"},
};
const struct form sessions_form = FORM("sessions", struct ending, ending_fields,
    .heading = "Where you are signed in", .action = "/account/sessions");

/* All of them but this one, which goes on under another token. */
static enum http_status
end_others(struct request *rq, struct response *rs, struct plan *plan)
{
	const struct user *user = &rq->viewer->user;
	struct str token;
	struct session session = session_new(rq, user, &token);
	enum plan_rc rc = account_end_sessions(plan, user, &session);

	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	session_cookie(rq, rs, &session, token);
	return redirect_done(rq, rs, STR("/account"), "others");
}

static enum http_status
end_all(struct request *rq, struct response *rs, struct plan *plan)
{
	enum plan_rc rc = account_end_sessions(plan, &rq->viewer->user, NULL);
	enum http_status status;

	if (rc != PLAN_DONE)
		return plan_refused(rs, plan, rc);
	status = session_end(rq, rs);
	return status == HTTP_OK ? redirect(rs, HTTP_SEE_OTHER, STR("/")) : status;
}

/* Who has taken over a session is not to shut its owner out of the others. */
static enum http_status
end(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct ending *in = rq->form->values;
	struct str which = input_of(rq, "session");
	bool others = str_eq(which, STR("others")), all = str_eq(which, STR("all"));
	enum http_status status;
	enum plan_rc rc;

	if (!others && !all && which.len != SESSION_HASH_LEN)
		return HTTP_BAD_REQUEST;
	status =
	    account_prove(rq, rs, &plan, "sessions_password", in->sessions_password, account_show);
	if (status != HTTP_OK)
		return status;
	if (others || all)
		return others ? end_others(rq, rs, &plan) : end_all(rq, rs, &plan);
	rc = account_end_session(&plan, &rq->viewer->user, which);
	return plan_answer(rq, rs, &plan, rc, STR("/account"), "session");
}

PAGE(sessions, .post = end, .refused = account_show, .form = &sessions_form, .proves = true)
