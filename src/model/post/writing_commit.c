/*
 * The transaction from a post's old state to its new one: head, slug, counters, the items that
 * depend on a head, and the pictures that it shows. It writes the difference between both states,
 * so no change of state has rules of its own.
 */
#include "model/post/writing_private.h"

#include "base/arena.h"
#include "model/item_counter.h"
#include "model/key_follow.h"
#include "model/people/suspension.h"
#include "model/key_post.h"
#include "model/post/count.h"
#include "model/post/media.h"
#include "model/reader/rating_move.h"
#include "model/site/audit.h"

/* --- One item -------------------------------------------------------------------------------------- */

/* Still the version that was read; a post from a seed has none. */
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
	/* A new post's id is an address too, and may be taken. */
	if (c->old == NULL) {
		plan_create(c->plan, head, PLAN_TAKEN);
		return head;
	}
	write = plan_difference(c->arena, key, c->old->head_item, &head);
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

/* A slug belongs to a post for ever, so a post may return to an old one. */
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

/* Of a new post it must be free. */
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
	/* Each of its threads will have a tally (model/reader/tally.h). */
	item_set(c->arena, &item, STR("Threads"), value_boolean(true));
	post_stats_to_item(c->arena, &none, &item);
	item_set(c->arena, &item, STR("Shards"), value_boolean(true));
	key_index_stats(c->arena, &item, c->post, &none);
	plan_create(c->plan, item, PLAN_CHANGED);
}

/*
 * The place of the stats follows from the old head, whose version is a condition, and not from the
 * item read with it, which may be of another moment. A concurrent like leaves the place one point
 * behind until the next one.
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
	update = plan_difference(c->arena, key_post_stats(c->arena, c->post->id), &before, &after);
	if (update.change_count != 0)
		plan_add(c->plan, update, PLAN_CHANGED);
}

enum { COUNTERS_MAX = 2 * (1 + WRITING_OTHERS_MAX + 1 + WRITING_TAGS_MAX) + 32 };

/* --- Items that depend on a head -------------------------------------------------------------- */

/*
 * Items that depend on a head: those of its tags while it is public, copies for coauthors, requests
 * to be one.
 */
struct followers {
	struct item items[WRITING_TAGS_MAX + WRITING_OTHERS_MAX + 32];
	size_t count;
};

static bool
follows(const struct followers *f, struct key key, const struct item **item)
{
	for (size_t i = 0; i < f->count; i++) {
		struct key other = item_key(&f->items[i]);

		*item = &f->items[i];
		if (str_eq(other.pk, key.pk) && str_eq(other.sk, key.sk))
			return true;
	}
	return false;
}

static void
add_follower(struct followers *f, const struct item *item)
{
	const struct item *twin;

	if (f->count < sizeof(f->items) / sizeof(f->items[0]) && !follows(f, item_key(item), &twin))
		f->items[f->count++] = *item;
}

static void
followers_of(
    struct arena *arena, const struct post *post, const struct item *head, struct followers *out)
{
	out->count = 0;
	for (size_t i = 0; post_in_lists(post) && i < post->tags.count; i++) {
		struct str tag = post->tags.strings[i];
		struct item item = {.count = 0};

		key_set(arena, &item, key_post_tag(arena, post->id, tag), ITEM_POST_TAG);
		key_index_post_tag(arena, &item, post, tag);
		item_set(arena, &item, STR("Tag"), value_string(tag));
		item_set(arena, &item, STR("Post"), value_string(post->id));
		item_set(arena, &item, STR("PublishedAt"),
		    value_string(time_format(arena, post->published)));
		add_follower(out, &item);
	}
	for (size_t i = 0; i < post->other_count; i++) {
		struct str who = post->others[i].username;
		struct item item = item_shallow(arena, head);

		key_set(arena, &item, key_post_coauthor(arena, post->id, who), ITEM_POST_COPY);
		key_index_coauthor(arena, &item, post, who);
		if (post->status == STATUS_DELETED)
			item_set(arena, &item, TABLE_EXPIRES,
			    value_number((post->deleted + DELETED_KEPT_MS) / 1000));
		add_follower(out, &item);
	}
	/* At the key of the copy that replaces it when they accept. */
	for (size_t i = 0; post->status != STATUS_DELETED && i < post->asked_count; i++) {
		struct str who = post->asked[i].username;
		struct item item = item_shallow(arena, head);

		key_set(arena, &item, key_post_coauthor(arena, post->id, who), ITEM_POST_REQUEST);
		key_index_asked(arena, &item, post, who);
		add_follower(out, &item);
	}
}

static void
add_followers(struct commit *c, const struct item *head)
{
	struct followers *before = ARENA_NEW(c->arena, struct followers);
	struct followers *after = ARENA_NEW(c->arena, struct followers);
	const struct item *twin;

	if (c->old != NULL)
		followers_of(c->arena, &c->old->post, c->old->head_item, before);
	followers_of(c->arena, c->post, head, after);
	for (size_t i = 0; i < after->count; i++)
		if (!follows(before, item_key(&after->items[i]), &twin) ||
		    !item_eq(twin, &after->items[i]))
			plan_put(c->plan, after->items[i]);
	for (size_t i = 0; i < before->count; i++)
		if (!follows(after, item_key(&before->items[i]), &twin))
			plan_add(c->plan,
			    (struct write){
				.kind = WRITE_DELETE, .key = item_key(&before->items[i])},
			    PLAN_CHANGED);
}

/* --- Counters -------------------------------------------------------------------------------------- */

enum counted { COUNTED_AUTHOR, COUNTED_CATEGORY, COUNTED_TAG };

struct counter {
	enum counted of;
	struct str name;
	int64_t by;
};

struct counters {
	struct counter counters[COUNTERS_MAX];
	size_t count;
};

static void
count(struct counters *all, enum counted of, struct str name, int64_t by)
{
	size_t i = 0;

	while (
	    i < all->count && (all->counters[i].of != of || !str_eq(all->counters[i].name, name)))
		i++;
	if (i == COUNTERS_MAX)
		return;
	if (i == all->count)
		all->counters[all->count++] = (struct counter){of, name, 0};
	all->counters[i].by += by;
}

/* Counts each name once, even if it is repeated. */
static void
count_post(struct counters *all, const struct post *post, int64_t by)
{
	struct counters own = {.count = 0};

	if (!post_in_lists(post))
		return;
	count(&own, COUNTED_AUTHOR, post->author, by);
	for (size_t i = 0; i < post->other_count; i++)
		count(&own, COUNTED_AUTHOR, post->others[i].username, by);
	if (post->category.len != 0)
		count(&own, COUNTED_CATEGORY, post->category, by);
	for (size_t i = 0; i < post->tags.count; i++)
		count(&own, COUNTED_TAG, post->tags.strings[i], by);
	for (size_t i = 0; i < own.count; i++)
		count(all, own.counters[i].of, own.counters[i].name, by);
}

static struct key
counted_key(struct arena *arena, const struct counter *counter)
{
	switch (counter->of) {
	case COUNTED_AUTHOR: return key_person_counts(arena, counter->name);
	case COUNTED_CATEGORY: return key_category_count(counter->name);
	case COUNTED_TAG: break;
	}
	return key_tag(counter->name);
}

/* Which post a note counts as a share of; empty: of none. */
static struct str
shared_by(const struct post *post)
{
	return post != NULL && post_in_lists(post) ? post->quotes : STR("");
}

struct item_counters
counted_post(struct arena *arena, const struct item *item)
{
	struct counters *own = ARENA_NEW(arena, struct counters);
	struct item_counters all = {.count = 0};
	struct post post;

	post_from_item(arena, item, &post);
	count_post(own, &post, 1);
	all.counters = ARENA_ARRAY(arena, own->count + 1, struct item_counter);
	for (size_t i = 0; i < own->count; i++)
		all.counters[all.count++] = (struct item_counter){
		    .key = counted_key(arena, &own->counters[i]),
		    .name = STR("Posts"),
		    .by = 1,
		    .makes = own->counters[i].of != COUNTED_CATEGORY};
	if (shared_by(&post).len != 0)
		all.counters[all.count++] = (struct item_counter){
		    .key = key_count(arena, post.quotes, count_shard(post.author)),
		    .name = STR("Shares"),
		    .by = 1,
		    .post = post.quotes,
		    .who = post.author};
	return all;
}

static bool
is_writer(const struct commit *c, const struct counter *counter)
{
	return counter->of == COUNTED_AUTHOR && str_eq(counter->name, c->plan->by);
}

static const struct condition *
both(struct arena *arena, struct condition a, struct condition b)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	all[0] = a;
	all[1] = b;
	all[2] = (struct condition){.op = COND_ALL, .children = all, .count = 2};
	return &all[2];
}

/*
 * An author must be there, and who writes must be free to. Somebody's place among the authors comes with their first
 * post; later ones do not write the person's item, which is in several indexes.
 */
static void
check_author(struct commit *c, const struct counter *counter)
{
	struct arena *arena = c->arena;
	const struct condition *wanted = &plan_present;
	enum plan_rc refusal = PLAN_NO_AUTHOR;
	struct write check = {.kind = WRITE_CHECK, .key = key_user(arena, counter->name)};
	struct write place = {.kind = WRITE_UPDATE, .key = check.key};
	struct item set = {.count = 0};
	struct change *changes;

	/* Nobody writes two conditions on one item. */
	if (c->written && is_writer(c, counter)) {
		wanted = both(arena, plan_present, *may_write_still(arena, c->plan->now));
		refusal = PLAN_NOT_ACTIVE;
		c->written = false;
	}
	key_index_author(arena, &set, counter->name);
	if (set.count == 0) {
		check.condition = wanted;
		plan_add(c->plan, check, refusal);
		return;
	}
	changes = ARENA_ARRAY(arena, set.count, struct change);
	for (size_t i = 0; i < set.count; i++)
		changes[i] = (struct change){
		    CHANGE_SET, set.attributes[i].name, set.attributes[i].value};
	place.changes = changes;
	place.change_count = set.count;
	place.condition = wanted;
	check.condition = both(arena, *wanted,
	    (struct condition){.op = COND_EXISTS, .name = table_pk_name(TABLE_GSI4)});
	plan_add_either(c->plan, check, place, refusal);
}

/* The item of a tag, and that of a person's numbers, is created by the first post. */
static void
count_up(struct commit *c, const struct counter *counter)
{
	struct arena *arena = c->arena;
	struct change *changes = ARENA_ARRAY(arena, 3, struct change);
	struct write write = {
	    .kind = WRITE_UPDATE, .key = counted_key(arena, counter), .changes = changes};
	size_t count = 0;

	if (counter->of == COUNTED_AUTHOR)
		check_author(c, counter);
	if (counter->of == COUNTED_CATEGORY)
		write.condition = &plan_present;
	else
		changes[count++] = (struct change){CHANGE_SET_IF_ABSENT, STR("Type"),
		    kind_type(counter->of == COUNTED_TAG ? ITEM_TAG : ITEM_PERSON_COUNTS)};
	if (counter->of == COUNTED_TAG)
		changes[count++] = (struct change){
		    CHANGE_SET_IF_ABSENT, STR("Tag"), value_string(counter->name)};
	changes[count++] = (struct change){CHANGE_ADD, STR("Posts"), value_number(counter->by)};
	write.change_count = count;
	plan_add(c->plan, write, PLAN_NO_CATEGORY);
}

/*
 * It may be gone. Of a person it may not have begun: then what is there was counted in their item, by an older version,
 * and is until it is carried over (model/site/upgrade.c).
 */
static void
count_down(struct commit *c, const struct counter *counter)
{
	struct change *change = ARENA_NEW(c->arena, struct change);
	struct condition *counts = ARENA_NEW(c->arena, struct condition);
	struct write write = {.kind = WRITE_UPDATE,
	    .key = counted_key(c->arena, counter),
	    .changes = change,
	    .change_count = 1,
	    .condition = &plan_present};
	struct write older = write;

	*change = (struct change){CHANGE_ADD, STR("Posts"), value_number(counter->by)};
	if (counter->of != COUNTED_AUTHOR) {
		plan_add(c->plan, write, PLAN_DONE);
		return;
	}
	*counts = (struct condition){.op = COND_EXISTS, .name = STR("Posts")};
	older.key = key_user(c->arena, counter->name);
	older.condition = counts;
	plan_add_either(c->plan, write, older, PLAN_DONE);
}

/* Counted by the author's shard: it moves when the note is handed over to a pseudonym. */
static void
add_shares(struct commit *c)
{
	const struct post *old = c->old != NULL ? &c->old->post : NULL;
	struct str before = shared_by(old), after = shared_by(c->post);

	if (before.len != 0 && str_eq(before, after) && str_eq(old->author, c->post->author))
		return;
	if (before.len != 0)
		plan_count_post(c->plan, before, old->author, STR("Shares"), -1);
	if (after.len != 0)
		plan_count_post(c->plan, after, c->post->author, STR("Shares"), 1);
}

static void
add_counters(struct commit *c)
{
	struct counters *all = ARENA_NEW(c->arena, struct counters);

	if (c->old != NULL)
		count_post(all, &c->old->post, -1);
	count_post(all, c->post, 1);
	add_shares(c);
	for (size_t i = 0; i < all->count; i++) {
		const struct counter *counter = &all->counters[i];

		if (counter->by > 0)
			count_up(c, counter);
		else if (counter->by < 0)
			count_down(c, counter);
		/* What is taken back is taken back by whomever. */
		c->written = c->written && !(counter->by < 0 && is_writer(c, counter));
	}
	if (c->written)
		plan_add(c->plan,
		    (struct write){.kind = WRITE_CHECK,
			.key = key_user(c->arena, c->plan->by),
			.condition = may_write_still(c->arena, c->plan->now)},
		    PLAN_NOT_ACTIVE);
}

/* --- The pictures that it shows ------------------------------------------------------------------------ */

/*
 * If the transaction is full, the last pictures are not recorded: better than a post that can't be
 * saved.
 */
enum { UP_TO = 60 };

static void
uses_of(
    struct commit *c, const struct post *post, const struct post_body *body, struct media_uses *out)
{
	media_uses_of(c->arena, post, body, out);
	if (post->status == STATUS_DELETED)
		out->ends = (post->deleted + DELETED_KEPT_MS) / 1000;
}

void
commit_uses(struct commit *c, const struct post_body *body)
{
	struct write *writes = ARENA_ARRAY(c->arena, MEDIA_USE_WRITES_MAX, struct write);
	struct media_uses before = {.post = c->post->id}, after;
	size_t count;

	if (c->old != NULL)
		uses_of(c, &c->old->post, &c->old->body, &before);
	uses_of(c, c->post, body, &after);
	count = media_use_writes(c->arena, &before, &after, writes);
	for (size_t i = 0; i < count && c->plan->count < UP_TO; i++)
		plan_add(c->plan, writes[i], PLAN_CHANGED);
}

/* --- All of it ------------------------------------------------------------------------------------- */

/*
 * Changes of posts by others than their authors are in the staff's log. It has the id, since an
 * address may reveal a title.
 */
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

/* A draft was rated by nobody. */
static void
add_rating_move(struct commit *c)
{
	const struct post *old = c->old != NULL ? &c->old->post : NULL;

	if (old != NULL && post_takes_ratings(c->post) && old->status != STATUS_DRAFT &&
	    post_is_public(old) != post_is_public(c->post))
		rating_move_begin(c->plan, c->post->id);
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
	add_followers(c, &head);
	add_rating_move(c);
	add_audit(c);
}

enum plan_rc
commit_do(struct commit *c)
{
	add_counters(c);
	return plan_commit(c->plan);
}
