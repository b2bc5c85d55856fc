#include "model/post/writing.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/autosave.h"
#include "model/post/revision.h"
#include "model/post/writing_commit.h"
#include "model/slug.h"

enum { ONCE_SECONDS = 7 * 86400, SLUG_ROUNDS = 24, PROBES = 20 };

/* --- A post as the table has it ------------------------------------------------------------------- */

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

/* --- What is to be --------------------------------------------------------------------------------- */

/* The post after this save: what the draft says, and the figures that are the table's own. */
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
	post->asked = commit_asked(plan->call->arena, post, &post->asked_count);
	post->likes = was->likes;
	post->ups = was->ups;
	post->downs = was->downs;
	post->comments = was->comments;
	post->bookmarks = was->bookmarks;
	post->ratings = was->ratings;
	post->stars = was->stars;
	post->version = was->version + 1;
	post->revisions = was->revisions + 1;
	if (!draft->keeps_times || post->created == 0)
		post->created = was->created != 0 ? was->created : plan->now;
	if (!draft->keeps_times || post->updated == 0)
		post->updated = plan->now;
	commit_times(post, plan->now);
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

/* What this save says; and, if that has none yet, what the post said before. */
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
 * A form that is sent twice, by a double click or when nobody knows whether it came, makes one post. Before all else:
 * it finds its slug taken, too.
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

/* One try, with this slug. */
static enum plan_rc
save_as(struct plan *plan, const struct written *old, struct draft *draft, struct str slug)
{
	struct draft mine = *draft;
	struct commit *c = ARENA_NEW(plan->call->arena, struct commit);
	struct post *post = ARENA_NEW(plan->call->arena, struct post);
	enum plan_rc rc;

	mine.post.slug = slug;
	settle(plan, old, &mine, post);
	/* The revision of what was there before is one more. */
	if (old != NULL && old->post.revisions == 0 && old->body_item != NULL)
		post->revisions++;
	if (old == NULL && draft->once.len != 0)
		add_once(plan, draft->once, post->id);
	commit_begin(c, plan, old, post);
	for (size_t i = 0; i < draft->slugs.count; i++)
		commit_claim(c, draft->slugs.strings[i]);
	add_body(c, &draft->body);
	add_revisions(c, post, draft);
	commit_uses(c, &draft->body);
	plan_add(plan,
	    autosave_drop(c->arena, &(struct autosave){.username = plan->by,
					.post = old != NULL ? post->id : STR(""),
					.kind = post->kind,
					.form = draft->once}),
	    PLAN_CHANGED);
	rc = commit_do(c);
	if (rc == PLAN_DONE)
		draft->post = *post;
	if (rc == PLAN_ALREADY && plan->found != NULL)
		draft->post.id = item_string(plan->found, STR("Post"));
	return rc;
}

/* --- Slugs ----------------------------------------------------------------------------------------- */

/* The first free one of those numbered from *number on, which moves behind it. */
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
