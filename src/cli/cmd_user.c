/*
 * broadsheet user …: accounts, for an operator who has none yet or is locked out. The first admin
 * is created here, and anybody can be given a new password.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/people/password.h"
#include "model/people/reset.h"
#include "model/people/two_step.h"

#include <stdio.h>
#include <string.h>

enum { PEOPLE_PAGE = 200 };

const struct option user_options[] = {
    {"admin", NULL, "create, invite: an admin"},
    {"link", NULL, "create, reset: a link to choose a password by, good once for 30 minutes"},
    {"role", "ROLE", "create, invite: reader (the default), author, editor or admin"},
    {NULL},
};

struct user_call {
	struct invocation *in;
	struct plan plan;
	const char *const *words; /* the arguments after the action */
	size_t count;
};

static enum outcome
refuse(const char *name, enum plan_rc rc, const struct user_call *c)
{
	switch (rc) {
	case PLAN_DONE: return OUTCOME_DONE;
	case PLAN_TAKEN: complain("%s: somebody has this name", name); break;
	case PLAN_EMAIL_TAKEN: complain("%s: somebody has this e-mail address", name); break;
	case PLAN_NOT_INVITED: complain("%s: not invited", name); break;
	case PLAN_NOT_THERE: complain("%s: there is nobody of this name", name); break;
	case PLAN_LAST_ADMIN:
		complain("%s is the only admin, and somebody has to stay", name);
		break;
	case PLAN_TABLE: return table_failed(c->plan.failed, c->plan.call->why);
	default: complain("%s: somebody else changed this account just now; try again", name);
	}
	return OUTCOME_FAILED;
}

/* A random password, and its hash. */
static bool
make_password(struct user_call *c, struct str *password, struct str *hash)
{
	struct password_limiter *limiter = password_limiter_new(&password_cost_usual, 1, 0);
	enum password_rc rc;

	*password = password_make(c->in->arena, c->in->clock);
	rc = password_hash(limiter, c->in->arena, *password, hash);
	password_limiter_free(limiter);
	if (rc != PASSWORD_RIGHT)
		complain("there is not enough memory to hash a password");
	return rc == PASSWORD_RIGHT;
}

/* A link for choosing a new password; in the arena. */
static enum plan_rc
make_link(struct user_call *c, const struct user *user, struct str *link)
{
	struct arena *arena = c->in->arena;
	struct str code;
	enum plan_rc rc = account_reset_begin(&c->plan, c->in->clock, user, &code);

	*link = STR_CONCAT(arena, c->in->config.origin, STR("/reset/"), code);
	return rc;
}

static bool
role_given(const struct invocation *in, enum role *role)
{
	const char *name = option_given(in, "role");
	int found = name != NULL ? role_of(str_of(name)) : ROLE_READER;

	if (option_given(in, "admin") != NULL)
		found = ROLE_ADMIN;
	*role = (enum role)found;
	if (found < 0)
		complain(
		    "user: there is no role \"%s\"; there are reader, author, editor and admin",
		    name);
	return found >= 0;
}

static enum outcome
create(struct user_call *c)
{
	struct arena *arena = c->in->arena;
	struct new_account new = {.username = str_lower(arena, str_of(c->words[0])),
	    .status = account_admission(REGISTRATION_CLOSED, WAY_BY_STAFF) == ADMISSION_YES
			  ? USER_ACTIVE
			  : USER_WAITING};
	bool by_link = option_given(c->in, "link") != NULL;
	struct str secret;
	enum plan_rc rc;

	if (!role_given(c->in, &new.role))
		return OUTCOME_USAGE;
	if (!username_valid(new.username)) {
		complain("\"%s\" is no name: 3 to 30 letters from a to z, digits and underscores",
		    c->words[0]);
		return OUTCOME_USAGE;
	}
	if (!email_normal(arena, str_of(c->words[1]), &new.email)) {
		complain("\"%s\" is no e-mail address", c->words[1]);
		return OUTCOME_USAGE;
	}
	if (!by_link && !make_password(c, &secret, &new.password))
		return OUTCOME_FAILED;
	rc = account_create(&c->plan, &new);
	if (rc == PLAN_DONE && by_link)
		rc = make_link(
		    c, &(struct user){.username = new.username, .email = new.email}, &secret);
	if (rc != PLAN_DONE)
		return refuse(c->words[rc == PLAN_EMAIL_TAKEN], rc, c);
	printf("%.*s is registered as %s. %s\n%.*s\n", STR_ARGS(new.username), role_name(new.role),
	    by_link ? "A link to choose a password by, good once, for 30 minutes:"
		    : "The password, which is shown this once:",
	    STR_ARGS(secret));
	return OUTCOME_DONE;
}

static enum outcome
list(struct user_call *c)
{
	struct query query = query_users();
	struct str next;

	query.limit = PEOPLE_PAGE;
	do {
		struct item *found;
		size_t count;
		enum table_rc rc =
		    table_query(c->plan.table, c->plan.call, &query, &found, &count, &next);

		if (rc != TABLE_OK)
			return table_failed(rc, c->plan.call->why);
		for (size_t i = 0; i < count; i++) {
			struct user user;

			user_from_item(c->in->arena, &found[i], &user);
			printf("%-30.*s %-8s %-9s %.*s\n", STR_ARGS(user.username),
			    role_name(user.role), user_status_name(user.status),
			    STR_ARGS(user.email));
		}
		query.cursor = next;
	} while (next.len != 0);
	return OUTCOME_DONE;
}

static enum outcome
reset(struct user_call *c)
{
	bool by_link = option_given(c->in, "link") != NULL;

	for (size_t i = 0; i < c->count; i++) {
		struct account account;
		struct str secret, hash;
		enum plan_rc rc = account_find(&c->plan, str_of(c->words[i]), &account);

		if (rc == PLAN_DONE && !by_link && !make_password(c, &secret, &hash))
			return OUTCOME_FAILED;
		if (rc == PLAN_DONE)
			rc = by_link ? make_link(c, &account.user, &secret)
				     : account_set_password(&c->plan, &account.user, hash, NULL);
		if (rc != PLAN_DONE)
			return refuse(c->words[i], rc, c);
		printf("%.*s %.*s\n", STR_ARGS(account.user.username), STR_ARGS(secret));
	}
	return OUTCOME_DONE;
}

/* Changes role or status; AS_IT_IS leaves one unchanged. */
static enum outcome
set_role_and_status(struct user_call *c, int role, int status)
{
	struct account account;
	enum plan_rc rc = account_find(&c->plan, str_of(c->words[0]), &account);

	if (rc == PLAN_DONE)
		rc = account_set_role_and_status(&c->plan, account.user.username, role, status);
	if (rc == PLAN_DONE || rc == PLAN_TAKEN)
		printf("%.*s is %s %s%s\n", STR_ARGS(account.user.username),
		    role >= 0 ? role_name((enum role)role) : user_status_name((enum user_status)status),
		    rc == PLAN_TAKEN ? "already" : "now",
		    rc == PLAN_DONE && status == USER_DISABLED ? ", and signed out everywhere" : "");
	return refuse(c->words[0], rc == PLAN_TAKEN ? PLAN_DONE : rc, c);
}

static enum outcome
role(struct user_call *c)
{
	int role = role_of(str_of(c->words[1]));

	if (role >= 0)
		return set_role_and_status(c, role, AS_IT_IS);
	complain("user: there is no role \"%s\"; there are reader, author, editor and admin",
	    c->words[1]);
	return OUTCOME_USAGE;
}

static enum outcome
disable(struct user_call *c)
{
	return set_role_and_status(c, AS_IT_IS, USER_DISABLED);
}

static enum outcome
enable(struct user_call *c)
{
	return set_role_and_status(c, AS_IT_IS, USER_ACTIVE);
}

/* For somebody who has lost both their app and their recovery codes. */
static enum outcome
one_step(struct user_call *c)
{
	struct account account;
	enum plan_rc rc = account_find(&c->plan, str_of(c->words[0]), &account);

	if (rc == PLAN_DONE)
		rc = two_step_off(&c->plan, &account.user);
	if (rc == PLAN_DONE)
		printf(
		    "%.*s signs in with the password alone now\n", STR_ARGS(account.user.username));
	return refuse(c->words[0], rc, c);
}

static enum outcome
invite(struct user_call *c)
{
	struct arena *arena = c->in->arena;
	struct str code = session_token(arena, c->in->clock);
	struct invitation invitation = {
	    .hash = session_hash(arena, code), .by = STR("command line")};
	enum plan_rc rc;

	if (!role_given(c->in, &invitation.role))
		return OUTCOME_USAGE;
	rc = account_invite(&c->plan, &invitation);
	if (rc == PLAN_DONE)
		printf("Good for one person, for a week:\n%.*s/register?invitation=%.*s\n",
		    STR_ARGS(c->in->config.origin), STR_ARGS(code));
	return refuse("invite", rc, c);
}

static const struct {
	const char *name, *arguments;
	size_t least, most;
	enum outcome (*run)(struct user_call *c);
} actions[] = {
    {"create", "NAME EMAIL", 2, 2, create},
    {"list", "", 0, 0, list},
    {"reset", "NAME...", 1, 16, reset},
    {"role", "NAME ROLE", 2, 2, role},
    {"disable", "NAME", 1, 1, disable},
    {"enable", "NAME", 1, 1, enable},
    {"one-step", "NAME", 1, 1, one_step},
    {"invite", "", 0, 0, invite},
};

enum outcome
cmd_user(struct invocation *in)
{
	struct table_call call = {.arena = in->arena};
	struct user_call c = {.in = in,
	    .plan = {.call = &call,
		.clock = in->clock,
		.now = clock_now(in->clock),
		.by = STR("command line"),
		.audited = true},
	    .words = in->arguments + 1,
	    .count = in->argument_count - 1};
	enum outcome outcome;
	size_t i = 0;

	while (i < sizeof(actions) / sizeof(actions[0]) &&
	       strcmp(actions[i].name, in->arguments[0]) != 0)
		i++;
	if (i == sizeof(actions) / sizeof(actions[0])) {
		complain("user: there is no \"%s\"; see `broadsheet help user`", in->arguments[0]);
		return OUTCOME_USAGE;
	}
	if (c.count < actions[i].least || c.count > actions[i].most) {
		complain("user: broadsheet user %s %s", actions[i].name, actions[i].arguments);
		return OUTCOME_USAGE;
	}
	outcome = open_store(in, TABLE_OPEN_CREATE, &c.plan.table);
	if (outcome == OUTCOME_DONE && actions[i].run != list)
		outcome = note_format(in, c.plan.table);
	if (outcome == OUTCOME_DONE)
		outcome = actions[i].run(&c);
	table_release(c.plan.table, &call);
	table_close(c.plan.table);
	return outcome;
}
