#include "model/people/leaving.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account_edit.h"
#include "model/people/leaving_things.h"
#include "model/people/name.h"
#include "model/people/new_email.h"
#include "model/post/post.h"
#include "model/slug.h"

enum { AT_ONCE = 40, PSEUDONYM_LEN = 19 };

#define PREFIX STR("left-")

static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};

/* --- Pseudonyms ------------------------------------------------------------------------------------- */

bool
pseudonym_valid(struct str name)
{
	return name.len == PSEUDONYM_LEN && str_starts(name, PREFIX) && slug_valid(name);
}

/* Whom everything is handed over to: a person whom nobody finds, so that what counts has where to count. */
static struct write
put_pseudonym(struct plan *plan, struct str pseudonym)
{
	struct arena *arena = plan->call->arena;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};
	const struct user user = {.username = pseudonym,
	    .display_name = LEFT_NAME,
	    .role = ROLE_READER,
	    .status = USER_DISABLED,
	    .created = plan->now,
	    .updated = plan->now};

	account_set_key(arena, &put.item, key_user(arena, pseudonym), STR("User"));
	bind_write(arena, &user_bindings, &user, &put.item);
	return put;
}

enum plan_rc
pseudonym_make(struct plan *plan, struct str pseudonym)
{
	struct write put = put_pseudonym(plan, pseudonym);
	enum table_rc rc = table_write(plan->table, plan->call, &put);

	return rc == TABLE_CONDITION ? PLAN_TAKEN : plan_failed(plan, rc);
}

/* --- Marking ---------------------------------------------------------------------------------------- */

static void
empty_profile(struct edit *edit, struct str username, struct str pseudonym, bool keep_posts)
{
	static const struct str gone[] = {STR_INIT("AvatarURL"), STR_INIT("Bio"),
	    STR_INIT("DisplayName"), STR_INIT("Email"), STR_INIT("Link"), STR_INIT("PasswordHash"),
	    STR_INIT("RecoveryCodes"), STR_INIT("RecoverySalt"), STR_INIT("ResetHash"),
	    STR_INIT("SecondKey"), STR_INIT("SecondLast"), STR_INIT("GSI2PK"), STR_INIT("GSI2SK"),
	    STR_INIT("GSI4PK"), STR_INIT("GSI4SK")};
	struct item place = {.count = 0};

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		edit_change(edit, CHANGE_REMOVE, gone[i], value_null());
	new_email_drop(edit);
	key_index_leaving(edit->arena, &place, username);
	for (size_t i = 0; i < place.count; i++)
		edit_change(edit, CHANGE_SET, place.attributes[i].name, place.attributes[i].value);
	edit_change(
	    edit, CHANGE_SET, STR("Status"), value_string(str_of(user_status_name(USER_DISABLED))));
	edit_change(edit, CHANGE_SET, STR("Role"), value_string(str_of(role_name(ROLE_READER))));
	edit_change(edit, CHANGE_SET, STR("KeepsPosts"), value_boolean(keep_posts));
	edit_change(edit, CHANGE_SET, STR("Pseudonym"), value_string(pseudonym));
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
}

enum plan_rc
account_leave(struct plan *plan, struct clock *clock, const struct user *user, bool keep_posts)
{
	struct edit *edit = edit_begin(plan);
	struct str pseudonym = STR_CONCAT(edit->arena, PREFIX, id_new(edit->arena, clock));
	const struct condition theirs = {
	    .op = COND_EQ, .name = STR("Username"), .value = value_string(user->username)};
	struct write writes[6 + NAME_WRITES_MAX];
	size_t count = 2;
	enum plan_rc stays, counted;

	empty_profile(edit, user->username, pseudonym, keep_posts);
	edit_only_in_era(edit, user->era);
	/* Whether another admin must stay follows from it. */
	edit_only_standing(edit, user);
	edit_only_still(edit, STR("Email"), user->email);
	writes[0] = edit_write(edit, user->username);
	writes[1] = put_pseudonym(plan, pseudonym);
	if (user->email.len != 0)
		writes[count++] = (struct write){.kind = WRITE_DELETE,
		    .key = key_email(edit->arena, user->email),
		    .condition = &theirs};
	if (name_is_guarded(user))
		name_unguard(edit->arena, user, writes, &count);
	stays = account_keep_admin(plan, user, writes, &count);
	if (stays == PLAN_LAST_ADMIN) {
		counted = account_transact(plan, writes, 0);
		return counted == PLAN_DONE ? stays : counted;
	}
	if (stays != PLAN_DONE)
		return stays;
	return account_transact(plan, writes, count);
}

/* --- Working it off --------------------------------------------------------------------------------- */

enum plan_rc
leaving_next(struct plan *plan, struct str *username)
{
	struct query query = query_leaving();
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = 1;
	rc = table_query(plan->table, plan->call, &query, &found, &count, &next);
	*username =
	    rc == TABLE_OK && count != 0 ? item_string(&found[0], STR("Username")) : STR("");
	return plan_failed(plan, rc);
}

/* Only the name stays. */
static enum table_rc
finish(struct plan *plan, struct str username)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	account_set_key(arena, &item, key_user(arena, username), STR("User"));
	item_set(arena, &item, STR("Username"), value_string(username));
	item_set(
	    arena, &item, STR("Status"), value_string(str_of(user_status_name(USER_DISABLED))));
	return table_put(plan->table, plan->call, item);
}

/* Works off what a query finds; *left counts what there was to do. */
static enum table_rc
work_off(struct leaver *l, struct query query, bool doings, size_t *left)
{
	struct str next;
	enum table_rc rc;

	/* What one query finds may be nothing to do, as the person's own item; then there is more behind it. */
	do {
		struct item *found;
		size_t count;

		query.limit = AT_ONCE;
		rc = table_query(l->plan->table, l->plan->call, &query, &found, &count, &next);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			rc = doings ? leaving_doing(l, &found[i], left)
				    : leaving_own(l, &found[i], left);
		query.cursor = next;
	} while (rc == TABLE_OK && *left == 0 && next.len != 0);
	return rc;
}

enum plan_rc
leaving_round(struct plan *plan, struct str username, bool *done)
{
	struct arena *arena = plan->call->arena;
	struct leaver l = {.plan = plan, .username = username};
	struct item *user;
	size_t left = 0;
	enum table_rc rc = table_get(plan->table, plan->call, key_user(arena, username), &user);

	*done = rc == TABLE_OK && (user == NULL || item_string(user, STR("Pseudonym")).len == 0);
	if (rc != TABLE_OK || *done)
		return plan_failed(plan, rc);
	l.to = (struct coauthor){item_string(user, STR("Pseudonym")), LEFT_NAME};
	l.keeps_posts = item_boolean(user, STR("KeepsPosts"));
	rc = work_off(&l, query_own(arena, username), false, &left);
	if (rc == TABLE_OK && left == 0)
		rc = work_off(&l, query_doings(arena, username), true, &left);
	/* A round that found nothing is the last one. */
	if (rc == TABLE_OK && left == 0) {
		rc = finish(plan, username);
		*done = rc == TABLE_OK;
	}
	return plan_failed(plan, rc);
}
