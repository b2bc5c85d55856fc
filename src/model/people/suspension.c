#include "model/people/suspension.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_staff.h"
#include "model/people/account_private.h"
#include "model/people/notification.h"
#include "model/site/moderation_log.h"

enum plan_rc
suspend(struct plan *plan, const struct user *user, int64_t until, struct str why)
{
	struct edit *edit = edit_begin(plan);
	struct str end = time_format(edit->arena, until);

	edit_change(edit, CHANGE_SET, STR("SuspendedAt"),
	    value_string(time_format(edit->arena, plan->now)));
	edit_change(edit, CHANGE_SET, STR("SuspendedUntil"), value_string(end));
	edit_change(edit, CHANGE_SET, STR("SuspendedWhy"), value_string(why));
	edit_only_role_and_status(edit, user);
	edit_end(edit, user->username);
	audit_log(plan, AUDIT_USER_SUSPEND, user->username,
	    STR_CONCAT(edit->arena, STR("until "), end, STR(": "), why));
	moderation_log_staff(plan, MODERATED_PERSON, "suspended", user->username, until);
	return plan_commit(plan);
}

enum plan_rc
suspension_end(struct plan *plan, const struct user *user)
{
	static const struct str gone[] = {
	    STR_INIT("SuspendedAt"), STR_INIT("SuspendedUntil"), STR_INIT("SuspendedWhy")};
	struct edit *edit = edit_begin(plan);

	if (user->suspended_until == 0)
		return PLAN_DONE;
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		edit_change(edit, CHANGE_REMOVE, gone[i], value_null());
	/* Only the suspension that was read. */
	edit_only_still(edit, STR("SuspendedAt"), time_format(edit->arena, user->suspended_at));
	edit_end(edit, user->username);
	audit_log(plan, AUDIT_USER_SUSPEND, user->username, STR("ended"));
	moderation_log_staff(plan, MODERATED_PERSON, "suspended no more", user->username, 0);
	return plan_commit(plan);
}

const struct condition *
may_write_still(struct arena *arena, int64_t now)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);
	struct condition *until = ARENA_ARRAY(arena, 2, struct condition);

	until[0] = (struct condition){.op = COND_MISSING, .name = STR("SuspendedUntil")};
	until[1] = (struct condition){.op = COND_LE,
	    .name = STR("SuspendedUntil"),
	    .value = value_string(time_format(arena, now))};
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	all[1] = (struct condition){
	    .op = COND_NE, .name = STR("Status"), .value = value_string(STR("disabled"))};
	all[2] = (struct condition){.op = COND_ANY, .children = until, .count = 2};
	return all;
}

/* --- Appeals ------------------------------------------------------------------------------------------ */

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "About", struct appeal, about),
    BIND_STRING(RECORDED, "Author", struct appeal, author),
    BIND_TIME(RECORDED, "CreatedAt", struct appeal, created),
    BIND_STRING(RECORDED, "Post", struct appeal, post),
    BIND_TIME(RECORDED, "SettledAt", struct appeal, settled),
    BIND_TEXT(WRITTEN, "Text", struct appeal, text, TEXT_LINES),
};
const struct binding_table appeal_bindings = BINDINGS(bindings);

void
appeal_from_item(struct arena *arena, const struct item *item, struct appeal *out)
{
	*out = (struct appeal){.created = 0};
	bind_read(arena, &appeal_bindings, item, out);
}

struct str
appeal_about_suspension(struct arena *arena, const struct user *user)
{
	return STR_CONCAT(arena, STR("suspension-"), time_format(arena, user->suspended_at));
}

struct read
appeal_read(struct arena *arena, struct str username, struct str about)
{
	return (struct read){.kind = READ_GET, .key = key_appeal(arena, username, about)};
}

enum plan_rc
appeal_make(struct plan *plan, struct str about, struct str post, struct str text)
{
	struct arena *arena = plan->call->arena;
	const struct appeal appeal = {
	    .author = plan->by, .about = about, .post = post, .text = text, .created = plan->now};
	struct item item = {.count = 0};

	key_set(arena, &item, key_appeal(arena, plan->by, about), ITEM_APPEAL);
	key_index_appeal(arena, &item, plan->by, plan->now);
	bind_write(arena, &appeal_bindings, &appeal, &item);
	plan_create(plan, item, PLAN_TAKEN);
	return plan_commit(plan);
}

enum plan_rc
appeal_settle(struct plan *plan, struct str author, struct str about)
{
	struct arena *arena = plan->call->arena;
	const struct condition waits = {.op = COND_EXISTS, .name = table_pk_name(TABLE_GSI3)};
	const struct change changes[] = {
	    {CHANGE_SET, STR("SettledAt"), value_string(time_format(arena, plan->now))},
	    {.op = CHANGE_REMOVE, .name = table_pk_name(TABLE_GSI3)},
	    {.op = CHANGE_REMOVE, .name = table_sk_name(TABLE_GSI3)},
	};

	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_appeal(arena, author, about),
		.changes = changes,
		.change_count = 3,
		.condition = &waits},
	    PLAN_TAKEN);
	note_add_decision(plan, author,
	    &(struct moderation_act){
		.thing = MODERATED_PERSON, .what = STR("appeal read"), .person = author});
	audit_log(plan, AUDIT_APPEAL, author, STR("settled"));
	return plan_commit(plan);
}
