/*
 * Accounts: finding, registering and changing them. Names and addresses are unique, and one active
 * admin always remains.
 */
#include "model/people/account.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/site/settings.h"
#include "model/people/account_private.h"
#include "model/people/portrait.h"
#include "model/people/name.h"
#include "model/people/session.h"

#include <assert.h>

/* --- Finding ---------------------------------------------------------------------------------------- */

void
account_from_item(struct arena *arena, const struct item *item, struct account *out)
{
	const struct value *key = item_get(item, STR("SecondKey"));
	const struct value *salt = item_get(item, STR("RecoverySalt"));

	user_from_item(arena, item, &out->user);
	out->password = item_string(item, STR("PasswordHash"));
	out->two_step = (struct two_step){.last = item_number(item, STR("SecondLast"))};
	if (key != NULL && key->kind == VALUE_BINARY)
		out->two_step.key = key->string;
	if (salt != NULL && salt->kind == VALUE_BINARY)
		out->two_step.salt = salt->string;
	out->two_step.codes =
	    item_strings(arena, item, STR("RecoveryCodes"), &out->two_step.codes_left);
}

/* Reads an item, and `also` unless it is NULL, in one round trip. */
static enum table_rc
get_with(struct plan *plan, struct key key, struct read *also, struct item **item)
{
	struct read reads[2] = {{.kind = READ_GET, .key = key}};
	enum table_rc rc;

	if (also != NULL)
		reads[1] = *also;
	rc = table_read(plan->table, plan->call, reads, also != NULL ? 2 : 1);
	if (also != NULL)
		*also = reads[1];
	*item = reads[0].item;
	return rc;
}

enum plan_rc
account_find_with(struct plan *plan, struct str typed, struct read *also, struct account *out)
{
	struct arena *arena = plan->call->arena;
	struct str name = str_lower(arena, str_trim(typed)), email;
	bool by_email = email_normal(arena, typed, &email);
	enum table_rc rc = TABLE_OK;
	struct item *item = NULL;

	if (by_email) {
		rc = get_with(plan, key_email(arena, email), also, &item);
		name =
		    rc == TABLE_OK && item != NULL ? item_string(item, STR("Username")) : STR("");
		also = NULL;
	}
	/* No username is "-": looking for nobody takes as long as looking for somebody. */
	if (!username_valid(name))
		name = STR("-");
	if (rc == TABLE_OK)
		rc = get_with(plan, key_user(arena, name), also, &item);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (item == NULL)
		return PLAN_NOT_THERE;
	account_from_item(arena, item, out);
	return PLAN_DONE;
}

enum plan_rc
account_find(struct plan *plan, struct str typed, struct account *out)
{
	return account_find_with(plan, typed, NULL, out);
}

/* --- Registering ------------------------------------------------------------------------------------ */

enum admission
account_admission(enum registration policy, enum way_in way)
{
	if (way == WAY_BY_STAFF)
		return ADMISSION_YES;
	switch (policy) {
	case REGISTRATION_OPEN: return ADMISSION_YES;
	case REGISTRATION_INVITATION: return way == WAY_INVITED ? ADMISSION_YES : ADMISSION_INVITE;
	case REGISTRATION_APPROVAL: return way == WAY_INVITED ? ADMISSION_YES : ADMISSION_WAIT;
	/* People who are invited get in. */
	case REGISTRATION_CLOSED: return way == WAY_INVITED ? ADMISSION_YES : ADMISSION_NO;
	}
	return ADMISSION_NO;
}

static struct item
user_item(struct plan *plan, const struct new_account *new)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	const struct user user = {.username = new->username,
	    .email = new->email,
	    .display_name = new->display_name.len != 0 ? new->display_name : new->username,
	    .role = new->role,
	    .status = new->status,
	    .created = plan->now,
	    .updated = plan->now};

	key_set(arena, &item, key_user(arena, new->username), ITEM_USER);
	key_index_user(
	    arena, &item, new->username, str_of(user_role_or_status(new->role, new->status)));
	bind_write(arena, &user_bindings, &user, &item);
	if (new->new_email.len != 0)
		new_email_note(arena, &item, new->new_email, new->new_email_code, plan->now);
	if (new->password.len != 0)
		item_set(arena, &item, STR("PasswordHash"), value_string(new->password));
	return item;
}

/* Claims an address, which must be free. */
static void
claim_email(struct plan *plan, struct str email, struct str username)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_email(arena, email), ITEM_EMAIL_CLAIM);
	item_set(arena, &item, STR("Username"), value_string(username));
	plan_create(plan, item, PLAN_EMAIL_TAKEN);
}

void
account_release_email(struct plan *plan, const struct user *user)
{
	struct condition *theirs = ARENA_NEW(plan->call->arena, struct condition);

	/* An imported account may have none. */
	if (user->email.len == 0)
		return;
	*theirs = (struct condition){
	    .op = COND_EQ, .name = STR("Username"), .value = value_string(user->username)};
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_email(plan->call->arena, user->email),
		.condition = theirs},
	    PLAN_CHANGED);
}

enum plan_rc
account_create(struct plan *plan, const struct new_account *new)
{
	struct arena *arena = plan->call->arena;
	const struct user user = {
	    .username = new->username, .display_name = new->display_name, .role = new->role};

	plan_create(plan, user_item(plan, new), PLAN_TAKEN);
	if (new->email.len != 0)
		claim_email(plan, new->email, new->username);
	if (new->invitation != NULL)
		invitation_use(plan, new->invitation);
	if (new->session != NULL)
		plan_add(plan, session_put(arena, new->session), PLAN_CHANGED);
	if (name_is_guarded(&user))
		name_guard(plan, &user);
	audit_log(plan, AUDIT_USER_CREATE, new->username,
	    str_of(user_role_or_status(new->role, new->status)));
	return plan_commit(plan);
}

/* --- An update of a person ----------------------------------------------------------------------------- */

struct edit *
edit_begin(struct plan *plan)
{
	struct edit *edit = ARENA_NEW(plan->call->arena, struct edit);

	edit->plan = plan;
	edit->arena = plan->call->arena;
	edit->all = (struct condition){.op = COND_ALL, .children = edit->conditions};
	edit_only(edit, plan_present);
	edit_change(
	    edit, CHANGE_SET, STR("UpdatedAt"), value_string(time_format(edit->arena, plan->now)));
	return edit;
}

void
edit_change(struct edit *edit, enum change_op op, struct str name, struct value value)
{
	assert(edit->change_count < EDIT_CHANGES_MAX);
	edit->changes[edit->change_count++] = (struct change){op, name, value};
}

void
edit_text(struct edit *edit, struct str name, struct str text)
{
	edit_change(edit, text.len != 0 ? CHANGE_SET : CHANGE_REMOVE, name, value_string(text));
}

void
edit_only(struct edit *edit, struct condition condition)
{
	assert(edit->all.count < EDIT_CONDITIONS_MAX);
	edit->conditions[edit->all.count++] = condition;
}

void
edit_only_if(struct edit *edit, struct str name, struct value value)
{
	edit_only(edit, (struct condition){.op = COND_EQ, .name = name, .value = value});
}

void
edit_only_still(struct edit *edit, struct str name, struct str text)
{
	struct condition *same = ARENA_ARRAY(edit->arena, 2, struct condition);

	same[0] = (struct condition){.op = COND_EQ, .name = name, .value = value_string(text)};
	/* An empty text is stored as such where the item was written whole. */
	same[1] = (struct condition){.op = COND_MISSING, .name = name};
	edit_only(edit, (struct condition){.op = COND_ANY, .children = same, .count = text.len == 0 ? 2 : 1});
}

void
edit_profile_status(struct edit *edit, const struct user *user, enum restricted is)
{
	edit_text(edit, STR("ProfileStatus"), str_of(restricted_words[is]));
	edit_only_still(edit, STR("ProfileStatus"), str_of(restricted_words[user->profile]));
}

void
edit_only_in_era(struct edit *edit, int64_t era)
{
	edit->era[0] =
	    (struct condition){.op = COND_EQ, .name = STR("Era"), .value = value_number(era)};
	/* The attribute does not exist before the first increment. */
	edit->era[1] = (struct condition){.op = COND_MISSING, .name = STR("Era")};
	edit_only(edit,
	    (struct condition){.op = COND_ANY, .children = edit->era, .count = era == 0 ? 2 : 1});
}

void
edit_only_role_and_status(struct edit *edit, const struct user *user)
{
	edit_only_if(edit, STR("Role"), value_string(str_of(role_name(user->role))));
	edit_only_if(edit, STR("Status"), value_string(str_of(user_status_name(user->status))));
}

void
edit_end(struct edit *edit, struct str username)
{
	plan_add(edit->plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_user(edit->arena, username),
		.changes = edit->changes,
		.change_count = edit->change_count,
		.condition = &edit->all},
	    PLAN_CHANGED);
}

enum plan_rc
edit_next_era(
    struct edit *edit, const struct user *user, struct session *session, enum audit_action action)
{
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_in_era(edit, user->era);
	edit_end(edit, user->username);
	if (session != NULL) {
		session->era = user->era + 1;
		plan_add(edit->plan, session_put(edit->arena, session), PLAN_CHANGED);
	}
	audit_log(edit->plan, action, user->username, STR(""));
	return plan_commit(edit->plan);
}

enum plan_rc
edit_move_email(struct edit *edit, const struct user *user, struct str email)
{
	edit_change(edit, CHANGE_SET, STR("Email"), value_string(email));
	edit_only_still(edit, STR("Email"), user->email);
	/*
	 * The password was proved in this era; if it has been changed since, that proves nothing.
	 */
	edit_only_in_era(edit, user->era);
	claim_email(edit->plan, email, user->username);
	edit_end(edit, user->username);
	account_release_email(edit->plan, user);
	return plan_commit(edit->plan);
}

/* --- Changing ------------------------------------------------------------------------------------------ */

enum plan_rc
account_set_profile(struct plan *plan, const struct user *user, const struct profile *profile,
    enum restricted is)
{
	struct edit *edit = edit_begin(plan);

	edit_text(edit, STR("DisplayName"), profile->display_name);
	edit_text(edit, STR("Bio"), profile->bio);
	edit_text(edit, STR("Link"), profile->link);
	edit_profile_status(edit, user, is);
	edit_change(edit, CHANGE_SET, STR("Private"), value_boolean(profile->is_private));
	edit_end(edit, user->username);
	if (name_is_guarded(user))
		name_guard_change(plan, user, profile->display_name);
	return plan_commit(plan);
}

/* It says what it said when it was read. */
static void
edit_only_profile(struct edit *edit, const struct item *person)
{
	for (const struct profile_part *part = profile_parts; part->name != NULL; part++)
		edit_only_still(edit, str_of(part->name), item_string(person, str_of(part->name)));
	edit_only_still(edit, STR("ProfileStatus"), item_string(person, STR("ProfileStatus")));
}

enum plan_rc
account_restrict_profile(struct plan *plan, const struct item *person, enum restricted is)
{
	struct edit *edit = edit_begin(plan);

	edit_text(edit, STR("ProfileStatus"), str_of(restricted_words[is]));
	edit_only_profile(edit, person);
	edit_end(edit, item_string(person, STR("Username")));
	return plan_commit(plan);
}

enum plan_rc
account_erase_profile(struct plan *plan, const struct item *person)
{
	struct edit *edit = edit_begin(plan);
	struct user user;

	user_from_item(plan->call->arena, person, &user);
	if (user.profile != RESTRICTED_HIDDEN)
		return PLAN_DONE;
	for (const struct profile_part *part = profile_parts; part->name != NULL; part++)
		edit_text(edit, str_of(part->name), STR(""));
	edit_text(edit, STR("DisplayName"), STR(""));
	edit_text(edit, STR("ProfileStatus"), STR(""));
	edit_only_profile(edit, person);
	edit_end(edit, user.username);
	portrait_let_go(plan, user.username, user.avatar_url);
	if (name_is_guarded(&user))
		name_guard_change(plan, &user, STR(""));
	return plan_commit(plan);
}

enum plan_rc
account_set_password(
    struct plan *plan, const struct user *user, struct str password, struct session *session)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	return edit_next_era(edit, user, session, AUDIT_USER_PASSWORD);
}

enum plan_rc
account_rehash(struct plan *plan, struct str username, struct str old, struct str new)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(new));
	edit_only_if(edit, STR("PasswordHash"), value_string(old));
	edit_end(edit, username);
	return plan_commit(plan);
}

enum plan_rc
account_set_email(struct plan *plan, const struct user *user, struct str email)
{
	struct edit *edit = edit_begin(plan);

	new_email_drop(edit);
	if (!str_eq(email, user->email))
		return edit_move_email(edit, user, email);
	if (user->new_email.len != 0)
		edit_end(edit, user->username);
	return plan_commit(plan);
}

enum plan_rc
account_end_sessions(struct plan *plan, const struct user *user, struct session *session)
{
	return edit_next_era(edit_begin(plan), user, session, AUDIT_USER_SESSIONS);
}

enum plan_rc
account_end_session(struct plan *plan, const struct user *user, struct str hash)
{
	plan_add(plan, session_delete(plan->call->arena, hash, user->username), PLAN_DONE);
	return plan_commit(plan);
}

/* Finds an active admin who is not this one. *name is empty when there is none. */
static enum table_rc
other_admin(struct plan *plan, struct str username, struct str *name)
{
	struct query query = query_people(
	    plan->call->arena, str_of(user_role_or_status(ROLE_ADMIN, USER_ACTIVE)), STR(""));
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

struct write
account_is_admin(struct arena *arena, struct str username)
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
account_keep_admin(struct plan *plan, const struct user *leaving)
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
	plan_add(plan, account_is_admin(plan->call->arena, other), PLAN_CHANGED);
	return PLAN_DONE;
}

/* What the log says of a change of role or status. */
static struct str
role_and_status_change(
    struct arena *arena, const struct user *was, enum role role, enum user_status status)
{
	struct str change = audit_change(
	    arena, STR(""), "role", str_of(role_name(was->role)), str_of(role_name(role)));

	return audit_change(arena, change, "status", str_of(user_status_name(was->status)),
	    str_of(user_status_name(status)));
}

/* The names of authors and staff are guarded, and those of people who have published. */
static void
guard_names(struct plan *plan, const struct user *was, enum role role)
{
	struct user is = *was;

	is.role = role;
	if (name_is_guarded(&is) && !name_is_guarded(was))
		name_guard(plan, &is);
	if (!name_is_guarded(&is) && name_is_guarded(was))
		name_unguard(plan, &is);
}

/* On the condition that they are as they were read. */
static enum plan_rc
set_role_and_status(struct plan *plan, const struct account *was, enum role role, enum user_status status)
{
	struct edit *edit = edit_begin(plan);
	enum plan_rc rc = is_active_admin(role, status) ? PLAN_DONE : account_keep_admin(plan, &was->user);

	if (rc != PLAN_DONE)
		return rc;
	edit_change(edit, CHANGE_SET, STR("Role"), value_string(str_of(role_name(role))));
	edit_change(
	    edit, CHANGE_SET, STR("Status"), value_string(str_of(user_status_name(status))));
	edit_change(edit, CHANGE_SET, STR("GSI2PK"),
	    value_string(key_people(edit->arena, str_of(user_role_or_status(role, status)))));
	edit_change(edit, CHANGE_SET, STR("GSI2SK"), value_string(was->user.username));
	/* A waiting person has no session, and perhaps a link that confirms their address. */
	if (status != was->user.status && was->user.status != USER_WAITING)
		edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	/* Of two concurrent changes the second is refused: each builds on what was read. */
	edit_only_in_era(edit, was->user.era);
	edit_only_role_and_status(edit, &was->user);
	/* A person who has left has no GSI2PK; a new one would hide them from the removal. */
	edit_only(edit, (struct condition){.op = COND_EXISTS, .name = STR("GSI2PK")});
	edit_end(edit, was->user.username);
	guard_names(plan, &was->user, role);
	audit_log(plan, AUDIT_USER_STANDING, was->user.username,
	    role_and_status_change(edit->arena, &was->user, role, status));
	return plan_commit(plan);
}

enum plan_rc
account_set_role_and_status(
    struct plan *plan, struct str username, int role_to_be, int status_to_be)
{
	struct account account;
	enum plan_rc found = account_find(plan, username, &account);
	enum role role;
	enum user_status status;

	if (found != PLAN_DONE)
		return found;
	role = role_to_be == AS_IT_IS ? account.user.role : (enum role)role_to_be;
	status = status_to_be == AS_IT_IS ? account.user.status : (enum user_status)status_to_be;
	if (role == account.user.role && status == account.user.status)
		return PLAN_TAKEN;
	return set_role_and_status(plan, &account, role, status);
}

enum plan_rc
account_decide(struct plan *plan, struct str username, enum user_status to)
{
	struct account account;
	enum plan_rc found = account_find(plan, username, &account);

	if (found != PLAN_DONE)
		return found;
	if (account.user.status != USER_WAITING)
		return account.user.status == to ? PLAN_TAKEN : PLAN_CHANGED;
	return set_role_and_status(plan, &account, account.user.role, to);
}

enum plan_rc
account_set_verified(struct plan *plan, struct str username, bool verified)
{
	struct edit *edit = edit_begin(plan);
	struct account account;
	enum plan_rc found = account_find(plan, username, &account);

	if (found != PLAN_DONE || account.user.verified == verified)
		return found;
	if (verified && account.user.status != USER_ACTIVE)
		return PLAN_CHANGED;
	edit_change(
	    edit, verified ? CHANGE_SET : CHANGE_REMOVE, STR("Verified"), value_boolean(true));
	edit_only_role_and_status(edit, &account.user);
	edit_end(edit, account.user.username);
	settings_mark(plan, account.user.username, verified);
	audit_log(plan, AUDIT_USER_VERIFY, account.user.username,
	    verified ? STR("given") : STR("taken away"));
	return plan_commit(plan);
}

/* --- An address that is not confirmed --------------------------------------------------------- */

#define NEW_EMAIL STR("NewEmail")
#define NEW_EMAIL_HASH STR("NewEmailHash")
#define NEW_EMAIL_UNTIL STR("NewEmailUntil")

/* Of code and era, so that a code from before the password was changed confirms nothing. */
static struct str
hash_of(struct arena *arena, struct str code, int64_t era)
{
	struct str token;

	str_cut(code, '.', &token);
	return session_hash(arena, str_fmt(arena, "%.*s %lld", STR_ARGS(token), (long long)era));
}

struct str
new_email_code(struct arena *arena, struct clock *clock, struct str username)
{
	return STR_CONCAT(arena, username, STR("."), session_token(arena, clock));
}

void
new_email_note(
    struct arena *arena, struct item *person, struct str email, struct str code, int64_t now)
{
	item_set(arena, person, NEW_EMAIL, value_string(email));
	item_set(arena, person, NEW_EMAIL_HASH, value_string(hash_of(arena, code, 0)));
	item_set(arena, person, NEW_EMAIL_UNTIL, value_number(now / 1000 + NEW_EMAIL_SECONDS));
}

enum plan_rc
new_email_begin(struct plan *plan, const struct user *user, struct str email, struct str code)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, NEW_EMAIL, value_string(email));
	edit_change(
	    edit, CHANGE_SET, NEW_EMAIL_HASH, value_string(hash_of(edit->arena, code, user->era)));
	edit_change(
	    edit, CHANGE_SET, NEW_EMAIL_UNTIL, value_number(plan->now / 1000 + NEW_EMAIL_SECONDS));
	/*
	 * The password was proved in this era; if it has been changed since, that proves nothing.
	 */
	edit_only_in_era(edit, user->era);
	edit_end(edit, user->username);
	return plan_commit(plan);
}

void
new_email_drop(struct edit *edit)
{
	edit_change(edit, CHANGE_REMOVE, NEW_EMAIL, value_null());
	edit_change(edit, CHANGE_REMOVE, NEW_EMAIL_HASH, value_null());
	edit_change(edit, CHANGE_REMOVE, NEW_EMAIL_UNTIL, value_null());
}

enum plan_rc
new_email_find(struct plan *plan, struct str code, struct account *out)
{
	struct arena *arena = plan->call->arena;
	struct str username, token, hash;
	struct item *item = NULL;
	enum table_rc rc;

	if (!session_token_parts(code, &username, &token))
		return PLAN_NOT_THERE;
	rc = table_get(plan->table, plan->call, key_user(arena, username), &item);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (item == NULL || item_number(item, NEW_EMAIL_UNTIL) <= plan->now / 1000)
		return PLAN_NOT_THERE;
	account_from_item(arena, item, out);
	hash = hash_of(arena, code, out->user.era);
	if (!str_eq(item_string(item, NEW_EMAIL_HASH), hash))
		return PLAN_NOT_THERE;
	return out->user.status == USER_DISABLED ? PLAN_NOT_THERE : PLAN_DONE;
}

enum plan_rc
new_email_confirm(struct plan *plan, struct str code, const struct user *user)
{
	struct edit *edit = edit_begin(plan);

	new_email_drop(edit);
	edit_only_if(edit, NEW_EMAIL_HASH, value_string(hash_of(edit->arena, code, user->era)));
	return edit_move_email(edit, user, user->new_email);
}
