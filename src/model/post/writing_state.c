/*
 * A post's states: it is published, taken back, put on another shelf, deleted and had back. The text stays, and no
 * revision is made.
 */
#include "model/post/writing.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/post/revision.h"
#include "model/post/writing_commit.h"

enum { EXPIRE_AT_ONCE = 50 };

void
commit_times(struct post *post, int64_t now)
{
	if (post->status == STATUS_DRAFT)
		post->published = 0;
	else
		post->planned = 0;
	if (post->status == STATUS_PUBLISHED && post->published == 0)
		post->published = now;
}

/* Begins a change that leaves the text alone. */
static struct post *
change_begin(struct plan *plan, const struct written *old)
{
	struct post *post = arena_copy(plan->call->arena, &old->post, sizeof(*post));

	post->version++;
	post->updated = plan->now;
	return post;
}

static enum plan_rc
change_state(struct plan *plan, const struct written *old, int64_t version, struct post *changed,
    const struct write *besides, struct post *post)
{
	struct commit *c = ARENA_NEW(plan->call->arena, struct commit);
	enum plan_rc rc;

	if (version != old->post.version)
		return PLAN_CHANGED;
	commit_times(changed, plan->now);
	commit_begin(c, plan, old, changed);
	if (besides != NULL)
		plan_add(plan, *besides, PLAN_CHANGED);
	commit_uses(c, &old->body);
	rc = commit_do(c);
	if (rc == PLAN_DONE)
		*post = *changed;
	return rc;
}

/* Also when nobody has seen it yet: the staff, who may do this to a private one, may read drafts. */
enum plan_rc
writing_unpublish(struct plan *plan, const struct written *old, int64_t version, struct post *post)
{
	struct post *changed = change_begin(plan, old);

	changed->status = STATUS_UNPUBLISHED;
	return change_state(plan, old, version, changed, NULL, post);
}

enum plan_rc
writing_move(struct plan *plan, const struct written *old, struct str category)
{
	struct post *changed = arena_copy(plan->call->arena, &old->post, sizeof(*changed));

	changed->version++;
	changed->category = category;
	return change_state(plan, old, old->post.version, changed, NULL, changed);
}

/* --- Deletion -------------------------------------------------------------------------------------- */

bool
written_kept(const struct written *deleted, int64_t now)
{
	return deleted->post.status == STATUS_DELETED && deleted->body_item != NULL &&
	       deleted->post.deleted + DELETED_KEPT_MS > now;
}

/*
 * Lets all revisions expire, or stay again with `when` 0. There may be more of them than a transaction
 * takes, so they go by themselves: after a deletion, before it is undone. What stops halfway through
 * leaves a revision too many, never one too few.
 */
static enum plan_rc
expire_revisions(struct plan *plan, struct str id, int64_t when)
{
	const struct change set = {CHANGE_SET, TABLE_EXPIRES, value_number(when)};
	const struct change stay = {.op = CHANGE_REMOVE, .name = TABLE_EXPIRES};
	struct query query = query_revisions(plan->call->arena, id);
	enum plan_rc rc = PLAN_DONE;

	query.limit = EXPIRE_AT_ONCE;
	do {
		struct item *found;
		size_t count;
		enum table_rc read =
		    table_query(plan->table, plan->call, &query, &found, &count, &query.cursor);

		if (read != TABLE_OK)
			return plan_failed(plan, read);
		for (size_t i = 0; i < count; i++)
			plan_add(plan,
			    (struct write){.kind = WRITE_UPDATE,
				.key = item_key(&found[i]),
				.changes = when != 0 ? &set : &stay,
				.change_count = 1,
				.condition = &plan_present},
			    PLAN_CHANGED);
		rc = plan_commit(plan);
	} while (rc == PLAN_DONE && query.cursor.len != 0);
	return rc;
}

enum plan_rc
writing_delete(struct plan *plan, const struct written *old, int64_t version, struct post *post)
{
	struct post *changed = change_begin(plan, old);
	int64_t end = (plan->now + DELETED_KEPT_MS) / 1000;
	const struct change expires = {CHANGE_SET, TABLE_EXPIRES, value_number(end)};
	const struct write body = {.kind = WRITE_UPDATE,
	    .key = key_post_body(plan->call->arena, old->post.id),
	    .changes = &expires,
	    .change_count = 1};
	enum plan_rc rc;

	if (old->post.status == STATUS_DELETED)
		return PLAN_CHANGED;
	changed->before = str_of(post_status_name(old->post.status));
	changed->status = STATUS_DELETED;
	changed->deleted = plan->now;
	/* A deletion is no news: when it was last worked on stays. */
	changed->updated = old->post.updated;
	rc = change_state(plan, old, version, changed, old->body_item != NULL ? &body : NULL, post);
	if (rc == PLAN_DONE)
		(void)expire_revisions(plan, old->post.id, end);
	return rc;
}

enum plan_rc
writing_undelete(struct plan *plan, const struct written *old, struct post *post)
{
	struct post *changed = change_begin(plan, old);
	const struct condition kept = {
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(plan->now / 1000)};
	const struct change stay = {.op = CHANGE_REMOVE, .name = TABLE_EXPIRES};
	const struct write body = {.kind = WRITE_UPDATE,
	    .key = key_post_body(plan->call->arena, old->post.id),
	    .changes = &stay,
	    .change_count = 1,
	    .condition = &kept};
	int before = post_status_of(old->post.before);
	enum plan_rc rc;

	if (!written_kept(old, plan->now))
		return PLAN_GONE;
	changed->status = before > 0 ? (enum post_status)before : STATUS_DRAFT;
	changed->before = STR("");
	changed->deleted = 0;
	changed->updated = old->post.updated;
	rc = expire_revisions(plan, old->post.id, 0);
	if (rc != PLAN_DONE)
		return rc;
	rc = change_state(plan, old, old->post.version, changed, &body, post);
	if (rc != PLAN_NO_CATEGORY)
		return rc;
	/* Its shelf went meanwhile: better without one than not at all. */
	changed->category = STR("");
	return change_state(plan, old, old->post.version, changed, &body, post);
}
