/* What changes of people: profile, password, address, sessions; and their standing, of which one admin stays. */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/account_edit.h"
#include "model/people/name.h"
#include "model/people/new_email.h"

enum plan_rc
account_set_profile(struct plan *plan, const struct user *user, const struct profile *profile)
{
	struct edit *edit = edit_begin(plan);
	struct write writes[1 + NAME_WRITES_MAX];
	size_t count = 1;

	edit_text(edit, STR("DisplayName"), profile->display_name);
	edit_text(edit, STR("Bio"), profile->bio);
	edit_text(edit, STR("Link"), profile->link);
	edit_text(edit, STR("AvatarURL"), profile->avatar_url);
	edit_change(edit, CHANGE_SET, STR("Private"), value_boolean(profile->is_private));
	writes[0] = edit_write(edit, user->username);
	if (name_is_guarded(user))
		name_guard_change(edit->arena, user, profile->display_name, writes, &count);
	return count == 1 ? edit_write_one(plan, edit, user->username)
			  : account_transact(plan, writes, count);
}

enum plan_rc
account_set_password(
    struct plan *plan, const struct user *user, struct str password, struct session *session)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	return edit_next_era(plan, edit, user, session, AUDIT_USER_PASSWORD);
}

enum plan_rc
account_rehash(struct plan *plan, struct str username, struct str old, struct str new)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(new));
	edit_only_if(edit, STR("PasswordHash"), value_string(old));
	return edit_write_one(plan, edit, username);
}

enum plan_rc
account_set_email(struct plan *plan, const struct user *user, struct str email)
{
	struct edit *edit = edit_begin(plan);
	struct write writes[3];

	new_email_drop(edit);
	if (!str_eq(email, user->email))
		return edit_move_email(plan, edit, user, email);
	writes[0] = edit_write(edit, user->username);
	return account_transact(plan, writes, user->new_email.len != 0);
}

enum plan_rc
account_end_sessions(struct plan *plan, const struct user *user, struct session *session)
{
	return edit_next_era(plan, edit_begin(plan), user, session, AUDIT_USER_SESSIONS);
}

enum plan_rc
account_end_session(struct plan *plan, const struct user *user, struct str hash)
{
	struct write writes[3] = {session_delete(plan->call->arena, hash, user->username)};
	enum plan_rc rc = account_transact(plan, writes, 1);

	return rc == PLAN_CHANGED ? account_transact(plan, writes, 0) : rc;
}

/* Finds an active admin who is not this one. *name is empty when there is none. */
static enum table_rc
other_admin(struct plan *plan, struct str username, struct str *name)
{
	struct query query = query_people(
	    plan->call->arena, str_of(user_standing(ROLE_ADMIN, USER_ACTIVE)), STR(""));
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = 2;
	rc = table_query(plan->table, plan->call, &query, &found, &count, &next);
	*name = STR("");
	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		if (!str_eq(item_string(&found[i], STR("Username")), username))
			*name = item_string(&found[i], STR("Username"));
	return rc;
}

/* Is still an active admin. */
static struct write
stays_admin(struct arena *arena, struct str username)
{
	struct condition *both = ARENA_ARRAY(arena, 3, struct condition);

	both[0] = (struct condition){.op = COND_EQ,
	    .name = STR("Role"),
	    .value = value_string(str_of(role_name(ROLE_ADMIN)))};
	both[1] = (struct condition){.op = COND_EQ,
	    .name = STR("Status"),
	    .value = value_string(str_of(user_status_name(USER_ACTIVE)))};
	both[2] = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	return (struct write){
	    .kind = WRITE_CHECK, .key = key_user(arena, username), .condition = &both[2]};
}

static bool
is_active_admin(enum role role, enum user_status status)
{
	return role == ROLE_ADMIN && status == USER_ACTIVE;
}

enum plan_rc
account_keep_admin(
    struct plan *plan, const struct user *leaving, struct write *writes, size_t *count)
{
	struct str other;
	enum table_rc rc;

	if (!is_active_admin(leaving->role, leaving->status))
		return PLAN_DONE;
	rc = other_admin(plan, leaving->username, &other);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (other.len == 0)
		return PLAN_LAST_ADMIN;
	writes[(*count)++] = stays_admin(plan->call->arena, other);
	return PLAN_DONE;
}

/* What the log says of a change of standing. */
static struct str
standing_change(
    struct arena *arena, const struct user *was, enum role role, enum user_status status)
{
	struct str change = audit_change(
	    arena, STR(""), "role", str_of(role_name(was->role)), str_of(role_name(role)));

	return audit_change(arena, change, "status", str_of(user_status_name(was->status)),
	    str_of(user_status_name(status)));
}

/* The names of authors and staff are guarded, and those of who has published. */
static void
guard_names(struct arena *arena, const struct user *was, enum role role, struct write *writes,
    size_t *count)
{
	struct user is = *was;

	is.role = role;
	if (name_is_guarded(&is) && !name_is_guarded(was))
		name_guard(arena, &is, writes, count);
	if (!name_is_guarded(&is) && name_is_guarded(was))
		name_unguard(arena, &is, writes, count);
}

enum plan_rc
account_set_standing(struct plan *plan, struct str username, int role_to_be, int status_to_be)
{
	struct edit *edit = edit_begin(plan);
	struct account account;
	struct write writes[5];
	size_t count = 1;
	enum plan_rc found = account_find(plan, username, &account);
	enum user_status status;
	enum role role;

	if (found != PLAN_DONE)
		return found;
	role = role_to_be == AS_IT_IS ? account.user.role : (enum role)role_to_be;
	status = status_to_be == AS_IT_IS ? account.user.status : (enum user_status)status_to_be;
	edit_change(edit, CHANGE_SET, STR("Role"), value_string(str_of(role_name(role))));
	edit_change(
	    edit, CHANGE_SET, STR("Status"), value_string(str_of(user_status_name(status))));
	edit_change(edit, CHANGE_SET, STR("GSI2PK"),
	    value_string(key_standing(edit->arena, str_of(user_standing(role, status)))));
	edit_change(edit, CHANGE_SET, STR("GSI2SK"), value_string(account.user.username));
	/* Who waits has no session, and perhaps a link by which an address is confirmed. */
	if (status != account.user.status && account.user.status != USER_WAITING)
		edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	/* Of two changes at once the second is told: each builds on what was read. */
	edit_only_in_era(edit, account.user.era);
	edit_only_standing(edit, &account.user);
	/* Who has left stands among nobody, and whoever works that off would not find them any more. */
	edit_only(edit, (struct condition){.op = COND_EXISTS, .name = STR("GSI2PK")});
	writes[0] = edit_write(edit, username);
	if (!is_active_admin(role, status)) {
		found = account_keep_admin(plan, &account.user, writes, &count);
		if (found != PLAN_DONE)
			return found;
	}
	guard_names(edit->arena, &account.user, role, writes, &count);
	account_log(plan, writes, &count, AUDIT_USER_STANDING, account.user.username,
	    standing_change(edit->arena, &account.user, role, status));
	return account_transact(plan, writes, count);
}
