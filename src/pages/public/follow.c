/*
 * /author/<username>/follow, /mute and /block: buttons that set one's relation to a person. A link
 * leads to a page that asks first, also after signing in.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/viewer.h"
#include "model/reader/follow.h"
#include "model/reader/trust.h"
#include "model/site/settings.h"
#include "pages/account/sign_in.h"
#include "pages/public/follow.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "text/url.h"
#include "web/session/csrf.h"

VIEW_FIELDS(follow_button_view, STRING(url), STRING(token), STRING(wish), STRING(text))

/* --- The buttons of a person's page ------------------------------------------------------------------ */

static void
add(struct request *rq, struct response *rs, struct follow_buttons *out, const struct user *user,
    const char *page, const char *wish, const char *text)
{
	struct follow_button_view *button = &out->items[out->count++];

	*button = (struct follow_button_view){.text = str_of(text),
	    .url = STR_CONCAT(
		rq->arena, author_path(rq->arena, user->username), STR("/"), str_of(page))};
	if (wish == NULL)
		return;
	button->wish = str_of(wish);
	button->token = csrf_token(rq, rs);
}

void
follow_buttons_fill(struct request *rq, struct response *rs, const struct user *user,
    const struct item *follow, struct follow_buttons *out)
{
	enum follow_status status = follow_status(follow);

	out->count = 0;
	if (rq->viewer == NULL) {
		if (user->status == USER_ACTIVE &&
		    !turned_off(settings_off(rq->settings), MAY_FOLLOW, NO_THING))
			add(rq, rs, out, user, "follow", NULL,
			    user->is_private ? "Ask to follow" : "Follow");
		return;
	}
	if (follow_counts(status))
		add(rq, rs, out, user, "follow", "unfollow", "Unfollow");
	if (follow_tells(follow))
		add(rq, rs, out, user, "follow", "stop-telling", "Don’t tell me of new posts");
	else if (follow_counts(status))
		add(rq, rs, out, user, "follow", "tell", "Tell me of new posts");
	else if (status == FOLLOW_ASKED)
		add(rq, rs, out, user, "follow", "unfollow", "Take the request back");
	else if (status == FOLLOW_BLOCKED)
		add(rq, rs, out, user, "block", "unblock", "Unblock");
	/* Who has asked somebody who is public now need not wait. */
	if ((status == FOLLOW_NONE || (status == FOLLOW_ASKED && !user->is_private)) &&
	    may(rq->viewer, MAY_FOLLOW, thing_person(user)))
		add(rq, rs, out, user, "follow", "follow",
		    user->is_private ? "Ask to follow" : "Follow");
	if (viewer_mutes(rq->viewer, user->username))
		add(rq, rs, out, user, "mute", "unmute", "Unmute");
	else if (may(rq->viewer, MAY_BLOCK, thing_person(user)))
		add(rq, rs, out, user, "mute", "mute", "Mute");
	if (status != FOLLOW_BLOCKED && may(rq->viewer, MAY_BLOCK, thing_person(user)))
		add(rq, rs, out, user, "block", NULL, "Block");
}

/* --- The pages -------------------------------------------------------------------------------------- */

/* The relation between the viewer and a person. */
struct relation {
	struct read both[2];
	struct rate limit; /* of what a form of the viewer does */
};

static struct rate
follow_limit(struct request *rq, const struct read trust[TRUST_READS])
{
	const struct moderation *m = &rq->settings->moderation;

	return trust_rate(m, trust_of(m, rq->viewer, trust, rq->now), TRUST_FOLLOW,
	    rq->viewer->user.username);
}

/* The person of the address, if the viewer may do that, and the relation between the two. */
static enum http_status
load(struct request *rq, enum action action, struct user *user, struct relation *relation)
{
	struct str name = request_param(rq, "username"), self = rq->viewer->user.username;
	enum { PERSON, BOTH, TRUST = BOTH + 2, READS = TRUST + TRUST_READS };
	bool limited = action == MAY_FOLLOW && rq->method != METHOD_GET;
	struct read reads[READS];
	enum http_status read;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	reads[PERSON] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	follow_both(rq->arena, self, name, &reads[BOTH]);
	if (limited)
		trust_reads(rq->arena, self, &reads[TRUST]);
	read = page_read(rq, reads, limited ? READS : TRUST);
	if (read != HTTP_OK)
		return read;
	if (reads[PERSON].item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, reads[PERSON].item, user);
	user_withhold(user);
	relation->both[0] = reads[BOTH];
	relation->both[1] = reads[BOTH + 1];
	relation->limit = block_limit(self);
	if (limited)
		relation->limit = follow_limit(rq, &reads[TRUST]);
	return may(rq->viewer, action, thing_person(user)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static struct str
person_path(struct request *rq)
{
	return author_path(rq->arena, request_param(rq, "username"));
}

static enum http_status
ask(struct request *rq, struct response *rs, struct confirmation *question)
{
	question->action_url = rq->path;
	question->cancel_url = person_path(rq);
	question->name = STR("do");
	return confirm(rq, rs, question);
}

static enum http_status
ask_to_follow(struct request *rq, struct response *rs)
{
	struct confirmation question = {.value = STR("follow")};
	struct relation relation;
	struct user user;
	enum follow_status relates;
	enum http_status status = load(rq, MAY_FOLLOW, &user, &relation);

	if (status != HTTP_OK)
		return status;
	relates = follow_status(relation.both[0].item);
	if (relates != FOLLOW_NONE && (relates != FOLLOW_ASKED || user.is_private))
		return redirect(rs, HTTP_SEE_OTHER, person_path(rq));
	question.title = STR_CONCAT(rq->arena, STR("Follow "), user.display_name, STR("?"));
	question.message =
	    user.is_private
		? STR("They show strangers their name only: they are asked first. Then you see "
		      "what they publish for their followers.")
		: STR("Then you see what they publish for their followers. They see that you "
		      "follow them.");
	question.button = user.is_private ? "Ask to follow" : "Follow";
	return ask(rq, rs, &question);
}

static enum http_status
ask_to_block(struct request *rq, struct response *rs)
{
	struct confirmation question = {.value = STR("block"), .button = "Block"};
	struct relation relation;
	struct user user;
	enum http_status status = load(rq, MAY_BLOCK, &user, &relation);

	if (status != HTTP_OK)
		return status;
	if (follow_status(relation.both[0].item) == FOLLOW_BLOCKED)
		return redirect(rs, HTTP_SEE_OTHER, person_path(rq));
	question.title = STR_CONCAT(rq->arena, STR("Block "), user.display_name, STR("?"));
	question.message = STR(
	    "They can’t follow you then, answer you, or write under what you have published, and "
	    "neither of you follows the other any more. What they write elsewhere is folded for "
	    "you, without their name. They are not told.");
	return ask(rq, rs, &question);
}

/*
 * Following, blocking or muting: its inputs, permission and limit, and how it is done and undone.
 */
struct operation {
	const char *wish, *undo;
	enum action action;
	const char *full; /* the message for PLAN_FULL */
	enum plan_rc (*begin)(struct request *rq, struct plan *plan, const struct user *user,
	    const struct relation *relation);
	enum plan_rc (*end)(struct request *rq, struct plan *plan, struct str name);
};

static enum plan_rc
begin_follow(struct request *rq, struct plan *plan, const struct user *user,
    const struct relation *relation)
{
	(void)rq;
	return follow_begin(plan, user, &relation->limit);
}

static enum plan_rc
end_follow(struct request *rq, struct plan *plan, struct str name)
{
	(void)rq;
	return follow_end(plan, plan->by, name);
}

static enum plan_rc
begin_block(struct request *rq, struct plan *plan, const struct user *user,
    const struct relation *relation)
{
	if (rq->viewer->hidden.blocked.count >= HIDDEN_PEOPLE_MAX &&
	    !viewer_blocks(rq->viewer, user->username))
		return PLAN_FULL;
	return follow_block(plan, user, relation->both);
}

static enum plan_rc
end_block(struct request *rq, struct plan *plan, struct str name)
{
	(void)rq;
	return follow_unblock(plan, name);
}

static enum plan_rc
begin_mute(struct request *rq, struct plan *plan, const struct user *user,
    const struct relation *relation)
{
	(void)relation;
	return hidden_mute(plan, &rq->viewer->hidden, user->username, true);
}

static enum plan_rc
end_mute(struct request *rq, struct plan *plan, struct str name)
{
	return hidden_mute(plan, &rq->viewer->hidden, name, false);
}

/* The response to a refused plan, with when to try again. */
static enum http_status
refused(struct request *rq, struct response *rs, const struct plan *plan,
    const struct operation *operation, const struct rate *limit, enum plan_rc rc)
{
	if (rc == PLAN_TAKEN || rc == PLAN_FULL) {
		rs->error_text = rc == PLAN_FULL ? operation->full
						 : "You have blocked them. Unblock them first.";
		return HTTP_CONFLICT;
	}
	if (rc != PLAN_TOO_MANY)
		return plan_refused(rs, plan, rc);
	rs->error_text =
	    sign_in_wait(rq, rs, rate_wait_now(rq->table, &rq->call, limit, 1, rq->now));
	return HTTP_TOO_MANY;
}

static enum http_status
carry_out(struct request *rq, struct response *rs, const struct operation *operation)
{
	struct plan plan = plan_of(rq);
	struct str wish = input_of(rq, "do"), name = request_param(rq, "username");
	bool undone = str_eq(wish, str_of(operation->undo));
	enum http_status status = HTTP_OK;
	struct relation relation = {.limit = block_limit(plan.by)};
	struct user user;
	enum plan_rc rc;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	if (!undone && !str_eq(wish, str_of(operation->wish)))
		return HTTP_BAD_REQUEST;
	/* Undoing is possible even if the other account is closed. */
	if (!undone)
		status = load(rq, operation->action, &user, &relation);
	if (status != HTTP_OK)
		return status;
	rc = undone ? operation->end(rq, &plan, name) : operation->begin(rq, &plan, &user, &relation);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, person_path(rq))
			       : refused(rq, rs, &plan, operation, &relation.limit, rc);
}

static enum http_status
tell(struct request *rq, struct response *rs, bool told)
{
	struct plan plan = plan_of(rq);
	struct str name = request_param(rq, "username");
	enum plan_rc rc = username_valid(name) ? follow_tell(&plan, name, told) : PLAN_NOT_THERE;

	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, person_path(rq))
			       : plan_refused(rs, &plan, rc);
}

static enum http_status
follow(struct request *rq, struct response *rs)
{
	struct str wish = input_of(rq, "do");
	static const struct operation operation = {
	    "follow", "unfollow", MAY_FOLLOW, NULL, begin_follow, end_follow};

	if (str_eq(wish, STR("tell")) || str_eq(wish, STR("stop-telling")))
		return tell(rq, rs, str_eq(wish, STR("tell")));
	return carry_out(rq, rs, &operation);
}

static enum http_status
block(struct request *rq, struct response *rs)
{
	static const struct operation operation = {"block", "unblock", MAY_BLOCK,
	    "You have blocked as many people as you can. Unblock somebody first.", begin_block,
	    end_block};

	return carry_out(rq, rs, &operation);
}

static enum http_status
mute(struct request *rq, struct response *rs)
{
	static const struct operation operation = {"mute", "unmute", MAY_BLOCK,
	    "You have muted as many people as you can. Unmute somebody first.", begin_mute,
	    end_mute};

	return carry_out(rq, rs, &operation);
}

PAGE(author_mute, .post = mute)
PAGE(author_follow, .get = ask_to_follow, .post = follow)
PAGE(author_block, .get = ask_to_block, .post = block)
