#include "model/account.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/account_edit.h"
#include "model/key.h"

static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

/* --- Finding ---------------------------------------------------------------------------------------- */

void
account_from_item(struct arena *arena, const struct item *item, struct account *out)
{
	const struct value *key = item_get(item, STR("SecondKey"));

	user_from_item(arena, item, &out->user);
	out->password = item_string(item, STR("PasswordHash"));
	out->two_step = (struct two_step){.last = item_number(item, STR("SecondLast"))};
	if (key != NULL && key->kind == VALUE_BINARY)
		out->two_step.key = key->string;
	item_strings(arena, item, STR("RecoveryCodes"), &out->two_step.codes_left);
}

enum account_rc
account_find(struct accounts *a, struct str typed, struct account *out)
{
	struct arena *arena = a->call->arena;
	struct str name = str_lower(arena, str_trim(typed)), email;
	bool by_email = email_normal(arena, typed, &email);
	enum table_rc rc = TABLE_OK;
	struct item *item = NULL;

	if (by_email) {
		rc = table_get(a->table, a->call, key_email(arena, email), &item);
		/* No username is like this: to find nobody takes as long as to find somebody. */
		name = item != NULL ? item_string(item, STR("Username")) : STR("-");
	}
	item = NULL;
	if (rc == TABLE_OK && (by_email || username_valid(name)))
		rc = table_get(a->table, a->call, key_user(arena, name), &item);
	if (rc != TABLE_OK)
		return account_failed(a, rc);
	if (item == NULL)
		return ACCOUNT_NOT_THERE;
	account_from_item(arena, item, out);
	return ACCOUNT_DONE;
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
	case REGISTRATION_CLOSED: break;
	}
	return ADMISSION_NO;
}

static struct write
put_user(struct accounts *a, const struct new_account *new)
{
	struct arena *arena = a->call->arena;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};
	const struct user user = {.username = new->username,
	    .email = new->email,
	    .display_name = new->display_name.len != 0 ? new->display_name : new->username,
	    .role = new->role,
	    .status = new->status,
	    .created = a->now,
	    .updated = a->now};

	account_set_key(arena, &put.item, key_user(arena, new->username), STR("User"));
	key_index_user(
	    arena, &put.item, new->username, str_of(user_standing(new->role, new->status)));
	bind_write(arena, &user_bindings, &user, &put.item);
	if (new->password.len != 0)
		item_set(arena, &put.item, STR("PasswordHash"), value_string(new->password));
	return put;
}

static struct write
put_claim(struct accounts *a, struct str email, struct str username)
{
	struct arena *arena = a->call->arena;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};

	account_set_key(arena, &put.item, key_email(arena, email), STR("EmailClaim"));
	item_set(arena, &put.item, STR("Username"), value_string(username));
	return put;
}

/* The table may still hold it for a while when its time is over. */
static struct write
use_invitation(struct accounts *a, struct str hash)
{
	struct arena *arena = a->call->arena;
	struct condition *good = ARENA_NEW(arena, struct condition);

	*good = (struct condition){
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(a->now / 1000)};
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_invitation(arena, hash), .condition = good};
}

enum account_rc
account_create(struct accounts *a, const struct new_account *new)
{
	enum account_rc refusals[5] = {ACCOUNT_NAME_TAKEN};
	struct write writes[5] = {put_user(a, new)};
	size_t count = 1;
	enum table_rc rc;

	if (new->email.len != 0) {
		refusals[count] = ACCOUNT_EMAIL_TAKEN;
		writes[count++] = put_claim(a, new->email, new->username);
	}
	if (new->invitation.len != 0) {
		refusals[count] = ACCOUNT_NOT_INVITED;
		writes[count++] = use_invitation(a, new->invitation);
	}
	if (new->session != NULL)
		writes[count++] = session_put(a->call->arena, new->session);
	account_log(a, writes, &count, AUDIT_USER_CREATE, new->username,
	    str_of(user_standing(new->role, new->status)));
	rc = table_transact(a->table, a->call, writes, count, STR(""));
	if (rc != TABLE_CANCELLED)
		return account_failed(a, rc);
	for (size_t i = 0; i < count; i++)
		if (writes[i].rc == TABLE_CONDITION)
			return refusals[i];
	return account_failed(a, TABLE_CONFLICT);
}

enum account_rc
account_invite(struct accounts *a, struct str hash, struct str by)
{
	struct arena *arena = a->call->arena;
	struct write writes[2] = {{.kind = WRITE_PUT}};
	struct item *item = &writes[0].item;
	size_t count = 1;

	account_set_key(arena, item, key_invitation(arena, hash), STR("Invitation"));
	item_set(arena, item, STR("InvitedBy"), value_string(by));
	item_set(arena, item, STR("CreatedAt"), value_string(time_format(arena, a->now)));
	item_set(arena, item, TABLE_EXPIRES, value_number(a->now / 1000 + INVITATION_SECONDS));
	/* The command line is nobody, and has no list of its own. */
	if (username_valid(by))
		key_index_invitation(arena, item, by, a->now, hash);
	account_log(a, writes, &count, AUDIT_USER_INVITE, STR(""), STR(""));
	return account_failed(a, table_transact(a->table, a->call, writes, count, STR("")));
}

enum account_rc
account_uninvite(struct accounts *a, struct str hash, struct str by)
{
	const struct condition theirs = {
	    .op = COND_EQ, .name = STR("InvitedBy"), .value = value_string(by)};
	struct write writes[2] = {{.kind = WRITE_DELETE,
	    .key = key_invitation(a->call->arena, hash),
	    .condition = &theirs}};
	size_t count = 1;
	enum table_rc rc;

	account_log(a, writes, &count, AUDIT_USER_INVITE, STR(""), STR("revoked"));
	rc = table_transact(a->table, a->call, writes, count, STR(""));
	return rc == TABLE_CANCELLED ? ACCOUNT_NOT_INVITED : account_failed(a, rc);
}

void
invitation_from_item(const struct item *item, struct invitation *out)
{
	*out = (struct invitation){.expires = item_number(item, TABLE_EXPIRES) * 1000};
	str_cut(item_key(item).pk, '#', &out->hash);
	(void)time_parse(item_string(item, STR("CreatedAt")), &out->created);
}

enum account_rc
account_invited(struct accounts *a, struct str hash, bool *there)
{
	struct item *item = NULL;
	enum table_rc rc =
	    table_get(a->table, a->call, key_invitation(a->call->arena, hash), &item);

	*there = rc == TABLE_OK && item != NULL;
	return account_failed(a, rc);
}

/* --- Changing --------------------------------------------------------------------------------------- */

enum account_rc
account_set_profile(struct accounts *a, struct str username, const struct profile *profile)
{
	struct edit *edit = edit_begin(a);

	edit_text(edit, STR("DisplayName"), profile->display_name);
	edit_text(edit, STR("Bio"), profile->bio);
	edit_text(edit, STR("Link"), profile->link);
	edit_text(edit, STR("AvatarURL"), profile->avatar_url);
	edit_change(edit, CHANGE_SET, STR("Private"), value_boolean(profile->is_private));
	return edit_write_one(a, edit, username);
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
	struct condition is_theirs = {
	    .op = COND_EQ, .name = STR("Username"), .value = value_string(user->username)};
	struct write writes[3];
	size_t count = 2;
	enum table_rc rc;

	if (str_eq(email, user->email))
		return ACCOUNT_DONE;
	edit_change(edit, CHANGE_SET, STR("Email"), value_string(email));
	edit_only_still(edit, STR("Email"), user->email);
	/* Whoever proved a password that is another one by now proved nothing. */
	edit_only_in_era(edit, user->era);
	writes[0] = put_claim(a, email, user->username);
	writes[1] = edit_write(edit, user->username);
	/* Who came with an import has had none. */
	if (user->email.len != 0)
		writes[count++] = (struct write){.kind = WRITE_DELETE,
		    .key = key_email(edit->arena, user->email),
		    .condition = &is_theirs};
	rc = table_transact(a->table, a->call, writes, count, STR(""));
	if (rc != TABLE_CANCELLED)
		return account_failed(a, rc);
	return writes[0].rc == TABLE_CONDITION ? ACCOUNT_EMAIL_TAKEN : ACCOUNT_CHANGED;
}

enum account_rc
account_end_sessions(struct accounts *a, const struct user *user, struct session *session)
{
	return edit_next_era(a, edit_begin(a), user, session, AUDIT_USER_SESSIONS);
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

enum account_rc
account_set_standing(
    struct accounts *a, struct str username, int role_to_be, int status_to_be)
{
	struct edit *edit = edit_begin(a);
	struct account account;
	struct write writes[3];
	size_t count = 1;
	enum account_rc found = account_find(a, username, &account);
	enum user_status status;
	enum role role;
	enum table_rc rc;

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
	if (status != account.user.status)
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
	account_log(a, writes, &count, AUDIT_USER_STANDING, account.user.username,
	    standing_change(edit->arena, &account.user, role, status));
	rc = table_transact(a->table, a->call, writes, count, STR(""));
	return rc == TABLE_CANCELLED ? ACCOUNT_CHANGED : account_failed(a, rc);
}
