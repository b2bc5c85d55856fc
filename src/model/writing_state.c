/*
 * A post's states: it is published, taken back, put on another shelf, deleted and had back. The text stays, and no
 * revision is made.
 */
#include "model/writing.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/revision.h"
#include "model/writing_commit.h"

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
change_begin(struct writings *w, const struct written *old)
{
	struct post *post = arena_copy(w->call->arena, &old->post, sizeof(*post));

	post->version++;
	post->updated = w->now;
	return post;
}

static enum writing_rc
change_state(struct writings *w, const struct written *old, int64_t version, struct post *changed,
    const struct write *besides, struct post *post)
{
	struct commit *c = ARENA_NEW(w->call->arena, struct commit);
	enum writing_rc rc;

	if (version != old->post.version)
		return WRITING_CHANGED;
	commit_times(changed, w->now);
	commit_begin(c, w, old, changed);
	if (besides != NULL)
		commit_add(c, *besides);
	commit_uses(c, &old->body);
	rc = commit_do(c);
	if (rc == WRITING_DONE)
		*post = *changed;
	return rc;
}

enum writing_rc
writing_publish(
    struct writings *w, const struct written *old, int64_t version, int64_t at, struct post *post)
{
	struct post *changed = change_begin(w, old);

	changed->status = STATUS_PUBLISHED;
	changed->published = at;
	return change_state(w, old, version, changed, NULL, post);
}

/*
 * One that nobody has seen yet is a draft again, and keeps its time as a plan. Not so a private one: the staff, who may
 * do this to it, may read drafts.
 */
enum writing_rc
writing_unpublish(struct writings *w, const struct written *old, int64_t version, struct post *post)
{
	struct post *changed = change_begin(w, old);
	bool seen = old->post.published <= w->now || post_is_private(&old->post);

	changed->status = seen ? STATUS_UNPUBLISHED : STATUS_DRAFT;
	changed->planned = seen ? 0 : old->post.published;
	return change_state(w, old, version, changed, NULL, post);
}

enum writing_rc
writing_move(struct writings *w, const struct written *old, struct str category)
{
	struct post *changed = arena_copy(w->call->arena, &old->post, sizeof(*changed));

	changed->version++;
	changed->category = category;
	return change_state(w, old, old->post.version, changed, NULL, changed);
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
static enum table_rc
expire_revisions(struct writings *w, struct str id, int64_t when)
{
	static const struct condition present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
	const struct change set = {CHANGE_SET, TABLE_EXPIRES, value_number(when)};
	const struct change stay = {.op = CHANGE_REMOVE, .name = TABLE_EXPIRES};
	struct query query = query_revisions(w->call->arena, id);
	enum table_rc rc;
	struct str next;

	query.limit = EXPIRE_AT_ONCE;
	do {
		struct write writes[EXPIRE_AT_ONCE];
		struct item *found;
		size_t count;

		rc = table_query(w->table, w->call, &query, &found, &count, &next);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			writes[i] = (struct write){.kind = WRITE_UPDATE,
			    .key = item_key(&found[i]),
			    .changes = when != 0 ? &set : &stay,
			    .change_count = 1,
			    .condition = &present};
		if (rc == TABLE_OK && count != 0)
			rc = table_transact(w->table, w->call, writes, count, STR(""));
		query.cursor = next;
	} while (rc == TABLE_OK && next.len != 0);
	return rc;
}

enum writing_rc
writing_delete(struct writings *w, const struct written *old, int64_t version, struct post *post)
{
	struct post *changed = change_begin(w, old);
	int64_t end = (w->now + DELETED_KEPT_MS) / 1000;
	const struct change expires = {CHANGE_SET, TABLE_EXPIRES, value_number(end)};
	const struct write body = {.kind = WRITE_UPDATE,
	    .key = key_post_body(w->call->arena, old->post.id),
	    .changes = &expires,
	    .change_count = 1};
	enum writing_rc rc;

	if (old->post.status == STATUS_DELETED)
		return WRITING_CHANGED;
	changed->before = str_of(post_status_name(old->post.status));
	changed->status = STATUS_DELETED;
	changed->deleted = w->now;
	/* A deletion is no news: when it was last worked on stays. */
	changed->updated = old->post.updated;
	rc = change_state(w, old, version, changed, old->body_item != NULL ? &body : NULL, post);
	if (rc == WRITING_DONE)
		(void)expire_revisions(w, old->post.id, end);
	return rc;
}

enum writing_rc
writing_undelete(struct writings *w, const struct written *old, struct post *post)
{
	struct post *changed = change_begin(w, old);
	const struct condition kept = {
	    .op = COND_GT, .name = TABLE_EXPIRES, .value = value_number(w->now / 1000)};
	const struct change stay = {.op = CHANGE_REMOVE, .name = TABLE_EXPIRES};
	const struct write body = {.kind = WRITE_UPDATE,
	    .key = key_post_body(w->call->arena, old->post.id),
	    .changes = &stay,
	    .change_count = 1,
	    .condition = &kept};
	int before = post_status_of(old->post.before);
	enum writing_rc rc;

	if (!written_kept(old, w->now))
		return WRITING_GONE;
	changed->status = before > 0 ? (enum post_status)before : STATUS_DRAFT;
	changed->before = STR("");
	changed->deleted = 0;
	changed->updated = old->post.updated;
	w->failed = expire_revisions(w, old->post.id, 0);
	if (w->failed != TABLE_OK)
		return WRITING_TABLE;
	rc = change_state(w, old, old->post.version, changed, &body, post);
	if (rc != WRITING_NO_CATEGORY)
		return rc;
	/* Its shelf went meanwhile: better without one than not at all. */
	changed->category = STR("");
	return change_state(w, old, old->post.version, changed, &body, post);
}
