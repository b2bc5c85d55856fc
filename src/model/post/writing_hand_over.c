/*
 * What becomes of a post whose author leaves it: it is handed over to another name, or erased, when they leave for good;
 * and who is asked to be one of several says yes or no, or steps back later.
 */
#include "model/post/writing.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/post/post_fields.h"
#include "model/post/writing_commit.h"

enum { AT_ONCE = 50, DECLINED_SECONDS = 365 * 86400 };

/* A list of people without one of them. */
static const struct coauthor *
without(struct arena *arena, const struct coauthor *people, size_t *count, struct str who)
{
	struct coauthor *left = ARENA_ARRAY(arena, *count, struct coauthor);
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		if (!str_eq(people[i].username, who))
			left[kept++] = people[i];
	*count = kept;
	return left;
}

const struct coauthor *
commit_asked(struct arena *arena, const struct post *post, size_t *count)
{
	struct coauthor *left = ARENA_ARRAY(arena, post->asked_count, struct coauthor);
	size_t kept = 0;

	for (size_t i = 0; i < post->asked_count; i++)
		if (!post_written_by(post, post->asked[i].username))
			left[kept++] = post->asked[i];
	*count = kept;
	return left;
}

/* `to` is NULL for one of several whose place nobody takes. */
static struct post *
begin(struct plan *plan, const struct written *old, struct str from, const struct coauthor *to)
{
	struct arena *arena = plan->call->arena;
	struct post *post = arena_copy(arena, &old->post, sizeof(*post));
	struct coauthor *others = ARENA_ARRAY(arena, post->other_count, struct coauthor);
	size_t count = 0;

	post->version++;
	if (to != NULL && str_eq(post->author, from)) {
		post->author = to->username;
		post->author_name = to->name;
	}
	for (size_t i = 0; i < post->other_count; i++)
		if (!str_eq(post->others[i].username, from))
			others[count++] = post->others[i];
		else if (to != NULL)
			others[count++] = *to;
	post->others = others;
	post->other_count = count;
	/* Nobody is left who asks. */
	if (str_eq(old->post.author, from))
		post->asked_count = 0;
	post->asked = without(arena, post->asked, &post->asked_count, from);
	return post;
}

static enum plan_rc
commit(struct plan *plan, const struct written *old, const struct post *changed,
    const struct post_body *body, const struct write *besides, struct post *post)
{
	struct commit *c = ARENA_NEW(plan->call->arena, struct commit);
	enum plan_rc rc;

	commit_begin(c, plan, old, changed);
	if (besides != NULL)
		plan_add(plan, *besides, PLAN_CHANGED);
	commit_uses(c, body);
	rc = commit_do(c);
	if (rc == PLAN_DONE)
		*post = *changed;
	return rc;
}

/* Does this to each item of a query; more than one transaction takes, and doing it twice does no harm. */
static enum plan_rc
each(struct plan *plan, struct query query,
    void (*work)(
	struct plan *plan, const struct item *item, struct str from, const struct coauthor *to),
    struct str from, const struct coauthor *to)
{
	enum plan_rc rc = PLAN_DONE;

	query.limit = AT_ONCE;
	do {
		struct item *found;
		size_t count;
		enum table_rc read =
		    table_query(plan->table, plan->call, &query, &found, &count, &query.cursor);

		if (read != TABLE_OK)
			return plan_failed(plan, read);
		for (size_t i = 0; i < count; i++)
			work(plan, &found[i], from, to);
		rc = plan_commit(plan);
	} while (rc == PLAN_DONE && query.cursor.len != 0);
	return rc;
}

static void
rename_by(
    struct plan *plan, const struct item *revision, struct str from, const struct coauthor *to)
{
	struct change *changes;

	if (!str_eq(item_string(revision, STR("By")), from))
		return;
	changes = ARENA_ARRAY(plan->call->arena, 2, struct change);
	changes[0] = (struct change){CHANGE_SET, STR("By"), value_string(to->username)};
	changes[1] = (struct change){CHANGE_SET, STR("ByName"), value_string(to->name)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(revision),
		.changes = changes,
		.change_count = 2,
		.condition = &plan_present},
	    PLAN_CHANGED);
}

static void
remove_any(struct plan *plan, const struct item *item, struct str from, const struct coauthor *to)
{
	(void)from;
	(void)to;
	plan_add(plan, (struct write){.kind = WRITE_DELETE, .key = item_key(item)}, PLAN_CHANGED);
}

/* What others have typed and not saved is theirs still. */
static void
remove_own(struct plan *plan, const struct item *item, struct str from, const struct coauthor *to)
{
	if (str_eq(item_string(item, STR("Username")), from))
		remove_any(plan, item, from, to);
}

/* What stands beside it first: when that stops halfway, the head still says that there is work to do. */
enum plan_rc
writing_hand_over(struct plan *plan, const struct written *old, struct str from,
    const struct coauthor *to, struct post *post)
{
	struct arena *arena = plan->call->arena;
	enum plan_rc rc = each(plan, query_revisions(arena, old->post.id), rename_by, from, to);

	if (rc == PLAN_DONE)
		rc = each(plan, query_autosaves(arena, old->post.id), remove_own, from, to);
	if (rc != PLAN_DONE)
		return rc;
	return commit(plan, old, begin(plan, old, from, to), &old->body, NULL, post);
}

enum plan_rc
writing_erase(struct plan *plan, const struct written *old, struct str from,
    const struct coauthor *to, struct post *post)
{
	static const struct post silent;
	static const struct post_body nothing;
	struct arena *arena = plan->call->arena;
	struct post *changed = begin(plan, old, from, to);
	const struct query all[] = {query_revisions(arena, old->post.id),
	    query_autosaves(arena, old->post.id), query_draft_links(arena, old->post.id)};
	const struct write body = {.kind = WRITE_DELETE, .key = key_post_body(arena, old->post.id)};
	enum plan_rc rc = PLAN_DONE;

	if (old->post.status != STATUS_DELETED)
		return PLAN_CHANGED;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && rc == PLAN_DONE; i++)
		rc = each(plan, all[i], remove_any, from, to);
	if (rc != PLAN_DONE)
		return rc;
	plan_add(plan, body, PLAN_CHANGED);
	rc = plan_commit(plan);
	if (rc != PLAN_DONE)
		return rc;
	post_take_written(&silent, changed);
	changed->other_count = changed->asked_count = 0;
	changed->deleted = 0;
	return commit(plan, old, changed, &nothing, NULL, post);
}

/* --- Who is named beside its author ------------------------------------------------------------------ */

enum plan_rc
writing_accept(
    struct plan *plan, const struct written *old, const struct coauthor *who, struct post *post)
{
	struct arena *arena = plan->call->arena;
	struct post *changed = begin(plan, old, STR(""), NULL);
	struct coauthor *others = ARENA_ARRAY(arena, changed->other_count + 1, struct coauthor);

	if (!post_asks(&old->post, who->username))
		return PLAN_CHANGED;
	for (size_t i = 0; i < changed->other_count; i++)
		others[i] = changed->others[i];
	others[changed->other_count++] = *who;
	changed->others = others;
	changed->asked = without(arena, changed->asked, &changed->asked_count, who->username);
	return commit(plan, old, changed, &old->body, NULL, post);
}

enum plan_rc
writing_step_back(struct plan *plan, const struct written *old, struct str from, struct post *post)
{
	struct arena *arena = plan->call->arena;
	struct write declined = {.kind = WRITE_PUT};

	key_set(arena, &declined.item, key_declined(arena, from, old->post.id), ITEM_DECLINED);
	item_set(arena, &declined.item, STR("Post"), value_string(old->post.id));
	item_set(arena, &declined.item, TABLE_EXPIRES,
	    value_number(plan->now / 1000 + DECLINED_SECONDS));
	return commit(plan, old, begin(plan, old, from, NULL), &old->body, &declined, post);
}

bool
writing_declined(const struct item *item, int64_t now)
{
	return item != NULL && item_number(item, TABLE_EXPIRES) > now / 1000;
}
