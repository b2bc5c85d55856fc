#include "model/reset.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/account_edit.h"
#include "model/key.h"
#include "model/session.h"

/* Of the address that they had: a link that went to another one is good no more. */
static struct str
address_mark(struct arena *arena, const struct user *user)
{
	return session_hash(arena, user->email);
}

enum account_rc
account_reset_begin(struct accounts *a, const struct user *user, struct str hash)
{
	struct arena *arena = a->call->arena;
	struct write writes[2] = {{.kind = WRITE_PUT}};
	struct item *item = &writes[0].item;
	size_t count = 1;

	account_set_key(arena, item, key_reset(arena, hash), STR("Reset"));
	item_set(arena, item, STR("Username"), value_string(user->username));
	item_set(arena, item, STR("Era"), value_number(user->era));
	item_set(arena, item, STR("Role"), value_string(str_of(role_name(user->role))));
	item_set(arena, item, STR("AddressHash"), value_string(address_mark(arena, user)));
	item_set(arena, item, STR("CreatedAt"), value_string(time_format(arena, a->now)));
	item_set(arena, item, TABLE_EXPIRES, value_number(a->now / 1000 + RESET_SECONDS));
	account_log(a, writes, &count, AUDIT_USER_PASSWORD, user->username, STR("a link"));
	return account_failed(a, table_transact(a->table, a->call, writes, count, STR("")));
}

enum account_rc
account_reset_find(struct accounts *a, struct str hash, struct account *out)
{
	struct item *item;
	enum table_rc rc = table_get(a->table, a->call, key_reset(a->call->arena, hash), &item);
	enum account_rc found;

	if (rc != TABLE_OK)
		return account_failed(a, rc);
	if (item == NULL)
		return ACCOUNT_NOT_THERE;
	found = account_find(a, item_string(item, STR("Username")), out);
	if (found == ACCOUNT_DONE &&
	    (out->user.era != item_number(item, STR("Era")) || out->user.status == USER_DISABLED ||
		!str_eq(str_of(role_name(out->user.role)), item_string(item, STR("Role"))) ||
		!str_eq(address_mark(a->call->arena, &out->user),
		    item_string(item, STR("AddressHash")))))
		return ACCOUNT_NOT_THERE;
	return found;
}

enum account_rc
account_reset_finish(
    struct accounts *a, struct str hash, const struct user *user, struct str password)
{
	const struct condition good = {
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(a->now / 1000)};
	struct edit *edit = edit_begin(a);
	struct write writes[2];
	enum table_rc rc;

	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_in_era(edit, user->era);
	edit_only_still(edit, STR("Email"), user->email);
	writes[0] = edit_write(edit, user->username);
	writes[1] = (struct write){
	    .kind = WRITE_DELETE, .key = key_reset(edit->arena, hash), .condition = &good};
	rc = table_transact(a->table, a->call, writes, 2, STR(""));
	return rc == TABLE_CANCELLED ? ACCOUNT_CHANGED : account_failed(a, rc);
}
