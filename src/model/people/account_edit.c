#include "model/people/account_edit.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/site/rate.h"

#include <assert.h>

void
account_set_key(struct arena *arena, struct item *item, struct key key, struct str type)
{
	item_set(arena, item, STR("PK"), value_string(key.pk));
	item_set(arena, item, STR("SK"), value_string(key.sk));
	item_set(arena, item, STR("Type"), value_string(type));
}

void
account_log(struct plan *plan, struct write *writes, size_t *count, enum audit_action action,
    struct str target, struct str change)
{
	if (plan->audited)
		writes[(*count)++] = audit_put(plan, action, target, change);
}

enum plan_rc
account_transact(struct plan *plan, struct write *writes, size_t count)
{
	size_t proofs = plan->proof != NULL, also = count != 0 && plan->also != NULL;
	enum table_rc rc;

	if (count + proofs == 0)
		return PLAN_DONE;
	if (proofs != 0)
		rate_writes(plan->call->arena, plan->proof, 1, plan->now, true, &writes[count]);
	if (also != 0)
		writes[count + proofs] = *plan->also;
	rc = table_transact(plan->table, plan->call, writes, count + proofs + also, STR(""));
	if (rc != TABLE_CANCELLED)
		return plan_failed(plan, rc);
	return rate_refused(&writes[count], proofs) ? PLAN_TOO_MANY : PLAN_CHANGED;
}

struct edit *
edit_begin(struct plan *plan)
{
	struct edit *edit = ARENA_NEW(plan->call->arena, struct edit);

	edit->arena = plan->call->arena;
	edit->all = (struct condition){.op = COND_ALL, .children = edit->conditions};
	edit_only(edit, (struct condition){.op = COND_EXISTS, .name = STR("PK")});
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
	edit_only(edit, (struct condition){.op = text.len != 0 ? COND_EQ : COND_MISSING,
			    .name = name,
			    .value = value_string(text)});
}

void
edit_only_in_era(struct edit *edit, int64_t era)
{
	edit->era[0] =
	    (struct condition){.op = COND_EQ, .name = STR("Era"), .value = value_number(era)};
	/* It is missing until the first one ends. */
	edit->era[1] = (struct condition){.op = COND_MISSING, .name = STR("Era")};
	edit_only(edit,
	    (struct condition){.op = COND_ANY, .children = edit->era, .count = era == 0 ? 2 : 1});
}

void
edit_only_standing(struct edit *edit, const struct user *user)
{
	edit_only_if(edit, STR("Role"), value_string(str_of(role_name(user->role))));
	edit_only_if(edit, STR("Status"), value_string(str_of(user_status_name(user->status))));
}

struct write
edit_write(struct edit *edit, struct str username)
{
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_user(edit->arena, username),
	    .changes = edit->changes,
	    .change_count = edit->change_count,
	    .condition = &edit->all};
}

enum plan_rc
edit_write_one(struct plan *plan, struct edit *edit, struct str username)
{
	struct write write = edit_write(edit, username);
	enum table_rc rc = table_write(plan->table, plan->call, &write);

	if (rc == TABLE_CONDITION)
		return write.failed == NULL ? PLAN_NOT_THERE : PLAN_CHANGED;
	return plan_failed(plan, rc);
}

enum plan_rc
edit_next_era(struct plan *plan, struct edit *edit, const struct user *user,
    struct session *session, enum audit_action action)
{
	struct write writes[5];
	size_t count = 1;

	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_in_era(edit, user->era);
	writes[0] = edit_write(edit, user->username);
	if (session != NULL) {
		session->era = user->era + 1;
		writes[count++] = session_put(edit->arena, session);
	}
	account_log(plan, writes, &count, action, user->username, STR(""));
	return account_transact(plan, writes, count);
}

enum plan_rc
edit_move_email(struct plan *plan, struct edit *edit, const struct user *user, struct str email)
{
	struct condition is_theirs = {
	    .op = COND_EQ, .name = STR("Username"), .value = value_string(user->username)};
	struct write writes[5];
	size_t count = 2;
	enum plan_rc rc;

	edit_change(edit, CHANGE_SET, STR("Email"), value_string(email));
	edit_only_still(edit, STR("Email"), user->email);
	/* Whoever proved a password that is another one by now proved nothing. */
	edit_only_in_era(edit, user->era);
	writes[0] = account_claim(plan, email, user->username);
	writes[1] = edit_write(edit, user->username);
	/* Who came with an import has had none. */
	if (user->email.len != 0)
		writes[count++] = (struct write){.kind = WRITE_DELETE,
		    .key = key_email(edit->arena, user->email),
		    .condition = &is_theirs};
	rc = account_transact(plan, writes, count);
	return rc == PLAN_CHANGED && writes[0].rc == TABLE_CONDITION ? PLAN_EMAIL_TAKEN : rc;
}
