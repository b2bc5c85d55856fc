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
account_reset_begin(
    struct accounts *a, struct clock *clock, const struct user *user, struct str *code)
{
	struct arena *arena = a->call->arena;
	struct str token = session_token(arena, clock);
	struct write writes[2] = {{.kind = WRITE_PUT}};
	struct item *item = &writes[0].item;
	size_t count = 1;

	*code = STR_CONCAT(arena, user->username, STR("."), token);
	account_set_key(arena, item, key_reset(arena, session_hash(arena, token)), STR("Reset"));
	item_set(arena, item, STR("Username"), value_string(user->username));
	item_set(arena, item, STR("Era"), value_number(user->era));
	item_set(arena, item, STR("Role"), value_string(str_of(role_name(user->role))));
	item_set(arena, item, STR("AddressHash"), value_string(address_mark(arena, user)));
	item_set(arena, item, STR("CreatedAt"), value_string(time_format(arena, a->now)));
	item_set(arena, item, TABLE_EXPIRES, value_number(a->now / 1000 + RESET_SECONDS));
	account_log(a, writes, &count, AUDIT_USER_PASSWORD, user->username, STR("a link"));
	return account_failed(a, table_transact(a->table, a->call, writes, count, STR("")));
}

/* Is the person still who they were when the link was made? */
static bool
is_good(struct arena *arena, const struct item *reset, const struct user *user)
{
	return str_eq(item_string(reset, STR("Username")), user->username) &&
	       user->era == item_number(reset, STR("Era")) && user->status != USER_DISABLED &&
	       str_eq(str_of(role_name(user->role)), item_string(reset, STR("Role"))) &&
	       str_eq(address_mark(arena, user), item_string(reset, STR("AddressHash")));
}

enum account_rc
account_reset_find(struct accounts *a, struct str code, struct account *out)
{
	struct arena *arena = a->call->arena;
	struct read reads[2] = {{.kind = READ_GET}, {.kind = READ_GET}};
	struct str username, token;
	enum table_rc rc;

	if (!session_pass(code, &username, &token))
		return ACCOUNT_NOT_THERE;
	reads[0].key = key_reset(arena, session_hash(arena, token));
	reads[1].key = key_user(arena, username);
	rc = table_read(a->table, a->call, reads, 2);
	if (rc != TABLE_OK)
		return account_failed(a, rc);
	if (reads[0].item == NULL || reads[1].item == NULL)
		return ACCOUNT_NOT_THERE;
	account_from_item(arena, reads[1].item, out);
	return is_good(arena, reads[0].item, &out->user) ? ACCOUNT_DONE : ACCOUNT_NOT_THERE;
}

enum account_rc
account_reset_finish(
    struct accounts *a, struct str code, const struct user *user, struct str password)
{
	const struct condition good = {
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(a->now / 1000)};
	struct edit *edit = edit_begin(a);
	struct write writes[4];
	struct str token;

	str_cut(code, '.', &token);
	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_in_era(edit, user->era);
	edit_only_standing(edit, user);
	edit_only_still(edit, STR("Email"), user->email);
	writes[0] = edit_write(edit, user->username);
	writes[1] = (struct write){.kind = WRITE_DELETE,
	    .key = key_reset(edit->arena, session_hash(edit->arena, token)),
	    .condition = &good};
	return account_transact(a, writes, 2);
}
