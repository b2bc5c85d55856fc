#include "model/people/invitation.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account_private.h"
#include "model/people/session.h"

static struct str
role_given(const struct invitation *invitation)
{
	return invitation->role != ROLE_READER ? str_of(role_name(invitation->role)) : STR("");
}

enum plan_rc
account_invite(struct plan *plan, const struct invitation *invitation)
{
	struct arena *arena = plan->call->arena;
	struct str role = role_given(invitation);
	struct item item = {.count = 0};

	key_set(arena, &item, key_invitation(arena, invitation->hash), ITEM_INVITATION);
	item_set(arena, &item, STR("InvitedBy"), value_string(invitation->by));
	if (role.len != 0)
		item_set(arena, &item, STR("Role"), value_string(role));
	if (invitation->whom.len != 0)
		item_set(arena, &item, STR("Whom"), value_string(invitation->whom));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + INVITATION_SECONDS));
	/* The command line has no account, so no list of its own. */
	if (username_valid(invitation->by))
		key_index_invitation(arena, &item, invitation->by, plan->now, invitation->hash);
	plan_put(plan, item);
	audit_log(plan, AUDIT_USER_INVITE, STR(""), role);
	return plan_commit(plan);
}

enum plan_rc
account_uninvite(struct plan *plan, struct str hash, struct str by)
{
	const struct condition theirs = {
	    .op = COND_EQ, .name = STR("InvitedBy"), .value = value_string(by)};

	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_invitation(plan->call->arena, hash),
		.condition = &theirs},
	    PLAN_NOT_INVITED);
	audit_log(plan, AUDIT_USER_INVITE, STR(""), STR("revoked"));
	return plan_commit(plan);
}

void
invitation_from_item(const struct item *item, struct invitation *out)
{
	int role = role_of(item_string(item, STR("Role")));

	*out = (struct invitation){.by = item_string(item, STR("InvitedBy")),
	    .whom = item_string(item, STR("Whom")),
	    .role = role >= 0 ? (enum role)role : ROLE_READER,
	    .expires = item_number(item, TABLE_EXPIRES) * 1000};
	str_cut(item_key(item).pk, '#', &out->hash);
	(void)time_parse(item_string(item, STR("CreatedAt")), &out->created);
}

struct read
first_admin_read(struct arena *arena)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_people(
		arena, str_of(user_role_or_status(ROLE_ADMIN, USER_ACTIVE)), STR(""))};

	read.query.limit = 1;
	return read;
}

enum plan_rc
invitation_find(struct plan *plan, struct str hash, struct invitation *out)
{
	struct arena *arena = plan->call->arena;
	struct read reads[] = {
	    {.kind = READ_GET, .key = key_invitation(arena, hash)},
	    {.kind = READ_GET, .key = key_first_admin()},
	    first_admin_read(arena),
	};
	enum table_rc rc = table_read(plan->table, plan->call, reads, 3);

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (reads[0].item != NULL) {
		invitation_from_item(reads[0].item, out);
		return PLAN_DONE;
	}
	if (reads[1].item == NULL || reads[2].found_count != 0 ||
	    !str_eq(item_string(reads[1].item, STR("Hash")), hash))
		return PLAN_NOT_INVITED;
	*out = (struct invitation){.hash = hash, .role = ROLE_ADMIN, .first_admin = true};
	return PLAN_DONE;
}

void
invitation_use(struct plan *plan, const struct invitation *invitation)
{
	struct arena *arena = plan->call->arena;
	struct condition *good = ARENA_ARRAY(arena, 3, struct condition);

	/* The table may keep it for a while after it has expired. */
	good[0] = (struct condition){
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(plan->now / 1000)};
	good[1] = (struct condition){
	    .op = COND_EQ, .name = STR("Hash"), .value = value_string(invitation->hash)};
	good[2] = (struct condition){.op = COND_ALL, .children = good, .count = 2};
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = invitation->first_admin ? key_first_admin()
					       : key_invitation(arena, invitation->hash),
		.condition = invitation->first_admin ? &good[2] : &good[0]},
	    PLAN_NOT_INVITED);
	if (invitation->role != ROLE_READER && username_valid(invitation->by))
		plan_add(plan, account_is_admin(arena, invitation->by), PLAN_NOT_INVITED);
}

enum plan_rc
first_admin_wanted(struct plan *plan, bool *wanted)
{
	struct read read = first_admin_read(plan->call->arena);
	enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

	*wanted = rc == TABLE_OK && read.found_count == 0;
	return plan_failed(plan, rc);
}

enum plan_rc
first_admin_begin(struct plan *plan, struct clock *clock, struct str *code)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	*code = session_token(arena, clock);
	key_set(arena, &item, key_first_admin(), ITEM_FIRST_ADMIN);
	item_set(arena, &item, STR("Hash"), value_string(session_hash(arena, *code)));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + FIRST_ADMIN_SECONDS));
	plan_put(plan, item);
	return plan_commit(plan);
}
