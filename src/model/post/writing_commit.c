/*
 * The transaction that changes a post: its head, the claim of its address and its figures here, what follows them in
 * writing_follow.c; then the try, and whose fault it is when it is refused.
 */
#include "model/post/writing_commit.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/site/audit.h"

enum { TRIES = 6 };

static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};
static const struct condition present = {.op = COND_EXISTS, .name = STR_INIT("PK")};

void
commit_add(struct commit *c, struct write write)
{
	if (c->count == TABLE_BATCH_MAX ||
	    (write.kind == WRITE_PUT && item_size(&write.item) > ITEM_SIZE_MAX))
		c->too_long = true;
	else
		c->writes[c->count++] = write;
}

/* --- One item -------------------------------------------------------------------------------------- */

/* What makes the one item the other: an update says only what differs, so that it undoes nothing else. */
static struct write
update_from_to(struct arena *arena, struct key key, const struct item *from, const struct item *to)
{
	struct change *changes = ARENA_ARRAY(arena, from->count + to->count, struct change);
	struct write update = {.kind = WRITE_UPDATE, .key = key, .changes = changes};
	size_t f = 0, t = 0, count = 0;

	/* Both are sorted by name. */
	while (f < from->count || t < to->count) {
		const struct attribute *a = f < from->count ? &from->attributes[f] : NULL;
		const struct attribute *b = t < to->count ? &to->attributes[t] : NULL;
		int order = a == NULL ? 1 : b == NULL ? -1 : str_cmp(a->name, b->name);

		if (order < 0)
			changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = a->name};
		else if (order > 0 || !value_eq(&a->value, &b->value))
			changes[count++] = (struct change){CHANGE_SET, b->name, b->value};
		f += order <= 0;
		t += order >= 0;
	}
	update.change_count = count;
	return update;
}

/* Still the version that was read; one from a seed has none yet. */
static const struct condition *
same_version(struct arena *arena, int64_t version)
{
	struct condition *c = ARENA_ARRAY(arena, 5, struct condition);

	c[0] = present;
	c[1] = (struct condition){.op = COND_ANY, .children = &c[3], .count = version == 0 ? 2 : 1};
	c[2] = (struct condition){.op = COND_ALL, .children = &c[0], .count = 2};
	c[3] = (struct condition){
	    .op = COND_EQ, .name = STR("Version"), .value = value_number(version)};
	c[4] = (struct condition){.op = COND_MISSING, .name = STR("Version")};
	return &c[2];
}

static struct item
plan_head(struct commit *c)
{
	struct key key = key_post(c->arena, c->post->id);
	struct item head = {.count = 0};
	struct write write = {.kind = WRITE_PUT, .condition = &absent};

	if (c->old != NULL)
		head = item_shallow(c->arena, c->old->head_item);
	key_set(c->arena, &head, key, STR("Post"));
	post_to_item(c->arena, c->post, &head);
	key_index_post(c->arena, &head, c->post);
	write.item = head;
	if (c->old != NULL) {
		write = update_from_to(c->arena, key, c->old->head_item, &head);
		write.condition = same_version(c->arena, c->old->post.version);
	}
	if (item_size(&head) > ITEM_SIZE_MAX)
		c->too_long = true;
	commit_add(c, write);
	return head;
}

/* A slug is somebody's for ever; a post may come back to one of its own. */
void
commit_claim(struct commit *c, struct str slug)
{
	struct condition *own = ARENA_ARRAY(c->arena, 3, struct condition);
	struct write claim = {.kind = WRITE_PUT, .condition = &own[2]};

	own[0] = absent;
	own[1] = (struct condition){
	    .op = COND_EQ, .name = STR("Post"), .value = value_string(c->post->id)};
	own[2] = (struct condition){.op = COND_ANY, .children = own, .count = 2};
	key_set(c->arena, &claim.item, key_slug(c->arena, slug), STR("SlugClaim"));
	item_set(c->arena, &claim.item, STR("Post"), value_string(c->post->id));
	commit_add(c, claim);
}

static void
plan_claim(struct commit *c)
{
	if (c->old != NULL && str_eq(c->old->post.slug, c->post->slug))
		return;
	c->claim = c->count;
	commit_claim(c, c->post->slug);
	/* A new post's must be free. */
	if (c->old == NULL)
		c->writes[c->claim].condition = &absent;
}

static void
plan_new_stats(struct commit *c)
{
	static const struct post_stats none;
	struct write put = {.kind = WRITE_PUT, .condition = &absent};

	key_set(c->arena, &put.item, key_post_stats(c->arena, c->post->id), STR("Stats"));
	item_set(c->arena, &put.item, STR("Post"), value_string(c->post->id));
	post_stats_to_item(c->arena, &none, &put.item);
	key_index_stats(c->arena, &put.item, c->post, &none);
	commit_add(c, put);
}

/*
 * Where the figures stand follows from the old head, whose version is a condition, rather than from the item
 * that was read with it: that one may be of another moment. A like that comes in between leaves its place one
 * point behind until the next one.
 */
static void
plan_stats(struct commit *c)
{
	struct item before = {.count = 0}, after = {.count = 0};
	struct write update;

	if (c->old == NULL || c->old->stats_item == NULL) {
		plan_new_stats(c);
		return;
	}
	key_index_stats(c->arena, &before, &c->old->post, &c->old->stats);
	key_index_stats(c->arena, &after, c->post, &c->old->stats);
	update = update_from_to(c->arena, key_post_stats(c->arena, c->post->id), &before, &after);
	if (update.change_count != 0)
		commit_add(c, update);
}

/* --- All of it ------------------------------------------------------------------------------------- */

/* What somebody does to a post that is not theirs stands in the log of the staff. An address may tell a title. */
static void
plan_audit(struct commit *c)
{
	const struct post *old = c->old != NULL ? &c->old->post : NULL;
	struct str said;

	if (!c->plan->audited || old == NULL || post_written_by(old, c->plan->by))
		return;
	said = audit_change(c->arena, STR(""), "status", str_of(post_status_name(old->status)),
	    str_of(post_status_name(c->post->status)));
	commit_add(c, post_is_private(old) ? audit_put(c->plan, AUDIT_PRIVATE, old->author, said)
					   : audit_put(c->plan, AUDIT_POST, old->id, said));
}

void
commit_begin(
    struct commit *c, struct plan *plan, const struct written *old, const struct post *post)
{
	struct item head;

	*c = (struct commit){.plan = plan,
	    .arena = plan->call->arena,
	    .old = old,
	    .post = post,
	    .once = SIZE_MAX,
	    .claim = SIZE_MAX,
	    .category = SIZE_MAX};
	head = plan_head(c);
	plan_claim(c);
	plan_stats(c);
	commit_followers(c, &head);
	plan_audit(c);
}

/* Leaves out the counters of what is gone: nobody will miss them. False when none was the trouble. */
static bool
drop_spare(struct commit *c)
{
	size_t kept = c->spare;

	for (size_t i = c->spare; i < c->count; i++)
		if (c->writes[i].rc != TABLE_CONDITION)
			c->writes[kept++] = c->writes[i];
	if (kept == c->count)
		return false;
	c->count = kept;
	return true;
}

/* Whose fault it is that it was refused; PLAN_DONE: nobody's, it is worth another try. */
static enum plan_rc
blame(struct commit *c)
{
	bool clash = false;

	/* Before all others: a form that is sent twice finds its slug taken, too. */
	if (c->once != SIZE_MAX && c->writes[c->once].rc == TABLE_CONDITION) {
		if (c->writes[c->once].failed != NULL)
			c->already = item_string(c->writes[c->once].failed, STR("Post"));
		return PLAN_ALREADY;
	}
	for (size_t i = 0; i < c->spare; i++) {
		clash = clash || c->writes[i].rc == TABLE_CONFLICT;
		if (c->writes[i].rc != TABLE_CONDITION)
			continue;
		if (i == c->claim)
			return PLAN_TAKEN;
		if (i == c->category)
			return PLAN_NO_CATEGORY;
		if (i >= c->authors && i < c->authors_end)
			return PLAN_NO_AUTHOR;
		/* A new post's head: its id is a slug, and somebody's. */
		if (i == 0 && c->old == NULL)
			return PLAN_TAKEN;
		return PLAN_CHANGED;
	}
	for (size_t i = c->spare; i < c->count; i++)
		clash = clash || c->writes[i].rc == TABLE_CONFLICT;
	return drop_spare(c) || clash ? PLAN_DONE : PLAN_CHANGED;
}

enum plan_rc
commit_do(struct commit *c)
{
	enum table_rc rc = TABLE_CONFLICT;

	commit_counters(c);
	if (c->too_long)
		return PLAN_TOO_LONG;
	for (int i = 0; i < TRIES; i++) {
		enum plan_rc whose;

		rc = table_transact(c->plan->table, c->plan->call, c->writes, c->count, STR(""));
		if (rc == TABLE_OK)
			return PLAN_DONE;
		if (rc == TABLE_CONFLICT)
			continue;
		if (rc != TABLE_CANCELLED)
			break;
		whose = blame(c);
		if (whose != PLAN_DONE)
			return whose;
		rc = TABLE_CONFLICT;
	}
	c->plan->failed = rc;
	return PLAN_TABLE;
}
