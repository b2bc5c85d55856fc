/* People: how they are found, and how they come in, each name and each address once. */
#include "model/people/account.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account_edit.h"
#include "model/people/name.h"
#include "model/people/new_email.h"

static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

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

/* An item, and `also`, or NULL, in the same trip. */
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
	/* No username is like this: to find nobody takes as long as to find somebody. */
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
	/* Who was invited is expected. */
	case REGISTRATION_CLOSED: return way == WAY_INVITED ? ADMISSION_YES : ADMISSION_NO;
	}
	return ADMISSION_NO;
}

static struct write
put_user(struct plan *plan, const struct new_account *new)
{
	struct arena *arena = plan->call->arena;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};
	const struct user user = {.username = new->username,
	    .email = new->email,
	    .display_name = new->display_name.len != 0 ? new->display_name : new->username,
	    .role = new->role,
	    .status = new->status,
	    .created = plan->now,
	    .updated = plan->now};

	account_set_key(arena, &put.item, key_user(arena, new->username), STR("User"));
	key_index_user(
	    arena, &put.item, new->username, str_of(user_standing(new->role, new->status)));
	bind_write(arena, &user_bindings, &user, &put.item);
	if (new->new_email.len != 0)
		new_email_note(arena, &put.item, new->new_email, new->new_email_code, plan->now);
	if (new->password.len != 0)
		item_set(arena, &put.item, STR("PasswordHash"), value_string(new->password));
	return put;
}

struct write
account_claim(struct plan *plan, struct str email, struct str username)
{
	struct arena *arena = plan->call->arena;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};

	account_set_key(arena, &put.item, key_email(arena, email), STR("EmailClaim"));
	item_set(arena, &put.item, STR("Username"), value_string(username));
	return put;
}

/* The table may still hold it for a while when its time is over. */
static struct write
use_invitation(struct plan *plan, struct str hash)
{
	struct arena *arena = plan->call->arena;
	struct condition *good = ARENA_NEW(arena, struct condition);

	*good = (struct condition){
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(plan->now / 1000)};
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_invitation(arena, hash), .condition = good};
}

enum plan_rc
account_create(struct plan *plan, const struct new_account *new)
{
	const struct user user = {
	    .username = new->username, .display_name = new->display_name, .role = new->role};
	enum plan_rc refusals[5 + NAME_WRITES_MAX] = {PLAN_TAKEN};
	struct write writes[5 + NAME_WRITES_MAX] = {put_user(plan, new)};
	size_t count = 1;
	enum table_rc rc;

	if (new->email.len != 0) {
		refusals[count] = PLAN_EMAIL_TAKEN;
		writes[count++] = account_claim(plan, new->email, new->username);
	}
	if (new->invitation.len != 0) {
		refusals[count] = PLAN_NOT_INVITED;
		writes[count++] = use_invitation(plan, new->invitation);
	}
	if (new->session != NULL)
		writes[count++] = session_put(plan->call->arena, new->session);
	if (name_is_guarded(&user))
		name_guard(plan->call->arena, &user, writes, &count);
	account_log(plan, writes, &count, AUDIT_USER_CREATE, new->username,
	    str_of(user_standing(new->role, new->status)));
	rc = table_transact(plan->table, plan->call, writes, count, STR(""));
	if (rc != TABLE_CANCELLED)
		return plan_failed(plan, rc);
	for (size_t i = 0; i < count; i++)
		if (writes[i].rc == TABLE_CONDITION)
			return refusals[i];
	return plan_failed(plan, TABLE_CONFLICT);
}

enum plan_rc
account_invite(struct plan *plan, struct str hash, struct str by)
{
	struct arena *arena = plan->call->arena;
	struct write writes[2] = {{.kind = WRITE_PUT}};
	struct item *item = &writes[0].item;
	size_t count = 1;

	account_set_key(arena, item, key_invitation(arena, hash), STR("Invitation"));
	item_set(arena, item, STR("InvitedBy"), value_string(by));
	item_set(arena, item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, item, TABLE_EXPIRES, value_number(plan->now / 1000 + INVITATION_SECONDS));
	/* The command line is nobody, and has no list of its own. */
	if (username_valid(by))
		key_index_invitation(arena, item, by, plan->now, hash);
	account_log(plan, writes, &count, AUDIT_USER_INVITE, STR(""), STR(""));
	return plan_failed(plan, table_transact(plan->table, plan->call, writes, count, STR("")));
}

enum plan_rc
account_uninvite(struct plan *plan, struct str hash, struct str by)
{
	const struct condition theirs = {
	    .op = COND_EQ, .name = STR("InvitedBy"), .value = value_string(by)};
	struct write writes[2] = {{.kind = WRITE_DELETE,
	    .key = key_invitation(plan->call->arena, hash),
	    .condition = &theirs}};
	size_t count = 1;
	enum table_rc rc;

	account_log(plan, writes, &count, AUDIT_USER_INVITE, STR(""), STR("revoked"));
	rc = table_transact(plan->table, plan->call, writes, count, STR(""));
	return rc == TABLE_CANCELLED ? PLAN_NOT_INVITED : plan_failed(plan, rc);
}

void
invitation_from_item(const struct item *item, struct invitation *out)
{
	*out = (struct invitation){.expires = item_number(item, TABLE_EXPIRES) * 1000};
	str_cut(item_key(item).pk, '#', &out->hash);
	(void)time_parse(item_string(item, STR("CreatedAt")), &out->created);
}

enum plan_rc
account_invited(struct plan *plan, struct str hash, bool *there)
{
	struct item *item = NULL;
	enum table_rc rc =
	    table_get(plan->table, plan->call, key_invitation(plan->call->arena, hash), &item);

	*there = rc == TABLE_OK && item != NULL;
	return plan_failed(plan, rc);
}
