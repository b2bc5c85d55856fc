/*
 * Writing posts: saving, publishing, moving to another category, deleting, restoring, and handing
 * over to another author. This file decides what a post is to be; writing_commit.c makes the
 * transaction.
 */
#include "model/post/writing.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/autosave.h"
#include "model/post/media.h"
#include "model/post/post_fields.h"
#include "model/post/revision.h"
#include "model/post/writing_private.h"
#include "model/reader/restriction.h"
#include "model/slug.h"

enum {
	ONCE_SECONDS = 7 * 86400,
	DECLINED_SECONDS = 365 * 86400,
	SLUG_ROUNDS = 24,
	PROBES = 20,
	ITEMS_AT_ONCE = 50
};

/* --- A post as stored ------------------------------------------------------------------------- */

bool
written_take(struct arena *arena, const struct read reads[POST_READS], struct written *out)
{
	*out = (struct written){.head_item = reads[POST_HEAD].item,
	    .body_item = reads[POST_BODY].item,
	    .stats_item = reads[POST_STATS].item};
	if (out->head_item == NULL)
		return false;
	post_from_item(arena, out->head_item, &out->post);
	if (out->body_item != NULL)
		post_body_from_item(arena, out->body_item, &out->body);
	post_stats_from_item(arena, out->stats_item, &out->stats);
	return true;
}

enum table_rc
written_get(struct plan *plan, struct str id, struct written *out, bool *there)
{
	struct read reads[POST_READS];
	enum table_rc rc;

	post_reads(plan->call->arena, id, true, reads);
	rc = table_read(plan->table, plan->call, reads, POST_READS);
	if (rc == TABLE_OK)
		rc = post_mend(plan->table, plan->call, reads);
	*there = rc == TABLE_OK && written_take(plan->call->arena, reads, out);
	return rc;
}

/* --- The new state ---------------------------------------------------------------------------- */

/* Sets the times that follow from its status. */
static void
settle_times(struct post *post, int64_t now)
{
	if (post->status == STATUS_DRAFT)
		post->published = 0;
	else
		post->planned = 0;
	if (post->status == STATUS_PUBLISHED && post->published == 0)
		post->published = now;
}

/* The people asked who are not authors: an operator's import names authors without asking. */
static const struct coauthor *
still_asked(struct arena *arena, const struct post *post, size_t *count)
{
	struct coauthor *left = ARENA_ARRAY(arena, post->asked_count, struct coauthor);
	size_t kept = 0;

	for (size_t i = 0; i < post->asked_count; i++)
		if (!post_written_by(post, post->asked[i].username))
			left[kept++] = post->asked[i];
	*count = kept;
	return left;
}

/* The post after this save: what the draft says, with the table's own numbers. */
static void
settle(struct plan *plan, const struct written *old, const struct draft *draft, struct post *post)
{
	static const struct post nothing;
	const struct post *was = old != NULL ? &old->post : &nothing;

	*post = draft->post;
	post->id = old != NULL               ? was->id
		   : draft->post.id.len != 0 ? draft->post.id
					     : draft->post.slug;
	if (old != NULL) {
		post->kind = was->kind;
		post->author = was->author;
		post->author_name = was->author_name;
	}
	post->first_picture = media_first(&draft->body);
	post->asked = still_asked(plan->call->arena, post, &post->asked_count);
	post->likes = was->likes;
	post->ups = was->ups;
	post->downs = was->downs;
	post->comments = was->comments;
	post->bookmarks = was->bookmarks;
	post->ratings = was->ratings;
	post->stars = was->stars;
	post->comments_off = was->comments_off;
	post->comments_closed = was->comments_closed;
	post->closed_threads = was->closed_threads;
	if (was->restricted != RESTRICTED_NOT)
		post->restricted = was->restricted;
	else if (draft->held_for.len != 0 && post->status == STATUS_PUBLISHED)
		post->restricted = RESTRICTED_HELD;
	/* Until moderators lift it. */
	if (post->restricted != RESTRICTED_NOT && post->status == STATUS_PUBLISHED)
		post->status = STATUS_UNPUBLISHED;
	post->pinned = was->pinned;
	post->imported = was->imported || (draft->keeps_times && was->published == 0 &&
					      post->status == STATUS_PUBLISHED);
	post->version = was->version + 1;
	post->revisions = was->revisions + 1;
	if (!draft->keeps_times || post->created == 0)
		post->created = was->created != 0 ? was->created : plan->now;
	if (!draft->keeps_times || post->updated == 0)
		post->updated = plan->now;
	settle_times(post, plan->now);
}

/* --- Text ------------------------------------------------------------------------------------------ */

static void
add_body(struct commit *c, const struct post_body *body)
{
	struct post_body saved = *body;
	struct item item = {.count = 0};

	saved.revision = c->post->revisions;
	if (c->old != NULL && c->old->body_item != NULL)
		item = item_shallow(c->arena, c->old->body_item);
	key_set(c->arena, &item, key_post_body(c->arena, c->post->id), ITEM_BODY);
	post_body_to_item(c->arena, &saved, &item);
	plan_put(c->plan, item);
}

static void
add_revision(struct commit *c, const struct revision *revision)
{
	plan_put(c->plan, revision_item(c->arena, revision));
}

/* Adds a revision of this save, and one of the text before if it has none. */
static void
add_revisions(struct commit *c, struct post *post, const struct draft *draft)
{
	struct plan *plan = c->plan;

	if (c->old != NULL && c->old->post.revisions == 0 && c->old->body_item != NULL) {
		const struct post *was = &c->old->post;

		add_revision(c, &(struct revision){.post_id = was->id,
				    .number = 1,
				    .by = was->author,
				    .by_name = was->author_name,
				    .saved = was->updated,
				    .post = *was,
				    .body = c->old->body});
	}
	add_revision(c, &(struct revision){.post_id = post->id,
			    .number = post->revisions,
			    .by = plan->by,
			    .by_name = plan->by_name,
			    .what = draft->what,
			    .saved = plan->now,
			    .post = *post,
			    .body = draft->body});
}

/*
 * A form may be sent twice, by a double click or a retry, but makes one post. Comes first, because
 * the second form also finds its slug taken.
 */
static void
add_once(struct plan *plan, struct str once, struct str id)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_once(arena, plan->by, once), ITEM_ONCE);
	item_set(arena, &item, STR("Post"), value_string(id));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + ONCE_SECONDS));
	plan_create(plan, item, PLAN_ALREADY);
}

static void
add_autosave_drop(struct plan *plan, const struct autosave *autosave)
{
	struct write writes[AUTOSAVE_WRITES];
	size_t count = autosave_drop(plan->call->arena, autosave, writes);

	for (size_t i = 0; i < count; i++)
		plan_add(plan, writes[i], PLAN_CHANGED);
}

/* One attempt, with this slug. */
static enum plan_rc
save_as(struct plan *plan, const struct written *old, struct draft *draft, struct str slug)
{
	struct draft mine = *draft;
	struct commit *c = ARENA_NEW(plan->call->arena, struct commit);
	struct post *post = ARENA_NEW(plan->call->arena, struct post);
	enum plan_rc rc;

	mine.post.slug = slug;
	settle(plan, old, &mine, post);
	/* The text before this save gets a revision as well. */
	if (old != NULL && old->post.revisions == 0 && old->body_item != NULL)
		post->revisions++;
	if (old == NULL && draft->once.len != 0)
		add_once(plan, draft->once, post->id);
	if (post->restricted == RESTRICTED_HELD &&
	    (old == NULL || old->post.restricted == RESTRICTED_NOT))
		restriction_add_hold(plan,
		    &(struct flag_target){.what = FLAG_POST, .post = post->id}, post->author,
		    post->title.len != 0 ? post->title : post->id, draft->held_for);
	commit_begin(c, plan, old, post);
	c->written = !draft->keeps_times;
	for (size_t i = 0; i < draft->slugs.count; i++)
		commit_claim(c, draft->slugs.strings[i]);
	add_body(c, &draft->body);
	add_revisions(c, post, draft);
	commit_uses(c, &draft->body);
	add_autosave_drop(plan, &(struct autosave){.username = plan->by,
				    .post = old != NULL ? post->id : STR(""),
				    .kind = post->kind,
				    .form = draft->once});
	rc = commit_do(c);
	if (rc == PLAN_DONE)
		draft->post = *post;
	if (rc == PLAN_ALREADY && plan->found != NULL)
		draft->post.id = item_string(plan->found, STR("Post"));
	return rc;
}

/* --- Slugs ----------------------------------------------------------------------------------------- */

/* The first free slug of those numbered from *number on; *number is moved past it. */
static enum table_rc
next_free(struct plan *plan, struct str slug, unsigned *number, struct str *free_slug)
{
	struct arena *arena = plan->call->arena;

	for (;;) {
		struct key keys[PROBES];
		struct read read = {
		    .kind = READ_BATCH, .batch = {keys, PROBES}, .consistent = true};
		enum table_rc rc;

		for (unsigned i = 0; i < PROBES; i++)
			keys[i] = key_slug(arena, slug_numbered(arena, slug, *number + i));
		rc = table_read(plan->table, plan->call, &read, 1);
		if (rc != TABLE_OK)
			return rc;
		for (unsigned i = 0; i < PROBES; i++) {
			if (read.items[i] != NULL)
				continue;
			*free_slug = slug_numbered(arena, slug, *number + i);
			*number += i + 1;
			return TABLE_OK;
		}
		*number += PROBES;
	}
}

static enum plan_rc
save_somewhere(struct plan *plan, const struct written *old, struct draft *draft)
{
	struct str slug = draft->post.slug;
	enum plan_rc rc = save_as(plan, old, draft, slug);
	unsigned number = 2;

	for (int i = 0; i < SLUG_ROUNDS && rc == PLAN_TAKEN && draft->any_slug; i++) {
		struct str other;

		plan->failed = next_free(plan, slug, &number, &other);
		if (plan->failed != TABLE_OK)
			return PLAN_TABLE;
		rc = save_as(plan, old, draft, other);
	}
	return rc;
}

enum plan_rc
writing_create(struct plan *plan, struct draft *draft)
{
	return save_somewhere(plan, NULL, draft);
}

enum plan_rc
writing_save(struct plan *plan, const struct written *old, struct draft *draft)
{
	if (draft->post.version != old->post.version)
		return PLAN_CHANGED;
	return save_somewhere(plan, old, draft);
}

/* --- Changes of state: the text stays, and no revision is made -------------------------------- */

/* Begins a change that does not touch the text. */
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
	settle_times(changed, plan->now);
	commit_begin(c, plan, old, changed);
	if (besides != NULL)
		plan_add(plan, *besides, PLAN_CHANGED);
	commit_uses(c, &old->body);
	rc = commit_do(c);
	if (rc == PLAN_DONE)
		*post = *changed;
	return rc;
}

/*
 * Also of posts that nobody has seen: the staff who may do this to a private post may read drafts.
 */
enum plan_rc
writing_unpublish(struct plan *plan, const struct written *old, int64_t version, struct post *post)
{
	struct post *changed = change_begin(plan, old);

	changed->status = STATUS_UNPUBLISHED;
	return change_state(plan, old, version, changed, NULL, post);
}

enum plan_rc
writing_restrict(
    struct plan *plan, const struct written *old, enum restricted is, struct post *post)
{
	struct post *changed = change_begin(plan, old);

	changed->restricted = is;
	changed->status = is == RESTRICTED_NOT ? STATUS_PUBLISHED : STATUS_UNPUBLISHED;
	/* It is not work on the post. */
	changed->updated = old->post.updated;
	return change_state(plan, old, old->post.version, changed, NULL, post);
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
 * Does this to each item of a query; in several transactions, since it may be repeated without
 * harm.
 */
static enum plan_rc
each(struct plan *plan, struct query query,
    void (*work)(struct plan *plan, const struct item *item, const void *about), const void *about)
{
	enum plan_rc rc = PLAN_DONE;

	query.limit = ITEMS_AT_ONCE;
	do {
		struct item *found;
		size_t count;
		enum table_rc read =
		    table_query(plan->table, plan->call, &query, &found, &count, &query.cursor);

		if (read != TABLE_OK)
			return plan_failed(plan, read);
		for (size_t i = 0; i < count; i++)
			work(plan, &found[i], about);
		rc = plan_commit(plan);
	} while (rc == PLAN_DONE && query.cursor.len != 0);
	return rc;
}

static void
change_expiry(struct plan *plan, const struct item *revision, const void *change)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(revision),
		.changes = change,
		.change_count = 1,
		.condition = &plan_present},
	    PLAN_CHANGED);
}

/*
 * Makes all revisions expire, or with `when` 0 keeps them. There may be more than fit in a
 * transaction, so they are changed separately: after a deletion, before it is undone. An
 * interruption leaves a revision too many, never one too few.
 */
static enum plan_rc
expire_revisions(struct plan *plan, struct str id, int64_t when)
{
	const struct change set = {CHANGE_SET, TABLE_EXPIRES, value_number(when)};
	const struct change stay = {.op = CHANGE_REMOVE, .name = TABLE_EXPIRES};

	return each(
	    plan, query_revisions(plan->call->arena, id), change_expiry, when != 0 ? &set : &stay);
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
	/* A deletion does not count as work on the post. */
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
	/* Its category was deleted meanwhile: better none than no post. */
	changed->category = STR("");
	return change_state(plan, old, old->post.version, changed, &body, post);
}

/* --- Removing an author or coauthor ----------------------------------------------------------- */

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

/* `to` is NULL if a coauthor is not replaced. */
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
	/* With the author's departure their requests end. */
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

/* Somebody who loses their part in the post, and who takes their place. */
struct departure {
	struct str from;
	const struct coauthor *to;
};

static void
rename_by(struct plan *plan, const struct item *revision, const void *about)
{
	const struct departure *d = about;
	struct change *changes;

	if (!str_eq(item_string(revision, STR("By")), d->from))
		return;
	changes = ARENA_ARRAY(plan->call->arena, 2, struct change);
	changes[0] = (struct change){CHANGE_SET, STR("By"), value_string(d->to->username)};
	changes[1] = (struct change){CHANGE_SET, STR("ByName"), value_string(d->to->name)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(revision),
		.changes = changes,
		.change_count = 2,
		.condition = &plan_present},
	    PLAN_CHANGED);
}

static void
remove_any(struct plan *plan, const struct item *item, const void *about)
{
	(void)about;
	plan_add(plan, (struct write){.kind = WRITE_DELETE, .key = item_key(item)}, PLAN_CHANGED);
}

static void
remove_autosave(struct plan *plan, const struct item *item, const void *about)
{
	struct autosave autosave;

	(void)about;
	autosave_from_item(plan->call->arena, item, &autosave);
	add_autosave_drop(plan, &autosave);
}

/* Autosaves of others remain theirs. */
static void
remove_own(struct plan *plan, const struct item *item, const void *about)
{
	const struct departure *d = about;

	if (str_eq(item_string(item, STR("Username")), d->from))
		remove_autosave(plan, item, NULL);
}

/*
 * Items next to the head come first: after an interruption, the head shows that there is work left.
 */
enum plan_rc
writing_hand_over(struct plan *plan, const struct written *old, struct str from,
    const struct coauthor *to, struct post *post)
{
	struct arena *arena = plan->call->arena;
	const struct departure departure = {from, to};
	enum plan_rc rc = each(plan, query_revisions(arena, old->post.id), rename_by, &departure);

	if (rc == PLAN_DONE)
		rc = each(plan, query_autosaves(arena, old->post.id), remove_own, &departure);
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
	const struct query all[] = {
	    query_revisions(arena, old->post.id), query_draft_links(arena, old->post.id)};
	const struct write body = {.kind = WRITE_DELETE, .key = key_post_body(arena, old->post.id)};
	enum plan_rc rc = PLAN_DONE;

	if (old->post.status != STATUS_DELETED)
		return PLAN_CHANGED;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && rc == PLAN_DONE; i++)
		rc = each(plan, all[i], remove_any, NULL);
	if (rc == PLAN_DONE)
		rc = each(plan, query_autosaves(arena, old->post.id), remove_autosave, NULL);
	if (rc != PLAN_DONE)
		return rc;
	plan_add(plan, body, PLAN_CHANGED);
	rc = plan_commit(plan);
	if (rc != PLAN_DONE)
		return rc;
	post_take_written(&silent, changed);
	changed->other_count = changed->asked_count = 0;
	changed->deleted = 0;
	changed->first_picture = changed->beginning = STR("");
	return commit(plan, old, changed, &nothing, NULL, post);
}

/* --- Coauthors -------------------------------------------------------------------------------- */

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
