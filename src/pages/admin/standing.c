/* /admin/users/<u>/…: whoever is let in, shut out or signed out by an admin. */
#include "base/arena.h"
#include "pages/admin/admin.h"
#include "pages/admin/user.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"

static enum http_status
set_status(struct request *rq, struct response *rs, enum user_status to, const char *what)
{
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc = PLAN_NOT_THERE;

	if (username_valid(request_param(rq, "username")))
		rc = account_set_standing(&plan, request_param(rq, "username"), AS_IT_IS, (int)to);
	return plan_answer(rq, rs, &plan, rc, admin_user_path(rq), what);
}

static enum http_status
confirm_disable(struct request *rq, struct response *rs)
{
	struct plan plan;
	struct user user;
	enum http_status status = admin_user_find(rq, rs, &plan, &user);
	struct confirmation ask = {.cancel_url = admin_user_path(rq),
	    .action_url = STR_CONCAT(rq->arena, admin_user_path(rq), STR("/disable")),
	    .button = "Shut out",
	    .message = STR(
		"They are signed out everywhere and can’t come in until somebody lets "
		"them in again. What they have published stays, and what is scheduled appears.")};

	if (status != HTTP_OK)
		return status;
	if (user.status == USER_WAITING) {
		ask.button = "Refuse";
		ask.title = STR_CONCAT(rq->arena, STR("Refuse "), user.display_name, STR("?"));
		ask.message =
		    STR("They can’t come in. The account stays, closed, among those who were shut "
			"out: nobody else gets its name or e-mail address, and you can let them in "
			"later. They are not told, but when they try to sign in.");
		return confirm(rq, rs, &ask);
	}
	ask.title = STR_CONCAT(rq->arena, STR("Shut out "), user.display_name, STR("?"));
	return confirm(rq, rs, &ask);
}

static enum http_status
disable(struct request *rq, struct response *rs)
{
	return set_status(rq, rs, USER_DISABLED, "out");
}

static enum http_status
enable(struct request *rq, struct response *rs)
{
	return set_status(rq, rs, USER_ACTIVE, "in");
}

static enum http_status
end_sessions(struct request *rq, struct response *rs)
{
	struct plan plan;
	struct user user;
	enum http_status status = admin_user_find(rq, rs, &plan, &user);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = account_end_sessions(&plan, &user, NULL);
	return plan_answer(rq, rs, &plan, rc, admin_user_path(rq), "sessions");
}

PAGE(admin_user_disable, .get = confirm_disable, .post = disable)
PAGE(admin_user_enable, .post = enable)
PAGE(admin_user_sessions, .post = end_sessions)
