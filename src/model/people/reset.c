#include "model/people/reset.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/account_private.h"
#include "model/key.h"
#include "model/people/session.h"

/* A hash of the address that the link was sent to, so that it is invalid once that changes. */
static struct str
address_mark(struct arena *arena, const struct user *user)
{
	return session_hash(arena, user->email);
}

/* Only if there is no newer link. Of links made before ResetHash existed this is unknown. */
static void
edit_only_newest(struct edit *edit, struct str hash)
{
	struct condition *either = ARENA_ARRAY(edit->arena, 2, struct condition);

	either[0] = (struct condition){
	    .op = COND_EQ, .name = STR("ResetHash"), .value = value_string(hash)};
	either[1] = (struct condition){.op = COND_MISSING, .name = STR("ResetHash")};
	edit_only(edit, (struct condition){.op = COND_ANY, .children = either, .count = 2});
}

enum plan_rc
account_reset_begin(
    struct plan *plan, struct clock *clock, const struct user *user, struct str *code)
{
	struct arena *arena = plan->call->arena;
	struct str token = session_token(arena, clock);
	struct str hash = session_hash(arena, token);
	/* ResetHash is the one valid link. */
	const struct change newest = {CHANGE_SET, STR("ResetHash"), value_string(hash)};
	struct item item = {.count = 0};

	*code = STR_CONCAT(arena, user->username, STR("."), token);
	key_set(arena, &item, key_reset(arena, hash), ITEM_RESET);
	item_set(arena, &item, STR("Username"), value_string(user->username));
	item_set(arena, &item, STR("Era"), value_number(user->era));
	item_set(arena, &item, STR("Role"), value_string(str_of(role_name(user->role))));
	item_set(arena, &item, STR("AddressHash"), value_string(address_mark(arena, user)));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + RESET_SECONDS));
	plan_put(plan, item);
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_user(arena, user->username),
		.changes = &newest,
		.change_count = 1,
		.condition = &plan_present},
	    PLAN_NOT_THERE);
	audit_log(plan, AUDIT_USER_PASSWORD, user->username, STR("a link"));
	return plan_commit(plan);
}

/* Has the person not changed since the link was made, and is there no newer one? */
static bool
is_good(struct arena *arena, const struct item *reset, const struct item *person,
    const struct user *user)
{
	struct str hash, newest = item_string(person, STR("ResetHash"));

	str_cut(item_key(reset).pk, '#', &hash);
	return (newest.len == 0 || str_eq(newest, hash)) &&
	       str_eq(item_string(reset, STR("Username")), user->username) &&
	       user->era == item_number(reset, STR("Era")) && user->status != USER_DISABLED &&
	       str_eq(str_of(role_name(user->role)), item_string(reset, STR("Role"))) &&
	       str_eq(address_mark(arena, user), item_string(reset, STR("AddressHash")));
}

enum plan_rc
account_reset_find(struct plan *plan, struct str code, struct account *out)
{
	struct arena *arena = plan->call->arena;
	struct read reads[2] = {{.kind = READ_GET}, {.kind = READ_GET}};
	struct str username, token;
	enum table_rc rc;

	if (!session_token_parts(code, &username, &token))
		return PLAN_NOT_THERE;
	reads[0].key = key_reset(arena, session_hash(arena, token));
	reads[1].key = key_user(arena, username);
	rc = table_read(plan->table, plan->call, reads, 2);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (reads[0].item == NULL || reads[1].item == NULL)
		return PLAN_NOT_THERE;
	account_from_item(arena, reads[1].item, out);
	return is_good(arena, reads[0].item, reads[1].item, &out->user) ? PLAN_DONE
									: PLAN_NOT_THERE;
}

enum plan_rc
account_reset_finish(
    struct plan *plan, struct str code, const struct user *user, struct str password)
{
	const struct condition good = {
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(plan->now / 1000)};
	struct edit *edit = edit_begin(plan);
	struct str token, hash;

	str_cut(code, '.', &token);
	hash = session_hash(edit->arena, token);
	edit_change(edit, CHANGE_SET, STR("PasswordHash"), value_string(password));
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_in_era(edit, user->era);
	edit_only_role_and_status(edit, user);
	edit_only_still(edit, STR("Email"), user->email);
	edit_change(edit, CHANGE_REMOVE, STR("ResetHash"), value_null());
	edit_only_newest(edit, hash);
	edit_end(edit, user->username);
	plan_add(plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = key_reset(edit->arena, hash), .condition = &good},
	    PLAN_CHANGED);
	return plan_commit(plan);
}
