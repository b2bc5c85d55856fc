/*
 * What follows from a post's head, as it was and as it is to be: items that are there because of it, and the numbers that
 * count it. The difference of the two is what is written; no change of state has a rule of its own.
 */
#include "model/post/writing_commit.h"

#include "base/arena.h"
#include "model/item_counter.h"
#include "model/key_post.h"

enum { COUNTERS_MAX = 2 * (1 + WRITING_OTHERS_MAX + 1 + WRITING_TAGS_MAX) + 32 };

/* --- What follows a head around -------------------------------------------------------------------- */

/* Items that are there because of a head: its tags' shelves while it is public, copies for more authors, requests to be one. */
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
	/* In the place of the copy that there will be when they say yes. */
	for (size_t i = 0; post->status != STATUS_DELETED && i < post->asked_count; i++) {
		struct str who = post->asked[i].username;
		struct item item = item_shallow(arena, head);

		key_set(arena, &item, key_post_coauthor(arena, post->id, who), ITEM_POST_REQUEST);
		key_index_asked(arena, &item, post, who);
		add_follower(out, &item);
	}
}

void
commit_followers(struct commit *c, const struct item *head)
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

/* Each of its names once, were it there twice. */
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
	case COUNTED_AUTHOR: return key_user(arena, counter->name);
	case COUNTED_CATEGORY: return key_category(arena, counter->name);
	case COUNTED_TAG: break;
	}
	return key_tag(arena, counter->name);
}

struct item_counters
counted_post(struct arena *arena, const struct item *item)
{
	struct counters *own = ARENA_NEW(arena, struct counters);
	struct item_counters all = {.count = 0};
	struct post post;

	post_from_item(arena, item, &post);
	count_post(own, &post, 1);
	all.counters = ARENA_ARRAY(arena, own->count, struct item_counter);
	for (size_t i = 0; i < own->count; i++)
		all.counters[all.count++] = (struct item_counter){
		    .key = counted_key(arena, &own->counters[i]), .name = STR("Posts"), .by = 1};
	return all;
}

/* A tag comes into being with its first post, and so does somebody's place among the authors. */
static void
count_up(struct plan *plan, const struct counter *counter)
{
	struct arena *arena = plan->call->arena;
	struct item set = {.count = 0};
	struct change *changes;
	struct write write = {.kind = WRITE_UPDATE, .key = counted_key(arena, counter)};

	if (counter->of == COUNTED_TAG) {
		item_set(arena, &set, STR("Type"), kind_type(ITEM_TAG));
		item_set(arena, &set, STR("Tag"), value_string(counter->name));
		key_index_tag(arena, &set, counter->name);
	} else {
		write.condition = &plan_present;
	}
	if (counter->of == COUNTED_AUTHOR)
		key_index_author(arena, &set, counter->name);
	changes = ARENA_ARRAY(arena, set.count + 1, struct change);
	for (size_t i = 0; i < set.count; i++)
		changes[i] = (struct change){
		    CHANGE_SET_IF_ABSENT, set.attributes[i].name, set.attributes[i].value};
	changes[set.count] = (struct change){CHANGE_ADD, STR("Posts"), value_number(counter->by)};
	write.changes = changes;
	write.change_count = set.count + 1;
	plan_add(plan, write, counter->of == COUNTED_AUTHOR ? PLAN_NO_AUTHOR : PLAN_NO_CATEGORY);
}

/* What counts up must be there, but for a tag. What counts down may be gone: nobody will miss it. */
void
commit_counters(struct commit *c)
{
	struct counters *all = ARENA_NEW(c->arena, struct counters);

	if (c->old != NULL)
		count_post(all, &c->old->post, -1);
	count_post(all, c->post, 1);
	for (size_t i = 0; i < all->count; i++) {
		const struct counter *counter = &all->counters[i];

		if (counter->by > 0)
			count_up(c->plan, counter);
		else if (counter->by < 0)
			plan_count(c->plan, counted_key(c->arena, counter), STR("Posts"),
			    counter->by, PLAN_DONE);
	}
}
