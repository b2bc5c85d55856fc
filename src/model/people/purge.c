#include "model/people/purge.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_staff.h"
#include "model/kinds.h"
#include "model/people/account_private.h"
#include "model/people/leaving.h"
#include "model/post/collection_write.h"
#include "model/post/writing.h"
#include "model/reader/comment.h"
#include "model/reader/tally.h"
#include "model/site/moderation_log.h"
#include "table/json.h"

enum { AT_ONCE = 40 };

/* An unknown word is the first: what is not understood is left alone. */
static const char *const states[] = {"", "removing", "removed", "restoring", NULL};

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "By", struct purge, by),
    BIND_TIME(RECORDED, "CreatedAt", struct purge, created),
    BIND_TIME(RECORDED, "NextAt", struct purge, next),
    BIND_NUMBER(RECORDED, "Removed", struct purge, removed),
    BIND_TIME(RECORDED, "Since", struct purge, since),
    BIND_CHOICE(RECORDED, "State", struct purge, state, states),
    BIND_STRING(RECORDED, "Username", struct purge, username),
};
const struct binding_table purge_bindings = BINDINGS(bindings);

void
purge_from_item(struct arena *arena, const struct item *item, struct purge *out)
{
	*out = (struct purge){.state = PURGE_NONE};
	if (item != NULL)
		bind_read(arena, &purge_bindings, item, out);
}

static bool
is_status(const struct item *item, const char *status)
{
	return str_eq(item_string(item, STR("Status")), str_of(status));
}

/* A kind that goes, and is not gone already. */
static bool
goes(const struct item *item)
{
	const struct kind *kind = kind_of(item);

	switch (kind != NULL ? (enum item_kind)(kind - item_kinds) : ITEM_KINDS) {
	/* A hidden one is out of sight, and may have replies. */
	case ITEM_COMMENT: return is_status(item, "visible") || is_status(item, "held");
	case ITEM_FOLLOW: return !is_status(item, "blocked");
	case ITEM_LIKE:
	case ITEM_VOTE:
	case ITEM_BOOKMARK:
	case ITEM_RATING:
	case ITEM_FLAG: return true;
	case ITEM_COLLECTION: return str_eq(item_string(item, STR("Visibility")), STR("public"));
	case ITEM_POST: return is_status(item, "published");
	default: return false;
	}
}

bool
purge_takes(const struct item *item, int64_t since)
{
	struct str made = item_string(item, STR("CreatedAt"));
	int64_t created;

	if (!goes(item))
		return false;
	return since == 0 || (time_parse(made, &created) && created >= since);
}

/* --- The item of the purge --------------------------------------------------------------------------- */

static struct condition *
state_is(struct arena *arena, enum purge_state state)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){
	    .op = COND_EQ, .name = STR("State"), .value = value_string(str_of(states[state]))};
	return condition;
}

/* It is in that state from now on, if it is in this one; the sweeper looks at it then. */
static void
add_state(struct plan *plan, struct str username, enum purge_state from, enum purge_state to,
    int64_t next)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 4, struct change);
	struct item place = {.count = 0};

	key_index_purge(arena, &place, username, next);
	changes[0] =
	    (struct change){CHANGE_SET, STR("State"), value_string(str_of(states[to]))};
	changes[1] = (struct change){
	    CHANGE_SET, STR("NextAt"), value_string(time_format(arena, next))};
	for (size_t i = 0; i < 2; i++)
		changes[2 + i] = (struct change){
		    CHANGE_SET, place.attributes[i].name, place.attributes[i].value};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_purge(arena, username),
		.changes = changes,
		.change_count = 4,
		.condition = state_is(arena, from)},
	    PLAN_CHANGED);
}

static enum plan_rc
load(struct plan *plan, struct str username, struct purge *out)
{
	struct read read = {.kind = READ_GET,
	    .key = key_purge(plan->call->arena, username),
	    .consistent = true};
	enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

	purge_from_item(plan->call->arena, rc == TABLE_OK ? read.item : NULL, out);
	return plan_failed(plan, rc);
}

enum plan_rc
purge_begin(struct plan *plan, const struct user *user, int64_t since)
{
	struct arena *arena = plan->call->arena;
	struct edit *edit = edit_begin(plan);
	struct item item = {.count = 0};
	const struct purge purge = {.username = user->username,
	    .by = plan->by,
	    .state = PURGE_REMOVING,
	    .since = since,
	    .created = plan->now,
	    .next = plan->now};

	edit_change(edit, CHANGE_SET, STR("Status"),
	    value_string(str_of(user_status_name(USER_DISABLED))));
	edit_change(edit, CHANGE_SET, STR("GSI2PK"),
	    value_string(
		key_people(arena, str_of(user_role_or_status(user->role, USER_DISABLED)))));
	edit_change(edit, CHANGE_SET, STR("GSI2SK"), value_string(user->username));
	edit_change(edit, CHANGE_ADD, STR("Era"), value_number(1));
	edit_only_role_and_status(edit, user);
	/* Somebody who has left is in nobody's hands any more. */
	edit_only(edit, (struct condition){.op = COND_EXISTS, .name = STR("GSI2PK")});
	edit_end(edit, user->username);
	key_set(arena, &item, key_purge(arena, user->username), ITEM_PURGE);
	key_index_purge(arena, &item, user->username, plan->now);
	bind_write(arena, &purge_bindings, &purge, &item);
	plan_create(plan, item, PLAN_TAKEN);
	audit_log(plan, AUDIT_PURGE, user->username,
	    since == 0 ? STR("all")
		       : STR_CONCAT(arena, STR("since "), time_format(arena, since)));
	moderation_log_staff(plan, MODERATED_ACCOUNT, "removed", user->username, 0);
	return plan_commit(plan);
}

enum plan_rc
purge_restore(struct plan *plan, struct str username)
{
	struct purge purge;
	enum plan_rc rc = load(plan, username, &purge);

	if (rc != PLAN_DONE)
		return rc;
	if (purge.state == PURGE_RESTORING)
		return PLAN_DONE;
	if (purge.state == PURGE_NONE)
		return PLAN_NOT_THERE;
	add_state(plan, username, purge.state, PURGE_RESTORING, plan->now);
	audit_log(plan, AUDIT_PURGE, username, STR("restored"));
	moderation_log_staff(plan, MODERATED_ACCOUNT, "restored", username, 0);
	return plan_commit(plan);
}

/* --- What goes --------------------------------------------------------------------------------------- */

/* Keeps the item as it was, to be restored, and counts it as gone. */
static void
keep(struct plan *plan, struct str username, const struct item *was)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	struct change *change = ARENA_NEW(arena, struct change);
	struct buf json = {.arena = arena};

	key_set(arena, &item, key_purged(arena, username, item_key(was)), ITEM_PURGED);
	item_to_json(&json, was);
	item_set(arena, &item, STR("Item"), value_string(buf_str(&json)));
	item_set(arena, &item, STR("Username"), value_string(username));
	item_set(
	    arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + PURGE_KEPT_SECONDS));
	plan_put(plan, item);
	*change = (struct change){CHANGE_ADD, STR("Removed"), value_number(1)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_purge(arena, username),
		.changes = change,
		.change_count = 1,
		.condition = state_is(arena, PURGE_REMOVING)},
	    PLAN_CHANGED);
}

/* What shows a comment to nobody: the place stays for its replies. */
static const char *const shown[] = {
    "Author", "AuthorName", "GSI1PK", "GSI1SK", "GSI3PK", "GSI3SK", "HTML", "Markdown", "Renderer"};
enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };

static void
hide_comment(struct plan *plan, const struct item *comment)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, SHOWN + 1, struct change);
	struct condition *visible = ARENA_NEW(arena, struct condition);
	struct comment was;

	*visible = (struct condition){
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(STR("visible"))};
	changes[0] = (struct change){CHANGE_SET, STR("Status"), value_string(STR("deleted"))};
	for (size_t i = 0; i < SHOWN; i++)
		changes[1 + i] = (struct change){.op = CHANGE_REMOVE, .name = str_of(shown[i])};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(comment),
		.changes = changes,
		.change_count = SHOWN + 1,
		.condition = visible},
	    PLAN_CHANGED);
	comment_from_item(arena, comment, &was);
	tally_leave(plan, was.post, was.path);
	plan_recount(plan, comment, NULL);
}

/* Where what counts it is found by an index: a comment that was voted on. NULL: it is not there. */
static enum table_rc
find_counting(struct plan *plan, struct key place, struct item **out)
{
	struct query query = {
	    .index = TABLE_GSI2, .partition = place.pk, .op = SORT_EQ, .low = place.sk, .limit = 1};
	size_t count;
	struct str next;
	enum table_rc rc = table_query(plan->table, plan->call, &query, out, &count, &next);

	if (rc == TABLE_OK && count == 0)
		*out = NULL;
	return rc;
}

/* Counts an item so many times more, wherever what counts it lies. */
static enum table_rc
count(struct plan *plan, const struct item *item, int64_t times)
{
	const struct item_counters all = kind_of(item)->counted(plan->call->arena, item);
	struct item *counting;
	enum table_rc rc;

	if (all.count == 0 || all.counters[0].index == TABLE_PRIMARY) {
		plan_recount(plan, times < 0 ? item : NULL, times < 0 ? NULL : item);
		return TABLE_OK;
	}
	rc = find_counting(plan, all.counters[0].key, &counting);
	if (rc == TABLE_OK && counting != NULL)
		plan_count(plan, item_key(counting), all.counters[0].name, times, PLAN_DONE);
	return rc;
}

static enum table_rc
drop(struct plan *plan, const struct item *item)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE, .key = item_key(item), .condition = &plan_present},
	    PLAN_CHANGED);
	return count(plan, item, -1);
}

/* Whoever was faster has done it: the next round sees what is left. */
static enum table_rc
done(struct plan *plan)
{
	return plan_commit(plan) == PLAN_TABLE ? plan->failed : TABLE_OK;
}

static enum table_rc
set_public(struct plan *plan, struct str username, const struct item *item, bool public)
{
	struct plan owner = *plan;
	struct collection collection;

	collection_from_item(plan->call->arena, item, &collection);
	collection.is_public = public;
	owner.by = username;
	owner.by_name = collection.owner_name;
	owner.audited = false;
	return collection_edit(&owner, &collection) == PLAN_TABLE ? owner.failed : TABLE_OK;
}

/* A post that they wrote; one that they had a part in is its author's. */
static enum table_rc
delete_post(struct plan *plan, struct str id)
{
	struct written old;
	struct post post;
	bool there;
	enum table_rc rc = written_get(plan, id, &old, &there);

	if (rc != TABLE_OK || !there || old.post.status != STATUS_PUBLISHED)
		return rc;
	return writing_delete(plan, &old, old.post.version, &post) == PLAN_TABLE ? plan->failed
										 : TABLE_OK;
}

static enum table_rc
remove_one(struct plan *plan, struct str username, const struct item *item)
{
	enum table_rc rc = TABLE_OK;

	keep(plan, username, item);
	if (kind_is(item, ITEM_COMMENT) && is_status(item, "visible")) {
		hide_comment(plan, item);
		return done(plan);
	}
	if (!kind_is(item, ITEM_COLLECTION) && !kind_is(item, ITEM_POST)) {
		rc = drop(plan, item);
		return rc == TABLE_OK ? done(plan) : rc;
	}
	/* These two change by transactions of their own; that they are to come back is noted before. */
	rc = done(plan);
	if (rc != TABLE_OK)
		return rc;
	return kind_is(item, ITEM_POST) ? delete_post(plan, item_string(item, STR("Id")))
					: set_public(plan, username, item, false);
}

/* --- What comes back --------------------------------------------------------------------------------- */

static void
show_comment(struct plan *plan, const struct item *comment)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, SHOWN + 1, struct change);
	struct condition *deleted = ARENA_NEW(arena, struct condition);
	struct comment was;
	size_t n = 0;

	*deleted = (struct condition){
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(STR("deleted"))};
	changes[n++] = (struct change){CHANGE_SET, STR("Status"), value_string(STR("visible"))};
	for (size_t i = 0; i < SHOWN; i++)
		if (item_get(comment, str_of(shown[i])) != NULL)
			changes[n++] = (struct change){
			    CHANGE_SET, str_of(shown[i]), *item_get(comment, str_of(shown[i]))};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(comment),
		.changes = changes,
		.change_count = n,
		.condition = deleted},
	    PLAN_CHANGED);
	comment_from_item(arena, comment, &was);
	tally_add(plan, was.post, was.path, false);
	plan_recount(plan, NULL, comment);
}

static enum table_rc
undelete_post(struct plan *plan, struct str id)
{
	struct written old;
	struct post post;
	bool there;
	enum table_rc rc = written_get(plan, id, &old, &there);

	if (rc != TABLE_OK || !there || old.post.status != STATUS_DELETED)
		return rc;
	return writing_undelete(plan, &old, &post) == PLAN_TABLE ? plan->failed : TABLE_OK;
}

/* Where something else is in its place by now, that stays. */
static enum table_rc
restore_one(struct plan *plan, struct str username, const struct item *copy)
{
	const struct write away = {.kind = WRITE_DELETE, .key = item_key(copy)};
	struct item *item = ARENA_NEW(plan->call->arena, struct item);
	enum table_rc rc = TABLE_OK;
	struct json_error error;

	if (!item_from_json(
		plan->call->arena, item_string(copy, STR("Item")), item, &error) ||
	    kind_of(item) == NULL) {
		plan_add(plan, away, PLAN_CHANGED);
		return done(plan);
	}
	if (kind_is(item, ITEM_COMMENT) && is_status(item, "visible")) {
		show_comment(plan, item);
	} else if (kind_is(item, ITEM_COLLECTION)) {
		rc = set_public(plan, username, item, true);
	} else if (kind_is(item, ITEM_POST)) {
		rc = undelete_post(plan, item_string(item, STR("Id")));
	} else {
		plan_create(plan, *item, PLAN_CHANGED);
		rc = count(plan, item, 1);
	}
	plan_add(plan, away, PLAN_CHANGED);
	if (rc != TABLE_OK)
		return rc;
	if (plan_commit(plan) == PLAN_TABLE)
		return plan->failed;
	if (plan->rc == PLAN_DONE)
		return TABLE_OK;
	plan_add(plan, away, PLAN_CHANGED);
	return done(plan);
}

/* --- Working it off ---------------------------------------------------------------------------------- */

/* A follower of theirs stands in their activity. */
static bool
is_anothers(const struct item *item, struct str username)
{
	return kind_is(item, ITEM_FOLLOW) && !key_is_own(item_key(item), username);
}

/* One query's worth, of all that it takes; *left counts what there was to do. */
static enum table_rc
work_off(struct plan *plan, const struct purge *purge, struct query query, size_t *left)
{
	struct str next;
	enum table_rc rc;

	do {
		struct item *found;
		size_t n;

		query.limit = AT_ONCE;
		rc = table_query(plan->table, plan->call, &query, &found, &n, &next);
		for (size_t i = 0; rc == TABLE_OK && i < n; i++) {
			if (purge->state == PURGE_REMOVING &&
			    (!purge_takes(&found[i], purge->since) ||
				is_anothers(&found[i], purge->username)))
				continue;
			++*left;
			rc = purge->state == PURGE_REMOVING
				 ? remove_one(plan, purge->username, &found[i])
				 : restore_one(plan, purge->username, &found[i]);
		}
		query.cursor = next;
	} while (rc == TABLE_OK && *left == 0 && next.len != 0);
	return rc;
}

static enum plan_rc
remove_round(struct plan *plan, const struct purge *purge, bool *done)
{
	struct arena *arena = plan->call->arena;
	bool last = purge->next > purge->created;
	size_t left = 0;
	enum table_rc rc = work_off(plan, purge, query_following(arena, purge->username), &left);

	if (rc == TABLE_OK && left == 0)
		rc = work_off(plan, purge, query_activity(arena, purge->username), &left);
	*done = rc == TABLE_OK && left == 0;
	if (rc != TABLE_OK || !*done)
		return plan_failed(plan, rc);
	/* What was on its way is there in a minute. */
	if (!last)
		add_state(plan, purge->username, PURGE_REMOVING, PURGE_REMOVING,
		    plan->now + PURGE_AGAIN_MS);
	else
		add_state(plan, purge->username, PURGE_REMOVING, PURGE_REMOVED,
		    purge->created + (int64_t)PURGE_KEPT_SECONDS * 1000);
	return plan_commit(plan);
}

static void
add_removal(struct plan *plan, struct str username, enum purge_state state)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_purge(plan->call->arena, username),
		.condition = state_is(plan->call->arena, state)},
	    PLAN_CHANGED);
}

static enum plan_rc
restore_round(struct plan *plan, const struct purge *purge, bool *done)
{
	size_t left = 0;
	enum table_rc rc = work_off(
	    plan, purge, query_purged(plan->call->arena, purge->username), &left);
	enum plan_rc in;

	*done = rc == TABLE_OK && left == 0;
	if (rc != TABLE_OK || !*done)
		return plan_failed(plan, rc);
	in = account_set_role_and_status(plan, purge->username, AS_IT_IS, USER_ACTIVE);
	if (in != PLAN_DONE && in != PLAN_TAKEN)
		return in;
	add_removal(plan, purge->username, PURGE_RESTORING);
	return plan_commit(plan);
}

/* The 30 days are over. Who was let in again meanwhile stays, and so does who was to lose a part only. */
static enum plan_rc
erase(struct plan *plan, const struct purge *purge)
{
	struct account account;
	enum plan_rc rc = account_find(plan, purge->username, &account);

	if (rc != PLAN_DONE && rc != PLAN_NOT_THERE)
		return rc;
	if (rc == PLAN_DONE && purge->since == 0 && account.user.status == USER_DISABLED)
		rc = account_leave(plan, plan->clock, &account.user, false);
	if (rc != PLAN_DONE && rc != PLAN_NOT_THERE)
		return rc;
	add_removal(plan, purge->username, PURGE_REMOVED);
	return plan_commit(plan);
}

enum plan_rc
purge_round(struct plan *plan, struct str username, bool *done)
{
	struct purge purge;
	enum plan_rc rc = load(plan, username, &purge);

	*done = true;
	if (rc != PLAN_DONE || purge.state == PURGE_NONE)
		return rc;
	if (purge.state == PURGE_REMOVING)
		return remove_round(plan, &purge, done);
	if (purge.state == PURGE_RESTORING)
		return restore_round(plan, &purge, done);
	return purge.next <= plan->now ? erase(plan, &purge) : PLAN_DONE;
}

enum plan_rc
purge_next(struct plan *plan, struct str *username)
{
	struct query query = query_purges_due(plan->call->arena, plan->now);
	struct item *found;
	size_t n;
	struct str next;
	enum table_rc rc;

	query.limit = 1;
	rc = table_query(plan->table, plan->call, &query, &found, &n, &next);
	*username = rc == TABLE_OK && n != 0 ? item_string(&found[0], STR("Username")) : STR("");
	return plan_failed(plan, rc);
}
