#include "model/people/leaving.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/account_private.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/people/account.h"
#include "model/people/name.h"
#include "model/post/collection_write.h"
#include "model/post/post.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "model/post/writing.h"
#include "model/reader/follow.h"
#include "model/reader/hidden.h"

enum { AT_ONCE = 40, PSEUDONYM_LEN = 19, LOOK_AFTER_MS = 86400000 };

#define PREFIX STR("left-")

/* --- Pseudonyms ------------------------------------------------------------------------------------- */

bool
pseudonym_valid(struct str name)
{
	return name.len == PSEUDONYM_LEN && str_starts(name, PREFIX) && slug_valid(name);
}

/*
 * The person to whom everything is handed over: in no list, but counters need an account to count
 * in.
 */
static void
create_pseudonym(struct plan *plan, struct str pseudonym)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	const struct user user = {.username = pseudonym,
	    .display_name = LEFT_NAME,
	    .role = ROLE_READER,
	    .status = USER_DISABLED,
	    .created = plan->now,
	    .updated = plan->now};

	key_set(arena, &item, key_user(arena, pseudonym), ITEM_USER);
	bind_write(arena, &user_bindings, &user, &item);
	plan_create(plan, item, PLAN_TAKEN);
}

enum plan_rc
pseudonym_make(struct plan *plan, struct str pseudonym)
{
	create_pseudonym(plan, pseudonym);
	return plan_commit(plan);
}

/* --- Marking ---------------------------------------------------------------------------------------- */

static void
empty_profile(struct edit *edit, struct str username, struct str pseudonym, bool keep_posts)
{
	static const struct str gone[] = {
	    STR_INIT("DisplayName"), STR_INIT("Email"), STR_INIT("PasswordHash"),
	    STR_INIT("RecoveryCodes"), STR_INIT("RecoverySalt"), STR_INIT("ResetHash"),
	    STR_INIT("SecondKey"), STR_INIT("SecondLast"), STR_INIT("Verified"), STR_INIT("GSI2PK"),
	    STR_INIT("GSI2SK"), STR_INIT("GSI4PK"), STR_INIT("GSI4SK")};
	struct item place = {.count = 0};

	for (const struct profile_part *part = profile_parts; part->name != NULL; part++)
		edit_text(edit, str_of(part->name), STR(""));
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
	enum plan_rc stays = account_keep_admin(plan, user), counted;

	if (stays == PLAN_LAST_ADMIN) {
		/* The proof of the password is counted all the same. */
		counted = plan_commit(plan);
		return counted == PLAN_DONE ? stays : counted;
	}
	if (stays != PLAN_DONE)
		return stays;
	empty_profile(edit, user->username, pseudonym, keep_posts);
	edit_only_in_era(edit, user->era);
	/* Whether another admin must remain follows from role and status. */
	edit_only_role_and_status(edit, user);
	edit_only_still(edit, STR("Email"), user->email);
	edit_end(edit, user->username);
	create_pseudonym(plan, pseudonym);
	account_release_email(plan, user);
	if (name_is_guarded(user))
		name_unguard(plan, user);
	if (user->verified)
		settings_mark(plan, user->username, false);
	return plan_commit(plan);
}

/* --- What becomes of each thing ---------------------------------------------------------------------- */

/* A person who leaves. The plan is the pseudonym's. */
struct leaver {
	struct plan *plan;
	struct str username;
	struct coauthor to; /* the pseudonym */
	bool keeps_posts;
	/* the key of an item that is kept since no kind says what becomes of it; empty: none */
	struct key strange;
};

/* A concurrent change has done it: the next round looks again. */
static enum table_rc
done(struct leaver *l)
{
	return plan_commit(l->plan) == PLAN_TABLE ? l->plan->failed : TABLE_OK;
}

/*
 * Without decrementing counters: the item continues elsewhere, or its counter is removed as well.
 */
static void
take_away(struct leaver *l, const struct item *item)
{
	plan_add(l->plan,
	    (struct write){.kind = WRITE_DELETE, .key = item_key(item), .condition = &plan_present},
	    PLAN_CHANGED);
}

static enum table_rc
drop(struct leaver *l, const struct item *item)
{
	plan_drop(l->plan, item);
	if (kind_is(item, ITEM_FOLLOW) && follow_status(item) == FOLLOW_BLOCKED)
		hidden_drop_block(l->plan, item_string(item, STR("Follower")),
		    item_string(item, STR("Followed")));
	return done(l);
}

/* Moves an item to the pseudonym's partition, replacing one that is there already. */
static enum table_rc
move(struct leaver *l, const struct item *item)
{
	struct arena *arena = l->plan->call->arena;
	struct item copy = item_shallow(arena, item);

	item_set(arena, &copy, STR("Author"), value_string(l->to.username));
	if (item_get(item, STR("AuthorName")) != NULL)
		item_set(arena, &copy, STR("AuthorName"), value_string(l->to.name));
	key_hand_over(arena, &copy, l->to.username);
	take_away(l, item);
	plan_put(l->plan, copy);
	plan_recount(l->plan, item, &copy);
	return done(l);
}

/* Changes the owner of an item that stays where it is; concurrent changes of others are kept. */
static enum table_rc
hand_over(struct leaver *l, const struct item *item, struct str who, struct str name)
{
	/* Its counters depend on its status, so that must be unchanged as well. */
	const struct value *status = item_get(item, STR("Status"));
	struct condition each[2] = {
	    {.op = COND_EQ, .name = who, .value = value_string(l->username)}};
	const struct condition same = {
	    .op = COND_ALL, .children = each, .count = status != NULL ? 2 : 1};
	struct item place = item_shallow(l->plan->call->arena, item), copy;
	struct change changes[3] = {{CHANGE_SET, who, value_string(l->to.username)}};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = item_key(item),
	    .changes = changes,
	    .change_count = 2,
	    .condition = &same};

	if (status != NULL)
		each[1] =
		    (struct condition){.op = COND_EQ, .name = STR("Status"), .value = *status};
	key_hand_over(l->plan->call->arena, &place, l->to.username);
	changes[1] = (struct change){
	    CHANGE_SET, table_pk_name(TABLE_GSI1), *item_get(&place, table_pk_name(TABLE_GSI1))};
	if (item_get(item, name) != NULL)
		changes[write.change_count++] =
		    (struct change){CHANGE_SET, name, value_string(l->to.name)};
	plan_add(l->plan, write, PLAN_CHANGED);
	/* The pseudonym may be counted in another shard. */
	copy = item_shallow(l->plan->call->arena, item);
	item_set(l->plan->call->arena, &copy, who, value_string(l->to.username));
	plan_recount(l->plan, item, &copy);
	return done(l);
}

/* A post of theirs, or one of which they are a coauthor. */
static enum table_rc
leave_post(struct leaver *l, const struct item *item, size_t *left)
{
	struct plan *plan = l->plan;
	struct written old;
	struct post post;
	bool there, mine, stays;
	enum table_rc rc = written_get(plan, item_string(item, STR("Id")), &old, &there);
	enum plan_rc done;

	if (rc != TABLE_OK)
		return rc;
	if (!there ||
	    (!post_written_by(&old.post, l->username) && !post_asks(&old.post, l->username))) {
		if (!kind_is(item, ITEM_POST))
			return drop(l, item);
		/* It belongs to somebody else by now: the index lags. */
		--*left;
		return TABLE_OK;
	}
	mine = str_eq(old.post.author, l->username);
	/* A scheduled post would be published when nobody is left to stop it. */
	stays =
	    old.post.status == STATUS_PUBLISHED && l->keeps_posts &&
	    old.post.published <= plan->now &&
	    (old.post.visibility == VISIBILITY_PUBLIC || old.post.visibility == VISIBILITY_GROUP);
	if (mine && old.post.status == STATUS_DELETED)
		done = writing_erase(plan, &old, l->username, &l->to, &post);
	else if (mine && !stays)
		done = writing_delete(plan, &old, old.post.version, &post);
	else
		done = writing_hand_over(plan, &old, l->username, &l->to, &post);
	return done == PLAN_TABLE ? plan->failed : TABLE_OK;
}

/* A picture stays while a post shows it; the sweeper removes the others later. */
static enum table_rc
leave_picture(struct leaver *l, const struct item *item)
{
	struct arena *arena = l->plan->call->arena;
	const struct condition theirs = {
	    .op = COND_EQ, .name = STR("Owner"), .value = value_string(l->username)};
	struct item place = item_shallow(arena, item);
	struct change changes[4] = {{CHANGE_SET, STR("Owner"), value_string(l->to.username)}};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = item_key(item),
	    .changes = changes,
	    .change_count = 4,
	    .condition = &theirs};

	key_hand_over(arena, &place, l->to.username);
	key_index_left_media(
	    arena, &place, l->plan->now + LOOK_AFTER_MS, item_string(item, STR("Hash")));
	changes[1] = (struct change){
	    CHANGE_SET, table_pk_name(TABLE_GSI1), *item_get(&place, table_pk_name(TABLE_GSI1))};
	changes[2] = (struct change){
	    CHANGE_SET, table_pk_name(TABLE_GSI3), *item_get(&place, table_pk_name(TABLE_GSI3))};
	changes[3] = (struct change){
	    CHANGE_SET, table_sk_name(TABLE_GSI3), *item_get(&place, table_sk_name(TABLE_GSI3))};
	plan_add(l->plan, write, PLAN_CHANGED);
	return done(l);
}

static enum table_rc
leave_collection(struct leaver *l, const struct item *item)
{
	if (l->keeps_posts && str_eq(item_string(item, STR("Visibility")), STR("public")))
		return hand_over(l, item, STR("Owner"), STR("OwnerName"));
	return collection_delete(l->plan, l->username, item_string(item, STR("Id"))) == PLAN_TABLE
		   ? l->plan->failed
		   : TABLE_OK;
}

/*
 * Handles an item of their partition or of their activity, by its kind. *left counts it if
 * something was done.
 */
static enum table_rc
leave(struct leaver *l, const struct item *item, size_t *left)
{
	const struct kind *kind = kind_of(item);

	++*left;
	switch (kind != NULL ? kind->leave : LEAVE_NOT_THEIRS) {
	/* An item of that kind should not be here, so nothing says what becomes of it. */
	case LEAVE_NOT_THEIRS:
	case LEAVE_WITH_HEAD:
	case LEAVE_AT_ONCE:
	case LEAVE_TO_EXPIRE: l->strange = item_key(item); break;
	case LEAVE_LAST: break;
	case LEAVE_DROP:
	case LEAVE_COUNT_DOWN: return drop(l, item);
	case LEAVE_MOVE: return move(l, item);
	case LEAVE_HAND_OVER: return hand_over(l, item, STR("Author"), STR("AuthorName"));
	case LEAVE_POST: return leave_post(l, item, left);
	case LEAVE_PICTURE: return leave_picture(l, item);
	case LEAVE_COLLECTION: return leave_collection(l, item);
	}
	--*left;
	return TABLE_OK;
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

/* Only the name remains. */
static enum table_rc
finish(struct plan *plan, struct str username)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_user(arena, username), ITEM_USER);
	item_set(arena, &item, STR("Username"), value_string(username));
	item_set(
	    arena, &item, STR("Status"), value_string(str_of(user_status_name(USER_DISABLED))));
	return table_put(plan->table, plan->call, item);
}

/* Handles all that a query finds; *left counts what was done. */
static enum table_rc
work_off(struct leaver *l, struct query query, bool activity, size_t *left)
{
	struct str next;
	enum table_rc rc;

	/*
	 * A page of the query may hold nothing to do, such as the person's own item; then there may
	 * be more after it.
	 */
	do {
		struct item *found;
		size_t count;

		query.limit = AT_ONCE;
		rc = table_query(l->plan->table, l->plan->call, &query, &found, &count, &next);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			/*
			 * Items of their own partition are gone; a lagging index may still show
			 * them.
			 */
			if (!activity || !key_is_own(item_key(&found[i]), l->username))
				rc = leave(l, &found[i], left);
		query.cursor = next;
	} while (rc == TABLE_OK && *left == 0 && next.len != 0);
	return rc;
}

/* Items of unknown kinds are neither dropped nor handed over, but reported. */
static void
tell_of_strange(const struct leaver *l)
{
	const struct table *table = l->plan->table;

	if (l->strange.pk.len == 0 || table->tell == NULL)
		return;
	table->tell(table->tell_context,
	    str_fmt(l->plan->call->arena,
		"Somebody has left, and something of a kind that this version does not know stays: "
		"%.*s / %.*s",
		STR_ARGS(l->strange.pk), STR_ARGS(l->strange.sk)));
}

enum plan_rc
leaving_round(struct plan *plan, struct str username, bool *done)
{
	struct arena *arena = plan->call->arena;
	struct plan own = *plan;
	struct leaver l = {.plan = &own, .username = username};
	struct item *user;
	size_t left = 0;
	enum table_rc rc = table_get(plan->table, plan->call, key_user(arena, username), &user);

	*done = rc == TABLE_OK && (user == NULL || item_string(user, STR("Pseudonym")).len == 0);
	if (rc != TABLE_OK || *done)
		return plan_failed(plan, rc);
	l.to = (struct coauthor){item_string(user, STR("Pseudonym")), LEFT_NAME};
	l.keeps_posts = item_boolean(user, STR("KeepsPosts"));
	own.by = l.to.username;
	own.by_name = l.to.name;
	own.audited = false;
	rc = work_off(&l, query_own(arena, username), false, &left);
	if (rc == TABLE_OK && left == 0)
		rc = work_off(&l, query_activity(arena, username), true, &left);
	/* Blocks that others have against them. */
	if (rc == TABLE_OK && left == 0)
		rc = work_off(&l, query_blocks_against(arena, username), true, &left);
	/* The last round is the one that found nothing. */
	if (rc == TABLE_OK && left == 0) {
		rc = finish(plan, username);
		*done = rc == TABLE_OK;
	}
	if (*done)
		tell_of_strange(&l);
	return plan_failed(plan, rc);
}
