#include "model/people/group.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post/post.h"
#include "model/slug.h"

/* a deletion: members in one transaction, transactions in one call */
enum { STEP_MEMBERS = 90, STEPS = 10 };

static const struct binding bindings[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct group, created),
    BIND_TEXT(WRITTEN, "Description", struct group, description, TEXT_LINES),
    BIND_BOOLEAN(RECORDED, "Ending", struct group, ending),
    BIND_TEXT(WRITTEN, "Name", struct group, title, TEXT_LINE),
    BIND_TIME(RECORDED, "UpdatedAt", struct group, updated),
};
const struct binding_table group_bindings = BINDINGS(bindings);

static const struct binding membership_rows[] = {
    BIND_TIME(RECORDED, "AddedAt", struct membership, added),
    BIND_STRING(RECORDED, "AddedBy", struct membership, added_by),
    BIND_STRING(RECORDED, "Group", struct membership, group),
    BIND_STRING(RECORDED, "Username", struct membership, username),
};
const struct binding_table membership_bindings = BINDINGS(membership_rows);

/* It exists, and is not being deleted. */
static const struct condition stays_parts[] = {
    {.op = COND_EXISTS, .name = STR_INIT("PK")},
    {.op = COND_MISSING, .name = STR_INIT("Ending")},
};
static const struct condition stays = {.op = COND_ALL, .children = stays_parts, .count = 2};

bool
group_name_valid(struct str name)
{
	return name.len <= GROUP_NAME_MAX && slug_valid(name);
}

bool
group_is_there(const struct item *item)
{
	return item != NULL && !item_boolean(item, STR("Gone"));
}

void
group_from_item(struct arena *arena, const struct item *item, struct group *out)
{
	const struct str *names;
	size_t count;

	*out = (struct group){.name = key_name(item_key(item))};
	bind_read(arena, &group_bindings, item, out);
	if (out->title.len == 0)
		out->title = out->name;
	names = item_strings(arena, item, STR("Permissions"), &count);
	for (size_t i = 0; i < count; i++)
		out->permissions |= permission_of(names[i]);
}

void
membership_from_item(struct arena *arena, const struct item *item, struct membership *out)
{
	*out = (struct membership){.added = 0};
	bind_read(arena, &membership_bindings, item, out);
}

/* The names of the permissions; *count of them. */
static struct str *
names_of(struct arena *arena, unsigned permissions, size_t *count)
{
	struct str *names = ARENA_ARRAY(arena, 8 * sizeof(permissions), struct str);

	*count = 0;
	for (unsigned bit = 1; bit < PERMISSIONS_ALL; bit <<= 1)
		if ((permissions & bit) != 0)
			names[(*count)++] = str_of(permission_name((enum permission)bit));
	return names;
}

struct str
group_permissions_text(struct arena *arena, unsigned permissions)
{
	size_t count;
	struct str *names = names_of(arena, permissions, &count);

	return str_join(arena, names, count, STR(", "));
}

static struct value
permissions_value(struct arena *arena, unsigned permissions)
{
	size_t count;
	struct str *names = names_of(arena, permissions, &count);

	return value_set(arena, names, count);
}

enum plan_rc
group_create(struct plan *plan, const struct group *new)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	struct group group = *new;

	group.created = group.updated = plan->now;
	key_set(arena, &item, key_group(arena, new->name), ITEM_GROUP);
	key_index_group(arena, &item, new->name);
	bind_write(arena, &group_bindings, &group, &item);
	if (new->permissions != 0)
		item_set(
		    arena, &item, STR("Permissions"), permissions_value(arena, new->permissions));
	plan_create(plan, item, PLAN_TAKEN);
	audit_log(
	    plan, AUDIT_GROUP_CREATE, new->name, group_permissions_text(arena, new->permissions));
	return plan_commit(plan);
}

enum plan_rc
group_edit(struct plan *plan, const struct group *was, const struct group *is)
{
	struct arena *arena = plan->call->arena;
	struct change changes[] = {
	    plan_text(STR("Name"), is->title),
	    plan_text(STR("Description"), is->description),
	    {CHANGE_REMOVE, STR("Permissions"), value_null()},
	    {CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))},
	};
	struct str said = audit_change(arena, STR(""), "name", was->title, is->title);

	if (is->permissions != 0)
		changes[2] = (struct change){
		    CHANGE_SET, STR("Permissions"), permissions_value(arena, is->permissions)};
	said = audit_change(arena, said, "description", was->description, is->description);
	said = audit_change(arena, said, "permissions",
	    group_permissions_text(arena, was->permissions),
	    group_permissions_text(arena, is->permissions));
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_group(arena, was->name),
		.changes = changes,
		.change_count = sizeof(changes) / sizeof(changes[0]),
		.condition = &stays},
	    PLAN_NOT_THERE);
	audit_log(plan, AUDIT_GROUP_EDIT, was->name, said);
	return plan_commit(plan);
}

/* --- Deleting --------------------------------------------------------------------------------------- */

/*
 * From here on the group gives no permissions. Done already when an earlier call was interrupted.
 */
static enum plan_rc
begin_end(struct plan *plan, struct str name)
{
	const struct change changes[] = {
	    {CHANGE_SET, STR("Ending"), value_boolean(true)},
	    {CHANGE_REMOVE, STR("Permissions"), value_null()},
	};
	struct key key = key_group(plan->call->arena, name);
	struct item *item = NULL;
	enum table_rc rc = table_get(plan->table, plan->call, key, &item);

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (!group_is_there(item))
		return PLAN_NOT_THERE;
	if (item_boolean(item, STR("Ending")))
		return PLAN_DONE;
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key,
		.changes = changes,
		.change_count = 2,
		.condition = &stays},
	    PLAN_CHANGED);
	audit_log(plan, AUDIT_GROUP_DELETE, name, STR(""));
	return plan_commit(plan);
}

/*
 * The name is kept, in no list: posts may still be for this group, and somebody who makes a new
 * group of that name must not gain access to them.
 */
static void
put_name(struct plan *plan, struct str name)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_group(arena, name), ITEM_GROUP);
	item_set(arena, &item, STR("Ending"), value_boolean(true));
	item_set(arena, &item, STR("Gone"), value_boolean(true));
	plan_put(plan, item);
}

/* Deletes some memberships, or the group when none is left, and sets *over. */
static enum plan_rc
end_some(struct plan *plan, struct str name, bool *over)
{
	struct query query = query_members(plan->call->arena, name);
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = STEP_MEMBERS;
	rc = table_query(plan->table, plan->call, &query, &found, &count, &next);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	for (size_t i = 0; i < count; i++)
		plan_add(plan, (struct write){.kind = WRITE_DELETE, .key = item_key(&found[i])},
		    PLAN_CHANGED);
	*over = count == 0;
	if (*over)
		put_name(plan, name);
	return plan_commit(plan);
}

enum plan_rc
group_delete(struct plan *plan, struct str name)
{
	enum plan_rc rc = begin_end(plan, name);
	bool over = false;

	for (int step = 0; rc == PLAN_DONE && !over && step < STEPS; step++)
		rc = end_some(plan, name, &over);
	return rc == PLAN_DONE && !over ? PLAN_MORE : rc;
}

/* --- Members ---------------------------------------------------------------------------------------- */

/* How many groups somebody is in. */
static enum plan_rc
count_groups(struct plan *plan, struct str username, size_t *count)
{
	struct query query = query_person(plan->call->arena, username);
	struct item *found;
	struct str next;

	query.limit = GROUPS_OF_PERSON_MAX + 1;
	return plan_failed(
	    plan, table_query(plan->table, plan->call, &query, &found, count, &next));
}

enum plan_rc
group_join(struct plan *plan, struct str name, struct str username)
{
	struct arena *arena = plan->call->arena;
	const struct membership membership = {
	    .group = name, .username = username, .added_by = plan->by, .added = plan->now};
	struct item item = {.count = 0};
	size_t groups;
	enum plan_rc rc = count_groups(plan, username, &groups);

	if (rc != PLAN_DONE)
		return rc;
	/* One of the items is the person, after their memberships. */
	if (groups > GROUPS_OF_PERSON_MAX)
		return PLAN_FULL;
	key_set(arena, &item, key_membership(arena, username, name), ITEM_MEMBERSHIP);
	key_index_membership(arena, &item, name, username);
	bind_write(arena, &membership_bindings, &membership, &item);
	plan_add(plan,
	    (struct write){.kind = WRITE_CHECK, .key = key_group(arena, name), .condition = &stays},
	    PLAN_NOT_THERE);
	plan_add(plan,
	    (struct write){
		.kind = WRITE_CHECK, .key = key_user(arena, username), .condition = &plan_present},
	    PLAN_NOBODY);
	plan_create(plan, item, PLAN_TAKEN);
	audit_log(plan, AUDIT_GROUP_JOIN, name, username);
	return plan_commit(plan);
}

enum plan_rc
group_leave(struct plan *plan, struct str name, struct str username)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_membership(plan->call->arena, username, name),
		.condition = &plan_present},
	    PLAN_NOT_THERE);
	audit_log(plan, AUDIT_GROUP_LEAVE, name, username);
	return plan_commit(plan);
}
