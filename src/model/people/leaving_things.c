#include "model/people/leaving_things.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post/writing.h"

enum { COLLECTED_AT_ONCE = 100, LOOK_AFTER_MS = 86400000 };

static const struct condition present = {.op = COND_EXISTS, .name = STR_INIT("PK")};

/* A few writes, all or none. Whoever was faster has done it. */
static enum table_rc
transact(struct leaver *l, struct write *writes, size_t count)
{
	enum table_rc rc = table_transact(l->plan->table, l->plan->call, writes, count, STR(""));

	return rc == TABLE_CANCELLED ? TABLE_OK : rc;
}

static struct write
removal(const struct item *item)
{
	return (struct write){.kind = WRITE_DELETE, .key = item_key(item), .condition = &present};
}

static enum table_rc
drop(struct leaver *l, const struct item *item)
{
	struct write write = removal(item);

	return transact(l, &write, 1);
}

/* Takes it away, and counts one down where it was counted. */
static enum table_rc
drop_counted(struct leaver *l, const struct item *item, struct key counted, struct str counter)
{
	const struct change less = {CHANGE_ADD, counter, value_number(-1)};
	struct write writes[2] = {removal(item), {.kind = WRITE_UPDATE,
						     .key = counted,
						     .changes = &less,
						     .change_count = 1,
						     .condition = &present}};
	enum table_rc rc = table_transact(l->plan->table, l->plan->call, writes, 2, STR(""));

	/* What counted it is gone itself. */
	if (rc == TABLE_CANCELLED && writes[1].rc == TABLE_CONDITION)
		return drop(l, item);
	return rc == TABLE_CANCELLED ? TABLE_OK : rc;
}

/* What lies in their own partition: the same thing in the pseudonym's, in place of the one that was there. */
static enum table_rc
move(struct leaver *l, const struct item *item)
{
	struct arena *arena = l->plan->call->arena;
	struct item copy = item_shallow(arena, item);
	struct write writes[2] = {removal(item)};

	item_set(arena, &copy, STR("Author"), value_string(l->to.username));
	if (item_get(item, STR("AuthorName")) != NULL)
		item_set(arena, &copy, STR("AuthorName"), value_string(l->to.name));
	key_hand_over(arena, &copy, l->to.username);
	writes[1] = (struct write){.kind = WRITE_PUT, .item = copy};
	return transact(l, writes, 2);
}

/* What stays where it is: only whose it is changes, and nothing that others do to it meanwhile is lost. */
static enum table_rc
hand_over(struct leaver *l, const struct item *item, struct str who, struct str name)
{
	const struct condition theirs = {
	    .op = COND_EQ, .name = who, .value = value_string(l->username)};
	struct item place = item_shallow(l->plan->call->arena, item);
	struct change changes[3] = {{CHANGE_SET, who, value_string(l->to.username)}};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = item_key(item),
	    .changes = changes,
	    .change_count = 2,
	    .condition = &theirs};

	key_hand_over(l->plan->call->arena, &place, l->to.username);
	changes[1] = (struct change){
	    CHANGE_SET, table_pk_name(TABLE_GSI1), *item_get(&place, table_pk_name(TABLE_GSI1))};
	if (item_get(item, name) != NULL)
		changes[write.change_count++] =
		    (struct change){CHANGE_SET, name, value_string(l->to.name)};
	return transact(l, &write, 1);
}

static bool
is(const struct item *item, const char *type)
{
	return str_eq(item_string(item, STR("Type")), str_of(type));
}

/* --- Their own partition ---------------------------------------------------------------------------- */

enum table_rc
leaving_own(struct leaver *l, const struct item *item, size_t *left)
{
	struct arena *arena = l->plan->call->arena;
	struct str followed = item_string(item, STR("Followed"));

	if (is(item, "User"))
		return TABLE_OK;
	++*left;
	if (is(item, "Like") || is(item, "Rating") || is(item, "Vote"))
		return move(l, item);
	if (is(item, "Bookmark"))
		return drop_counted(l, item, key_post_stats(arena, item_string(item, STR("Post"))),
		    STR("Bookmarks"));
	/* Whom they did not want to meet does not count them. */
	if (is(item, "Follow") && !str_eq(item_string(item, STR("Status")), STR("blocked")))
		return drop_counted(l, item, key_user(arena, followed), STR("Followers"));
	return drop(l, item);
}

/* --- Their doings ----------------------------------------------------------------------------------- */

/* A post of theirs, or one that they had a part in. */
static enum table_rc
leave_post(struct leaver *l, const struct item *item)
{
	struct plan plan = {.table = l->plan->table,
	    .call = l->plan->call,
	    .now = l->plan->now,
	    .by = l->to.username,
	    .by_name = l->to.name};
	struct written old;
	struct post post;
	bool there, mine, stays;
	enum table_rc rc = written_get(&plan, item_string(item, STR("Id")), &old, &there);
	enum plan_rc done;

	if (rc != TABLE_OK)
		return rc;
	if (!there ||
	    (!post_written_by(&old.post, l->username) && !post_asks(&old.post, l->username)))
		return drop(l, item);
	mine = str_eq(old.post.author, l->username);
	/* What is still to come would come when nobody is there any more to stop it. */
	stays =
	    old.post.status == STATUS_PUBLISHED && l->keeps_posts &&
	    old.post.published <= l->plan->now &&
	    (old.post.visibility == VISIBILITY_PUBLIC || old.post.visibility == VISIBILITY_GROUP);
	if (mine && old.post.status == STATUS_DELETED)
		done = writing_erase(&plan, &old, l->username, &l->to, &post);
	else if (mine && !stays)
		done = writing_delete(&plan, &old, old.post.version, &post);
	else
		done = writing_hand_over(&plan, &old, l->username, &l->to, &post);
	return done == PLAN_TABLE ? plan.failed : TABLE_OK;
}

/* A picture stays while a post shows it; the others go when the sweeper has looked. */
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
	return transact(l, &write, 1);
}

/* What is in it first: the head still leads to the rest. */
static enum table_rc
drop_collection(struct leaver *l, const struct item *item)
{
	struct query query = query_collection(l->plan->call->arena, item_string(item, STR("Id")));
	struct write writes[COLLECTED_AT_ONCE];
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = COLLECTED_AT_ONCE;
	rc = table_query(l->plan->table, l->plan->call, &query, &found, &count, &next);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		writes[i] = removal(&found[i]);
	if (rc == TABLE_OK && count != 0)
		rc = transact(l, writes, count);
	return rc == TABLE_OK && next.len == 0 ? drop(l, item) : rc;
}

enum table_rc
leaving_doing(struct leaver *l, const struct item *item, size_t *left)
{
	struct arena *arena = l->plan->call->arena;

	/* These lie in their own partition; an index that lags may still show them. */
	if (is(item, "Like") || is(item, "Rating") || is(item, "Vote") || is(item, "Bookmark"))
		return TABLE_OK;
	++*left;
	if (is(item, "Post") || is(item, "PostCopy") || is(item, "PostRequest"))
		return leave_post(l, item);
	if (is(item, "Comment"))
		return hand_over(l, item, STR("Author"), STR("AuthorName"));
	if (is(item, "Follow"))
		return drop_counted(
		    l, item, key_user(arena, item_string(item, STR("Follower"))), STR("Following"));
	if (is(item, "Media"))
		return leave_picture(l, item);
	if (is(item, "Collection") && l->keeps_posts &&
	    str_eq(item_string(item, STR("Visibility")), STR("public")))
		return hand_over(l, item, STR("Owner"), STR("OwnerName"));
	if (is(item, "Collection"))
		return drop_collection(l, item);
	return drop(l, item);
}
