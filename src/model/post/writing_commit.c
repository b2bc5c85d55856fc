/*
 * The transaction that changes a post: its head, the claim of its address and its figures here, what follows them in
 * writing_follow.c.
 */
#include "model/post/writing_commit.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/site/audit.h"

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

	c[0] = plan_present;
	c[1] = (struct condition){.op = COND_ANY, .children = &c[3], .count = version == 0 ? 2 : 1};
	c[2] = (struct condition){.op = COND_ALL, .children = &c[0], .count = 2};
	c[3] = (struct condition){
	    .op = COND_EQ, .name = STR("Version"), .value = value_number(version)};
	c[4] = (struct condition){.op = COND_MISSING, .name = STR("Version")};
	return &c[2];
}

static struct item
add_head(struct commit *c)
{
	struct key key = key_post(c->arena, c->post->id);
	struct item head = {.count = 0};
	struct write write;

	if (c->old != NULL)
		head = item_shallow(c->arena, c->old->head_item);
	key_set(c->arena, &head, key, ITEM_POST);
	post_to_item(c->arena, c->post, &head);
	key_index_post(c->arena, &head, c->post);
	/* A new post's id is a slug, and may be somebody's. */
	if (c->old == NULL) {
		plan_create(c->plan, head, PLAN_TAKEN);
		return head;
	}
	write = update_from_to(c->arena, key, c->old->head_item, &head);
	write.condition = same_version(c->arena, c->old->post.version);
	plan_add(c->plan, write, PLAN_CHANGED);
	if (item_size(&head) > ITEM_SIZE_MAX)
		c->plan->too_long = true;
	return head;
}

static struct item
claim_of(struct commit *c, struct str slug)
{
	struct item claim = {.count = 0};

	key_set(c->arena, &claim, key_slug(c->arena, slug), ITEM_SLUG_CLAIM);
	item_set(c->arena, &claim, STR("Post"), value_string(c->post->id));
	return claim;
}

/* A slug is somebody's for ever; a post may come back to one of its own. */
static void
add_claim(struct commit *c, struct str slug, enum plan_rc refusal)
{
	struct condition *own = ARENA_ARRAY(c->arena, 3, struct condition);

	own[0] = plan_absent;
	own[1] = (struct condition){
	    .op = COND_EQ, .name = STR("Post"), .value = value_string(c->post->id)};
	own[2] = (struct condition){.op = COND_ANY, .children = own, .count = 2};
	plan_add(c->plan,
	    (struct write){.kind = WRITE_PUT, .item = claim_of(c, slug), .condition = &own[2]},
	    refusal);
}

void
commit_claim(struct commit *c, struct str slug)
{
	add_claim(c, slug, PLAN_CHANGED);
}

/* A new post's must be free. */
static void
claim_own(struct commit *c)
{
	if (c->old == NULL)
		plan_create(c->plan, claim_of(c, c->post->slug), PLAN_TAKEN);
	else if (!str_eq(c->old->post.slug, c->post->slug))
		add_claim(c, c->post->slug, PLAN_TAKEN);
}

static void
add_new_stats(struct commit *c)
{
	static const struct post_stats none;
	struct item item = {.count = 0};

	key_set(c->arena, &item, key_post_stats(c->arena, c->post->id), ITEM_STATS);
	item_set(c->arena, &item, STR("Post"), value_string(c->post->id));
	post_stats_to_item(c->arena, &none, &item);
	key_index_stats(c->arena, &item, c->post, &none);
	plan_create(c->plan, item, PLAN_CHANGED);
}

/*
 * Where the figures stand follows from the old head, whose version is a condition, rather than from the item
 * that was read with it: that one may be of another moment. A like that comes in between leaves its place one
 * point behind until the next one.
 */
static void
add_stats(struct commit *c)
{
	struct item before = {.count = 0}, after = {.count = 0};
	struct write update;

	if (c->old == NULL || c->old->stats_item == NULL) {
		add_new_stats(c);
		return;
	}
	key_index_stats(c->arena, &before, &c->old->post, &c->old->stats);
	key_index_stats(c->arena, &after, c->post, &c->old->stats);
	update = update_from_to(c->arena, key_post_stats(c->arena, c->post->id), &before, &after);
	if (update.change_count != 0)
		plan_add(c->plan, update, PLAN_CHANGED);
}

/* --- All of it ------------------------------------------------------------------------------------- */

/* What somebody does to a post that is not theirs stands in the log of the staff. An address may tell a title. */
static void
add_audit(struct commit *c)
{
	const struct post *old = c->old != NULL ? &c->old->post : NULL;
	struct str said;

	if (old == NULL || post_written_by(old, c->plan->by))
		return;
	said = audit_change(c->arena, STR(""), "status", str_of(post_status_name(old->status)),
	    str_of(post_status_name(c->post->status)));
	if (post_is_private(old))
		audit_log(c->plan, AUDIT_PRIVATE, old->author, said);
	else
		audit_log(c->plan, AUDIT_POST, old->id, said);
}

void
commit_begin(
    struct commit *c, struct plan *plan, const struct written *old, const struct post *post)
{
	struct item head;

	*c = (struct commit){.plan = plan, .arena = plan->call->arena, .old = old, .post = post};
	head = add_head(c);
	claim_own(c);
	add_stats(c);
	commit_followers(c, &head);
	add_audit(c);
}

enum plan_rc
commit_do(struct commit *c)
{
	commit_counters(c);
	return plan_commit(c->plan);
}
