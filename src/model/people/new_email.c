#include "model/people/new_email.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/account_private.h"
#include "model/key.h"
#include "model/people/session.h"

#define ADDRESS STR("NewEmail")
#define HASH STR("NewEmailHash")
#define UNTIL STR("NewEmailUntil")

/* Of the code and the era: whoever knew a password that is another one by now confirms nothing. */
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
	item_set(arena, person, ADDRESS, value_string(email));
	item_set(arena, person, HASH, value_string(hash_of(arena, code, 0)));
	item_set(arena, person, UNTIL, value_number(now / 1000 + NEW_EMAIL_SECONDS));
}

enum plan_rc
new_email_begin(struct plan *plan, const struct user *user, struct str email, struct str code)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, ADDRESS, value_string(email));
	edit_change(edit, CHANGE_SET, HASH, value_string(hash_of(edit->arena, code, user->era)));
	edit_change(edit, CHANGE_SET, UNTIL, value_number(plan->now / 1000 + NEW_EMAIL_SECONDS));
	/* Whoever proved a password that is another one by now proved nothing. */
	edit_only_in_era(edit, user->era);
	edit_end(edit, user->username);
	return plan_commit(plan);
}

void
new_email_drop(struct edit *edit)
{
	edit_change(edit, CHANGE_REMOVE, ADDRESS, value_null());
	edit_change(edit, CHANGE_REMOVE, HASH, value_null());
	edit_change(edit, CHANGE_REMOVE, UNTIL, value_null());
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
	if (item == NULL || item_number(item, UNTIL) <= plan->now / 1000)
		return PLAN_NOT_THERE;
	account_from_item(arena, item, out);
	hash = hash_of(arena, code, out->user.era);
	if (!str_eq(item_string(item, HASH), hash))
		return PLAN_NOT_THERE;
	return out->user.status == USER_DISABLED ? PLAN_NOT_THERE : PLAN_DONE;
}

enum plan_rc
new_email_confirm(struct plan *plan, struct str code, const struct user *user)
{
	struct edit *edit = edit_begin(plan);

	new_email_drop(edit);
	edit_only_if(edit, HASH, value_string(hash_of(edit->arena, code, user->era)));
	return edit_move_email(edit, user, user->new_email);
}
