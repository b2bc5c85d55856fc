/* What changes of people: profile, password, address, sessions; and their standing, of which one admin stays. */
#include "base/arena.h"
#include "model/account_edit.h"
#include "model/key.h"
#include "model/name.h"
#include "model/new_email.h"

enum account_rc
account_set_profile(struct accounts *a, const struct user *user, const struct profile *profile)
{
	struct edit *edit = edit_begin(a);
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
	return count == 1 ? edit_write_one(a, edit, user->username)
			  : account_transact(a, writes, count);
}

enum account_rc
account_set_password(
    struct accounts *a, const struct user *user, struct str password, struct session *session)
{
	struct edit *edit = edit_begin(a);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	return edit_next_era(a, edit, user, session, AUDIT_USER_PASSWORD);
}

enum account_rc
account_rehash(struct accounts *a, struct str username, struct str old, struct str new)
{
	struct edit *edit = edit_begin(a);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(new));
	edit_only_if(edit, STR("PasswordHash"), value_string(old));
	return edit_write_one(a, edit, username);
}

enum account_rc
account_set_email(struct accounts *a, const struct user *user, struct str email)
{
	struct edit *edit = edit_begin(a);
	struct write writes[3];

	new_email_drop(edit);
	if (!str_eq(email, user->email))
		return edit_move_email(a, edit, user, email);
	writes[0] = edit_write(edit, user->username);
	return account_transact(a, writes, user->new_email.len != 0);
}

enum account_rc
account_end_sessions(struct accounts *a, const struct user *user, struct session *session)
{
	return edit_next_era(a, edit_begin(a), user, session, AUDIT_USER_SESSIONS);
}

enum account_rc
account_end_session(struct accounts *a, const struct user *user, struct str hash)
{
	struct write writes[3] = {session_delete(a->call->arena, hash, user->username)};
	enum account_rc rc = account_transact(a, writes, 1);

	return rc == ACCOUNT_CHANGED ? account_transact(a, writes, 0) : rc;
}

/* Finds an active admin who is not this one. *name is empty when there is none. */
static enum table_rc
other_admin(struct accounts *a, struct str username, struct str *name)
{
	struct query query =
	    query_people(a->call->arena, str_of(user_standing(ROLE_ADMIN, USER_ACTIVE)), STR(""));
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = 2;
	rc = table_query(a->table, a->call, &query, &found, &count, &next);
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

enum account_rc
account_keep_admin(
    struct accounts *a, const struct user *leaving, struct write *writes, size_t *count)
{
	struct str other;
	enum table_rc rc;

	if (!is_active_admin(leaving->role, leaving->status))
		return ACCOUNT_DONE;
	rc = other_admin(a, leaving->username, &other);
	if (rc != TABLE_OK)
		return account_failed(a, rc);
	if (other.len == 0)
		return ACCOUNT_LAST_ADMIN;
	writes[(*count)++] = stays_admin(a->call->arena, other);
	return ACCOUNT_DONE;
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

enum account_rc
account_set_standing(struct accounts *a, struct str username, int role_to_be, int status_to_be)
{
	struct edit *edit = edit_begin(a);
	struct account account;
	struct write writes[5];
	size_t count = 1;
	enum account_rc found = account_find(a, username, &account);
	enum user_status status;
	enum role role;

	if (found != ACCOUNT_DONE)
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
		found = account_keep_admin(a, &account.user, writes, &count);
		if (found != ACCOUNT_DONE)
			return found;
	}
	guard_names(edit->arena, &account.user, role, writes, &count);
	account_log(a, writes, &count, AUDIT_USER_STANDING, account.user.username,
	    standing_change(edit->arena, &account.user, role, status));
	return account_transact(a, writes, count);
}
